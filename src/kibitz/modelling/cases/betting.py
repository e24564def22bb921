"""Betting sequences: every abstract action so far, own and opponents', with a hyphen between rounds (`pd-cqc-c`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kibitz.games import Game, State, split_actions
from kibitz.modelling.cases.alphabet import CALL, FOLD, NEXT_ROUND, Alphabet
from kibitz.translation import Reading


class Decision(NamedTuple):
    """What somebody did at one point of the betting.

    history, sequence   the betting before it, in ACPC text and in letters
    action              the letter of what was done
    """

    history: str
    sequence: str
    round: int
    commitment: int
    action: str


class SequenceReader:
    """The betting sequence of one hand at a time, read as it grows.

    uniform   gives random numbers from 0 to 1 for soft translation; without it translation is hard
    """

    def __init__(self, alphabet: Alphabet, reading: Reading, uniform: Callable[[], float] | None = None) -> None:
        self._alphabet = alphabet
        self._reading = reading
        self._uniform = uniform
        self.restart()

    def restart(self) -> None:
        """A new hand begins."""
        self._sequence = ""
        self._real: State | None = None

    def catch_up(self, state: State) -> str:
        """The sequence that leads to `state`; what was read at earlier calls of the same hand stays as it was."""
        real = self._real
        if real is None or not _goes_on(state.history, real.history):
            self.restart()
            real = State.start(state.game)
        actions = split_actions(state.history[len(real.history) :])
        for number, action in enumerate(actions, 1):
            real = self.follow(real, action, state if number == len(actions) else None)
        self._real = real
        return self._sequence

    def follow(self, state: State, action: str, after: State | None = None) -> State:
        """Add the letter of `action`, taken in `state`; the state after it, which is worked out if it is not given."""
        self._sequence += self._alphabet.read(state, action, self._reading, self._uniform)
        after = after or state.apply(action)
        self._sequence += NEXT_ROUND * (after.round - state.round)
        return after

    @property
    def sequence(self) -> str:
        """The sequence so far."""
        return self._sequence


def read_decisions(
    game: Game, history: str, player: int, alphabet: Alphabet, reading: Reading, granularity: int
) -> list[Decision]:
    """All decisions of `player` in a hand, by hard translation.

    Folds where nothing is to be paid count as such; a hand that breaks the rules raises `IllegalActionError`.
    """
    reader = SequenceReader(alphabet, reading)
    state = State.start(game)
    decisions = []
    for action in split_actions(history):
        before = reader.sequence
        after = reader.follow(state, action)
        if state.player == player:
            letter = reader.sequence[len(before)]
            commitment = stack_commitment(state, player, granularity)
            decisions.append(Decision(state.history, before, state.round, commitment, letter))
        state = after
    return decisions


def stack_commitment(state: State, player: int, granularity: int) -> int:
    """The share of the starting stack that `player` has put in, cut into equal parts: 1 to `granularity`.

    Section 4.3: with four parts, 1 is less than a quarter and 2 a quarter up to a half.
    """
    game = state.game
    stack = game.stacks[player]
    spent = state.spent[player] + game.antes_paid[player]
    return min(granularity * spent // stack + 1, granularity) if stack else granularity


def faces_bet(sequence: str, players: int = 2) -> bool:
    """Whether the player to act after `sequence` has something to pay, as far as the letters tell.

    players   at the table. Before the flop this tells whose turn it is: the big blind's, who acts last and has nothing
              to pay as long as nobody raises, or that of somebody before him.
    """
    here = sequence.rpartition(NEXT_ROUND)[2]
    if set(here) - {FOLD, CALL}:
        return True  # whoever has paid the last bet of a round does not act again in it
    if NEXT_ROUND in sequence:
        return False
    return CALL not in here or len(here) != players - 1  # the big blind acts only if somebody called


def _goes_on(history: str, before: str) -> bool:
    """Whether `history` may be a later point of the hand of `before`: r300 does not go on from r30."""
    return history.startswith(before) and not (before and history[len(before) : len(before) + 1].isdigit())

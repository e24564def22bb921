"""Abstract betting: actions by letter (Rubin and Watson 2011, table 2), and the sequences that they make up.

A sequence has every abstract action so far, own and opponents', with a hyphen between rounds (`pd-cqc-c`).

>>> SARTRE.shape("ihpc-a") == SARTRE.shape("dqpc-a"), SARTRE.shape("ihpc") == SARTRE.shape("ihcp")
(True, False)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from kibitz.errors import KibitzError
from kibitz.games import Game, State, split_actions
from kibitz.translation import Follower, Reading
from kibitz.translation.places import real_pot

FOLD, CALL, ALL_IN, RAISE, NEXT_ROUND = "f", "c", "a", "r", "-"
Readings = tuple[tuple[str, float], ...]  # letters with chances
# Bets of table 2, in pots: call, then add so many times the pot after the call.
POTS: dict[str, float] = {"q": 0.25, "h": 0.5, "i": 0.75, "p": 1.0, "d": 2.0, "v": 5.0, "t": 10.0}


@dataclass(frozen=True)
class Alphabet:
    """The abstract actions of a game, written in order: fold, call, bets from small to large, all-in.

    name   letters of table 2 such as fcqhipdvta or fcpa; fcr for limit games, whose raises have one size
    """

    name: str

    def __post_init__(self) -> None:
        bets = self.bets
        good = self.name.startswith(FOLD + CALL) and (bets == RAISE or all(letter in POTS for letter in bets))
        if not good or not bets or (list(self.sizes) != sorted(set(self.sizes))) or (self.limit and self.has_all_in):
            raise KibitzError(f"{self.name!r}: letters are fc, then some of {''.join(POTS)} in order and a, or fcr")

    @cached_property
    def bets(self) -> str:
        """The letters of bets that are not all-in: the discretisation string of table 3."""
        return self.name[2:].removesuffix(ALL_IN)

    @cached_property
    def has_all_in(self) -> bool:
        """Whether all-in has a letter."""
        return self.name.endswith(ALL_IN)

    @cached_property
    def limit(self) -> bool:
        """Whether this is the alphabet of limit games."""
        return self.bets == RAISE

    @cached_property
    def sizes(self) -> tuple[float, ...]:
        """The bets in pots."""
        return tuple(POTS.get(letter, 1.0) for letter in self.bets)

    @cached_property
    def _shapes(self) -> dict[int, str]:
        return str.maketrans(dict.fromkeys(self.bets, "b"))

    def shape(self, sequence: str) -> str:
        """`sequence` with all bets made equal: two sequences can be similar if and only if they have one shape."""
        return sequence.translate(self._shapes)

    def places(self, sequence: str) -> list[int]:
        """Where the bets of `sequence` stand in the discretisation string, in order; all else is left out."""
        return [self.bets.index(letter) for letter in sequence if letter in self.bets]

    def pots(self, letter: str) -> float:
        """The size of a bet in pots."""
        return self.sizes[self.bets.index(letter)]

    def readings(self, state: State, action: str, reading: Reading) -> Readings:
        """The letters that `action` in `state` may be translated to, with chances: one, or two neighbouring sizes.

        A bet between two sizes is the smaller with the probability that `reading` gives. All-in is all-in; a bet below
        the smallest size is the smallest. Sizes that nobody could bet here are passed over.
        """
        if action[0] != "r":
            return ((action, 1.0),)
        if self.limit:
            return ((RAISE, 1.0),)
        amount, most = int(action[1:]), state.game.limits[state.player]
        if amount >= most and self.has_all_in:
            return ((ALL_IN, 1.0),)
        pot = real_pot(state)
        x, everything = (amount - state.bet) / pot, (most - state.bet) / pot
        number = bisect_left(self.sizes, everything) if self.has_all_in else len(self.sizes)
        sizes, letters = self.sizes[:number], self.bets[:number]
        if self.has_all_in:
            sizes, letters = (*sizes, everything), letters + ALL_IN
        above = bisect_right(sizes, x)
        if above == 0 or above == len(sizes) or x == sizes[above - 1]:
            return ((letters[max(above - 1, 0)], 1.0),)
        share = reading.shares(x, sizes[above - 1], sizes[above], state.round)
        if share in (0.0, 1.0):
            return ((letters[above - int(share)], 1.0),)
        return (letters[above - 1], share), (letters[above], 1.0 - share)

    def read(self, state: State, action: str, reading: Reading, uniform: Callable[[], float] | None = None) -> str:
        """The letter of `action` in `state`.

        Where two are possible, `uniform` decides by their chances (soft translation); without it, the likelier is taken
        (hard translation).
        """
        (letter, chance), *others = self.readings(state, action, reading)
        if others and not (chance > 0.5 if uniform is None else uniform() < chance):
            letter = others[0][0]
        return letter


@lru_cache(maxsize=32)
def find_alphabet(name: str) -> Alphabet:
    """The alphabet called `name`, the same value every time."""
    return Alphabet(name)


SARTRE = find_alphabet("fcqhipdvta")
LIMIT = find_alphabet("fcr")


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


class SequenceReader(Follower):
    """The betting sequence of one hand at a time, read as it grows.

    uniform   gives random numbers from 0 to 1 for soft translation; without it translation is hard
    """

    def __init__(self, alphabet: Alphabet, reading: Reading, uniform: Callable[[], float] | None = None) -> None:
        self._alphabet = alphabet
        self._reading = reading
        self._uniform = uniform
        self.restart()

    def restart(self) -> None:
        super().restart()
        self._sequences = {"": ""}  # by the betting that was read

    def catch_up(self, state: State) -> str:
        """The sequence that leads to `state`; what was read at earlier calls of the same hand stays as it was."""
        self.advance(state)
        return self.sequence

    def look_back(self, state: State) -> str:
        """The sequence that led to `state`, which may lie before the last one asked for."""
        return self._sequences[state.history] if state.history in self._sequences else self.catch_up(state)

    def follow(self, state: State, action: str, after: State) -> None:
        letter = self._alphabet.read(state, action, self._reading, self._uniform)
        self._sequences[after.history] = self.sequence + letter + NEXT_ROUND * (after.round - state.round)

    @property
    def sequence(self) -> str:
        """The sequence so far."""
        return next(reversed(self._sequences.values()))


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
        after = state.apply(action)
        reader.follow(state, action, after)
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

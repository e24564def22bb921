"""What a player does who re-uses cases (Rubin and Watson 2011).

Bets are translated to letters on the way in (soft translation) and to chips on the way out (a spread around the size of
the letter), both at random. So the player itself does not know which of several sizes it will name, and others do not
know which of several betting sequences it has read: `CasePolicy` adds up over both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, State
from kibitz.modelling.cases.base import checksum
from kibitz.modelling.cases.betting import ALL_IN, CALL, FOLD, NEXT_ROUND, stack_commitment
from kibitz.modelling.cases.features import Features, check_holdem, texture
from kibitz.modelling.cases.retrieval import EQUAL, CaseIndex, Ints
from kibitz.modelling.cases.reuse import Reuse, find_policy, only
from kibitz.modelling.cases.strength import BOARD_CARDS, Strength, load_strength
from kibitz.policy.base import FEW, Action, Cards, Floats, Policy, fingerprint_of, free_hands, normalised
from kibitz.policy.beliefs import Answer, Chances, Hypotheses, Transition, Uniform
from kibitz.translation import Reading, blurred, blurred_sizes


class OnBoard(NamedTuple):
    """What cases see of some hands on a board.

    strengths : those that there are      of_hand : int64[n], which of them each hand has
    """

    strengths: list[int]
    of_hand: npt.NDArray[np.int64]
    texture: str


class _Step(NamedTuple):
    """An action in `state`, and how betting sequences go on with it: (before, after, chance) of each translation."""

    state: State
    action: str
    ways: list[tuple[str, str, float]]

    @property
    def sequences(self) -> list[str]:
        """As the betting may have been read so far."""
        return list(dict.fromkeys(after for _before, after, _chance in self.ways))


class CasePolicy(Policy):
    """Plays hold'em by the cases of `index`.

    A bet between two letters may have been read as either. What the player did itself tells which: with each hand, a
    betting sequence counts by the chances of its translations and of the player's own actions along it.
    """

    def __init__(
        self, index: CaseIndex, reuse: Reuse | None = None, strength: Strength | None = None, name: str = "cases"
    ) -> None:
        self.name, self.index, self.reuse = name, index, reuse or Reuse()
        self.description = index.base.description
        self.letters = self.description.letters
        self.strength = strength or load_strength(self.description.strength)
        self.reading = Reading(self.reuse.mapping)
        self.draws_sizes = self.reuse.spread > 0 and not self.letters.limit
        self._weigh = find_policy(self.reuse.policy)
        self._followed: tuple[Game | None, str, list[_Step]] = None, "", []

    @property
    def fingerprint(self) -> str:  # type: ignore[override]
        cases = checksum(self.index.base.rows), self.description, self.index.similarity
        return fingerprint_of("cases", *cases, self.index.base.players, self.reuse)

    def plays(self, game: Game) -> bool:
        """Whether the cases are of such a game: hold'em, limit or not, for so many players."""
        try:
            check_holdem(game, self.letters)
        except KibitzError:
            return False
        return game.players == self.index.base.players

    def check(self, game: Game) -> None:
        if not self.plays(game):
            raise AgentError(
                f"{self.name} does not play {game.name or 'this game'}: its cases are of hold'em with the actions "
                f"{self.description.alphabet} for {self.index.base.players} players"
            )

    def advise(self, features: Features) -> Ints | None:
        """How much each letter counts in a decision; None where no case is similar enough, and the player calls."""
        solution, similarity = self.index.advise(features)
        return None if solution is None or similarity < self.reuse.floor - EQUAL else self._weigh(solution)

    def write(self, state: State, letter: str, uniform: Uniform) -> str:
        """A letter as a legal action; all-in is exact, what is impossible is a call."""
        fixed = self._fixed(state, letter)
        if fixed:
            return fixed
        spread = 0.0 if self.letters.limit else self.reuse.spread
        return blurred(state, self.letters.pots(letter), spread, uniform())

    def _fixed(self, state: State, letter: str) -> str:
        """How a letter is written that names no size; "" for one that does."""
        if letter == CALL:
            return "c"
        if letter == FOLD:
            return "f" if state.to_call else "c"
        if letter == ALL_IN:
            most = state.legal().max_raise_to
            return f"r{most}" if most else "c"
        return ""

    def actions(self, state: State) -> tuple[Action, ...]:
        return tuple(self._written(state, self._follow(state)[-1].sequences))

    def probabilities(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        free = free_hands(hands, board)
        written = np.array(list(self._written(state, self._follow(state)[-1].sequences).values()))
        found = np.zeros((len(written), len(hands)))
        if free.any():

            @cache  # of a round
            def seen(round_: int) -> OnBoard:
                return self.look(hands[free], board[: BOARD_CARDS[round_]])

            weights = self._weights(state, int(free.sum()), seen)
            letters = [weight * self._letters(state, each, seen) for each, weight in weights.items()]
            found[:, free] = written @ np.sum(letters, axis=0)
        return found

    def taken(self, sequences: Iterable[str]) -> list[int]:
        """The letters, by place, that may be taken after one of `sequences` with some hand; calling always may."""
        call = self.description.alphabet.index(CALL)
        return sorted({call, *(number for sequence in sequences for number in self.index.taken(sequence))})

    def _written(self, state: State, sequences: Iterable[str]) -> dict[Action, Floats]:
        """Every action that may be taken in `state` after one of `sequences`, and how letters are written as it.

        float64[letters], the chance that each becomes this action. Where letters spread over ranges of sizes, ranges
        are cut where any letter begins or ends: within one, all sizes are equally likely.
        """
        found: dict[Action, Floats] = {}
        spread: list[tuple[int, int, int, float]] = []
        for number in self.taken(sequences):
            letter = self.description.alphabet[number]
            fixed = self._fixed(state, letter) or blurred_sizes(state, self.letters.pots(letter), self.reuse.spread)
            if isinstance(fixed, list):
                spread += [(number, *sizes) for sizes in fixed]
            elif fixed[0] == "r" and len(fixed) > 1:
                spread.append((number, int(fixed[1:]), int(fixed[1:]), 1.0))
            else:
                found.setdefault(Action(fixed), np.zeros(len(self.description.alphabet)))[number] = 1.0
        ranges: dict[Action, Floats] = {}
        ends = sorted({end for _number, first, last, _share in spread for end in (first, last + 1)})
        for first, beyond in pairwise(ends):
            shares = np.zeros(len(self.description.alphabet))
            for number, low, high, share in spread:
                shares[number] += share * (beyond - first) * (low <= first <= high)
            if shares.any():
                single = beyond - first == 1
                action = Action(f"r{(first + beyond - 1) // 2}", None if single else (first, beyond - 1))
                (found if single else ranges)[action] = shares
        return found | ranges

    def _letters(self, state: State, sequence: str, seen: Callable[[int], OnBoard]) -> Floats:
        """How likely each letter is for the player to act, who has read the betting as `sequence`: float64[letters, n].

        seen   what cases see of the hands in a round
        """
        commitment = stack_commitment(state, state.player, self.description.commitments)
        return self.letter_shares(sequence, commitment, seen(state.round))

    def letter_shares(self, sequence: str, commitment: int, on_board: OnBoard) -> Floats:
        """The same of hands by their strength on a board: float64[letters, n]."""
        call = self.description.alphabet.index(CALL)
        columns = []
        for strength in on_board.strengths:
            weights = self.advise(Features(strength, sequence, commitment, on_board.texture))
            weights = only(call, len(self.description.alphabet)) if weights is None else weights
            columns.append(weights / weights.sum())
        return np.array(columns).T[:, on_board.of_hand]

    def look(self, hands: Cards, board: tuple[int, ...]) -> OnBoard:
        """What cases see of hands uint8[n, 2] on one board."""
        if len(hands) > FEW:
            boards = np.broadcast_to(np.array(board, dtype=np.uint8), (len(hands), len(board)))
            each = self.strength.buckets(hands, boards, BOARD_CARDS.index(len(board)))
        else:
            each = np.array([self.strength.bucket(hand, board) for hand in hands.tolist()])
        strengths, of_hand = np.unique(each, return_inverse=True)
        return OnBoard(strengths.tolist(), of_hand, texture(board))

    def go_on(self, sequence: str, state: State, action: str) -> Iterator[tuple[str, float]]:
        """The sequences that may follow `sequence` when `action` is taken in `state`, with their chances."""
        rounds = NEXT_ROUND * (state.apply(action).round - state.round)
        for letter, chance in self.letters.readings(state, action, self.reading):
            yield sequence + letter + rounds, chance

    def _follow(self, state: State) -> list[_Step]:
        """How the player may have read the betting so far, action by action; the last asked for is kept."""
        game, history, steps = self._followed
        if history != state.history or game is not state.game:
            steps = [_Step(state, "", [("", "", 1.0)])]
            for real, action in state.past():
                ways = [(each, *way) for each in steps[-1].sequences for way in self.go_on(each, real, action)]
                steps.append(_Step(real, action, ways))
            self._followed = state.game, state.history, steps
        return steps

    def _weights(self, state: State, count: int, seen: Callable[[int], OnBoard]) -> dict[str, Floats]:
        """How likely the player to act has read each sequence, with each of `count` hands: float64[count]."""
        steps, weights = self._follow(state), {"": np.ones(count)}
        if len(steps[-1].sequences) == 1:  # nearly always: cards of earlier rounds need not be looked at
            return dict.fromkeys(steps[-1].sequences, weights[""])
        for real, action, ways in steps[1:]:
            if real.player == state.player:
                chances = self._chances_of(real, action, weights)
                weights = {
                    each: weight * (chances @ self._letters(real, each, seen)) for each, weight in weights.items()
                }
            before, weights = weights, {}
            for each, after, chance in ways:
                weights[after] = weights.get(after, 0.0) + chance * before[each]
        return dict(zip(weights, normalised(np.array(list(weights.values()))), strict=True))

    def _chances_of(self, state: State, action: str, sequences: Iterable[str]) -> Floats:
        """The chance that each letter is written as `action`: float64[letters]."""
        for each, shares in self._written(state, sequences).items():
            if each.text == action and each.sizes is None:
                return shares
            if each.sizes is not None and action[0] == "r" and each.sizes[0] <= int(action[1:]) <= each.sizes[1]:
                return shares / (each.sizes[1] - each.sizes[0] + 1)
        return np.zeros(len(self.description.alphabet))

    # What a local best response asks.

    def start(self, game: Game, position: int) -> Sequences:
        self.check(game)
        return Sequences(self, [""])

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        on_board = self.look(holes, board)

        @lru_cache(maxsize=1)  # a point is asked for each of its actions in turn
        def at(key: Any) -> npt.NDArray[np.float32]:
            sequence, commitment, ways = key
            letters = self.letter_shares(sequence, commitment, on_board)
            return np.array([chance * letters[number] for number, chance in ways], dtype=np.float32)

        return at


class Sequences(Hypotheses[str]):
    """The belief of a player who re-uses cases: a hypothesis for each betting sequence that it may have read."""

    def __init__(self, policy: CasePolicy, sequences: Iterable[str] = ()) -> None:
        super().__init__(sequences)
        self._policy = policy

    def empty(self) -> Sequences:
        return Sequences(self._policy)

    def key_of(self, hypothesis: str) -> str:
        return hypothesis

    def translations(self, hypothesis: str, state: State, action: str) -> Iterator[tuple[str, float]]:
        return self._policy.go_on(hypothesis, state, action)

    def answers(self, state: State, uniform: Uniform) -> list[Answer]:
        policy, alphabet = self._policy, self._policy.description.alphabet
        texts = {number: policy.write(state, alphabet[number], uniform) for number in policy.taken(self.members)}
        commitment = stack_commitment(state, state.player, policy.description.commitments)
        found: dict[str, tuple[Sequences, list[Transition]]] = {}
        for before, each in enumerate(self.members):
            ways = [
                (number, texts[number], sequence, chance)
                for number in policy.taken([each])
                for sequence, chance in policy.go_on(each, state, texts[number])
            ]
            key = each, commitment, tuple((number, chance) for number, _text, _sequence, chance in ways)
            for row, (_number, text, sequence, _chance) in enumerate(ways):
                belief, transitions = found.setdefault(text, (Sequences(policy), []))
                transitions.append(Transition(before, belief.add(sequence), key, row))
        return [Answer(text, belief, transitions) for text, (belief, transitions) in found.items()]

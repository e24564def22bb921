"""Rules: hand strength against pot odds, in three temperaments."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import pairwise
from math import inf, nextafter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import AgentError
from kibitz.games import State
from kibitz.policy.base import Action, Cards, Floats, Policy, fingerprint_of, free_hands
from kibitz.policy.strengths import hand_qualities, holdem_qualities

if TYPE_CHECKING:
    from kibitz.policy.beliefs import Chances
    from kibitz.policy.hands import HandPolicy
    from kibitz.tree import Tree


@dataclass(frozen=True)
class Style:
    """How a rule agent plays; every number lies in [0, 1] except `size`.

    tightness    how good a hand must be to continue: from any fair price (0) to strong hands only (1)
    aggression   how often a hand worth raising is raised rather than called
    bluffing     how often a hand that would be given up or checked is bet instead
    size         bets and raises in pots (call, then add this part of the pot after the call)
    """

    tightness: float = 0.5
    aggression: float = 0.5
    bluffing: float = 0.0
    size: float = 0.75

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            most = 10.0 if field.name == "size" else 1.0
            if not 0 <= value <= most:
                raise AgentError(f"{field.name} = {value}: between 0 and {most:g}")

    @property
    def continue_above(self) -> float:
        """The chance of winning below which a bet is not called, however cheap."""
        return 0.25 + 0.4 * self.tightness

    @property
    def raise_above(self) -> float:
        """The chance of winning that is worth a first bet or raise."""
        return 0.55 + 0.2 * self.tightness


class Judgement(NamedTuple):
    """What rules say of a strength, or of an array of strengths.

    worth  it is worth a raise
    weak   it is not worth a bet, however cheap
    stays  it pays what there is to pay
    """

    worth: Any
    weak: Any
    stays: Any


class RulePolicy(Policy):
    """Calls when the chance of winning beats the price, raises strong hands, bluffs now and then.

    A hand's strength s is its all-in equity against a random hand before the flop and its hand strength on the board
    afterwards; the style's thresholds are for s. The chance of winning, which must beat the price, is s^k against k
    opponents. Every raise of a round makes the next one dearer.
    """

    RAISE_STEP = 0.07  # how much stronger a hand must be for each raise already made in the round

    def __init__(self, style: Style | None = None, name: str = "rules") -> None:
        self.style = style or Style()
        self.name = name
        self.fingerprint = fingerprint_of("rules", self.style, self.RAISE_STEP)

    def judge(self, state: State, strength: Any) -> Judgement:
        """What the rules say of a strength: float, or float64[n]."""
        style, opponents = self.style, standing_opponents(state)
        strong = (strength >= style.continue_above) & (strength**opponents > _price(state))
        worth = strength > style.raise_above + self.RAISE_STEP * state.raises
        return Judgement(worth, strength < style.continue_above, strong | (state.to_call <= 0))

    def may_bluff(self, state: State) -> bool:
        """Whether a raise here may be a bluff: never the second one after others."""
        return state.raises < 2

    def raise_action(self, state: State) -> str:
        """How it raises where it may."""
        legal = state.legal()
        if legal.limit:
            return "r"
        size = state.bet + round(self.style.size * (state.pot + state.to_call))
        return f"r{min(max(size, legal.min_raise_to), legal.max_raise_to)}"

    def actions(self, state: State) -> tuple[Action, ...]:
        folds = ("f",) if state.to_call > 0 else ()
        raises = (self.raise_action(state),) if state.legal().max_raise_to > 0 else ()
        return tuple(map(Action, (*folds, "c", *raises)))

    def probabilities(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        strengths, free = np.full(len(hands), 0.5), free_hands(hands, board)
        if state.game.sighted[state.player]:
            strengths[free] = hand_qualities(state.game, hands[free], board)
        return self.by_strength(state, strengths) * free

    def by_strength(self, state: State, strengths: Floats) -> Floats:
        """The probabilities of `actions(state)` with hands of these strengths: float64[actions, n] from float64[n]."""
        may_raise = state.legal().max_raise_to > 0
        worth, weak, stays = self.judge(state, strengths)
        passes = 1.0 - np.where(worth, self.style.aggression * may_raise, 0.0)  # does not raise for value
        bluffs = self.style.bluffing * (may_raise and self.may_bluff(state))
        calls = np.where(stays, np.where(weak, 1.0 - bluffs, 1.0), 0.0) * passes
        folds = np.where(stays, 0.0, 1.0 - bluffs) * passes
        rows = [folds] if state.to_call > 0 else []
        rows.append(calls)
        if may_raise:
            rows.append(1.0 - calls - folds)
        return np.stack(rows)

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        strengths = holdem_qualities(holes, board)

        @lru_cache(maxsize=1)  # a point is asked for each of its actions in turn
        def at(key: Any) -> npt.NDArray[np.float32]:
            return self.by_strength(key.state, strengths).astype(np.float32)

        return at

    def on_tree(self, tree: Tree) -> HandPolicy:
        """It looks at nothing but a hand's strength, and compares it with few numbers: classes are those between."""
        from kibitz.policy.hands import decisions, tabulate

        cuts: list[set[float]] = [set() for _ in range(tree.game.rounds)]
        for _node, state in decisions(tree):
            cuts[state.round].update(self.cuts(state))
        classes = StrengthClasses(tuple(np.array(sorted(each)) for each in cuts))
        return tabulate(self, tree, classes, lambda state: self.by_strength(state, classes.members(state.round)))

    def cuts(self, state: State) -> list[float]:
        """The strengths from which on `by_strength` is another than just below, against one opponent."""
        dear = self.style.raise_above + self.RAISE_STEP * state.raises
        return [self.style.continue_above, nextafter(dear, inf), nextafter(_price(state), inf)]


def _price(state: State) -> float:
    """What a call costs, as a part of the pot then."""
    return state.to_call / (state.pot + state.to_call) if state.to_call > 0 else 0.0


def standing_opponents(state: State) -> int:
    """How many others have not folded."""
    return state.game.players - 1 - state.folded.bit_count()


@dataclass(frozen=True, eq=False)
class StrengthClasses:
    """Hands of hold'em by their strength, cut wherever rules may treat a stronger hand in another way than a weaker.

    cuts   per round float64[n], ascending; class k has strengths from cuts[k - 1] on and below cuts[k]
    """

    cuts: tuple[Floats, ...]

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Classes in each round."""
        return np.array([len(cuts) + 1 for cuts in self.cuts])

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the cuts."""
        return sha256(b"strength" + b"|".join(cuts.tobytes() for cuts in self.cuts)).hexdigest()[:16]

    def members(self, round_: int) -> Floats:
        """One strength of each class of a round: float64[classes]."""
        return np.append(0.0, self.cuts[round_])

    def buckets(self, hole: Cards, board: Cards, round_: int) -> npt.NDArray[np.int32]:
        """The classes of at least one hand uint8[n, 2] on boards uint8[n, k]; hands of a board best stand together."""
        from kibitz.abstraction.features.boards import STREETS

        board = board[:, : STREETS[round_]]
        found = np.empty(len(hole), dtype=np.int32)
        ends = np.flatnonzero((board[1:] != board[:-1]).any(axis=1)) + 1  # runs of the same board
        for begin, end in pairwise([0, *ends.tolist(), len(hole)]):
            strengths = holdem_qualities(hole[begin:end], tuple(board[begin].tolist()))
            found[begin:end] = np.searchsorted(self.cuts[round_], strengths, side="right")
        return found

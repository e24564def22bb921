"""Strategies as entities to be clustered: what beats a group of opponents is a best response to their average.

The average is that of sequence forms (Bard 2016, section 5.2.1). A strategy's statistics are the payoffs of the
responder's sequences against it, the responder's decisions are the tree of the oracle. With both seats the responder
has one part for each, played half of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from kibitz.clustering import DecisionTree, TreeOracle
from kibitz.errors import KibitzError
from kibitz.solvers.compiled.sequences import SequenceForm, sequence_form
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy
from kibitz.tree import DECISION

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
BOTH_SEATS = (0, 1)
MOST_PAYOFFS = 50_000_000  # between sequences; each takes some 40 bytes while they are gathered


@dataclass(frozen=True, eq=False)
class SeatDecisions:
    """The decisions of one seat; `order` is the sequence, of the sequence form, behind every choice: int64[d]."""

    tree: DecisionTree
    order: Ints
    places: Ints  # int64[d - 1]: where choices 1, 2, ... stand in `Strategy.values`

    @classmethod
    def of(cls, form: SequenceForm, seat: int) -> SeatDecisions:
        """Read from the constraints, in which a row has -1 at the sequence that leads to an information set."""
        rows = sparse.csr_array(form.constraints[seat])[1:]
        row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        leads = rows.data < 0
        order = np.concatenate(([0], rows.indices[~leads])).astype(np.int64)
        start = np.cumsum([1, *np.bincount(row[~leads], minlength=rows.shape[0])], dtype=np.int64)
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        parent = np.empty(rows.shape[0], dtype=np.int64)
        parent[row[leads]] = number[rows.indices[leads]]
        return cls(DecisionTree(start, parent), order, form.entries[seat][order[1:] - 1])


@dataclass(frozen=True, eq=False)
class StrategyOracle:
    """Strategies of a small two-player game, and best responses to groups of them.

    values : float64[m, layout.size]   the strategies, laid out like `Strategy.values`
    seats  : in which seats they play, (0,), (1,) or both; the responder has the others
    """

    compiled: VectorGame
    values: Floats
    seats: tuple[int, ...] = BOTH_SEATS

    def __post_init__(self) -> None:
        if self.seats not in ((0,), (1,), BOTH_SEATS):
            raise KibitzError(f"seats {self.seats}: need (0,), (1,) or {BOTH_SEATS}")
        if self.values.ndim != 2 or self.values.shape[1] != self.compiled.layout.size:
            raise KibitzError(f"strategies of shape {self.values.shape}: need [m, {self.compiled.layout.size}]")

    @cached_property
    def form(self) -> SequenceForm:
        """The game in sequence form."""
        return sequence_form(self.compiled)

    @cached_property
    def decisions(self) -> tuple[SeatDecisions, SeatDecisions]:
        """The decisions of both seats."""
        return SeatDecisions.of(self.form, 0), SeatDecisions.of(self.form, 1)

    @cached_property
    def plans(self) -> dict[int, Floats]:
        """Realisation plans of the strategies by seat, float64[m, d]: the points that k-means clusters."""
        found = {}
        for seat in self.seats:
            each = self.decisions[seat]
            behaviour = np.ones((len(self.values), each.tree.size))
            behaviour[:, 1:] = self.values[:, each.places]
            found[seat] = each.tree.realise(behaviour)
        return found

    @cached_property
    def points(self) -> Floats:
        """The plans of all seats side by side, float64[m, ...]."""
        return np.hstack([self.plans[seat] for seat in self.seats])

    @cached_property
    def oracle(self) -> TreeOracle:
        """The strategies as entities; utilities are chips per hand to the responder, a mean over the seats."""
        parts, trees = [], []
        for seat in self.seats:
            own, other = self.decisions[seat], self.decisions[1 - seat]
            plan = np.empty_like(self.plans[seat])
            plan[:, own.order] = self.plans[seat]
            payoff = -self.form.payoff if seat == 0 else self.form.payoff.T
            parts.append(np.asarray(plan @ payoff)[:, other.order] / len(self.seats))
            trees.append(other.tree)
        if len(parts) == 1:
            return TreeOracle(parts[0], trees[0])
        return TreeOracle(np.hstack([parts[0], parts[1]]), _side_by_side(trees[0], trees[1]))

    def strategy(self, plan: Floats, name: str = "best response") -> Strategy:
        """A response, float64[d] of the oracle, as a strategy; uniform in the seats that it does not play."""
        sums = np.zeros(self.compiled.layout.size)
        begin = 0
        for seat in self.seats:
            other = self.decisions[1 - seat]
            sums[other.places] = plan[begin + 1 : begin + other.tree.size]
            begin += other.tree.size
        return Strategy.from_sums(self.compiled.layout, sums, {"algorithm": name})


def _side_by_side(first: DecisionTree, second: DecisionTree) -> DecisionTree:
    """Two trees as one; the beginning of the second becomes a decision with one choice."""
    size = first.size
    start = np.concatenate((first.start, second.start + size))
    return DecisionTree(start, np.concatenate((first.parent, [0], second.parent + size)))


def check_suitable(problem: Problem) -> None:
    """Refuse a game in which there are no best responses."""
    if problem.game.players != 2:
        raise KibitzError(f"clustering is for games of two players, not {problem.game.players}")
    if not problem.is_measurable:
        raise KibitzError(f"{problem.cards_name}: clustering needs best responses, which need perfect recall")


def has_small_form(problem: Problem) -> bool:
    """Whether the sequence form of a game is small enough for `StrategyOracle`; otherwise there is `AverageOracle`."""
    counts = [each.states for each in problem.size.rounds]
    ends = np.bincount(problem.tree.round[problem.tree.kind != DECISION], minlength=problem.game.rounds)
    payoffs = sum(int(count) * one * other for count, (one, other) in zip(ends, counts, strict=True))
    return payoffs <= MOST_PAYOFFS

"""What one strategy wins against another in the real game: boards are sampled, everything else is summed.

On a sampled board all pairs of hands are met with card removal and all betting is followed to its ends, so chance is
left only in the choice of boards. That is far tighter than playing as many hands.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import isfinite

import numpy as np
import numpy.typing as npt

from kibitz.amounts import counted
from kibitz.deals.joint import Boards
from kibitz.errors import KibitzError
from kibitz.lanes import aligned_zeros
from kibitz.parallel.threads import run_slices
from kibitz.policy.base import Cards
from kibitz.policy.hands import HandPolicy
from kibitz.progress import Progress, silent
from kibitz.responses.real.boards import BoardHands, Order
from kibitz.responses.real.compiled import (
    LANES,
    ROUNDS,
    RoundGame,
    RoundRows,
    Table,
    compile_rounds,
    in_lanes,
    list_rows,
    row_probabilities,
)
from kibitz.responses.real.walk import Vector, make_work
from kibitz.statistics import weighted_half_width

HANDS = 1081  # that a full board leaves
WIDTH = -(-HANDS // LANES) * LANES
PAIRS = HANDS * 990
STREETS = (0, 3, 4, 5)
SLICE = 8  # boards of one piece of work


@dataclass(frozen=True, eq=False)
class ExpectedValue:
    """Chips per hand of the first of two strategies.

    samples : float64[boards, 2], on each board, sitting in seat 0 and in seat 1
    weights : float64[boards], how often each board counts
    """

    samples: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    big_blind: int

    @property
    def seats(self) -> tuple[float, float]:
        """The mean in each seat."""
        first, second = np.average(self.samples, axis=0, weights=self.weights).tolist()
        return first, second

    @property
    def seat_half_widths(self) -> tuple[float, float]:
        """Of the 95 % intervals of `seats`, by Student's t."""
        first, second = (weighted_half_width(each, self.weights) for each in self.samples.T)
        return first, second

    @property
    def chips(self) -> float:
        """The mean over both seats."""
        return sum(self.seats) / 2

    @property
    def half_width(self) -> float:
        """Of the 95 % interval of `chips`; both seats are taken on the same boards, which cancels most of the luck."""
        return weighted_half_width(self.samples.mean(axis=1), self.weights)

    def mbb(self, chips: float) -> float:
        """Chips per hand as thousandths of a big blind."""
        return 1000 * chips / self.big_blind

    def __str__(self) -> str:
        count, mean, doubt = len(self.samples), self.mbb(self.chips), self.mbb(self.half_width)
        half_width = f"{doubt:,.2f}" if isfinite(doubt) else "–"
        return f"{mean:+z,.2f} ± {half_width} mbb/hand, {counted(count, 'board')}"


def expected_value(
    one: HandPolicy, two: HandPolicy, boards: Boards | int, seed: int = 0, threads: int = 1, progress: Progress = silent
) -> ExpectedValue:
    """What `one` wins against `two`, each board with both seatings.

    boards   to look at, or how many to draw with `seed`; threads change the speed and nothing else
    """
    theirs, ours = two.tree.fingerprint, one.tree.fingerprint
    if theirs != ours:
        raise KibitzError(
            f"betting trees {ours} and {theirs} differ: only strategies for the same tree can be compared; "
            "play a match instead"
        )
    if isinstance(boards, int):
        boards = Boards.sampled(boards, seed)
    cards = boards.cards
    samples = np.zeros((len(cards), 2))
    seatings = [Seating((one, two))]
    seatings.append(seatings[0] if one is two else Seating((two, one)))
    scratch: deque[_Scratch] = deque(_Scratch(seatings) for _ in range(max(threads, 1)))

    def work(start: int, stop: int) -> None:
        memory = scratch.pop()
        for number in range(start, stop):
            hands = RankedBoard(cards[number])
            first = seatings[0].value(hands, memory)
            samples[number] = first, -(first if one is two else seatings[1].value(hands, memory))
        scratch.append(memory)

    run_slices(work, len(cards), SLICE, threads, "values of boards", progress)
    return ExpectedValue(samples, boards.weights, one.tree.game.big_blind)


class RankedBoard:
    """A full board and the hands that it leaves, weakest first."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self._hands = BoardHands(tuple(cards.tolist()))
        places, groups, counts = self._hands.rank(cards[None])
        self.places = places[0]
        self.groups = np.ascontiguousarray(groups[0, : counts[0]])

    def orders(self, policy: HandPolicy, player: int) -> list[Order]:
        """The hands with their buckets in each round, all in the same order."""
        hands = self._hands.cards[self.places]
        boards = np.broadcast_to(self.cards, (len(hands), 5))
        found = (policy.states(player, r, hands, boards[:, :size]) for r, size in enumerate(STREETS))
        return [self._hands.order(self.places, states) for states in found]


class _Scratch:
    """Memory of one thread."""

    def __init__(self, seatings: list[Seating]) -> None:
        trees = max(len(compiled.first) for seating in seatings for compiled in seating.rounds)
        self.vectors: list[list[Vector]] = [[aligned_zeros(trees * WIDTH, np.float32) for _ in range(2)] for _ in "12"]
        self.work = make_work(0, LANES, WIDTH)


class Seating:
    """Two policies on their seats; values are those of seat 0, whose opponent's rows are compiled."""

    def __init__(self, policies: tuple[HandPolicy, HandPolicy]) -> None:
        self.policies = policies
        self.rounds = compile_rounds(policies[1], 1, (1.0,) * ROUNDS)
        own = list_rows(policies[0].tree, 0)
        self.ends = [
            _own_ends(policies[0], round_, own[round_], compiled) for round_, compiled in enumerate(self.rounds)
        ]
        counts = [policy.strategy.layout.counts[:, seat].tolist() for seat, policy in enumerate(policies)]
        self.states: list[list[int]] = counts

    def value(self, board: RankedBoard, scratch: _Scratch) -> float:
        """Chips per hand of seat 0 on a board."""
        from kibitz.responses.real import _kernels

        own_orders, orders = (board.orders(policy, seat) for seat, policy in enumerate(self.policies))
        (own, own_next), (entering, following) = scratch.vectors
        own[:WIDTH] = entering[:WIDTH] = 1.0
        total = 0.0
        for r, compiled in enumerate(self.rounds):
            folds, calls = self.ends[r]
            shared = (folds.reshape(-1), calls.reshape(-1), orders[r], own_orders[r], board.groups, r == ROUNDS - 1)
            states = (self.states[1][r], self.states[0][r], WIDTH)
            total += _kernels.settle(compiled.arrays, *shared, *states, entering, own, scratch.work)
            if r < ROUNDS - 1:
                size = len(self.rounds[r + 1].first) * WIDTH
                own_form = (calls.reshape(-1), *compiled.arrays[1:])
                _kernels.pass_on(compiled.arrays, orders[r], states[0], WIDTH, entering, following[:size])
                _kernels.pass_on(own_form, own_orders[r], states[1], WIDTH, own, own_next[:size])
                own, own_next, entering, following = own_next, own, following, entering
        return total / PAIRS


def _own_ends(policy: HandPolicy, round_: int, rows: RoundRows, compiled: RoundGame) -> tuple[Table, Table]:
    """How likely seat 0's own choices lead to the fold and to the end of each lane: float32[chunks, states, LANES]."""
    states = int(policy.strategy.layout.counts[round_, 0])
    probabilities = row_probabilities(rows, policy.strategy, states)
    lanes = int(compiled.units[-1, 1])
    tables = []
    for mine, theirs in ((rows.fold, compiled.rows.fold), (rows.end, compiled.rows.end)):
        row_of = {node: row for row, node in enumerate(mine.tolist()) if node >= 0}
        there = np.flatnonzero(theirs >= 0)
        found = probabilities[[row_of[node] for node in theirs[there].tolist()]]
        tables.append(in_lanes(found, compiled.lane[there], lanes))
    return tables[0], tables[1]

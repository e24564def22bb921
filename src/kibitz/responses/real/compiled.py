"""What a player does, laid out for the kernels: rows in lanes, probabilities of every card state, chips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.amounts import available_bytes, format_bytes
from kibitz.errors import KibitzError
from kibitz.policy.hands import HandPolicy
from kibitz.solvers.rows import ROUNDS, Ints, RoundRows, chips_at, list_rows, row_probabilities
from kibitz.tree import Tree

LANES = 16  # as in `_kernels`, which is not imported before it is needed
MOST_ROWS = 128  # of a unit: its vectors should stay near the processor
Table = npt.NDArray[np.float32]
NEVER = -np.inf


@dataclass(frozen=True, eq=False)
class RoundGame:
    """The rows of one round in lanes. *Units* are some trees that are walked together, filled up to whole LANES.

    rows    : the rows themselves
    lane    : int64[rows]               where each row stands
    table   : float32[chunks, states, LANES]  how likely the player's choices lead to the row; 0 in empty lanes
    tree    : int64[lanes]              which tree a lane is of
    chips   : float32[4, lanes]         fold: scale and shift; showdown: scale and shift; a shift of minus infinity
                                        where there is no such end, so that the larger of both is always right
    answers : int64[a, 3]               as in the rows, in lanes
    ends    : int64[lanes]              tree of the next round that follows a call, -1 where none does
    first   : int64[trees]              lane at which a tree begins
    units   : int64[u, 6]               lanes, trees and answers: from, to
    """

    rows: RoundRows
    lane: Ints
    table: Table
    tree: Ints
    chips: Table
    answers: Ints
    ends: Ints
    first: Ints
    units: Ints

    @property
    def arrays(self) -> tuple[npt.NDArray[np.generic], ...]:
        """What the kernels take."""
        return (self.table.reshape(-1), self.tree, self.chips, self.answers, self.ends, self.first, self.units)


def player_forms(policy: HandPolicy, player: int, chances: tuple[float, ...]) -> tuple[RoundGame, ...]:
    """The rounds as one who responds to `player` sees them; chances[r] is multiplied into the chips of round r."""
    strategy, tree = policy.strategy, policy.tree
    rounds = list_rows(tree, player)
    _check_memory(sum(len(rows) * int(strategy.layout.counts[r, player]) for r, rows in enumerate(rounds)))
    forms = []
    for round_, rows in enumerate(rounds):
        lane, units = _pack(rows, round_ == ROUNDS - 1)
        states = int(strategy.layout.counts[round_, player])
        table = in_lanes(row_probabilities(rows, strategy, states), lane, int(units[-1, 1]))
        forms.append(_lay_out(tree, 1 - player, round_, rows, lane, units, table, chances[round_]))
    return tuple(forms)


def in_lanes(probabilities: Table, lane: Ints, lanes: int) -> Table:
    """float32[rows, states] as float32[chunks, states, LANES], rows at their lanes and 0 elsewhere."""
    table = np.zeros((lanes // LANES, probabilities.shape[1], LANES), dtype=np.float32)
    for at, row in zip(lane.tolist(), probabilities, strict=True):
        table[at // LANES, :, at % LANES] = row
    return table


def _pack(rows: RoundRows, many: bool) -> tuple[Ints, Ints]:
    """Lanes of the rows, and the units: trees in order, cut where the fewest lanes stay empty."""
    ends = [*rows.first.tolist()[1:], len(rows)]
    trees = len(ends)
    lane = np.empty(len(rows), dtype=np.int64)
    units = []
    begin = start = lanes = answered = 0
    while begin < trees:
        cuts = [cut for cut in range(begin, trees) if ends[cut] - start <= MOST_ROWS] if many else [trees - 1]
        best = min(cuts or [begin], key=lambda cut: (_filled(ends[cut] - start) / (ends[cut] - start), cut))
        stop = ends[best]
        lane[start:stop] = np.arange(lanes, lanes + stop - start)
        to = lanes + _filled(stop - start)
        answers = int(np.searchsorted(rows.answers[:, 1], stop))
        units.append([lanes, to, begin, best + 1, answered, answers])
        begin, start, lanes, answered = best + 1, stop, to, answers
    return lane, np.array(units, dtype=np.int64)


def _check_memory(entries: int) -> None:
    """Refuse tables that do not fit, twice while they are laid out."""
    wanted, available = 8 * entries, available_bytes()
    if wanted > available:
        raise KibitzError(
            f"the strategy's rows and buckets need {format_bytes(wanted)}, there are {format_bytes(available)}: "
            "measure one with fewer buckets or bets"
        )


def _filled(rows: int) -> int:
    return -(-rows // LANES) * LANES


def _lay_out(
    tree: Tree, responder: int, round_: int, rows: RoundRows, lane: Ints, units: Ints, table: Table, chance: float
) -> RoundGame:
    lanes = int(units[-1, 1])
    tree_of = np.zeros(lanes, dtype=np.int64)
    tree_of[lane] = rows.tree
    ends = np.full(lanes, -1, dtype=np.int64)
    chips = np.zeros((4, lanes), dtype=np.float32)
    chips[1, lane] = chips[3, lane] = NEVER
    for row in np.flatnonzero(rows.fold >= 0).tolist():
        chips[:2, lane[row]] = chance * chips_at(tree, int(rows.fold[row]), responder), 0.0
    closing = np.flatnonzero(rows.end >= 0)
    if round_ < ROUNDS - 1:
        ends[lane[closing]] = np.arange(len(closing))
    else:
        for row in closing.tolist():
            chips[2:, lane[row]] = chance * chips_at(tree, int(rows.end[row]), responder), 0.0
    answers = rows.answers.copy()
    answers[:, :2] = lane[answers[:, :2]]
    return RoundGame(rows, lane, table, tree_of, chips, answers, ends, lane[rows.first], units)

"""Leaves by products of matrices, within the passes of `vector._kernels`; `DenseLeaves` explains the tables.

leaves = (batches, first, pieces, slots, leaves, matrices); work = (rows, products), scratch of one thread
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.parallel.team._kernels import meet, take
from kibitz.solvers.vector import BOTH, REGRETS
from kibitz.solvers.vector._kernels import _down, _up, go_round, rule_of
from kibitz.tree.columns import KIND, PLAYER, SHOWDOWN


@njit
def _gather(reach, slots, first, rows):
    """Copy the reach vectors that begin at slots[first:] into the rows of a matrix."""
    for i in range(rows.shape[0]):
        at = slots[first + i]
        if at < 0:
            return
        for s in range(rows.shape[1]):
            rows[i, s] = reach[at + s]


@njit
def _scatter(p, ends, first, end, nodes, stake, products, values):
    """Write the products, times what player p wins there, to the values of the leaves first .. end."""
    for leaf in range(first, end):
        row, at, node = ends[leaf, 0], ends[leaf, 1], ends[leaf, 2]
        winner = 0 if nodes[node, KIND] == SHOWDOWN else nodes[node, PLAYER]
        scale = stake[node] if winner == p else -stake[node]
        if row < 0 or at < 0:
            return
        for s in range(products.shape[1]):
            values[at + s] = scale * products[row, s]


@njit
def _fill(b, p, game, reach, values, leaves, work):
    """Values of player p at the leaves of a batch: stake * matrix applied to the opponent's reach."""
    nodes, stake, rounds = game[0], game[1], game[4]
    batches, _first, pieces, slots, ends, matrices = leaves
    r = batches[b, 0]
    wide, width = rounds[r, 1 - p], rounds[r, p]
    for kind in range(2):
        first, count = pieces[b, p, kind, 0], pieces[b, p, kind, 1] - pieces[b, p, kind, 0]
        if count == 0:
            continue
        rows = work[0][: count * wide].reshape(count, wide)
        products = work[1][: count * width].reshape(count, width)
        _gather(reach, slots, first, rows)
        matrix = matrices[2 * r + kind]
        if p == 1:
            np.dot(rows, matrix, products)
        else:
            np.dot(rows, matrix.T, products)
        _scatter(p, ends, pieces[b, p, kind, 2], pieces[b, p, kind, 3], nodes, stake, products, values)


@njit
def _up_batches(team, r, who, players, game, sigma, reach, values, sums, rule, leaves, work):
    """Leaves and `_up` over the batches of round r, after `_down` where that is the last; False where all must stop."""
    batches, first = leaves[0], leaves[1]
    is_last = r == len(first) - 2
    while True:
        task = take(team[0], first[r + 1] - first[r])
        if task < 0:
            return meet(team[0], team[2])
        b = first[r] + task
        begin, end = batches[b, 1], batches[b, 2]
        if is_last:  # at once, while the numbers of a subtree are at hand
            _down(begin, end, who, who, game, sigma, reach, values, sums)
        for p in range(2):
            if players >> p & 1:
                _fill(b, p, game, reach, values, leaves, work)
                _up(begin, end, p, np.int64(REGRETS), game, sigma, reach, values, sums, rule)


@njit(cache=True, nogil=True)
def iterate(team, first, count, alternating, discounts, game, sigma, reach, values, sums, leaves, work):
    """The iterations of `vector._kernels.run` where leaves are products of matrices."""
    last, nobody, job = len(game[8]) - 2, np.int64(0), np.int64(REGRETS)
    who = np.int64(BOTH)  # no literals: numba would compile the functions once for each
    passes = 2 if alternating else 1
    for step in range(passes * count):
        players = np.int64(1 << step % 2 if alternating else BOTH)
        rule = rule_of(first + step // passes, discounts)
        for r in range(last):
            if not go_round(team, r, who, who, nobody, job, game, sigma, reach, values, sums, rule):
                return
        for r in range(last, -1, -1):
            if not _up_batches(team, r, who, players, game, sigma, reach, values, sums, rule, leaves, work):
                return
        who = players


@njit(cache=True, nogil=True)
def fill(team, p, game, reach, values, leaves, work):
    """Values of player p at all leaves."""
    while True:
        b = take(team[0], len(leaves[0]))
        if b < 0:
            return
        _fill(b, p, game, reach, values, leaves, work)

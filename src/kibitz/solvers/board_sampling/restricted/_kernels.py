"""Walks of `board_sampling` against a player who is held to a model; its `_kernels` explain the other arrays.

The opponent of the responder chooses by one card abstraction and is held to a model by another. So hands of one bucket
need not play alike, and it stands in `local` as if every hand were a bucket of its own: `shares` and `gains` of its
nodes have an entry per hand. Its own choice is matched, and learns, by bucket.

model = (begins, held):
    begins : int64[n]           where the entries of a node begin in `held`
    held   : float64[size]      P_conf * model; entry (state of the model, action) of a node is
                                begins[node] + state * actions + action
own   = (chosen, free, left, sums), scratch of one thread:
    chosen : int32[rounds, hands]            the number of the bucket by which each hand of the opponent chooses
    free   : float64[depths, actions, hands] its choice at the node of that depth, by number of bucket
    left   : float64[depths, hands]          how far each hand has the choice there, 1 - P_conf
    sums   : float64[actions + 1, hands]     values of a node's actions, times `left`, summed over the hands of buckets
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.solvers.board_sampling._kernels import _learn, _learn_buckets, _match, _number, walker
from kibitz.solvers.compiled.boards import DEPTH, HANDS
from kibitz.tree.columns import CHILDREN, OFFSET, PLAYER, ROUND


@njit
def _mix(begin, actions, states, numbers, held, free, left, shares):
    """What the opponent plays with every hand: shares = P_conf * model + (1 - P_conf) * its choice."""
    left[:] = 1.0
    for a in range(actions):
        row = shares[a]
        for h in range(HANDS):
            row[h] = held[begin + states[h] * actions + a]
            left[h] -= row[h]
    for h in range(HANDS):
        left[h] = max(left[h], 0.0)  # rounding
    for a in range(actions):
        row, choice = shares[a], free[a]
        for h in range(HANDS):
            row[h] += left[h] * choice[numbers[h]]


@njit
def _sum_up(one, two, left, numbers, to_one, to_two):
    """Sums by bucket of what hands have, as far as they have the choice; two at once, which do not wait for each other.

    Neighbours are of like strength and often of one bucket: a sum is read again as soon as it is written.
    """
    for h in range(HANDS):
        k = numbers[h]
        to_one[k] += left[h] * one[h]
        to_two[k] += left[h] * two[h]


@njit
def _learn_held(node, nodes, weight, regret, average, work, own):
    """`_learn` of the opponent's choice, whose value is not that of the node: the model has no part in it."""
    found, counts, reach, gains, masses, rows, live = work[2], work[3], work[4], work[7], work[8], work[9], work[10]
    chosen, free, left, sums = own
    p, r, actions, depth = nodes[node, PLAYER], nodes[node, ROUND], nodes[node, CHILDREN], nodes[node, DEPTH]
    count = counts[r, p]
    masses[:count] = 0.0
    sums[: actions + 1, :count] = 0.0
    for a in range(actions % 2, actions, 2):
        _sum_up(gains[depth, a], gains[depth, a + 1], left[depth], chosen[r], sums[a], sums[a + 1])
    mine = reach[rows[depth, p], p]
    if actions % 2:
        _sum_up(gains[depth, 0], mine, left[depth], chosen[r], sums[0], masses)
    else:
        _sum_up(mine, mine, left[depth], chosen[r], masses, sums[actions])
    if not live[depth, p]:
        masses[:count] = 0.0
    begin, totals = nodes[node, OFFSET], (free[depth], sums, masses, regret, average)
    _learn_buckets(begin, actions, count, found[r, p], weight, *totals)


@njit
def _enter(node, nodes, work, given):
    """The strategy at a node, for every bucket of the responder or every hand of the opponent; clear the gains."""
    responder, states, model, sums, own = given
    found, counts, shares, gains = work[2], work[3], work[6], work[7]
    p, r, actions, depth = nodes[node, PLAYER], nodes[node, ROUND], nodes[node, CHILDREN], nodes[node, DEPTH]
    known = (counts[r, p], found[r, p], sums[0])
    if p == responder:
        _match(nodes[node, OFFSET], actions, *known, shares[depth], gains[depth])
        return
    chosen, free, left, _sums = own
    _match(nodes[node, OFFSET], actions, *known, free[depth], gains[depth])
    gains[depth, :actions] = 0.0
    _mix(model[0][node], actions, states[r, 2], chosen[r], model[1], free[depth], left[depth], shares[depth])


@njit
def _leave(node, nodes, weight, work, given):
    responder, _states, _model, sums, own = given
    if nodes[node, PLAYER] == responder:
        _learn(node, nodes, weight, sums[0], sums[1], work)
    else:
        _learn_held(node, nodes, weight, sums[0], sums[1], work, own)


_walk = walker(_enter, _leave)


@njit(cache=True, nogil=True)
def iterate(first, linear, responder, tree, ranked, model, regret, average, work, own):
    """Iterations first, first + 1, ..., one on each of the boards `ranked`, whose third states are the model's."""
    cards, ends, groups, states = ranked
    numbers, local, found, counts = work[0], work[1], work[2], work[3]
    path, told = np.zeros(len(work[9]), np.int64), np.empty((0, 3))
    for m in range(len(cards)):
        for r in range(len(counts)):
            for p in range(2):
                to = local[r, p] if p == responder else own[0][r]
                counts[r, p] = _number(states[m, r, p], numbers, to, found[r, p])
        weight = float(first + m + 1) if linear else 1.0
        given = (responder, states[m], model, (regret, average), own)
        _walk(weight, tree, cards[m], ends[m, : groups[m]], path, work, told, given)

"""Iterations of CFR against an opponent who is held to a model; `vector._kernels` explains the other arrays.

held = (responder, fixed, share, free, constant, ties, classes)

responder : int64             the player who is not held to anything
fixed     : float64[size]     what the other must play at least: P_conf * model; float64[0] where nothing is forced here
share     : float64[size]     what is left to choose, 1 - P_conf, the same for every action of an information set
free      : float64[size]     how that is chosen: regret matching; sigma = fixed + share * free
constant  : float64[values]   what the responder wins besides at each leaf, from an opponent who never chooses; or [0]
ties      : uint32[m]         per private state the class within which the free choice is one and the same, laid out
                              like `maps`; or uint32[0]
classes   : int64[rounds]     classes of each round

With a model in every information set the regrets of the free choice compare with its own value, which is not the value
of the node. So that one is made first, regrets are added, and then the other takes its place.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.parallel.team._kernels import meet, take
from kibitz.solvers._kernels import match_rows
from kibitz.solvers.vector import BOTH, PLACE, SLOT, UP
from kibitz.solvers.vector._kernels import (
    _add_children,
    _descend,
    _fill_leaves,
    _fold_up,
    _learn,
    rule_of,
    take_units,
)
from kibitz.solvers.vector.dense._kernels import _fill
from kibitz.tree.columns import CHILDREN, DECISION, FIRST, KIND, OFFSET, PLAYER, ROUND


@njit(borrows=True)
def _hold(begin, end, fixed, share, free, sigma):
    """sigma = fixed + share * free over the entries of a node."""
    if begin < 0:
        return
    for at in range(begin, end):
        sigma[at] = fixed[at] + share[at] * free[at]


@njit(borrows=False)
def _learn_tied(nodes, node, p, states, at_ties, classes, held, reach, values, sums, rule):
    """`_learn` of a choice that is the same in all states of a class: their regrets, weighted by share, add up."""
    regret, prediction, average = sums
    share, free, ties = held[2], held[3], held[5]
    positive, negative, weight, least = rule
    place, slot = nodes[node, PLACE + p], nodes[node, SLOT + p]
    total = np.zeros(classes)
    for a in range(nodes[node, CHILDREN]):
        up, at = nodes[nodes[node, FIRST] + a, UP + p], nodes[node, OFFSET] + a * states
        total[:] = 0.0
        for s in range(states):
            total[ties[at_ties + s]] += share[at + s] * (values[up + s] - values[place + s])
        for s in range(states):
            gain = total[ties[at_ties + s]]
            if len(prediction) > 0:
                prediction[at + s] = gain
            old = regret[at + s]
            new = old * (positive if old > 0.0 else negative) + gain
            regret[at + s] = max(new, least)
            average[at + s] += weight * reach[slot + s] * free[at + s]


@njit(borrows=True)
def _down(begin, end, who, game, sigma, reach, values, sums, held):
    """Over a stretch of nodes, match the regrets of the players in the mask `who`, and pass on their reach."""
    nodes, order, rounds, maps = game[0], game[2], game[4], game[6]
    responder, fixed, share, free = held[:4]
    for step in range(begin, end):
        node = order[step]
        if nodes[node, KIND] == DECISION:
            p, at = nodes[node, PLAYER], nodes[node, OFFSET]
            if who >> p & 1:
                states, actions = rounds[nodes[node, ROUND], p], nodes[node, CHILDREN]
                if p != responder and len(fixed) > 0:
                    match_rows(at, at, actions, states, sums[0], sums[1], free)
                    _hold(at, at + actions * states, fixed, share, free, sigma)
                else:
                    match_rows(at, at, actions, states, sums[0], sums[1], sigma)
            _descend(nodes, node, rounds, maps, sigma, reach, who)


@njit(borrows=True)
def _up(begin, end, p, game, sigma, reach, values, sums, rule, held):
    """Values and regrets of player p over a stretch of nodes, last first."""
    nodes, _stake, order, _units, rounds, _blocks, maps, entries, _levels = game
    responder, fixed, _share, free, constant, ties, classes = held
    is_held = p != responder and len(fixed) > 0
    if len(entries) > 0:  # else the leaves are there already, see `dense`
        _fill_leaves(begin, end, p, game, reach, values)
    for step in range(end - 1, begin - 1, -1):
        node = order[step]
        r = nodes[node, ROUND]
        states, place = rounds[r, p], nodes[node, PLACE + p]
        if nodes[node, KIND] == DECISION:
            own = nodes[node, PLAYER] == p
            if own and not is_held:
                _learn(nodes, node, p, states, sigma, reach, values, sums, rule)
            else:
                if own and len(ties) > 0:
                    _add_children(nodes, node, p, states, own, free, values)
                    _learn_tied(nodes, node, p, states, rounds[r, 2 + p], classes[r], held, reach, values, sums, rule)
                elif own:
                    _learn(nodes, node, p, states, free, reach, values, sums, rule)
                _add_children(nodes, node, p, states, own, sigma, values)
            if nodes[node, UP + p] != place:
                _fold_up(node, p, r - 1, nodes, rounds, maps, values)
            continue
        if p == responder and len(constant) > 0 and place >= 0:
            for s in range(states):
                values[place + s] += constant[place + s]


@njit(borrows=True)
def _down_round(team, r, who, game, sigma, reach, values, sums, held):
    """`_down` over all subtrees of round r, shared among the team; False where that must stop."""
    while True:
        begin, end = take_units(team, r, game[3], game[8])
        if begin < 0:
            return meet(team[0], team[2])
        _down(begin, end, who, game, sigma, reach, values, sums, held)


@njit(borrows=True)
def _up_units(team, r, who, p, game, sigma, reach, values, sums, rule, held):
    """`_up` over all subtrees of round r, shared likewise, after `_down` where that is the last round."""
    is_last = r == len(game[8]) - 2
    while True:
        begin, end = take_units(team, r, game[3], game[8])
        if begin < 0:
            return meet(team[0], team[2])
        if is_last:  # at once, while the numbers of a subtree are at hand
            _down(begin, end, who, game, sigma, reach, values, sums, held)
        _up(begin, end, p, game, sigma, reach, values, sums, rule, held)


@njit
def _up_batches(team, r, who, p, game, sigma, reach, values, sums, rule, held, leaves, work):
    """The same in a dense game, whose leaves are products of matrices."""
    batches, first = leaves[0], leaves[1]
    is_last = r == len(first) - 2
    while True:
        task = take(team[0], first[r + 1] - first[r])
        if task < 0:
            return meet(team[0], team[2])
        b = first[r] + task
        if is_last:
            _down(batches[b, 1], batches[b, 2], who, game, sigma, reach, values, sums, held)
        _fill(b, p, game, reach, values, leaves, work)
        _up(batches[b, 1], batches[b, 2], p, game, sigma, reach, values, sums, rule, held)


@njit(cache=True, nogil=True)
def iterate(team, first, count, discounts, game, sigma, reach, values, sums, held):
    """Iterations first .. first + count of CFR with alternating updates, in place."""
    last = len(game[8]) - 2
    who = np.int64(BOTH)  # no literals: numba would compile the functions once for each
    for step in range(2 * count):
        p = np.int64(step % 2)
        rule = rule_of(first + step // 2, discounts)
        for r in range(last):
            if not _down_round(team, r, who, game, sigma, reach, values, sums, held):
                return
        for r in range(last, -1, -1):
            if not _up_units(team, r, who, p, game, sigma, reach, values, sums, rule, held):
                return
        who = np.int64(1 << p)


@njit(cache=True, nogil=True)
def iterate_dense(team, first, count, discounts, game, sigma, reach, values, sums, held, leaves, work):
    """`iterate` where leaves are products of matrices."""
    last = len(game[8]) - 2
    who = np.int64(BOTH)
    for step in range(2 * count):
        p = np.int64(step % 2)
        rule = rule_of(first + step // 2, discounts)
        for r in range(last):
            if not _down_round(team, r, who, game, sigma, reach, values, sums, held):
                return
        for r in range(last, -1, -1):
            if not _up_batches(team, r, who, p, game, sigma, reach, values, sums, rule, held, leaves, work):
                return
        who = np.int64(1 << p)


@njit(borrows=True, cache=True)
def best_held(p, game, values, fixed, share):
    """What player p, held to fixed + share * (any choice), wins at best; its values must stand at the leaves.

    Without `fixed` it is not held to anything, without `share` it has no choice. Overwrites values at decision nodes.
    """
    nodes, order, rounds, maps = game[0], game[2], game[4], game[6]
    for step in range(len(order) - 1, -1, -1):
        node = order[step]
        if nodes[node, KIND] != DECISION:
            continue
        r = nodes[node, ROUND]
        states, place = rounds[r, p], nodes[node, PLACE + p]
        own = nodes[node, PLAYER] == p
        for s in range(states):
            best, total = -np.inf, 0.0
            for a in range(nodes[node, CHILDREN]):
                value = values[nodes[nodes[node, FIRST] + a, UP + p] + s]
                if not own:
                    total += value
                elif len(fixed) > 0:
                    total += value * fixed[nodes[node, OFFSET] + a * states + s]
                best = max(best, value)
            if own and len(fixed) == 0:
                total = best
            elif own and len(share) > 0:
                total += share[nodes[node, OFFSET] + s] * best
            values[place + s] = total
        if nodes[node, UP + p] != place:
            _fold_up(node, p, r - 1, nodes, rounds, maps, values)
    total = 0.0
    for s in range(rounds[0, p]):
        total += values[nodes[0, PLACE + p] + s]
    return total

"""Passes over a betting tree with vectors of private states: counterfactual regrets, best responses, values.

A player's *reach* at a node is float64[states], the product of that player's own action probabilities; it changes only
where that player acts or a card falls, so nodes share slots of it. *Values* are counterfactual: weighted by chance and
by the opponent's reach. Few arrays with many columns, because every array that a kernel hands on costs time:

nodes   : int64[n, 13]    see `kibitz.tree.columns`; then the columns SLOT .. UP, each + player
stake   : float64[n]      chips that change hands at a terminal node
order   : int64[n]        parents first: subtree by subtree, those of the first round, of the second, and so on
units   : int64[u + 1]    subtree u of a round is order[units[u]:units[u + 1]]
levels  : int64[r + 1]    the subtrees of round r are units levels[r] .. levels[r + 1]
rounds  : int64[r, 8]     states of player 0 and 1, where their maps begin, first block and end of blocks, where the
                          entries of player 0 and 1 begin
blocks  : int64[b, 2]     states of player 0 and 1, which those of the next block follow
maps    : uint32[2, m]    a state's parent in the round before
entries : float64[2 * e]  weights, then signs; per round, player and block [opposing state, own states filled up with
                          zeros to whole LANES], so that both players read along their own states
sigma, regret, average : float64[size]    entry (action, state) of a node is OFFSET + action * states + state
prediction : float64[size], or float64[0] where nothing is predicted
reach, values : float64[...]   at SLOT and PLACE, + player; UP is where the parent reads a node's values

Positions are never negative, and the kernels say so: see `kibitz.solvers._kernels`.
"""

import numpy as np
from numba import float64

from kibitz.compiling import njit
from kibitz.lanes._kernels import (
    better,
    loader,
    part_loader,
    spreader,
    store,
    store_part,
    where_positive,
    zeros,
)
from kibitz.parallel.team._kernels import meet, take
from kibitz.solvers._kernels import WHOLE, match_rows
from kibitz.solvers.vector import BEST, BLOCKS, BOTH, ENTRIES, LANES, PLACE, REGRETS, SLOT, UP, rule_at
from kibitz.tree.columns import CHILDREN, DECISION, FIRST, KIND, OFFSET, PLAYER, ROUND, SHOWDOWN

_load, _load_part, _spread, _zero = loader(LANES), part_loader(LANES), spreader(LANES), zeros(float64, LANES)
rule_of = njit(rule_at)


@njit(borrows=True, forceinline=True)
def _product(entries, row, step, reach, at, height):
    """A vector of LANES sums: the opponent's reach times entries that stand `step` apart."""
    total = _zero()
    for j in range(height):
        total = total + _load(entries, row + j * step) * _spread(reach[at + j])
    return total


@njit(borrows=True, forceinline=True)
def _terminal(p, r, scale, showdown, rounds, blocks, entries, reach, slot, values, place):
    """values = scale * matrix @ reach of the other player, block by block, in vectors of LANES.

    The last vector of a block may reach into the next block's values, which are written after it, or past the end,
    where every place has room.
    """
    factor, o = _spread(scale), 1 - p
    row = rounds[r, ENTRIES + p] + (len(entries) // 2 if showdown else 0)
    first, end = rounds[r, BLOCKS], rounds[r, BLOCKS + 1]
    if p < 0 or o < 0 or first < 0:
        return
    for b in range(first, end):
        width, height = blocks[b, p], blocks[b, o]
        if row < 0 or slot < 0 or place < 0:
            return
        if width <= LANES:  # as below, with steps that the compiler knows
            store(values, place, factor * _product(entries, row, LANES, reach, slot, height))
            row += height * LANES
        else:
            step = (width + LANES - 1) // LANES * LANES
            for s in range(0, width, LANES):
                store(values, place + s, factor * _product(entries, row + s, step, reach, slot, height))
            row += height * step
        place += width
        slot += height


@njit(borrows=True, forceinline=True)
def _pass_on(slot, to, at, states, reach, sigma):
    """The reach of a player who takes an action: reach[to:] = reach[slot:] * sigma[at:]."""
    rest = states % LANES
    for s in range(0, states - rest, LANES):
        store(reach, to + s, _load(reach, slot + s) * _load(sigma, at + s))
    if rest > 0:
        s = states - rest
        store_part(reach, to + s, _load_part(reach, slot + s, rest) * _load_part(sigma, at + s, rest), rest)


@njit(borrows=True)
def _descend(nodes, node, rounds, maps, sigma, reach, changed):
    """Give the children of a decision node the reach of the players in the mask `changed`."""
    p, r = nodes[node, PLAYER], nodes[node, ROUND]
    o = 1 - p
    states = rounds[r, p]
    mine, other = nodes[node, SLOT + p], nodes[node, SLOT + o]
    if states < 0 or mine < 0 or other < 0:
        return
    for a in range(nodes[node, CHILDREN]):
        child = nodes[node, FIRST] + a
        begin = nodes[node, OFFSET] + a * states
        to = nodes[child, SLOT + p]
        q = nodes[child, ROUND]
        if begin < 0 or to < 0:
            return
        if q == r:
            if changed >> p & 1:
                _pass_on(mine, to, begin, states, reach, sigma)
            continue
        if changed >> p & 1:
            at = rounds[q, 2 + p]
            for s in range(rounds[q, p]):
                before = maps[p, at + s]
                reach[to + s] = reach[mine + before] * sigma[begin + before]
        if changed >> o & 1:
            to, at = nodes[child, SLOT + o], rounds[q, 2 + o]
            for s in range(rounds[q, o]):
                reach[to + s] = reach[other + maps[o, at + s]]


@njit(borrows=True, forceinline=True)
def _total_part(nodes, first, end, at, states, s, left, p, own, sigma, values):
    """The sum of what children are worth to player p in `left` states from s on, weighted by sigma at an own node."""
    total = _load_part(values, nodes[first, UP + p] + s, left)
    if own:
        total = _load_part(sigma, at + s, left) * total
    for child in range(first + 1, end):
        value = _load_part(values, nodes[child, UP + p] + s, left)
        if own:
            value = _load_part(sigma, at + (child - first) * states + s, left) * value
        total = total + value
    return total


@njit(borrows=True)
def _add_children(nodes, node, p, states, own, sigma, values):
    """Player p's values at a decision node: the children's, weighted by sigma at an own node."""
    place, first, at = nodes[node, PLACE + p], nodes[node, FIRST], nodes[node, OFFSET]
    end, rest = first + nodes[node, CHILDREN], states % LANES
    if first < 0 or p < 0:
        return
    for s in range(0, states - rest, LANES):
        store(values, place + s, _total_part(nodes, first, end, at, states, s, WHOLE, p, own, sigma, values))
    if rest > 0:
        s = states - rest
        total = _total_part(nodes, first, end, at, states, s, rest, p, own, sigma, values)
        store_part(values, place + s, total, rest)


@njit(borrows=True)
def _take_best(nodes, node, p, states, values, response):
    """Player p's values at an own decision node: the best child's, marked in `response` if that has room."""
    place, first, begin = nodes[node, PLACE + p], nodes[node, FIRST], nodes[node, OFFSET]
    for a in range(nodes[node, CHILDREN]):
        up, at = nodes[first + a, UP + p], begin + a * states
        if place < 0 or up < 0 or at < 0:
            return
        if len(response) == 0:
            for s in range(states):
                before = values[place + s] if a > 0 else values[up + s]
                values[place + s] = max(before, values[up + s])
        else:
            for s in range(states):
                better = a == 0 or values[up + s] > values[place + s]
                if better:
                    values[place + s] = values[up + s]
                response[at + s] = a if better else -1.0
    if len(response) > 0:
        _keep_last(begin, nodes[node, CHILDREN], states, response)


@njit(borrows=True)
def _keep_last(begin, actions, states, response):
    """Turn marks of improvement into the choice: of the actions that improved on all before, the last is the best."""
    for s in range(states):
        found = False
        for a in range(actions - 1, -1, -1):
            at = begin + a * states + s
            chosen = not found and response[at] >= 0.0
            response[at] = 1.0 if chosen else 0.0
            found = found or chosen


@njit(borrows=True, forceinline=True)
def _learn_part(nodes, node, p, states, s, left, sigma, reach, values, sums, rule):
    """`_learn` in `left` states from s on, no more than LANES."""
    regret, prediction, average = sums
    positive, negative, weight, least = rule
    place, slot, first, at = nodes[node, PLACE + p], nodes[node, SLOT + p], nodes[node, FIRST], nodes[node, OFFSET]
    end = first + nodes[node, CHILDREN]
    total = _total_part(nodes, first, end, at, states, s, left, p, True, sigma, values)
    store_part(values, place + s, total, left)
    counted = _spread(weight) * _load_part(reach, slot + s, left)
    for child in range(first, end):
        row = at + (child - first) * states + s
        gain = _load_part(values, nodes[child, UP + p] + s, left) - total
        if len(prediction) > 0:
            store_part(prediction, row, gain, left)
        before = _load_part(regret, row, left)
        before = before * where_positive(before, _spread(positive), _spread(negative))
        store_part(regret, row, better(before + gain, _spread(least)), left)
        played = counted * _load_part(sigma, row, left)
        store_part(average, row, _load_part(average, row, left) + played, left)


@njit(borrows=True)
def _learn(nodes, node, p, states, sigma, reach, values, sums, rule):
    """Player p's values at an own decision node; its regrets, and its strategy in the average, grow by them.

    rule = (positive, negative, weight, least), see `rule_at`
    """
    rest = states % LANES
    if node < 0 or p < 0:
        return
    for s in range(0, states - rest, LANES):
        _learn_part(nodes, node, p, states, s, WHOLE, sigma, reach, values, sums, rule)
    if rest > 0:
        _learn_part(nodes, node, p, states, states - rest, rest, sigma, reach, values, sums, rule)


@njit(borrows=True)
def _fold_up(node, p, above, nodes, rounds, maps, values):
    """Sum a node's values over the states that refine the same one, where a card fell just before the node."""
    r = nodes[node, ROUND]
    up, place, at = nodes[node, UP + p], nodes[node, PLACE + p], rounds[r, 2 + p]
    if up < 0 or place < 0 or at < 0:
        return
    for s in range(rounds[above, p]):
        values[up + s] = 0.0
    for s in range(rounds[r, p]):
        values[up + maps[p, at + s]] += values[place + s]


@njit(borrows=True)
def _down(begin, end, who, changed, game, sigma, reach, values, sums):
    """Over a stretch of nodes, match the regrets of the players in the mask `who` and pass on the reach of those in
    `changed`; the others' reach still stands from the pass before.
    """
    nodes, order, rounds, maps = game[0], game[2], game[4], game[6]
    for step in range(begin, end):
        node = order[step]
        if nodes[node, KIND] == DECISION:
            p, at = nodes[node, PLAYER], nodes[node, OFFSET]
            if who >> p & 1:
                states, actions = rounds[nodes[node, ROUND], p], nodes[node, CHILDREN]
                match_rows(at, at, actions, states, sums[0], sums[1], sigma)
            _descend(nodes, node, rounds, maps, sigma, reach, changed)


@njit(borrows=True)
def _fill_leaves(begin, end, p, game, reach, values):
    """Values of player p at the terminal nodes of a stretch."""
    nodes, stake, order, _units, rounds, blocks, _maps, entries, _levels = game
    for step in range(begin, end):
        node = order[step]
        kind = nodes[node, KIND]
        if kind != DECISION:
            winner = 0 if kind == SHOWDOWN else nodes[node, PLAYER]
            scale = stake[node] if winner == p else -stake[node]
            r, slot, place = nodes[node, ROUND], nodes[node, SLOT + 1 - p], nodes[node, PLACE + p]
            _terminal(p, r, scale, kind == SHOWDOWN, rounds, blocks, entries, reach, slot, values, place)


@njit(borrows=True)
def _up(begin, end, p, job, game, sigma, reach, values, sums, rule):
    """Values of player p over a stretch of nodes, last first."""
    nodes, _stake, order, _units, rounds, _blocks, maps, entries, _levels = game
    if len(entries) > 0:  # else the leaves are there already, see `dense`
        _fill_leaves(begin, end, p, game, reach, values)
    for step in range(end - 1, begin - 1, -1):
        node = order[step]
        r = nodes[node, ROUND]
        if nodes[node, KIND] == DECISION:
            states = rounds[r, p]
            own = nodes[node, PLAYER] == p
            if own and job == REGRETS:
                _learn(nodes, node, p, states, sigma, reach, values, sums, rule)
            elif own and job == BEST:
                _take_best(nodes, node, p, states, values, sums[2])
            else:
                _add_children(nodes, node, p, states, own, sigma, values)
            if nodes[node, UP + p] != nodes[node, PLACE + p]:
                _fold_up(node, p, r - 1, nodes, rounds, maps, values)


@njit(borrows=True)
def take_units(team, r, units, levels):
    """Nodes begin .. end of `order` in the next subtrees of round r; (-1, -1) where there are no more.

    A team of one takes them all at once.
    """
    control, _me, size = team
    task = take(control, levels[r + 1] - levels[r] if size > 1 else 1)
    if task < 0:
        return -1, -1
    if size == 1:
        return units[levels[r]], units[levels[r + 1]]
    return units[levels[r] + task], units[levels[r] + task + 1]


@njit(borrows=True)
def go_round(team, r, who, changed, players, job, game, sigma, reach, values, sums, rule):
    """Over all subtrees of round r, shared among the team: `_down`, then `_up` for the players in a mask at once, while
    the numbers of a subtree are at hand; False where that must stop.
    """
    while True:
        begin, end = take_units(team, r, game[3], game[8])
        if begin < 0:
            return meet(team[0], team[2])
        if who | changed:
            _down(begin, end, who, changed, game, sigma, reach, values, sums)
        for p in range(2):
            if players >> p & 1:
                _up(begin, end, p, job, game, sigma, reach, values, sums, rule)


@njit(borrows=True, cache=True, nogil=True)
def run(team, steps, once, game, sigma, reach, values, sums):
    """Iterations of counterfactual regret minimisation, or one pass down the tree and up again.

    team  = (control, member, members), see `kibitz.parallel.team`: every number is computed as by one
    steps = (first, count, alternating, discounts): iterations first .. first + count; with none, the pass is made of
    once  = (who, changed, players, job, rule): see `go_round`; without players it only goes down
    game  = (nodes, stake, order, units, rounds, blocks, maps, entries, levels); sums = (regret, prediction, average),
    where BEST writes the best actions of the players into the last, flat like sigma, unless that is empty

    There is one kernel for all of this, or each would compile what they share.
    """
    first, count, alternating, discounts = steps
    who, changed, players, job, rule = once
    last, passes = len(game[8]) - 2, 2 if alternating else 1
    for step in range(max(passes * count, 1)):
        if count > 0:
            # Whose regrets may have changed since they were last matched: at first anybody's.
            who = changed = BOTH if step == 0 else players
            players = 1 << step % 2 if alternating else BOTH
            rule = rule_of(first + step // passes, discounts)
        for leg in range(2 * last + 1 if players else last + 1):
            r = min(leg, 2 * last - leg)
            matched, passed = (who, changed) if leg <= last else (0, 0)
            if not go_round(
                team, r, matched, passed, players if leg >= last else 0, job, game, sigma, reach, values, sums, rule
            ):
                return


@njit(borrows=True, cache=True)
def iterate_against_best(first, count, discounts, game, sigma, reach, values, sums, response, mixed):
    """Iterations of CFR-BR: each player's regrets against a best response to that player's current strategy.

    response, mixed : float64[size], scratch
    """
    nodes, order, rounds = game[0], game[2], game[4]
    start, n, both, nobody = np.int64(0), len(order), np.int64(BOTH), np.int64(0)
    job, best = np.int64(REGRETS), np.int64(BEST)  # no literals: numba would compile functions once for each
    for t in range(first, first + count):
        rule = rule_of(t, discounts)
        _down(start, n, both, both, game, sigma, reach, values, sums)
        for p in range(2):
            _up(start, n, p, best, game, sigma, reach, values, (response, response[:0], response), rule)
        for p in range(2):
            for node in range(n):
                if nodes[node, KIND] == DECISION:
                    begin = nodes[node, OFFSET]
                    end = begin + nodes[node, CHILDREN] * rounds[nodes[node, ROUND], nodes[node, PLAYER]]
                    source = sigma if nodes[node, PLAYER] == p else response
                    for at in range(begin, end):
                        mixed[at] = source[at]
            _down(start, n, nobody, both, game, mixed, reach, values, sums)
            _up(start, n, p, job, game, mixed, reach, values, sums, rule)

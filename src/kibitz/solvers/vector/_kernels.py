"""Passes over a betting tree with vectors of private states: counterfactual regrets, best responses, values.

A player's *reach* at a node is float64[states], the product of that player's own action probabilities; it changes only
where that player acts or a card falls, so nodes share slots of it. *Values* are counterfactual: weighted by chance and
by the opponent's reach. Few arrays with many columns, because every array that a kernel hands on costs time:

nodes   : int64[n, 13]    see `kibitz.tree.columns`; then the columns SLOT .. UP, each + player
stake   : float64[n]      chips that change hands at a terminal node
order   : int64[n]        parents first: subtree by subtree, those of the first round, of the second, and so on
units   : int64[u + 1]    subtree u of a round is order[units[u]:units[u + 1]]
levels  : int64[r + 1]    the subtrees of round r are units levels[r] .. levels[r + 1]
rounds  : int64[r, 6]     states of player 0 and 1, where their maps begin, first block and end of blocks
blocks  : int64[b, 6]     rows from, to, columns from, to, and where the entries of player 0 and 1 begin
maps    : uint32[2, m]    a state's parent in the round before
entries : float64[2 * e]  weights, then signs; per block and player [opposing state, own states filled up with zeros to
                          whole LANES], so that both players read along their own states
sigma, regret, average : float64[size]    entry (action, state) of a node is OFFSET + action * states + state
prediction : float64[size], or float64[0] where nothing is predicted
reach, values : float64[...]   at SLOT and PLACE, + player; UP is where the parent reads a node's values

Positions are never negative, and the kernels say so: see `kibitz.solvers._kernels`.
"""

import numpy as np
from numba import float64

from kibitz.compiling import njit
from kibitz.lanes._kernels import loader, spreader, store, zeros
from kibitz.parallel.team._kernels import meet, take
from kibitz.solvers._kernels import add_average, add_regrets, match_rows, pass_on
from kibitz.solvers.vector import BEST, BOTH, LANES, PLACE, REGRETS, SLOT, UP, rule_at
from kibitz.tree.columns import CHILDREN, DECISION, FIRST, KIND, OFFSET, PLAYER, ROUND, SHOWDOWN

_load, _spread, _zero = loader(LANES), spreader(LANES), zeros(float64, LANES)
rule_of = njit(rule_at)


@njit
def _terminal(p, scale, first, end, blocks, entries, begin, reach, slot, values, place):
    """values = scale * matrix @ reach of the other player, block by block, in vectors of LANES, entries from `begin`.

    The last vector of a block may reach into the next block's values, which are written after it, or past the end,
    where every place has room.
    """
    for b in range(first, end):
        vectors = (blocks[b, 2 * p + 1] - blocks[b, 2 * p] + LANES - 1) // LANES
        other, height = blocks[b, 2 - 2 * p], blocks[b, 3 - 2 * p] - blocks[b, 2 - 2 * p]
        to, at, row = place + blocks[b, 2 * p], slot + other, begin + blocks[b, 4 + p]
        if at < 0:
            return
        for v in range(vectors):
            total = _zero()
            for j in range(height):
                total = total + _load(entries, row + (j * vectors + v) * LANES) * _spread(reach[at + j])
            store(values, to + v * LANES, _spread(scale) * total)


@njit
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
                pass_on(mine, to, begin, states, reach, sigma)
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


@njit
def _add_children(nodes, node, p, states, own, sigma, values):
    """Player p's values at a decision node: the children's, weighted by sigma at an own node. Two children a loop."""
    place, first, begin = nodes[node, PLACE + p], nodes[node, FIRST], nodes[node, OFFSET]
    actions = nodes[node, CHILDREN]
    for a in range(0, actions, 2):
        b = min(a + 1, actions - 1)
        one, two = nodes[first + a, UP + p], nodes[first + b, UP + p]
        at, then = begin + a * states, begin + b * states
        if place < 0 or one < 0 or two < 0 or at < 0 or then < 0:
            return
        if a == 0 and b == 1 and own:
            for s in range(states):
                values[place + s] = sigma[at + s] * values[one + s] + sigma[then + s] * values[two + s]
        elif a == 0 and b == 1:
            for s in range(states):
                values[place + s] = values[one + s] + values[two + s]
        else:
            for s in range(states):
                total = values[place + s] if a > 0 else 0.0
                total += values[one + s] * (sigma[at + s] if own else 1.0)
                if b > a:
                    total += values[two + s] * (sigma[then + s] if own else 1.0)
                values[place + s] = total


@njit
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


@njit
def _keep_last(begin, actions, states, response):
    """Turn marks of improvement into the choice: of the actions that improved on all before, the last is the best."""
    for s in range(states):
        found = False
        for a in range(actions - 1, -1, -1):
            at = begin + a * states + s
            chosen = not found and response[at] >= 0.0
            response[at] = 1.0 if chosen else 0.0
            found = found or chosen


@njit
def _learn(nodes, node, p, states, sigma, reach, values, regret, prediction, average, rule):
    """Add the regrets of an own node, and its strategy to the average; rule = (positive, negative, weight, least)."""
    place, slot = nodes[node, PLACE + p], nodes[node, SLOT + p]
    for a in range(nodes[node, CHILDREN]):
        up, at = nodes[nodes[node, FIRST] + a, UP + p], nodes[node, OFFSET] + a * states
        # Short loops over few arrays each: the compiler checks every pair of arrays for overlap.
        if len(prediction) > 0:
            if place < 0 or up < 0 or at < 0:
                return
            for s in range(states):
                prediction[at + s] = values[up + s] - values[place + s]
        add_regrets(at, place, up, states, values, regret, rule)
        add_average(at, slot, at, rule[2], states, reach, sigma, average)


@njit
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


@njit
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
                # The node's values are not needed yet: their place holds the totals.
                match_rows(at, at, actions, states, sums[0], sums[1], sigma, values, nodes[node, PLACE + p])
            _descend(nodes, node, rounds, maps, sigma, reach, changed)


@njit
def _up(begin, end, p, job, game, sigma, reach, values, sums, rule):
    """Values of player p over a stretch of nodes, last first."""
    nodes, stake, order, _units, rounds, blocks, maps, entries, _levels = game
    for step in range(end - 1, begin - 1, -1):
        node = order[step]
        r = nodes[node, ROUND]
        if nodes[node, KIND] == DECISION:
            states = rounds[r, p]
            if job == BEST and nodes[node, PLAYER] == p:
                _take_best(nodes, node, p, states, values, sums[2])
            else:
                _add_children(nodes, node, p, states, nodes[node, PLAYER] == p, sigma, values)
            if job == REGRETS and nodes[node, PLAYER] == p:
                _learn(nodes, node, p, states, sigma, reach, values, sums[0], sums[1], sums[2], rule)
            if nodes[node, UP + p] != nodes[node, PLACE + p]:
                _fold_up(node, p, r - 1, nodes, rounds, maps, values)
        elif len(entries) > 0:  # else they are there already, see `dense`
            winner = 0 if nodes[node, KIND] == SHOWDOWN else nodes[node, PLAYER]
            scale = stake[node] if winner == p else -stake[node]
            signs = len(entries) // 2 if nodes[node, KIND] == SHOWDOWN else 0
            slot, place = nodes[node, SLOT + 1 - p], nodes[node, PLACE + p]
            _terminal(p, scale, rounds[r, 4], rounds[r, 5], blocks, entries, signs, reach, slot, values, place)


@njit
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


@njit
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


@njit(cache=True, nogil=True)
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


@njit(cache=True)
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

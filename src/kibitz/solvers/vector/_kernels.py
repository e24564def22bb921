"""Passes over a betting tree with vectors of private states: counterfactual regrets, best responses, values.

A player's *reach* at a node is float64[states], the product of that player's own action probabilities; it changes only
where that player acts or a card falls, so nodes share slots of it. *Values* are counterfactual: weighted by chance and
by the opponent's reach. Few arrays with many columns, because every array that a kernel hands on costs time:

nodes   : int64[n, 12]    the columns KIND .. UP below; a row is all there is to know of a node
stake   : float64[n]      chips that change hands at a terminal node
order   : int64[n]        parents first: the trunk before the last round, then the subtrees of the last round
units   : int64[u + 1]    subtree u is order[units[u]:units[u + 1]]; order[:units[0]] is the trunk
rounds  : int64[r, 6]     states of player 0 and 1, where their maps begin, first block and end of blocks
blocks  : int64[b, 5]     rows from, to, columns from, to, and where the entries begin
maps    : int64[2, m]     a state's parent in the round before
entries : float64[4, e]   weight and sign, row-major, then both transposed: always read along the player's own states
sigma, regret, average : float64[size]    entry (action, state) of a node is OFFSET + action * states + state
prediction : float64[size], or float64[0] where nothing is predicted
reach, values : float64[2, ...]   per player, at SLOT and PLACE; UP is where the parent reads a node's values
"""

import numpy as np
from numba import njit, prange

KIND, PLAYER, ROUND, FIRST, CHILDREN, OFFSET, SLOT, PLACE, UP = 0, 1, 2, 3, 4, 5, 6, 8, 10  # the last three: + player
DECISION, FOLD, SHOWDOWN = 0, 1, 2
REGRETS, BEST, VALUE = 0, 1, 2  # what the pass upwards does at the player's own nodes
BOTH = 3  # mask of players


@njit
def _terminal(p, scale, sign, first, end, blocks, entries, reach, slot, values, place):
    """values = scale * matrix @ reach of the other player, block by block."""
    for b in range(first, end):
        own, own_end = blocks[b, 2 * p], blocks[b, 2 * p + 1]
        other, other_end = blocks[b, 2 - 2 * p], blocks[b, 3 - 2 * p]
        width = own_end - own
        # Player 0's states are rows, so his products run along the transposed matrix.
        row, table = blocks[b, 4], sign + (2 if p == 0 else 0)
        for i in range(own, own_end):
            values[p, place + i] = 0.0
        for j in range(other, other_end):
            factor = scale * reach[1 - p, slot + j]
            if factor != 0.0:
                for i in range(width):
                    values[p, place + own + i] += entries[table, row + i] * factor
            row += width


@njit
def _match(row, states, regret, prediction, sigma, total, at_total):
    """Regret matching: sigma proportional to the positive part of regret (plus its prediction), else uniform."""
    begin, actions = row[OFFSET], row[CHILDREN]
    for s in range(states):
        total[at_total + s] = 0.0
    for a in range(actions):
        at = begin + a * states
        for s in range(states):
            r = regret[at + s]
            if len(prediction) > 0:
                r += prediction[at + s]
            r = max(r, 0.0)
            sigma[at + s] = r
            total[at_total + s] += r
    uniform = 1.0 / actions
    for a in range(actions):
        at = begin + a * states
        for s in range(states):
            t = total[at_total + s]
            sigma[at + s] = sigma[at + s] / t if t > 0.0 else uniform


@njit
def _descend(row, nodes, rounds, maps, sigma, reach):
    """Give the children of a decision node both players' reach."""
    p, r = row[PLAYER], row[ROUND]
    o = 1 - p
    states = rounds[r, p]
    mine, other = row[SLOT + p], row[SLOT + o]
    for a in range(row[CHILDREN]):
        child = row[FIRST] + a
        begin = row[OFFSET] + a * states
        to = nodes[child, SLOT + p]
        q = nodes[child, ROUND]
        if q == r:
            for s in range(states):
                reach[p, to + s] = reach[p, mine + s] * sigma[begin + s]
        else:
            at = rounds[q, 2 + p]
            for s in range(rounds[q, p]):
                before = maps[p, at + s]
                reach[p, to + s] = reach[p, mine + before] * sigma[begin + before]
            to, at = nodes[child, SLOT + o], rounds[q, 2 + o]
            for s in range(rounds[q, o]):
                reach[o, to + s] = reach[o, other + maps[o, at + s]]


@njit
def _combine(row, p, job, nodes, states, sigma, values, response):
    """Player p's values at a decision node: the sum, the mean or the best of the children's."""
    place, first, begin = row[PLACE + p], row[FIRST], row[OFFSET]
    own = row[PLAYER] == p
    for a in range(row[CHILDREN]):
        up, at = nodes[first + a, UP + p], begin + a * states
        for s in range(states):
            value = values[p, up + s]
            if own and job == BEST:
                if a == 0 or value > values[p, place + s]:
                    values[p, place + s] = value
                    for b in range(a):
                        response[begin + b * states + s] = 0.0
                    response[at + s] = 1.0
                else:
                    response[at + s] = 0.0
            else:
                if own:
                    value *= sigma[at + s]
                values[p, place + s] = value if a == 0 else values[p, place + s] + value


@njit
def _learn(row, p, nodes, states, sigma, reach, values, regret, prediction, average, rule):
    """Add the regrets of an own node, and its strategy to the average; rule = (positive, negative, weight, clip)."""
    positive, negative, weight, clip = rule
    place, slot = row[PLACE + p], row[SLOT + p]
    for a in range(row[CHILDREN]):
        up, at = nodes[row[FIRST] + a, UP + p], row[OFFSET] + a * states
        for s in range(states):
            change = values[p, up + s] - values[p, place + s]
            old = regret[at + s]
            new = old * (positive if old > 0.0 else negative) + change
            regret[at + s] = max(new, 0.0) if clip else new
            average[at + s] += weight * reach[p, slot + s] * sigma[at + s]
            if len(prediction) > 0:
                prediction[at + s] = change


@njit
def _fold_up(node, p, above, nodes, rounds, maps, values):
    """Sum a node's values over the states that refine the same one, where a card fell just before the node."""
    r = nodes[node, ROUND]
    up, place, at = nodes[node, UP + p], nodes[node, PLACE + p], rounds[r, 2 + p]
    for s in range(rounds[above, p]):
        values[p, up + s] = 0.0
    for s in range(rounds[r, p]):
        values[p, up + maps[p, at + s]] += values[p, place + s]


@njit
def _down(begin, end, who, game, sigma, reach, values, sums):
    """Match the regrets of the players in the mask `who` and pass reach on, over a stretch of nodes."""
    nodes, _stake, order, _units, rounds, _blocks, maps, _entries = game
    for step in range(begin, end):
        row = nodes[order[step]]
        if row[KIND] == DECISION:
            p = row[PLAYER]
            if who >> p & 1:
                # The node's values are not needed yet: their place holds the totals.
                _match(row, rounds[row[ROUND], p], sums[0], sums[1], sigma, values[p], row[PLACE + p])
            _descend(row, nodes, rounds, maps, sigma, reach)


@njit
def _up(begin, end, p, job, game, sigma, reach, values, sums, rule):
    """Values of player p over a stretch of nodes, last first."""
    nodes, stake, order, _units, rounds, blocks, maps, entries = game
    for step in range(end - 1, begin - 1, -1):
        node = order[step]
        row = nodes[node]
        r = row[ROUND]
        if row[KIND] == DECISION:
            states = rounds[r, p]
            _combine(row, p, job, nodes, states, sigma, values, sums[2])
            if job == REGRETS and row[PLAYER] == p:
                _learn(row, p, nodes, states, sigma, reach, values, sums[0], sums[1], sums[2], rule)
            if row[UP + p] != row[PLACE + p]:
                _fold_up(node, p, r - 1, nodes, rounds, maps, values)
        else:
            sign = 1 if row[KIND] == SHOWDOWN else 0
            winner = 0 if row[KIND] == SHOWDOWN else row[PLAYER]
            scale = stake[node] if winner == p else -stake[node]
            slot, place = row[SLOT + 1 - p], row[PLACE + p]
            _terminal(p, scale, sign, rounds[r, 4], rounds[r, 5], blocks, entries, reach, slot, values, place)


@njit
def _rule(t, discounts):
    """Discounts before iteration t is added (Brown and Sandholm 2019) and the weight of iteration t in the average."""
    alpha, beta, gamma = discounts
    positive, negative = 1.0, 1.0
    if t > 1:
        if alpha != np.inf:
            positive = (t - 1.0) ** alpha / ((t - 1.0) ** alpha + 1.0)
        if beta != np.inf and beta != -np.inf:
            negative = (t - 1.0) ** beta / ((t - 1.0) ** beta + 1.0)
    return positive, negative, float(t) ** gamma, beta == -np.inf


@njit(cache=True)
def iterate(first, count, alternating, discounts, game, sigma, reach, values, sums):
    """Iterations first .. first + count of counterfactual regret minimisation, in place, on one thread.

    game = (nodes, stake, order, units, rounds, blocks, maps, entries); sums = (regret, prediction, average)
    """
    n = len(game[2])
    who = BOTH  # whose regrets may have changed since they were last matched
    passes = 2 if alternating else 1
    for step in range(passes * count):
        players = 1 << step % 2 if alternating else BOTH
        rule = _rule(first + step // passes, discounts)
        _down(0, n, who, game, sigma, reach, values, sums)
        for p in range(2):
            if players >> p & 1:
                _up(0, n, p, REGRETS, game, sigma, reach, values, sums, rule)
        who = players


@njit(cache=True, parallel=True)
def iterate_threads(first, count, alternating, discounts, game, sigma, reach, values, sums):
    """`iterate` with the subtrees of the last round shared among threads; every number is computed as on one."""
    units = game[3]
    trunk = units[0]
    who = BOTH
    passes = 2 if alternating else 1
    for step in range(passes * count):
        players = 1 << step % 2 if alternating else BOTH
        rule = _rule(first + step // passes, discounts)
        _down(0, trunk, who, game, sigma, reach, values, sums)
        for u in prange(len(units) - 1):
            _down(units[u], units[u + 1], who, game, sigma, reach, values, sums)
            for p in range(2):
                if players >> p & 1:
                    _up(units[u], units[u + 1], p, REGRETS, game, sigma, reach, values, sums, rule)
        for p in range(2):
            if players >> p & 1:
                _up(0, trunk, p, REGRETS, game, sigma, reach, values, sums, rule)
        who = players


@njit(cache=True)
def root_values(job, game, sigma, reach, values, response):
    """Values of the hand to both players under sigma (VALUE), or of each player's best response to it (BEST).

    BEST writes the best actions of both players into `response`, flat like sigma.
    """
    nodes, rounds = game[0], game[4]
    n = len(game[2])
    sums = (response, response[:0], response)
    _down(0, n, 0, game, sigma, reach, values, sums)
    total = np.zeros(2)
    for p in range(2):
        _up(0, n, p, job, game, sigma, reach, values, sums, (1.0, 1.0, 1.0, False))
        for s in range(rounds[0, p]):
            total[p] += values[p, nodes[0, PLACE + p] + s]
    return total


@njit(cache=True)
def iterate_against_best(first, count, discounts, game, sigma, reach, values, sums, response, mixed):
    """Iterations of CFR-BR: each player's regrets against a best response to that player's current strategy.

    response, mixed : float64[size], scratch
    """
    nodes, order, rounds = game[0], game[2], game[4]
    n = len(order)
    for t in range(first, first + count):
        rule = _rule(t, discounts)
        _down(0, n, BOTH, game, sigma, reach, values, sums)
        for p in range(2):
            _up(0, n, p, BEST, game, sigma, reach, values, (response, response[:0], response), rule)
        for p in range(2):
            for node in range(n):
                if nodes[node, KIND] == DECISION:
                    begin = nodes[node, OFFSET]
                    end = begin + nodes[node, CHILDREN] * rounds[nodes[node, ROUND], nodes[node, PLAYER]]
                    source = sigma if nodes[node, PLAYER] == p else response
                    for at in range(begin, end):
                        mixed[at] = source[at]
            _down(0, n, 0, game, mixed, reach, values, sums)
            _up(0, n, p, REGRETS, game, mixed, reach, values, sums, rule)

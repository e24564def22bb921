"""Passes over a betting tree with vectors of private states: counterfactual regrets, best responses, values.

A player's *reach* at a node is float64[states], the product of that player's own action probabilities; it changes only
where that player acts or a card falls, so nodes share slots of it. *Values* are counterfactual: weighted by chance and
by the opponent's reach. The arrays of the tree and the deal come as tuples, laid out by `vector.form.Form`:

tree = (kind, player, round, first_child, children, offset, stake, slots, places)
    offset : int64[n + 1]     node n's entry for (action, state) is offset[n] + action * states + state
    stake  : float64[n]       chips that change hands at a terminal node
    slots, places : int64[2, n]   where a player's reach and values stand
order  : int64[n]             the nodes, parents first: those before the last round, then its subtrees one by one
units  : int64[u + 1]         subtree u is order[units[u]:units[u + 1]]; order[:units[0]] is the trunk
deal = (counts, maps, map_start, first_block, rows, columns, start, weight, sign)
    maps   : int64[2, m]      a state's parent in the round before; round r's maps begin at map_start[p, r]
    first_block : int64[rounds + 1]    rows, columns : int64[blocks, 2]    start : int64[blocks]
"""

import numpy as np
from numba import njit, prange

DECISION, FOLD, SHOWDOWN = 0, 1, 2
REGRETS, BEST, VALUE = 0, 1, 2  # what the pass upwards does at the player's own nodes
BOTH = 3  # mask of players


@njit
def _terminal(p, scale, b0, b1, deal, entries, reach, slot, values, place):
    """values = scale * (matrix @ reach), or its transpose for player 1, block by block."""
    rows, columns, start = deal[4], deal[5], deal[6]
    for b in range(b0, b1):
        r0, r1 = rows[b, 0], rows[b, 1]
        c0, c1 = columns[b, 0], columns[b, 1]
        width = c1 - c0
        if p == 0:
            for i in range(r0, r1):
                total = 0.0
                row = start[b] + (i - r0) * width - c0
                for j in range(c0, c1):
                    total += entries[row + j] * reach[1, slot + j]
                values[0, place + i] = scale * total
        else:
            for j in range(c0, c1):
                values[1, place + j] = 0.0
            for i in range(r0, r1):
                factor = scale * reach[0, slot + i]
                row = start[b] + (i - r0) * width - c0
                for j in range(c0, c1):
                    values[1, place + j] += entries[row + j] * factor


@njit
def _match(begin, actions, states, regret, prediction, predict, sigma, total):
    """Regret matching: sigma proportional to the positive part of regret (plus its prediction), else uniform."""
    for s in range(states):
        total[s] = 0.0
    for a in range(actions):
        at = begin + a * states
        for s in range(states):
            r = regret[at + s]
            if predict:
                r += prediction[at + s]
            r = max(r, 0.0)
            sigma[at + s] = r
            total[s] += r
    uniform = 1.0 / actions
    for a in range(actions):
        at = begin + a * states
        for s in range(states):
            sigma[at + s] = sigma[at + s] / total[s] if total[s] > 0.0 else uniform


@njit
def _descend(node, tree, deal, sigma, reach):
    """Give the children of a decision node both players' reach, float64[2, slots]."""
    player, round_, first_child, children, offset, slots = tree[1], tree[2], tree[3], tree[4], tree[5], tree[7]
    counts, maps, map_start = deal[0], deal[1], deal[2]
    p = player[node]
    o = 1 - p
    r = round_[node]
    states = counts[r, p]
    mine, other = slots[p, node], slots[o, node]
    for a in range(children[node]):
        child = first_child[node] + a
        begin = offset[node] + a * states
        to = slots[p, child]
        q = round_[child]
        if q == r:
            for s in range(states):
                reach[p, to + s] = reach[p, mine + s] * sigma[begin + s]
        else:
            at = map_start[p, q]
            for s in range(counts[q, p]):
                before = maps[p, at + s]
                reach[p, to + s] = reach[p, mine + before] * sigma[begin + before]
            at = map_start[o, q]
            to = slots[o, child]
            for s in range(counts[q, o]):
                reach[o, to + s] = reach[o, other + maps[o, at + s]]


@njit
def _gather(r, child, p, tree, deal, values, into):
    """Child's values in `into`, summed over the states that refine the same one when a card fell between."""
    round_, places = tree[2], tree[8]
    counts, maps, map_start = deal[0], deal[1], deal[2]
    q = round_[child]
    place = places[p, child]
    if q == r:
        for s in range(counts[r, p]):
            into[s] = values[p, place + s]
        return
    for s in range(counts[r, p]):
        into[s] = 0.0
    at = map_start[p, q]
    for s in range(counts[q, p]):
        into[maps[p, at + s]] += values[p, place + s]


@njit
def _ascend(node, p, job, tree, deal, sigma, reach, values, sums, rule, buffer):
    """Player p's values at a node from those of its children, and what `job` asks for at p's own nodes.

    sums = (regret, prediction, average), flat like sigma; rule = (positive, negative, weight, clip, predict).
    REGRETS: regret = regret * (positive or negative, by its sign) + child - value, cut at 0 if clip; the change is
    kept as the prediction of the next if predict; average += weight * reach * sigma.
    BEST: the value is that of the best action, which is written into `average` as probability one.
    """
    kind, player, round_, first_child, children, offset, stake, slots, places = tree
    counts, first_block = deal[0], deal[3]
    place = places[p, node]
    r = round_[node]
    if kind[node] != DECISION:
        entries = deal[7] if kind[node] == FOLD else deal[8]
        winner = player[node] if kind[node] == FOLD else 0
        scale = stake[node] if winner == p else -stake[node]
        slot = slots[1 - p, node]
        _terminal(p, scale, first_block[r], first_block[r + 1], deal, entries, reach, slot, values, place)
        return
    states, actions, first, begin = counts[r, p], children[node], first_child[node], offset[node]
    for a in range(actions):
        _gather(r, first + a, p, tree, deal, values, buffer[a])
    regret, prediction, average = sums
    own = player[node] == p
    if own and job == BEST:
        for s in range(states):
            best = 0
            for a in range(1, actions):
                if buffer[a, s] > buffer[best, s]:
                    best = a
            values[p, place + s] = buffer[best, s]
            for a in range(actions):
                average[begin + a * states + s] = 1.0 if a == best else 0.0
        return
    for s in range(states):
        values[p, place + s] = 0.0
    for a in range(actions):
        at = begin + a * states
        for s in range(states):
            values[p, place + s] += (sigma[at + s] if own else 1.0) * buffer[a, s]
    if job != REGRETS or not own:
        return
    positive, negative, weight, clip, predict = rule
    slot = slots[p, node]
    for a in range(actions):
        at = begin + a * states
        for s in range(states):
            change = buffer[a, s] - values[p, place + s]
            old = regret[at + s]
            new = old * (positive if old > 0.0 else negative) + change
            regret[at + s] = max(new, 0.0) if clip else new
            average[at + s] += weight * reach[p, slot + s] * sigma[at + s]
            if predict:
                prediction[at + s] = change


@njit
def _down(begin, end, who, tree, order, deal, sigma, reach, sums, predict, buffer):
    """Match the regrets of the players in the mask `who` and pass reach on, over a stretch of nodes."""
    kind, player, round_, children, offset = tree[0], tree[1], tree[2], tree[4], tree[5]
    for step in range(begin, end):
        node = order[step]
        if kind[node] != DECISION:
            continue
        p = player[node]
        if who >> p & 1:
            states = deal[0][round_[node], p]
            _match(offset[node], children[node], states, sums[0], sums[1], predict, sigma, buffer[0])
        _descend(node, tree, deal, sigma, reach)


@njit
def _up(begin, end, players, job, tree, order, deal, sigma, reach, values, sums, rule, buffer):
    """Values of the players in the mask over a stretch of nodes, last first."""
    for p in range(2):
        if players >> p & 1:
            for step in range(end - 1, begin - 1, -1):
                _ascend(order[step], p, job, tree, deal, sigma, reach, values, sums, rule, buffer)


@njit
def _sweep(players, who, job, tree, order, units, deal, sigma, reach, values, sums, rule, buffer):
    """Down and up the whole tree on one thread."""
    _down(0, len(order), who, tree, order, deal, sigma, reach, sums, rule[4], buffer)
    _up(0, len(order), players, job, tree, order, deal, sigma, reach, values, sums, rule, buffer)


@njit(parallel=True)
def _sweep_threads(players, who, job, tree, order, units, deal, sigma, reach, values, sums, rule, buffer):
    """The same, the subtrees of the last round shared among threads; every number is computed as on one."""
    _down(0, units[0], who, tree, order, deal, sigma, reach, sums, rule[4], buffer)
    for u in prange(len(units) - 1):
        own = np.empty(buffer.shape)
        _down(units[u], units[u + 1], who, tree, order, deal, sigma, reach, sums, rule[4], own)
        _up(units[u], units[u + 1], players, job, tree, order, deal, sigma, reach, values, sums, rule, own)
    _up(0, units[0], players, job, tree, order, deal, sigma, reach, values, sums, rule, buffer)


@njit
def _rule(t, discounts, predict):
    """Discounts before iteration t is added (Brown and Sandholm 2019) and the weight of iteration t in the average."""
    alpha, beta, gamma = discounts
    positive, negative = 1.0, 1.0
    if t > 1:
        if alpha != np.inf:
            positive = (t - 1.0) ** alpha / ((t - 1.0) ** alpha + 1.0)
        if beta != np.inf and beta != -np.inf:
            negative = (t - 1.0) ** beta / ((t - 1.0) ** beta + 1.0)
    return positive, negative, float(t) ** gamma, beta == -np.inf, predict


@njit(cache=True)
def iterate(
    first, count, alternating, discounts, predict, tree, order, units, deal, sigma, reach, values, sums, buffer
):
    """Iterations first .. first + count of counterfactual regret minimisation, in place, on one thread."""
    who = BOTH  # whose regrets may have changed since they were last matched
    passes = 2 if alternating else 1
    for step in range(passes * count):
        players = 1 << step % 2 if alternating else BOTH
        rule = _rule(first + step // passes, discounts, predict)
        _sweep(players, who, REGRETS, tree, order, units, deal, sigma, reach, values, sums, rule, buffer)
        who = players


@njit(cache=True)
def iterate_threads(
    first, count, alternating, discounts, predict, tree, order, units, deal, sigma, reach, values, sums, buffer
):
    """`iterate` on many threads, with the same bits."""
    who = BOTH
    passes = 2 if alternating else 1
    for step in range(passes * count):
        players = 1 << step % 2 if alternating else BOTH
        rule = _rule(first + step // passes, discounts, predict)
        _sweep_threads(players, who, REGRETS, tree, order, units, deal, sigma, reach, values, sums, rule, buffer)
        who = players


@njit(cache=True)
def root_values(players, job, tree, order, deal, sigma, reach, values, response, buffer):
    """Values of the hand to both players under sigma (VALUE), or each player's best response to it (BEST).

    BEST writes the best actions of the players in the mask into `response`, flat like sigma.
    """
    rule = (1.0, 1.0, 1.0, False, False)
    _sweep(players, 0, job, tree, order, order, deal, sigma, reach, values, (response, response, response), rule, buffer)
    result0, result1 = 0.0, 0.0
    places, counts = tree[8], deal[0]
    for s in range(counts[0, 0]):
        result0 += values[0, places[0, 0] + s]
    for s in range(counts[0, 1]):
        result1 += values[1, places[1, 0] + s]
    return result0, result1

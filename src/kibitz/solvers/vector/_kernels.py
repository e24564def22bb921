"""Passes over a betting tree with vectors of private states: counterfactual regrets, best responses, values.

A player's *reach* at a node is float64[states], the product of that player's own action probabilities; it changes only
where that player acts or a card falls, so nodes share slots of it. *Values* are counterfactual: weighted by chance and
by the opponent's reach. Few arrays with many columns, because every array that a kernel hands on costs time:

nodes   : int64[n, 12]    the columns KIND .. UP below; a row is all there is to know of a node
stake   : float64[n]      chips that change hands at a terminal node
order   : int64[n]        parents first: subtree by subtree, those of the first round, of the second, and so on
units   : int64[u + 1]    subtree u of a round is order[units[u]:units[u + 1]]
levels  : int64[r + 1]    the subtrees of round r are units levels[r] .. levels[r + 1]
rounds  : int64[r, 6]     states of player 0 and 1, where their maps begin, first block and end of blocks
blocks  : int64[b, 6]     rows from, to, columns from, to, and where the entries of player 0 and 1 begin
maps    : uint32[2, m]    a state's parent in the round before
entries : float64[2, e]   weight and sign; per block and player [opposing state, own states filled up with zeros to
                          whole LANES], so that both players read along their own states
sigma, regret, average : float64[size]    entry (action, state) of a node is OFFSET + action * states + state
prediction : float64[size], or float64[0] where nothing is predicted
reach, values : float64[2, ...]   per player, at SLOT and PLACE; UP is where the parent reads a node's values

Positions are never negative, and the kernels say so (`if at < 0: return`): a compiler that cannot rule out Python's
wrap-around indexing does not vectorise the loops, which costs a factor of up to eight.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.parallel.team._kernels import meet, take

KIND, PLAYER, ROUND, FIRST, CHILDREN, OFFSET, SLOT, PLACE, UP = 0, 1, 2, 3, 4, 5, 6, 8, 10  # the last three: + player
DECISION, FOLD, SHOWDOWN = 0, 1, 2
REGRETS, BEST, VALUE = 0, 1, 2  # what the pass upwards does at the player's own nodes
BOTH = 3  # mask of players
LANES = 8  # states multiplied at a time


@njit
def _terminal(p, scale, kind, first, end, blocks, entries, reach, slot, values, place):
    """values = scale * matrix @ reach of the other player, block by block, in vectors of LANES.

    The last vector of a block may reach into the next block's values, which are written after it, or past the end,
    where every place has room.
    """
    for b in range(first, end):
        vectors = (blocks[b, 2 * p + 1] - blocks[b, 2 * p] + LANES - 1) >> 3  # of LANES = 2^3
        other, height = blocks[b, 2 - 2 * p], blocks[b, 3 - 2 * p] - blocks[b, 2 - 2 * p]
        to, at, row = place + blocks[b, 2 * p], slot + other, blocks[b, 4 + p]
        if to < 0 or at < 0 or row < 0:
            return
        for v in range(vectors):
            # Eight sums by name, so that they stay in one register while the opposing states go by.
            t0, t1, t2, t3, t4, t5, t6, t7 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for j in range(height):
                factor = reach[1 - p, at + j]
                k = row + (j * vectors + v) * LANES
                if k < 0:
                    return
                t0 += entries[kind, k] * factor
                t1 += entries[kind, k + 1] * factor
                t2 += entries[kind, k + 2] * factor
                t3 += entries[kind, k + 3] * factor
                t4 += entries[kind, k + 4] * factor
                t5 += entries[kind, k + 5] * factor
                t6 += entries[kind, k + 6] * factor
                t7 += entries[kind, k + 7] * factor
            i = to + v * LANES
            if i < 0:
                return
            values[p, i] = scale * t0
            values[p, i + 1] = scale * t1
            values[p, i + 2] = scale * t2
            values[p, i + 3] = scale * t3
            values[p, i + 4] = scale * t4
            values[p, i + 5] = scale * t5
            values[p, i + 6] = scale * t6
            values[p, i + 7] = scale * t7


@njit
def _match(nodes, node, states, regret, prediction, sigma, p, values, place):
    """Regret matching: sigma proportional to the positive part of regret (plus its prediction), else uniform."""
    begin, actions = nodes[node, OFFSET], nodes[node, CHILDREN]
    if begin < 0 or states < 0 or place < 0:
        return
    for a in range(actions):
        at = begin + a * states
        if at >= 0:
            for s in range(states):
                before = values[p, place + s] if a > 0 else 0.0
                r = regret[at + s]
                if len(prediction) > 0:
                    r += prediction[at + s]
                values[p, place + s] = before + max(r, 0.0)
    for s in range(states):
        total = values[p, place + s]
        values[p, place + s] = 1.0 / total if total > 0.0 else 0.0
    uniform = 1.0 / actions
    for a in range(actions):
        at = begin + a * states
        if at >= 0:
            for s in range(states):
                scale = values[p, place + s]
                r = regret[at + s]
                if len(prediction) > 0:
                    r += prediction[at + s]
                sigma[at + s] = max(r, 0.0) * scale if scale > 0.0 else uniform


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
                for s in range(states):
                    reach[p, to + s] = reach[p, mine + s] * sigma[begin + s]
            continue
        if changed >> p & 1:
            at = rounds[q, 2 + p]
            for s in range(rounds[q, p]):
                before = maps[p, at + s]
                reach[p, to + s] = reach[p, mine + before] * sigma[begin + before]
        if changed >> o & 1:
            to, at = nodes[child, SLOT + o], rounds[q, 2 + o]
            for s in range(rounds[q, o]):
                reach[o, to + s] = reach[o, other + maps[o, at + s]]


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
                values[p, place + s] = sigma[at + s] * values[p, one + s] + sigma[then + s] * values[p, two + s]
        elif a == 0 and b == 1:
            for s in range(states):
                values[p, place + s] = values[p, one + s] + values[p, two + s]
        else:
            for s in range(states):
                total = values[p, place + s] if a > 0 else 0.0
                total += values[p, one + s] * (sigma[at + s] if own else 1.0)
                if b > a:
                    total += values[p, two + s] * (sigma[then + s] if own else 1.0)
                values[p, place + s] = total


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
                before = values[p, place + s] if a > 0 else values[p, up + s]
                values[p, place + s] = max(before, values[p, up + s])
        else:
            for s in range(states):
                better = a == 0 or values[p, up + s] > values[p, place + s]
                if better:
                    values[p, place + s] = values[p, up + s]
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
    """Add the regrets of an own node, and its strategy to the average; rule = (positive, negative, weight, clip)."""
    positive, negative, weight, clip = rule
    place, slot = nodes[node, PLACE + p], nodes[node, SLOT + p]
    if place < 0 or slot < 0 or states < 0:
        return
    for a in range(nodes[node, CHILDREN]):
        up, at = nodes[nodes[node, FIRST] + a, UP + p], nodes[node, OFFSET] + a * states
        if up < 0 or at < 0:
            return
        # Three short loops over few arrays each: the compiler checks every pair of arrays for overlap.
        if len(prediction) > 0:
            for s in range(states):
                prediction[at + s] = values[p, up + s] - values[p, place + s]
        for s in range(states):
            old = regret[at + s]
            scaled = old * (positive if old > 0.0 else negative)
            new = scaled + (values[p, up + s] - values[p, place + s])
            regret[at + s] = max(new, 0.0) if clip else new
        for s in range(states):
            average[at + s] += weight * reach[p, slot + s] * sigma[at + s]


@njit
def _fold_up(node, p, above, nodes, rounds, maps, values):
    """Sum a node's values over the states that refine the same one, where a card fell just before the node."""
    r = nodes[node, ROUND]
    up, place, at = nodes[node, UP + p], nodes[node, PLACE + p], rounds[r, 2 + p]
    if up < 0 or place < 0 or at < 0:
        return
    for s in range(rounds[above, p]):
        values[p, up + s] = 0.0
    for s in range(rounds[r, p]):
        values[p, up + maps[p, at + s]] += values[p, place + s]


@njit
def _down(begin, end, who, changed, game, sigma, reach, values, sums):
    """Over a stretch of nodes, match the regrets of the players in the mask `who` and pass on the reach of those in
    `changed`; the others' reach still stands from the pass before.
    """
    nodes, order, rounds, maps = game[0], game[2], game[4], game[6]
    for step in range(begin, end):
        node = order[step]
        if nodes[node, KIND] == DECISION:
            p = nodes[node, PLAYER]
            if who >> p & 1:
                # The node's values are not needed yet: their place holds the totals.
                _match(
                    nodes,
                    node,
                    rounds[nodes[node, ROUND], p],
                    sums[0],
                    sums[1],
                    sigma,
                    p,
                    values,
                    nodes[node, PLACE + p],
                )
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
        elif entries.shape[1] > 0:  # else they are there already, see `dense`
            winner = 0 if nodes[node, KIND] == SHOWDOWN else nodes[node, PLAYER]
            scale = stake[node] if winner == p else -stake[node]
            kind = 1 if nodes[node, KIND] == SHOWDOWN else 0
            slot, place = nodes[node, SLOT + 1 - p], nodes[node, PLACE + p]
            _terminal(p, scale, kind, rounds[r, 4], rounds[r, 5], blocks, entries, reach, slot, values, place)


@njit(cache=True)
def rule_at(t, discounts):
    """Discounts before iteration t is added (Brown and Sandholm 2019) and the weight of iteration t in the average."""
    alpha, beta, gamma = discounts
    positive, negative = 1.0, 1.0
    if t > 1:
        if alpha != np.inf:
            positive = (t - 1.0) ** alpha / ((t - 1.0) ** alpha + 1.0)
        if beta != np.inf and beta != -np.inf:
            negative = (t - 1.0) ** beta / ((t - 1.0) ** beta + 1.0)
    return positive, negative, float(t) ** gamma, beta == -np.inf


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
def _down_round(team, r, who, changed, game, sigma, reach, values, sums):
    """`_down` over all subtrees of round r, shared among the team; False where that must stop."""
    while True:
        begin, end = take_units(team, r, game[3], game[8])
        if begin < 0:
            return meet(team[0], team[2])
        _down(begin, end, who, changed, game, sigma, reach, values, sums)


@njit
def _up_round(team, r, players, job, game, sigma, reach, values, sums, rule):
    """`_up` over all subtrees of round r for the players in a mask, shared likewise."""
    while True:
        begin, end = take_units(team, r, game[3], game[8])
        if begin < 0:
            return meet(team[0], team[2])
        for p in range(2):
            if players >> p & 1:
                _up(begin, end, p, job, game, sigma, reach, values, sums, rule)


@njit(cache=True, nogil=True)
def iterate(team, first, count, alternating, discounts, game, sigma, reach, values, sums):
    """Iterations first .. first + count of counterfactual regret minimisation, in place.

    game = (nodes, stake, order, units, rounds, blocks, maps, entries, levels); sums = (regret, prediction, average)
    team = (control, member, members), see `kibitz.parallel.team`: every number is computed as by one
    """
    last, job = len(game[8]) - 2, np.int64(REGRETS)  # no literals: numba would compile the functions once for each
    who = np.int64(BOTH)  # whose regrets may have changed since they were last matched
    passes = 2 if alternating else 1
    for step in range(passes * count):
        players = np.int64(1 << step % 2 if alternating else BOTH)
        rule = rule_at(first + step // passes, discounts)
        for r in range(last):
            if not _down_round(team, r, who, who, game, sigma, reach, values, sums):
                return
        while True:  # down and up again at once, while the numbers of a subtree are at hand
            begin, end = take_units(team, last, game[3], game[8])
            if begin < 0:
                break
            _down(begin, end, who, who, game, sigma, reach, values, sums)
            for p in range(2):
                if players >> p & 1:
                    _up(begin, end, p, job, game, sigma, reach, values, sums, rule)
        if not meet(team[0], team[2]):
            return
        for r in range(last - 1, -1, -1):
            if not _up_round(team, r, players, job, game, sigma, reach, values, sums, rule):
                return
        who = players


@njit(cache=True, nogil=True)
def sweep(team, p, who, job, rule, game, sigma, reach, values, sums):
    """Over the whole tree `_down` with the reach of both players where p = -1, else `_up` for player p."""
    last = len(game[8]) - 2
    for r in range(last + 1):
        if p < 0:
            going = _down_round(team, r, who, np.int64(BOTH), game, sigma, reach, values, sums)
        else:
            going = _up_round(team, last - r, 1 << p, job, game, sigma, reach, values, sums, rule)
        if not going:
            return


@njit(cache=True)
def root_values(job, game, sigma, reach, values, response):
    """Values of the hand to both players under sigma (VALUE), or of each player's best response to it (BEST).

    BEST writes the best actions of both players into `response`, flat like sigma, unless that is empty.
    """
    nodes, rounds = game[0], game[4]
    start, n, nobody = np.int64(0), len(game[2]), np.int64(0)  # no literals, see `iterate`
    sums, rule = (response, response[:0], response), (1.0, 1.0, 1.0, n < 0)
    _down(start, n, nobody, np.int64(BOTH), game, sigma, reach, values, sums)
    total = np.zeros(2)
    for p in range(2):
        _up(start, n, p, job, game, sigma, reach, values, sums, rule)
        for s in range(rounds[0, p]):
            total[p] += values[p, nodes[0, PLACE + p] + s]
    return total


@njit(cache=True)
def iterate_against_best(first, count, discounts, game, sigma, reach, values, sums, response, mixed):
    """Iterations of CFR-BR: each player's regrets against a best response to that player's current strategy.

    response, mixed : float64[size], scratch
    """
    nodes, order, rounds = game[0], game[2], game[4]
    start, n, both, nobody = np.int64(0), len(order), np.int64(BOTH), np.int64(0)  # no literals, see `iterate`
    job, best = np.int64(REGRETS), np.int64(BEST)
    for t in range(first, first + count):
        rule = rule_at(t, discounts)
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

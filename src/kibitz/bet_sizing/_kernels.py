"""Walks over a transformed tree: chips that move with the sizes, slopes of the value in each size, and BETS itself.

What player 0 wins is the sum over the ends z of the hand of stake(z) * X(z), where X is the probability of coming to z,
signed by who wins. A stake is the loser's chips, and chips are affine in each size above. So the slope of the value in
every size comes from one pass upwards that carries d value / d chips (`pull`), the two-part value of the thesis put
more generally: with `moved` the derivative by the mover's chips after a bet of s pots, and `other` the other's chips,
d value / ds = 2 * other * moved.

nodes     : int64[n, 9]     see `kibitz.tree.columns`; then EDGE and SIZER
fraction  : float64[n]      pots of a FIXED bet, chips of one ADDED, 0 for a call
chips     : float64[n, 2]   what both have put in; row 0 is given
pull      : float64[n, 2]   d value / d chips; leaves are given, in the column of the loser (0 at a showdown)
sizers    : float64[m, 12]  the columns LOW .. LINEAR below, one row per bet-sizing player
slope     : float64[m]      d value to the player it bets for / d size;  reach : float64[m]  probability of its bet
states    : int32[deals, rounds, 2], strengths : int32[deals, 2]     deals
regret, average, sigma : float64[size]; entry (state, action) of a node is OFFSET + state * CHILDREN + action
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.solvers._kernels import share, total_positive
from kibitz.tree.columns import CHILDREN, DECISION, FIRST, FOLD, FURTHER, KIND, OFFSET, PARENT, PLAYER, ROUND

EDGE, SIZER = FURTHER, FURTHER + 1
FOLDS, CALLS, ALL_IN, FIXED, SIZED, REPEATED, ADDED = 1, 2, 3, 4, 5, 6, 7
LOW, HIGH, SIZE, TOTAL, WEIGHTED, REACH, REGRET_LOW, REGRET_HIGH, ABSOLUTE, LINEAR = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
EVERY, BY_REACH, MATCHING = 0, 1, 2  # update rules: equations 4.10 and 4.11, and plain regret matching


@njit
def _spend(nodes, node, above, fraction, sizers, stack, chips):
    """Chips at `node` from those at its parent `above`."""
    mover = nodes[above, PLAYER]
    edge = nodes[node, EDGE]
    chips[node, 1 - mover] = chips[above, 1 - mover]
    if edge == FOLDS:
        chips[node, mover] = chips[above, mover]
    elif edge == ALL_IN:
        chips[node, mover] = stack
    elif edge == REPEATED:
        chips[node, mover] = 2.0 * chips[above, 1 - mover] - chips[above, mover]
    elif edge == ADDED:
        chips[node, mover] = chips[above, 1 - mover] + fraction[node]
    else:
        pots = sizers[nodes[node, SIZER], SIZE] if edge == SIZED else fraction[node]
        chips[node, mover] = chips[above, 1 - mover] * (1.0 + 2.0 * pots)


@njit
def _pull_up(nodes, node, fraction, sizers, chips, pull, slope):
    """d value / d chips at a decision from those of its children; the slopes of its own bets on the way."""
    mover = nodes[node, PLAYER]
    other = 1 - mover
    mine, theirs = 0.0, 0.0
    for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, CHILDREN]):
        edge, moved = nodes[child, EDGE], pull[child, mover]
        theirs += pull[child, other]
        if edge == FOLDS:
            mine += moved
        elif edge == SIZED:
            i = nodes[child, SIZER]
            theirs += moved * (1.0 + 2.0 * sizers[i, SIZE])
            gain = 2.0 * chips[node, other] * moved
            slope[i] = gain if mover == 0 else -gain
        elif edge == REPEATED:
            theirs += 2.0 * moved
            mine -= moved
        elif edge == ADDED:
            theirs += moved
        elif edge != ALL_IN:
            theirs += moved * (1.0 + 2.0 * fraction[child])
    pull[node, mover] = mine
    pull[node, other] = theirs


@njit
def _move(t, weight, horizon, rule, sizers, i, slope, reach):
    """Iteration t of a bet-sizing player: regrets of both ends, then its size (equations 5.1, 5.2, 4.10, 4.11).

    weight : how often the iteration counts in the regrets
    """
    low, high, size = sizers[i, LOW], sizers[i, HIGH], sizers[i, SIZE]
    sizers[i, REGRET_LOW] += weight * (low - size) * slope
    sizers[i, REGRET_HIGH] += weight * (high - size) * slope
    sizers[i, ABSOLUTE] += abs(slope)
    if reach > 0.0 or rule == EVERY:
        down, up = max(sizers[i, REGRET_LOW], 0.0), max(sizers[i, REGRET_HIGH], 0.0)
        share = up / (down + up) if down + up > 0.0 else 0.5
        wanted = low + share * (high - low)  # what regret matching would take next
        if rule == MATCHING:
            size = wanted
        else:
            size += (reach if rule == BY_REACH else 1.0) * (wanted - size) / min(float(t), horizon)
        sizers[i, SIZE] = size
    sizers[i, TOTAL] += size
    sizers[i, LINEAR] += t * size
    sizers[i, WEIGHTED] += reach * size
    sizers[i, REACH] += reach


@njit(cache=True)
def move_all(t, weight, horizon, rule, sizers, slope, reach):
    """`_move` for every bet-sizing player."""
    for i in range(len(sizers)):
        _move(t, weight, horizon, rule, sizers, i, slope[i], reach[i])


@njit(cache=True)
def stakes(nodes, fraction, sizers, stack, chips, stake):
    """Fill `stake`, float64[n], with the loser's chips at the terminal nodes, and `chips` on the way."""
    for node in range(len(nodes)):
        if node > 0:
            _spend(nodes, node, nodes[node, PARENT], fraction, sizers, stack, chips)
        if nodes[node, KIND] == FOLD:
            stake[node] = chips[node, 1 - nodes[node, PLAYER]]
        else:
            stake[node] = chips[node, 0]


@njit(cache=True)
def slopes(nodes, fraction, sizers, chips, pull, slope):
    """Fill `slope` from the leaves of `pull`."""
    for node in range(len(nodes) - 1, -1, -1):
        if nodes[node, KIND] == DECISION:
            _pull_up(nodes, node, fraction, sizers, chips, pull, slope)


@njit(cache=True)
def add_up(parent, mass):
    """The probability of every node, float64[n], from those of the terminal nodes; `mass` is 0 elsewhere."""
    for node in range(len(parent) - 1, 0, -1):
        mass[parent[node]] += mass[node]


@njit(cache=True)
def won_at(slots, places, widths, reach, values, won):
    """Fill `won`, float64[l], with what player 1 wins at some leaves of a vector pass: reach . values.

    slots, places, widths : int64[l]    where player 1's reach and values stand, and how many there are
    """
    for i in range(len(slots)):
        slot, place = slots[i], places[i]
        if slot < 0 or place < 0:
            return
        total = 0.0
        for s in range(widths[i]):
            total += reach[slot + s] * values[place + s]
        won[i] = total


@njit
def _outcome(nodes, node, deal, strengths):
    """1 where player 0 wins the hand that ends at `node`, -1 where player 1 does, 0 for a tie."""
    if nodes[node, KIND] == FOLD:
        return 1.0 if nodes[node, PLAYER] == 0 else -1.0
    first, second = strengths[deal, 0], strengths[deal, 1]
    return 1.0 if first > second else -1.0 if first < second else 0.0


@njit
def _go_down(deal, game, states, numbers, matching, average, sizers, chips, play, edge, queue):
    """Visit the nodes that somebody plays to on one deal, parents first; returns how many there are.

    play : float64[n, 2], both players' reach;  edge : float64[n], the probability of the action that leads here
    numbers are regrets to be matched, or (not `matching`) probabilities; `average` collects reach * sigma if it has
    room.
    """
    nodes, fraction, stack = game
    queue[0], end, place = 0, 1, 0
    while place < end:
        node = queue[place]
        place += 1
        actions = nodes[node, CHILDREN]
        if actions == 0:
            continue
        p, first = nodes[node, PLAYER], nodes[node, FIRST]
        at = nodes[node, OFFSET] + actions * states[deal, nodes[node, ROUND], p]
        total = total_positive(numbers, at, actions)
        for a in range(actions):
            sigma = numbers[at + a]
            if matching:
                sigma = share(sigma, total, actions)
            child = first + a
            if len(average) > 0:
                average[at + a] += play[node, p] * sigma
            edge[child] = sigma
            play[child, p] = play[node, p] * sigma
            play[child, 1 - p] = play[node, 1 - p]
            if play[child, 0] > 0.0 or play[child, 1] > 0.0:
                _spend(nodes, child, node, fraction, sizers, stack, chips)
                queue[end] = child
                end += 1
    return end


@njit
def _go_up(deal, end, game, states, strengths, regret, learning, sizers, chips, play, edge, queue, values, pull, slope):
    """Values to player 0, regrets and slopes of the nodes visited, last first."""
    nodes, fraction, _stack = game
    for place in range(end - 1, -1, -1):
        node = queue[place]
        actions, p = nodes[node, CHILDREN], nodes[node, PLAYER]
        if actions == 0:
            outcome = _outcome(nodes, node, deal, strengths)
            loser = 1 - p if nodes[node, KIND] == FOLD else 0
            values[node] = outcome * chips[node, loser]
            pull[node, 1 - loser] = 0.0
            pull[node, loser] = play[node, 0] * play[node, 1] * outcome
            continue
        first = nodes[node, FIRST]
        value = 0.0
        for child in range(first, first + actions):
            if play[child, 0] > 0.0 or play[child, 1] > 0.0:
                value += edge[child] * values[child]
            else:
                values[child] = pull[child, 0] = pull[child, 1] = 0.0
        values[node] = value
        if learning:
            at = nodes[node, OFFSET] + actions * states[deal, nodes[node, ROUND], p]
            weight = play[node, 1 - p] if p == 0 else -play[node, 1 - p]
            for a in range(actions):
                regret[at + a] += weight * (values[first + a] - value)
        if play[node, 0] > 0.0 and play[node, 1] > 0.0:
            _pull_up(nodes, node, fraction, sizers, chips, pull, slope)
        else:
            pull[node, 0] = pull[node, 1] = 0.0


@njit(cache=True, nogil=True)
def sampled(first, horizon, rule, game, bets, states, strengths, regret, average, sizers, chips):
    """BETS by chance sampling (algorithm 1), one iteration per deal, both players and all bet-sizing players at once.

    first : number of the first iteration, from 1;  bets : int64[m], the nodes after the sized bets
    """
    n, m = len(game[0]), len(sizers)
    play, edge, values = np.ones((n, 2)), np.empty(n), np.empty(n)
    queue, pull = np.empty(n, np.int64), np.empty((n, 2))
    slope = np.zeros(m)
    for deal in range(len(states)):
        play[bets] = 0.0
        slope[:] = 0.0
        end = _go_down(deal, game, states, regret, True, average, sizers, chips, play, edge, queue)
        _go_up(deal, end, game, states, strengths, regret, True, sizers, chips, play, edge, queue, values, pull, slope)
        for i in range(m):
            _move(first + deal, 1.0, horizon, rule, sizers, i, slope[i], play[bets[i], 0] * play[bets[i], 1])


@njit(cache=True, nogil=True)
def weigh(game, bets, states, strengths, sigma, sizers, chips, importance, found):
    """What a fixed profile wins on each deal, float64[deals] in `found`, exact over the betting.

    importance : float64[m] gets the sum over deals of |d value / d size|, absolute value by absolute value
    """
    n, m = len(game[0]), len(sizers)
    play, edge, values = np.ones((n, 2)), np.empty(n), np.empty(n)
    queue, pull = np.empty(n, np.int64), np.empty((n, 2))
    slope = np.zeros(m)
    none = np.empty(0)
    for deal in range(len(states)):
        slope[:] = 0.0
        end = _go_down(deal, game, states, sigma, False, none, sizers, chips, play, edge, queue)
        _go_up(deal, end, game, states, strengths, none, False, sizers, chips, play, edge, queue, values, pull, slope)
        found[deal] = values[0]
        for i in range(m):
            importance[i] += abs(slope[i])

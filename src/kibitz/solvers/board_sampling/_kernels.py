"""Counterfactual regrets of both players on one full board, with vectors over the 1,081 hands that it leaves.

Vectors have the hands weakest first, so that a showdown of all hands against all is a walk up their strengths. The walk
goes depth first and keeps a vector for each depth only. Regrets and strategies are matched and summed for the buckets
that the board's hands have, numbered from 0 in each round.

The hand ends after a decision by a fold or by a call. What both ends are worth to both players takes three vectors of
reach: that of the player who does not act, and that of the actor after each end. They stand in LANES side by side, and
so do their running sums.

tree  = (nodes, chips, visits, after): see `BoardGame.tree`
cards, ends of a board: see `Ranked`
regret, average : float64[size]   entry (state, action) of a node is OFFSET + state * actions + action
work  = (numbers, local, found, counts, reach, values, shares, gains, masses, rows, live, lanes, shown, sums), scratch
of one thread:
    numbers : int32[states]                 -1, the number of a bucket while they are counted
    local   : int32[rounds, 2, hands]       the number of each hand's bucket, by round and player
    found   : int32[rounds, 2, hands]       the buckets by number, and `counts` : int64[rounds, 2], how many
    reach   : float64[depths, 2, hands]     each player's own probability of playing to here, in row rows[depth, player]
    values  : float64[depths, 2, hands]     counterfactual values, still to be divided by the number of pairs of hands
    shares  : float64[depths, actions, hands]  the strategy at the node of that depth, by number of bucket
    gains   : float64[depths, actions, hands]  values of its actions, summed over the hands of each bucket
    masses  : float64[hands]                reach summed over the hands of each bucket
    rows    : int64[depths, 2]
    live    : bool[depths, 2]               whether any of a player's hands gets here; else the other's values are 0
    lanes   : float64[hands * LANES]        vectors of reach, later the reach that one's own hand can meet
    shown   : float64[hands * LANES]        the reach of weaker hands less that of stronger ones
    sums    : float64[52 * LANES]           of hands by card
told  : float64[nodes, 3], or nothing   see `_tell`
"""

import numpy as np
from numba import float64

from kibitz.compiling import njit
from kibitz.lanes._kernels import count_hand, loader, others, store, zeros
from kibitz.solvers._kernels import match
from kibitz.solvers.compiled.boards import ACTION, DEPTH, FOLDING, HANDS, LANES, SHOWING
from kibitz.tree.columns import CHILDREN, OFFSET, PLAYER, ROUND

PAIRS = 1081.0 * 990.0
OTHER, FOLDED, CALLED = 0, 1, 2  # lanes
_load, _zero = loader(LANES), zeros(float64, LANES)


@njit
def _number(states, numbers, local, found):
    """Number the buckets of one round and player as they are met; return how many there are."""
    count = 0
    for h in range(HANDS):
        state = states[h]
        if numbers[state] < 0:
            numbers[state] = count
            found[count] = state
            count += 1
        local[h] = numbers[state]
    for k in range(count):
        numbers[found[k]] = -1
    return count


@njit
def _match(begin, actions, count, found, regret, shares, gains):
    """The strategy of every bucket from its regrets; clear the gains."""
    flat = shares.reshape(-1)
    for k in range(count):
        match(regret, begin + found[k] * actions, 1, actions, flat, k, HANDS)
    gains[:actions, :count] = 0.0


@njit
def _pass_on(source, share, local, to):
    """The reach of the player who acted; return whether any hand is left."""
    found = False
    for h in range(HANDS):
        to[h] = source[h] * share[local[h]]
        found |= to[h] > 0.0
    return found


@njit
def _climb(cards, ends, lanes, shown, sums):
    """What all hands can meet, in lanes, and how much more of it is weaker than stronger, in shown.

    Weaker hands are those before the group of equal ones, stronger all but those up to its end. One's own hand is in
    the sums of both its cards.
    """
    sums[:] = 0.0
    start, everything = 0, _zero()
    for group in range(len(ends)):
        end = np.int64(ends[group])
        for h in range(start, end):
            one, two = np.int64(cards[h, 0]) * LANES, np.int64(cards[h, 1]) * LANES
            store(shown, h * LANES, others(everything, sums, one, two))
        for h in range(start, end):
            one, two = np.int64(cards[h, 0]) * LANES, np.int64(cards[h, 1]) * LANES
            hand = _load(lanes, h * LANES)
            count_hand(hand, sums, one, two)
            everything = everything + hand
        for h in range(start, end):
            one, two = np.int64(cards[h, 0]) * LANES, np.int64(cards[h, 1]) * LANES
            store(shown, h * LANES, _load(shown, h * LANES) + others(everything, sums, one, two))
        start = end
    for h in range(HANDS):
        at, one, two = h * LANES, np.int64(cards[h, 0]) * LANES, np.int64(cards[h, 1]) * LANES
        met = others(everything, sums, one, two)
        store(shown, at, _load(shown, at) - met)
        store(lanes, at, _load(lanes, at) + met)


@njit
def _meet(cards, lanes, sums):
    """As `_climb` where there is no showdown: what all hands can meet, in lanes."""
    sums[:] = 0.0
    everything = _zero()
    for h in range(HANDS):
        one, two = np.int64(cards[h, 0]) * LANES, np.int64(cards[h, 1]) * LANES
        hand = _load(lanes, h * LANES)
        count_hand(hand, sums, one, two)
        everything = everything + hand
    for h in range(HANDS):
        at, one, two = h * LANES, np.int64(cards[h, 0]) * LANES, np.int64(cards[h, 1]) * LANES
        store(lanes, at, _load(lanes, at) + others(everything, sums, one, two))


@njit
def _fill(local, mine, theirs, fold, call, lanes):
    """The lanes, of shares by bucket."""
    for h in range(HANDS):
        k = local[h]
        lanes[h * LANES + OTHER] = theirs[h]
        lanes[h * LANES + FOLDED] = mine[h] * fold[k]
        lanes[h * LANES + CALLED] = mine[h] * call[k]


@njit
def _collect(local, lost, won, fold, call, fold_gain, call_gain, lanes, shown, mine, theirs):
    """Set the values of a node to those of its ends: the actor loses `lost` when he folds, `won` is the showdown's."""
    for h in range(HANDS):
        k, at = local[h], h * LANES
        folds, calls = -lost * lanes[at + OTHER], won * shown[at + OTHER]
        fold_gain[k] += folds
        call_gain[k] += calls
        mine[h] = fold[k] * folds + call[k] * calls
        theirs[h] = lost * lanes[at + FOLDED] + won * shown[at + CALLED]


@njit
def _tell(theirs, lanes, shown, told):
    """How likely the hand ends by this node's fold and showdown, and what he who does not act wins there per chip."""
    folded, met, won = 0.0, 0.0, 0.0
    for h in range(HANDS):
        at = h * LANES
        folded += theirs[h] * lanes[at + FOLDED]
        met += theirs[h] * lanes[at + CALLED]
        won += theirs[h] * shown[at + CALLED]
    told[0], told[1], told[2] = folded / PAIRS, met / PAIRS, won / PAIRS


@njit
def _end(node, tree, cards, ends, work, told):
    """The values of a node as far as the hand ends right after it, for both players."""
    nodes, chips = tree[0], tree[1]
    local, reach, values, shares, gains, rows = work[1], work[4], work[5], work[6], work[7], work[9]
    lanes, shown, sums = work[11], work[12], work[13]
    p, depth = nodes[node, PLAYER], nodes[node, DEPTH]
    fold, call = nodes[node, FOLDING], nodes[node, SHOWING]
    if fold < 0 and call < 0:
        values[depth] = 0.0
        return
    # An end that is not there has no chips: any action may stand for it.
    fold, call = max(fold, 0), max(call, 0)
    mine, theirs, numbers = reach[rows[depth, p], p], reach[rows[depth, 1 - p], 1 - p], local[nodes[node, ROUND], p]
    _fill(numbers, mine, theirs, shares[depth, fold], shares[depth, call], lanes)
    if nodes[node, SHOWING] >= 0:
        _climb(cards, ends, lanes, shown, sums)
    else:
        _meet(cards, lanes, sums)
    _collect(
        numbers, chips[node, 0], chips[node, 1], shares[depth, fold], shares[depth, call], gains[depth, fold],
        gains[depth, call], lanes, shown, values[depth, p], values[depth, 1 - p],
    )  # fmt: skip
    if len(told) > 0:
        _tell(theirs, lanes, shown, told[node])


@njit
def _add_gain(values, share, local, to, gain):
    """An action's values to the values of its node, and to the sums by bucket."""
    for h in range(HANDS):
        to[h] += share[local[h]] * values[h]
        gain[local[h]] += values[h]


@njit
def _add(values, to):
    for h in range(HANDS):
        to[h] += values[h]


@njit
def _report(node, nodes, above, work):
    """Hand the values of a node up to the one above it."""
    local, values, shares, gains, live = work[1], work[5], work[6], work[7], work[10]
    depth, action = nodes[node, DEPTH], nodes[node, ACTION]
    actor, r = nodes[above, PLAYER], nodes[above, ROUND]
    for p in range(2):
        if not live[depth, 1 - p]:
            continue
        if p == actor:
            to, gain = values[depth - 1, p], gains[depth - 1, action]
            _add_gain(values[depth, p], shares[depth - 1, action], local[r, p], to, gain)
        else:
            _add(values[depth, p], values[depth - 1, p])


@njit
def _learn_buckets(begin, actions, count, found, weight, shares, gains, masses, regret, average):
    """Add to regrets and average of some buckets.

    The hands of a bucket play alike: so the sum of their values is that of the gains, by the shares.
    """
    for k in range(count):
        at, value, mass = begin + found[k] * actions, 0.0, weight / HANDS * masses[k]
        for a in range(actions):
            value += shares[a, k] * gains[a, k]
        for a in range(actions):
            regret[at + a] += weight / PAIRS * (gains[a, k] - value)
            average[at + a] += mass * shares[a, k]


@njit
def _learn(node, nodes, weight, regret, average, work):
    """Add to regrets and average of the player at a node whose actions all have their values."""
    _numbers, local, found, counts, reach, _values, shares, gains, masses, rows, live = work[:11]
    p, r, actions = nodes[node, PLAYER], nodes[node, ROUND], nodes[node, CHILDREN]
    depth, begin, count = nodes[node, DEPTH], nodes[node, OFFSET], counts[r, p]
    masses[:count] = 0.0
    if live[depth, p]:
        mine, numbers = reach[rows[depth, p], p], local[r, p]
        for h in range(HANDS):
            masses[numbers[h]] += mine[h]
    sums = (shares[depth], gains[depth], masses, regret, average)
    _learn_buckets(begin, actions, count, found[r, p], weight, *sums)


@njit
def _arrive(node, nodes, above, work):
    """Pass the reach of both players on to a node; return whether anybody gets there."""
    local, reach, shares, rows, live = work[1], work[4], work[6], work[9], work[10]
    depth, actor, r = nodes[node, DEPTH], nodes[above, PLAYER], nodes[above, ROUND]
    for p in range(2):
        rows[depth, p], live[depth, p] = rows[depth - 1, p], live[depth - 1, p]
    if live[depth, actor]:
        share = shares[depth - 1, nodes[node, ACTION]]
        live[depth, actor] = _pass_on(reach[rows[depth, actor], actor], share, local[r, actor], reach[depth, actor])
        rows[depth, actor] = depth
    return live[depth, 0] or live[depth, 1]


def walker(enter, leave):
    """walk(weight, tree, cards, ends, path, work, told, given): all decisions of the betting, depth first.

    path[depth] is the decision that the walk is in. enter(node, nodes, work, given) finds the strategy there;
    leave(node, nodes, weight, work, given) learns from the values of its actions.
    """

    @njit
    def walk(weight, tree, cards, ends, path, work, told, given):
        nodes, _chips, visits, after = tree
        visit = 0
        while visit < len(visits):
            entered = visits[visit]
            node = entered if entered >= 0 else -1 - entered
            depth = nodes[node, DEPTH]
            above = path[max(depth - 1, 0)]
            if entered < 0:
                leave(node, nodes, weight, work, given)
                if depth > 0:
                    _report(node, nodes, above, work)
            elif depth > 0 and not _arrive(node, nodes, above, work):
                visit = after[visit]
                continue
            else:
                enter(node, nodes, work, given)
                _end(node, tree, cards, ends, work, told)
                path[depth] = node
            visit += 1

    return walk


@njit
def _enter(node, nodes, work, given):
    """The strategy at a node by regret matching."""
    found, counts, shares, gains = work[2], work[3], work[6], work[7]
    p, r, actions, depth = nodes[node, PLAYER], nodes[node, ROUND], nodes[node, CHILDREN], nodes[node, DEPTH]
    _match(nodes[node, OFFSET], actions, counts[r, p], found[r, p], given[0], shares[depth], gains[depth])


@njit
def _leave(node, nodes, weight, work, given):
    _learn(node, nodes, weight, given[0], given[1], work)


_walk = walker(_enter, _leave)


@njit(cache=True, nogil=True)
def iterate(first, linear, tree, ranked, regret, average, work, told):
    """Iterations first, first + 1, ..., one on each of the boards `ranked`: see `Ranked`; `told` is of the last."""
    cards, ends, groups, states = ranked
    numbers, local, found, counts = work[0], work[1], work[2], work[3]
    path = np.zeros(len(work[9]), np.int64)
    for m in range(len(cards)):
        for r in range(len(counts)):
            for p in range(2):
                counts[r, p] = _number(states[m, r, p], numbers, local[r, p], found[r, p])
        weight = float(first + m + 1) if linear else 1.0
        told[:] = 0.0
        _walk(weight, tree, cards[m], ends[m, : groups[m]], path, work, told, (regret, average))

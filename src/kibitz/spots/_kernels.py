"""Passes over betting trees on enumerated boards, with vectors of hands: regrets, best responses, values.

Each round is a forest: a tree for every betting sequence that reaches it. It is walked once per board, in *units* of
some trees. `SpotGame` explains the tables, which are the tuple `form`. What the kernels work on besides:

source, regret, average : [size]   a block of the round's nodes per board: entry (action, state) of a node is the
                                   board's SUMS + the node's OFFSET + action * width + state
edges = (edge, below), what boards are worth to the player:
    edge  : [...]   every board of the second round, [board, tree, width]
    below : [...]   the boards of the third round together, for every board of the second, [board, tree, width]
work = (sigma, reach, values, totals, rows, sums, shown, folded), scratch of one thread:
    sigma  : [...]      the player's strategy, at SIGMA + action * width + state; the opponent's last decision at 0
    reach  : [2, ...]   a player's own probability of playing to here, times the weight of the hand; at SLOT
    values : [...]      the player's counterfactual values: weighted by chance and the other's reach; at PLACE

Leaves are summed for LANES reach rows of the opponent at once. With hands down and rows across, the running sums, one
per card and one for all, are vectors, and a showdown of all hands against all is a walk up their strengths. The rows
are turned for that, and the values turned back.

The numbers have the type of `work`; the sums may have another. Positions are never negative, and the kernels say so:
see `kibitz.solvers._kernels`.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.deals.board import LANES
from kibitz.lanes._kernels import count_hand, loader, others, store, turner
from kibitz.parallel.team._kernels import add, meet, take
from kibitz.solvers._kernels import add_average, add_regrets, match_long_rows, pass_on
from kibitz.spots.compiled import BEST, LEARN, PLACE, SIGMA, SLOT, VALUE
from kibitz.tree.columns import CHILDREN, DECISION, FIRST, KIND, OFFSET, PLAYER

ALL = 52 * LANES  # the running sum of all hands stands behind those of the cards

# Columns; those that end in + player have one for each of the two.
LINES, LINES_END, ROOTS, ROOTS_END, TERMS, SLOTS, BEGIN, SHOW, FALL = (
    0,
    1,
    2,
    3,
    4,
    6,
    8,
    10,
    12,
)  # units; from TERMS on
COUNT, STATES, COPY, ABOVE, BELOW, BELOW_END, COPIES, GROUP, GROUPS, SUMS = 0, 2, 4, 6, 7, 8, 9, 10, 11, 12  # boards
WIDTH, UNITS, UNITS_END, BOARDS, TREES = 0, 2, 3, 4, 5  # rounds; WIDTH + player
_load, _turn = loader(LANES), turner(LANES)


@njit
def _turn_rows(blocks, to, i, to_stride, to_step, source, j, stride, step):
    """Transpose some blocks, which follow each other in steps."""
    for k in range(blocks):
        _turn(to, i + k * to_step, to_stride, source, j + k * step, stride)


@njit
def _fetch(compiled, work, r, b, u, q):
    """Give the trees of a unit player q's reach, from the board above."""
    rounds, boards, units, nodes, roots, _hands, _same, copies, _ends, _chips = compiled
    reach = work[1]
    width, begin = rounds[r, WIDTH + q], boards[b, COPY + q]
    for root in range(units[u, ROOTS], units[u, ROOTS_END]):
        to, at = nodes[roots[root, 0], SLOT + q], nodes[roots[root, 1], SLOT + q]
        if to < 0 or at < 0 or begin < 0:
            return
        for s in range(width):
            reach[q, to + s] = reach[q, at + copies[q, begin + s]]


@njit
def _down(compiled, work, r, b, u, p, job, source):
    """Match the source over a unit and pass reach on: the opponent's always, player p's own only to learn."""
    rounds, boards, units, nodes = compiled[0], compiled[1], compiled[2], compiled[3]
    sigma, reach, totals = work[0], work[1], work[3]
    for line in range(units[u, LINES], units[u, LINES_END]):
        q = nodes[line, PLAYER]
        if nodes[line, KIND] != DECISION or (q == p and job == BEST):
            continue
        width, actions = rounds[r, WIDTH + q], nodes[line, CHILDREN]
        at = nodes[line, SIGMA] if q == p else 0  # the opponent's is not needed again: less memory to go through
        begin = boards[b, SUMS] + nodes[line, OFFSET]
        match_long_rows(begin, at, actions, width, source, sigma, totals)
        if q != p or job == LEARN:
            mine, rows = nodes[line, SLOT + q], reach[q]
            for a in range(actions):
                pass_on(mine, nodes[nodes[line, FIRST] + a, SLOT + q], at + a * width, width, rows, sigma)


@njit
def _count_hands(first, end, at, hands, rows, sums):
    """Add hands first .. end of the opponent, whose states begin at `at`, to the running sums."""
    for j in range(first, end):
        hand = _load(rows, j * LANES)
        store(sums, ALL, _load(sums, ALL) + hand)
        count_hand(hand, sums, np.int64(hands[at + j, 0]) * LANES, np.int64(hands[at + j, 1]) * LANES)


@njit
def _climb(b, p, term, boards, hands, same, ends, chips, rows, sums, shown):
    """Showdown values by strength: the hands below each hand count chips[0], those below or equal chips[1]."""
    i, j = np.int64(0), np.int64(0)
    mine = boards[b, STATES + p]
    own, twins, less, equal = hands[p], same[p], chips[p, 0], chips[p, 1]
    for g in range(boards[b, GROUP], boards[b, GROUP] + boards[b, GROUPS]):
        end = np.int64(ends[g, p])
        for s in range(i, end):
            one, two = np.int64(own[mine + s, 0]) * LANES, np.int64(own[mine + s, 1]) * LANES
            store(shown, s * LANES, others(_load(sums, ALL), sums, one, two) * _load(less, term))
        _count_hands(j, np.int64(ends[g, 1 - p]), boards[b, STATES + 1 - p], hands[1 - p], rows, sums)
        for s in range(i, end):
            one, two = np.int64(own[mine + s, 0]) * LANES, np.int64(own[mine + s, 1]) * LANES
            met = others(_load(sums, ALL), sums, one, two) + _load(rows, np.int64(twins[mine + s]) * LANES)
            store(shown, s * LANES, met * _load(equal, term) + _load(shown, s * LANES))
        i, j = end, np.int64(ends[g, 1 - p])


@njit
def _leaves(compiled, work, r, b, u, p):
    """Values of the ends of a unit to player p."""
    rounds, boards, units, _nodes, _roots, hands, same, _copies, ends, chips = compiled
    _sigma, reach, values, _totals, rows, sums, shown, folded = work
    o = 1 - p
    width, wide = rounds[r, WIDTH + p], rounds[r, WIDTH + o]
    zero = values.dtype.type(0)
    nought, step, square = np.int64(0), np.int64(LANES), np.int64(LANES * LANES)  # no literals, see `_branch`
    theirs, own, twins, all_shown, all_folded = reach[o], hands[p], same[p], chips[p, 2], chips[p, 3]
    mine, count, ranked = boards[b, STATES + p], boards[b, COUNT + p], boards[b, GROUPS] > 0
    for slot in range(0, units[u, SLOTS + o], LANES):
        term = units[u, TERMS + o] + slot
        begin = units[u, BEGIN + o] + slot * wide
        _turn_rows(wide // LANES, rows, nought, step, square, theirs, begin, wide, step)
        sums[:] = zero
        shown[count * LANES : width * LANES] = zero
        folded[count * LANES : width * LANES] = zero
        if ranked:
            _climb(b, p, term, boards, hands, same, ends, chips, rows, sums, shown)
        else:
            _count_hands(nought, boards[b, COUNT + o], boards[b, STATES + o], hands[o], rows, sums)
        for s in range(count):
            one, two = np.int64(own[mine + s, 0]) * LANES, np.int64(own[mine + s, 1]) * LANES
            met = others(_load(sums, ALL), sums, one, two) + _load(rows, np.int64(twins[mine + s]) * LANES)
            store(shown, s * LANES, met * _load(all_shown, term) + _load(shown, s * LANES))
            store(folded, s * LANES, met * _load(all_folded, term))
        to = units[u, FALL + p] + slot * width
        _turn_rows(width // LANES, values, to, width, step, folded, nought, step, square)
        if ranked:
            to = units[u, SHOW + p] + slot * width
            _turn_rows(width // LANES, values, to, width, step, shown, nought, step, square)


@njit
def _mix(place, up, at, fresh, width, sigma, values):
    """Add an action's values, times its probabilities, to those of its node."""
    zero = values.dtype.type(0)
    if place < 0 or up < 0 or at < 0:
        return
    for s in range(width):
        before = zero if fresh else values[place + s]
        values[place + s] = before + sigma[at + s] * values[up + s]


@njit
def _join(place, up, best, fresh, width, values):
    """Add an action's values to those of its node, or keep the better of both."""
    if place < 0 or up < 0:
        return
    if fresh:
        for s in range(width):
            values[place + s] = values[up + s]
    elif best:
        for s in range(width):
            values[place + s] = max(values[place + s], values[up + s])
    else:
        for s in range(width):
            values[place + s] += values[up + s]


@njit
def _learn(compiled, work, values, r, b, line, p, regret, average, rule):
    """Add the regrets and the strategy of an own decision; `values` may be another thread's."""
    rounds, boards, nodes = compiled[0], compiled[1], compiled[3]
    sigma, reach = work[0], work[1][p]
    width, place, first = rounds[r, WIDTH + p], nodes[line, PLACE + p], nodes[line, FIRST]
    for a in range(nodes[line, CHILDREN]):
        begin, at = boards[b, SUMS] + nodes[line, OFFSET] + a * width, nodes[line, SIGMA] + a * width
        add_regrets(begin, place, nodes[first + a, PLACE + p], width, values, regret, rule)
        add_average(begin, nodes[line, SLOT + p], at, rule[2], width, reach, sigma, average)


@njit
def _up(compiled, work, r, b, u, p, job, regret, average, rule):
    """Values of player p over the decisions of a unit, last first; the ends and the cards to come have theirs."""
    rounds, units, nodes = compiled[0], compiled[2], compiled[3]
    sigma, values = work[0], work[2]
    width = rounds[r, WIDTH + p]
    for line in range(units[u, LINES_END] - 1, units[u, LINES] - 1, -1):
        if nodes[line, KIND] != DECISION:
            continue
        place, first, own = nodes[line, PLACE + p], nodes[line, FIRST], nodes[line, PLAYER] == p
        for a in range(nodes[line, CHILDREN]):
            up, at = nodes[first + a, PLACE + p], nodes[line, SIGMA] + a * width
            if own and job != BEST:
                _mix(place, up, at, a == 0, width, sigma, values)
            else:
                _join(place, up, own, a == 0, width, values)
        if own and job == LEARN:
            _learn(compiled, work, values, r, b, line, p, regret, average, rule)


@njit
def _settle(compiled, r, b, root, p, values, at, chances):
    """Add a tree's values, from `at` on, to those of the chance node it follows, for every board that b stands for."""
    rounds, boards, _units, nodes, roots, _hands, _same, copies, _ends, _chips = compiled
    place, width = nodes[roots[root, 1], PLACE + p], rounds[r, WIDTH + p]
    for copy in range(boards[b, COPIES]):
        begin = boards[b, COPY + p] + copy * width
        if place < 0 or begin < 0 or at < 0:
            return
        for s in range(boards[b, COUNT + p]):
            chances[place + copies[p, begin + s]] += values[at + s]


@njit
def _clear(compiled, root, r, p, values):
    """Nothing yet in the chance node, of round r, that a tree follows."""
    place, width = compiled[3][compiled[4][root, 1], PLACE + p], compiled[0][r, WIDTH + p]
    values[place : place + width] = values.dtype.type(0)


@njit
def _copy(values, at, to, begin, width):
    if at < 0 or begin < 0:
        return
    for s in range(width):
        to[begin + s] = values[at + s]


@njit
def _enter(compiled, work, r, b, u, p, job, source):
    """A unit on a board below another: reach."""
    _fetch(compiled, work, r, b, u, 1 - p)
    if job == LEARN:
        _fetch(compiled, work, r, b, u, p)
    _down(compiled, work, r, b, u, p, job, source)


@njit
def _last_round(compiled, work, r, b, u, p, job, source, regret, average, rule):
    """A unit of the last round on a board: reach, ends, values."""
    _enter(compiled, work, r, b, u, p, job, source)
    _leaves(compiled, work, r, b, u, p)
    _up(compiled, work, r, b, u, p, job, regret, average, rule)


@njit
def _branch(compiled, work, where, p, job, source, regret, average, rule, edges):
    """Units first .. end of the last round on all boards that follow b, or on `only`; where = (b, only, first, end).

    Fills their part of the last of `edges`.
    """
    rounds, boards, units, nodes, roots = compiled[0], compiled[1], compiled[2], compiled[3], compiled[4]
    values = work[2]
    second, third = np.int64(1), np.int64(2)  # no literals: numba would compile the functions once for each
    b, only, first, end = where
    last = len(rounds) - 1
    trees, width, root = rounds[last, TREES], rounds[1, WIDTH + p], units[rounds[last, UNITS], ROOTS]
    base = (b - rounds[1, BOARDS]) * trees - root
    if len(rounds) == 2:
        for u in range(first, end):
            _last_round(compiled, work, second, b, u, p, job, source, regret, average, rule)
            for tree in range(units[u, ROOTS], units[u, ROOTS_END]):
                _copy(values, nodes[roots[tree, 0], PLACE + p], edges[0], (base + tree) * width, width)
        return
    _enter(compiled, work, second, b, rounds[1, UNITS], p, job, source)
    for tree in range(units[first, ROOTS], units[end - 1, ROOTS_END]):
        _clear(compiled, tree, second, p, values)
    for c in range(boards[b, BELOW], boards[b, BELOW_END]):
        if only >= 0 and only != c:
            continue
        for v in range(first, end):
            _last_round(compiled, work, third, c, v, p, job, source, regret, average, rule)
            for tree in range(units[v, ROOTS], units[v, ROOTS_END]):
                _settle(compiled, third, c, tree, p, values, nodes[roots[tree, 0], PLACE + p], values)
    for tree in range(units[first, ROOTS], units[end - 1, ROOTS_END]):
        _copy(values, nodes[roots[tree, 1], PLACE + p], edges[1], (base + tree) * width, width)


@njit
def _finish_branch(compiled, work, b, p, job, regret, average, rule, edges):
    """The second of three rounds on board b, once all units of the last have filled their part of the edge below."""
    rounds, units, nodes, roots = compiled[0], compiled[2], compiled[3], compiled[4]
    values, second = work[2], np.int64(1)
    u, width = rounds[1, UNITS], rounds[1, WIDTH + p]
    _leaves(compiled, work, second, b, u, p)
    base = (b - rounds[1, BOARDS]) * rounds[2, TREES] - units[rounds[2, UNITS], ROOTS]
    for tree in range(units[rounds[2, UNITS], ROOTS], units[rounds[2, UNITS_END] - 1, ROOTS_END]):
        _copy(edges[1], (base + tree) * width, values, nodes[roots[tree, 1], PLACE + p], width)
    _up(compiled, work, second, b, u, p, job, regret, average, rule)
    base = (b - rounds[1, BOARDS]) * rounds[1, TREES] - units[u, ROOTS]
    for tree in range(units[u, ROOTS], units[u, ROOTS_END]):
        _copy(values, nodes[roots[tree, 0], PLACE + p], edges[0], (base + tree) * width, width)


@njit
def _branches(team, compiled, work, p, job, source, regret, average, rule, edges):
    """All boards of the second round, each in `groups` tasks, which share out the units of the last."""
    control, done, _me, _size, groups = team
    rounds = compiled[0]
    last = len(rounds) - 1
    begin, count = rounds[last, UNITS], rounds[last, UNITS_END] - rounds[last, UNITS]
    boards = compiled[1][0, BELOW_END] - compiled[1][0, BELOW]
    while True:
        task = take(control, boards * groups)
        if task < 0:
            return
        b, group = compiled[1][0, BELOW] + task // groups, task % groups
        where = (b, np.int64(-1), begin + group * count // groups, begin + (group + 1) * count // groups)
        _branch(compiled, work, where, p, job, source, regret, average, rule, edges)
        if last == 2 and add(done, task // groups, 1) == groups - 1:
            done[task // groups] = 0
            _finish_branch(compiled, work, b, p, job, regret, average, rule, edges)


@njit
def _settle_trunk(team, compiled, p, edge, values):
    """Sum what the boards of the second round are worth, the trees shared out among the members."""
    rounds, boards, units = compiled[0], compiled[1], compiled[2]
    second, root, trees = np.int64(1), units[rounds[1, UNITS], ROOTS], rounds[1, TREES]
    for tree in range(team[2], trees, team[3]):
        _clear(compiled, root + tree, np.int64(0), p, values)
        for b in range(boards[0, BELOW], boards[0, BELOW_END]):
            at = ((b - rounds[1, BOARDS]) * trees + tree) * rounds[1, WIDTH + p]
            _settle(compiled, second, b, root + tree, p, edge, at, values)


@njit
def _walk(team, compiled, work, trunk, p, job, source, regret, average, rule, edges):
    """All boards for player p; False where the team must stop.

    Every member passes reach down the first round in its own scratch; its values stand in `trunk`, the first member's.
    """
    control, _done, me, size, _groups = team
    units, nodes = compiled[2], compiled[3]
    first = np.int64(0)
    _down(compiled, work, first, first, first, p, job, source)
    if me == 0:
        _leaves(compiled, work, first, first, first, p)
    if len(compiled[0]) > 1:
        _branches(team, compiled, work, p, job, source, regret, average, rule, edges)
        if not meet(control, size):
            return False
        _settle_trunk(team, compiled, p, edges[0], trunk)
        if not meet(control, size):
            return False
    if me == 0:
        _up(compiled, work, first, first, first, p, VALUE if job == LEARN else job, regret, average, rule)
    if not meet(control, size):
        return False
    if job == LEARN:
        for line in range(units[0, LINES] + me, units[0, LINES_END], size):
            if nodes[line, KIND] == DECISION and nodes[line, PLAYER] == p:
                _learn(compiled, work, trunk, first, first, line, p, regret, average, rule)
    return meet(control, size)


@njit(cache=True, nogil=True)
def run_river(compiled, work, p, job, source, regret, average, rules):
    """`run` where there is one board and no card to come: a river waits for half as much to be compiled."""
    first = np.int64(0)
    for step in range(len(rules) if p >= 0 else 2 * len(rules)):
        q = p if p >= 0 else step % 2
        _down(compiled, work, first, first, first, q, job, source)
        _leaves(compiled, work, first, first, first, q)
        _up(compiled, work, first, first, first, q, job, regret, average, rules[step if p >= 0 else step // 2])


@njit(cache=True, nogil=True)
def run(team, compiled, work, trunk, where, p, job, source, regret, average, rules, edges):
    """As many walks as there are rules for player p, or for both in turn where p = -1; or a branch, see `where`.

    team = (control, done, member, members, groups), see `kibitz.parallel.team`; done : int64[boards of the 2nd round]
    where = (board, board below or -1, units from, to), on which only those parts of a walk are repeated, or board -1
    There is one kernel for all of this but rivers, or each would compile what they share.
    """
    if where[0] >= 0:
        _branch(compiled, work, where, p, job, source, regret, average, rules[0], edges)
        if len(compiled[0]) == 3 and where[1] < 0:
            _finish_branch(compiled, work, where[0], p, job, regret, average, rules[0], edges)
        return
    for step in range(len(rules) if p >= 0 else 2 * len(rules)):
        q = p if p >= 0 else step % 2
        rule = rules[step if p >= 0 else step // 2]
        if not _walk(team, compiled, work, trunk, q, job, source, regret, average, rule, edges):
            return


@njit(cache=True, nogil=True)
def add_shares(values, order, cards, weights, shares, met):
    """What hands win of a pot against weighted hands, added up over full boards.

    values      : int32[boards, hands], -1 where board and hand share a card
    order       : int16[boards, hands], hands by value, the lowest first
    cards       : uint8[hands, 2]
    weights     : float64[hands], of the opponent's hands
    shares, met : float64[hands], filled: the weight that is beaten, ties by half, and the weight that is met
    """
    below = np.empty(53)  # of the hands with each card that stand lower, and of all of them
    for b in range(len(values)):
        below[:] = 0.0
        first = 0
        while first < len(cards) and values[b, order[b, first]] < 0:
            first += 1
        begin = first
        while first < len(cards):
            end = first
            while end < len(cards) and values[b, order[b, end]] == values[b, order[b, first]]:
                h = order[b, end]
                shares[h] += 0.5 * (below[52] - below[cards[h, 0]] - below[cards[h, 1]])
                end += 1
            for i in range(first, end):
                h = order[b, i]
                below[cards[h, 0]] += weights[h]
                below[cards[h, 1]] += weights[h]
                below[52] += weights[h]
            for i in range(first, end):  # a hand was taken off twice, once for each of its cards
                h = order[b, i]
                shares[h] += 0.5 * (below[52] - below[cards[h, 0]] - below[cards[h, 1]] + weights[h])
            first = end
        for i in range(begin, len(cards)):
            h = order[b, i]
            met[h] += below[52] - below[cards[h, 0]] - below[cards[h, 1]] + weights[h]

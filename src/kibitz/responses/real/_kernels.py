"""Best responses and values over all hands of a board: sums by strength with card removal, O(hands) for a row.

Rows (see `rows`) stand in LANES side by side, hands below each other: with hands down and rows across, the running sums
of the opponent's hands, one per card and one for all, are vectors. What comes out is turned, so that the betting above
works on vectors of hands.

form    = (table, tree, chips, answers, ends, first, units) of a round: see `RoundGame`
order   : int32[4, hands]   the hands that a board leaves, weakest first on the last round: place among all hands looked
                            at, both cards and the opponent's card state, each times LANES
groups  : int32[g]          where hands of equal strength end in that order
entering, values : float32  vectors of hands by tree of a round, [trees, width]: the probability with which the opponent
                            plays to the tree, and what the tree is worth to the responder, the probabilities of the
                            opponent's hands multiplied in
work    = (stack, entered, reached, sums, shown, worth, lines), scratch of one thread:
    stack   : [LANES, width]  rows before they are turned      entered : [chunks, width, LANES]  the same turned
    reached : [hands, LANES]  the opponent's hands in order    sums    : [52, LANES]  of hands by card
    shown   : [hands, LANES]  showdowns                        worth   : [width, LANES]  rows' values
    lines   : [lanes, width]  rows' values turned

Positions are never negative, and the kernels say so (`if at < 0: return`): a compiler that cannot rule out Python's
wrap-around indexing does not vectorise.
"""

import numpy as np
from numba import float32

from kibitz.compiling import njit
from kibitz.lanes._kernels import better, comparer, loader, meeter, store, total, turner, zeros

LANES = 16
PLACE, STATE = 0, 3  # rows of an order; those between are the cards
LANE, LANE_END, TREE, TREE_END, ANSWER, ANSWER_END = 0, 1, 2, 3, 4, 5  # columns of units
_load, _zero, _turn, _rivals = loader(LANES), zeros(float32, LANES), turner(LANES), meeter(LANES)


@njit
def _copy_row(to, at, source, begin, width):
    if at < 0 or begin < 0:
        return
    for s in range(width):
        to[at + s] = source[begin + s]


@njit
def _enter(compiled, lane, width, entering, stack, entered, at):
    """The rows with which the trees of LANES lanes are entered, turned: entered[at:] of [width, LANES]."""
    tree = compiled[1]
    for k in range(LANES):
        _copy_row(stack, k * width, entering, tree[lane + k] * width, width)
    for s in range(0, width, LANES):
        _turn(entered, at + s * LANES, np.int64(LANES), stack, np.int64(s), width)


@njit
def _hand(order, s, source):
    """The opponent's hand in LANES rows: how it enters times how it plays on."""
    table, table_at, entered, entered_at = source
    j, k = entered_at + np.int64(order[PLACE, s]), table_at + np.int64(order[STATE, s])
    return _load(entered, j) * _load(table, k)


_compare = comparer(float32, LANES, _hand)


@njit
def _respond(compiled, order, groups, ranked, states, lane, width, entered, entered_at, work, line):
    """The better of folding and showing down in LANES rows, for every hand: lines[line:] of [LANES, width]."""
    table, chips = compiled[0], compiled[2]
    _stack, _entered, reached, sums, shown, worth, lines = work
    lanes = chips.shape[1]
    flat = chips.reshape(-1)
    source = (table, lane * states, entered, entered_at)
    everything = _compare(order, groups, ranked, source, reached, sums, shown)
    fold, shift = _load(flat, lane), _load(flat, lanes + lane)
    show, show_shift = _load(flat, 2 * lanes + lane), _load(flat, 3 * lanes + lane)
    for s in range(order.shape[1]):
        # In chips of 1: a fold is worth all hands met, a showdown the weaker less the stronger, which is (weaker +
        # weaker or equal) less all.
        met = _rivals(s, order, everything, reached, sums)
        won = _load(shown, s * LANES) - met
        store(worth, np.int64(order[PLACE, s]), better(met * fold + shift, won * show + show_shift))
    for s in range(0, width, LANES):
        _turn(lines, line + s, width, worth, s * LANES, np.int64(LANES))


@njit
def _add_row(to, at, source, begin, width):
    if at < 0 or begin < 0:
        return
    for s in range(width):
        to[at + s] += source[begin + s]


@njit
def _add_changed(to, at, source, begin, places, width):
    """Add a row whose hands have changed places."""
    if at < 0 or begin < 0:
        return
    for s in range(width):
        to[at + s] += source[begin + places[s]]


@njit
def _take_better(to, at, source, begin, width):
    if at < 0 or begin < 0:
        return
    for s in range(width):
        to[at + s] = max(to[at + s], source[begin + s])


@njit
def _raise(compiled, unit, width, lines):
    """The responder raises where the answers are worth more; answers to answers come first."""
    answers, units = compiled[3], compiled[6]
    begin = units[unit, LANE]
    for a in range(units[unit, ANSWER_END] - 1, units[unit, ANSWER] - 1, -1):
        first = (answers[a, 1] - begin) * width
        for k in range(1, answers[a, 2]):
            _add_row(lines, first, lines, first + k * width, width)
        _take_better(lines, (answers[a, 0] - begin) * width, lines, first, width)


@njit
def _pass_on(compiled, order, states, width, entering, following):
    """The probabilities with which the opponent plays to the trees of the next round."""
    table, tree, ends = compiled[0], compiled[1], compiled[4]
    following[:] = np.float32(0)
    for lane in range(len(ends)):
        if ends[lane] < 0:
            continue
        here, to, at = tree[lane] * width, ends[lane] * width, (lane // LANES) * LANES * states + lane % LANES
        for s in range(order.shape[1]):
            place = np.int64(order[PLACE, s]) // LANES
            following[to + place] = entering[here + place] * table[at + np.int64(order[STATE, s])]


@njit
def _is_reached(entering, begin, end):
    found = False
    for s in range(max(begin, 0), end):
        found |= entering[s] != 0
    return found


@njit
def _join(compiled, order, states, width, entering, following, values, work):
    """The trees of a round before the last: values[trees, width] from what the trees that follow are worth."""
    stack, entered = work[0], work[1]
    groups = np.zeros(1, np.int32)
    unranked, nought = False, np.int64(0)
    work[5][:] = np.float32(0)
    for lane in range(0, compiled[6][0, LANE_END], LANES):
        _enter(compiled, lane, width, entering, stack, entered, nought)
        _respond(compiled, order, groups, unranked, states, lane, width, entered, nought, work, lane * width)
    _close(compiled, width, following, values, work[6])


@njit
def _close(compiled, width, following, values, lines):
    """The same once every row has the better of folding and showing down: what follows a call, and raises."""
    ends, first, units = compiled[4], compiled[5], compiled[6]
    for lane in range(units[0, LANE_END]):
        if ends[lane] >= 0:
            _take_better(lines, lane * width, following, ends[lane] * width, width)
    _raise(compiled, np.int64(0), width, lines)
    for t in range(len(first)):
        _copy_row(values, t * width, lines, first[t] * width, width)


@njit
def _show(compiled, unit, order, groups, changes, states, width, values, work):
    """Add what the trees of a unit are worth on one board of the last round, whose rows are in `entered`."""
    first, units = compiled[5], compiled[6]
    entered, lines = work[1], work[6]
    begin = units[unit, LANE]
    for lane in range(begin, units[unit, LANE_END], LANES):
        at = (lane - begin) * width
        _respond(compiled, order, groups, True, states, lane, width, entered, at, work, at)
    _raise(compiled, unit, width, lines)
    for t in range(units[unit, TREE], units[unit, TREE_END]):
        at = (first[t] - begin) * width
        _add_row(values, t * width, lines, at, width)
        for c in range(len(changes)):
            _add_changed(values, t * width, lines, at, changes[c], width)


@njit
def _showdowns(compiled, rivers, states, width, entering, values, work):
    """Add what the trees of the last round are worth, over all its boards, to values[trees, width]."""
    units = compiled[6]
    orders, groups, counts, changes, change_of = rivers
    stack, entered, worth = work[0], work[1], work[5]
    for unit in range(len(units)):
        begin, end = units[unit, LANE], units[unit, LANE_END]
        if not _is_reached(entering, units[unit, TREE] * width, units[unit, TREE_END] * width):
            continue
        for lane in range(begin, end, LANES):
            _enter(compiled, lane, width, entering, stack, entered, (lane - begin) * width)
        for b in range(len(orders)):
            worth[:] = np.float32(0)  # hands that the board blocks
            copied = changes[change_of[b] : change_of[b + 1]]
            _show(compiled, unit, orders[b], groups[b, : counts[b]], copied, states, width, values, work)


@njit(cache=True, nogil=True)
def pass_on(compiled, order, states, width, entering, following):
    """See `_pass_on`."""
    _pass_on(compiled, order, states, width, entering, following)


@njit(cache=True, nogil=True)
def join(compiled, order, states, width, entering, following, values, work):
    """See `_join`."""
    _join(compiled, order, states, width, entering, following, values, work)


@njit(cache=True, nogil=True)
def branch(forms, order, rivers, states, width, entering, passed, following, values, work):
    """The trees of the third round on one board, and all that follows them: values[trees, width].

    forms   of the third and the fourth round; states: card states of both
    rivers  = (orders, groups, counts, changes, change_of), the boards that follow: orders int32[b, 4, hands],
              groups int32[b, hands] with counts int64[b] of them; change_of int64[b + 1], the first of its
              changes int32[c, width]: where the hands go for boards that it stands for besides itself
    passed, following : float32[trees of the fourth round, width], scratch
    """
    _pass_on(forms[0], order, states[0], width, entering, passed)
    following[:] = np.float32(0)
    _showdowns(forms[1], rivers, states[1], width, passed, following, work)
    _join(forms[0], order, states[0], width, entering, following, values, work)


# The same for players who have a table for every board. The rows themselves are entered, every hand with the
# probability that it plays to the row, and the table of the form is 1 for a single bucket.
#
# steps   : int64[lanes, 2]  the lane before the player's last action, and the row of `chances` that it is; FIRST where
#                            a tree begins, EMPTY where there is no row
# chances : float32[decisions * actions, width], what the player does on the board

FIRST, EMPTY = -1, -2
NOTHING = np.float32(1e-12)  # less is 0: sums of all hands are not as exact as that, and products would become slow


@njit
def _multiply(to, at, one, begin, other, start, width):
    if at < 0 or begin < 0 or start < 0:
        return
    for s in range(width):
        product = one[begin + s] * other[start + s]
        to[at + s] = product if product > NOTHING else np.float32(0)


@njit
def _follow(compiled, steps, chances, unit, width, entering, work):
    """The rows of a unit: `lines`, and turned `entered`."""
    tree, units = compiled[1], compiled[6]
    entered, lines = work[1], work[6]
    begin, end = units[unit, LANE], units[unit, LANE_END]
    for lane in range(begin, end):
        at, before = (lane - begin) * width, steps[lane, 0]
        if before == FIRST:
            _copy_row(lines, at, entering, tree[lane] * width, width)
        elif before == EMPTY:
            lines[at : at + width] = np.float32(0)
        else:
            _multiply(lines, at, lines, (before - begin) * width, chances, steps[lane, 1] * width, width)
    for at in range(0, (end - begin) * width, LANES * width):
        for s in range(0, width, LANES):
            _turn(entered, at + s * LANES, np.int64(LANES), lines, at + s, width)


@njit(cache=True, nogil=True)
def pass_on_rows(compiled, steps, chances, width, entering, following, work):
    """See `_pass_on`; hands that the board blocks are passed on too, and meet nobody."""
    ends, lines = compiled[4], work[6]
    _follow(compiled, steps, chances, np.int64(0), width, entering, work)
    for lane in range(len(ends)):
        if ends[lane] >= 0:
            _copy_row(following, ends[lane] * width, lines, lane * width, width)


@njit(cache=True, nogil=True)
def join_rows(compiled, steps, chances, order, width, entering, following, values, work):
    """See `_join`."""
    groups, nought = np.zeros(1, np.int32), np.int64(0)
    work[5][:] = np.float32(0)
    _follow(compiled, steps, chances, nought, width, entering, work)
    for lane in range(0, len(steps), LANES):
        _respond(compiled, order, groups, False, nought, lane, width, work[1], lane * width, work, lane * width)
    _close(compiled, width, following, values, work[6])


@njit(cache=True, nogil=True)
def show_rows(compiled, steps, chances, order, groups, changes, width, entering, values, work):
    """Add what the trees of the last round are worth on one board, and on its copies `changes`: see `_showdowns`."""
    units = compiled[6]
    work[5][:] = np.float32(0)
    for unit in range(len(units)):
        if _is_reached(entering, units[unit, TREE] * width, units[unit, TREE_END] * width):
            _follow(compiled, steps, chances, unit, width, entering, work)
            _show(compiled, unit, order, groups, changes, np.int64(0), width, values, work)


@njit(cache=True, nogil=True)
def settle(compiled, folds, calls, order, own_order, groups, ranked, states, own_states, width, entering, own, work):
    """What the ends of a round are worth to a player, summed over all pairs of hands that a full board leaves.

    folds, calls      : float32[chunks, own card states, LANES] like the table of the form, how likely the player's own
                        choices in the round lead to the fold and to the showdown of each row
    order, own_order  with the card states of his opponent and of himself, the same hands in the same order
    entering, own     : [trees, width], how likely his opponent's and his own choices led to the trees
    work              `worth` takes his rows
    """
    table, chips = compiled[0], compiled[2]
    stack, entered, reached, sums, shown, mine, _lines = work
    lanes, nought, value = chips.shape[1], np.int64(0), 0.0
    flat = chips.reshape(-1)
    for lane in range(0, lanes, LANES):
        _enter(compiled, lane, width, entering, stack, entered, nought)
        _enter(compiled, lane, width, own, stack, mine, nought)
        source = (table, lane * states, entered, nought)
        everything = _compare(order, groups, ranked, source, reached, sums, shown)
        fold, show, found = _load(flat, lane), _load(flat, 2 * lanes + lane), _zero()
        for s in range(order.shape[1]):
            met = _rivals(s, order, everything, reached, sums)
            won = _load(shown, s * LANES) - met
            k = lane * own_states + np.int64(own_order[STATE, s])
            ended = met * fold * _load(folds, k) + won * show * _load(calls, k)
            found = found + _load(mine, np.int64(order[PLACE, s])) * ended
        value += total(found)
    return value

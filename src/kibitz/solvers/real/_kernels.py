"""Best responses and values over all hands of a board: sums by strength with card removal, O(hands) for a row.

Rows (see `rows`) stand in LANES side by side, hands below each other: with hands down and rows across, the running sums
of the opponent's hands, one per card and one for all, are vectors. What comes out is turned, so that the betting above
works on vectors of hands.

form    = (table, tree, chips, answers, ends, first, units) of a round: see `RoundForm`
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
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, models, register_model

from kibitz.compiling import njit

LANES = 16
PLACE, ONE, TWO, STATE = 0, 1, 2, 3  # rows of an order
LANE, LANE_END, TREE, TREE_END, ANSWER, ANSWER_END = 0, 1, 2, 3, 4, 5  # columns of units
WHOLE = types.int64


class Lanes(types.Type):
    """LANES numbers in one register."""

    def __init__(self):
        super().__init__(name=f"Lanes(float32 x {LANES})")


VECTOR = Lanes()
_VECTOR = ir.VectorType(ir.FloatType(), LANES)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _VECTOR)


class _Vectors:
    """Loads and stores of LANES entries while an intrinsic is generated; an array comes as its type and its value."""

    def __init__(self, context, builder):
        self.context, self.builder = context, builder

    def _address(self, kind, array, at):
        data = self.context.make_array(kind)(self.context, self.builder, array).data
        return self.builder.bitcast(self.builder.gep(data, [at]), _VECTOR.as_pointer())

    def load(self, kind, array, at):
        return self.builder.load(self._address(kind, array, at), align=4)

    def store(self, kind, array, at, value):
        self.builder.store(value, self._address(kind, array, at), align=4)

    def others(self, everything, kind, sums, one, two):
        """The sum of all hands less those of two cards."""
        left = self.builder.fsub(everything, self.load(kind, sums, one))
        return self.builder.fsub(left, self.load(kind, sums, two))


@intrinsic
def _load(typing, array, at):
    """LANES entries from `at` on."""

    def generate(context, builder, signature, arguments):
        return _Vectors(context, builder).load(array, *arguments)

    return VECTOR(array, WHOLE), generate


@intrinsic
def _zero(typing):
    def generate(context, builder, signature, arguments):
        return ir.Constant(_VECTOR, [0.0] * LANES)

    return VECTOR(), generate


@intrinsic
def _total(typing, vector):
    """The sum of LANES numbers, as a float64."""

    def generate(context, builder, signature, arguments):
        double, total = ir.DoubleType(), ir.Constant(ir.DoubleType(), 0.0)
        for k in range(LANES):
            number = builder.extract_element(arguments[0], ir.Constant(ir.IntType(32), k))
            total = builder.fadd(total, builder.fpext(number, double))
        return total

    return types.float64(VECTOR), generate


@intrinsic
def _count(typing, everything, reached, i, entered, j, table, k, sums, one, two):
    """reached[i:] = entered[j:] * table[k:], added to the sums of two cards, and to that of all, which comes back."""

    def generate(context, builder, signature, arguments):
        all_, a, i, b, j, c, k, d, one, two = arguments
        v = _Vectors(context, builder)
        row = builder.fmul(v.load(entered, b, j), v.load(table, c, k))
        v.store(reached, a, i, row)
        for at in (one, two):
            v.store(sums, d, at, builder.fadd(v.load(sums, d, at), row))
        return builder.fadd(all_, row)

    return VECTOR(VECTOR, reached, WHOLE, entered, WHOLE, table, WHOLE, sums, WHOLE, WHOLE), generate


@intrinsic
def _set_below(typing, shown, i, everything, sums, one, two):
    """shown[i:] = hands so far that go with a hand, which is not among them."""

    def generate(context, builder, signature, arguments):
        a, i, all_, b, one, two = arguments
        v = _Vectors(context, builder)
        v.store(shown, a, i, v.others(all_, sums, b, one, two))
        return context.get_dummy_value()

    return types.void(shown, WHOLE, VECTOR, sums, WHOLE, WHOLE), generate


@intrinsic
def _add_equal(typing, shown, reached, i, everything, sums, one, two):
    """shown[i:] += hands so far that go with a hand, which is among them."""

    def generate(context, builder, signature, arguments):
        a, b, i, all_, c, one, two = arguments
        v = _Vectors(context, builder)
        more = builder.fadd(v.others(all_, sums, c, one, two), v.load(reached, b, i))
        v.store(shown, a, i, builder.fadd(v.load(shown, a, i), more))
        return context.get_dummy_value()

    return types.void(shown, reached, WHOLE, VECTOR, sums, WHOLE, WHOLE), generate


def _ends(v, shown, reached, i, everything, sums, one, two):
    """What a fold and a showdown are worth in chips of 1: all hands that go with a hand; the weaker less the stronger.

    The latter is (weaker + weaker or equal) less all.
    """
    rivals = v.builder.fadd(v.others(everything, *sums, one, two), v.load(*reached, i))
    return rivals, v.builder.fsub(v.load(*shown, i), rivals)


@intrinsic
def _choose(typing, worth, at, shown, reached, i, everything, sums, one, two, fold, shift, show, show_shift):
    """worth[at:] = the better of folding and showing down: fold * all + shift, show * won + show_shift."""

    def generate(context, builder, signature, arguments):
        a, at, b, c, i, all_, d, one, two, fold, shift, show, show_shift = arguments
        v = _Vectors(context, builder)
        rivals, won = _ends(v, (shown, b), (reached, c), i, all_, (sums, d), one, two)
        folded = builder.fadd(builder.fmul(rivals, fold), shift)
        showed = builder.fadd(builder.fmul(won, show), show_shift)
        v.store(worth, a, at, builder.select(builder.fcmp_ordered(">", folded, showed), folded, showed))
        return context.get_dummy_value()

    chips = (VECTOR,) * 4
    return types.void(worth, WHOLE, shown, reached, WHOLE, VECTOR, sums, WHOLE, WHOLE, *chips), generate


@intrinsic
def _play(typing, total, own, at, folds, calls, k, shown, reached, i, everything, sums, one, two, fold, show):
    """total + own[at:] * (folds[k:] * fold * all + calls[k:] * show * won): what one's own choices make of a hand."""

    def generate(context, builder, signature, arguments):
        total, o, at, f, g, k, b, c, i, all_, d, one, two, fold, show = arguments
        v = _Vectors(context, builder)
        rivals, won = _ends(v, (shown, b), (reached, c), i, all_, (sums, d), one, two)
        folded = builder.fmul(builder.fmul(rivals, fold), v.load(folds, f, k))
        showed = builder.fmul(builder.fmul(won, show), v.load(calls, g, k))
        return builder.fadd(total, builder.fmul(v.load(own, o, at), builder.fadd(folded, showed)))

    tables = (VECTOR, own, WHOLE, folds, calls, WHOLE)
    hands = (shown, reached, WHOLE, VECTOR, sums, WHOLE, WHOLE, VECTOR, VECTOR)
    return VECTOR(*tables, *hands), generate


@intrinsic
def _turn(typing, to, i, to_stride, source, j, stride):
    """Transpose LANES x LANES entries: to[i + a * to_stride + b] = source[j + b * stride + a]."""

    def generate(context, builder, signature, arguments):
        a, i, to_stride, b, j, stride = arguments
        v = _Vectors(context, builder)
        rows = []
        for _ in range(LANES):
            rows.append(v.load(source, b, j))
            j = builder.add(j, stride)
        half = LANES // 2
        mask = ir.VectorType(ir.IntType(32), LANES)
        halves = [
            ir.Constant(mask, [part * half + k // 2 + (k % 2) * LANES for k in range(LANES)]) for part in range(2)
        ]
        for _ in range(LANES.bit_length() - 1):  # each shuffle of rows and columns turns one bit of the place
            rows = [builder.shuffle_vector(rows[k // 2], rows[k // 2 + half], halves[k % 2]) for k in range(LANES)]
        for row in rows:
            v.store(to, a, i, row)
            i = builder.add(i, to_stride)
        return context.get_dummy_value()

    return types.void(to, WHOLE, WHOLE, source, WHOLE, WHOLE), generate


@njit
def _copy_row(to, at, source, begin, width):
    if at < 0 or begin < 0:
        return
    for s in range(width):
        to[at + s] = source[begin + s]


@njit
def _enter(form, lane, width, entering, stack, entered, at):
    """The rows with which the trees of LANES lanes are entered, turned: entered[at:] of [width, LANES]."""
    tree = form[1]
    for k in range(LANES):
        _copy_row(stack, k * width, entering, tree[lane + k] * width, width)
    for s in range(0, width, LANES):
        _turn(entered, at + s * LANES, np.int64(LANES), stack, np.int64(s), width)


@njit
def _compare(order, groups, ranked, table, table_at, entered, entered_at, reached, sums, shown):
    """Count the opponent's hands of LANES lanes, and on the last round those that every hand beats; return all."""
    sums[:] = np.float32(0)
    everything = _zero()
    start, last = 0, len(groups) if ranked else 1
    for g in range(last):
        end = np.int64(groups[g]) if ranked else order.shape[1]
        if ranked:
            for s in range(start, end):
                _set_below(shown, s * LANES, everything, sums, np.int64(order[ONE, s]), np.int64(order[TWO, s]))
        for s in range(start, end):
            j, k = entered_at + np.int64(order[PLACE, s]), table_at + np.int64(order[STATE, s])
            one, two = np.int64(order[ONE, s]), np.int64(order[TWO, s])
            everything = _count(everything, reached, s * LANES, entered, j, table, k, sums, one, two)
        if ranked:
            for s in range(start, end):
                one, two = np.int64(order[ONE, s]), np.int64(order[TWO, s])
                _add_equal(shown, reached, s * LANES, everything, sums, one, two)
        start = end
    return everything


@njit
def _respond(form, order, groups, ranked, states, lane, width, entered, entered_at, work, line):
    """The better of folding and showing down in LANES rows, for every hand: lines[line:] of [LANES, width]."""
    table, chips = form[0], form[2]
    _stack, _entered, reached, sums, shown, worth, lines = work
    lanes = chips.shape[1]
    flat = chips.reshape(-1)
    everything = _compare(order, groups, ranked, table, lane * states, entered, entered_at, reached, sums, shown)
    fold, shift = _load(flat, lane), _load(flat, lanes + lane)
    show, show_shift = _load(flat, 2 * lanes + lane), _load(flat, 3 * lanes + lane)
    for s in range(order.shape[1]):
        one, two, at = np.int64(order[ONE, s]), np.int64(order[TWO, s]), np.int64(order[PLACE, s])
        _choose(worth, at, shown, reached, s * LANES, everything, sums, one, two, fold, shift, show, show_shift)
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
def _raise(form, unit, width, lines):
    """The responder raises where the answers are worth more; answers to answers come first."""
    answers, units = form[3], form[6]
    begin = units[unit, LANE]
    for a in range(units[unit, ANSWER_END] - 1, units[unit, ANSWER] - 1, -1):
        first = (answers[a, 1] - begin) * width
        for k in range(1, answers[a, 2]):
            _add_row(lines, first, lines, first + k * width, width)
        _take_better(lines, (answers[a, 0] - begin) * width, lines, first, width)


@njit
def _pass_on(form, order, states, width, entering, following):
    """The probabilities with which the opponent plays to the trees of the next round."""
    table, tree, ends = form[0], form[1], form[4]
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
def _join(form, order, states, width, entering, following, values, work):
    """The trees of a round before the last: values[trees, width] from what the trees that follow are worth."""
    ends, first, units = form[4], form[5], form[6]
    stack, entered, worth, lines = work[0], work[1], work[5], work[6]
    groups = np.zeros(1, np.int32)
    unranked, nought = False, np.int64(0)
    worth[:] = np.float32(0)
    for lane in range(0, units[0, LANE_END], LANES):
        _enter(form, lane, width, entering, stack, entered, nought)
        _respond(form, order, groups, unranked, states, lane, width, entered, nought, work, lane * width)
    for lane in range(units[0, LANE_END]):
        if ends[lane] >= 0:
            _take_better(lines, lane * width, following, ends[lane] * width, width)
    _raise(form, nought, width, lines)
    for t in range(len(first)):
        _copy_row(values, t * width, lines, first[t] * width, width)


@njit
def _showdowns(form, rivers, states, width, entering, values, work):
    """Add what the trees of the last round are worth, over all its boards, to values[trees, width]."""
    first, units = form[5], form[6]
    orders, groups, counts, changes, change_of = rivers
    stack, entered, worth, lines = work[0], work[1], work[5], work[6]
    for unit in range(len(units)):
        begin, end = units[unit, LANE], units[unit, LANE_END]
        trees, last = units[unit, TREE], units[unit, TREE_END]
        if not _is_reached(entering, trees * width, last * width):
            continue
        for lane in range(begin, end, LANES):
            _enter(form, lane, width, entering, stack, entered, (lane - begin) * width)
        for b in range(len(orders)):
            worth[:] = np.float32(0)  # hands that the board blocks
            order, ends = orders[b], groups[b, : counts[b]]
            for lane in range(begin, end, LANES):
                at = (lane - begin) * width
                _respond(form, order, ends, True, states, lane, width, entered, at, work, at)
            _raise(form, unit, width, lines)
            for t in range(trees, last):
                at = (first[t] - begin) * width
                _add_row(values, t * width, lines, at, width)
                for c in range(change_of[b], change_of[b + 1]):
                    _add_changed(values, t * width, lines, at, changes[c], width)


@njit(cache=True, nogil=True)
def pass_on(form, order, states, width, entering, following):
    """See `_pass_on`."""
    _pass_on(form, order, states, width, entering, following)


@njit(cache=True, nogil=True)
def join(form, order, states, width, entering, following, values, work):
    """See `_join`."""
    _join(form, order, states, width, entering, following, values, work)


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


@njit(cache=True, nogil=True)
def settle(form, folds, calls, order, own_order, groups, ranked, states, own_states, width, entering, own, work):
    """What the ends of a round are worth to a player, summed over all pairs of hands that a full board leaves.

    folds, calls      : float32[chunks, own card states, LANES] like the table of the form, how likely the player's own
                        choices in the round lead to the fold and to the showdown of each row
    order, own_order  with the card states of his opponent and of himself, the same hands in the same order
    entering, own     : [trees, width], how likely his opponent's and his own choices led to the trees
    work              `worth` takes his rows
    """
    table, chips = form[0], form[2]
    stack, entered, reached, sums, shown, mine, _lines = work
    lanes, nought, value = chips.shape[1], np.int64(0), 0.0
    flat = chips.reshape(-1)
    for lane in range(0, lanes, LANES):
        _enter(form, lane, width, entering, stack, entered, nought)
        _enter(form, lane, width, own, stack, mine, nought)
        everything = _compare(order, groups, ranked, table, lane * states, entered, nought, reached, sums, shown)
        fold, show, total = _load(flat, lane), _load(flat, 2 * lanes + lane), _zero()
        for s in range(order.shape[1]):
            one, two, at = np.int64(order[ONE, s]), np.int64(order[TWO, s]), np.int64(order[PLACE, s])
            k, i = lane * own_states + np.int64(own_order[STATE, s]), s * LANES
            total = _play(total, mine, at, folds, calls, k, shown, reached, i, everything, sums, one, two, fold, show)
        value += _total(total)
    return value

"""Numbers side by side in one register: loads, stores, sums and products of whole vectors inside kernels.

A vector has the type Lanes(dtype, count); +, -, * and / work lane by lane, rounded as those of single numbers. Arrays
are flat and contiguous, and nothing checks their ends. `loader`, `part_loader`, `spreader`, `zeros`, `turner`, `meeter`
and `comparer` make the functions of a kernel file, for the number of lanes that it works with; the others find the
number in the types of what they are given.

Parts of vectors cost what whole ones do where the processor has masks (AVX-512), and a jump per lane where it has none:
loops over rows take whole vectors first, and a part at the end.
"""

import operator

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from kibitz.compiling import njit

WHOLE = types.int64


class Lanes(types.Type):
    """`count` numbers of one type in one register: a running sum in memory would wait for itself at every step."""

    def __init__(self, dtype, count):
        self.dtype, self.count = dtype, count
        super().__init__(name=f"Lanes({dtype} x {count})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, ir.VectorType(manager[kind.dtype].get_value_type(), kind.count))


def _arithmetic(function, instruction):
    """Give two vectors of one type an operator."""

    @infer_global(function)
    class _Typed(AbstractTemplate):
        def generic(self, args, kws):
            if len(args) == 2 and isinstance(args[0], Lanes) and args[0] == args[1]:
                return signature(args[0], *args)
            return None

    @lower_builtin(function, Lanes, Lanes)
    def generate(context, builder, signature, arguments):
        return getattr(builder, instruction)(*arguments)


_arithmetic(operator.add, "fadd")
_arithmetic(operator.sub, "fsub")
_arithmetic(operator.mul, "fmul")
_arithmetic(operator.truediv, "fdiv")


def _spread(builder, number, count):
    """A vector of equal numbers."""
    kind = ir.VectorType(number.type, count)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count)
    return builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), places)


class _Memory:
    """Loads and stores of `count` entries while an intrinsic is generated; an array comes as its type and its value."""

    def __init__(self, context, builder, count):
        self.context, self.builder, self.count = context, builder, count

    def _address(self, kind, array, at):
        data = self.context.make_array(kind)(self.context, self.builder, array).data
        vector = ir.VectorType(self.context.get_value_type(kind.dtype), self.count)
        return self.builder.bitcast(self.builder.gep(data, [at]), vector.as_pointer())

    def within(self, left):
        """Which lanes are among the first `left`."""
        spread, numbers = _spread(self.builder, left, self.count), ir.VectorType(left.type, self.count)
        return self.builder.icmp_signed("<", ir.Constant(numbers, list(range(self.count))), spread)

    def load_part(self, kind, array, at, left):
        mask, address = self.within(left), self._address(kind, array, at)
        vector = address.type.pointee
        align, others = ir.Constant(ir.IntType(32), kind.dtype.bitwidth // 8), ir.Constant(vector, [0.0] * self.count)
        return self._masked("load", vector, vector, [address, align, mask, others])

    def store_part(self, kind, array, at, vector, left):
        align = ir.Constant(ir.IntType(32), kind.dtype.bitwidth // 8)
        arguments = [vector, self._address(kind, array, at), align, self.within(left)]
        self._masked("store", vector.type, ir.VoidType(), arguments)

    def _masked(self, what, vector, returned, arguments):
        """Call what LLVM has for the lanes of a mask."""
        name = f"llvm.masked.{what}.v{self.count}f{64 if vector.element == ir.DoubleType() else 32}.p0"
        kind = ir.FunctionType(returned, [each.type for each in arguments])
        return self.builder.call(cgutils.get_or_insert_function(self.builder.module, kind, name), arguments)

    def load(self, kind, array, at):
        return self.builder.load(self._address(kind, array, at), align=kind.dtype.bitwidth // 8)

    def store(self, kind, array, at, vector):
        self.builder.store(vector, self._address(kind, array, at), align=kind.dtype.bitwidth // 8)


def loader(count):
    """load(array, at): the entries at .. at + count."""

    @intrinsic
    def load(typing, array, at):
        def generate(context, builder, signature, arguments):
            return _Memory(context, builder, count).load(array, *arguments)

        return Lanes(array.dtype, count)(array, WHOLE), generate

    return load


def part_loader(count):
    """load_part(array, at, left): the entries at .. at + left, no more than `count`, and zeros after them."""

    @intrinsic
    def load_part(typing, array, at, left):
        def generate(context, builder, signature, arguments):
            return _Memory(context, builder, count).load_part(array, *arguments)

        return Lanes(array.dtype, count)(array, WHOLE, WHOLE), generate

    return load_part


def zeros(dtype, count):
    """zero(): a vector of zeros."""

    @intrinsic
    def zero(typing):
        def generate(context, builder, signature, arguments):
            return ir.Constant(context.get_value_type(signature.return_type), [0.0] * count)

        return Lanes(dtype, count)(), generate

    return zero


def spreader(count):
    """spread(number): a vector of equal numbers."""

    @intrinsic
    def spread(typing, number):
        def generate(context, builder, signature, arguments):
            return _spread(builder, arguments[0], count)

        return Lanes(number, count)(number), generate

    return spread


@intrinsic
def store(typing, array, at, vector):
    """array[at:] = vector."""

    def generate(context, builder, signature, arguments):
        _Memory(context, builder, vector.count).store(array, *arguments)
        return context.get_dummy_value()

    return types.void(array, WHOLE, vector), generate


@intrinsic
def store_part(typing, array, at, vector, left):
    """array[at : at + left] = vector, or all of it where more is left."""

    def generate(context, builder, signature, arguments):
        _Memory(context, builder, vector.count).store_part(array, *arguments)
        return context.get_dummy_value()

    return types.void(array, WHOLE, vector, WHOLE), generate


@intrinsic
def where_positive(typing, vector, one, other):
    """`one` where a vector is positive, else `other`, lane by lane."""

    def generate(context, builder, signature, arguments):
        vector, one, other = arguments
        zero = ir.Constant(vector.type, [0.0] * vector.type.count)
        return builder.select(builder.fcmp_ordered(">", vector, zero), one, other)

    return vector(vector, vector, vector), generate


@intrinsic
def better(typing, one, other):
    """The larger of two vectors, lane by lane; the other where neither is."""

    def generate(context, builder, signature, arguments):
        first, second = arguments
        return builder.select(builder.fcmp_ordered(">", first, second), first, second)

    return one(one, other), generate


@intrinsic
def total(typing, vector):
    """The sum of all lanes, first to last, as a float64."""

    def generate(context, builder, signature, arguments):
        double, found = ir.DoubleType(), ir.Constant(ir.DoubleType(), 0.0)
        for k in range(vector.count):
            number = builder.extract_element(arguments[0], ir.Constant(ir.IntType(32), k))
            found = builder.fadd(found, number if number.type == double else builder.fpext(number, double))
        return found

    return types.float64(vector), generate


def turner(count):
    """turn(to, i, to_stride, source, j, stride): transpose count x count entries.

    to[i + a * to_stride + b] = source[j + b * stride + a]
    """

    @intrinsic
    def turn(typing, to, i, to_stride, source, j, stride):
        def generate(context, builder, signature, arguments):
            a, i, to_stride, b, j, stride = arguments
            memory, rows, half = _Memory(context, builder, count), [], count // 2
            for _ in range(count):
                rows.append(memory.load(source, b, j))
                j = builder.add(j, stride)
            mask = ir.VectorType(ir.IntType(32), count)
            halves = [
                ir.Constant(mask, [part * half + k // 2 + (k % 2) * count for k in range(count)]) for part in range(2)
            ]
            for _ in range(count.bit_length() - 1):  # each shuffle of rows and columns turns one bit of the place
                rows = [builder.shuffle_vector(rows[k // 2], rows[k // 2 + half], halves[k % 2]) for k in range(count)]
            for row in rows:
                memory.store(to, a, i, row)
                i = builder.add(i, to_stride)
            return context.get_dummy_value()

        return types.void(to, WHOLE, WHOLE, source, WHOLE, WHOLE), generate

    return turn


# Sums of hands by card: a hand of two cards is in the sums of both, which stand at `one` and `two` of a flat array.


@intrinsic
def count_hand(typing, hand, sums, one, two):
    """Add a hand to the sums of its two cards."""

    def generate(context, builder, signature, arguments):
        row, into, *cards = arguments
        memory = _Memory(context, builder, hand.count)
        for card in cards:
            memory.store(sums, into, card, builder.fadd(memory.load(sums, into, card), row))
        return context.get_dummy_value()

    return types.void(hand, sums, WHOLE, WHOLE), generate


@intrinsic
def others(typing, everything, sums, one, two):
    """The sum of all hands less those of two cards: inclusion and exclusion, but for the hand of both (if counted)."""

    def generate(context, builder, signature, arguments):
        left, source, *cards = arguments
        memory = _Memory(context, builder, everything.count)
        for card in cards:
            left = builder.fsub(left, memory.load(sums, source, card))
        return left

    return everything(everything, sums, WHOLE, WHOLE), generate


# All hands against each other. `order` is int32[rows, hands], rows ONE and TWO the cards of each, times the lanes.

ONE, TWO = 1, 2


def meeter(count):
    """met(s, order, everything, reached, sums): all hands that go with hand s, which is among them."""
    load = loader(count)

    @njit
    def met(s, order, everything, reached, sums):
        one, two = np.int64(order[ONE, s]), np.int64(order[TWO, s])
        return others(everything, sums, one, two) + load(reached, s * count)

    return met


def comparer(dtype, count, hand_of):
    """compare(order, groups, ranked, source, reached, sums, shown): count all hands, and those that every hand beats.

    hand_of(order, s, source) is hand s in all lanes. Hands go to `reached` ([hands, lanes]), their sums by card to
    `sums` ([52, lanes]). Where they are `ranked`, weakest first, `groups` has the ends of those of equal strength, and
    `shown` ([hands, lanes]) receives the weaker plus the weaker or equal. Returns the sum of all.
    """
    load, zero, met = loader(count), zeros(dtype, count), meeter(count)

    @njit
    def compare(order, groups, ranked, source, reached, sums, shown):
        sums[:] = dtype(0)
        everything = zero()
        start, last = 0, len(groups) if ranked else 1
        for g in range(last):
            end = np.int64(groups[g]) if ranked else order.shape[1]
            if ranked:
                for s in range(start, end):
                    one, two = np.int64(order[ONE, s]), np.int64(order[TWO, s])
                    store(shown, s * count, others(everything, sums, one, two))
            for s in range(start, end):
                hand = hand_of(order, s, source)
                store(reached, s * count, hand)
                count_hand(hand, sums, np.int64(order[ONE, s]), np.int64(order[TWO, s]))
                everything = everything + hand
            if ranked:
                for s in range(start, end):
                    store(shown, s * count, load(shown, s * count) + met(s, order, everything, reached, sums))
            start = end
        return everything

    return compare

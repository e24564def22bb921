"""What the members of a team call inside a kernel: take the next task, meet the others.

control : int64[SIZE], zeros at the start; the entries at multiples of LINE are
    0  the next task   1  members who have arrived at the barrier   2  barriers passed   3  set when all must stop
"""

import os

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from kibitz.compiling import njit

NEXT, ARRIVED, PASSED, STOP = 0, 8, 16, 24
SPINS = 2_000  # looks at the barrier before a waiting thread offers its core to another

_yield_core = types.ExternalFunction("sched_yield" if os.name == "posix" else "SwitchToThread", types.int32())


def _address(context, builder, kind, array, at):
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


@intrinsic
def add(typing, array, at, amount):
    """array[at] += amount as one step that no other thread can divide; the value before comes back."""

    def generate(context, builder, signature, arguments):
        target, at, amount = arguments
        return builder.atomic_rmw("add", _address(context, builder, array, target, at), amount, "acq_rel")

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def look(typing, array, at):
    """array[at] as the other threads have written it last."""

    def generate(context, builder, signature, arguments):
        target, at = arguments
        address = _address(context, builder, array, target, at)
        return builder.load_atomic(address, "acquire", 8, typ=ir.IntType(64))

    return types.int64(array, types.int64), generate


@njit
def take(control, tasks):
    """The next of `tasks` tasks, or -1 where there are no more or all must stop."""
    task = add(control, NEXT, 1)
    return task if task < tasks and look(control, STOP) == 0 else -1


@njit
def meet(control, size):
    """Wait until all `size` members are here, and begin a new round of tasks; False where all must stop."""
    passed = look(control, PASSED)
    if add(control, ARRIVED, 1) == size - 1:
        control[ARRIVED] = 0
        control[NEXT] = 0
        add(control, PASSED, 1)
    spins = 0
    while look(control, PASSED) == passed:
        if look(control, STOP) != 0:
            return False
        spins += 1
        if spins > SPINS:
            _yield_core()
    return look(control, STOP) == 0

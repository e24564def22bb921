"""What the kernels of all solvers share: regret matching, and the steps of a pass over vectors of states.

Regret matching plays every action in proportion to the positive part of its regret, and uniformly where there is none
(Hart and Mas-Colell 2000). It stands here for the two ways in which sums are laid out:

one infoset   the actions of a state, some stride apart: `match`, or `total_positive`, `share` and `choose` for walks
              that need single actions. Other threads may change the sums meanwhile: `match` reads each number once,
              and a share is never more than 1
vectors       all states of a node at once, an action a row: `match_rows`, LANES states at a time, or
              `match_long_rows`. A row is divided by the totals as a product with their inverses, for divisions cost
              more than all the rest

`pass_on`, `add_regrets` and `add_average` are the other loops over rows. All take positions in flat arrays. Positions
are never negative, and the loops say so (`if at < 0: return`): a compiler that cannot rule out Python's wrap-around
indexing does not vectorise them, which costs a factor of up to eight.

Sums of regrets and of strategies may be of short types, which `read` and `add` know: float32, or 16 bits with an
exponent of 6 bits, from 2^-15 to 2^48, and a mantissa of 9 (int16, the sign apart) or 10 (uint16, never negative).
"""

import numpy as np
from numba import float64, types
from numba.extending import overload

from kibitz.compiling import njit
from kibitz.lanes._kernels import better, part_loader, spreader, store_part, where_positive, zeros
from kibitz.random._kernels import MIX_B, scatter
from kibitz.solvers.vector import LANES

FRACTION = 52  # bits of the mantissa of float64
SINGLE, SIGNED, UNSIGNED = 23, 9, 10
BIAS = 1023 - 16
WHOLE = np.int64(LANES)  # no literal: numba would compile functions once for each
_load_part, _spread, _zero = part_loader(LANES), spreader(LANES), zeros(float64, LANES)


@njit
def _rounded(total, mantissa, noise):
    """The bits of a float64 rounded to `mantissa` bits, up or down at random so that the mean stays what it was.

    To the nearest, sums would stop growing once what is added is too small for them.
    """
    cut = FRACTION - mantissa
    return (np.float64(total).view(np.int64) + (np.int64(noise) & ((1 << cut) - 1))) >> cut << cut


@njit
def _encoded(total, mantissa, most, noise):
    """16 bits for a number that is not negative."""
    code = (_rounded(total, mantissa, noise) >> (FRACTION - mantissa)) - (BIAS << mantissa)
    return min(code, most) if code >= 1 << mantissa else 0


@njit
def _decoded(code, mantissa):
    """The number that 16 bits mean."""
    bits = (np.int64(code) << (FRACTION - mantissa)) + (BIAS << FRACTION)
    return np.int64(bits).view(np.float64) if code else 0.0


def read(sums, at):
    """Entry `at` of sums of any type."""


@overload(read)
def _read_typed(sums, at):
    if sums.dtype == types.int16:
        return lambda sums, at: _decoded(abs(np.int64(sums[at])), SIGNED) * (1.0 if sums[at] > 0 else -1.0)
    if sums.dtype == types.uint16:
        return lambda sums, at: _decoded(sums[at], UNSIGNED)
    return lambda sums, at: sums[at]


def add(sums, at, amount, dice):
    """Add to an entry of sums of any type; `dice` is a stream of random numbers, and rounds short ones."""


@overload(add)
def _add_typed(sums, at, amount, dice):
    if sums.dtype == types.float32:

        def added(sums, at, amount, dice):
            noise = scatter(dice + np.uint64(at) * MIX_B)
            sums[at] = np.int64(_rounded(sums[at] + amount, SINGLE, noise)).view(np.float64)

    elif sums.dtype == types.int16:

        def added(sums, at, amount, dice):
            total, noise = read(sums, at) + amount, scatter(dice + np.uint64(at) * MIX_B)
            code = _encoded(abs(total), SIGNED, 0x7FFF, noise)
            sums[at] = code if total > 0 else -code

    elif sums.dtype == types.uint16:

        def added(sums, at, amount, dice):
            sums[at] = _encoded(read(sums, at) + amount, UNSIGNED, 0xFFFF, scatter(dice + np.uint64(at) * MIX_B))

    else:

        def added(sums, at, amount, dice):
            sums[at] += amount

    return added


@njit(forceinline=True)
def total_positive(regret, at, actions):
    """The sum of the positive regrets of an infoset whose actions stand side by side; an integer if they are."""
    total = max(read(regret, at), 0)
    for a in range(1, actions):
        total += max(read(regret, at + a), 0)
    return total


@njit(forceinline=True)
def share(number, total, actions):
    """The probability of an action with this regret, where `total` are the positive ones of all `actions`.

    Another thread may have raised the regret since the total was counted: a share above 1 would never wash out again.
    """
    return min(max(number, 0) / total, 1.0) if total > 0 else 1.0 / actions


@njit
def choose(regret, at, actions, total, drawn):
    """The action that regret matching takes for a number from 0 to 1."""
    if not total > 0:
        return min(int(drawn * actions), actions - 1)
    chosen, left = 0, drawn * total
    for a in range(actions):
        r = read(regret, at + a)
        if r > 0:
            chosen = a
            if left < r:
                break
            left -= r
    return chosen


@njit(forceinline=True)
def match(regret, at, stride, actions, sigma, to, step):
    """The probabilities of an infoset's actions: sigma[to + a * step] from regret[at + a * stride].

    Nothing else is called here, because GPUs compile it too.
    """
    total = 0.0
    for a in range(actions):
        number = max(regret[at + a * stride], 0.0)
        sigma[to + a * step] = number
        total += number
    for a in range(actions):
        sigma[to + a * step] = sigma[to + a * step] / total if total > 0.0 else 1.0 / actions


@njit(forceinline=True)
def _positive(regret, prediction, at, left):
    """The positive part of `left` regrets, with what is predicted of them, if anything."""
    found = _load_part(regret, at, left)
    if len(prediction) > 0:
        found = found + _load_part(prediction, at, left)
    return better(found, _zero())


@njit(forceinline=True)
def _match_part(begin, to, actions, states, left, regret, prediction, sigma):
    """`match_rows` for `left` states of a node, no more than LANES."""
    zero, uniform = _zero(), _spread(1.0 / actions)
    total = zero
    for a in range(actions):
        total = total + _positive(regret, prediction, begin + a * states, left)
    scale = where_positive(total, _spread(1.0) / total, zero)
    for a in range(actions):
        share = _positive(regret, prediction, begin + a * states, left) * scale
        store_part(sigma, to + a * states, where_positive(scale, share, uniform), left)


@njit(borrows=True)
def match_rows(begin, to, actions, states, regret, prediction, sigma):
    """The probabilities of all actions in all states of a node, rows of `states` in sigma from `to` on.

    regret     : float64, rows from `begin` on
    prediction : laid out like regret, and added to it; or nothing
    """
    rest = states % LANES
    for s in range(0, states - rest, LANES):
        _match_part(begin + s, to + s, actions, states, WHOLE, regret, prediction, sigma)
    if rest > 0:
        s = states - rest
        _match_part(begin + s, to + s, actions, states, rest, regret, prediction, sigma)


@njit
def _add_positive(row, fresh, width, regret, totals):
    """Add the positive part of a row to the totals, or begin them with it."""
    zero = totals.dtype.type(0)
    if row < 0:
        return
    for s in range(width):
        r = totals.dtype.type(regret[row + s])
        before = zero if fresh else totals[s]
        totals[s] = before + max(r, zero)


@njit
def _share_row(row, to, uniform, width, regret, sigma, inverses):
    """Multiply the positive part of a row with the inverses of the totals."""
    zero = inverses.dtype.type(0)
    if row < 0 or to < 0:
        return
    for s in range(width):
        r, scale = inverses.dtype.type(regret[row + s]), inverses[s]
        product = max(r, zero) * scale
        sigma[to + s] = product if scale > zero else uniform


@njit
def match_long_rows(begin, to, actions, width, regret, sigma, totals):
    """`match_rows` for rows of hundreds of states, with nothing predicted: each loop has a function, whose call costs
    little then, and is vectorised for sure.
    """
    zero, one = totals.dtype.type(0), totals.dtype.type(1)
    for a in range(actions):
        _add_positive(begin + a * width, a == 0, width, regret, totals)
    for s in range(width):
        total = totals[s]
        totals[s] = one / total if total > zero else zero
    for a in range(actions):
        _share_row(begin + a * width, to + a * width, one / totals.dtype.type(actions), width, regret, sigma, totals)


@njit(forceinline=True)
def pass_on(slot, to, at, states, reach, sigma):
    """The reach of him who takes an action: reach[to:] = reach[slot:] * sigma[at:]."""
    if slot < 0 or to < 0 or at < 0:
        return
    for s in range(states):
        reach[to + s] = reach[slot + s] * sigma[at + s]


@njit(forceinline=True)
def add_regrets(at, place, below, states, values, regret, rule):
    """Add an action's regrets: its values, from `below` on, less those of its node, from `place` on.

    rule = (scale of what is positive before, of what is negative, weight in the average, least that a regret may be)
    """
    zero = values.dtype.type(0)
    positive, negative, least = rule[0], rule[1], rule[3]
    if at < 0 or place < 0 or below < 0:
        return
    for s in range(states):
        old = values.dtype.type(regret[at + s])
        scaled = old * (positive if old > zero else negative)
        regret[at + s] = max(scaled + (values[below + s] - values[place + s]), least)


@njit(forceinline=True)
def add_average(at, slot, share_at, weight, states, reach, sigma, average):
    """Add an action's probabilities, from `share_at` on, times the reach of the node, from `slot` on."""
    if at < 0 or slot < 0 or share_at < 0:
        return
    for s in range(states):
        average[at + s] += weight * reach[slot + s] * sigma[share_at + s]

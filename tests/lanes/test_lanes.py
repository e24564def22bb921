"""Vectors in registers do what NumPy does with rows, for each type and number of lanes that kernels use."""

import numpy as np
import pytest
from numba import float32, float64, njit

from kibitz.lanes._kernels import (
    better,
    count_hand,
    loader,
    others,
    part_loader,
    spreader,
    store,
    store_part,
    total,
    turner,
    where_positive,
    zeros,
)

KINDS = [(float32, np.float32, 16), (float64, np.float64, 4)]


def rows(dtype, count, width):
    return np.random.default_rng(3).standard_normal((count, width)).astype(dtype)


@pytest.mark.parametrize(("kind", "dtype", "count"), KINDS)
def test_arithmetic_is_that_of_numpy(kind, dtype, count):
    load, zero, spread = loader(count), zeros(kind, count), spreader(count)

    @njit
    def work(one, two, out):
        a, b = load(one, np.int64(1)), load(two, np.int64(0))
        store(out, np.int64(0), a + b)
        store(out, np.int64(count), a - b)
        store(out, np.int64(2 * count), a * b)
        store(out, np.int64(3 * count), better(a, b))
        store(out, np.int64(4 * count), zero())
        store(out, np.int64(5 * count), spread(one[0]))
        store(out, np.int64(6 * count), a / b)
        store(out, np.int64(7 * count), where_positive(a, b, zero()))
        return total(a)

    (x, y), out = rows(dtype, 2, count + 1), np.ones(8 * count, dtype)
    found, a, b = work(x, y, out), x[1:], y[:-1]
    expected = np.stack((a + b, a - b, a * b, np.maximum(a, b), np.zeros_like(a), np.full_like(a, x[0]), a / b,
                         np.where(a > 0, b, 0)))  # fmt: skip
    assert np.array_equal(out.reshape(8, count), expected)
    assert found == sum(map(float, a))


@pytest.mark.parametrize(("kind", "dtype", "count"), KINDS)
def test_parts_of_vectors_end_where_they_should(kind, dtype, count):
    load_part = part_loader(count)

    @njit
    def work(source, out, left):
        store(out, np.int64(0), load_part(source, np.int64(1), left))
        store_part(out, np.int64(count + 1), load_part(source, np.int64(0), np.int64(count)), left)

    source = rows(dtype, 1, count + 1)[0]
    for left in range(1, count + 3):
        out, some = np.full(2 * count + 2, 9, dtype), min(left, count)
        work(source, out, left)
        assert np.array_equal(out[:count], np.append(source[1 : some + 1], np.zeros(count - some, dtype)))
        assert np.array_equal(out[count + 1 : count + 1 + some], source[:some])
        assert (out[[count, *range(count + 1 + some, 2 * count + 2)]] == 9).all()


@pytest.mark.parametrize(("kind", "dtype", "count"), KINDS)
def test_turning_transposes(kind, dtype, count):
    turn = turner(count)

    @njit
    def work(to, source, wide):
        turn(to, np.int64(2), np.int64(count), source, np.int64(1), wide)

    source, to = rows(dtype, count, count + 3), np.zeros(count * count + 2, dtype)
    work(to, source.reshape(-1), source.shape[1])
    assert np.array_equal(to[2:].reshape(count, count), source[:, 1 : count + 1].T)


@pytest.mark.parametrize(("kind", "dtype", "count"), KINDS)
def test_hands_that_go_with_a_hand(kind, dtype, count):
    """All less those of each card, and the hand of both again: as counted one by one."""
    load, zero = loader(count), zeros(kind, count)

    @njit
    def work(hands, cards, sums, out):
        everything = zero()
        for h in range(len(cards)):
            hand = load(hands, h * count)
            count_hand(hand, sums, cards[h, 0] * count, cards[h, 1] * count)
            everything = everything + hand
        for h in range(len(cards)):
            met = others(everything, sums, cards[h, 0] * count, cards[h, 1] * count)
            store(out, h * count, met + load(hands, h * count))

    cards = np.array([(a, b) for b in range(8) for a in range(b)], dtype=np.int64)
    hands = np.abs(rows(dtype, len(cards), count))
    out = np.empty_like(hands)
    work(hands.reshape(-1), cards, np.zeros(8 * count, dtype), out.reshape(-1))
    apart = np.array([[not set(one) & set(two) for two in cards.tolist()] for one in cards.tolist()])
    assert np.allclose(out, apart.astype(dtype) @ hands, rtol=1e-4, atol=1e-4)


def test_vectors_of_unlike_types_do_not_mix():
    from numba.core.errors import TypingError

    wide, narrow = zeros(float64, 4), zeros(float64, 2)

    @njit
    def work():
        return total(wide() + narrow())

    with pytest.raises(TypingError):
        work()

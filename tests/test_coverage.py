import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kibitz.coverage import best_cover, cover_ratio, covered, greedy_cover, shifted
from kibitz.errors import KibitzError

TABLES = st.tuples(st.integers(1, 6), st.integers(1, 7)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-40, 40).map(lambda n: n / 4))
)


def plain_greedy(values, size, least_gain=0.0):
    """The reference implementation: all gains computed in every step."""
    gains, chosen = shifted(values), []
    while len(chosen) < min(size, gains.shape[1]):
        held = gains[:, chosen].max(axis=1) if chosen else np.zeros(len(gains))
        left = [column for column in range(gains.shape[1]) if column not in chosen]
        steps = {column: np.maximum(gains[:, column] - held, 0).sum() for column in left}
        column = max(left, key=lambda each: (steps[each], -each))
        if chosen and steps[column] <= least_gain:
            break
        chosen.append(column)
    return chosen


@given(TABLES, st.integers(1, 7), st.sampled_from([0.0, 1.0, 5.0]))
def test_lazy_gains_choose_what_plain_ones_do(values, size, least_gain):
    assert greedy_cover(values, size, least_gain) == plain_greedy(values, size, least_gain)


@given(TABLES, st.integers(1, 7))
def test_greedy_keeps_its_guarantee(values, size):
    chosen = greedy_cover(values, size)
    gains = shifted(values)
    best = covered(gains, best_cover(values, size))
    assert covered(gains, chosen) >= (1 - 1 / np.e) * best - 1e-9
    assert 1 - 1 / np.e - 1e-9 <= cover_ratio(values, chosen) <= 1 + 1e-9


@given(TABLES, arrays(np.float64, 6, elements=st.integers(-20, 20)))
def test_constants_of_rows_change_no_choice(values, constants):
    moved = values + constants[: len(values), None]
    assert greedy_cover(moved, 3) == greedy_cover(values, 3)


def test_greedy_may_miss_the_best():
    """Two columns that split the rows beat the one that has a bit of everything."""
    values = np.array([[4.0, 0, 3], [4, 0, 3], [0, 4, 3], [0, 4, 3]])
    assert greedy_cover(values, 2) == [2, 0]
    assert best_cover(values, 2) == [0, 1]
    assert covered(values, [2, 0]) == 14
    assert cover_ratio(values, [2, 0]) == 14 / 16


def test_a_column_is_taken_even_where_nothing_is_gained():
    assert greedy_cover(np.full((3, 2), -7.0), 2) == [0]


@pytest.mark.parametrize(
    ("values", "text"),
    [(np.zeros((0, 3)), "at least one of each"), (np.zeros(3), "shape"), ([[1.0, float("nan")]], "not finite")],
)
def test_what_is_refused(values, text):
    with pytest.raises(KibitzError, match=text):
        greedy_cover(values, 1)
    with pytest.raises(KibitzError, match="subsets"):
        best_cover(np.ones((1, 60)), 30)

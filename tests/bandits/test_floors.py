import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.bandits import BanditError, floored, mixed

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=12).filter(lambda values: sum(values) > 1e-3)


@given(SHARES, st.floats(0, 1))
def test_a_floor_keeps_a_distribution_above_it_and_in_order(values, part):
    weights = np.array(values) / sum(values)
    least = part / len(weights)
    for found in (floored(weights, least), mixed(weights, least)):
        assert found.sum() == pytest.approx(1)
        assert (found >= least - 1e-12).all()
        order = np.argsort(weights, kind="stable")
        assert (np.diff(found[order]) >= -1e-12).all()


@given(SHARES)
def test_weights_above_the_floor_keep_their_proportions(values):
    weights = np.array(values) / sum(values)
    least = 0.3 / len(weights)
    found = floored(weights, least)
    above = found > least + 1e-9
    ratio = found[above] / weights[above]
    assert np.allclose(ratio, ratio[:1])
    assert not above.any() or (ratio <= 1 + 1e-9).all()


def test_no_floor_changes_nothing():
    weights = np.array([0.7, 0.3, 0.0])
    assert (floored(weights, 0.0) == weights).all()
    assert (mixed(weights, 0.0) == weights).all()


def test_scaling_down_may_push_others_below():
    """0.21 is above the floor until the others have been raised to it: one pass would not do."""
    found = floored(np.array([0.59, 0.205, 0.2, 0.005]), 0.2)
    assert found.round(6).tolist() == [0.4, 0.2, 0.2, 0.2]


def test_a_floor_that_cannot_be():
    with pytest.raises(BanditError, match=r"a least weight of 0.3 for 4 arms: from 0 to 0.25"):
        floored(np.full(4, 0.25), 0.3)
    with pytest.raises(BanditError):
        mixed(np.full(4, 0.25), float("nan"))

"""The kernels against the plain bandits and estimators."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.agents.implicit import _kernels
from kibitz.bandits import floored
from kibitz.bandits.hedge import softmax

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=12).filter(lambda values: sum(values) > 1e-3)


@settings(deadline=None)
@given(SHARES, st.floats(0, 1))
def test_floors(values, part):
    weights = np.array(values) / sum(values)
    out = np.empty(len(weights))
    _kernels.floor_weights(weights, part / len(weights), out)
    assert np.allclose(out, floored(weights, part / len(weights)))


@settings(deadline=None)
@given(st.lists(st.floats(-700, 700), min_size=1, max_size=12))
def test_softmax(logits):
    out = np.empty(len(logits))
    _kernels.softmax(np.array(logits), out)
    assert np.allclose(out, softmax(np.array(logits)))


@pytest.mark.parametrize("uniform", [0.0, 0.19, 0.2, 0.5, 0.999999])
def test_draw(uniform):
    chances = np.array([0.2, 0.0, 0.5, 0.3, 99.0])
    expected = int(np.searchsorted(np.cumsum(chances[:4]), uniform, side="right"))
    assert _kernels.draw(chances, 4, uniform) == expected

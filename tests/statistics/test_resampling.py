"""The bootstrap: rows are draws with replacement, the same whatever the blocks."""

import numpy as np
import pytest

from kibitz.statistics import estimates, resample_counts


def plain_counts(seed, samples, resamples):
    rng = np.random.default_rng(seed)
    return np.array([np.bincount(rng.integers(samples, size=samples), minlength=samples) for _ in range(resamples)])


@pytest.mark.parametrize("block", [1, 50, 10**6])
@pytest.mark.parametrize("samples", [1, 7, 40])
def test_counts_are_those_of_draws_one_by_one(monkeypatch, block, samples):
    monkeypatch.setattr(estimates, "_BLOCK", block)
    counts = resample_counts(np.random.default_rng(5), samples, 33)
    np.testing.assert_array_equal(counts, plain_counts(5, samples, 33))
    assert (counts.sum(axis=1) == samples).all()


def test_small_integers_hold_the_same_counts():
    wide, narrow = (resample_counts(np.random.default_rng(2), 100, 20, dtype) for dtype in (np.int64, np.uint8))
    assert narrow.dtype == np.uint8
    np.testing.assert_array_equal(wide, narrow)

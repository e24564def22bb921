"""The bootstrap: draw as many samples as there are, with replacement, many times (Efron 1979)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_BLOCK = 1 << 22  # draws that are held at a time


def resample_counts(
    rng: np.random.Generator, samples: int, resamples: int, dtype: npt.DTypeLike = np.int64
) -> npt.NDArray[np.integer]:
    """How often each sample was drawn: integers[resamples, samples] whose rows add up to `samples`.

    dtype   one that holds the largest of them; uint8 does but for a chance of 1e-500
    """
    counts = np.empty((resamples, samples), dtype=dtype)
    rows = max(1, _BLOCK // max(samples, 1))
    for start in range(0, resamples, rows):
        block = counts[start : start + rows]
        drawn = rng.integers(samples, size=block.shape)
        drawn += samples * np.arange(len(block))[:, np.newaxis]  # one histogram for the whole block
        block[...] = np.bincount(drawn.ravel(), minlength=block.size).reshape(block.shape)
    return counts

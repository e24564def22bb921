"""Vectors of a few numbers that kernels hold in one register, lane by lane: see `kibitz.lanes._kernels`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def aligned_zeros(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Zeros that begin at a cache line: a vector across two lines takes twice as long."""
    line, item = 64, np.dtype(dtype).itemsize
    raw = np.zeros(size * item + line, dtype=np.uint8)
    begin = -raw.ctypes.data % line
    return raw[begin : begin + size * item].view(dtype)

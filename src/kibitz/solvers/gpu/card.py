"""The graphics card, as far as this package is concerned."""

from __future__ import annotations

from typing import Any

from kibitz.errors import KibitzError


def check_gpu() -> Any:
    """The CuPy module; raises where there is no card, or nothing to drive it."""
    try:
        import cupy
        from numba import cuda
    except ImportError as error:
        raise KibitzError(f"a graphics card needs pip install '.[gpu]' in the project's folder: {error}") from None
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise KibitzError(f"no graphics card: {error}; solve on the CPU", settings=("device",)) from None
    if not found or not cuda.is_available():
        raise KibitzError("no graphics card that CUDA can use: solve on the CPU", settings=("device",))
    return cupy

"""Vector solvers on a GPU: the same numbers as on the CPU, many nodes at a time.

The extra `gpu` brings what is needed; nothing here is imported without being asked for.
"""

from __future__ import annotations

from typing import Any

from kibitz.errors import KibitzError


def check_gpu() -> Any:
    """The CuPy module; raises where there is no GPU, or no driver for it."""
    try:
        import cupy
        from numba import cuda
    except ImportError as error:
        raise KibitzError(f"the GPU needs pip install '.[gpu]' in the project's folder: {error}") from None
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise KibitzError(f"no GPU: {error}; solve on the CPU", settings=("device",)) from None
    if not found or not cuda.is_available():
        raise KibitzError("no GPU that CUDA can use: solve on the CPU", settings=("device",))
    return cupy

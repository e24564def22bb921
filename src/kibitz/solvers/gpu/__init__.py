"""Vector solvers on a GPU: the same numbers as on the processor, many nodes at a time.

The extra `gpu` brings what is needed; nothing here is imported without being asked for.
"""

from kibitz.solvers.gpu.device import check_gpu

__all__ = ["check_gpu"]

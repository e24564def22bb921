"""How helpers are compiled: functions that kernels call and Python does not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher


class HelperLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The machine code of one helper, with that of the helpers that it calls.

    Numba optimises a function with all that it calls, so that what stands n calls deep is optimised n times. Here only
    helpers that call no other are, in which the loops are; the rest waits for the kernel that they become part of. And
    machine code is made of kernels only: numba would make it of each helper too, with all that it calls.
    """

    def _optimize_final_module(self) -> None:
        if not any(isinstance(library, HelperLibrary) for library in self._linking_libraries):
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No address: see above."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """What numba asks to write the address of an environment into the machine code."""
        return _NoEnvironment()


class _NoEnvironment:
    """Helpers need none: Python's objects are the wrappers' business."""

    def set_env(self, name: str, environment: object) -> None:
        """There is nowhere to write it."""


class HelperCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with libraries for helpers."""

    def define_pipelines(self) -> Any:
        self.state.library = HelperLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class Helper(CPUDispatcher):  # type: ignore[misc]
    """A function for kernels. Python may call it too, as tests do: then it is compiled once more, to be called so."""

    def __call__(self, *arguments: Any) -> Any:
        return _callable(self.py_func)(*arguments)


@cache
def _callable(function: Callable[..., Any]) -> Any:
    return numba.njit(function)


def make_helper(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Compile a function when the first kernel that calls it is; nothing unpacks Python's arguments for it."""
    dispatcher = numba.njit(no_cpython_wrapper=True, pipeline_class=HelperCompiler, **options)(function)
    if isinstance(dispatcher, CPUDispatcher):  # NUMBA_DISABLE_JIT leaves functions as they are
        dispatcher.__class__ = Helper  # a call without that code would end the process
    return dispatcher

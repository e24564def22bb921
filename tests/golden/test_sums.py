"""What every learner comes to, to the bit: a change of results is seen when it is made.

Kernels of agents that learn may add in any order (`fastmath`), so a compiler that arranges their code anew changes what
they find, in places that no tolerance of a test would show. `sums.json` has checksums of one small fit of each learner,
by processor, optimisation and versions of the compiler; where these are others, the tests are skipped. Record a change
that is meant, and the sums of another machine, once for every NUMBA_OPT that tests run with (1 in `make test`, else 3):

    NUMBA_OPT=1 NUMBA_CACHE_DIR=.cache/sums-1 python -m pytest tests/golden --record-sums

with a cache for each, since numba's does not tell the optimisations apart.
"""

from __future__ import annotations

import json
import platform
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.registry import cpu_target
from threadpoolctl import threadpool_limits

from golden.fits import FITS, Arrays

KEPT = Path(__file__).with_name("sums.json")
Sums = dict[str, dict[str, str]]


@cache
def setting() -> str:
    """What machine code, and so the order of sums, depends on."""
    _triple, processor, features = cpu_target.target_context.codegen().magic_tuple()
    packages = ", ".join(f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy"))
    instructions = f"{platform.machine()} {processor} {digest(features.encode())}"
    return f"{instructions}, NUMBA_OPT={int(numba.config.OPT)}, {packages}"


def digest(content: bytes) -> str:
    return blake2b(content, digest_size=6).hexdigest()


def kept() -> dict[str, Sums]:
    found: dict[str, Sums] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    return found


def sums_of(arrays: Arrays) -> dict[str, str]:
    return {name: digest(np.ascontiguousarray(array).tobytes()) for name, array in arrays.items()}


def record(name: str, sums: dict[str, str]) -> None:
    found = kept()
    found[setting()] = {**found.get(setting(), {}), name: sums}
    found[setting()] = {each: found[setting()][each] for each in FITS if each in found[setting()]}
    KEPT.write_text(json.dumps(found, indent=1) + "\n")


@pytest.mark.parametrize("name", FITS)
def test_a_small_fit_comes_to_the_same(name: str, request: Any) -> None:
    if setting() not in kept() and not request.config.getoption("--record-sums", False):
        pytest.skip(f"no sums are kept for {setting()}: record them with --record-sums")
    with threadpool_limits(1, "blas"):
        found = sums_of(FITS[name]())
    if request.config.getoption("--record-sums", False):
        record(name, found)
    assert found == kept()[setting()][name], f"{name} comes to other numbers: a change of results"

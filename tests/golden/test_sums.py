"""What every learner comes to, to the bit: a change of results is seen when it is made.

Kernels of agents that learn may add in any order (`fastmath`), so a compiler that arranges their code anew changes what
they find, in places that no tolerance of a test would show. `sums.json` has checksums of one small fit of each learner,
by processor, optimisation and versions of the compiler; where these are others, the tests are skipped. Record a change
that is meant, and the sums of another machine, once for every NUMBA_OPT that tests run with (1 in `make test`, else 3):

    NUMBA_OPT=1 python -m pytest tests/golden --record-sums
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core.registry import cpu_target

from golden.fits import FITS, digest

KEPT = Path(__file__).with_name("sums.json")
Sums = dict[str, dict[str, str]]


@cache
def setting() -> str:
    """What machine code, and so the order of sums, depends on."""
    _triple, processor, features = cpu_target.target_context.codegen().magic_tuple()
    packages = ", ".join(f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy"))
    instructions = f"{platform.machine()} {processor} {digest(features.encode())}"
    return f"{instructions}, NUMBA_OPT={int(numba.config.OPT)}, {packages}"


def kept() -> dict[str, Sums]:
    found: dict[str, Sums] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    return found


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict[str, dict[str, str]]:
    """The sums of every fit, in a process and with a cache of its own: machine code depends on what a process has
    compiled before.
    """
    tests = Path(__file__).parents[1]
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("kernels")),
        "PYTHONPATH": os.pathsep.join([str(tests), *filter(None, sys.path)]),
    }
    run = subprocess.run([sys.executable, "-m", "golden.fits"], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_small_fits_come_to_the_same(request: Any) -> None:
    is_recording = request.config.getoption("--record-sums", False)
    if setting() not in kept() and not is_recording:
        pytest.skip(f"no sums are kept for {setting()}: record them with --record-sums")
    sums = request.getfixturevalue("found")
    if is_recording:
        KEPT.write_text(json.dumps({**kept(), setting(): sums}, indent=1) + "\n")
    known = kept()[setting()]
    changed = [name for name in FITS if sums[name] != known.get(name)]
    assert not changed, f"a change of results: {', '.join(changed)} come to other numbers"

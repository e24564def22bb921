"""Compiled kernels: told once, kept where there is room, and no word of a cache that is damaged or full."""

import importlib.util
import itertools
import os
import random
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from kibitz import compiling
from kibitz.compiling import COMPILING, CompilingWarning, cache

SOURCE = """
from kibitz.compiling import njit


@njit(cache=True)
def double(number):
    return 2 * number


@njit
def halve(number):
    return number // 2
"""
NUMBERS = itertools.count()


@pytest.fixture
def said():
    """What is told, as the command line does it."""
    lines: list[str] = []
    compiling.tell_with(lines.append)
    yield lines
    compiling.tell_with(None)


@pytest.fixture
def kept(tmp_path, monkeypatch) -> Path:
    """A folder for compiled kernels."""
    folder = tmp_path / "kept"
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def load(tmp_path):
    """The kernels of a module as another process would load them."""
    source = tmp_path / "kernels.py"
    source.write_text(SOURCE)

    def load():
        spec = importlib.util.spec_from_file_location(f"kernels_{next(NUMBERS)}", source)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def files(folder: Path, ending: str) -> list[Path]:
    return sorted(folder.rglob(f"*.{ending}"))


def test_compiling_is_said_once_and_only_when_something_is_compiled(kept, load, said):
    kernels = load()
    assert said == []
    assert (kernels.double(2), kernels.double(2.5), kernels.halve(7)) == (4, 5.0, 3)
    assert said == [COMPILING]
    said.clear()
    compiling.tell_with(said.append)
    assert (load().double(2), said) == (4, [])
    assert load().double(1j) == 2j
    assert said == [COMPILING]


def test_a_program_that_does_not_ask_is_told_nothing(kept, load, recwarn, capfd):
    assert load().double(2) == 4
    assert not recwarn.list
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_damaged_files_are_made_again(kept, load, said, ending):
    load().double(2)
    (path,) = files(kept, ending)
    whole, draws = path.read_bytes(), random.Random(18)
    for number in range(40):
        damaged = bytearray(whole)
        if number % 3:
            damaged[draws.randrange(len(whole))] ^= 1 << draws.randrange(8)
        else:
            del damaged[draws.randrange(len(whole)) :]
        path.write_bytes(damaged)
        assert load().double(21) == 42
    assert load().double(21) == 42
    said.clear()
    compiling.tell_with(said.append)
    assert (load().double(21), said) == (42, []), "and then found again"


def test_machine_code_of_another_signature_is_not_run(kept, load):
    kernels = load()
    kernels.double(2)
    kernels.double(2.5)
    first, second = files(kept, "nbc")
    first.write_bytes(second.read_bytes())
    assert load().double(3) == 6


def test_a_full_disk_keeps_nothing_and_the_result_comes(kept, load, said, monkeypatch):
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache._CheckedFile, "_save_data", full)
    assert load().double(2) == 4
    assert load().double(3) == 6
    assert [line for line in said if line != COMPILING] == [
        f"Compiled kernels cannot be kept in {files(kept, 'nbi')[0].parent} (No space left on device): they are "
        "compiled again in every run; set NUMBA_CACHE_DIR to keep them elsewhere."
    ]


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """Neither the package nor the user's folder can be written; temporary files can."""
    monkeypatch.setattr(cache._KernelCacheImpl, "_locator_classes", (cache._TemporaryLocator,))
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    cache.temporary_folder.cache_clear()
    yield
    cache.temporary_folder.cache_clear()


@pytest.mark.usefixtures("nowhere")
def test_temporary_files_are_the_last_resort(tmp_path, load, said):
    folder = tmp_path / f"kibitz-kernels-{os.getuid()}"
    assert (load().double(2), load().double(3)) == (4, 6)
    assert len(files(folder, "nbc")) == 1
    told = [line for line in said if line != COMPILING]
    assert len(told) == 1
    assert str(folder) in told[0]
    assert os.environ["NUMBA_CACHE_DIR"] == str(folder), "for the processes started from here"
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.usefixtures("nowhere")
def test_a_temporary_folder_that_others_can_write_is_not_used(tmp_path, load, said):
    foreign = tmp_path / f"kibitz-kernels-{os.getuid()}"
    foreign.mkdir()
    foreign.chmod(0o777)
    assert load().double(2) == 4
    assert not list(foreign.iterdir())


@pytest.mark.usefixtures("nowhere")
def test_without_any_folder_kernels_run_all_the_same(load, monkeypatch):
    def refuse(*_arguments: object, **_options: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cache.os, "mkdir", refuse)
    monkeypatch.setattr(cache.tempfile, "mkdtemp", refuse)
    with pytest.warns(CompilingWarning, match="compiled again in every run"):
        kernels = load()
    assert kernels.double(2) == 4


def test_a_command_in_a_read_only_place_answers(tmp_path):
    """The whole way, in a process of its own: numba finds no folder, and the answer comes with one line about it."""
    program = (
        "from numba.core import caching\n"
        "def refuse(self): raise PermissionError(13, 'Permission denied')\n"
        "for each in caching.FunctionCache._impl_class._locator_classes: each.ensure_cache_path = refuse\n"
        "from kibitz.cli import main\n"
        "main(['equity', 'AA', 'KK'])\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("AA  81.9461%")
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert "kibitz-kernels" in lines[0]
    assert lines[1] == COMPILING


@pytest.mark.parametrize("between", ["_kernels.py", "_kernels/steps.py"])
def test_a_helper_changed_in_another_file_is_compiled_again(tmp_path, kept, between):
    """Numba alone would go on with the old one: it looks at the file of the kernel only.

    between   the module through which the kernel takes the helper: a file of kernels, or one in a package of them
    """
    package = tmp_path / "laboratory"
    package.mkdir()
    (package / "__init__.py").touch()
    through = f"laboratory.shared.{between.removesuffix('.py').replace('/', '.')}"
    (package / "_kernels.py").write_text(
        f"from kibitz.compiling import njit\nfrom {through} import step\n\n\n"
        "@njit(cache=True)\ndef walk(number):\n    return step(number) + 1\n"
    )
    shared = package / "shared"
    (shared / between).parent.mkdir(parents=True)
    (shared / "__init__.py").touch()
    (shared / between).write_text("from laboratory.helpers import step as step\n")

    def walked(factor: int) -> tuple[str, str]:
        """What a new process finds, and whether it found the kernel on disk."""
        (package / "helpers.py").write_text(
            f"from kibitz.compiling import njit\n\n\n@njit\ndef step(number):\n    return {factor} * number\n"
        )
        program = "from laboratory._kernels import walk; print(walk(7), sum(walk.stats.cache_hits.values()))"
        paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
        environment = os.environ | {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(kept)}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"  # Python trusts its own cache within the same second
        run = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        result, hits = run.stdout.split()
        return result, hits

    assert walked(2) == ("15", "0")
    assert walked(2) == ("15", "1")
    assert walked(3) == ("22", "0")


BORROWING = """
import numpy as np

from kibitz.compiling import njit


@njit(cache=True, borrows=True)
def larger(pair, count):
    total = 0.0
    for i in range(count):
        one, two = pair
        if two[i] > one[i]:
            one = two
        total += one[i]
    return total


@njit(cache=True, borrows=True)
def made(count):
    return np.ones(count)[0]
"""


def test_nobody_counts_arrays_that_are_borrowed(tmp_path, kept, load):
    (tmp_path / "kernels.py").write_text(BORROWING)
    kernels = load()
    assert kernels.larger((np.arange(3.0), np.ones(3)), 3) == 4.0
    (code,) = kernels.larger.inspect_llvm().values()
    assert "@NRT_incref(" not in code
    with pytest.raises(numba.core.errors.TypingError, match="made"):
        kernels.made(3)

"""`make` finds a suitable Python, installs no more than is needed, and takes nothing half-finished for finished.

The interpreters are shell scripts that say a version, make a folder for `-m venv`, and note what they were called with.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ("sh", "make", "sed", "rm", "cp", "mkdir", "touch", "dirname", "chmod", "cat", "printf")

pytestmark = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in TOOLS), reason=f"needs {', '.join(TOOLS)} on PATH"
)

PYTHON = """#!/bin/sh
case "$1 $2" in
"-c import pip") exit 0 ;;
"-c "*) printf '%s\\n' {version} {prefix} '{path}' ;;
"-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && [ ! -e venv-fails ] ;;
"-m pip")
    echo "{version} $*" >> calls
    [ ! -e pip-dies ] || {{ rm pip-dies; kill -9 $PPID; }}
    [ ! -e pip-fails ] || exit 1
    for command in kibitz ruff mypy; do
        printf '#!/bin/sh\\n' > .venv/bin/$command && chmod +x .venv/bin/$command
    done ;;
esac
"""


class Machine:
    """A checkout with the files that installing reads, and a PATH with the tools and the Pythons that are put there."""

    def __init__(self, folder: Path) -> None:
        self.path, self.checkout = folder / "bin", folder / "checkout"
        self.path.mkdir()
        (self.checkout / "scripts").mkdir(parents=True)
        for name in ("Makefile", "pyproject.toml", "scripts/install.sh"):
            shutil.copy(ROOT / name, self.checkout / name)
        os.utime(self.checkout / "pyproject.toml", (0, 0))
        for tool in TOOLS:
            (self.path / tool).symlink_to(shutil.which(tool))

    def add_python(self, name: str, version: str) -> None:
        """Put a Python of this version on the PATH."""
        place = self.path / name
        prefix = f"/opt/python{version}"
        place.write_text(PYTHON.format(version=version, prefix=prefix, path=place))
        place.chmod(0o755)

    def make(self, *words: str) -> subprocess.CompletedProcess[str]:
        """`make` with these words, in the checkout."""
        environment = {"PATH": str(self.path), "HOME": str(self.checkout)}
        command = [str(self.path / "make"), *words]
        return subprocess.run(command, cwd=self.checkout, env=environment, capture_output=True, text=True, timeout=60)

    def installed(self) -> list[str]:
        """Version and extras of every call of pip since the last time this was asked."""
        calls = self.checkout / "calls"
        lines = calls.read_text().splitlines() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return [line.replace("-m pip install --quiet --editable ", "") for line in lines]

    @property
    def venv(self) -> Path:
        return self.checkout / ".venv"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_an_old_python_is_named_before_anything_is_made(machine):
    machine.add_python("python3.10", "3.10.13")
    machine.add_python("python3", "3.11.7")
    result = machine.make("PYTHON=python3.10", "setup")
    assert result.returncode != 0
    assert "needs Python 3.11 or newer, but python3.10 is Python 3.10.13: name another one" in result.stderr
    assert not machine.venv.exists()
    assert machine.make("setup").returncode == 0
    assert machine.installed() == ["3.11.7 ."]


def test_without_any_python_one_sentence_says_so(machine):
    result = machine.make("setup")
    assert result.returncode != 0
    assert result.stderr.splitlines()[0].startswith("Kibitz needs Python 3.11 or newer, but python3 cannot be run")
    machine.add_python("python3", "3.9.1")
    machine.add_python("python", "2.7.18")
    result = machine.make("setup")
    assert "but python3 is Python 3.9.1, python is Python 2.7.18: name another one" in result.stderr
    assert not machine.venv.exists()


@pytest.mark.parametrize("name", ["python3.11", "python3.12", "python3.13", "python3.14"])
def test_where_python3_is_too_old_a_numbered_one_is_used(machine, name):
    machine.add_python("python3", "3.8.18")
    machine.add_python(name, f"{name.removeprefix('python')}.1")
    assert machine.make("setup").returncode == 0
    assert machine.installed() == [f"{name.removeprefix('python')}.1 ."]


def test_a_venv_of_an_unsuitable_python_is_made_again(machine):
    machine.add_python("python3", "3.10.13")
    subprocess.run([machine.path / "python3", "-m", "venv", machine.venv], check=True)
    (machine.venv / ".installed").touch()
    machine.add_python("python3", "3.12.1")
    result = machine.make("setup")
    assert result.returncode == 0
    assert "Making .venv again, with Python 3.12.1: it has Python 3.10.13" in result.stderr
    assert machine.installed() == ["3.12.1 ."]


def test_another_python_makes_the_venv_again_and_none_keeps_it(machine):
    machine.add_python("python3", "3.11.7")
    machine.add_python("python3.12", "3.12.1")
    for words, installed in (
        (["setup"], ["3.11.7 ."]),
        (["PYTHON=python3", "setup"], []),
        (["PYTHON=python3.12", "setup"], ["3.12.1 ."]),
        (["setup"], []),
        (["PYTHON=python3", "setup"], ["3.11.7 ."]),
    ):
        assert machine.make(*words).returncode == 0
        assert machine.installed() == installed


def test_every_goal_installs_what_it_needs_and_only_once(machine):
    machine.add_python("python3", "3.11.7")
    assert machine.make("demo").returncode == 0
    assert machine.installed() == ["3.11.7 ."]
    assert machine.make("lint").returncode == 0
    assert machine.installed() == ["3.11.7 .[dev]"]
    assert machine.make("lint", "demo").returncode == 0
    assert machine.installed() == []
    shutil.rmtree(machine.venv)
    assert machine.make("lint", "demo").returncode == 0  # the second needs nothing more
    assert machine.installed() == ["3.11.7 .[dev]"]
    os.utime(machine.checkout / "pyproject.toml", (2**31, 2**31))  # other dependencies
    assert machine.make("demo").returncode == 0
    assert machine.installed() == ["3.11.7 ."]


def test_what_fails_is_tried_again_in_the_same_venv(machine):
    machine.add_python("python3", "3.11.7")
    (machine.checkout / "pip-fails").touch()
    result = machine.make("setup")
    assert result.returncode != 0
    assert "Installing Kibitz failed" in result.stderr
    (machine.checkout / "pip-fails").unlink()
    machine.installed()
    result = machine.make("setup")
    assert result.returncode == 0
    assert "again" not in result.stderr
    assert machine.installed() == ["3.11.7 ."]


def test_what_is_killed_is_made_again(machine):
    machine.add_python("python3", "3.11.7")
    assert machine.make("setup").returncode == 0
    (machine.checkout / "pip-dies").touch()
    assert machine.make("lint").returncode != 0
    machine.installed()
    result = machine.make("setup")
    assert result.returncode == 0
    assert "Making .venv again, with Python 3.11.7: it was not finished" in result.stderr
    assert machine.installed() == ["3.11.7 ."]


def test_a_venv_that_cannot_be_made_leaves_nothing(machine):
    machine.add_python("python3", "3.11.7")
    (machine.checkout / "venv-fails").touch()
    result = machine.make("setup")
    assert result.returncode != 0
    assert "cannot make .venv" in result.stderr
    assert not machine.venv.exists()


def test_a_path_with_spaces(machine):
    machine.add_python("my python", "3.13.0")
    assert machine.make(f"PYTHON={machine.path / 'my python'}", "setup").returncode == 0
    assert machine.installed() == ["3.13.0 ."]

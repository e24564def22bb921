"""The page on the architecture: its packages are the layers, its modules exist, and commands do use them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from test_imports import LAYERS, ROOT

PAGE = Path(__file__).parents[1] / "docs" / "background" / "architecture.md"
MOST = 20
QUICK = {
    "kibitz solve leduc": "solve leduc --iterations 2 --out run",
    "kibitz match A B": "match tight-aggressive loose-passive --hands 2",
    "kibitz abstract bets": "abstract bets leduc-nolimit --ranges 1 --algorithm red --iterations 60 --runs 1 --out x",
}


def walks(text: str) -> dict[str, list[str]]:
    """The modules of every walk in the order of its steps, by the command that is followed."""
    found = {}
    for part in re.split(r"^## ", text, flags=re.MULTILINE):
        if title := re.match(r"Walk: `([^`]+)`", part):
            found[title[1]] = re.findall(r"^\d+\. `([\w/]+\.py)`", part, flags=re.MULTILINE)
    return found


def missing(text: str) -> list[str]:
    """Paths of modules that the page names and the package does not have."""
    named = [path for path in re.findall(r"`([\w/]+\.py)`", text) if "/" in path]
    return sorted({path for path in named if not (ROOT / path).exists() and not (PAGE.parents[2] / path).exists()})


def too_long(found: dict[str, list[str]]) -> list[str]:
    """A line for every walk with more modules than one can follow, or through one of them twice."""
    lines = [f"{name}: {len(steps)} modules" for name, steps in found.items() if len(steps) > MOST]
    return lines + [f"{name}: {each} twice" for name, steps in found.items() for each in steps if steps.count(each) > 1]


def test_the_layers_are_those_of_the_imports():
    (drawn,) = re.findall(r"```text\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    packages = re.findall(r"^(\w+) ", drawn, flags=re.MULTILINE)
    assert packages == [name for name in LAYERS.split() if name != "web" or (ROOT / name).exists()]


def test_the_modules_exist():
    assert not missing(PAGE.read_text())


def test_the_walks_are_short():
    found = walks(PAGE.read_text())
    assert list(found) == [
        "kibitz solve leduc",
        "kibitz train blueprint quick",
        "kibitz match A B",
        "kibitz abstract bets",
    ]
    assert min(map(len, found.values())) > 10
    assert not too_long(found)


@pytest.mark.parametrize("walk", QUICK)
def test_the_command_uses_the_modules(walk, tmp_path):
    """All but those that need an option of their own are loaded when the command has run."""
    program = (
        "import sys\nfrom kibitz.cli import main\n"
        f"main({QUICK[walk].split()!r}, standalone_mode=False)\nprint(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split())
    names = {path: f"kibitz.{path.removesuffix('.py').replace('/', '.').removesuffix('.__init__')}"
             for path in walks(PAGE.read_text())[walk]}  # fmt: skip
    unused = [path for path, name in names.items() if name not in loaded]
    assert unused in ([], ["bet_sizing/play.py"])


def test_a_stale_page_would_be_seen():
    text = "## Walk: `kibitz x`\n\n1. `a/b.py` does.\n2. `games/state.py` is.\n3. `a/b.py` does again.\n"
    assert missing(text) == ["a/b.py"]
    assert too_long(walks(text)) == ["kibitz x: a/b.py twice", "kibitz x: a/b.py twice"]
    assert too_long({"y": [str(number) for number in range(MOST + 1)]}) == ["y: 21 modules"]

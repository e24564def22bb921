"""The page on the architecture: its packages are the layers, its modules exist, and commands walk through them."""

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
MOST_ENTERED = {"kibitz solve leduc": 54, "kibitz match A B": 58, "kibitz abstract bets": 62}


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
def test_the_command_walks_as_the_page_says(walk, tmp_path):
    """A process is traced: the modules that it enters, in that order, and how many they are at most."""
    follow = [sys.executable, str(PAGE.parents[2] / "scripts" / "walk.py"), *QUICK[walk].split()]
    entered = subprocess.run(follow, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()
    told = walks(PAGE.read_text())[walk]
    assert [path for path in entered if path in told] == told
    assert len(entered) <= MOST_ENTERED[walk], entered


def test_a_stale_page_would_be_seen():
    text = "## Walk: `kibitz x`\n\n1. `a/b.py` does.\n2. `games/state.py` is.\n3. `a/b.py` does again.\n"
    assert missing(text) == ["a/b.py"]
    assert too_long(walks(text)) == ["kibitz x: a/b.py twice", "kibitz x: a/b.py twice"]
    assert too_long({"y": [str(number) for number in range(MOST + 1)]}) == ["y: 21 modules"]

"""Every example runs as a newcomer would run it, and says what it should."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.agents import load_agent

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

# Example -> a line it prints.
LINES = {
    "play_a_match.py": "tight-aggressive is better, as far as 1,000 deals can tell.",
    "write_an_agent.py": "pair-lover keeps the contract",
    "walk_through_a_hand.py": "returns: (2000, -2000)",
    "read_a_log.py": "always-fold          VPIP   0.0%",
    "solve_a_game.py": "player 1    Q     K     A",
    "meet_a_min_bettor.py": "after hand 2 the answer plays",
    "solve_a_spot.py": "The player out of position wins 77 of the 100 chips.",
}


def run(name, *arguments, folder):
    # UTF-8 whatever the machine's locale: results carry a plus-minus sign.
    environment = {**os.environ, "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_every_example_is_run():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(LINES)


def test_the_agent_of_the_readme_is_one_of_them(monkeypatch):
    monkeypatch.chdir(EXAMPLES.parent)
    commands = re.findall(r"\$ kibitz match (\S+\.py:\w+) ", Path("README.md").read_text(encoding="utf-8"))
    assert [load_agent(each).name for each in commands] == ["pair-lover"]


@pytest.mark.parametrize("name", LINES)
def test_example(name, tmp_path):
    result = run(name, folder=tmp_path)
    assert result.returncode == 0, result.stderr
    assert LINES[name] in result.stdout.splitlines()
    assert list(tmp_path.iterdir()) == []  # leaves nothing behind


def test_the_log_reader_reads_real_logs(data, tmp_path):
    logs = sorted((data / "acpc" / "logs").glob("*.log*"))
    if not logs:
        pytest.skip("no ACPC log in the folder of real hand histories")
    result = run("read_a_log.py", str(min(logs, key=lambda path: path.stat().st_size)), folder=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "VPIP" in result.stdout

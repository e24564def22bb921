"""Three players of limit hold'em from the command line to the table, with few raises so that it takes seconds."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.games import format_gamedef, load_game
from kibitz.solvers.compiled.sampled import _distinct
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options
from kibitz.strategy import load_strategy
from kibitz.testing import check_agent
from kibitz.training import memory

GAME = replace(load_game("holdem-limit-3p"), max_raises=(1, 1, 1, 1), name="few-raises")


@pytest.fixture
def game_file(tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "few-raises.game"
    path.write_text(format_gamedef(GAME))
    return path


@pytest.mark.parametrize(("algorithm", "storage"), [("external", "double"), ("pure", "half"), ("chance", "single")])
def test_from_the_command_line_to_the_table(game_file, tmp_path, algorithm, storage):
    out = tmp_path / "run"
    arguments = ["--cards", "one-bucket", "--algorithm", algorithm, "--storage", storage, "--iterations", "300"]
    result = CliRunner().invoke(main, ["solve", str(game_file), *arguments, "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert result.output.startswith(
        "4,736 betting nodes, 2,366 information sets,\n  4,735 infoset-action pairs; peak memory about "
    )
    strategy = load_strategy(out)
    for node in strategy.layout.tree.decisions:
        assert (strategy.at(node) >= 0).all()
        np.testing.assert_allclose(strategy.at(node).sum(axis=0), 1, atol=1e-6)
    assert (strategy.at(0) < 0.9).all()  # with no cards to look at nothing stands out that soon, but all was visited
    check_agent(str(out), games=[str(game_file)], hands=30)
    match = ["match", str(out), str(out) + ",name=b", "always-call", "--game", str(game_file), "--hands", "20"]
    played = CliRunner().invoke(main, match)
    assert played.exit_code == 0, played.output


def test_what_cannot_be_measured_is_said_without_nan(game_file, tmp_path):
    out = tmp_path / "r"
    arguments = ("solve", game_file, "--cards", "one-bucket", "--algorithm", "external", "--out", out)

    def run(*words):
        return CliRunner().invoke(main, [str(word) for word in words])

    solved = run(*arguments, "--iterations", 2)
    assert solved.exit_code == 0, solved.output
    rows = [line.split()[:3] for line in solved.stdout.splitlines() if "–" in line]
    assert rows[:2] == [["1", "–", "–"], ["2", "–", "–"]]
    assert solved.stdout.splitlines()[-1] == f"Strategy: {out}"
    assert not (out / "convergence.png").exists()
    assert load_strategy(out).manifest["exploitability"] is None
    assert "NaN" not in (out / "manifest.json").read_text()
    curve = out / "curve.jsonl"
    assert '"exploitability": null, "value": null' in curve.read_text()
    assert run(*arguments, "--iterations", 3, "--resume").exit_code == 0
    assert [json.loads(line)["iteration"] for line in curve.read_text().splitlines()] == [1, 2, 3]
    assert "NaN" not in curve.read_text()


def test_memory_is_said_and_held_against_the_machine(monkeypatch):
    problem = Problem(load_game("holdem-limit-3p"), cards="IR-100")
    options = Options(storage="half")
    assert memory.peak_bytes(problem, "chance", options) > memory.peak_bytes(problem, "external", options) > 28e9
    monkeypatch.setattr(memory, "available_bytes", lambda: 12 << 30)
    with pytest.raises(KibitzError, match=r"23,937,308 nodes .* a sampled solver needs 29\.\d GiB, there are 12 GiB"):
        memory.check_memory(problem, "external", options)
    memory.check_memory(Problem(problem.game, cards="IR EHS2 5-5-5-5"), "external", options)
    assert memory.available_bytes() > 0


def test_distinct_rows():
    """Also where the numbers of a row do not fit 64 bits together."""
    rng = np.random.default_rng(0)
    for most in (3, 10**9):
        rows = rng.integers(most, size=(40, 9))[rng.integers(40, size=500)]
        first, which = _distinct(rows)
        np.testing.assert_array_equal(rows[first][which], rows)
        assert len(first) == len({tuple(row) for row in rows.tolist()})

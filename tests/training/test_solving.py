"""Solving as a plan: the curve, what is left in the folder, resuming to the same bits with every algorithm."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.plans import carry_out, open_artefact, read_curve, rows_of
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import ALGORITHMS, make_solver
from kibitz.strategy import load_strategy
from kibitz.training.solving import SolvePlan, SolveRun

LEDUC = Problem(load_game("leduc"))
FILES = {"checkpoint.npz", "convergence.png", "curve.jsonl", "manifest.json", "values.npy"}


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def solving(algorithm, **limits):
    return SolveRun(make_solver(algorithm, LEDUC), LEDUC, **limits)


def timeless(rows):
    return [{**row, "seconds": 0} for row in rows]


def test_the_curve_falls_and_stops_where_it_should():
    rows = list(rows_of(solving("cfr+", iterations=100)))
    assert [row["iteration"] for row in rows] == [1, 2, 4, 8, 16, 32, 64, 100]
    assert rows[-1]["exploitability"] < 0.02 < rows[3]["exploitability"]
    reached = list(rows_of(solving("cfr+", until=0.05, every=10)))
    assert all(row["exploitability"] > 0.05 for row in reached[:-1])
    assert reached[-1]["exploitability"] <= 0.05
    with pytest.raises(KibitzError, match="no stopping rule"):
        solving("cfr+")


def test_a_run_leaves_a_strategy_its_curve_and_a_plot(tmp_path):
    *_, last = carry_out(SolvePlan("leduc", algorithm="dcfr", iterations=64), tmp_path / "leduc")
    assert {path.name for path in (tmp_path / "leduc").iterdir()} == FILES
    strategy, rows = load_strategy(tmp_path / "leduc"), read_curve(tmp_path / "leduc")
    assert strategy.manifest["exploitability"] == last.artefact.made["exploitability"] == rows[-1]["exploitability"]
    assert strategy.manifest["iterations"] == 64
    assert [row["iteration"] for row in rows] == [1, 2, 4, 8, 16, 32, 64]


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "cfr-br-real"])
def test_a_run_that_is_left_resumes_to_the_same_bits(tmp_path, algorithm, monkeypatch):
    monkeypatch.setattr("kibitz.training.solving.PIECE_SECONDS", 0.0)
    plan = SolvePlan("leduc", algorithm=algorithm, iterations=None if algorithm == "lp" else 21)
    list(carry_out(plan, tmp_path / "straight"))
    for stop in (1, 5, 12):
        reports = carry_out(plan, tmp_path / f"{stop}")
        for _ in zip(range(stop), reports, strict=False):
            pass
        reports.close()
        if not (tmp_path / f"{stop}" / "manifest.json").exists():
            list(carry_out(plan, tmp_path / f"{stop}", resume=True))
        one, two = (open_artefact(tmp_path / name) for name in ("straight", f"{stop}"))
        np.testing.assert_array_equal(one.arrays["values"], two.arrays["values"])
        assert timeless(read_curve(tmp_path / "straight")) == timeless(read_curve(tmp_path / f"{stop}"))


def test_seconds_go_on_from_the_checkpoint(tmp_path):
    list(carry_out(SolvePlan("leduc", iterations=8), tmp_path))
    before = read_curve(tmp_path)[-1]["seconds"]
    list(carry_out(SolvePlan("leduc", iterations=9), tmp_path, resume=True))
    assert read_curve(tmp_path)[-1]["seconds"] > before


def test_games_that_cannot_be_measured_make_no_strategies_on_the_way(monkeypatch):
    problem = Problem(load_game("holdem-limit-2p"), cards="IR-100")
    solver = make_solver("external", LEDUC)
    monkeypatch.setattr(type(solver), "average_strategy", None)
    [*_, last] = rows_of(SolveRun(solver, problem, iterations=8))
    assert last["iteration"] == 8
    assert last["exploitability"] is None


def test_a_linear_program_refuses_what_it_does_not_have():
    with pytest.raises(KibitzError, match="single storage with lp"):
        SolvePlan("leduc", algorithm="lp", storage="single").begin()
    with pytest.raises(KibitzError, match="lp on a GPU"):
        SolvePlan("leduc", algorithm="lp", device="gpu").begin()


def test_a_game_is_the_same_whatever_its_file_is_called(tmp_path):
    from kibitz.games import format_gamedef

    (tmp_path / "mine.game").write_text(format_gamedef(load_game("leduc")))
    assert SolvePlan(str(tmp_path / "mine.game")).identity() == SolvePlan("leduc").identity()
    assert SolvePlan("kuhn").identity() != SolvePlan("leduc").identity()


def test_commands(tmp_path):
    out = tmp_path / "kuhn"
    solved = run("solve", "kuhn", "--iterations", 500, "--out", out)
    assert solved.exit_code == 0, solved.output
    assert "exploitability" in solved.output
    document = json.loads(run("solve", "kuhn", "--algorithm", "lp", "--json").stdout)
    assert document["value"] == pytest.approx(-1 / 18, abs=1e-9)
    assert set(document) == {"game", "algorithm", "iterations", "value", "exploitability", "abstract", "seconds"}
    exploited = json.loads(run("exploit", out, "--json").stdout)
    assert 0 <= exploited["exploitability"] < 1e-3
    shown = run("show", out, "r")
    assert "player 1 to act, round 1, after 'r'" in shown.output
    assert shown.output.splitlines()[-1].startswith("A")
    table = json.loads(run("show", out, "--json").stdout)
    assert table["states"] == ["Q", "K", "A"]
    np.testing.assert_allclose(np.sum(table["probabilities"], axis=1), 1)


def test_many_actions_are_shown_in_parts(tmp_path):
    run("solve", "leduc-nolimit", "--iterations", 2, "--out", tmp_path / "wide")
    told = run("show", tmp_path / "wide").output
    assert max(map(len, told.splitlines())) <= 80
    lines = told[told.index("to act") :].splitlines()
    table = json.loads(run("show", tmp_path / "wide", "--json").stdout)
    assert [word for line in lines if line.startswith(" ") for word in line.split()] == table["actions"]
    aces = [float(word) for line in lines if line.startswith("A ") for word in line.split()[1:]]
    np.testing.assert_allclose(aces, table["probabilities"][-1], atol=1e-4)


def test_a_linear_program_leaves_other_runs_alone(tmp_path):
    out = tmp_path / "r"
    assert run("solve", "kuhn", "--iterations", 4, "--out", out).exit_code == 0
    curve = (out / "curve.jsonl").read_text()
    for arguments in (("leduc", "--algorithm", "lp"), ("kuhn", "--iterations", 8)):
        refused = run("solve", *arguments, "--out", out)
        assert refused.exit_code == 2
        assert "holds a run" in refused.output
    refused = run("solve", "kuhn", "--algorithm", "lp", "--out", out, "--resume")
    assert "its run has algorithm = 'cfr+', this plan has 'lp'" in " ".join(refused.output.split())
    assert (out / "curve.jsonl").read_text() == curve
    assert run("solve", "kuhn", "--algorithm", "lp", "--out", tmp_path / "lp").exit_code == 0
    refused = run("solve", "leduc", "--iterations", 3, "--out", tmp_path / "lp")
    assert "holds a run" in refused.output
    refused = run("solve", "kuhn", "--out", tmp_path / "lp", "--resume")
    assert "its run has algorithm = 'lp', this plan has 'cfr+'" in " ".join(refused.output.split())
    again = run("solve", "kuhn", "--algorithm", "lp", "--out", tmp_path / "lp", "--resume")
    assert again.exit_code == 2
    assert "nothing left to do" in again.output


def test_a_goal_that_is_reached_is_not_passed(tmp_path):
    arguments = ("solve", "leduc", "--until", "0.5", "--out", tmp_path / "u")
    assert run(*arguments).exit_code == 0
    again = run(*arguments, "--resume")
    assert again.exit_code == 2
    assert "nothing left to do" in again.output
    assert run("solve", "leduc", "--until", "0.1", "--out", tmp_path / "u", "--resume").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "kuhn-3p"), "two players"),
        (("solve", "holdem-limit-2p"), "a vector solver needs 1.57 PiB"),
        (("solve", "leduc-nolimit", "--menu", "0.5, banana"), "banana"),
        (("solve", "leduc", "--resume"), "resuming needs the folder of the run (--out)"),
        (("solve", "leduc", "--algorithm", "magic"), "magic"),
    ],
)
def test_bad_input(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output

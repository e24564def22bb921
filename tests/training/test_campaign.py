"""Whole runs: measurements, checkpoints, resuming after a kill, and what is left on disk."""

import importlib
import json
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.files import locked
from kibitz.games import load_game
from kibitz.responses.best_response import measure
from kibitz.solvers.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import ALGORITHMS, Options, make_solver
from kibitz.strategy import load_strategy
from kibitz.training import campaign as campaigns
from kibitz.training.campaign import Campaign, run_campaign
from kibitz.training.run import solve

LEDUC = Problem(load_game("leduc"))


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_progress_falls_and_stops_where_it_should():
    steps = list(solve(make_solver("cfr+", LEDUC), LEDUC, iterations=100))
    assert [each.iteration for each in steps] == [1, 2, 4, 8, 16, 32, 64, 100]
    assert steps[-1].exploitability < 0.02 < steps[3].exploitability
    reached = list(solve(make_solver("cfr+", LEDUC), LEDUC, until=0.05, every=10))
    assert all(each.exploitability > 0.05 for each in reached[:-1])
    assert reached[-1].exploitability <= 0.05
    with pytest.raises(KibitzError, match="no stopping rule"):
        next(solve(make_solver("cfr+", LEDUC), LEDUC))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_checkpoints_keep_everything(tmp_path, algorithm):
    straight = make_solver(algorithm, LEDUC)
    straight.step(20)
    first = make_solver(algorithm, LEDUC)
    first.step(8)
    save_checkpoint(tmp_path / "c.npz", first, LEDUC.describe())
    second = make_solver(algorithm, LEDUC)
    load_checkpoint(tmp_path / "c.npz", second, LEDUC.describe())
    second.step(12)
    assert second.iteration == straight.iteration
    for name, array in straight.arrays().items():
        np.testing.assert_array_equal(array, second.arrays()[name])


def test_checkpoints_of_something_else_are_refused(tmp_path):
    path = tmp_path / "c.npz"
    solver = make_solver("cfr+", LEDUC)
    save_checkpoint(path, solver, LEDUC.describe())
    with pytest.raises(CheckpointError, match="algorithm = 'cfr\\+', here it is 'dcfr'"):
        load_checkpoint(path, make_solver("dcfr", LEDUC), LEDUC.describe())
    with pytest.raises(CheckpointError, match="updates"):
        load_checkpoint(path, make_solver("cfr+", LEDUC, Options(alternating=False)), LEDUC.describe())
    with pytest.raises(CheckpointError, match="suits"):
        load_checkpoint(path, solver, {**LEDUC.describe(), "suits": "kept"})
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_checkpoint(path, solver, LEDUC.describe())
    with pytest.raises(CheckpointError, match="no checkpoint"):
        load_checkpoint(tmp_path / "nowhere.npz", solver, LEDUC.describe())


def test_a_full_disk_is_one_sentence_and_the_old_checkpoint_stays(tmp_path, monkeypatch):
    path = tmp_path / "c.npz"
    solver = make_solver("cfr+", LEDUC)
    solver.step(3)
    save_checkpoint(path, solver, LEDUC.describe())
    before = path.read_bytes()

    def full(*_arguments, **_names):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(CheckpointError, match="No space left on device"):
        save_checkpoint(path, solver, LEDUC.describe())
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["c.npz"]


def test_a_campaign_leaves_strategy_curve_and_plot(tmp_path):
    out = tmp_path / "leduc"
    last = list(run_campaign(Campaign(LEDUC, "dcfr", iterations=64), out))[-1]
    assert {path.name for path in out.iterdir()} == {
        "strategy", "checkpoint.npz", "convergence.jsonl", "convergence.png",
    }  # fmt: skip
    strategy = load_strategy(out / "strategy")
    assert strategy.manifest["exploitability"] == last.exploitability
    assert strategy.manifest["iterations"] == 64
    curve = [json.loads(line) for line in (out / "convergence.jsonl").read_text().splitlines()]
    assert [each["iteration"] for each in curve] == [1, 2, 4, 8, 16, 32, 64]
    with pytest.raises(KibitzError, match="holds a run: continue it, or"):
        next(run_campaign(Campaign(LEDUC, "dcfr", iterations=80), out))
    more = list(run_campaign(Campaign(LEDUC, "dcfr", iterations=80), out, resume=True))
    straight = list(run_campaign(Campaign(LEDUC, "dcfr", iterations=80)))
    assert more[-1].exploitability == straight[-1].exploitability


def test_a_killed_solve_resumes_to_the_same_strategy(tmp_path):
    out = tmp_path / "run"
    # Checkpoints at every measurement, and measurements often, so that the kill falls after some of them.
    program = (
        "import kibitz.training.campaign as c; c.CHECKPOINT_SECONDS = 0.0\n"
        "from kibitz.solvers.problem import Problem; from kibitz.games import load_game; from pathlib import Path\n"
        "campaign = c.Campaign(Problem(load_game('leduc')), 'cfr+', iterations=10**9, every=50)\n"
        f"for _ in c.run_campaign(campaign, Path({str(out)!r})): pass\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program])
    deadline = time.monotonic() + 300
    while not (out / "convergence.jsonl").exists() or '"iteration": 50' not in (out / "convergence.jsonl").read_text():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    resumed = make_solver("cfr+", LEDUC)
    load_checkpoint(out / "checkpoint.npz", resumed, LEDUC.describe())
    assert resumed.iteration >= 50
    goal = resumed.iteration + 100
    last = list(run_campaign(Campaign(LEDUC, "cfr+", iterations=goal, every=50), out, resume=True))[-1]
    straight = make_solver("cfr+", LEDUC)
    straight.step(goal)
    assert last.iteration == goal
    np.testing.assert_array_equal(load_strategy(out / "strategy").values, straight.average_strategy().values)


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
    lines = run("show", tmp_path / "wide").output.splitlines()
    assert max(map(len, lines)) <= 80
    table = json.loads(run("show", tmp_path / "wide", "--json").stdout)
    assert [word for line in lines if line.startswith(" ") for word in line.split()] == table["actions"]
    aces = [float(word) for line in lines if line.startswith("A ") for word in line.split()[1:]]
    np.testing.assert_allclose(aces, table["probabilities"][-1], atol=1e-4)


def test_a_linear_program_refuses_what_it_does_not_have():
    with pytest.raises(KibitzError, match="single storage with lp"):
        next(run_campaign(Campaign(LEDUC, "lp", Options(storage="single"))))
    with pytest.raises(KibitzError, match="lp on a GPU"):
        next(run_campaign(Campaign(LEDUC, "lp", Options(device="gpu"))))


def test_a_linear_program_leaves_other_runs_alone(tmp_path):
    out = tmp_path / "r"
    assert run("solve", "kuhn", "--iterations", 4, "--out", out).exit_code == 0
    curve = (out / "convergence.jsonl").read_text()
    for arguments in (("leduc", "--algorithm", "lp"), ("kuhn", "--iterations", 8)):
        refused = run("solve", *arguments, "--out", out)
        assert refused.exit_code == 2
        assert "holds a run" in refused.output
    refused = run("solve", "kuhn", "--algorithm", "lp", "--out", out, "--resume")
    assert "its solver has algorithm = 'cfr+', here it is 'sequence-form linear program'" in refused.output
    assert (out / "convergence.jsonl").read_text() == curve
    assert run("solve", "kuhn", "--algorithm", "lp", "--out", tmp_path / "lp").exit_code == 0
    refused = run("solve", "leduc", "--iterations", 3, "--out", tmp_path / "lp")
    assert "holds a run" in refused.output
    refused = run("solve", "kuhn", "--out", tmp_path / "lp", "--resume")
    assert "its solver has algorithm = 'sequence-form linear program'" in refused.output
    again = run("solve", "kuhn", "--algorithm", "lp", "--out", tmp_path / "lp", "--resume")
    assert again.exit_code == 2
    assert "nothing left to do" in again.output


@pytest.mark.parametrize("name", ["convergence.png", "strategy"])
def test_what_a_run_would_replace_is_told_before_it_begins(tmp_path, name):
    (tmp_path / name).write_text("precious")
    refused = run("solve", "kuhn", "--iterations", 3, "--out", tmp_path)
    assert refused.exit_code == 2
    assert f"holds {name}, which a run would replace" in refused.output
    assert [each.name for each in tmp_path.iterdir()] == [name]


def stopped_at(iteration, measured, out):
    """A run that was killed there, its last measurement after `measured` iterations and 5 seconds."""
    solver = make_solver("cfr+", LEDUC)
    solver.step(iteration)
    out.mkdir()
    save_checkpoint(out / "checkpoint.npz", solver, LEDUC.describe(), seconds=7.0)
    row = {"iteration": measured, "exploitability": 0.9, "value": 0.1, "seconds": 5.0}
    (out / "convergence.jsonl").write_text(json.dumps(row) + "\n")
    return solver


@pytest.mark.parametrize("measured", [8, 11])
def test_a_run_that_was_killed_leaves_the_strategy_of_its_checkpoint(tmp_path, measured):
    solver = stopped_at(11, measured, tmp_path / "r")
    arguments = ("solve", "leduc", "--iterations", 10, "--out", tmp_path / "r", "--resume")
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    strategy = load_strategy(tmp_path / "r" / "strategy")
    np.testing.assert_array_equal(strategy.values, solver.average_strategy().values)
    reached, values = measure(LEDUC, strategy)
    if measured == 8:
        assert strategy.manifest["exploitability"] == reached.exploitability
        assert strategy.manifest["value"] == values[0]
    assert "nothing left to do" in run(*arguments).output


class Stop(BaseException):
    """The moment a run is killed."""


def stopped_within(monkeypatch, place, when, campaign, out):
    """Run it, and stop when `place` is called for the `when`th time."""
    calls = iter(range(1, 10**6))

    def stop(*arguments, **options):
        if next(calls) == when:
            raise Stop
        return whole(*arguments, **options)

    module, _, name = place.rpartition(".")
    whole = getattr(importlib.import_module(module), name)
    with monkeypatch.context() as patch:
        patch.setattr(place, stop)
        with pytest.raises(Stop):
            list(run_campaign(campaign, out))


@pytest.mark.parametrize("when", [2, 4, 6])
def test_a_run_that_was_stopped_while_it_was_measured_is_measured_there(tmp_path, monkeypatch, when):
    monkeypatch.setattr("kibitz.training.campaign.CHECKPOINT_SECONDS", 0.0)
    campaign = Campaign(LEDUC, "cfr+", until=0.2)
    straight = list(run_campaign(campaign, tmp_path / "straight"))
    assert len(straight) == 6
    stopped_within(monkeypatch, "kibitz.training.run.measure", when, campaign, tmp_path / "r")
    list(run_campaign(campaign, tmp_path / "r", resume=True))
    curves = [(tmp_path / name / "convergence.jsonl").read_text().splitlines() for name in ("straight", "r")]
    one, two = ([{**json.loads(line), "seconds": 0} for line in lines] for lines in curves)
    assert one == two
    assert load_strategy(tmp_path / "r" / "strategy").manifest["iterations"] == straight[-1].iteration


def test_a_run_that_was_stopped_at_its_plot_leaves_everything(tmp_path, monkeypatch):
    campaign = Campaign(LEDUC, "cfr+", iterations=4)
    stopped_within(monkeypatch, "kibitz.training.run.plot_convergence", 1, campaign, tmp_path)
    assert run("solve", "leduc", "--iterations", 4, "--out", tmp_path, "--resume").exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "strategy", "checkpoint.npz", "convergence.jsonl", "convergence.png",
    }  # fmt: skip


def test_games_that_cannot_be_measured_make_no_strategies_on_the_way(monkeypatch):
    problem = Problem(load_game("holdem-limit-2p"), cards="IR-100")
    solver = make_solver("external", LEDUC)
    monkeypatch.setattr(type(solver), "average_strategy", None)
    [*_, last] = solve(solver, problem, iterations=8)
    assert last.iteration == 8
    assert np.isnan(last.exploitability)


def test_a_goal_was_reached_but_no_strategy_written(tmp_path):
    arguments = ("solve", "leduc", "--until", "0.5", "--out", tmp_path)
    assert run(*arguments).exit_code == 0
    shutil.rmtree(tmp_path / "strategy")
    assert run(*arguments, "--resume").exit_code == 0
    assert load_strategy(tmp_path / "strategy").manifest["exploitability"] <= 0.5
    assert run(*arguments, "--resume").exit_code == 2


def test_seconds_go_on_from_the_checkpoint(tmp_path):
    stopped_at(11, 8, tmp_path / "r")
    [last] = run_campaign(Campaign(LEDUC, "cfr+", iterations=12), tmp_path / "r", resume=True)
    assert last.seconds > 7.0


def test_a_goal_that_is_reached_is_not_passed(tmp_path):
    arguments = ("solve", "leduc", "--until", "0.5", "--out", tmp_path / "u")
    assert run(*arguments).exit_code == 0
    again = run(*arguments, "--resume")
    assert again.exit_code == 2
    assert "nothing left to do" in again.output
    assert run("solve", "leduc", "--until", "0.1", "--out", tmp_path / "u", "--resume").exit_code == 0


def test_checkpoints_do_not_wait_for_measurements(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.training.campaign.CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr("kibitz.training.run.PIECE_SECONDS", 0.0)
    saved = []
    monkeypatch.setattr(
        "kibitz.training.campaign.save_checkpoint",
        lambda path, solver, problem, seconds: saved.append(solver.iteration),
    )
    steps = list(run_campaign(Campaign(LEDUC, "cfr+", iterations=12), tmp_path / "c"))
    assert [each.iteration for each in steps] == [1, 2, 4, 8, 12]
    assert set(saved) == set(range(1, 13))


def test_a_run_cut_off_between_measurements_is_measured_where_it_would_have_been(tmp_path):
    solver = make_solver("cfr+", LEDUC)
    solver.step(11)
    save_checkpoint(tmp_path / "checkpoint.npz", solver, LEDUC.describe())
    steps = list(run_campaign(Campaign(LEDUC, "cfr+", iterations=20), tmp_path, resume=True))
    straight = list(run_campaign(Campaign(LEDUC, "cfr+", iterations=20)))
    assert [each[:3] for each in steps] == [each[:3] for each in straight if each.iteration > 11]


@pytest.mark.parametrize("content", [b'{"iteration": 1', b"\n", b'{"a": 1}\n', b"\xff\xfe"])
def test_damaged_curves_are_one_sentence(tmp_path, content):
    assert run("solve", "kuhn", "--iterations", 4, "--out", tmp_path / "d").exit_code == 0
    (tmp_path / "d" / "convergence.jsonl").write_bytes(content)
    result = run("solve", "kuhn", "--iterations", 8, "--out", tmp_path / "d", "--resume")
    assert result.exit_code == 2
    assert "is no curve of a run" in result.output


def test_damaged_checkpoints_are_one_sentence(tmp_path):
    path = tmp_path / "c.npz"
    solver = make_solver("cfr+", LEDUC)
    for header in ("{}", "[]", '{"problem": 3, "solver": {}, "iteration": 1}'):
        np.savez(path, header=np.array(header))
        with pytest.raises(CheckpointError, match="cannot be read"):
            load_checkpoint(path, solver, LEDUC.describe())
    described = {"problem": LEDUC.describe(), "solver": solver.parameters()}
    for counts in (
        {"iteration": -5},
        {"iteration": "7"},
        {"iteration": 1e308},
        {"iteration": 10**30},
        {"iteration": 1.5},
        {"iteration": 1, "seconds": "long"},
        {"iteration": 1, "seconds": -1},
        {"iteration": 1, "seconds": None},
    ):
        np.savez(path, header=np.array(json.dumps({**described, **counts})), **solver.arrays())
        with pytest.raises(CheckpointError, match=r"cannot be read: .*(iterations|seconds): a number"):
            load_checkpoint(path, solver, LEDUC.describe())
    header = np.array(json.dumps({**described, "iteration": 1}))
    np.savez(path, header=header, **{name: np.full(array.shape, "text") for name, array in solver.arrays().items()})
    with pytest.raises(CheckpointError, match="of another size or type"):
        load_checkpoint(path, solver, LEDUC.describe())
    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_checkpoint(path, solver, LEDUC.describe())
    name, array = next((name, array) for name, array in solver.arrays().items() if array.dtype.kind == "f")
    array[...] = np.nan
    save_checkpoint(path, solver, LEDUC.describe())
    with pytest.raises(CheckpointError, match=f"the array '{name}' contains values that are not numbers"):
        load_checkpoint(path, make_solver("cfr+", LEDUC), LEDUC.describe())


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


@pytest.mark.parametrize("algorithm", ["cfr+", "lp"])
def test_a_second_run_in_the_same_folder_is_refused(tmp_path, algorithm):
    out = tmp_path / "run"
    with locked(out):
        result = run("solve", "kuhn", "--algorithm", algorithm, "--out", out)
        assert result.exit_code == 2
        assert "is in use by another run" in result.output
        assert [path.name for path in out.iterdir()] == [".lock"], "and it leaves nothing"
    assert run("solve", "kuhn", "--algorithm", algorithm, "--out", out).exit_code == 0
    assert not (out / ".lock").exists()


def test_one_that_ended_in_between_is_not_replaced(tmp_path, monkeypatch):
    """Both begin in an empty folder; one is through before the other gets the lock."""
    out = tmp_path / "run"

    def memory(*_arguments):
        if not (out / "strategy").exists():
            monkeypatch.setattr(campaigns, "check_memory", lambda *_arguments: None)
            list(run_campaign(Campaign(LEDUC, iterations=2), out))

    monkeypatch.setattr(campaigns, "check_memory", memory)
    with pytest.raises(KibitzError, match="holds a run"):
        list(run_campaign(Campaign(LEDUC, iterations=4), out))

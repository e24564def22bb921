"""Plans in folders: what is kept, what is continued, what the command prints."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.games import format_gamedef
from kibitz.games.named import leduc_nolimit
from kibitz.solvers.bets import Plan, Range, Transformation, load_bets
from kibitz.solvers.bets import campaign as campaigns
from kibitz.solvers.bets.campaign import run_file, run_files, run_plan
from kibitz.solvers.problem import Problem

GAME = leduc_nolimit(30, 2)


def plan(**changes):
    made = Transformation(GAME, ((Range(0.5, 0.7), Range(1.0, 1.3)), ()), ("all-in", "fcpa"))
    settings = {"algorithm": "refined", "iterations": 200, "runs": 2, "extras": 1, "weighed": 1000, **changes}
    return Plan(made, Problem(GAME, "fcpa"), **settings)


@pytest.mark.parametrize("form", ["vector", "sampled"])
def test_a_stopped_plan_goes_on_bit_for_bit(form, tmp_path, monkeypatch):
    monkeypatch.setattr(campaigns, "CHECKPOINT_SECONDS", 0.0)
    whole = [report.result for report in run_plan(plan(form=form), tmp_path / "whole") if report.result]
    for report in run_plan(plan(form=form), tmp_path / "parts"):
        if (report.run, report.iteration) == (2, 100):
            break
    assert (tmp_path / "parts" / "checkpoint.npz").exists()
    with pytest.raises(KibitzError, match="--resume"):
        next(run_plan(plan(form=form), tmp_path / "parts"))
    later = list(run_plan(plan(form=form), tmp_path / "parts", resume=True))
    assert later[0].iteration == 120
    assert later[-1].result.sizes.tolist() == whole[-1].sizes.tolist()
    names = ["run-01.json", "run-02.json", "unpruned-01.json"]
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == names
    for name in names:
        assert (tmp_path / "parts" / name).read_text() == (tmp_path / "whole" / name).read_text()
    assert list(run_plan(plan(form=form), tmp_path / "parts", resume=True)) == []


def test_sizes_of_another_plan_are_not_continued(tmp_path):
    list(run_plan(plan(runs=1), tmp_path))
    with pytest.raises(KibitzError, match="extras"):
        next(run_plan(plan(extras=2), tmp_path, resume=True))
    other = Plan(
        Transformation(GAME, ((Range(0.5, 0.7),), ()), ("all-in", "fcpa")), Problem(GAME, "fcpa"), "refined", 200, 2, 1
    )
    with pytest.raises(KibitzError, match="pot ratio"):
        next(run_plan(other, tmp_path, resume=True))
    with pytest.raises(KibitzError, match="--out"):
        next(run_plan(plan(), None, resume=True))


def test_runs_are_in_the_order_of_their_numbers(tmp_path):
    for number in (100, 9, 99):
        run_file(tmp_path, number).touch()
    (tmp_path / "run-x.json").touch()
    assert [path.name for path in run_files(tmp_path)] == ["run-09.json", "run-99.json", "run-100.json"]


def run(*arguments, game="leduc-nolimit"):
    return CliRunner().invoke(main, ["abstract", "bets", game, "--iterations", "100", "--runs", "2", *arguments])


def test_the_command(tmp_path):
    result = run("--ranges", "0.8-1", "--algorithm", "re", "--evaluate", "10", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "most important" in result.output
    assert max(map(len, result.output.splitlines())) <= 80
    assert " mbb" in result.output
    assert load_bets(tmp_path / "seat-1" / "run-02.json").made["run"] == 2
    again = run("--ranges", "0.8-1", "--algorithm", "re", "--out", str(tmp_path), "--resume")
    assert again.exit_code == 2
    assert "nothing left to do" in again.output


def test_the_command_as_json():
    result = run("--ranges", "2", "--seat", "1", "--extras", "0", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    [seat] = document["seats"]
    assert seat["seat"] == 1
    assert [row["run"] for row in seat["runs"]] == [1, 2]
    assert [row["extras"] for row in seat["runs"]] == [0, 0]
    assert seat["bets"][0].keys() == {"bet", "seat", "low", "high", "size", "importance"}


def test_wrong_ranges_are_told():
    result = run("--ranges", "1-0.8")
    assert result.exit_code == 2
    assert "low end" in result.output


def test_no_ranges_are_refused():
    result = run("--ranges", "0")
    assert result.exit_code == 2
    assert "0 default ranges: at least one" in result.output


def test_a_seat_that_never_bets_does_not_learn(tmp_path):
    result = run("--json", game="kuhn-half-street")
    assert result.exit_code == 0, result.output
    assert [each["seat"] for each in json.loads(result.stdout)["seats"]] == [0]
    assert "seat 1 never bets in kuhn-half-street: only seat 0 learns" in result.stderr
    for arguments in (("--seat", "1"), ("--agent", "5", "--out", str(tmp_path / "new"))):
        refused = run(*arguments, game="kuhn-half-street")
        assert refused.exit_code == 2
        assert "seat 1 never bets in kuhn-half-street: it has no sizes to learn" in refused.output


def test_nothing_to_continue(tmp_path):
    result = run("--out", str(tmp_path / "new"), "--resume")
    assert result.exit_code == 2
    assert "there is nothing to continue in" in result.output
    assert not list(tmp_path.iterdir())


def test_no_pot_is_told(tmp_path):
    path = tmp_path / "empty.game"
    path.write_text(format_gamedef(replace(GAME, blinds=(0, 0), antes=(0, 0))))
    result = run("--ranges", "0.8-1", game=str(path))
    assert result.exit_code == 2
    assert "give blinds or antes" in result.output

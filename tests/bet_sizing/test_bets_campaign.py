"""Plans in folders: what is kept, what is continued, what the command prints."""

import json
from dataclasses import replace
from itertools import islice

import pytest
from click.testing import CliRunner

from kibitz.bet_sizing import SizeRange, SizingPlan, Transformation, load_bets
from kibitz.bet_sizing import campaign as campaigns
from kibitz.bet_sizing.campaign import run_file, run_files, run_plan
from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.games import format_gamedef
from kibitz.games.named import leduc_nolimit
from kibitz.solvers.problem import Problem

GAME = leduc_nolimit(30, 2)


def plan(**changes):
    made = Transformation(GAME, ((SizeRange(0.5, 0.7), SizeRange(1.0, 1.3)), ()), ("all-in", "fcpa"))
    settings = {"algorithm": "refined", "iterations": 200, "runs": 2, "extras": 1, "weighed": 1000, **changes}
    return SizingPlan(made, Problem(GAME, "fcpa"), **settings)


@pytest.mark.parametrize("form", ["vector", "sampled"])
def test_a_stopped_plan_goes_on_bit_for_bit(form, tmp_path, monkeypatch):
    monkeypatch.setattr(campaigns, "CHECKPOINT_SECONDS", 0.0)
    whole = [report.result for report in run_plan(plan(form=form), tmp_path / "whole") if report.result]
    for report in run_plan(plan(form=form), tmp_path / "parts"):
        if (report.run, report.iteration) == (2, 100):
            break
    assert (tmp_path / "parts" / "checkpoint-02.npz").exists()
    with pytest.raises(KibitzError, match="holds sizes: continue them, or"):
        next(run_plan(plan(form=form), tmp_path / "parts"))
    later = list(run_plan(plan(form=form), tmp_path / "parts", resume=True))
    assert later[0].iteration == 120
    assert later[-1].result.sizes.tolist() == whole[-1].sizes.tolist()
    names = ["run-01.json", "run-02.json", "unpruned-01.json"]
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == names
    for name in names:
        assert (tmp_path / "parts" / name).read_text() == (tmp_path / "whole" / name).read_text()
    assert list(run_plan(plan(form=form), tmp_path / "parts", resume=True)) == []


def with_ranges(*ranges, game=GAME, menu="fcpa", **settings):
    made = Transformation(game, (ranges, ()), ("all-in", menu))
    return SizingPlan(made, Problem(game, "fcpa"), "redm", 200, 2, growth=1.3, weighed=1000, **settings)


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (with_ranges(SizeRange(0.6, 0.9)), "ranges"),
        (with_ranges(SizeRange(0.7, 0.9), menu="0.8, all-in"), "menus"),
        (with_ranges(SizeRange(0.7, 0.9), game=leduc_nolimit(40, 2)), "game"),
    ],
)
def test_a_run_of_another_plan_is_not_continued(other, told, tmp_path, monkeypatch):
    monkeypatch.setattr(campaigns, "CHECKPOINT_SECONDS", 0.0)
    next(run_plan(with_ranges(SizeRange(0.7, 0.9)), tmp_path))  # stopped within the first run
    with pytest.raises(KibitzError, match=f"{told} = "):
        next(run_plan(other, tmp_path, resume=True))


def test_a_checkpoint_that_a_finished_run_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(campaigns, "CHECKPOINT_SECONDS", 0.0)
    parts = run_plan(plan(), tmp_path)
    next(parts)
    left = (tmp_path / "checkpoint-01.npz").read_bytes()
    next(report for report in parts if report.result)
    parts.close()
    (tmp_path / "checkpoint-01.npz").write_bytes(left)  # as if killed before it was removed
    assert [report.run for report in run_plan(plan(), tmp_path, resume=True) if report.result] == [2]
    assert not list(tmp_path.glob("checkpoint*"))


def test_a_plan_that_may_end_early_ends_the_same_when_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr(campaigns, "CHECKPOINT_SECONDS", 0.0)
    wide = with_ranges(SizeRange(0.5, 1.5), stop=True, settle=True)
    wide = replace(wide, algorithm="re", iterations=1000, runs=9)
    ends = [(report.run, report.iteration) for report in run_plan(wide, tmp_path / "whole") if report.result]
    assert len(ends) < 9
    assert any(iteration < 1000 for _, iteration in ends)
    found = []
    for part in range(40):  # stopped after every other report
        later = [*islice(run_plan(wide, tmp_path / "parts", resume=part > 0), 2)]
        found += [(report.run, report.iteration) for report in later if report.result]
    assert found == ends
    names = sorted(path.name for path in (tmp_path / "whole").iterdir())
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == names
    for name in names:
        assert (tmp_path / "parts" / name).read_text() == (tmp_path / "whole" / name).read_text()


def test_sizes_of_another_plan_are_not_continued(tmp_path):
    list(run_plan(plan(runs=1), tmp_path))
    with pytest.raises(KibitzError, match="extras"):
        next(run_plan(plan(extras=2), tmp_path, resume=True))
    list(run_plan(with_ranges(SizeRange(0.7, 0.9)), tmp_path / "one"))
    with pytest.raises(KibitzError, match="its game, ranges or opponent differ"):
        next(run_plan(with_ranges(SizeRange(0.6, 0.9)), tmp_path / "one", resume=True))
    with pytest.raises(KibitzError, match="needs the folder of the plan"):
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
    arguments = ("--ranges", "0.8-1", "--algorithm", "re", "--out", str(tmp_path), "--resume", "--json")
    (tmp_path / "seat-1" / "run-02.json").unlink()  # as if stopped when the first seat had finished
    more = run(*arguments)
    assert more.exit_code == 0, more.output
    assert [[each["run"] for each in seat["runs"]] for seat in json.loads(more.stdout)["seats"]] == [[], [2]]
    again = run(*arguments)
    assert again.exit_code == 2
    assert "nothing left to do" in again.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--iterations", "50"), "sizes do not move in the first 50"),
        (("--algorithm", "bets", "--runs", "2"), "it has only one run"),
        (("--algorithm", "redm", "--extras", "2"), "only refined"),
        (("--form", "sampled", "--device", "gpu"), "only the vector form"),
        (("--ranges", ",".join(f"{0.5 + 0.1 * k}-{0.55 + 0.1 * k}" for k in range(14))), "14 ranges of a seat: 13"),
    ],
)
def test_what_would_do_nothing_is_refused(arguments, told):
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in " ".join(result.output.split())


def test_hands_of_holdem_need_buckets():
    result = run(game="holdem-nolimit-2p")
    assert result.exit_code == 2
    assert "--cards" in result.output


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
    assert "lower bound" in result.output


def test_no_ranges_are_refused():
    result = run("--ranges", "0")
    assert result.exit_code == 2
    assert "0 default ranges: give at least one" in result.output


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
    assert "nothing to continue in" in result.output
    assert not list(tmp_path.iterdir())


def test_no_pot_is_told(tmp_path):
    path = tmp_path / "empty.game"
    path.write_text(format_gamedef(replace(GAME, blinds=(0, 0), antes=(0, 0))))
    result = run("--ranges", "0.8-1", game=str(path))
    assert result.exit_code == 2
    assert "give blinds or antes" in result.output


def test_checkpoints_of_earlier_versions_are_told(tmp_path):
    (tmp_path / "checkpoint.npz").touch()
    with pytest.raises(KibitzError, match="holds sizes: continue them, or"):
        next(run_plan(plan(), tmp_path))
    with pytest.raises(KibitzError, match="of an earlier version: remove it"):
        next(run_plan(plan(), tmp_path, resume=True))


def test_games_without_sizes_to_learn():
    result = run(game="holdem-nolimit-3p")
    assert result.exit_code == 2
    assert "two players and no-limit" in result.output

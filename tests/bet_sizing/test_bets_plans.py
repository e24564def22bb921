"""Plans in folders: what is kept, what is continued, what the command prints."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from kibitz.bet_sizing import SizeRange, SizingPlan, Transformation, load_bets
from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.games import format_gamedef, load_game
from kibitz.games.named import leduc_nolimit
from kibitz.plans import carry_out, kind_of, open_artefact, read_curve
from kibitz.solvers.problem import Problem

GAME = leduc_nolimit(30, 2)


def plan(**changes):
    made = Transformation(GAME, ((SizeRange(0.5, 0.7), SizeRange(1.0, 1.3)), ()), ("all-in", "fcpa"))
    settings = {"algorithm": "refined", "iterations": 200, "runs": 2, "extras": 1, "weighed": 1000, **changes}
    return SizingPlan(made, Problem(GAME, "fcpa"), **settings)


def sizes_in(folder):
    """What is kept of the sizes, every byte of it."""
    return {path.name: path.read_bytes() for path in folder.glob("seat-*.json")}


def stopped_after(plan, folder, reports, resume=False):
    driven = carry_out(plan, folder, resume=resume)
    for _ in zip(range(reports), driven, strict=False):
        pass
    driven.close()


@pytest.mark.parametrize("form", ["vector", "sampled"])
def test_a_stopped_plan_goes_on_bit_for_bit(form, tmp_path, monkeypatch):
    whole = plan(form=form)
    list(carry_out(whole, tmp_path / "whole"))
    names = ["seat-0-run-01.json", "seat-0-run-02.json", "seat-0-unpruned.json"]
    assert sorted(sizes_in(tmp_path / "whole")) == names
    monkeypatch.setattr("kibitz.bet_sizing.runs.PIECE_SECONDS", 0.0)
    for number in (1, 77, 201, 330):  # iterations
        stopped_after(whole, tmp_path / f"{number}", number)
        assert not sizes_in(tmp_path / f"{number}")
        *_, last = carry_out(whole, tmp_path / f"{number}", resume=True)
        assert sizes_in(tmp_path / f"{number}") == sizes_in(tmp_path / "whole")
        assert read_curve(tmp_path / f"{number}") == read_curve(tmp_path / "whole")
        assert last.artefact.content[0].made["run"] == 2


def test_what_is_kept_is_loaded(tmp_path):
    *_, last = carry_out(plan(), tmp_path)
    found = load_bets(tmp_path)
    assert found.table() == last.artefact.content[0].table()
    assert (found.made["run"], load_bets(tmp_path, 0, 1).made["run"]) == (2, 1)
    for wrong, message in (((1,), "no seat 1"), ((0, 3), "has no run 3 of seat 0: it has 2")):
        with pytest.raises(KibitzError, match=message):
            load_bets(tmp_path, *wrong)


def with_ranges(*ranges, game=GAME, menu="fcpa", **settings):
    made = Transformation(game, (ranges, ()), ("all-in", menu))
    more = {"growth": 1.3, "weighed": 1000, "algorithm": "redm", "iterations": 200, "runs": 2}
    return SizingPlan(made, Problem(game, "fcpa"), **(more | settings))


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (with_ranges(SizeRange(0.6, 0.9)), "ranges"),
        (with_ranges(SizeRange(0.7, 0.9), menu="0.8, all-in"), "menus"),
        (with_ranges(SizeRange(0.7, 0.9), game=leduc_nolimit(40, 2)), "game"),
        (with_ranges(SizeRange(0.7, 0.9), extras=2), "extras"),
    ],
)
def test_another_plan_is_not_continued(other, told, tmp_path):
    stopped_after(with_ranges(SizeRange(0.7, 0.9)), tmp_path, 1)
    with pytest.raises(KibitzError, match=f"its run has {told} = "):
        next(carry_out(other, tmp_path, resume=True))


def test_more_runs_may_follow(tmp_path):
    list(carry_out(plan(runs=1), tmp_path / "one"))
    list(carry_out(plan(), tmp_path / "one", resume=True))
    list(carry_out(plan(), tmp_path / "two"))
    assert sizes_in(tmp_path / "one") == sizes_in(tmp_path / "two")


def test_a_plan_that_may_end_early_ends_the_same_when_resumed(tmp_path):
    wide = with_ranges(
        SizeRange(0.5, 1.5), stop=True, settle=True, algorithm="re", iterations=1000, runs=9, growth=None
    )
    list(carry_out(wide, tmp_path / "whole"))
    rows = read_curve(tmp_path / "whole")
    assert len(rows) < 9
    assert any(row["iterations"] < 1000 for row in rows)
    stopped_after(wide, tmp_path / "parts", 2)
    for _ in range(40):  # stopped after every other report
        if not (tmp_path / "parts" / "manifest.json").exists():
            stopped_after(wide, tmp_path / "parts", 2, resume=True)
    assert sizes_in(tmp_path / "parts") == sizes_in(tmp_path / "whole")
    assert read_curve(tmp_path / "parts") == rows


def run(*arguments, game="leduc-nolimit"):
    return CliRunner().invoke(main, ["abstract", "bets", game, "--iterations", "100", "--runs", "2", *arguments])


def test_the_command(tmp_path):
    result = run("--ranges", "0.8-1", "--algorithm", "re", "--evaluate", "10", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "most important" in result.output
    assert max(map(len, result.output.splitlines())) <= 80
    assert " mbb" in result.output
    assert load_bets(tmp_path, 1).made["run"] == 2
    shown = CliRunner().invoke(main, ["show", str(tmp_path)])
    assert shown.stdout.endswith(result.stdout.rpartition("Sizes:")[0])
    arguments = ("--ranges", "0.8-1", "--algorithm", "re", "--out", str(tmp_path), "--resume", "--json")
    again = run(*arguments)
    assert again.exit_code == 2
    assert "nothing left to do" in again.output
    more = run(*arguments, "--runs", "3")
    assert more.exit_code == 0, more.output
    assert [[each["run"] for each in seat["runs"]] for seat in json.loads(more.stdout)["seats"]] == [[3], [3]]


def test_an_agent_plays_the_sizes_of_both_seats(tmp_path):
    refused = run("--agent", "20", "--seat", "1", "--out", str(tmp_path / "one"))
    assert refused.exit_code == 2
    assert "the sizes of both seats" in refused.output
    assert run("--out", str(tmp_path / "two")).exit_code == 0
    made = run("--out", str(tmp_path / "two"), "--agent", "20", "--resume")  # nothing else is left to do
    assert made.exit_code == 0, made.output
    agent = tmp_path / "two" / "agent"
    assert made.stdout == f"Sizes: {tmp_path / 'two'}, agent: {agent}\n"
    assert [kind_of(each) for each in (tmp_path / "two", agent, agent / "seat-1")] == ["bets", "seats", "strategy"]
    assert open_artefact(tmp_path / "two").parts == ("agent",)
    played = CliRunner().invoke(
        main, ["match", str(agent), "random", "--game", "leduc-nolimit", "--hands", "20", "--json"]
    )
    assert played.exit_code == 0, played.output
    assert json.loads(played.stdout)["agents"] == ["agent", "random"]
    shown = CliRunner().invoke(main, ["show", str(agent)])
    first = load_game("leduc-nolimit").first_players[0]
    part = CliRunner().invoke(main, ["show", str(agent / f"seat-{first}")])
    assert shown.stdout.splitlines()[-3:] == part.stdout.splitlines()[-3:]
    assert "a strategy for each seat" in " ".join(shown.stdout.split())


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
    assert "holds no run to continue" in result.output
    assert not list(tmp_path.iterdir())


def test_no_pot_is_told(tmp_path):
    path = tmp_path / "empty.game"
    path.write_text(format_gamedef(replace(GAME, blinds=(0, 0), antes=(0, 0))))
    result = run("--ranges", "0.8-1", game=str(path))
    assert result.exit_code == 2
    assert "give blinds or antes" in result.output


def test_games_without_sizes_to_learn():
    result = run(game="holdem-nolimit-3p")
    assert result.exit_code == 2
    assert "two players and no-limit" in result.output

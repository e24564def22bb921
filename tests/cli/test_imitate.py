"""`kibitz imitate`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.games.naming import STREETS
from modelling.expert_logs import play_log

EXPERT = "tight-aggressive"
BUILD = ("--expert", EXPERT, "--strength", "made-hand")


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return play_log(tmp_path_factory.mktemp("logs") / "match.log", (EXPERT, "loose-passive"), 150)


@pytest.fixture
def built(log, tmp_path):
    path = tmp_path / "expert.cases"
    assert run("build", str(log), *BUILD, "--out", str(path)).exit_code == 0
    return path


def run(*arguments: str):
    return CliRunner().invoke(main, ("imitate", *arguments))


def document(*arguments: str):
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_build_says_what_it_did(log, tmp_path):
    out = tmp_path / "expert.cases"
    result = run("build", str(log), *BUILD, "--out", str(out))
    assert result.exit_code == 0, result.output
    assert "in 150 hands of tight-aggressive" in result.output
    refused = run("build", str(log), *BUILD, "--out", str(out))
    assert refused.exit_code == 2
    assert "exists, which a run would replace: choose another file" in refused.output
    found = document("build", str(log), *BUILD, "--out", str(tmp_path / "again.cases"))
    assert (found["hands"], found["bad"], found["expert"]) == (150, 0, EXPERT)
    assert found["decisions"] >= found["cases"] > 100


def test_broken_logs(log, tmp_path):
    broken, out = tmp_path / "broken.log", tmp_path / "out.cases"
    broken.write_text(log.read_text().replace("STATE:7:", "STATUS:7:", 1))
    result = run("build", str(broken), *BUILD, "--out", str(out))
    assert result.exit_code == 2
    assert "broken.log:9:" in result.output
    assert "--skip-bad" in result.output
    assert not out.exists()
    result = run("build", str(broken), *BUILD, "--out", str(out), "--skip-bad")
    assert result.exit_code == 0
    assert "1 broken hands were skipped" in result.stdout
    assert "broken.log:9:" in result.stderr
    assert out.exists()
    found = document("build", str(broken), *BUILD, "--out", str(tmp_path / "again.cases"), "--skip-bad")
    assert (found["bad"], found["hands"]) == (1, 149)
    assert found["first_bad"][0]["source"].endswith("broken.log:9")


def test_nobody_of_that_name(log, tmp_path):
    result = run("build", str(log), "--expert", "X", "--strength", "made-hand", "--out", str(tmp_path / "x"))
    assert result.exit_code == 2
    assert "no player 'X'" in result.output


def test_inspect(built):
    result = run("inspect", str(built))
    assert result.exit_code == 0, result.output
    assert "expert tight-aggressive, 1 logs" in result.output
    table = result.output.partition("per cent of the decisions\n")[2].splitlines()
    assert [line.split()[0] for line in table[:5]] == ["round", "preflop", "flop", "turn", "river"]
    assert max(map(len, table[:5])) <= 80
    found = document("inspect", str(built))
    assert [row["round"] for row in found["rounds"]] == [0, 1, 2, 3]
    assert found["description"]["alphabet"] == "fcqhipdvta"
    assert found["made"]["logs"][0]["name"] == "match.log"
    assert found["sequences"][0]["first"]["name"] == "match.log"
    assert f"{found['references']:,} references to hands" in result.output


def test_explain(built):
    result = run("explain", str(built), "--hole", "AhAd")
    assert result.exit_code == 0, result.output
    assert "retrieved, similarity" in result.output
    found = document("explain", str(built), "--hole", "AhKd", "--history", "cc/", "--board", "2c7d9h", "--count", "3")
    assert found["features"]["sequence"] == "cc-"
    assert found["features"]["texture"] == "A"
    assert len(found["cases"]) == 3
    assert sum(found["actions"].values()) == pytest.approx(1)
    assert found["hands"] == sum(sum(case["counts"].values()) for case in found["cases"] if case["retrieved"])


def test_explain_shows_the_hands(built, log):
    found = document("explain", str(built), "--hole", "AhAd", "--count", "1")
    first = found["cases"][0]["references"][0]
    assert (first["log"], first["name"]) == (0, "match.log")
    line = log.read_text().splitlines()[int(first["place"]) - 1]
    assert first["state"].partition("|")[2] in line
    result = run("explain", str(built), "--hole", "AhAd")
    assert f"{first['action']:<6}  match.log:{first['place']}" in result.output
    assert first["state"] in result.output


def test_show_says_how_a_file_was_made(built, log):
    shown = CliRunner().invoke(main, ["show", str(built)])
    assert shown.exit_code == 0, shown.output
    command = f"kibitz imitate build --out FILE {log} --expert {EXPERT} --strength made-hand"
    assert "a file of cases, made by Kibitz" in " ".join(shown.output.split())
    assert command in " ".join(shown.output.split())
    assert run("inspect", str(built)).output in shown.output
    history = json.loads(CliRunner().invoke(main, ["show", str(built), "--made", "--json"]).stdout)
    assert (history["kind"], history["made"]["hands"]) == ("cases", 150)


def test_explain_what_nobody_has_seen(built):
    result = run("explain", str(built), "--hole", "AhAd", "--history", "r200r400r800r1600r3200r6400r12800")
    assert result.exit_code == 0, result.output
    assert "no case is similar: check or call" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--hole", "AhKd", "--history", "f"), "the hand is over"),
        (("--hole", "AhKd", "--history", "cc/"), "2 hole cards and 3 board cards"),
        (("--hole", "AhKdQs"), "hole cards"),
        (("--hole", "AhKd", "--history", "r5"), "r5"),
        (("--hole", "AhKd", "--game", "holdem-limit-2p"), "limit games take fcr"),
        (("--hole", "AhKd", "--mapping", "x"), "no mapping"),
    ],
)
def test_explain_refuses(built, arguments, message):
    result = run("explain", str(built), *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_file_of_something_else(tmp_path):
    (tmp_path / "x").write_text("hello")
    result = run("inspect", str(tmp_path / "x"))
    assert result.exit_code == 2
    assert "or by something else" in " ".join(result.output.split())
    assert run("inspect", str(tmp_path / "nothing")).exit_code == 2


def test_logs_are_not_overwritten(log, tmp_path):
    copy = tmp_path / "match.log"
    copy.write_bytes(log.read_bytes())
    result = run("build", str(tmp_path), *BUILD, "--out", str(copy))
    assert result.exit_code == 2
    assert "exists, which a run would replace" in result.output
    assert copy.read_bytes() == log.read_bytes()


def test_cases_explain_decisions_of_their_own_tables(built):
    result = run("explain", str(built), "--hole", "AsKs", "--game", "holdem-nolimit-3p")
    assert result.exit_code == 2
    assert "has 3 players, but the cases come from tables of 2" in result.output


def test_tables_fit_a_terminal(built):
    for arguments in (("inspect", str(built)), ("explain", str(built), "--hole", "AsKs")):
        lines = run(*arguments).output.splitlines()
        table = [line for line in lines if line[:1].isdigit() or line.startswith(("round", *STREETS))]
        assert table
        assert max(map(len, table)) <= 80


def test_cases_are_measured_like_other_agents(built, log):
    """A local best response to them, and the expert's hands valued as theirs."""
    runner = CliRunner()
    found = runner.invoke(main, ("measure", "lbr", f"{built},spread=0", "--boards", "2", "--call-until", "3", "--json"))
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["agent"] == "expert"
    agents = ("--agent", f"{EXPERT}={EXPERT}", "--target", f"{built},policy=majority,spread=0,mapping=det-geo")
    found = runner.invoke(main, ("hands", "luck", str(log), "--player", EXPERT, "--method", "imaginary", *agents))
    assert found.exit_code == 2
    assert "the target does that and the policy given for seat" in found.output  # it bets other sizes than the expert

"""`kibitz opponents pool`: made, shown, and not overwritten."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.pools.members import POOLS


def test_commands(tmp_path):
    out = tmp_path / "pools" / "A"
    words = ["opponents", "pool", "make", "A", "--game", "kuhn", "--iterations", "5", "--out", str(out)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert CliRunner().invoke(main, ["opponents", "pool", "show", str(out)]).output == result.output
    members = json.loads(CliRunner().invoke(main, ["opponents", "pool", "show", str(out), "--json"]).output)["members"]
    assert [each["name"] for each in members] == [member.name for member in POOLS["A"]]
    match = CliRunner().invoke(
        main, ["match", members[5]["agent"], members[-1]["agent"], "--game", "kuhn", "--hands", "5"]
    )
    assert match.exit_code == 0, match.output
    assert result.output in CliRunner().invoke(main, ["show", str(out)]).output
    assert CliRunner().invoke(main, [*words, "--resume"]).output == result.output
    refused = CliRunner().invoke(main, [*words, "--seed", "7", "--resume"])
    assert refused.exit_code == 2
    assert "its run has seed = 0, this plan has 7" in " ".join(refused.output.split())
    refused = CliRunner().invoke(main, ["match", str(out), "always-call", "--game", "kuhn"])
    assert "is a pool, which does not play" in " ".join(refused.output.split())


def test_a_member_by_itself(tmp_path):
    words = [
        "opponents",
        "pool",
        "member",
        "equilibrium",
        "--game",
        "kuhn",
        "--iterations",
        "5",
        "--out",
        str(tmp_path / "one"),
    ]
    assert "equilibrium is exploitable for" in CliRunner().invoke(main, words).output
    told = json.loads(CliRunner().invoke(main, [*words[:-1], str(tmp_path / "two"), "--json"]).output)
    assert told["agent"] == str(tmp_path / "two")
    noisy = ["opponents", "pool", "member", "noise-05", "--game", "kuhn", "--base", told["agent"], "--json"]
    assert json.loads(CliRunner().invoke(main, noisy).output)["exploitability"] > told["exploitability"]


@pytest.mark.parametrize(
    ("game", "words"),
    [("kuhn-3p", "pools are for two players, not 3"), ("holdem-limit-2p", "a vector solver needs")],
)
def test_what_cannot_be_made_is_refused_and_nothing_written(game, words, tmp_path):
    result = CliRunner().invoke(main, ["opponents", "pool", "make", "A", "--game", game, "--out", str(tmp_path / "A")])
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())
    assert not (tmp_path / "A").exists()

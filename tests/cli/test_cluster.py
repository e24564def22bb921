"""`kibitz opponents cluster`: opponents, pools, responses that are agents."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main

OPPONENTS = ("always-call", "always-raise", "tight-passive", "--game", "leduc")


def run(*words):
    result = CliRunner().invoke(main, [*map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("method", ["greedy", "coverage", "k-means"])
def test_losses_end_at_nothing_and_members_are_all(method):
    found = json.loads(run("opponents", "cluster", *OPPONENTS, "--method", method, "--k", 2, "--json"))
    assert list(found["losses"]) == ["1", "2", "3"]
    assert found["losses"]["3"] == pytest.approx(0, abs=1e-6)
    assert found["losses"]["1"] >= found["losses"]["2"] - 1e-9
    assert sorted(name for each in found["clusters"] for name in each["members"]) == sorted(OPPONENTS[:3])
    mean = sum(each["loss"] * len(each["members"]) for each in found["clusters"]) / 3
    assert mean == pytest.approx(found["losses"]["2"])


def test_responses_are_agents(tmp_path):
    out = tmp_path / "new" / "responses"
    printed = run("opponents", "cluster", *OPPONENTS, "--k", 2, "--out", out)
    assert printed in run("show", out)
    document = json.loads(run("show", out, "--json"))
    assert [each["agent"] for each in document["clusters"]] == [str(out / f"response-{n}") for n in (1, 2)]
    first = document["clusters"][0]
    match = json.loads(
        run("match", out / "response-1", first["members"][0], "--game", "leduc", "--hands", 3000, "--json")
    )
    won = match["tables"][0]["rates"][0]
    assert won["mean"] > 3 * won["half_width"]
    again = CliRunner().invoke(main, ["opponents", "cluster", *OPPONENTS, "--k", "2", "--out", str(out)])
    assert again.exit_code == 2
    assert "holds a run" in again.output
    assert run("opponents", "cluster", *OPPONENTS, "--k", 2, "--out", out, "--resume", "--json") == run(
        "show", out, "--json"
    )


def test_a_pool_is_clustered_without_those_who_change(tmp_path):
    run("opponents", "pool", "make", "A", "--game", "kuhn", "--iterations", 5, "--out", tmp_path / "A")
    text = run("opponents", "cluster", tmp_path / "A", "--k", 3)
    assert text.startswith("Best responses to clusters of 9 opponents, milli-antes/hand\n")
    assert "Left out, because they change or only play: switching" in text
    assert max(map(len, text.splitlines())) <= 80
    seat = json.loads(run("opponents", "cluster", tmp_path / "A", "--seat", 1, "--json"))
    assert seat["opponents"] == 9
    assert "clusters" not in seat


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "Missing argument"),
        (["always-call"], "give a game: an agent by name can play several (kuhn,"),
        ([*OPPONENTS, "--k", "4"], "--k 4: there are 3 opponents"),
        ([*OPPONENTS, "--seed", "3"], "--seed is for --method k-means"),
        (["always-call", "--game", "holdem-limit-2p"], "a vector solver needs"),
        (["always-call", "--game", "kuhn-3p"], "two players, not 3"),
        (["switch:always-call@10@random", "--game", "leduc"], "cannot say how likely"),
        (["nobody", "--game", "leduc"], "no agent 'nobody'"),
    ],
)
def test_wrong_words_are_told_in_one_sentence(words, told):
    result = CliRunner().invoke(main, ["opponents", "cluster", *words])
    assert result.exit_code == 2
    assert told in " ".join(result.output.split())

"""`kibitz hands model`: commands, and what they refuse."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from modelling.frequentist.logs import write_log


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    return write_log(tmp_path_factory.mktemp("leduc") / "leduc.log", "leduc", ("example-player", "probe"), 300)


@pytest.fixture(scope="module")
def nolimit(tmp_path_factory):
    return write_log(tmp_path_factory.mktemp("nl") / "nl.log", "leduc-nolimit", ("example-player", "random"), 200)


def run(*words: object):
    return CliRunner().invoke(main, [*map(str, words)], prog_name="kibitz")


def test_commands(leduc, tmp_path):
    out = tmp_path / "model"
    result = run("hands", "model", "build", leduc, "--player", "probe", "--out", out)
    assert result.exit_code == 0, result.output
    assert "decisions in 300 hands of probe" in result.output
    shown = run("hands", "model", "show", out)
    assert shown.exit_code == 0
    assert "probe in leduc, 300 hands" in shown.output
    assert "1 log, hands by seat" in shown.output
    lines = shown.output.splitlines()
    assert max(map(len, lines[1:])) <= 80
    assert [line.split()[0] for line in lines[-3:]] == ["1", "2", "all"]
    document = json.loads(run("hands", "model", "show", out, "--json").output)
    assert document["made"]["hands"] == 300
    assert document["coverage"][-1]["infosets"] == 288
    match = run("match", out, "always-call", "--game", "leduc", "--hands", 20)
    assert match.exit_code == 0, match.output
    assert run("measure", "exploitability", out).exit_code == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--player", "Phil"), "no player 'Phil'"),
        (("--player", "probe", "--game", "holdem-limit-2p", "--cards", "one-bucket"), "hole cards 1, not 2"),
        (("--player", "probe", "--game", "kuhn"), "do not fit a model of kuhn"),
        (("--player", "probe", "--cards", "5-bucket"), "small games need none"),
        (("--player", "probe", "--mapping", "psychic"), "psychic"),
    ],
)
def test_refused_in_one_sentence(leduc, tmp_path, words, reason):
    result = run("hands", "model", "build", leduc, "--out", tmp_path / "a" / "model", *words)
    assert result.exit_code == 2
    assert reason in result.output
    assert result.output.count("\n") == 1
    assert not any(tmp_path.iterdir())


def test_seen_trees_by_command(nolimit, tmp_path):
    words = ("--menu", "fcpa", "--mapping", "det-geo", "--seen-tree", "--out", tmp_path / "model")
    result = run("hands", "model", "build", nolimit, "--player", "random", *words)
    assert result.exit_code == 0, result.output
    shown = run("hands", "model", "show", tmp_path / "model")
    told = " ".join(shown.output.split())
    assert "menu (betting that was seen), bets translated by det-geo (expected counts)" in told


def test_skipped_hands_are_counted_in_words(leduc, tmp_path):
    lines = leduc.read_text().splitlines(keepends=True)
    hand = next(number for number, line in enumerate(lines) if line.startswith("STATE"))
    lines[hand] = lines[hand].replace("STATE:", "STATE:x")
    (tmp_path / "broken.log").write_text("".join(lines))
    words = ("--player", "probe", "--skip-bad", "--out", tmp_path / "model")
    result = run("hands", "model", "build", tmp_path / "broken.log", *words)
    assert result.exit_code == 0, result.output
    assert "skipped 1 broken hand\n" in result.stdout

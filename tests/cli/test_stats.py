"""`kibitz hands stats`: tables, JSON, and what it refuses."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.modelling.styles import RATES
from modelling.frequentist.logs import write_log


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stats")
    return [
        write_log(folder / f"{number}.log", "holdem-limit-2p", agents, 150)
        for number, agents in enumerate([("tight-aggressive", "always-call"), ("loose-passive", "random")])
    ]


def run(*words: object):
    return CliRunner().invoke(main, ["hands", "stats", *map(str, words)], prog_name="kibitz")


def test_table_for_people(logs):
    result = run(*logs, "--transfers")
    assert result.exit_code == 0, result.output
    assert "VP$IP" in result.output
    assert "300 hands at tables of 2." in result.output
    assert "Row's winnings from column, mbb/hand together" in result.output
    assert max(map(len, result.output.splitlines())) <= 80


@pytest.mark.parametrize("players", [2, 3, 10])
def test_table_by_position(tmp_path, players):
    names = ["a player with a long name", "tight", *map(str, range(2, players))]
    log = tmp_path / "all.log"
    lines = []
    for hand in range(2 * players):
        seats = "|".join(names[(hand + seat) % players] for seat in range(players))
        history, losses = "f" * (players - 1), [0] * players
        small, big = (1, 0) if players == 2 else (0, 1)
        losses[small], losses[big] = -5, 5
        cards = "|".join(f"{rank}c{rank}d" for rank in "23456789TJ"[:players])
        lines.append(f"STATE:{hand}:{history}:{cards}:{'|'.join(map(str, losses))}:{seats}\n")
    log.write_text("".join(lines))
    words = (log, "--game", f"holdem-limit-{players}p", "--by-position")
    told = run(*words).output.splitlines()
    assert max(map(len, told)) <= 80
    rows = [line.split()[0] for line in told[told.index("tight") + 2 :][: 3 * (players + 1) : 3]]
    early = ["UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "HJ", "CO"] * (players == 10)
    assert rows == ["SB"] * (players > 2) + ["BB", *early, "BTN", "all"]
    positions = json.loads(run(*words, "--json").output)["players"]["tight"]["positions"]
    assert [each["hands"] for each in positions.values()] == [2] * players
    assert positions["BB"]["walks"] == 2


def test_help_defines_every_rate():
    told = " ".join(run("--help").output.split())
    for name, rate in RATES.items():
        assert f"{rate.heading} {name}: {rate.meaning}" in told


def test_json_for_machines(logs):
    document = json.loads(run(logs[0], "--json").output)
    assert (document["hands"], document["unit"], document["tables"]) == (150, "mbb/hand", {"2": 150})
    caller = document["players"]["always-call"]
    assert [*caller][: len(RATES) + 3] == ["hands", *RATES, "mean", "sd"]
    assert (caller["pfr"], caller["chances"]["pfr"], caller["aggression_frequency"]) == (0, 150, 0)
    codes = caller["positions"]
    assert [*codes] == ["BB", "BTN"]
    for rate, chances in caller["chances"].items():
        assert sum(each["chances"][rate] for each in codes.values()) == chances
        assert caller["intervals"][rate][0] is None or chances
    assert (caller["aggression"], caller["fold"]) == (0, 0)
    assert caller["intervals"]["vpip"][0] < caller["vpip"] < caller["intervals"]["vpip"][1]
    (one, other) = document["transfers"]
    assert one["total"] == -other["total"]
    chips = json.loads(run(logs[0], "--json", "--unit", "chips", "--player", "always-call").output)
    assert [*chips["players"]] == ["always-call"]
    assert chips["players"]["always-call"]["mean"] == pytest.approx(caller["mean"] / 100)


def test_only_players_of_different_tables_are_compared(logs):
    document = json.loads(run(*logs, "--compare", "--json").output)
    pairs = {tuple(sorted(each["players"])) for each in document["comparisons"]}
    assert len(pairs) == 4
    assert ("always-call", "tight-aggressive") not in pairs
    assert "Pairs who sat at one table are left out" in run(*logs, "--compare").output


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--player", "Phil"), "--player Phil: no such player; there are 'always-call', 'tight-aggressive'"),
        (("--players", "6"), "no hand at a table of 6 players: the 150 hands are of tables of 2"),
        (("--compare",), "--compare: these players all sat at one table"),
        (("--game", "leduc"), "STATE"),
    ],
)
def test_refused_in_one_sentence(logs, words, reason):
    result = run(logs[0], *words)
    assert result.exit_code == 2
    assert reason in result.output or words[0] == "--game"
    assert result.output.startswith("Error: ")
    assert result.output.count("\n") == 1


def test_files_that_are_no_logs(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing here\n")
    assert "not a hand history" in run(tmp_path / "notes.txt").output
    assert "hold no hand history" in run(tmp_path).output
    assert run(tmp_path / "absent").exit_code == 2


def test_one_hand_has_no_spread(tmp_path):
    log = tmp_path / "one.log"
    hand = "STATE:0:r300r900c/cr1800c/cr3600f:5d5c|9hQd/8dAs8s/2c:-1800|1800:ann|bob"
    log.write_text(f"# name/game/hands/seed m holdem-nolimit-2p 1 0\n{hand}\n")
    told = run(log).output
    assert "±0.00" not in told
    assert "nan" not in told
    assert json.loads(run(log, "--json").output)["players"]["ann"]["aggression"] == 1
    told = CliRunner().invoke(main, ["hands", "luck", str(log), "--player", "ann"]).output
    assert told.startswith("ann, 1 hand\nraw         -18,000.0 mbb/hand\n")
    assert "nan" not in told

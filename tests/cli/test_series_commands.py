"""`kibitz match` and `kibitz tournament` as a user meets them."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.games import format_gamedef, load_game

FILES = ("manifest.json", "matches.json", "results.json")


def run(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_match_prints_rates_with_units_and_seed():
    result = run("match", "always-fold", "always-raise", "--hands", 20, "--seed", 3)
    assert result.exit_code == 0, result.output
    assert "always-fold   -750.0 ± 0.0 mbb/hand" in result.output
    assert "40 hands (20 deals in every seat permutation), seed 3, holdem-nolimit-2p" in result.output


def test_match_as_json_is_one_document():
    result = run("match", "random", "always-call", "--game", "leduc", "--hands", 50, "--json")
    document = json.loads(result.stdout)
    assert document["seed"] == 0
    assert document["kibitz"]
    (table,) = document["tables"]
    assert table["agents"] == ["random", "always-call"]
    first, second = table["rates"]
    assert first["mean"] == pytest.approx(-second["mean"])


def test_tournament_writes_its_files_and_resumes(tmp_path: Path):
    out = tmp_path / "cup"
    arguments = ("tournament", "random", "always-call", "always-fold", "--game", "leduc", "--hands", 30, "--matches", 3)
    whole = run(*arguments, "--json")
    first = run(*arguments, "--out", out)
    assert first.exit_code == 0, first.output
    assert {path.name for path in out.iterdir()} == {*FILES, "report.html", "checkpoint.npz"}

    refused = run(*arguments, "--out", out)
    assert refused.exit_code == 2
    assert "--resume" in refused.output

    for name in FILES:
        (out / name).unlink()  # killed before they were written
    resumed = run(*arguments, "--out", out, "--resume", "--json")
    assert json.loads(resumed.stdout) == json.loads(whole.stdout)
    assert json.loads((out / "results.json").read_text()) == json.loads(whole.stdout)


def test_the_report_shows_the_command_that_plays_it_again(tmp_path: Path):
    out, own = tmp_path / "cup", tmp_path / "my agent.py"
    own.write_text(OWN.format(name="mine"))
    given = ("tournament", "random", f"{own}:make", "always-fold", "--hands", 3, "--matches", 1, "--game", "leduc")
    assert run(*given, "--out", out).exit_code == 0
    page = (out / "report.html").read_text()
    words = f"kibitz tournament random &#39;{own}:make&#39; always-fold --game leduc --hands 3 --matches 1 --seed 0"
    assert f"<code>{words}</code>" in page
    guests = run("tournament", "--with", "random", "--with", "always-call", "--hands", 1, "--matches", 1, "--out", out)
    assert guests.exit_code == 2
    assert run(*given, "--out", out, "--resume", "--executor", "in-process").exit_code == 0
    assert (out / "report.html").read_text() == page


def test_guests_join_the_built_in_agents():
    told = run("tournament", "--with", "probe", "--game", "leduc", "--hands", 1, "--matches", 1, "--json")
    assert len(json.loads(told.stdout)["agents"]) == 11
    assert "AGENTS replaces the built-in agents" in run("tournament", "random", "--with", "probe").output


def test_the_table_fits_eighty_columns():
    result = run("tournament", "--hands", 2, "--matches", 10, "--executor", "in-process")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "loose-aggressive-bluffing" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("match", "random"), "1 agent for the 2 seats"),
        (("match", "random", "nobody"), "no agent 'nobody'"),
        (("match", "random", "random", "--game", "chess"), "no game 'chess'"),
        (("match", "random", "random", "--resume"), "resuming needs the folder of the run (--out)"),
        (("match", "random", "rules:speed=3"), "speed"),
        (("tournament", "random"), "1 agent: "),
        (("tournament", "random", "--game", "holdem-nolimit-6p"), "two or three"),
        (("match", "random", "random", "--hands", "0"), "--hands"),
    ],
)
def test_bad_input_is_one_sentence_and_status_two(arguments, message, tmp_path):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_bad_agent_leaves_no_folder_behind(tmp_path):
    out = tmp_path / "never"
    assert run("tournament", "random", "nobody", "--out", out).exit_code == 2
    assert not out.exists()


def test_a_match_leaves_a_log_that_replays(tmp_path):
    log = tmp_path / "match.log"
    result = run("match", "tight-passive", "tight-passive", "--hands", "30", "--log", log)
    assert result.exit_code == 0, result.output
    one, other, _ = result.stdout.splitlines()
    assert other.startswith("tight-passive-2  ")
    assert one.index(" chips") == other.index(" chips")
    replayed = run("replay", log)
    assert replayed.exit_code == 0, replayed.output
    assert "30 hands" in replayed.output
    refused = run("match", "random", "random", "--log", log, "--json")
    assert refused.exit_code == 2
    assert "--log plays one match in one seating" in refused.output


OWN = """
from kibitz.agents.frequency import always_call
def make():
    agent = always_call()
    agent.name = {name!r}
    return agent
"""


def test_a_log_gives_every_player_another_name(tmp_path):
    own, log = tmp_path / "own.py", tmp_path / "match.log"
    own.write_text(OWN.format(name="random-2"))
    result = run("match", f"{own}:make", "random", "random", "--game", "kuhn-3p", "--hands", 6, "--log", log)
    assert result.exit_code == 0, result.output
    assert log.read_text().splitlines()[-1].split(":")[2] == "random-2|random|random-3"
    assert [line.split()[0] for line in result.stdout.splitlines()[:3]] == ["random-2", "random", "random-3"]


def test_without_stacks_chips_are_whole_numbers(tmp_path):
    game, log = tmp_path / "endless.game", tmp_path / "match.log"
    game.write_text(
        "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nblind = 100 50\nfirstPlayer = 2 1 1 1\nnumSuits = 4\n"
        "numRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
    )
    words = ("match", "example-player", "always-call", "--game", game, "--hands", 40)
    logged = run(*words, "--log", log)
    assert logged.exit_code == 0, logged.output
    one, other = (re.search(r"  ([-+][\d,]+) chips$", line)[1] for line in logged.stdout.splitlines()[:2])
    assert {one[0], other[0]} == {"+", "-"}
    assert len(one.replace(",", "")) > 11  # a sign and more digits than a float is printed with
    rated = run(*words)
    assert rated.exit_code == 0, rated.output
    assert "mbb/hand" in rated.stdout


def test_the_game_of_a_strategy_is_found_in_its_folder(tmp_path):
    """A game that no name stands for too: the manifest has its rules."""
    own = tmp_path / "own.game"
    own.write_text(format_gamedef(load_game("leduc-nolimit")).replace("12 12", "9 9"))
    for folder, game in (("mine", own), ("other", "leduc")):
        menu = ("--menu", "all-in") if game == own else ()
        made = run("solve", game, *menu, "--iterations", 2, "--out", tmp_path / folder)
        assert made.exit_code == 0, made.output
    mine, other = tmp_path / "mine", tmp_path / "other"
    words = (mine, "always-call", "--hands", 10)
    found, asked = run("match", *words, "--json"), run("match", *words, "--game", own, "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["tables"] == json.loads(asked.stdout)["tables"]
    assert run("tournament", mine, "always-call", "random", "--hands", 2, "--matches", 1).exit_code == 0
    assert ", leduc\n" in run("match", f"{other},mapping=det-geo", "always-call", "--hands", 10).stdout
    refused = run("match", mine, other, "--hands", 10)
    assert refused.exit_code == 2
    assert f"{mine} plays own.game, {other} plays leduc: agents at one table" in " ".join(refused.output.split())


def test_a_single_deal_is_printed_without_an_interval():
    result = run("match", "always-fold", "always-raise", "--hands", 1)
    assert "always-fold   -750.0 mbb/hand" in result.stdout

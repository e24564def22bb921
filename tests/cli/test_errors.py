"""Whatever ends a command early is one sentence: streams, memory, options that make no sense."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kibitz.cli import COMMANDS, main
from kibitz.games import deal_hands

SPOT = ("spot", "--board", "Qs Jh 2h 8d 3c", "--pot", 100, "--stack", 400, "--oop", "AA", "--ip", "KK")


def run(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(("words", "unbuffered"), [(("acpc", "deal", "kuhn"), ""), (("--help",), "1")])
def test_output_that_cannot_be_written(words, unbuffered):
    with open("/dev/full", "w") as full:
        program = [sys.executable, "-c", "from kibitz.cli import main; main()", *words]
        environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, env=environment)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1:] == ["Error: cannot write the output: No space left on device"]
    assert "Traceback" not in done.stderr


def test_closed_output_is_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(click.UsageError, match="cannot write standard output: it is closed"):
        main.main(["acpc", "deal", "kuhn"], standalone_mode=False)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_are_words_of_64_bits(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("opponents", "population", "play", "--seed", seed)
    assert result.exit_code == 2
    reason = "is not in the range x>=0." if seed < 0 else "is too large: a seed is less than 2^64."
    assert f"Invalid value for '--seed': {seed} {reason}" in result.stderr
    assert not list(tmp_path.iterdir())


def test_closed_messages_are_dropped(monkeypatch, tmp_path, capsys):
    log = tmp_path / "short.log"
    log.write_text("# name/game/hands/seed m kuhn 2 0\nSTATE:0:rc:As|Ks:2|-2:ann|bob\n")
    monkeypatch.setattr(sys, "stderr", None)
    with pytest.raises(SystemExit, match="0"):
        main.main(["hands", "check", str(log)], standalone_mode=False)
    assert "1 hand, 0 differences" in capsys.readouterr().out


def test_files_that_may_not_be_read(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", str(tmp_path / "secret.log"))

    (tmp_path / "secret.log").touch()
    monkeypatch.setattr(Path, "open", refuse)
    for command in (
        ("hands", "convert", tmp_path / "secret.log", "--to", "acpc"),
        ("hands", "check", tmp_path / "secret.log"),
    ):
        result = run(*command)
        assert result.exit_code == 2
        assert f": {tmp_path / 'secret.log'}: Permission denied\n" in result.stderr


def test_memory_that_is_not_there(monkeypatch):
    def refuse(*_):
        raise MemoryError("Unable to allocate 14.6 PiB")

    monkeypatch.setattr("kibitz.games.dealing.deal_hands", refuse)
    result = run("acpc", "deal", "kuhn")
    assert result.exit_code == 2
    assert result.stderr == "Error: there is not enough memory for that: Unable to allocate 14.6 PiB\n"


def test_a_command_that_is_nearly_right():
    result = run("tournamnt")
    assert result.exit_code == 2
    assert "No such command 'tournamnt'. Did you mean tournament?" in result.stderr
    assert "No such command 'xyzzy'." in run("xyzzy").stderr
    assert "No such command 'eval'. Did you mean hands luck?" in run("eval").stderr
    assert "No such command 'exploitab'. Did you mean exploitability?" in run("measure", "exploitab").stderr


def test_commands_of_the_version_before():
    before, now = run("deal", "kuhn"), run("acpc", "deal", "kuhn")
    assert before.stdout == now.stdout
    assert before.stderr == "Note: `kibitz deal` is now `kibitz acpc deal`; the old name goes with the next version.\n"
    assert run("learn", "self-play", "--help").stdout.startswith("Usage: main train self-play")
    for words, meant in (
        (("train", "quick"), "train blueprint"),
        (("exploit", "agent", "--real"), "measure exploitability"),
        (("hands", "match.log"), "hands export"),
    ):
        refused = run(*words)
        assert refused.exit_code == 2
        assert f"Did you mean kibitz {meant}?" in refused.stderr


def test_words_may_have_capitals():
    result = run("solve", "kuhn", "--algorithm", "CFR+", "--iterations", 2, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["algorithm"] == "cfr+"


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "kuhn", "--algorithm", "external"),
        ("train", "blueprint"),
        ("translate", "0.7", "--sizes", "0.5, 1", "--draws", 3),
        ("abstract", "bets", "kuhn-nolimit", "--form", "sampled"),
        ("match", "random", "random"),
        ("tournament",),
        ("acpc", "deal", "kuhn"),
        ("equity", "AA", "KK"),
        ("measure", "lbr", "always-call"),
        ("acpc", "connect", "random", "localhost", 5000),
        ("measure", "exploitability", "x"),
        ("reproduce", "ganzfried2013"),
        ("play",),
    ],
)
def test_seeds_begin_at_0(arguments):
    result = run(*arguments, "--seed", -1)
    assert result.exit_code == 2
    said = "(-1 is not in the range|'-1' is neither a whole number|seed is -1: a whole number)"
    of_plans = r"seed is '-1': a whole number .*is\s+needed\s+\(--seed\)"
    assert re.search(f"Invalid value for '--seed': {said}|{of_plans}", result.stderr, re.DOTALL)
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("acpc", "deal", "kuhn", "--seed", 2**32),
        ("match", "random", "random", "--hands", 2, "--seed", 2**32, "--cards", "acpc"),
        ("match", "random", "random", "--hands", 2, "--log", "x.log", "--seed", 2**32, "--cards", "acpc"),
        ("tournament", "--seed", 2**32, "--cards", "acpc"),
        ("play", "--seed", 2**32, "--cards", "acpc"),
        ("acpc", "dealer", "kuhn", 1, 2**32, "a", "b"),
    ],
)
def test_seeds_of_cards_end_where_the_dealers_do(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert "seed 4294967296: the ACPC dealer's cards have seeds from 0 to 4294967295 (--seed)" in result.stderr
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_the_last_seed_is_dealt():
    assert run("acpc", "deal", "holdem-nolimit-2p", "--seed", 2**32 - 1).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("acpc", "connect", "random", "a..b", 5000), "no dealer at a..b port 5000"),
        (("acpc", "connect", "random", "x" * 64, 5000), "no dealer at xxx"),
        (("match", "random", "random", "--hands", 10**15), "'--hands'"),
        (("match", "random", "random", "--hands", 10**26), "'--hands'"),
        (("tournament", "--matches", 10**15), "'--matches'"),
        (("acpc", "dealer", "kuhn", "1" + "0" * 320, 0, "a", "b"), "'HANDS'"),
        (("play", "--hands", 10**26), "'--hands'"),
        (("acpc", "deal", "kuhn", "--hands", 10**26), "'--hands'"),
        (("translate", "0.7", "--sizes", "1", "--draws", 10**30), "'--draws'"),
        (("solve", "kuhn", "--boards", 10**30), "'--boards'"),
        (
            ("measure", "exploitability", "random", "--real", "--game", "holdem-limit-2p", "--flops", 10**30),
            "--flops 1000",
        ),
        (("hands", "luck", "k.log", "--player", "random", "--growth", "nan"), "'--growth'"),
        (("hands", "luck", "k.log", "--player", "random", "--growth", "1e308"), "'--growth'"),
        ((*SPOT, "--image", "x.foo"), "--image x.foo: unknown picture format"),
        ((*SPOT, "--image", "nowhere/x.png"), "cannot write nowhere/x.png: there is no folder nowhere"),
        ((*SPOT, "--accuracy", "nan"), "accuracy is nan: a number at least 0 is needed"),
        (("solve", "kuhn", "--until", "nan"), "until is nan: a number above 0 is needed"),
        (("solve", "kuhn", "--until", "inf"), "until is inf: a number above 0 is needed"),
        (("solve", "kuhn", "--until", "-1"), "'--until'"),
        (("solve", "kuhn", "--menu", "foo"), "'foo' in the menu 'foo'"),
        (("solve", "kuhn", "--menu", "fcpa"), "menu fcpa: kuhn is a limit game, its bets are fixed"),
        (("size", "leduc", "--menu", "0.5, 1"), "menu 0.5, 1: leduc is a limit game, its bets are fixed"),
        (("equity", "AA", "KK", "--exact", "--sample"), "give only one"),
        (("measure", "exploitability", "x", "--flops", "x"), "--flops x is only for --real"),
    ],
)
def test_options_that_cannot_be_meant(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""


@pytest.mark.parametrize("menu", ["full", "limit", "r"])
def test_limit_games_have_the_menu_they_have(menu):
    assert run("size", "leduc", "--menu", menu).stdout == run("size", "leduc").stdout


def test_deals_are_printed_as_they_come(monkeypatch):
    def two_and_no_more(game, seed):
        deals = deal_hands(game, seed)
        yield next(deals)
        yield next(deals)
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("kibitz.games.dealing.deal_hands", two_and_no_more)
    result = run("acpc", "deal", "kuhn", "--hands", 10**8)
    assert result.exit_code == 141
    assert len(result.stdout.splitlines()) == 2


def test_agents_are_also_files_of_cases():
    for command in ("match", "connect"):
        assert "a file of cases" in " ".join(run(command, "--help").output.split())


@pytest.mark.parametrize("command", [*COMMANDS, "abstract bets", "abstract cards", "imitate build", "imitate explain"])
def test_help_fits_eighty_columns_and_is_not_cut_off(command):
    text = CliRunner().invoke(main, [*command.split(), "--help"], terminal_width=80).output
    assert max(map(len, text.splitlines())) <= 80
    assert not [line for line in text.splitlines()[1:] if line.endswith("...")]

"""`kibitz acpc dealer` and `kibitz acpc connect` as their users run them: processes, ports, exit statuses, files."""

import json
import os
import socket
import subprocess
import sys
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.cli import main
from kibitz.games import format_deal, format_gamedef, load_game
from kibitz.io.acpc.log import read_log
from kibitz.io.record import HandRecord
from kibitz.random import is_secret

PATIENCE = 120  # seconds; machines may be busy


def start(folder: Path, *words: object) -> subprocess.Popen:
    """A Kibitz command in `folder`."""
    return subprocess.Popen(
        [sys.executable, "-c", "from kibitz.cli import main; main()", *map(str, words)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def a_dealer(folder: Path, *words: object):
    """A dealer that has printed its ports, and the first line it printed."""
    process = start(folder, "acpc", "dealer", *words, "--start-timeout", 1000 * PATIENCE)
    try:
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


def test_the_seed_of_keyed_cards_is_drawn_and_told_after_the_match(tmp_path):
    """Nobody reads it on the command line, in the log or in what is printed before; then everybody can check it."""
    words = ("leduc", 3, "random", "ann", "bob", "--cards", "keyed", "--match-name", "fair", "--json")
    with a_dealer(tmp_path, *words) as (dealer, line):
        for port in json.loads(line)["ports"]:
            start(tmp_path, "acpc", "connect", "always-call", "127.0.0.1", port, "--game", "leduc")
        out, err = dealer.communicate(timeout=PATIENCE)
    seed, log = json.loads(out)["seed"], (tmp_path / "fair.log").read_text()
    assert is_secret(int(seed, 16))
    assert seed not in line + err + log
    hands = [hand for hand in read_log(log.splitlines(), "fair.log") if isinstance(hand, HandRecord)]
    dealt = (
        CliRunner().invoke(main, ["acpc", "deal", "leduc", "--cards", "keyed", "--seed", seed, "--hands", "3"]).output
    )
    assert [format_deal(load_game("leduc"), hand.deal, 1) for hand in hands] == dealt.split()


@pytest.mark.parametrize(
    ("seed", "cards", "message"),
    [("7", "keyed", "can find seed 7 by trying"), ("random", "acpc", "from 0 to 4294967295")],
)
def test_seeds_that_do_not_suit_the_cards(seed, cards, message):
    refused = CliRunner().invoke(main, ["acpc", "dealer", "leduc", "3", seed, "ann", "bob", "--cards", cards])
    assert refused.exit_code == 2
    assert message in " ".join(refused.output.split())


def test_a_match_between_two_processes(tmp_path):
    with a_dealer(tmp_path, "leduc", 50, 7, "ann", "bob", "--match-name", "duel") as (dealer, line):
        ports = line.split()
        assert len(ports) == 2
        clients = [
            start(tmp_path, "acpc", "connect", agent, "127.0.0.1", port, "--game", "leduc", "--seed", 3)
            for agent, port in zip(("random", "always-call"), ports, strict=True)
        ]
        answers = [client.communicate(timeout=PATIENCE)[0] for client in clients]
        out, err = dealer.communicate(timeout=PATIENCE)
    log = (tmp_path / "duel.log").read_text()
    lines = log.splitlines()
    assert dealer.returncode == 0
    assert [client.returncode for client in clients] == [0, 0]
    assert lines[:4] == [
        "# name/game/hands/seed duel leduc 50 7",
        "#--t_response 600000",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
    ]
    assert out.splitlines() == [lines[-1]]
    assert err.splitlines() == [*lines[:4], lines[-1]]
    chips = lines[-1].split(":")[1].split("|")
    assert answers == [f"random: {chips[0]} chips in 50 hands\n", f"always-call: {chips[1]} chips in 50 hands\n"]
    assert sum(isinstance(event, HandRecord) for event in read_log(log.splitlines())) == 50


def test_results_and_messages_for_machines(tmp_path):
    words = ("kuhn", 2, 0, "ann", "bob", "--json", "--quiet", "--transcript", "--transactions", "a.tlog")
    with a_dealer(tmp_path, *words) as (dealer, line):
        clients = [
            start(tmp_path, "acpc", "connect", "always-call", "127.0.0.1", port, "--game", "kuhn", "--json")
            for port in json.loads(line)["ports"]
        ]
        out, err = dealer.communicate(timeout=PATIENCE)
        results = [json.loads(client.communicate(timeout=PATIENCE)[0]) for client in clients]
    result = json.loads(out)
    assert result["played"] == 2
    assert result["error"] is None
    assert result["names"] == ["ann", "bob"]
    assert result["log"] == "kuhn.h2.r0.log"
    assert results == [{"hands": 2, "chips": chips} for chips in result["chips"]]
    assert [line.split()[0] for line in err.splitlines()][:4] == ["STARTED", "TO", "TO", "FROM"]
    assert len((tmp_path / "a.tlog").read_text().splitlines()) == 4


def test_a_player_that_is_killed_ends_the_match_with_its_hands_kept(tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import os\n"
        "from kibitz.agents.frequency import always_call\n"
        "class Mortal:\n"
        "    name = 'mortal'\n"
        "    def reset(self, game, seed): self.hands = 0\n"
        "    def observe(self, state, position): self.hands += 1\n"
        "    def act(self, state):\n"
        "        if self.hands == 7: os._exit(9)\n"
        "        return 'c'\n"
    )
    with a_dealer(tmp_path, "leduc", 100, 0, "ann", "bob", "--log", "kept.log", "--json") as (dealer, line):
        ports = json.loads(line)["ports"]
        mortal = start(tmp_path, "acpc", "connect", f"{slow}:Mortal", "127.0.0.1", ports[1], "--game", "leduc")
        other = start(tmp_path, "acpc", "connect", "always-call", "127.0.0.1", ports[0], "--game", "leduc")
        out, err = dealer.communicate(timeout=PATIENCE)
        _, complaint = other.communicate(timeout=PATIENCE)
        mortal.communicate(timeout=PATIENCE)
    assert dealer.returncode == 1
    assert "seat 2 (bob) is gone" in err
    assert "7 of 100 hands were played and are in kept.log" in err
    assert json.loads(out)["played"] == 7
    assert other.returncode == 2
    assert "the dealer hung up after 7 hands" in complaint
    lines = (tmp_path / "kept.log").read_text().splitlines()
    assert [line.split(":")[1] for line in lines[4:]] == [str(hand) for hand in range(7)]


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(word) for word in words])
    return result.exit_code, result.output


def test_nobody_comes_and_the_old_log_stays(tmp_path):
    log = tmp_path / "old.log"
    log.write_text("precious")
    words = f"dealer leduc 1 0 a a --start-timeout 50 --json --overwrite --log {log}"
    result = CliRunner().invoke(main, words.split())
    assert result.exit_code == 1
    assert "nobody took seat 1, 2 in time" in result.stderr
    assert "Warning: several players have the same name" in result.stderr
    assert json.loads(result.stdout.splitlines()[-1])["log"] is None
    assert log.read_text() == "precious"


def test_a_file_of_any_name_names_the_match(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my own: game.game").write_text(format_gamedef(load_game("kuhn")))
    code, output = run("acpc", "dealer", "my own: game.game", 5, 1, "a", "b", "--start-timeout", 1)
    assert code == 1
    assert "# name/game/hands/seed my-own--game.h5.r1 my own: game.game 5 1" in output


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("leduc", 1, 0, "a", "b c"), "'b c'"),
        (("leduc", 1, 0, "a", "b:c"), "'b:c'"),
        (("leduc", 1, 0, "a", "b|c"), "'b|c'"),
        (("leduc", 1, 0, "a"), "2 are needed"),
        (("leduc", 0, 0, "a", "b"), "HANDS"),
        (("leduc", 1, -1, "a", "b"), "No such option"),
        (("leduc", 1, 2**32, "a", "b"), "0 to 4294967295"),
        (("nothing", 1, 0, "a", "b"), "no game 'nothing'"),
        (("leduc", 1, 0, "a", "b", "--ports", "1,x"), "1,x"),
        (("leduc", 1, 0, "a", "b", "--ports", "70000,0"), "70000"),
        (("leduc", 1, 0, "a", "b", "--ports", "0"), "1 ports: 2 are needed"),
        (("leduc", 1, 0, "a", "b", "--ports", "9" * 5000 + ",0"), "numbers from 0 to 65535"),
        (("leduc", 1, 0, "a", "b", "--host", ""), "--host is empty"),
        (("leduc", 1, 0, "a", "b", "--match-name", "m", "--transactions", "m.log"), "give two different files"),
        (("leduc", 1, 0, "a", "b", "--log", "no/such/folder/x.log"), "there is no folder"),
        (("leduc", 1, 0, "a", "b", "--host", "256.1.1.1"), "cannot listen on 256.1.1.1"),
    ],
)
def test_what_cannot_be_dealt_is_refused(words, complaint):
    code, output = run("acpc", "dealer", *words)
    assert code == 2
    assert complaint in output


@pytest.fixture
def played_here(monkeypatch):
    """The dealer's players sit in this process, and one of them is worth a warning."""

    def play(table, record):
        table._warn("seat 1 (ann): odd")
        table._transcript.note("STARTED")
        table._transcript.played("c", 0, 1.0, 2.0)
        return play_locally(table.plan, [load_agent("always-call"), load_agent("always-call")], [0, 0], record)

    monkeypatch.setattr("kibitz.arena.server.Dealer.run", play)


@pytest.mark.parametrize("option", ["--log", "--transactions"])
def test_older_files_are_replaced_only_when_that_is_wanted(played_here, tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    words = ["acpc", "dealer", "kuhn", "2", "0", "ann", "bob", option, "old"]
    Path("old").write_text("precious")
    code, output = run(*words)
    assert (code, output) == (2, "Error: old exists: choose another name, or overwrite it (--overwrite)\n")
    assert Path("old").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert run(*words, "--overwrite")[0] == 0
    assert "precious" not in Path("old").read_text()
    Path("old").write_text("")  # as mktemp leaves it
    Path("kuhn.h2.r0.log").unlink(missing_ok=True)
    assert run(*words)[0] == 0


def test_the_same_match_again_is_refused(played_here, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("acpc", "dealer", "kuhn", 2, 0, "ann", "bob")
    assert run(*words)[0] == 0
    log = Path("kuhn.h2.r0.log").read_text()
    code, output = run(*words, "--json")
    assert (code, output) == (2, "Error: kuhn.h2.r0.log exists: choose another name, or overwrite it (--overwrite)\n")
    assert Path("kuhn.h2.r0.log").read_text() == log
    assert run(*words, "--match-name", "again")[0] == 0
    assert run(*words, "--log", os.devnull)[0] == 0


def test_a_log_that_another_match_has_begun_meanwhile_stays(tmp_path, monkeypatch):
    log = tmp_path / "x.log"

    def play(table, record):
        log.write_text("precious")
        record("mine")

    monkeypatch.setattr("kibitz.arena.server.Dealer.run", play)
    code, output = run("acpc", "dealer", "kuhn", 2, 0, "ann", "bob", "--log", log)
    assert code == 1
    assert f"{log} exists: choose another name" in output
    assert log.read_text() == "precious"


def test_a_full_disk_ends_the_match_with_its_hands_kept(played_here, tmp_path, monkeypatch):
    class Full(FileIO):
        def write(self, data):
            left = 200 - self.tell()
            if left <= 0:
                raise OSError(28, "No space left on device")
            return super().write(data[:left])

    monkeypatch.setattr("kibitz.arena.match_log.FileIO", Full)
    log = tmp_path / "x.log"
    result = CliRunner().invoke(main, ["acpc", "dealer", "kuhn", "9", "0", "ann", "bob", "--log", str(log), "--json"])
    assert result.exit_code == 1
    document = json.loads(result.stdout.splitlines()[1])
    assert document["error"] == f"cannot write {log}: No space left on device"
    assert 0 < document["played"] < 9
    assert f"; {document['played']} of 9 hands were played and are in {log}" in result.stderr
    text = log.read_text()
    assert text.count("STATE:") == document["played"]
    assert text.endswith(("|bob\n", "|ann\n"))


@pytest.mark.parametrize("option", ["--transactions", "--log"])
def test_files_that_cannot_be_written_are_refused_at_once(option, tmp_path, monkeypatch):
    (tmp_path / "old.log").write_text("precious")
    (tmp_path / "locked").mkdir()
    monkeypatch.setattr("os.access", lambda path, mode: Path(path).name != "locked")
    for path in ("locked/x", "old.log/x", "none/x"):
        words = ("--overwrite", "--log", tmp_path / "old.log", option, tmp_path / path)
        code, output = run("acpc", "dealer", "kuhn", 1, 0, "a", "b", *words)
        assert code == 2
        assert f"cannot write {tmp_path / path}: " in output
    assert (tmp_path / "old.log").read_text() == "precious"


def test_warnings_that_nobody_reads_do_not_end_the_match(played_here, tmp_path, monkeypatch, capsys):
    reader, writer = os.pipe()
    os.close(reader)
    words = ["acpc", "dealer", "kuhn", "2", "0", "a", "b", "--transcript", "--log", str(tmp_path / "x.log")]
    with os.fdopen(writer, "w", buffering=1) as nobody:
        monkeypatch.setattr(sys, "stderr", nobody)
        main.main([*words, "--transactions", str(tmp_path / "x.tlog")], standalone_mode=False)
    assert "SCORE:" in capsys.readouterr().out
    assert (tmp_path / "x.log").read_text().count("STATE:") == 2
    assert (tmp_path / "x.tlog").read_text() == "c 0 1.000000 2.000000\n"


def test_connecting_to_nobody():
    code, output = run("acpc", "connect", "random", "127.0.0.1", 1)
    assert code == 2
    assert "no dealer at 127.0.0.1 port 1" in output


def test_a_silent_dealer_is_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code, output = run("acpc", "connect", "always-call", "127.0.0.1", port, "--start-timeout", 200)
    assert code == 2
    assert (
        output == f"Error: the dealer at 127.0.0.1 port {port} has begun no match for 0.2 s: are all players there?\n"
    )


def test_help_says_which_game_the_client_takes():
    _, output = run("acpc", "connect", "--help")
    assert "[default: holdem-nolimit-2p]" in " ".join(output.split()).replace("holdem- ", "holdem-")

"""What reaches a terminal: no control characters out of files, nothing that ends in a traceback."""

import io
import json
import os
import pty
import subprocess
import sys
import tarfile

import pytest
from click.testing import CliRunner
from rich.table import Table
from rich.text import Text

from kibitz.cli import main
from kibitz.cli._console import MovingConsole, ResultConsole
from kibitz.cli._streams import Shown, printable

NASTY = "ann\x1b[2J\x1b]0;title\x07\x9b31m\u202e"
LOG = f"""# name/game/hands/seed m holdem-nolimit-2p 3 0
STATE:0:f:5d5c|9hQd:50|-50:{NASTY}|bob
STATE:1:f:6sKs|5dJd:50|-50:{NASTY}|eve
STATE:2:f:Ah8s|2h4c:50|-50:{NASTY}|bob
"""


def on_terminal(*arguments: object) -> str:
    """What the program writes where its output is a terminal."""
    ours, theirs = pty.openpty()
    program = [sys.executable, "-c", "from kibitz.cli import main; main()", *map(str, arguments)]
    running = subprocess.Popen(program, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    told = b""
    try:
        while piece := os.read(ours, 1 << 16):
            told += piece
    except OSError:  # the end, on Linux
        pass
    os.close(ours)
    running.wait()
    return told.decode()


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "logs.tar"
    with tarfile.open(path, "w") as packed:
        member = tarfile.TarInfo(f"{NASTY}.log")
        member.size = len(LOG.encode())
        packed.addfile(member, io.BytesIO(LOG.encode()))
    return path


def test_names_give_a_terminal_no_orders(archive):
    for arguments in (
        ("hands", "check", archive),
        ("hands", "convert", archive, "--to", "acpc"),
        ("hands", "convert", archive, "--to", "phhs"),
    ):
        told = on_terminal(*arguments)
        assert "ann\\" in told
        for order in ("\x1b[2J", "\x1b]", "\x07", "\x9b", "\u202e"):
            assert order not in told


def test_files_and_json_keep_what_is_there(archive, tmp_path):
    out = tmp_path / "out.log"
    CliRunner().invoke(main, ["hands", "convert", str(archive), "--to", "acpc", "--out", str(out)])
    assert NASTY in out.read_text()
    told = CliRunner().invoke(main, ["hands", "convert", str(archive), "--to", "acpc"]).stdout
    assert NASTY in told
    told = CliRunner().invoke(main, ["hands", "check", str(archive), "--json"]).stdout
    assert printable(told) == told
    assert json.loads(told)[0]["first"][0]["expected"] == f"bob|{NASTY}"


def test_tables_draw_and_their_cells_do_not(monkeypatch):
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", Shown(out))
    monkeypatch.setattr(sys, "stderr", Shown(out))
    table = Table("name", "chips")
    table.add_row(Text(NASTY), NASTY)
    for console in (ResultConsole(), MovingConsole()):
        console.print(table)
        console.print(NASTY, markup=False)
    out.flush()
    told = out.buffer.getvalue().decode()
    assert "ann" in told
    assert "│" in told
    assert printable(told) == told


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252", "utf-8"])
def test_any_terminal_will_do(encoding, tmp_path):
    log = tmp_path / "named.log"
    log.write_text(LOG.replace("bob", "bøb♠"))
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    tournament = "tournament random always-call always-raise --game kuhn --hands 20"
    for words in (tournament, f"replay {log}", f"replay --json {log}"):
        program = [sys.executable, "-c", "from kibitz.cli import main; main()", *words.split()]
        done = subprocess.run(program, capture_output=True, env=environment)
        assert b"Traceback" not in done.stderr
        assert done.returncode in (0, 1)
        done.stdout.decode(encoding)
        if "--json" in words:
            assert json.loads(done.stdout.decode(encoding))[0]["first"][0]["expected"] == f"bøb♠|{NASTY}"


def test_hands_are_not_changed_for_an_encoding(tmp_path):
    log = tmp_path / "named.log"
    log.write_text(LOG.replace("bob", "b♠b").replace(NASTY, "ann"))
    program = [sys.executable, "-c", "from kibitz.cli import main; main()", "convert", str(log), "--to", "acpc"]
    done = subprocess.run(program, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"standard output is iso8859-1, which cannot encode '\\u2660'" in done.stderr
    assert b"--out" in done.stderr


def test_what_an_encoding_lacks_is_replaced():
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Shown(out).write("1 ± 2 − 3 … 4 × A♠ 漢 \udcff")
    out.flush()
    assert out.buffer.getvalue() == b"1 +/- 2 - 3 ... 4 x As ? ?"


def test_a_choice_of_the_user_stays():
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="namereplace")
    Shown(out).write("±")
    out.flush()
    assert out.buffer.getvalue() == rb"\N{PLUS-MINUS SIGN}"


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_bytes_that_are_no_text_can_be_typed(encoding):
    program = [sys.executable, "-c", "from kibitz.cli import main; main()", "play", "--game", "kuhn", "--seed", "1"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(program, input=b"\xff\xfe\nq\n", capture_output=True, env=environment)
    assert done.returncode == 0
    assert b"is no action" in done.stdout
    assert b"Traceback" not in done.stderr


def test_ends_of_lines_pass_and_lone_returns_do_not():
    assert printable("MATCHSTATE:0:0::Ks|\r\n") == "MATCHSTATE:0:0::Ks|\r\n"
    assert printable("all is well\roverwritten") == "all is well\\roverwritten"

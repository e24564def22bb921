"""`kibitz hands check`: lines, JSON, exit status, and a quick start."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from kibitz.cli import main

GOOD = """# name/game/hands/seed m /x/leduc.limit.2p.game 3 1524397313
STATE:0:rf:Kh|As:1|-1:Random_1|CFR_trained
STATE:1:rrc/rrc:Ah|Kh/Qs:13|-13:CFR_trained|Random_1
STATE:2:rc/rf:Qs|Qh/Ks:3|-3:Random_1|CFR_trained
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "good.log").write_text(GOOD)
    (tmp_path / "bad.log").write_text(GOOD.replace(":13|-13:", ":12|-12:"))
    (tmp_path / "notes.txt").write_text("hello\n")
    return tmp_path


def replay(*arguments):
    return CliRunner().invoke(main, ["hands", "check", *map(str, arguments)])


def test_a_faithful_file_gives_status_0(files):
    result = replay(files / "good.log")
    assert result.exit_code == 0
    assert result.stdout == f"{files / 'good.log'}: 3 hands, 0 differences\n"


def test_a_difference_gives_status_1_and_is_shown(files):
    result = replay(files / "good.log", files / "bad.log")
    assert result.exit_code == 1
    assert f"{files / 'bad.log'}: 3 hands, 1 difference\n  hand 1 ({files / 'bad.log'}:3): returns" in result.stdout
    assert "expected 13|-13, got 12|-12" in result.stdout
    assert "hand 1" not in replay("--first", 0, files / "bad.log").stdout


def test_what_cannot_be_read_gives_status_2(files):
    for name in ("notes.txt", "missing.log"):
        result = replay(files / "bad.log", files / name)
        assert result.exit_code == 2
        assert name in result.stderr
        assert "1 difference\n" in result.stdout
    assert replay().exit_code == 2
    assert replay(files / "good.log", "--game", "unheard-of").exit_code == 2


def test_json_is_a_list_of_files(files):
    result = replay("--json", files / "good.log", files / "bad.log")
    good, bad = json.loads(result.stdout)
    assert (good["file"], good["hands"], good["differences"]) == (str(files / "good.log"), 3, 0)
    assert bad["differences"] == 1
    assert bad["first"][0]["hand"] == "1"
    assert result.exit_code == 1


def test_folders_are_searched(files):
    result = replay(files)
    assert result.exit_code == 1
    assert "good.log" in result.stdout
    assert "skipped" in result.stderr


def test_the_game_can_be_given(tmp_path):
    path = tmp_path / "plain.log"
    path.write_text("STATE:0:rf:Kh|As:1|-1:a|b\n")
    assert replay(path).exit_code == 2
    assert replay(path, "--game", "leduc").exit_code == 0


def run(*arguments):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True)


def test_the_exit_status_of_the_real_program(files):
    program = "import sys; from kibitz.cli import main; main()"
    assert run("-c", program, "replay", str(files / "good.log")).returncode == 0
    assert run("-c", program, "replay", str(files / "bad.log")).returncode == 1
    missing = run("-c", program, "replay", str(files / "missing.log"))
    assert missing.returncode == 2
    assert "Traceback" not in missing.stderr


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["hands", "check", "--help"], ["hands", "check", "good.log"], ["hands", "check", "bad.log"]],
)
def test_the_command_line_starts_without_compiler_or_tables(files, arguments):
    program = f"""
import os, sys
os.chdir({str(files)!r})
from kibitz.cli import main
try:
    main({arguments!r})
except SystemExit:
    pass
print([name for name in ("numba", "numpy", "polars", "rich", "matplotlib") if name in sys.modules])
"""
    result = run("-c", program)
    assert result.stdout.splitlines()[-1] == "[]", result.stderr


def test_real_files(data):
    result = replay("--json", data / "acpc" / "logs")
    assert result.exit_code == 0
    assert sum(report["hands"] for report in json.loads(result.stdout)) == 53_147


def test_a_folder_without_hands_is_no_success(files):
    empty = files / "empty"
    empty.mkdir()
    result = replay(empty, files / "good.log")
    assert result.exit_code == 2
    assert f"{empty}: no hand histories found" in result.stderr
    assert "3 hands, 0 differences" in result.stdout
    (document,) = json.loads(replay(empty, "--json").stdout)
    assert document == {
        "file": str(empty),
        "hands": 0,
        "differences": None,
        "error": f"{empty}: no hand histories found",
    }

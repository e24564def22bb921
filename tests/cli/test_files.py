"""What commands write: through links and pipes, whole or not at all, and with errors that name the path given."""

import json
import os
import resource

import pytest
from click.testing import CliRunner
from polars.exceptions import ComputeError

from kibitz.cli import main
from kibitz.cli._files import folder_for, replacing
from kibitz.errors import KibitzError

LOG = "# name/game/hands/seed m kuhn 2 0\nSTATE:0:rc:As|Ks:2|-2:ann|bob\n"
MATCH = ("match", "always-call", "always-raise", "--game", "kuhn", "--hands", 3)


def run(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "short.log"
    path.write_text(LOG)
    return path


@pytest.fixture
def writes(log):
    """Commands that write a file, by name, less its path."""
    return {"match": (*MATCH, "--log"), "convert": (log, "--to", "acpc", "--out")}


def words(writes, command):
    return writes[command] if command == "match" else (command, *writes[command])


@pytest.mark.parametrize("command", ["match", "convert"])
def test_a_pipe_is_written_to_and_stays_a_pipe(writes, command, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    result = run(*words(writes, command), pipe)
    text = os.read(reader, 1 << 16).decode()
    os.close(reader)
    assert result.exit_code == 0, result.output
    assert "STATE:0:" in text
    assert pipe.is_fifo()


@pytest.mark.parametrize("command", ["match", "convert"])
def test_a_link_stays_a_link(writes, command, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "real", tmp_path / "link"
    target.write_text("before")
    link.symlink_to(target)
    assert run(*words(writes, command), link).exit_code == 0
    assert link.is_symlink()
    assert "STATE:0:" in target.read_text()
    assert [path.name for path in target.parent.iterdir()] == ["real"]


def test_a_picture_or_a_table_follows_links_and_refuses_pipes(tmp_path):
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "link.svg").symlink_to(tmp_path / "real.svg")
    refused = run("translate", "0.7", "--sizes", "0.5, 1", "--plot", tmp_path / "pipe.png")
    assert refused.exit_code == 2
    assert "it is no plain file" in refused.stderr
    assert run("translate", "0.7", "--sizes", "0.5, 1", "--plot", tmp_path / "link.svg").exit_code == 0
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "real.svg").is_file()


@pytest.mark.parametrize(
    "command", ["match", "convert", "match --out", "solve", "hands", "reproduce", "cases", "play", "train"]
)
def test_a_file_where_a_folder_should_be(writes, log, command, tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.arena.local.play_locally", lambda *_: pytest.fail("played before it was checked"))
    path = log / "x"
    arguments = {
        "match --out": (*MATCH, "--out"),
        "solve": ("solve", "kuhn", "--out"),
        "hands": ("hands", "export", log, "--out"),
        "reproduce": ("reproduce", "ganzfried2013", "table-1", "--out"),
        "play": ("play", "--log"),
        "train": ("train", "blueprint", "quick", "--out"),
        "cases": ("imitate", "build", log, "--expert", "ann", "--out"),
    }
    result = run(*(arguments[command] if command in arguments else words(writes, command)), path)
    assert result.exit_code == 2
    assert f"Error: cannot write {path}: " in result.stderr
    assert "File exists" not in result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert log.read_text() == LOG


def test_the_path_given_is_named_and_not_the_one_beside_it(log, tmp_path):
    result = run("hands", "convert", log, "--to", "acpc", "--out", tmp_path / "none" / "x")
    assert result.exit_code == 2
    assert f"cannot write {tmp_path / 'none' / 'x'}: No such file or directory" in result.stderr


def test_a_file_of_cases_that_is_not_there(tmp_path):
    result = run("imitate", "inspect", tmp_path / "nosuch")
    assert result.exit_code == 2
    assert "nosuch" in result.stderr
    assert "None" not in result.stderr


def test_a_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "out"
    path.write_text("before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(KibitzError, match=f"cannot write {path}: File too large"), replacing(path) as file:
            file.write("after" * 50)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (("solve", "kuhn", "--iterations", 2), "kibitz.plans.artefacts.save_array"),
        (("hands", "export", "short.log"), "polars.DataFrame.write_parquet"),
    ],
)
def test_a_disk_that_fills_up_is_told_of_the_folder_given(arguments, place, log, tmp_path, monkeypatch):
    def refuse(*_):
        if "polars" in place:
            raise ComputeError("No space left on device (os error 28)")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(place, refuse)
    monkeypatch.chdir(tmp_path)
    result = run(*arguments, "--out", "new")
    assert result.exit_code == 2
    assert "Error: cannot write new: No space left on device" in result.stderr


def test_an_error_while_reading_is_not_blamed_on_the_file_written(tmp_path):
    result = run("hands", "convert", tmp_path / "nosuch", "--to", "acpc", "--out", tmp_path / "x")
    assert result.exit_code == 2
    assert f"{tmp_path / 'nosuch'}: no such file" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_taken_back_if_nothing_came_of_it(tmp_path):
    new = tmp_path / "a" / "b"
    with pytest.raises(KeyError), folder_for(new):
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="x"), folder_for(new):
        raise ValueError((new / "kept").write_text("x") * "x")
    assert (new / "kept").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("hands", "export", "nosuch", "--out", "new"),
        ("solve", "kuhn", "--out", "new", "--resume"),
        ("solve", "kuhn-3p", "--iterations", 5, "--out", "new"),
        ("abstract", "bets", "kuhn", "--out", "new"),
        ("match", "random", "random", "--game", "kuhn", "--out", "new", "--hands", 10**15),
    ],
)
def test_failures_leave_no_traces(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_one_deal_has_no_interval_and_the_document_says_null(command, tmp_path):
    arguments = (command, "random", "always-call", "--game", "kuhn", "--hands", 1, "--matches", 1)
    result = run(*arguments, "--json", "--out", tmp_path / "out")
    for text in (result.stdout, (tmp_path / "out" / "results.json").read_text()):
        document = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
        assert document["tables"][0]["rates"][0]["half_width"] is None

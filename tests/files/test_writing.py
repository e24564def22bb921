"""Files are there whole or not at all, on full disks too, and leftovers of killed processes go."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kibitz.files import (
    clear_partial,
    folder_taking_place,
    reserve,
    save_array,
    save_figure,
    taking_place,
    write_text,
    writing,
)

WRITER = """
import sys, time
from pathlib import Path
from kibitz.files import taking_place
with taking_place(Path(sys.argv[1])) as beside:
    beside.write_text("half")
    print(beside.name, flush=True)
    time.sleep(600)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_takes_its_place_at_the_end(tmp_path):
    path = tmp_path / "a" / "file"
    with taking_place(path) as beside:
        beside.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole"
    with pytest.raises(FileNotFoundError), taking_place(path) as beside:
        beside.unlink()
    assert (names(path.parent), path.read_text()) == (["file"], "whole")


def test_a_folder_takes_its_place_at_the_end(tmp_path):
    path = tmp_path / "a" / "folder"
    for text in ("first", "second"):
        with folder_taking_place(path) as beside:
            (beside / "file").write_text(text)
        assert (path / "file").read_text() == text
    with pytest.raises(ZeroDivisionError), folder_taking_place(path) as beside:
        _ = 1 / 0
    assert (names(path.parent), (path / "file").read_text()) == (["folder"], "second")


def test_a_folder_that_came_meanwhile_is_kept_where_nothing_is_to_be_replaced(tmp_path):
    path = tmp_path / "folder"
    with folder_taking_place(path, replace=False) as beside:
        (beside / "file").write_text("ours")
        path.mkdir()
        (path / "file").write_text("theirs")
    assert (path / "file").read_text() == "theirs"
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_leftovers_of_the_killed_go_and_those_of_the_living_stay(tmp_path):
    path = tmp_path / "table[1].npy"
    strangers = ["other.npy.0123abcd.partial", "table[1].npy.partial", "mine.partial"]
    for name in strangers:
        (tmp_path / name).touch()
    (tmp_path / f"{path.name}.0123abcd.partial").mkdir()
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as living:
        left = living.stdout.readline().strip()
        clear_partial(tmp_path, path.name)
        assert names(tmp_path) == sorted([*strangers, left])
        living.kill()
    with taking_place(path) as beside:
        beside.touch()
    assert names(tmp_path) == sorted([*strangers, path.name])
    clear_partial(tmp_path)
    assert names(tmp_path) == sorted([*strangers[1:], path.name])


@pytest.mark.parametrize("supported", [True, False])
def test_reserved_room_is_there_and_changes_nothing(tmp_path, monkeypatch, supported):
    def unsupported(*_arguments: int) -> None:
        raise OSError(errno.EOPNOTSUPP, "not supported")

    if not supported:
        monkeypatch.setattr(os, "posix_fallocate", unsupported, raising=False)
    path = tmp_path / "table.npy"
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.int64, shape=(400_000,))
    assert path.stat().st_blocks * 512 < table.nbytes
    reserve(path, table.offset + table.nbytes)
    assert path.stat().st_blocks * 512 >= table.nbytes
    table[-1] = 7
    table.flush()
    assert (np.load(path) == [*[0] * 399_999, 7]).all()
    assert path.stat().st_size == table.offset + table.nbytes


LIMITED = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from kibitz.files import reserve, save_array
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
path = Path(sys.argv[1])
path.write_bytes(b"header")
for action in (lambda: reserve(path, 1 << 22), lambda: save_array(path, np.zeros(1 << 20))):
    try:
        action()
    except OSError as error:
        print(error.errno == 27, error.filename == str(path))
"""


def test_no_room_is_an_error_that_names_the_file(tmp_path):
    done = subprocess.run([sys.executable, "-c", LIMITED, str(tmp_path / "x.npy")], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True True\n" * 2, "")


def test_saved_arrays_are_those_of_numpy(tmp_path):
    for number, array in enumerate((np.arange(7.0), np.ones((3, 4), "f2"), np.empty((0, 5)), np.eye(5)[:, 1:3])):
        save_array(tmp_path / "ours.npy", array)
        np.save(tmp_path / "theirs.npy", array)
        assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "theirs.npy").read_bytes(), number


def test_a_file_taken_for_a_leftover_before_it_was_locked_is_begun_again(tmp_path, monkeypatch):
    found = writing.is_still
    answers = iter([False])

    def once_gone(path: Path, opened: int) -> bool:
        if next(answers, True):
            return found(path, opened)
        path.unlink()
        return False

    monkeypatch.setattr(writing, "is_still", once_gone)
    with taking_place(tmp_path / "file") as beside:
        beside.write_text("whole")
    assert names(tmp_path) == ["file"]


def test_texts_are_written_whole_in_utf8(tmp_path):
    path = tmp_path / "made" / "text"
    write_text(path, "A♠\nK♠\n")
    assert path.read_bytes() == "A♠\nK♠\n".encode()
    write_text(path, "")
    assert [each.name for each in path.parent.iterdir()] == ["text"]
    assert path.read_bytes() == b""


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")])
def test_the_ending_of_a_pictures_name_says_its_format(tmp_path, name, start):
    from matplotlib.figure import Figure

    save_figure(tmp_path / name, Figure(figsize=(1, 1)))
    assert (tmp_path / name).read_bytes().startswith(start)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_picture_that_cannot_be_drawn_leaves_the_old_one(tmp_path):
    from matplotlib.figure import Figure

    (tmp_path / "a.png").write_text("before")
    figure = Figure()
    figure.savefig = lambda *_arguments, **_options: (_ for _ in ()).throw(ValueError("no ink"))
    with pytest.raises(ValueError, match="no ink"):
        save_figure(tmp_path / "a.png", figure)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["before"]


def test_errors_name_the_file_that_was_to_be(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError) as told:
        write_text(tmp_path / "folder", "text")
    assert (told.value.filename, told.value.filename2) == (str(tmp_path / "folder"), None)
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]

"""The cache folder: a full disk and one that cannot be written are one sentence, and leftovers do not fill it."""

import errno
import subprocess
import sys

import numpy as np
import pytest

from kibitz.abstraction.features import cache
from kibitz.abstraction.features.cache import make_table
from kibitz.errors import KibitzError
from kibitz.files import writing


def fill(table):
    table[...] = 7


def test_a_full_disk_is_one_sentence_before_anything_is_written(tmp_path, monkeypatch):
    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing.os, "posix_fallocate", full, raising=False)
    with pytest.raises(
        KibitzError,
        match=r"^table.npy needs 7.63 MiB in the cache folder .*: No space left on device; set KIBITZ_CACHE to a "
        r"folder with room$",
    ):
        make_table(tmp_path / "table.npy", (1000, 1000), np.int64, lambda table: pytest.fail("it was written to"))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(KibitzError, match="; set KIBITZ_CACHE to a folder that can be written"):
        make_table(tmp_path / "file" / "table.npy", (3,), np.int64, fill)


def test_leftovers_of_any_table_are_cleared_before_one_is_made(tmp_path):
    (tmp_path / "other.npy.0123abcd.partial").write_bytes(bytes(1000))
    assert make_table(tmp_path / "table.npy", (3,), np.int64, fill).tolist() == [7, 7, 7]
    assert [path.name for path in tmp_path.iterdir()] == ["table.npy"]


PROGRAM = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 24, 1 << 24))
from kibitz.cli import main
main(["train", "blueprint", "quick", "--out", sys.argv[1]])
"""


def test_training_without_room_for_its_tables(tmp_path, monkeypatch):
    """The whole way, in a process that may write files of 16 MiB at most: an error, and no word of a bus."""
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "out")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "Error: strength-5.npy needs 340 MiB in the cache folder" in done.stderr
    assert not list((tmp_path / "cache").rglob("*.partial"))
    assert not (tmp_path / "out").exists()


def test_damaged_tables_are_made_again(tmp_path):
    path = tmp_path / "table.npy"
    make_table(path, (3,), np.int64, fill)
    for content in (b"", b"no array", path.read_bytes()[:-1], path.read_bytes().replace(b"(3,)", b"(3,x")):
        path.write_bytes(content)
        assert cache.read_table(path, (3,), np.int64) is None
        assert make_table(path, (3,), np.int64, fill).tolist() == [7, 7, 7]

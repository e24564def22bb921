"""One process at a time works in a folder, and a killed one locks nobody out."""

import os
import signal
import subprocess
import sys
from multiprocessing import get_context

import pytest

from kibitz.errors import KibitzError
from kibitz.files import locked
from kibitz.files.locking import LOCK

HOLDER = """
import sys, time
from pathlib import Path
from kibitz.files import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that works in the folder."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_the_second_process_is_refused_and_told_who_is_first(tmp_path, holder):
    with pytest.raises(KibitzError, match=rf"is in use by another run \(process {holder.pid}\)"), locked(tmp_path):
        pytest.fail("two at once")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_process_locks_nobody_out(tmp_path, holder, how):
    os.kill(holder.pid, how)
    holder.wait()
    assert (tmp_path / LOCK).exists()
    with locked(tmp_path):
        pass
    assert not list(tmp_path.iterdir())


def test_the_folder_is_made_and_left_as_it_was(tmp_path):
    folder = tmp_path / "a" / "b"
    with locked(folder):
        assert [path.name for path in folder.iterdir()] == [LOCK]
    assert not folder.exists()
    folder.mkdir(parents=True)
    with pytest.raises(ZeroDivisionError), locked(folder):
        _ = 1 / 0
    with locked(folder):
        pass
    assert not list(folder.iterdir())
    with locked(None):
        pass


def hold_and_count(folder, rounds, most):
    """Take the lock again and again; the most that were inside at once."""
    inside = folder / "inside"
    for _ in range(rounds):
        try:
            with locked(folder):
                descriptor = os.open(inside, os.O_CREAT | os.O_EXCL)  # fails if anybody else is inside
                os.close(descriptor)
                inside.unlink()
        except KibitzError:
            continue
        except FileExistsError:
            most.value = 2


def test_locks_that_come_and_go_never_let_two_in(tmp_path):
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    most = context.Value("i", 1)
    workers = [context.Process(target=hold_and_count, args=(tmp_path, 400, most)) for _ in range(3)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert [each.exitcode for each in workers] == [0, 0, 0]
    assert most.value == 1


def test_a_folder_made_for_nothing_goes_again(tmp_path):
    folder = tmp_path / "new" / "deeper"
    with locked(folder):
        assert folder.is_dir()
    assert not (tmp_path / "new").exists()
    with locked(folder):
        (folder / "result").touch()
    assert (folder / "result").exists()
    (tmp_path / "file").touch()
    with pytest.raises(KibitzError, match=r"cannot write .*file/x: Not a directory"), locked(tmp_path / "file" / "x"):
        pass

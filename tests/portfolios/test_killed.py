"""A build that is killed at any moment, as by a machine that goes down, and begun again leaves the same bytes."""

import os
import signal
import subprocess
import sys
import time

import pytest

WORDS = ("always-call", "tight-passive", "always-raise", "--game", "kuhn", "--method", "dbr", "--observe", "5000")


def build(out, **more):
    words = [sys.executable, "-m", "kibitz", "portfolio", "build", *WORDS, "--out", str(out)]
    words += ["--resume"] * (out / "checkpoint.npz").exists()
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)


def everything(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.slow
def test_killed_builds_go_on(tmp_path):
    assert build(tmp_path / "straight").wait() == 0
    out = tmp_path / "killed"
    for sign in (".", "experts/always-call", "experts/tight-passive/mimic", "experts/always-raise"):
        process = build(out, start_new_session=True)
        while not (out / sign).exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.001)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    last = build(out)
    _, told = last.communicate()
    assert last.returncode == 0, told
    assert everything(out) == everything(tmp_path / "straight")

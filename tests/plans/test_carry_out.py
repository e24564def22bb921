"""The driver: refusals, checkpoints, interruptions, resuming to the same bits."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.plans import carry_out, open_artefact
from kibitz.plans.carry_out import Terminated
from plans.walking import Walk, WalkPlan

FILES = {"checkpoint.npz", "curve.jsonl", "end.npy", "manifest.json"}
SLOW = """
import sys, time
sys.path[:0] = [{tests!r}]
from pathlib import Path
from plans.walking import Walk, WalkPlan
from kibitz.plans import carry_out
step = Walk.step
Walk.step = lambda self: (time.sleep(0.01), step(self))[1]
try:
    for _ in carry_out(WalkPlan("here", steps=2000), Path({out!r}), resume={resume}, checkpoint_seconds=0.03):
        print(".", end="", flush=True)
except KeyboardInterrupt as end:
    sys.exit(type(end).__name__)
"""


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder; of a checkpoint, the arrays in it."""
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    with np.load(folder / "checkpoint.npz") as checkpoint:
        found["checkpoint.npz"] = b"".join(checkpoint[name].tobytes() for name in checkpoint.files)
    return found


def slow_walk(out: Path, resume: bool = False) -> subprocess.Popen[str]:
    program = SLOW.format(tests=str(Path(__file__).parents[1]), out=str(out), resume=resume)
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_run_leaves_curve_and_artefact(tmp_path):
    plan = WalkPlan("here", steps=120)
    *reports, last = carry_out(plan, tmp_path / "run")
    assert [report.done for report in reports] == list(range(10, 121, 10))
    assert set(contents(tmp_path / "run")) == FILES
    rows = [json.loads(line) for line in (tmp_path / "run" / "curve.jsonl").read_text().splitlines()]
    assert [row["done"] for row in rows] == [50, 100]
    kept = open_artefact(tmp_path / "run", "walk")
    assert kept.arrays["end"].tolist() == last.artefact.arrays["end"].tolist()
    assert kept.made["plan"] == {"kind": "walk", **plan.describe()}
    assert kept.made["height"] == kept.arrays["end"][0]


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    *_, last = carry_out(WalkPlan("here"))
    assert last.artefact.kind == "walk"
    assert not list(tmp_path.iterdir())


def test_a_run_that_is_left_resumes_to_the_same_bytes(tmp_path):
    plan = WalkPlan("here", steps=200)
    list(carry_out(plan, tmp_path / "straight"))
    for stop in (1, 7, 20):
        out = tmp_path / f"stopped-{stop}"
        reports = carry_out(plan, out)
        for _ in range(stop):
            next(reports)
        reports.close()
        assert "manifest.json" not in os.listdir(out)
        list(carry_out(plan, out, resume=True))
        assert contents(out) == contents(tmp_path / "straight")


def test_a_run_that_is_killed_resumes_to_the_same_bytes(tmp_path):
    list(carry_out(WalkPlan("here", steps=2000), tmp_path / "straight"))
    out = tmp_path / "killed"
    for number, seconds in enumerate((0.1, 0.25, 0.4)):
        walk = slow_walk(out, resume=number > 0)
        assert walk.stdout.read(1) == "."
        time.sleep(seconds)
        walk.kill()
        walk.wait()
        assert (out / "checkpoint.npz").exists()
    list(carry_out(WalkPlan("here", steps=2000), out, resume=True))
    assert contents(out) == contents(tmp_path / "straight")


@pytest.mark.parametrize(("number", "name"), [(signal.SIGINT, "KeyboardInterrupt"), (signal.SIGTERM, "Terminated")])
def test_an_interruption_leaves_a_checkpoint(number, name, tmp_path):
    walk = slow_walk(tmp_path / "run")
    assert walk.stdout.read(3) == "..."
    walk.send_signal(number)
    out, errors = walk.communicate(timeout=20)
    assert errors.strip() == name
    with np.load(tmp_path / "run" / "checkpoint.npz") as checkpoint:
        done = json.loads(str(checkpoint["header"]))["done"]
    assert abs(done - 10 * (3 + len(out))) <= 10
    *_, last = carry_out(WalkPlan("here", steps=2000), tmp_path / "run", resume=True)
    *_, straight = carry_out(WalkPlan("here", steps=2000))
    assert last.artefact.arrays["end"].tolist() == straight.artefact.arrays["end"].tolist()
    assert issubclass(Terminated, KeyboardInterrupt)


def test_a_complete_run_gives_its_artefact_and_goes_on_when_more_is_wanted(tmp_path):
    list(carry_out(WalkPlan("here", steps=100), tmp_path))
    before = contents(tmp_path)
    (only,) = carry_out(WalkPlan("here", steps=100), tmp_path, resume=True)
    assert only.artefact.arrays["end"].tolist() == open_artefact(tmp_path).arrays["end"].tolist()
    assert contents(tmp_path) == before
    *_, more = carry_out(WalkPlan("here", steps=150), tmp_path, resume=True)
    *_, straight = carry_out(WalkPlan("here", steps=150))
    assert more.artefact.arrays["end"].tolist() == straight.artefact.arrays["end"].tolist()


def test_one_killed_before_its_artefact_was_written_only_writes_it(tmp_path):
    list(carry_out(WalkPlan("here"), tmp_path))
    before = contents(tmp_path)
    (tmp_path / "manifest.json").unlink()
    (only,) = carry_out(WalkPlan("here"), tmp_path, resume=True)
    assert only.artefact is not None
    assert contents(tmp_path) == before


def test_folders_are_refused(tmp_path):
    list(carry_out(WalkPlan("here"), tmp_path / "run"))
    with pytest.raises(KibitzError, match="holds a run: continue it, or choose another folder"):
        next(carry_out(WalkPlan("here"), tmp_path / "run"))
    with pytest.raises(KibitzError, match="holds no run to continue"):
        next(carry_out(WalkPlan("here"), tmp_path / "other", resume=True))
    with pytest.raises(KibitzError, match="resuming needs the folder"):
        next(carry_out(WalkPlan("here"), resume=True))
    (tmp_path / "file").write_text("")
    with pytest.raises(KibitzError, match="is not a folder"):
        next(carry_out(WalkPlan("here"), tmp_path / "file"))
    (tmp_path / "run" / "checkpoint.npz").unlink()
    with pytest.raises(KibitzError, match=r"holds curve\.jsonl, which a run would replace"):
        next(carry_out(WalkPlan("here"), tmp_path / "run"))


def test_two_runs_do_not_share_a_folder(tmp_path):
    first = carry_out(WalkPlan("here"), tmp_path)
    next(first)
    with pytest.raises(KibitzError, match="is in use by another run"):
        next(carry_out(WalkPlan("here"), tmp_path))
    first.close()


def test_another_plan_does_not_continue_a_run(tmp_path):
    list(carry_out(WalkPlan("here", steps=50), tmp_path))
    with pytest.raises(KibitzError, match=r"its run has rate = 0\.5, this plan has 0\.25"):
        next(carry_out(WalkPlan("here", steps=90, rate=0.25), tmp_path, resume=True))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:100]), "cannot be read"),
        (lambda path: np.savez(path, header=np.array("{}")), "its header lacks"),
        (lambda path: np.savez(path, header=np.array('{"plan": {}, "done": -1, "curve": []}')), "-1 is done"),
    ],
)
def test_a_damaged_checkpoint_is_refused(damage, message, tmp_path):
    list(carry_out(WalkPlan("here"), tmp_path))
    damage(tmp_path / "checkpoint.npz")
    with pytest.raises(KibitzError, match=message):
        next(carry_out(WalkPlan("here"), tmp_path, resume=True))


def test_an_array_that_is_no_number_is_refused(tmp_path, monkeypatch):
    list(carry_out(WalkPlan("here"), tmp_path))
    with np.load(tmp_path / "checkpoint.npz") as checkpoint:
        header = checkpoint["header"]
    for arrays, message in (
        ({"position": np.full(3, np.nan)}, "not numbers"),
        ({"position": np.zeros(4)}, "another size"),
        ({}, "'position' is missing"),
    ):
        np.savez(tmp_path / "checkpoint.npz", header=header, **arrays)
        with pytest.raises(KibitzError, match=message):
            next(carry_out(WalkPlan("here"), tmp_path, resume=True))


def test_a_second_interrupt_does_not_wait(tmp_path, monkeypatch):
    def pressed_twice(self):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("not reached")

    monkeypatch.setattr(Walk, "step", pressed_twice)
    with pytest.raises(KeyboardInterrupt):
        next(carry_out(WalkPlan("here"), tmp_path / "run"))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_checkpoints_take_a_twentieth_of_the_time_at_most(tmp_path, monkeypatch):
    clock, saved = [0.0], []

    def save(_path, _identity, run, _curve):
        clock[0] += 1.0
        saved.append(run.done)

    step = Walk.step
    driver = sys.modules["kibitz.plans.carry_out"]  # the package has the function under that name
    monkeypatch.setattr(driver, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(driver, "save_checkpoint", save)
    monkeypatch.setattr(Walk, "step", lambda self: (clock.__setitem__(0, clock[0] + 1), step(self))[1])
    list(carry_out(WalkPlan("here", steps=600), tmp_path, checkpoint_seconds=3))
    assert saved == [30, 230, 430, 600]

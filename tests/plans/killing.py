"""Kill runs at random moments, resume them, and compare what they leave with runs that nobody has disturbed.

    python -m plans.killing FOLDER SEED KILLS PLAN...      plans as `kibitz PLAN` has them

Every life of the run is a fork of this process, which has computed nothing, and imports what the first life has needed.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from kibitz.plans import Plan, carry_out, kind_of, open_artefact, read_manifest
from kibitz.plans.checkpoints import Place
from kibitz.plans.words import plan_from_words
from kibitz.training.presets import PRESETS, Blueprint, Preset

UNTIMED = ("seconds", "run", "fixed", "version", "unit")


def live(plan: Plan, out: Path, seconds: float | None = None) -> float:
    """Begin or resume the run, and kill it after that long; how long it lived, negative if it came to its end."""
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            resume = Place(out, plan.leaves == "file").checkpoint.exists()
            for _ in carry_out(plan, out, resume=resume, checkpoint_seconds=0):
                pass
            if seconds is None:
                out.with_name("imported").write_text("\n".join(sys.modules))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    _pid, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        sys.exit(1)
    lived = time.monotonic() - begun
    return lived if os.WIFSIGNALED(status) else -lived


def import_the_same(names: list[str]) -> None:
    """Import these modules: what takes long is the work then, and kills are in the midst of it."""
    for name in names:
        with suppress(ImportError):
            import_module(name)


def contents(place: Path) -> dict[str, object]:
    """The arrays and figures of an artefact and of all its parts."""
    found = open_artefact(place)
    told: dict[str, object] = {name: (array.dtype.str, array.tobytes()) for name, array in found.arrays.items()}
    told |= {f"about {name}": repr(value) for name, value in found.about.items()}
    told |= {f"made {name}": value for name, value in found.made.items() if isinstance(value, int | float | str)}
    told |= {f"file {name}": kept for name, kept in read_manifest(place)["files"].items() if name.endswith(".json")}
    for part in found.parts:
        told |= {f"{part}/{name}": value for name, value in contents(place / part).items()}
    return {name: value for name, value in told.items() if name.rpartition(" ")[2] not in UNTIMED}


def differing(plan: Plan, folder: Path, dice: random.Random, kills: int) -> list[str]:
    """What is not the same after so many kills; prints how many of them found it alive."""
    folder.mkdir()
    live(plan, folder / "straight")
    import_the_same((folder / "imported").read_text().split())
    whole = -live(plan, folder / "again")  # everything is compiled and cached by now
    died = 0
    for _ in range(kills):
        if (lived := live(plan, folder / "killed", dice.uniform(0, whole / 3))) < 0:
            break
        died += lived > 0
    if plan.resumes or not kind_of(folder / "killed"):
        live(plan, folder / "killed")
    one, two = contents(folder / "straight"), contents(folder / "killed")
    found = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
    print(f"{plan.kind}: {whole:.2f} s, killed {died} times: {len(one)} things, different: {found}", flush=True)
    return found


def main(folder: Path, seed: int, kills: int, commands: list[str]) -> None:
    """One plan after the other; the exit status says whether anything differs."""
    import numba  # noqa: F401

    blueprint = Blueprint("holdem-nolimit-2p", "fcpa", "one-bucket", 10, "linear", 40)
    PRESETS["tiny"] = Preset("seconds: no cards at all", {"nolimit": blueprint})
    dice = random.Random(seed)
    plans = [plan_from_words(command.split()) for command in commands]
    found = [differing(plan, folder / plan.kind.replace(" ", "-"), dice, kills) for plan in plans]
    sys.exit(any(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])

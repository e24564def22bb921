"""Where a run keeps what it is and makes: in a folder of its own, or in one file with its checkpoint beside it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from kibitz.errors import KibitzError
from kibitz.files import locked
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.plans.manifests import MANIFEST
from kibitz.plans.plan import Plan

CURVE = "curve.jsonl"


class Place(NamedTuple):
    """What a plan leaves at `out`; see `Plan.leaves`."""

    out: Path
    is_file: bool = False

    @property
    def checkpoint(self) -> Path:
        """Where the memory of the run is."""
        return self.out.with_name(f"{self.out.name}.checkpoint") if self.is_file else self.out / CHECKPOINT

    @property
    def curve(self) -> Path | None:
        """Where the curve is; that of a file stays in the checkpoint."""
        return None if self.is_file else self.out / CURVE

    def locked(self) -> AbstractContextManager[None]:
        """Be the only process that works there."""
        return locked(self.out.parent, self.out.name) if self.is_file else locked(self.out)

    def check(self, resume: bool) -> None:
        """Refuse to begin where a run or an artefact lies, and to continue where there is no run."""
        what, out = ("file" if self.is_file else "folder"), self.out
        if out.exists() and self.is_file == out.is_dir():
            raise KibitzError(f"{out} is not a {what}: choose another", settings=("out",))
        begun = self.checkpoint.exists()
        if resume and not begun:
            raise KibitzError(
                f"{out} holds no run to continue: start one, or name another {what}", settings=("resume", "out")
            )
        if resume:
            return
        if begun:
            raise KibitzError(f"{out} holds a run: continue it, or choose another {what}", settings=("resume", "out"))
        for path in (out,) if self.is_file else (out / CURVE, out / MANIFEST):
            if path.exists():
                found = "exists" if self.is_file else f"holds {path.name}"
                raise KibitzError(f"{out} {found}, which a run would replace: choose another {what}", settings=("out",))


def check_folder(out: Path | None, resume: bool, plan: Plan | type[Plan] = Plan) -> None:
    """Refuse to begin or to continue `plan` at `out` where that would destroy something, or cannot be."""
    if out is not None:
        Place(out, plan.leaves == "file").check(resume)
    elif resume:
        raise KibitzError("resuming needs the folder of the run", settings=("out",))

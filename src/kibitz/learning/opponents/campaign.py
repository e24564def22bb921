"""A whole run of fitting in a folder: epochs, checkpoints, and in the end the agent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from kibitz.files import locked, write_text
from kibitz.learning.campaign import (
    CHECKPOINT,
    CURVE,
    check_folder,
    load_checkpoint,
    read_curve,
    save_checkpoint,
)
from kibitz.learning.opponents.fitting import FitProgress, OpponentFit
from kibitz.learning.training import SelfPlay


def run_fit(fit: OpponentFit, out: Path | None = None, resume: bool = False) -> Iterator[FitProgress]:
    """Fit until it is finished, yielding a report after every epoch, of which a checkpoint is kept.

    With `out` the folder gets checkpoint, curve and in the end the agent. What was interrupted goes on from the last
    checkpoint to the same bits.
    """
    trainer = cast(SelfPlay, fit)  # it has all that a checkpoint asks of one
    check_folder(out, resume)
    with locked(out):
        check_folder(out, resume)
        curve = []
        if out is not None and resume:
            load_checkpoint(out / CHECKPOINT, trainer)
            curve = read_curve(out / CURVE, fit.deals)
        while not fit.finished:
            progress = fit.train_epoch()
            curve.append(progress.describe())
            if out is not None:
                save_checkpoint(out / CHECKPOINT, trainer)
                write_text(out / CURVE, "".join(f"{json.dumps(row)}\n" for row in curve))
            yield progress
        if out is not None:
            fit.save(out)

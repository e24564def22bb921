"""Responses on disk: a checkpoint for each seat, resumed to the bit, and an agent's folder in the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import fingerprint
from kibitz.progress import Progress, silent
from kibitz.responses.multiplayer.respond import Response, Restricted, Sampling, finish, iterated, seat_solvers
from kibitz.responses.robust.runs import CHECKPOINT_SECONDS, STRATEGY
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint
from kibitz.solvers.sampled.restricted import RestrictedSampling
from kibitz.strategy import Strategy, save_strategy

CHECKPOINT = "checkpoint-{}.npz"


@dataclass(eq=False)
class Campaign:
    """The response of one restricted game, seat by seat; with a folder it goes on from the checkpoints there."""

    game: Restricted
    sampling: Sampling
    out: Path | None = None
    progress: Progress = silent

    def check_begun(self) -> None:
        """Refuse a folder without a run to continue."""
        assert self.out is not None
        if not (self.out / CHECKPOINT.format(0)).exists():
            raise KibitzError(f"{self.out} holds no run to continue: begin one", settings=("resume", "out"))

    def solve(self) -> Response:
        """The response, from its last checkpoints where there are any."""
        return finish(self.game, self.sampling, self._solvers())

    def save(self, response: Response, source: dict[str, Any]) -> None:
        """Leave an agent's folder; source = what it responds to."""
        assert self.out is not None
        problem, strategy = self.game.problem, response.strategy
        figures = {name: getattr(response, name).to_dict() for name in ("objective", "exploitation")}
        manifest = {**source, **strategy.manifest, **figures, **problem.describe_cards()}
        if response.imputation is not None:
            manifest["imputation"] = response.imputation.to_dict()
        dtype = str(strategy.values.dtype)
        save_strategy(Strategy(strategy.layout, strategy.values, manifest), self.out / STRATEGY, dtype)

    def discard(self) -> None:
        """Take away the checkpoints of a run that has come to its end."""
        assert self.out is not None
        for seat in range(self.game.problem.game.players):
            (self.out / CHECKPOINT.format(seat)).unlink(missing_ok=True)

    def _solvers(self) -> Iterator[RestrictedSampling]:
        described = self._describe() if self.out is not None else {}
        for solver in seat_solvers(self.game, self.sampling):
            path = self.out / CHECKPOINT.format(solver.responder) if self.out is not None else None
            if path is not None and path.exists():
                load_checkpoint(path, solver, described)
            yield self._iterate(solver, path, described)

    def _iterate(self, solver: RestrictedSampling, path: Path | None, described: dict[str, Any]) -> RestrictedSampling:
        saved, begun = perf_counter(), solver.iteration

        def pause() -> None:
            nonlocal saved
            self.progress(f"seat {solver.responder}", solver.iteration, self.sampling.iterations)
            if path is not None and perf_counter() - saved > CHECKPOINT_SECONDS:
                save_checkpoint(path, solver, described)
                saved = perf_counter()

        iterated(solver, self.sampling.iterations, pause)
        if path is not None and solver.iteration > begun:
            save_checkpoint(path, solver, described)
        self.progress(f"seat {solver.responder}, sampled hands", 0, 1)
        return solver

    def _describe(self) -> dict[str, Any]:
        """What the response is to, in which game, and of which kind."""
        opponent, problem = self.game.opponent, self.game.problem
        known = [opponent.strategy.values, *([opponent.model.counts] if opponent.model else [])]
        text = json.dumps([problem.describe(), self.game.home.describe_cards()], sort_keys=True)
        return {"responses": fingerprint(text, *(np.asarray(each) for each in known)), **self.game.method.describe()}

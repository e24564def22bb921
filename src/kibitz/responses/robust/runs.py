"""Responses on disk: runs that are checkpointed, resumed to the bit, and leave an agent's folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import fingerprint, load_arrays, parse_json, write_text
from kibitz.progress import Progress, silent
from kibitz.responses.robust.fronts import Point, tune
from kibitz.responses.robust.methods import Method, Solving
from kibitz.responses.robust.respond import Response, Run
from kibitz.responses.robust.roles import Roles
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy, save_strategy

CHECKPOINT_SECONDS = 10.0  # between checkpoints, at least
CHECKPOINT, POINTS, PLOT, STRATEGY, MIMIC = "checkpoint.npz", "points.jsonl", "front.png", "strategy", "mimic"


@dataclass(eq=False)
class Campaign:
    """Responses to one opponent, one after another; with a folder, what was solved there before is not solved again.

    points   what was measured, by the description of the method and of how it was solved
    """

    problem: Problem
    roles: Roles
    opponent: Opponent
    solving: Solving
    out: Path | None = None
    progress: Progress = silent
    points: dict[str, Point] = field(default_factory=dict)

    def resume(self) -> None:
        """Go on with what lies in `out`."""
        assert self.out is not None
        if not ((self.out / CHECKPOINT).exists() or (self.out / POINTS).exists()):
            raise KibitzError(f"{self.out} holds no run to continue: begin one", settings=("resume", "out"))
        if not (self.out / POINTS).exists():
            return
        try:
            lines = [parse_json(line) for line in (self.out / POINTS).read_text().splitlines()]
            told = {line["method"]: (line["of"], Point(*line["point"])) for line in lines}
        except (ValueError, KeyError, TypeError) as error:
            raise KibitzError(f"{self.out / POINTS} is no list of responses: {error}") from None
        for method, (of, point) in told.items():
            if of != self.identity():
                raise self._another()
            self.points[method] = point

    def discard(self) -> None:
        """Take away what a run has left that came to nothing."""
        if self.out is not None:
            for name in (CHECKPOINT, POINTS):
                (self.out / name).unlink(missing_ok=True)

    def identity(self) -> str:
        """What the responses are to, and in which game."""
        known = [self.opponent.strategy.values, *([self.opponent.model.counts] if self.opponent.model else [])]
        described = {**self.problem.describe(), **self.roles.describe()}
        return fingerprint(json.dumps(described, sort_keys=True), *(np.array(each, dtype=np.float64) for each in known))

    def tune(self, method: Method, target: float) -> tuple[list[Point], Response]:
        """The response that is exploitable for `target` chips per hand at most, and all figures on the way to it.

        See `fronts.tune`: the last response within the target is the wanted one, so it is kept, and not solved again.
        """
        kept: dict[float, Response] = {}

        def keep(found: Response) -> None:
            if found.exploitability <= target:
                kept.clear()
                kept[found.method.amount] = found

        points = list(tune(method, lambda each: self.point(each, keep), target))
        wanted = points[-1].amount
        return points, kept.get(wanted) or self.solve(replace(method, amount=wanted), replacing=True)

    def point(self, method: Method, keep: Callable[[Response], None] = lambda found: None) -> Point:
        """The figures of a response, solved unless they are known; `keep` is given what was solved."""
        key = json.dumps({**method.describe(), **self.solving.describe()})
        if key not in self.points:
            found = self.solve(method, replacing=True)
            keep(found)
            figures = (found.objective, found.exploitation, found.exploitability, found.gap)
            imputed = found.imputation.imputed_hands if found.imputation is not None else 0.0
            self.points[key] = Point(method.amount, *figures, imputed)
            self._write_points()
        return self.points[key]

    def solve(self, method: Method, *, replacing: bool = False) -> Response:
        """The response, from its last checkpoint where there is one of it.

        replacing   whether a checkpoint of another response to the same opponent is replaced; otherwise it is an error
        """
        run = Run(self.roles, self.opponent, method, self.solving)
        path, described = None, {"responses": self.identity()}
        if self.out is not None and not run.is_exact:
            path = self.out / CHECKPOINT
            if path.exists() and (self._is_of(path, run, described) or not replacing):
                load_checkpoint(path, run.solver, described)
        saved = perf_counter()

        def pause() -> None:
            nonlocal saved
            self.progress(self._stage(method), run.solver.iteration, self.solving.iterations)
            if path is not None and perf_counter() - saved > CHECKPOINT_SECONDS:
                save_checkpoint(path, run.solver, described)
                saved = perf_counter()

        for _ in run.iterate(pause):
            pass
        if path is not None:
            save_checkpoint(path, run.solver, described)
        return run.response()

    def save(self, response: Response, source: dict[str, Any]) -> None:
        """Leave an agent's folder: the strategy, and the mimic where there is one; source = what it responds to."""
        assert self.out is not None
        manifest = {**source, **response.strategy.manifest, **self.problem.describe_cards()}
        if response.imputation is not None:
            manifest["imputation"] = response.imputation.to_dict()
        save_strategy(Strategy(self.roles.played, response.strategy.values, manifest), self.out / STRATEGY)
        if response.mimic is not None:
            cards = {**self.roles.home_problem().describe_cards(), **response.mimic.manifest}
            save_strategy(Strategy(response.mimic.layout, response.mimic.values, cards), self.out / MIMIC)

    def _is_of(self, path: Path, run: Run, described: dict[str, Any]) -> bool:
        """Whether a checkpoint is of this response, not of another one to the same opponent."""
        try:
            header = parse_json(str(load_arrays(path)["header"]))
        except (OSError, ValueError, KeyError):
            return True  # it will be refused with a reason
        if header.get("problem") != described:
            raise self._another()
        return bool(header.get("solver") == json.loads(json.dumps(run.solver.parameters())))

    def _another(self) -> KibitzError:
        return KibitzError(f"{self.out} holds responses to another opponent, or in another game")

    def _stage(self, method: Method) -> str:
        return f"{method.name} {method.amount:g}"

    def _write_points(self) -> None:
        if self.out is not None:
            of = self.identity()
            lines = [json.dumps({"of": of, "method": key, "point": list(each)}) for key, each in self.points.items()]
            write_text(self.out / POINTS, "".join(line + "\n" for line in lines))

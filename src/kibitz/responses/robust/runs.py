"""Responses as runs: one of them, and one after another, for a front or until one is exploitable as wanted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.files import parse_json, picture
from kibitz.games.stakes import Stake
from kibitz.plans import Artefact, Report, Row
from kibitz.responses.robust.fronts import Point, UnreachableError, draw_front, front, tune
from kibitz.responses.robust.methods import METHODS, Method, Solving
from kibitz.responses.robust.respond import Response, Run
from kibitz.responses.robust.roles import Roles
from kibitz.responses.robust.seats import Opponent
from kibitz.strategy import Strategy, save_strategy
from kibitz.strategy.files import describe_game, strategy_artefact

MIMIC, PLOT = "mimic", "front.png"


class ResponseRun:
    """The response by one method; `folder` gets the mimic, where there is one."""

    def __init__(self, response: Run, folder: Path | None = None) -> None:
        self.response, self.folder = response, folder

    @property
    def done(self) -> int:
        """Iterations; 0 of what is found at once."""
        return self.response.solver.iteration

    def step(self) -> Report | None:
        """About half a second of iterations."""
        if self.response.is_over:
            return None
        self.response.advance()
        return Report(self.done, self.response.solving.iterations, stage_of(self.response.method))

    def arrays(self) -> Mapping[str, Any]:
        return self.response.arrays()

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.response.restore(done, arrays)

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """The strategy, with what it wins and risks in chips per hand."""
        return response_artefact(self.response.response(), self.response.roles, self.folder)


def response_artefact(response: Response, roles: Roles, folder: Path | None) -> Artefact:
    """What is kept of a response; its mimic becomes a part of `folder`."""
    manifest: dict[str, Any] = {**response.strategy.manifest, "objective": _known(response.objective)}
    manifest |= {"gap": _known(response.gap), **roles.problem.describe_cards()}
    if response.imputation is not None:
        manifest["imputation"] = response.imputation.to_dict()
    artefact = strategy_artefact(Strategy(roles.played, response.strategy.values, manifest))
    if response.mimic is None or folder is None:
        return artefact
    cards = {**roles.home_problem().describe_cards(), **response.mimic.manifest}
    save_strategy(Strategy(response.mimic.layout, response.mimic.values, cards), folder / MIMIC)
    return replace(artefact, parts=(MIMIC,))


class FrontRun:
    """Responses to one opponent by one kind of method, one after another.

    target   exploitability in chips per hand: the response that comes nearest to it from below is kept; None for a
             front, whose points are kept
    is_limit  the target is a limit: where all of the model may be believed, all of it is
    points   what was measured, by the amount of the method
    """

    def __init__(
        self,
        how: tuple[Roles, Opponent, Solving],
        method: Method,
        target: float | None,
        folder: Path | None = None,
        is_limit: bool = False,
    ) -> None:
        self.roles, self.opponent, self.solving = how
        self.method, self.target, self.folder, self.is_limit = method, target, folder, is_limit
        self.points: dict[float, Point] = {}
        self._iterations: dict[float, int] = {}  # of the points
        self._kept: Response | None = None
        self._run: Run | None = None
        self._begin_next()

    @property
    def done(self) -> int:
        """Iterations; a response that is found at once counts as one."""
        now = self._run.solver.iteration if self._run is not None and not self._is_measured else 0
        return sum(max(1, each) for each in self._iterations.values()) + now

    @property
    def _is_measured(self) -> bool:
        """Whether what was iterated last is a point already."""
        return self._run is not None and self._run.method.amount in self.points

    def step(self) -> Report | None:
        """A piece of a response, and what it is worth when it is there."""
        if (self._is_measured or self._run is None) and not self._begin_next():
            return None
        run = self._run
        assert run is not None
        if not run.is_over:
            run.advance()
        report = Report(run.solver.iteration, self.solving.iterations, stage_of(run.method))
        return report._replace(row=self._measure(run)) if run.is_over else report

    def _measure(self, run: Run) -> Row:
        found, amount = run.response(), run.method.amount
        if self.target is not None and found.exploitability <= self.target:
            self._kept = found
        imputed = found.imputation.imputed_hands if found.imputation is not None else 0.0
        point = Point(amount, found.objective, found.exploitation, found.exploitability, found.gap, imputed)
        self.points[amount], self._iterations[amount] = point, run.solver.iteration
        told = {name: _known(value) for name, value in point._asdict().items() if name != "amount"}
        return {METHODS[run.method.name].lower(): amount, **told}

    def _begin_next(self) -> bool:
        """Whether there was something left to solve; it is begun."""
        try:
            self._order()
        except _UnknownError as unknown:
            self._run = None  # its memory is free before the next takes as much
            self._run = Run(self.roles, self.opponent, unknown.method, self.solving)
            return True
        return False

    def _order(self) -> list[Point]:
        """The points as they were wanted, the last one last."""

        def known(method: Method) -> Point:
            if method.amount not in self.points:
                raise _UnknownError(method)
            return self.points[method.amount]

        if self.target is None:
            return list(front(self.method, known))
        try:
            return list(tune(self.method, known, self.target))
        except UnreachableError as error:
            if self.is_limit and self.points[1.0].exploitability <= self.target:
                return [self.points[1.0]]
            raise error.counted_in(Stake.of(self.roles.problem.game)) from None

    def arrays(self) -> Mapping[str, Any]:
        rows = [[*map(_known, point), self._iterations[amount]] for amount, point in self.points.items()]
        written = np.frombuffer(json.dumps(rows).encode() if rows else b"", dtype=np.uint8)
        begun = np.array([0 if self._run is None or self._is_measured else self._run.solver.iteration])
        return {**(self._run.arrays() if self._run is not None else {}), "points": written, "begun": begun}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        for *figures, iterations in parse_json(arrays["points"].tobytes()) if arrays["points"].size else ():
            point = Point(*(nan if each is None else each for each in figures))
            self.points[point.amount], self._iterations[point.amount] = point, iterations
        begun = int(arrays["begun"][0])
        if begun and self._begin_next():
            assert self._run is not None
            self._run.restore(begun, arrays)

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """The points and their picture, or the response that was found."""
        if self.target is None:
            return self._front(self._order())
        return response_artefact(self.response(), self.roles, self.folder)

    def response(self) -> Response:
        """The response that was found, solved again if it was so before a break."""
        points, self._run = self._order(), None
        method = replace(self.method, amount=points[-1].amount)
        if self._kept is None or self._kept.method != method:
            again = Run(self.roles, self.opponent, method, self.solving)
            while not again.is_over:
                again.advance()
            self._kept = again.response()
        return self._kept

    def _front(self, points: list[Point]) -> Artefact:
        stake = Stake.of(self.roles.problem.game)
        about = {**describe_game(self.roles.problem.tree), "columns": Point._fields, "unit": "chips/hand"}
        made = {"method": self.method.name, **self.roles.describe(), **self.roles.problem.describe_cards()}
        files = {PLOT: picture(lambda: draw_front(points, self.method, stake.milli_per_chip, stake.unit))}
        return Artefact("front", about, made, {"points": np.array(points)}, files, content=points)


class _UnknownError(Exception):
    """A response that has to be solved first."""

    def __init__(self, method: Method) -> None:
        super().__init__(method)
        self.method = method


def stage_of(method: Method) -> str:
    """What is being solved, in words."""
    return f"{method.name} {method.amount:g}"


def _known(figure: float) -> float | None:
    """As JSON says it: None for what is not known."""
    return None if isnan(figure) else figure

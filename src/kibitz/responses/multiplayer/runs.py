"""A response by sampling as a run: one seat after another is solved, then measured in sampled hands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import inf, isfinite
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.files import parse_json
from kibitz.games.stakes import Stake
from kibitz.plans import Artefact, Report, Row, rows_of
from kibitz.random import derive_seed
from kibitz.responses.imputation import Imputation, of_hands
from kibitz.responses.multiplayer.respond import Response, Restricted, Sampling, SeatValue, restrict
from kibitz.responses.robust.methods import Method
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.problem import Problem
from kibitz.solvers.restricted import owner_mask
from kibitz.solvers.sampled.restricted import RestrictedSampling
from kibitz.statistics import Estimate, Moments
from kibitz.strategy import FrequentistModel, Strategy
from kibitz.strategy.files import strategy_artefact

PIECE_SECONDS = 0.5  # of iterations in a step, about


def respond(
    problem: Problem,
    opponent: Strategy | FrequentistModel | Opponent,
    method: Method,
    sampling: Sampling | None = None,
    home: Problem | None = None,
) -> Response:
    """The response of that kind to an opponent who sits in all other seats.

    home   where the opponent has other cards than the response: the same game with these
    """
    run = SampledRun(restrict(problem, opponent, method, home), sampling or Sampling())
    list(rows_of(run))
    return run.response()


class SampledRun:
    """The response of one restricted game. One seat at a time takes memory; of those before it the strategy is left.

    values : floats[layout.size], the strategies of the seats that are done
    seats  what these win
    """

    def __init__(self, game: Restricted, sampling: Sampling) -> None:
        self.game, self.sampling = game, sampling
        self._holding, self._layout = game.holding(), game.problem.sampled.layout
        dtype = np.float64 if sampling.storage == "double" else np.float32
        self.values: npt.NDArray[Any] = np.zeros(self._layout.size, dtype)
        self.seats: list[SeatValue] = []
        self._solver: RestrictedSampling | None = None
        self._begin(0)

    def _begin(self, seat: int) -> RestrictedSampling:
        sampling, self._solver = self.sampling, None  # its memory is free before the next takes as much
        self._solver = RestrictedSampling(
            self.game.problem.sampled, self._holding, seat, sampling.seed, sampling.threads, sampling.storage
        )
        self._piece, self._seconds, self._begun = 1, 0.0, 0
        return self._solver

    @property
    def solver(self) -> RestrictedSampling:
        """That of the seat in hand, or of the last."""
        assert self._solver is not None
        return self._solver

    @property
    def done(self) -> int:
        """Iterations of all seats, and one for the measure of each."""
        now = self.solver.iteration if self.solver.responder == len(self.seats) else 0
        return len(self.seats) * (self.sampling.iterations + 1) + now

    @property
    def goal(self) -> int:
        """What `done` is in the end."""
        return self.game.problem.game.players * (self.sampling.iterations + 1)

    def step(self) -> Report | None:
        """About half a second of iterations, or the measure of a seat."""
        if self.done == self.goal:
            return None
        seat = len(self.seats)
        solver = self.solver if self.solver.responder == seat else self._begin(seat)
        if solver.iteration == self.sampling.iterations:
            self._measure(solver)
            return Report(self.done, self.goal, f"seat {seat}")
        start = perf_counter()
        solver.step(min(self._piece, self.sampling.iterations - solver.iteration))
        self._seconds += perf_counter() - start
        rate = (solver.iteration - self._begun) / max(self._seconds, 1e-9)
        self._piece = max(1, min(2 * self._piece, int(PIECE_SECONDS * rate)))
        is_solved = solver.iteration == self.sampling.iterations
        return Report(self.done, self.goal, f"seat {seat}{', sampled hands' * is_solved}")

    def _measure(self, solver: RestrictedSampling) -> None:
        """Keep the strategy of the seat, and what it wins in hands that no iteration was dealt."""
        sampling, current = self.sampling, self.sampling.profile == "current"
        found = solver.current_strategy() if current else solver.average_strategy()
        np.copyto(self.values, found.values, where=owner_mask(self._layout, solver.responder))
        del found
        stake, seed = Stake.of(self.game.problem.game), derive_seed(sampling.seed, 1 + solver.responder)
        free = solver.play(sampling.hands, seed, current=current).won
        held = solver.play(sampling.hands, seed, modelled=True, current=current)
        scale = (stake.milli_per_chip, stake.unit)
        objective, exploitation = (Moments.of(won).estimate(*scale, few=True) for won in (free, held.won))
        imputation = of_hands(*held, *scale) if len(held.decided) else None
        self.seats.append(SeatValue(objective, exploitation, imputation))

    def arrays(self) -> Mapping[str, Any]:
        seats = json.dumps([*map(_written, self.seats)]) if self.seats else ""
        return {**self.solver.arrays(), "values": self.values, "seats": np.frombuffer(seats.encode(), dtype=np.uint8)}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.seats = [_read(each) for each in parse_json(arrays["seats"].tobytes())] if arrays["seats"].size else []
        self.values = arrays["values"]
        begun = done - len(self.seats) * (self.sampling.iterations + 1)
        if begun:
            self._begin(len(self.seats)).restore(begun, dict(arrays))
            self._begun = begun

    def response(self) -> Response:
        """The response, when all seats are done."""
        made = {**self.solver.parameters(), "iterations": self.sampling.iterations}
        del made["responder"]
        manifest = {**made, "profile": self.sampling.profile, **self.game.method.describe()}
        return Response(self.game.method, Strategy(self._layout, self.values, manifest), tuple(self.seats))

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """The strategy, with what it and each of its seats wins in thousandths of the stake."""
        found, problem, home = self.response(), self.game.problem, self.game.home
        figures = {name: getattr(found, name).to_dict() for name in ("objective", "exploitation")}
        manifest = {**found.strategy.manifest, **figures, **problem.describe_cards()}
        if problem.cards:
            manifest |= {"ours": problem.cards_name, "model": home.cards_name}
        if found.imputation is not None:
            manifest["imputation"] = found.imputation.to_dict()
        told = [
            {name: each.to_dict() for name, each in seat._asdict().items() if each is not None} for seat in found.seats
        ]
        return strategy_artefact(Strategy(self._layout, found.strategy.values, {**manifest, "seats": told}))


def _written(seat: SeatValue) -> dict[str, Any]:
    """What a seat wins, as JSON can say it; None for an interval without an end."""
    found, imputed = [seat.objective, seat.exploitation], seat.imputation
    found += [imputed.hands, imputed.observed, imputed.imputed] if imputed is not None else []
    rows = [
        [each.mean, each.half_width if isfinite(each.half_width) else None, each.samples, each.unit] for each in found
    ]
    return {"estimates": rows, "decided": imputed.decided.tolist() if imputed is not None else []}


def _read(told: Mapping[str, Any]) -> SeatValue:
    objective, exploitation, *parts = (
        Estimate(mean, inf if half_width is None else half_width, samples, unit)
        for mean, half_width, samples, unit in told["estimates"]
    )
    return SeatValue(objective, exploitation, Imputation(np.array(told["decided"]), *parts) if parts else None)

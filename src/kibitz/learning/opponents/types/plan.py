"""Fitting types of recorded players as a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from kibitz.learning.opponents.measures import MARGINAL
from kibitz.learning.opponents.plan import FitRun, OpponentPlan, described
from kibitz.learning.opponents.types.fitting import TypeFit, TypeFitting
from kibitz.learning.player_types import DEFAULT, TypedModel, typed_artefact
from kibitz.plans import Artefact, Means, setting


@dataclass(frozen=True)
class TypesPlan(OpponentPlan):
    """Fit a model with player types to the matches in LOGS, and save it in --out.

    A match is a file. Every player has one type for a match. It is drawn from what a joint filter of cards and types
    believes after the last deal, and learned from as if it had been seen; so are hidden cards (stochastic EM in two
    passes). `filtered` predicts a deal from the deals before it; `smoothed` knows the whole match. LOGS, hold-out and
    broken hands are as for `kibitz learn opponent`, whose model is a good one to begin with.
    """

    kind: ClassVar[str] = "learn types"

    epochs: int = setting(
        20, "Largest number of epochs; fewer if the fit to the hold-out stops improving", at_least=1, at_most=10**6,
        free=True,
    )  # fmt: skip
    start: Path | None = setting(
        None, "Opponent model or agent from self-play to begin with", option="from", input="artefact",
        unsaid="random weights",
    )  # fmt: skip
    types: int = setting(DEFAULT, "Number of player types", at_least=2, at_most=16)
    own_rate: float = setting(
        TypeFitting.own_rate, "Learning rate of the weights of types, divided by each type's share", at_least=0
    )

    def make_fit(self) -> TypeFit:
        fitting = replace(self.fitting(TypeFitting()), own_rate=self.own_rate)
        base = self.begun or self.first_model(fitting)
        start = TypedModel.random(base, self.types, self.seed, fitting.spread)
        return TypeFit(start, self.records[0], fitting, self.seed)

    def run_of(self, means: Means) -> TypesRun:
        return TypesRun(self.make_fit(), self.others(), means.tell)


class TypesRun(FitRun):
    """The same of a fit of types."""

    fit: TypeFit

    def kept(self) -> Artefact:
        return typed_artefact(self.fit.typed)

    def measured(self) -> dict[str, Any]:
        others = self.measure_all(self.others)
        self.tell("measuring the fit of types", len(others), len(others) + 1)
        found, model = self.fit.measure_typed(self.fit.typed), self.fit.typed
        fits = described({**others, "filtered": found.filtered, "smoothed": found.smoothed})
        shares = model.weights.initial[: model.count].tolist()
        told = {"types": shares, "entropy": found.describe()["entropy"]}
        return fits | told | {"nats per decision": found.filtered.mean(MARGINAL).mean}

"""Fitting the mean strategy of recorded players as a plan; player types are fitted likewise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np

from kibitz.amounts import counted
from kibitz.files import plain
from kibitz.games import load_game
from kibitz.learning.fields import card_rate_field, rate_field, seed_field
from kibitz.learning.files import load_model, model_artefact
from kibitz.learning.histories import SHOWN, Hands, hide_folded, read_hands
from kibitz.learning.model import Model, Structure
from kibitz.learning.opponents.fitting import RATES, Fitting, OpponentFit, records_sum
from kibitz.learning.opponents.measures import MARGINAL, UNIFORM, Fit
from kibitz.learning.runs import Arrays
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, setting
from kibitz.progress import Progress, silent

FIRST_BROKEN = 5  # of those that are named
AnyFitting = TypeVar("AnyFitting", bound=Fitting)


@dataclass(frozen=True)
class OpponentPlan(Plan):
    """Fit a model to the players of LOGS, most of whose cards were never seen, and save it in --out as an agent.

    LOGS are ACPC logs, PHH or PokerStars files, compressed files, tar archives or folders, of limit hold'em for 2 to 10
    players. Hidden cards are drawn from what the model makes of the betting, anew at every visit to a deal (stochastic
    EM). A share of the matches is held out; the epoch that fits them best is kept. A broken hand is an error unless
    --skip-bad is given.
    """

    kind: ClassVar[str] = "learn opponent"

    logs: tuple[Path, ...] = setting(help="Hand histories", argument=True)
    seed: int = seed_field("Seed for the hold-out, the order of deals, drawn cards and first weights")
    hold_out: float = setting(Fitting.hold_out, "Share of the matches to measure the fit with", above=0)
    epochs: int = setting(
        Fitting.epochs, "Largest number of epochs; fewer if the fit to the hold-out stops improving", at_least=1,
        at_most=10**6, free=True,
    )  # fmt: skip
    patience: int = setting(
        Fitting.patience, "Epochs without improvement after which fitting stops", at_least=1, at_most=10**6, free=True
    )
    rate: float = rate_field(RATES.rate)
    card_rate: float = card_rate_field(RATES.card_rate)
    hide_folded: bool = setting(False, "Use only cards that came to a showdown, even if the logs show all")
    skip_bad: bool = setting(False, "Skip broken hands and report how many there were")
    game: str | None = setting(None, "Game of ACPC logs that name none, by name or file", input="game")
    start: Path | None = setting(
        None, "Agent from self-play to begin with", option="from", input="artefact", unsaid="random weights"
    )
    compare: tuple[Path, ...] = setting(
        (), "Another agent to measure the fit of; repeatable", input="artefact", free=True
    )

    def inputs(self) -> dict[str, Any]:
        return super().inputs() | {"logs": records_sum(self.records[0])}

    @cached_property
    def records(self) -> tuple[Hands, list[str]]:
        """The hands of the logs, each file read once, and what is wrong with those that were skipped."""
        game = load_game(self.game) if self.game else None
        logs = [path for path, is_new in _each_once(self.logs) if is_new]
        hands, broken = read_hands(logs, game, self.skip_bad)
        return (hide_folded(hands) if self.hide_folded else hands), [str(each) for each in broken]

    @cached_property
    def begun(self) -> Model | None:
        """The model to begin with, if it is not of random weights."""
        return load_model(self.start) if self.start is not None else None

    def others(self) -> dict[str, Model]:
        """Those whose fit is measured beside the result, by folder."""
        found = {str(path): load_model(path) for path in self.compare}
        return found | ({str(self.start): self.begun} if self.begun is not None else {})

    def begin(self, means: Means = HERE) -> FitRun:
        run = self.run_of(means)
        self._tell_records(means.say)
        means.say(_told(run.fit))
        return run

    def run_of(self, means: Means) -> FitRun:
        """The run, which nobody has heard of yet."""
        others = self.others()  # before logs are read, which takes longer
        return FitRun(self.make_fit(), others, means.tell)

    def make_fit(self) -> OpponentFit:
        """The run of fitting."""
        fitting = self.fitting(Fitting())
        return OpponentFit(self.begun or self.first_model(fitting), self.records[0], fitting, self.seed)

    def fitting(self, base: AnyFitting) -> AnyFitting:
        """`base` with what the plan says."""
        learning = replace(base.learning, rate=self.rate, card_rate=self.card_rate)
        return replace(base, epochs=self.epochs, patience=self.patience, hold_out=self.hold_out, learning=learning)

    def first_model(self, fitting: Fitting) -> Model:
        """Random weights to begin with."""
        return Model.random(Structure(), self.seed, fitting.learning.scale, fitting.learning.value_scale)

    def _tell_records(self, say: Callable[[str], None]) -> None:
        """Say what of the logs is not used."""
        for path, is_new in _each_once(self.logs):
            if not is_new:
                say(f"{path} is given twice: it is read once.")
        _, broken = self.records
        for each in broken[:FIRST_BROKEN]:
            say(f"Skipped: {each}")
        if len(broken) > FIRST_BROKEN:
            say(f"Skipped {len(broken):,} broken hands in all.")


def _each_once(logs: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """The logs, and of each whether it does not come by itself or in a folder before.

    A hand that is read twice could be fitted and held out.
    """
    places = [path.resolve() for path in logs]
    for number, (path, place) in enumerate(zip(logs, places, strict=True)):
        yield path, not (place in places[:number] or any(folder in places for folder in place.parents))


def _told(fit: OpponentFit) -> str:
    """What there is to fit to."""
    hands, parts, held = fit.hands, fit.parts, len(fit.parts.held_out)
    hidden = 1.0 - float((hands.seen == SHOWN).sum()) / int(hands.players.sum())
    return (
        f"{counted(len(hands), 'hand')} with {counted(hands.decisions, 'decision')}; {100 * hidden:.0f} % of the "
        f"hole cards are hidden. {counted(held, 'hand')} {'is' if held == 1 else 'are'} held out, as {parts.unit}."
    )


class FitRun:
    """A fit that goes on until it is finished, and is measured beside other models in the end.

    others      by what they are called; `tell` hears of the measuring
    measuring   whether it is measured in the end
    """

    def __init__(
        self,
        fit: OpponentFit,
        others: Mapping[str, Model] | None = None,
        tell: Progress = silent,
        measuring: bool = True,
    ) -> None:
        self.fit, self.others, self.tell, self.measuring = fit, dict(others or {}), tell, measuring

    @property
    def done(self) -> int:
        """Visits of deals."""
        return self.fit.deals + int(self.fit.under_way[3])

    def step(self) -> Report | None:
        """Some visits of an epoch; after the last its check."""
        if self.fit.finished:
            return None
        goal = self.fit.fitting.epochs * len(self.fit.parts.fitted)
        found = self.fit.advance()
        row = plain(found.describe()) if found is not None else None
        return Report(self.done, goal, "fitting", row)

    def arrays(self) -> Arrays:
        fit = self.fit
        more = {"under_way": fit.under_way, "drawing": fit.drawing, "seconds": np.array([fit.seconds])}
        return {**fit.arrays(), **more}

    def restore(self, done: int, arrays: Arrays) -> None:
        fit = self.fit
        fit.under_way[:], fit.drawing[:] = arrays["under_way"], arrays["drawing"]
        fit.restore(done - int(fit.under_way[3]), float(arrays["seconds"][0]), dict(arrays))

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        found, hands = self.kept(), self.fit.hands
        records = {"hands": len(hands), "decisions": hands.decisions, "epochs": self.fit.epochs}
        measured = plain(self.measured()) if self.measuring else {}
        return replace(found, made={**found.made, **records, **measured})

    def kept(self) -> Artefact:
        """The best fit."""
        return model_artefact(self.fit.model)

    def measured(self) -> dict[str, Any]:
        """The fit of all models to the hold-out."""
        fits = self.measure_all({**self.others, "model": self.fit.model})
        return described(fits) | {"nats per decision": fits["model"].mean(MARGINAL).mean}

    def measure_all(self, models: Mapping[str, Model]) -> dict[str, Fit]:
        """The fit of each model to the hold-out."""
        found = {}
        for done, (name, model) in enumerate(models.items()):
            self.tell(f"measuring the fit of {name}", done, len(models))
            found[name] = self.fit.measure(model)
        return found


def described(fits: Mapping[str, Fit]) -> dict[str, Any]:
    """Fits as a manifest says them, and beside them what equally likely actions come to."""
    first = next(iter(fits.values()))
    return {"fits": {name: each.describe() for name, each in fits.items()}, "uniform": first.mean(UNIFORM).to_dict()}

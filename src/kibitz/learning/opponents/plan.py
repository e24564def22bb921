"""Fitting the mean strategy of recorded players, or types of them, as plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from kibitz.amounts import counted
from kibitz.games import load_game
from kibitz.learning.fields import learning_field, seed_field
from kibitz.learning.files import load_model
from kibitz.learning.histories import SHOWN, Hands, hide_folded, read_hands
from kibitz.learning.model import Model, Structure
from kibitz.learning.opponents.fitting import RATES, Fitting, OpponentFit, records_sum
from kibitz.learning.opponents.types import TypeFit, TypeFitting
from kibitz.learning.player_types import DEFAULT, TypedModel
from kibitz.plans import HERE, Means, Plan, setting

FIRST_BROKEN = 5  # of those that are named
AnyFitting = TypeVar("AnyFitting", bound=Fitting)


def epochs_field(default: int) -> Any:
    """When a fit ends at the latest."""
    text = "Largest number of epochs; fewer if the fit to the hold-out stops improving"
    return setting(default, text, at_least=1, at_most=10**6, free=True)


@dataclass(frozen=True)
class OpponentPlan(Plan):
    """Fit a model to the players of LOGS, most of whose cards were never seen, and save it in --out as an agent.

    LOGS are ACPC logs, PHH or PokerStars files, compressed files, tar archives or folders, of limit hold'em for 2 to 10
    players. Hidden cards are drawn from what the model makes of the betting, anew at every visit to a deal (stochastic
    EM). A share of the matches is held out; the epoch that fits them best is kept. A broken hand is an error unless
    --skip-bad is given.
    """

    kind: ClassVar[str] = "train opponent"

    logs: tuple[Path, ...] = setting(help="Hand histories", argument=True)
    seed: int = seed_field("Seed for the hold-out, the order of deals, drawn cards and first weights")
    hold_out: float = setting(Fitting.hold_out, "Share of the matches to measure the fit with", above=0)
    epochs: int = epochs_field(Fitting.epochs)
    patience: int = setting(
        Fitting.patience, "Epochs without improvement after which fitting stops", at_least=1, at_most=10**6, free=True
    )
    rate: float = learning_field("rate", RATES.rate)
    card_rate: float = learning_field("card_rate", RATES.card_rate)
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
        hands, broken = read_hands(self.logs, game, self.skip_bad)
        return (hide_folded(hands) if self.hide_folded else hands), [str(each) for each in broken]

    @cached_property
    def begun(self) -> Model | None:
        """The model to begin with, if it is not of random weights."""
        return load_model(self.start) if self.start is not None else None

    def others(self) -> dict[str, Model]:
        """Those whose fit is measured beside the result, by folder."""
        found = {str(path): load_model(path) for path in self.compare}
        return found | ({str(self.start): self.begun} if self.begun is not None else {})

    def begin(self, means: Means = HERE) -> OpponentFit:
        others = self.others()  # before logs are read, which takes longer
        fit = self.make_fit()
        fit.others, fit.tell = others, means.tell
        for line in self._told(fit):
            means.say(line)
        return fit

    def make_fit(self) -> OpponentFit:
        """The run of fitting."""
        fitting = self.fitting(Fitting())
        return OpponentFit(self.first_model(fitting), self.records[0], fitting, self.seed)

    def fitting(self, base: AnyFitting) -> AnyFitting:
        """`base` with what the plan says."""
        learning = replace(base.learning, rate=self.rate, card_rate=self.card_rate)
        return replace(base, epochs=self.epochs, patience=self.patience, hold_out=self.hold_out, learning=learning)

    def first_model(self, fitting: Fitting) -> Model:
        """What to begin with, random weights if nothing else was given."""
        scales = fitting.learning.scale, fitting.learning.value_scale
        return self.begun or Model.random(Structure(), self.seed, *scales)

    def _told(self, fit: OpponentFit) -> Iterator[str]:
        """What of the logs is not used, and what there is to fit to."""
        places = [path.resolve() for path in self.logs]
        for number, (path, place) in enumerate(zip(self.logs, places, strict=True)):
            if place in places[:number] or any(folder in places for folder in place.parents):
                yield f"{path} is given twice: it is read once."  # else a hand could be fitted and held out
        hands, broken = self.records
        yield from (f"Skipped: {each}" for each in broken[:FIRST_BROKEN])
        if len(broken) > FIRST_BROKEN:
            yield f"Skipped {len(broken):,} broken hands in all."
        hidden, held = 1.0 - float((hands.seen == SHOWN).sum()) / int(hands.players.sum()), len(fit.parts.held_out)
        yield (
            f"{counted(len(hands), 'hand')} with {counted(hands.decisions, 'decision')}; {100 * hidden:.0f} % of "
            f"the hole cards are hidden. {counted(held, 'hand')} {'is' if held == 1 else 'are'} held out, as "
            f"{fit.parts.unit}."
        )


@dataclass(frozen=True)
class TypesPlan(OpponentPlan):
    """Fit a model with player types to the matches in LOGS, and save it in --out.

    A match is a file. Every player has one type for a match. It is drawn from what a joint filter of cards and types
    believes after the last deal, and learned from as if it had been seen; so are hidden cards (stochastic EM in two
    passes). `filtered` predicts a deal from the deals before it; `smoothed` knows the whole match. LOGS, hold-out and
    broken hands are as for `kibitz train opponent`, whose model is a good one to begin with.
    """

    kind: ClassVar[str] = "train types"

    epochs: int = epochs_field(20)
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
        start = TypedModel.random(self.first_model(fitting), self.types, self.seed, fitting.spread)
        return TypeFit(start, self.records[0], fitting, self.seed)

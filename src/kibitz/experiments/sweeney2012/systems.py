"""What the ten systems of chapter 6 win, how they play, and whether they gain by adapting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import pairwise
from math import isfinite, nan
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.experiments.ledger import Ledger, measured, open_ledger, work_folder
from kibitz.experiments.published import Effort
from kibitz.experiments.sweeney2012.making import EXPLOITERS, MODEL, OM, PT, SELF_PLAY, SIZES, Making, Size
from kibitz.experiments.sweeney2012.measuring import (
    Power,
    adapt_to_bots,
    adapt_to_model,
    curves_of,
    meet_model,
    name_entropy,
    roll_out,
)
from kibitz.experiments.sweeney2012.runs import ErrorsByStage, style_of
from kibitz.files import checksum
from kibitz.learning import Learning, load_model
from kibitz.learning.exploiters import DEFAULT_LEARNING, Guest
from kibitz.learning.exploiters.measuring import WIDTH, Performance, Rate, compare, measure_real
from kibitz.learning.opponents import Fit
from kibitz.learning.opponents.measures import IMPUTED, UNIFORM
from kibitz.learning.opponents.types import TypeFitting
from kibitz.learning.player_types import load_typed
from kibitz.learning.population import Population, load_population, play_matches
from kibitz.learning.rollouts import RolloutSettings
from kibitz.modelling.styles import StyleCounts
from kibitz.statistics import Z_95, Estimate

Floats = npt.NDArray[np.float64]
Read = TypeVar("Read")
MEASURED = 2  # stream of the population's matches
SWITCHABLE = "switchable"
# Every kind of bots must be seen to meet every other, or the model guesses what it does against an exploiter's raises;
# where players differ so much, own types are to learn before what is believed of others', from batches of all kinds.
TELLING_APART = TypeFitting(own_rate=0.03, seen_rate=8e-5, together=64, renewed=0.01)


LAYERED = "PT-EL"  # of which the section shows rollouts and adaptation
PLAYERS = 6
BY_NAME = "entropy given the name"
NOT_MADE = "What is not run needs the systems themselves, which do not come with the package."


class Added(NamedTuple):
    """How much is done at a preset of what was added; the names of measures tell it.

    rollouts   decisions, and samples of each
    matches    against the population, with memory and without
    """

    rollouts: tuple[int, int]
    matches: int


ADDED = {
    "smoke": Added((20, 20), 16),
    "short": Added((1_000, 300), 12_000),
    "full": Added((3_000, 1_000), 5_000),
}


def rollouts_at(preset: str) -> str:
    """The name of the rollouts of a preset."""
    decisions, samples = ADDED[preset].rollouts
    return f"rollouts {LAYERED}, {decisions} x {samples}"


def adaptation_at(preset: str) -> str:
    """The name of the adaptation to bots of a preset."""
    return f"adaptation {LAYERED} to bots, {ADDED[preset].matches} matches"


class Adapted(NamedTuple):
    """With memory, without, and the difference, float64[3, bins + 1, 2] as in `Study.adaptation`, and what it shows."""

    curves: npt.NDArray[np.float64]
    power: Power


class Result(NamedTuple):
    """Winnings in small blinds per deal, the standard error of their mean over matches, and the number of deals."""

    mean: float
    error: float
    sd: float
    deals: float


class Fitted(NamedTuple):
    """Nats per held-out decision, that as a share of the uniform entropy, each with its standard error."""

    nats: float
    error: float
    share: float
    share_error: float


@dataclass(frozen=True, eq=False)
class Study:
    """Chapter 6 at one preset: what was made in a folder, and what was measured of it in a ledger."""

    effort: Effort
    making: Making
    ledger: Ledger

    def fit(self, model: str) -> Fitted:
        """How well self-play, OM or PT fits held-out matches; types as they were believed to be before each deal."""
        return Fitted(*self._fitted(f"fit {model}"))

    def gain(self, model: str) -> Rate:
        """Nats per decision by which OM fits better than self-play, or PT than OM, match by match."""
        return Rate(*self._fitted(f"gain {model}"))

    @measured("modelled {}", lambda cell: Result(*cell))
    def modelled(self, system: str) -> Sequence[float]:
        """What a system wins against its model; self-play against itself."""
        return _result(meet_model(self.guest(system), self.size.measured, self.effort))

    @measured("real {}", tuple)
    def _played(self, system: str) -> Sequence[float]:
        found = self.meet_bots(system)
        return [*_result(found), *found.styles.sum(axis=0)[0].tolist()]

    def real(self, system: str) -> Result:
        """What a system wins against the population."""
        return Result(*self._played(system)[:4])

    def style(self, system: str) -> StyleCounts:
        """How a system plays against the population."""
        return style_of(np.array(self._played(system)[4:]))

    @measured("population", lambda cell: style_of(np.array(cell)))
    def population_style(self) -> Sequence[float]:
        """How the population plays among itself."""
        found = play_matches(self._bots, self.size.measured, self.making.play(MEASURED), self.effort.threads)
        return list(found.sums.sum(axis=(0, 1)).tolist())

    @measured("entropies", lambda cell: np.array(cell).reshape(-1, 2))
    def entropies(self) -> Sequence[float]:
        """Bits of uncertainty about the types of bots after each number of deals, with standard errors over matches:
        float64[deals + 1, 2], the first before any.
        """
        bits = self.meet_bots(PT).entropy[:, :, 1]
        initial = self.guest(PT).opponents.weights.initial
        first = -float(np.sum(initial * np.log2(np.maximum(initial, 1e-300))))
        errors = bits.std(axis=0, ddof=1) / np.sqrt(len(bits))
        return np.column_stack([np.r_[first, bits.mean(axis=0)], np.r_[0.0, errors]]).ravel().tolist()

    @measured("adaptation {}", lambda cell: np.array(cell).reshape(3, -1, 2))
    def adaptation(self, system: str) -> Sequence[float]:
        """With memory, without, and the difference: float64[3, bins + 1, 2], by bin of deals and over all."""
        return curves_of(adapt_to_model(self.guest(system), self.size.adapting, self.effort))

    @measured("adaptation switchable", lambda cell: Rate(*cell))
    def adaptation_to_switchable(self) -> Sequence[float]:
        """What memory wins against opponents whose types need different counters."""
        # The statement was fixed for the size of `short` before it was measured.
        preset = "short" if self.making.preset == "full" else self.making.preset
        making = replace(self.making, preset=preset, population=SWITCHABLE, kind_by="seat", fitting=TELLING_APART)
        making.prepare([PT], self.effort)
        population, play = load_population(SWITCHABLE), making.play(MEASURED)

        def meet(guest: Guest) -> Performance:
            return measure_real(guest, population, making.size.measured, play, self.effort.threads)

        return compare(making.guest(PT), meet).gain

    # What was added after chapter 6 had been measured at `short`, whose systems are not kept: None where systems are
    # neither in the folder nor yet to be made, and no training begins.

    def entropy_by_name(self) -> Rate | None:
        """Bits of uncertainty about the type of a bot after a match against PT, its name being known."""
        return self._added(BY_NAME, lambda: name_entropy(self.meet_bots(PT)), lambda cell: Rate(*cell))

    def exploiter_rollouts(self) -> ErrorsByStage | None:
        """Rollout errors of PT-EL among players of its model."""
        decisions, samples = ADDED[self.effort.preset].rollouts

        def measure() -> list[float]:
            path = self.making.place(f"rollouts-{LAYERED}-{decisions}x{samples}")
            settings = RolloutSettings(decisions, samples, seats=PLAYERS, seed=self.effort.seed)
            return ErrorsByStage.numbers(roll_out(self.guest(LAYERED), settings, self.effort, path))

        return self._added(rollouts_at(self.effort.preset), measure, ErrorsByStage.of)

    def adaptation_to_bots(self) -> Adapted | None:
        """What PT-EL gains by its memory against the population."""

        def measure() -> list[float]:
            matches, play = ADDED[self.effort.preset].matches, self.making.play(MEASURED)
            found = adapt_to_bots(self.guest(LAYERED), self._bots, play, matches, self.effort)
            return [*curves_of(found), *Power.of(found)]

        def read(cell: Sequence[float]) -> Adapted:
            places = len(Power._fields)
            return Adapted(np.array(cell[:-places]).reshape(3, -1, 2), Power(*cell[-places:]))

        return self._added(adaptation_at(self.effort.preset), measure, read)

    def _added(
        self, name: str, measure: Callable[[], Sequence[float]], read: Callable[[Sequence[float]], Read]
    ) -> Read | None:
        is_missing = _is_missing(self.ledger, name) and not self.making.has(EXPLOITERS)
        return None if is_missing else read(self.ledger.get(name, measure))

    def measure_all(self) -> None:
        """Measure everything that the tables and figures of chapter 6 show, and is not in the ledger yet."""
        for model in (SELF_PLAY, OM, PT):
            self.fit(model)
        for system in (SELF_PLAY, *EXPLOITERS):
            self.modelled(system)
            self.real(system)
        self.adaptation(LAYERED)
        for measure in (self.population_style, self.entropies, self.adaptation_to_switchable):
            measure()
        for added in (self.entropy_by_name, self.exploiter_rollouts, self.adaptation_to_bots):
            added()

    @property
    def _bots(self) -> Population:
        return load_population(self.making.population)

    @property
    def size(self) -> Size:
        """How much is done."""
        return self.making.size

    def guest(self, system: str) -> Guest:
        """A system; all are made at once, as many as there are threads."""
        if system != SELF_PLAY:
            self.making.prepare(EXPLOITERS, self.effort)
        return self.making.guest(system)

    def _fitted(self, name: str) -> Sequence[float]:
        if not self.ledger.has([name]):
            fits = dict(zip((SELF_PLAY, OM, PT), self.fits(), strict=True))
            for model, fit in fits.items():
                nats, share = fit.mean(IMPUTED), fit.mean(IMPUTED, fit.nats[UNIFORM])
                self.ledger.put(f"fit {model}", (nats.mean, _error(nats), share.mean, _error(share)))
            for before, model in pairwise(fits):
                gain = fits[model].gain_over(fits[before], IMPUTED)
                self.ledger.put(f"gain {model}", (gain.mean, _error(gain)))
        return self.ledger.get(name, tuple)

    def fits(self) -> list[Fit]:
        making = self.making
        making.prepare([MODEL + PT], self.effort)
        hands = making.hands()
        plain, typed = (making.fit_of(name, hands) for name in (OM, PT))
        types = typed.measure_typed(load_typed(making.place(MODEL + PT)))  # type: ignore[attr-defined]
        return [
            *(plain.measure(each) for each in (making.base(), load_model(making.place(MODEL + OM)))),
            types.filtered,
        ]

    def meet_bots(self, system: str) -> Performance:
        """Matches of a system against the population."""
        play = self.making.play(MEASURED)
        return measure_real(self.guest(system), self._bots, self.size.measured, play, self.effort.threads)


def _result(found: Performance) -> list[float]:
    return [*found.mean, found.deviation, float(found.chips.size)]


def _error(found: Estimate) -> float:
    """The standard error of an estimate; a single match tells none."""
    return found.half_width / Z_95 if isfinite(found.half_width) else nan


@cache
def study_of(effort: Effort) -> Study:
    """The study at an effort, the same one for all its tables."""
    return Study(effort, Making(effort.preset, effort.seed, work_folder(effort)), measures_of(effort))


def measures_of(effort: Effort) -> Ledger:
    """What was measured at an effort: what comes with the package or lies in its folder."""
    described = {
        "size": SIZES[effort.preset]._asdict(),
        "seed": effort.seed,
        "bots": {name: checksum(load_population(name).bots.view(np.uint8)) for name in (Making.population, SWITCHABLE)},
        "learning": DEFAULT_LEARNING.describe(),
        "self-play": Learning().describe(),
        "switchable": asdict(TELLING_APART),
        "bin": WIDTH,
    }
    return open_ledger("sweeney2012", f"chapter-6-{effort.preset}", described, effort, is_open=True)


def notes_if_not_run(effort: Effort, measure: str) -> tuple[str, ...]:
    """Why a measure is not run, where it is not."""
    if not _is_missing(measures_of(effort), measure):
        return ()
    if effort.folder is not None and Making(effort.preset, effort.seed, effort.folder).has(EXPLOITERS):
        return ()
    return (NOT_MADE,)


def _is_missing(ledger: Ledger, name: str) -> bool:
    """Whether other numbers are known, but not this one."""
    return bool(ledger.found) and not ledger.has([name])

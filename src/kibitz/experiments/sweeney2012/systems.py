"""What the ten systems of chapter 6 win, how they play, and whether they gain by adapting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import pairwise
from math import isfinite, nan
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.experiments.ledger import Ledger, open_ledger, work_folder
from kibitz.experiments.published import Effort
from kibitz.experiments.sweeney2012.making import EXPLOITERS, MODEL, OM, PT, SELF_PLAY, SIZES, Making, Size
from kibitz.experiments.sweeney2012.measuring import adapt_to_model, curves_of, meet_model
from kibitz.experiments.sweeney2012.runs import style_of
from kibitz.files import checksum
from kibitz.learning import Learning, load_model
from kibitz.learning.exploiters import DEFAULT_LEARNING, Guest
from kibitz.learning.exploiters.adaptation import compare
from kibitz.learning.exploiters.measuring import WIDTH, Hosted, Performance, Rate, measure_real
from kibitz.learning.opponents import Fit
from kibitz.learning.opponents.measures import IMPUTED, UNIFORM
from kibitz.learning.opponents.types import TypeFitting
from kibitz.learning.player_types import load_typed
from kibitz.learning.population import load_population, play_matches
from kibitz.modelling.styles import StyleCounts
from kibitz.statistics import Z_95, Estimate

Floats = npt.NDArray[np.float64]
MEASURED = 2  # stream of the population's matches
SWITCHABLE = "switchable"
# Every kind of bots must be seen to meet every other, or the model guesses what it does against an exploiter's raises;
# where players differ so much, own types are to learn before what is believed of others', from batches of all kinds.
TELLING_APART = TypeFitting(own_rate=0.03, seen_rate=8e-5, together=64, renewed=0.01)


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

    def modelled(self, system: str) -> Result:
        """What a system wins against its model; self-play against itself."""
        return Result(*self.ledger.get(f"modelled {system}", lambda: self._meet_model(system)))

    def real(self, system: str) -> Result:
        """What a system wins against the population."""
        return Result(*self._played(system)[:4])

    def style(self, system: str) -> StyleCounts:
        """How a system plays against the population."""
        return style_of(np.array(self._played(system)[4:]))

    def population_style(self) -> StyleCounts:
        """How the population plays among itself."""
        return style_of(np.array(self.ledger.get("population", self._watch_population)))

    def entropies(self) -> Floats:
        """Bits of uncertainty about the types of bots after each number of deals, with standard errors over matches:
        float64[deals + 1, 2], the first before any.
        """
        return np.array(self.ledger.get("entropies", self._watch_types)).reshape(-1, 2)

    def adaptation(self, system: str) -> Floats:
        """With memory, without, and the difference: float64[3, bins + 1, 2], by bin of deals and over all."""
        return np.array(self.ledger.get(f"adaptation {system}", lambda: self._adapt(system))).reshape(3, -1, 2)

    def adaptation_to_switchable(self) -> Rate:
        """What memory wins against opponents whose types need different counters."""
        return Rate(*self.ledger.get("adaptation switchable", self._adapt_to_switchable))

    @property
    def size(self) -> Size:
        """How much is done."""
        return self.making.size

    def guest(self, system: str) -> Guest:
        """A system; all are made at once, as many as there are threads."""
        if system != SELF_PLAY:
            self.making.prepare(EXPLOITERS, self.effort.threads, self.effort.tell)
        return self.making.guest(system)

    def _fitted(self, name: str) -> Sequence[float]:
        if not self.ledger.has([name]):
            fits = dict(zip((SELF_PLAY, OM, PT), self._fits(), strict=True))
            for model, fit in fits.items():
                nats, share = fit.mean(IMPUTED), fit.mean(IMPUTED, fit.nats[UNIFORM])
                self.ledger.put(f"fit {model}", (nats.mean, _error(nats), share.mean, _error(share)))
            for before, model in pairwise(fits):
                gain = fits[model].gain_over(fits[before], IMPUTED)
                self.ledger.put(f"gain {model}", (gain.mean, _error(gain)))
        return self.ledger.found[name]

    def _fits(self) -> list[Fit]:
        making = self.making
        making.prepare([MODEL + PT], self.effort.threads, self.effort.tell)
        hands = making.hands()
        plain, typed = (making.fit_of(name, hands) for name in (OM, PT))
        types = typed.measure_typed(load_typed(making.place(MODEL + PT)))  # type: ignore[attr-defined]
        return [
            *(plain.measure(each) for each in (making.base(), load_model(making.place(MODEL + OM)))),
            types.filtered,
        ]

    def _meet_model(self, system: str) -> list[float]:
        return _result(meet_model(self.guest(system), self.size.measured, self.effort))

    def _played(self, system: str) -> Sequence[float]:
        return self.ledger.get(f"real {system}", lambda: self._meet_population(system))

    def meet_bots(self, system: str) -> Hosted:
        """Matches of a system against the population."""
        population, play = load_population(self.making.population), self.making.play(MEASURED)
        return measure_real(self.guest(system), population, self.size.measured, play, self.effort.threads)

    def _meet_population(self, system: str) -> list[float]:
        found = self.meet_bots(system)
        return [*_result(found), *found.styles.sum(axis=0)[0].tolist()]

    def _watch_population(self) -> list[float]:
        play = self.making.play(MEASURED)
        found = play_matches(load_population(self.making.population), self.size.measured, play, self.effort.threads)
        return list(found.sums.sum(axis=(0, 1)).tolist())

    def _watch_types(self) -> list[float]:
        bits = self.meet_bots(PT).entropy[:, :, 1]
        initial = self.guest(PT).opponents.weights.initial
        first = -float(np.sum(initial * np.log2(np.maximum(initial, 1e-300))))
        errors = bits.std(axis=0, ddof=1) / np.sqrt(len(bits))
        return np.column_stack([np.r_[first, bits.mean(axis=0)], np.r_[0.0, errors]]).ravel().tolist()

    def _adapt(self, system: str) -> list[float]:
        return curves_of(adapt_to_model(self.guest(system), self.size.adapting, self.effort))

    def _adapt_to_switchable(self) -> Rate:
        # The statement was fixed for the size of `short` before it was measured.
        preset = "short" if self.making.preset == "full" else self.making.preset
        making = replace(self.making, preset=preset, population=SWITCHABLE, kind_by="seat", fitting=TELLING_APART)
        making.prepare([PT], self.effort.threads, self.effort.tell)
        population, play = load_population(SWITCHABLE), making.play(MEASURED)
        return compare(
            making.guest(PT),
            lambda guest: measure_real(guest, population, making.size.measured, play, self.effort.threads),
        ).gain


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

"""The ten systems of chapter 6: models fitted to records of a population, exploiters of them, and what they win.

Records are matches of the shipped population as a table sees them. OM is one model for all players, PT one with player
types. Exploiters begin with the model that they learn against, those with an extra layer with the same system without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.experiments.ledger import Ledger, open_ledger
from kibitz.experiments.published import Effort
from kibitz.experiments.sweeney2012.runs import Work, snapshots, style_of
from kibitz.learning import Model, is_model, load_model
from kibitz.learning.campaign import CHECKPOINT
from kibitz.learning.exploiters import Contest, Exploiter, Guest, Weights, load_exploiter, run_exploiter
from kibitz.learning.exploiters.adaptation import WIDTH, Adaptation, compare
from kibitz.learning.exploiters.hosting import measure_real
from kibitz.learning.exploiters.measuring import Performance, Rate, measure_modelled
from kibitz.learning.histories import Hands, hide_folded
from kibitz.learning.opponents import Fit, Fitting, OpponentFit, run_fit
from kibitz.learning.opponents.measures import IMPUTED, UNIFORM
from kibitz.learning.opponents.types import TypeFit, TypeFitting
from kibitz.learning.player_types import TypedModel, is_typed, load_opponents
from kibitz.learning.population import Play, load_population, play_hands, play_matches
from kibitz.modelling.styles import StyleCounts
from kibitz.parallel import Processes
from kibitz.statistics import Z_95

Floats = npt.NDArray[np.float64]
SELF_PLAY, OM, PT = "Self-play", "OM", "PT"
TARGETS = {"": "mean", "-SR": "sharpe", "-GR": "ruin"}
FAMILIES = (OM, PT, "PT-EL")
EXPLOITERS = tuple(family + target for family in FAMILIES for target in TARGETS)
RECORDS, PLAYED = 1, 2  # seeds of the population's matches, beside that of the effort
SWITCHABLE = "switchable"


class Size(NamedTuple):
    """How much is done at a preset.

    matches    recorded; epochs of the fits, at most
    learning   deals of every exploiter
    measured   matches against the model, and against the population
    adapting   matches with and without memory
    """

    matches: int
    epochs: int
    learning: int
    measured: int
    adapting: int


SIZES = {
    "smoke": Size(6, 1, 1_280, 3, 3),
    "short": Size(375, 12, 10_000_000, 4_000, 24_000),
    "full": Size(375, 30, 100_000_000, 20_000, 150_000),
}


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


def model_of(system: str) -> str:
    """The model that a system responds to."""
    return system if system == SELF_PLAY else system.partition("-")[0]


@dataclass(frozen=True, eq=False)
class Study:
    """Chapter 6 at one preset: models and exploiters in a folder, what was measured of them in a ledger."""

    effort: Effort
    folder: Path
    ledger: Ledger

    @property
    def size(self) -> Size:
        """How much is done."""
        return SIZES[self.effort.preset]

    def fit(self, model: str) -> Fitted:
        """How well self-play, OM or PT fits held-out matches; types as they were believed to be before each deal."""
        return Fitted(*self.ledger.get(f"fit {model}", lambda: _fitted(self._fits()[model])))

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

        def play() -> Floats:
            found = play_matches(load_population(), self.size.measured, self._play(PLAYED), self.effort.threads)
            return np.asarray(found.sums.sum(axis=(0, 1)))

        return style_of(np.array(self.ledger.get("population", play)))

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

    def _played(self, system: str) -> Sequence[float]:
        return self.ledger.get(f"real {system}", lambda: self._meet_population(system))

    def _play(self, more: int) -> Play:
        return Play(seed=10 * self.effort.seed + more)

    @property
    def contest(self) -> Contest:
        """The matches of all exploiters."""
        return Contest()

    def hands(self, population: str = "calibrated") -> Hands:
        """The records: cards are known from showdowns only."""
        found = play_hands(load_population(population), self.size.matches, self._play(RECORDS), self.effort.threads)
        return hide_folded(found)

    def base(self) -> Model:
        """The agent from self-play of chapter 5."""
        return snapshots(Work.of(self.effort))[-1][1]

    def _opponents(self, model: str) -> TypedModel:
        """The model that a system plays against in its mind."""
        if model == SELF_PLAY:
            return TypedModel.plain(self.base())
        self.prepare([model])
        return load_opponents(self.folder / model)

    def _guest(self, system: str) -> Guest:
        if system == SELF_PLAY:
            base = self.base()
            return Guest(Weights.of(base), TypedModel.plain(base))
        self.prepare([system])
        return Guest(*load_exploiter(self.folder / system))

    def prepare(self, names: Iterable[str]) -> None:
        """Fit and train what is not in the folder yet, with all that it needs, as many at once as there are threads."""
        wanted = [name for name in _order(names) if not _is_done(self.folder / name)]
        while wanted:
            ready = [name for name in wanted if all(need not in wanted for need in _needs(name))]
            alone = replace(self, effort=replace(self.effort, threads=1))
            for done, name in enumerate(Processes(min(self.effort.threads, len(ready))).map(alone._make, ready)):
                self.effort.tell(f"chapter 6: {name}", done + 1, len(ready))
            wanted = [name for name in wanted if name not in ready]

    def _make(self, name: str) -> str:
        """Make one model or exploiter in the folder, from where it was left."""
        out = self.folder / name
        resume = (out / CHECKPOINT).exists()
        if name in (OM, PT):
            fit = self._fit_of(name, self.hands())
            for _ in run_fit(fit, out, resume):
                pass
            return name
        target = next(TARGETS[end] for end in reversed(TARGETS) if name.endswith(end))
        contest = replace(self.contest, target=target, extra_layer="-EL" in name)
        start = load_exploiter(self.folder / name.replace("-EL", ""))[0] if contest.extra_layer else None
        learner = Exploiter(load_opponents(self.folder / model_of(name)), contest, start, seed=self.effort.seed)
        for _ in run_exploiter(learner, self.size.learning, out, resume):
            pass
        return name

    def _fit_of(self, name: str, hands: Hands) -> OpponentFit:
        if name == OM:
            return OpponentFit(self.base(), hands, Fitting(epochs=self.size.epochs), self.effort.seed)
        start = TypedModel.random(load_model(self.folder / OM), seed=self.effort.seed)
        return TypeFit(start, hands, TypeFitting(epochs=self.size.epochs), self.effort.seed)

    def _fits(self) -> dict[str, Fit]:
        """The fits of the three models to the same held-out matches."""
        self.prepare([OM, PT])
        hands = self.hands()
        plain, typed = (self._fit_of(name, hands) for name in (OM, PT))
        types = typed.measure_typed(load_opponents(self.folder / PT))  # type: ignore[attr-defined]
        models = {SELF_PLAY: self.base(), OM: load_model(self.folder / OM)}
        return {name: plain.measure(model) for name, model in models.items()} | {PT: types.filtered}

    def _meet_model(self, system: str) -> list[float]:
        guest, share = self._guest(system), -(-self.size.measured // self.effort.threads)
        measure = partial(_modelled, guest, self.contest, share, self.effort.seed)
        return _result(_joined(self._spread(measure)))

    def _spread(self, measure: Callable[[int], Performance]) -> list[Performance]:
        """Measurements with as many different seeds as there are threads."""
        return list(Processes(self.effort.threads).map(measure, range(self.effort.threads)))

    def _meet_population(self, system: str) -> list[float]:
        found = measure_real(
            self._guest(system), load_population(), self.size.measured, self._play(PLAYED), self.effort.threads
        )
        return [*_result(found), *found.styles.sum(axis=0)[0].tolist()]

    def _watch_types(self) -> Floats:
        guest = self._guest(PT)
        found = measure_real(guest, load_population(), self.size.measured, self._play(PLAYED), self.effort.threads)
        bits, count = found.entropy[:, :, 1], len(found.entropy)
        initial = guest.opponents.weights.initial
        first = -float(np.sum(initial * np.log2(np.maximum(initial, 1e-300))))
        errors = bits.std(axis=0, ddof=1) / np.sqrt(count)
        return np.column_stack([np.r_[first, bits.mean(axis=0)], np.r_[0.0, errors]]).ravel()

    def _adapt(self, system: str) -> list[float]:
        guest, share = self._guest(system), -(-self.size.adapting // self.effort.threads)
        measure = partial(_adapted, guest, self.contest, share, self.effort.seed)
        parts = list(Processes(self.effort.threads).map(measure, range(self.effort.threads)))
        found = Adaptation(_joined([each.adaptive for each in parts]), _joined([each.control for each in parts]))
        curves = (
            [*found.adaptive.by_deal(WIDTH), found.adaptive.mean],
            [*found.control.by_deal(WIDTH), found.control.mean],
            [*found.by_deal(WIDTH), found.gain],
        )
        return [number for curve in curves for rate in curve for number in rate]

"""Models of a population and exploiters of them, in a folder: what chapter 6 measures.

Records are matches of a shipped population as a table sees them. OM is one model for all players, PT one with player
types. Exploiters begin with the model that they learn against, those with an extra layer with the same one without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from kibitz.experiments.ledger import finish
from kibitz.experiments.published import Effort
from kibitz.experiments.sweeney2012.runs import PLAIN, agent_after, carried_out
from kibitz.learning import Model, load_model
from kibitz.learning.exploiters import Contest, Exploiter, Guest, Weights, load_exploiter
from kibitz.learning.exploiters.plan import ExploiterRun
from kibitz.learning.histories import Hands, hide_folded
from kibitz.learning.opponents import Fitting, OpponentFit
from kibitz.learning.opponents.types import TypeFit, TypeFitting
from kibitz.learning.player_types import TypedModel, load_opponents
from kibitz.learning.population import Play, load_population, play_hands
from kibitz.learning.runs import InPython
from kibitz.plans import kind_of

SELF_PLAY, OM, PT = "Self-play", "OM", "PT"
TARGETS = {"": "mean", "-SR": "sharpe", "-GR": "ruin"}
FAMILIES = (OM, PT, "PT-EL")
EXPLOITERS = tuple(family + target for family in FAMILIES for target in TARGETS)
FITTING = TypeFitting(spread=0.05)  # of player types
ROWS = 100  # of the curve of an exploiter
MODEL = "model-"  # in front of the name of a model's folder; those of exploiters have their names


class Size(NamedTuple):
    """How much is done at a preset.

    base       deals of the self-play that all begins with
    matches    recorded; epochs of the fits
    learning   deals of every exploiter
    measured   matches against the model, and against the population
    adapting   matches with and without memory
    """

    base: int
    matches: int
    epochs: int
    learning: int
    measured: int
    adapting: int


SIZES = {
    "smoke": Size(12_800, 6, 1, 1_280, 3, 3),
    "short": Size(20_000_000, 375, 12, 3_000_000, 2_000, 12_000),
    "full": Size(20_000_000, 375, 30, 8_000_000, 10_000, 60_000),
}


def model_of(system: str) -> str:
    """The model that a system responds to."""
    return system if system == SELF_PLAY else system.partition("-")[0]


@dataclass(frozen=True)
class Making:
    """What is made of one population at a preset; two with the same settings make the same.

    folder       in which chapter 5 keeps its agents
    population   a shipped one
    kind_by      how often the kind of recorded bots is drawn: once a match, or for every seat
    fitting      of types; the number of epochs is the preset's
    """

    preset: str
    seed: int
    folder: Path
    population: str = "calibrated"
    kind_by: str = "match"
    fitting: TypeFitting = FITTING

    @property
    def size(self) -> Size:
        """How much is done."""
        return SIZES[self.preset]

    def place(self, name: str) -> Path:
        """The folder of a model or an exploiter."""
        return self.folder / "chapter-6" / self.population / name

    def play(self, stream: int) -> Play:
        """How the population plays; streams are those of records and of measurements."""
        return Play(seed=10 * self.seed + stream)

    def hands(self) -> Hands:
        """The records: cards are known from showdowns only."""
        play = replace(self.play(1), kind_by=self.kind_by)
        return hide_folded(play_hands(load_population(self.population), self.size.matches, play))

    def base(self) -> Model:
        """The agent from self-play of chapter 5."""
        return agent_after(Effort(self.preset, seed=self.seed, folder=self.folder), self.size.base, PLAIN)

    def guest(self, system: str) -> Guest:
        """A system at the table, once it is made."""
        if system == SELF_PLAY:
            base = self.base()
            return Guest(Weights.of(base), TypedModel.plain(base))
        return Guest(*load_exploiter(self.place(system)))

    def fit_of(self, name: str, hands: Hands) -> OpponentFit:
        """The run that fits OM or PT, for all epochs: held-out fits are too uneven for stopping early."""
        epochs = self.size.epochs
        if name == OM:
            return OpponentFit(self.base(), hands, Fitting(epochs=epochs, patience=epochs), self.seed)
        fitting = replace(self.fitting, epochs=epochs, patience=epochs)
        start = TypedModel.random(load_model(self.place(MODEL + OM)), seed=self.seed, scale=fitting.spread)
        return TypeFit(start, hands, fitting, self.seed)

    def prepare(self, names: Iterable[str], effort: Effort) -> None:
        """Make what is not in the folder yet, with all that it needs, as many at once as there are threads."""
        wanted = [name for name in _with_needs(names) if not self._is_made(name)]
        if wanted:
            self.base()  # processes find it in the folder
        jobs, needs = {name: partial(self.run, name) for name in wanted}, {name: _needs(name) for name in wanted}
        for done, (name, _) in enumerate(finish(jobs, effort.executor, needs), 1):
            effort.tell(f"chapter 6: {name}", done, len(wanted))

    def has(self, names: Iterable[str]) -> bool:
        """Whether they are in the folder, with all that they need."""
        return all(self._is_made(name) for name in _with_needs(names))

    def _is_made(self, name: str) -> bool:
        wanted = ("learned", "types") if name.startswith(MODEL) else ("response", "exploiter")
        return kind_of(self.place(name)) in wanted

    def run(self, name: str) -> None:
        """Fit a model or train an exploiter, from where it was left."""
        out = self.place(name)
        out.parent.mkdir(parents=True, exist_ok=True)
        effort = Effort(self.preset, seed=self.seed, folder=self.folder)
        if name.startswith(MODEL):
            fit = self.fit_of(name.removeprefix(MODEL), self.hands())
            carried_out(InPython(fit, fit), out, effort)
            return
        end = next((end for end in TARGETS if end and name.endswith(end)), "")
        contest = Contest(TARGETS[end], extra_layer="-EL" in name)
        start = load_exploiter(self.place(name.replace("-EL", "")))[0] if contest.extra_layer else None
        learner = Exploiter(load_opponents(self.place(MODEL + model_of(name))), contest, start, seed=self.seed)
        every = max(self.size.learning // ROWS, 10 * learner.learning.batch)
        carried_out(InPython(learner, ExploiterRun(learner, self.size.learning, every)), out, effort)


def _needs(name: str) -> tuple[str, ...]:
    """What must be there before."""
    if name.startswith(MODEL):
        return (MODEL + OM,) if name == MODEL + PT else ()
    return (MODEL + model_of(name), *((name.replace("-EL", ""),) if "-EL" in name else ()))


def _with_needs(names: Iterable[str]) -> list[str]:
    """Names and all that they need, what is needed first."""
    found: dict[str, None] = {}
    for name in names:
        if name != SELF_PLAY:
            found |= dict.fromkeys((*_with_needs(_needs(name)), name))
    return list(found)

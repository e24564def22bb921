"""The honest substitutes for table 5, whose agents cannot be had: one of ours as the expert, and its imitation.

fidelity   agreement on decisions kept apart, as a function of the number of hands learnt from, beside hand strength
           alone, and with each feature left out
loss       what the imitation loses to its expert over duplicate deals
mappings   how it fares when bets are read by the paper's mapping, and by Rand-psHar
run-off    a tournament of expert, imitation and simple agents, decided as the competition was
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from kibitz.agents.case_based import load_case_agent
from kibitz.agents.registry import load_agent
from kibitz.arena.executors import Executor, InProcess
from kibitz.arena.match import AgentSpec
from kibitz.arena.series import Series, play_series
from kibitz.arena.standings import Standings
from kibitz.errors import KibitzError
from kibitz.experiments.rubin2011.fidelity import ablate, agreement, ask, logged_matches, play_logged
from kibitz.games import Game, load_game
from kibitz.modelling.cases import (
    CaseIndex,
    Description,
    Similarity,
    build_cases,
    load_cases,
    load_strength,
    save_cases,
)
from kibitz.modelling.cases.strength import MADE_HAND, SARTRE_STRENGTH

GAME = "holdem-nolimit-2p"
MAPPINGS = ("rand-geo-1", "rand-psharmonic")  # the paper's, and the one of Ganzfried and Sandholm
FIELD = ("tight-aggressive-bluffing", "loose-aggressive-bluffing", "tight-passive", "loose-passive", "example-player")


@dataclass(frozen=True)
class Preset:
    """How much is done.

    expert    an agent by name or the folder of a strategy (`kibitz train` makes one)
    field     whom the expert plays while it is observed, beside itself
    points    numbers of hands to learn from, ascending
    held_out  hands whose decisions are asked
    deals     of each duplicate match
    match     hands of a log
    """

    expert: str
    field: tuple[str, ...]
    points: tuple[int, ...]
    held_out: int
    deals: int
    match: int
    strength: str


PRESETS: dict[str, Preset] = {
    "smoke": Preset("tight-aggressive", ("loose-passive", "example-player"), (150, 900), 150, 60, 150, MADE_HAND),
    "short": Preset("agents/quick-nolimit", FIELD, (1_000, 10_000, 50_000), 3_000, 2_500, 1_000, SARTRE_STRENGTH),
    "full": Preset(
        "agents/standard-nolimit",
        FIELD,
        (1_000, 10_000, 100_000, 500_000, 1_000_000),
        20_000,
        50_000,
        1_000,
        SARTRE_STRENGTH,
    ),
}


def find_preset(name: str) -> Preset:
    """The preset called `name`."""
    if name not in PRESETS:
        raise KibitzError(f"no preset {name!r}: there are {', '.join(PRESETS)}")
    return PRESETS[name]


class Imitation:
    """One expert, its logs in a folder, and the cases built from them.

    executor   plays the matches; results do not depend on which
    workers    processes that build cases
    """

    def __init__(
        self, preset: Preset, folder: Path, *, seed: int = 0, executor: Executor | None = None, workers: int = 1
    ) -> None:
        self.preset = preset
        self.folder = folder
        self.game: Game = load_game(GAME)
        self.description = Description(strength=preset.strength)
        self._seed = seed
        self._executor = executor or InProcess()
        self._workers = workers
        self._name = load_agent(preset.expert).name
        self._logs: list[Path] = []

    @property
    def _others(self) -> tuple[AgentSpec, ...]:
        return (*self.preset.field, self.preset.expert)

    def cases(self, hands: int) -> Path:
        """The cases of the expert in its first `hands` hands, which are played if they were not yet."""
        out = self.folder / f"{hands}.cases"
        if not out.exists():
            matches = logged_matches(
                self.game, self.preset.expert, self._others, hands, self.preset.match, self._seed, self.folder
            )
            have = len(self._logs)
            self._logs += self._executor.map(play_logged, islice(matches, have, None))
            logs = self._logs[: -(-hands // self.preset.match)]
            built = build_cases(logs, self._name, self.description, workers=self._workers)
            save_cases(built.base, out)
        return out

    def fidelity(self) -> dict[str, Any]:
        """Agreement on decisions that were kept apart, point by point, and with features left out at the last."""
        strength = load_strength(self.preset.strength)
        questions = ask(
            self.game, self.preset.expert, self._others, self.preset.held_out, self._seed + 10**6, self.description,
            strength,
        )  # fmt: skip
        curve = []
        for hands in self.preset.points:
            index = CaseIndex(load_cases(self.cases(hands)))
            alone = CaseIndex(index.base, Similarity(weights=(1, 0, 0, 0)))
            curve.append(
                {
                    "hands": hands,
                    "cases": len(index),
                    "imitation": asdict(agreement(index, questions)),
                    "strength only": asdict(agreement(alone, questions)),
                }
            )
        removed = {name: asdict(each) for name, each in ablate(index, questions).items()}
        return {"expert": self._name, "decisions": len(questions), "curve": curve, "ablations": removed}

    def _agent(self, **settings: str) -> AgentSpec:
        """The imitation with the most hands, as `arena` takes it."""
        path = self.cases(self.preset.points[-1])
        text = ",".join([str(path), *(f"{key}={value}" for key, value in settings.items())])
        return partial(load_case_agent, text)

    def _rates(self, agents: tuple[AgentSpec, ...]) -> Standings:
        series = Series(self.game, agents, self.preset.deals, seed=self._seed)
        return Standings(series, dict(play_series(series, self._executor)))

    def loss(self) -> dict[str, Any]:
        """What the imitation wins (it is less than nothing as a rule) from its expert, mbb/hand, by policy."""
        found = {}
        for policy in ("probabilistic", "majority", "best-outcome"):
            standings = self._rates((self._agent(policy=policy, name="imitation"), self.preset.expert))
            found[policy] = _estimate(standings, 0, 1)
        return {"unit": "mbb/hand", "deals": self.preset.deals, "imitation v expert": found}

    def mappings(self) -> dict[str, Any]:
        """What the imitation wins from the field, mbb/hand, by the mapping that reads bets at play."""
        found: dict[str, Any] = {}
        for mapping in MAPPINGS:
            agent = self._agent(mapping=mapping, name="imitation")
            found[mapping] = {
                other: _estimate(self._rates((agent, other)), 0, 1) for other in (*self.preset.field, "random")
            }
        return {"unit": "mbb/hand", "deals": self.preset.deals, "imitation v field": found}

    def run_off(self) -> dict[str, Any]:
        """A round-robin of imitation, expert and field: the run-off's rounds and ranking."""
        agents = (self._agent(name="imitation"), self.preset.expert, *self.preset.field)
        standings = self._rates(agents)
        names = standings.series.names
        rounds = [
            {
                "scores": {names[agent]: score for agent, score in zip(each.alive, each.scores, strict=True)},
                "dropped": names[each.dropped],
            }
            for each in standings.runoff.rounds
        ]
        return {"rounds": rounds, "ranking": [names[agent] for agent in standings.runoff.ranking]}


def _estimate(standings: Standings, row: int, column: int) -> dict[str, float]:
    estimate = standings.estimates[row, column][0]
    return {"mean": estimate.mean, "half_width": estimate.half_width}


PARTS: dict[str, Callable[[Imitation], dict[str, Any]]] = {
    "fidelity": Imitation.fidelity,
    "loss": Imitation.loss,
    "mappings": Imitation.mappings,
    "run-off": Imitation.run_off,
}


def run_preset(
    name: str, *, expert: str = "", seed: int = 0, executor: Executor | None = None, workers: int = 1
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every part of the substitutes, as it is done; `expert` instead of the preset's own."""
    preset = find_preset(name)
    if expert:
        preset = Preset(**{**asdict(preset), "expert": expert})
    with tempfile.TemporaryDirectory() as folder:
        imitation = Imitation(preset, Path(folder), seed=seed, executor=executor, workers=workers)
        for part, compute in PARTS.items():
            yield part, compute(imitation)

"""The honest substitutes for table 5, whose agents cannot be had: one of ours as the expert, and its imitation.

fidelity   agreement on decisions kept apart, as a function of the number of hands learnt from, beside hand strength
           alone, and with each feature left out
loss       what the imitation wins from its expert over duplicate deals: by policy, by hands, with features left out
mappings   what it wins from the field when bets are read by the paper's mapping, and by Rand-psHar, beside the expert
run-off    a tournament of expert, imitation and simple agents, decided as the competition was
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.agents.registry import load_agent
from kibitz.agents.strategic import StrategyAgent
from kibitz.arena.bankroll import instant_runoff
from kibitz.arena.series import describe_agent
from kibitz.experiments.published import Effort
from kibitz.experiments.rubin2011.fidelity import ABLATIONS, ALL, STRENGTH_ONLY, Answers, Exam, Judge, report, sit_exam
from kibitz.experiments.rubin2011.folder import Folder, Journal, Pair, Plan, play_pairs
from kibitz.experiments.rubin2011.presets import (
    EXPERT,
    IMITATION,
    Player,
    Preset,
    check_names,
    find_preset,
    load_players,
)
from kibitz.experiments.rubin2011.sessions import Inquiry, Session, read_questions, sessions, write_log, write_questions
from kibitz.games import load_game
from kibitz.modelling.cases import POLICIES, Description, build_cases, load_cases, load_strength, save_cases
from kibitz.modelling.cases.reuse import Reuse
from kibitz.parallel import Executor, InProcess, Processes
from kibitz.statistics import Estimate

GAME = "holdem-nolimit-2p"
MAPPINGS = ("rand-geo-1", "rand-psharmonic")  # the paper's, and the one of Ganzfried and Sandholm
_LOGS, _QUESTIONS, _MATCHES = range(3)  # seeds apart: what is asked was not learnt


class Imitation:
    """One expert, its hands in a folder, and the cases built from them.

    effort    its seed, the folder (a temporary one without any), and as many processes as it has threads
    rivals    more opponents, such as the folders of other strategies
    """

    def __init__(self, preset: Preset, effort: Effort, rivals: Iterable[str] = ()) -> None:
        self.preset = preset
        self.description = Description(strength=preset.strength)
        self._game = load_game(GAME)
        expert = load_agent(preset.expert)
        self._name = expert.name
        others = [*load_players("the field's", preset.field), *load_players("the rival", rivals)]
        check_names((*self._own_players(), *others))
        self._field = {player.name: player.text for player in others}
        self._seed = 3 * effort.seed
        self._workers = effort.threads
        self._tell = effort.tell
        made = expert.strategy.manifest if isinstance(expert, StrategyAgent) else {}
        plan = {"kibitz": __version__, **asdict(preset), "field": list(self._field), "seed": effort.seed}
        texts = {self._name: preset.expert, **self._field}
        agents = {f"agent {name}": describe_agent(text) for name, text in texts.items()}
        if effort.folder is None:
            self._temporary = tempfile.TemporaryDirectory()
        folder = effort.folder or Path(self._temporary.name)
        self._folder = Folder(folder, {**plan, "expert": self._name, "made": made, **agents})

    def _own_players(self) -> Iterator[Player]:
        """The expert and the imitation, by all the names they have in logs and matches."""
        for name in {EXPERT: None, self._name: None}:
            yield Player("the expert", name, self.preset.expert)
        for name in _manners(self.preset.points, str):
            yield Player("the imitation", name)

    @cached_property
    def _executor(self) -> Executor:
        load_strength(self.preset.strength).bucket((0, 4), ())  # tables are made once, not by every process
        return Processes(self._workers) if self._workers > 1 else InProcess()

    def _sessions(self, hands: int, which: int, paths: str) -> list[Session]:
        others = (*self._field.values(), self.preset.expert)
        pattern = Session(self._game, self.preset.expert, others, self.preset.log, seed=self._seed + which)
        return list(sessions(pattern, hands, paths))

    def _make(self, stage: str, work: Callable[[Any], Path], tasks: list[Any], paths: list[Path]) -> list[Path]:
        """The files at `paths`, those that are missing made by the tasks in their places."""
        missing = [task for task, path in zip(tasks, paths, strict=True) if not path.exists()]
        if missing:
            with self._folder.costing(stage):
                for done, _ in enumerate(self._executor.map(work, missing), len(tasks) - len(missing) + 1):
                    self._tell(stage, done, len(tasks))
        return paths

    def logs(self, hands: int) -> list[Path]:
        """Logs of the expert's first `hands` hands."""
        tasks = self._sessions(hands, _LOGS, str(self._folder.sub("logs") / "{:05}.log"))
        return self._make("logs", write_log, tasks, [task.path for task in tasks])

    def cases(self, hands: int) -> Path:
        """The cases of the expert in its first `hands` hands."""
        out = self._folder.sub("cases") / f"{hands}.cases"
        if not out.exists():
            logs = self.logs(hands)
            with self._folder.costing(f"cases of {hands:,} hands"):
                built = build_cases(
                    logs,
                    self._name,
                    self.description,
                    workers=self._workers,
                    progress=lambda read: self._tell("cases", read, hands),
                )
                save_cases(built.base, out)
        return out

    def questions(self) -> list[Path]:
        """Files of decisions from other cards than those of the logs."""
        paths = str(self._folder.sub("questions") / "{:05}.parquet")
        tasks = [Inquiry(each, self.description) for each in self._sessions(self.preset.held_out, _QUESTIONS, paths)]
        return self._make("questions", write_questions, tasks, [task.session.path for task in tasks])

    def fidelity(self) -> dict[str, Any]:
        """Agreement on decisions that were kept apart, point by point, and with features left out at the last."""
        points = self.preset.points
        cases = {point: self.cases(point) for point in reversed(points)}  # all logs are played in one go
        questions = tuple(self.questions())
        asked = [(point, weights) for point in points for weights in (ALL, STRENGTH_ONLY)]
        asked += [(points[-1], weights) for weights in ABLATIONS.values() if (points[-1], weights) not in asked]
        with self._folder.costing("fidelity"):
            exams = (Exam(cases[point], weights, questions) for point, weights in asked)
            found: dict[Any, Answers] = {}
            for key, answers in zip(asked, self._executor.map(sit_exam, exams), strict=True):
                found[key] = answers
                self._tell("fidelity", len(found), len(asked))
            curve = [
                {
                    "hands": point,
                    "cases": load_cases(cases[point]).cases,
                    "bytes": cases[point].stat().st_size,
                    "imitation": found[point, ALL],
                    "strength only": found[point, STRENGTH_ONLY],
                }
                for point in points
            ]
            removed = {name: found[points[-1], weights] for name, weights in ABLATIONS.items()}
            document = report(Judge(read_questions(questions), self._seed), curve, removed)
        return {"expert": self._name, "opponents": [*self._field, self._name], **document}

    def _agents(self) -> dict[str, str]:
        """Everybody who plays a match: the expert, the field, and the imitation in all its manners."""
        manners = _manners(self.preset.points, lambda hands: str(self.cases(hands)))
        return {EXPERT: self.preset.expert, **self._field, **manners}

    def _rates(self, pairs: list[Pair]) -> dict[Pair, Estimate]:
        """What the first of each pair wins from the second."""
        agents = self._agents()
        # The imitation as it is goes by several names; what it plays is played once.
        real = {pair: (IMITATION if agents[pair[0]] == agents[IMITATION] else pair[0], pair[1]) for pair in pairs}
        plan = Plan(self._game, self.preset.deals, self.preset.piece, self._seed + _MATCHES)
        journal = Journal(self._folder.path / "matches.jsonl")
        with self._folder.costing("matches"):
            found = play_pairs(plan, agents, real.values(), self._executor, journal, self._tell)
        return {pair: found[real[pair]] for pair in pairs}

    def loss(self) -> dict[str, Any]:
        """What the imitation wins (it is less than nothing as a rule) from its expert."""
        names = {
            "policies": {policy: f"policy {policy}" for policy in POLICIES},
            "hands": {str(point): f"{point} hands" for point in self.preset.points},
            "features": {name: name for name in ABLATIONS},
        }
        rates = self._rates([(name, EXPERT) for group in names.values() for name in group.values()])
        return {
            **self._unit,
            **{
                key: {label: rates[name, EXPERT].to_dict() for label, name in group.items()}
                for key, group in names.items()
            },
        }

    def mappings(self) -> dict[str, Any]:
        """What imitation and expert win from everybody, by the mapping with which the imitation reads bets."""
        rows = {mapping: f"mapping {mapping}" for mapping in MAPPINGS}
        rates = self._rates(
            [(row, other) for row in rows.values() for other in (*self._field, EXPERT)]
            + [(EXPERT, other) for other in self._field]
            + [(rows[mapping], IMITATION) for mapping in MAPPINGS[1:]]
        )
        found = {
            mapping: {other: rates[row, other].to_dict() for other in (*self._field, EXPERT)}
            for mapping, row in rows.items()
        }
        expert = {other: rates[EXPERT, other].to_dict() for other in self._field}
        against = {mapping: rates[rows[mapping], IMITATION].to_dict() for mapping in MAPPINGS[1:]}
        return {**self._unit, "imitation": found, "expert": expert, "against the first": against}

    def run_off(self) -> dict[str, Any]:
        """A round-robin of imitation, expert and some of the field: the run-off's rounds and ranking."""
        names = (IMITATION, EXPERT, *self.preset.run_off)
        table = np.full((len(names), len(names)), np.nan)
        rates = self._rates(list(combinations(names, 2)))
        for (one, other), estimate in rates.items():
            row, column = names.index(one), names.index(other)
            table[row, column], table[column, row] = estimate.mean, -estimate.mean
        result = instant_runoff(table)
        rounds = [
            {
                "scores": {names[agent]: score for agent, score in zip(each.alive, each.scores, strict=True)},
                "dropped": names[each.dropped],
            }
            for each in result.rounds
        ]
        return {**self._unit, "rounds": rounds, "ranking": [names[agent] for agent in result.ranking]}

    @property
    def _unit(self) -> dict[str, Any]:
        return {"unit": "mbb/hand", "deals": self.preset.deals}

    def part(self, name: str) -> dict[str, Any]:
        """One part of the document, from the folder if it is there already."""
        found: dict[str, Any] | None = self._folder.read(name)
        if found is None:
            found = PARTS[name](self)
            self._folder.write(name, found)
        return found

    @property
    def cost(self) -> dict[str, Any]:
        """Seconds that each stage has taken so far, of all processors and of the clock."""
        return self._folder.read("cost") or {}


def _manners(points: tuple[int, ...], cases: Callable[[int], str]) -> dict[str, str]:
    """The imitation in all its manners, by the names it has in matches; `cases` are those of so many hands."""
    best = cases(points[-1])
    weights = {name: ":".join(map(str, each)) for name, each in ABLATIONS.items()}
    return {
        IMITATION: best,
        **{f"policy {name}": best + f",policy={name}" * (name != Reuse.policy) for name in POLICIES},
        **{f"mapping {name}": best + f",mapping={name}" * (name != Reuse.mapping) for name in MAPPINGS},
        **{f"{point} hands": cases(point) for point in points},
        **{name: best + f",weights={each}" * (ABLATIONS[name] != ALL) for name, each in weights.items()},
    }


PARTS: dict[str, Callable[[Imitation], dict[str, Any]]] = {
    "fidelity": Imitation.fidelity,
    "loss": Imitation.loss,
    "mappings": Imitation.mappings,
    "run-off": Imitation.run_off,
}


def run(effort: Effort, expert: str = "", rivals: Iterable[str] = ()) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every part of the substitutes, as it is done, and what it cost; `expert` instead of the preset's own."""
    imitation = Imitation(find_preset(effort.preset, expert), effort, rivals)
    for name in PARTS:
        yield name, imitation.part(name)
    yield "cost", imitation.cost

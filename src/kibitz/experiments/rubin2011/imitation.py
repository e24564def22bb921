"""The honest substitutes for table 5, whose agents cannot be had: one of ours as the expert, and its imitation.

fidelity   agreement on decisions kept apart, as a function of the number of hands learnt from, beside hand strength
           alone, and with each feature left out
loss       what the imitation wins from its expert over duplicate deals: by policy, by hands, with features left out
mappings   what it wins from the field when bets are read by the paper's mapping, and by Rand-psHar, beside the expert
run-off    a tournament of expert, imitation and simple agents, decided as the competition was
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.agents.registry import load_agent
from kibitz.agents.strategic import StrategyAgent
from kibitz.arena.bankroll import instant_runoff
from kibitz.arena.chance import ACPC
from kibitz.arena.duplicate import DuplicateMatch, hands_per_deal, play_duplicate
from kibitz.arena.series import describe_agent
from kibitz.errors import KibitzError
from kibitz.experiments.ledger import open_ledger, work_folder
from kibitz.experiments.published import Effort
from kibitz.experiments.rubin2011.fidelity import ABLATIONS, ALL, STRENGTH_ONLY, Answers, Exam, Judge, report, sit_exam
from kibitz.experiments.rubin2011.presets import EXPERT, IMITATION, PRESETS, Player, Preset, check_names, load_players
from kibitz.experiments.rubin2011.sessions import Inquiry, Session, read_questions, split, write_log, write_questions
from kibitz.games import load_game
from kibitz.games.stakes import Stake, win_rate
from kibitz.modelling.cases import POLICIES, Description, build_cases, load_cases, load_strength, save_cases
from kibitz.modelling.cases.reuse import Reuse
from kibitz.statistics import Estimate, Moments, merge

GAME = "holdem-nolimit-2p"
MAPPINGS = ("rand-geo-1", "rand-psharmonic")  # the paper's, and the one of Ganzfried and Sandholm
Pair = tuple[str, str]  # two players by name; the first one's result counts
_LOGS, _QUESTIONS, _MATCHES = range(3)  # seeds apart: what is asked was not learnt


def preset_of(effort: Effort) -> Preset:
    """How much an effort does, and from which expert."""
    found = PRESETS[effort.preset]
    return replace(found, expert=effort.values_of("expert")[-1]) if effort.values_of("expert") else found


class Imitation:
    """One expert, its hands in a folder, and the cases built from them; what is there is not made again.

    effort   its seed, its folder, as many processes as it has threads, and as rivals more opponents, such as the
             folders of other strategies
    """

    def __init__(self, preset: Preset, effort: Effort) -> None:
        self.preset, self.effort = preset, effort
        self.description = Description(strength=preset.strength)
        self._game = load_game(GAME)
        expert = load_agent(preset.expert)
        self._name = expert.name
        others = [*load_players("the field's", preset.field), *load_players("the rival", effort.values_of("rival"))]
        check_names((*self._own_players(), *others))
        self._field = {player.name: player.text for player in others}
        self._seed = 3 * effort.seed
        made = expert.strategy.manifest if isinstance(expert, StrategyAgent) else {}
        plan = {"kibitz": __version__, **asdict(preset), "field": list(self._field), "seed": effort.seed}
        texts = {self._name: preset.expert, **self._field}
        agents = {f"agent {name}": describe_agent(text) for name, text in texts.items()}
        described = {**plan, "expert": self._name, "made": made, **agents}
        self.ledger = open_ledger("rubin2011", "imitation", described, effort, is_open=True)
        self._folder = work_folder(effort, effort.preset)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise KibitzError(f"cannot write {self._folder}: {error.strerror}; choose another folder") from None
        if self.ledger.path is not None:
            self.ledger.save(self.ledger.path)  # logs are of this plan, too

    def _own_players(self) -> Iterator[Player]:
        """The expert and the imitation, by all the names they have in logs and matches."""
        for name in {EXPERT: None, self._name: None}:
            yield Player("the expert", name, self.preset.expert)
        for name in _manners(self.preset.points, str):
            yield Player("the imitation", name)

    def sessions(self, hands: int, which: int, names: str) -> list[Session]:
        others = (*self._field.values(), self.preset.expert)
        pattern = Session(self._game, self.preset.expert, others, self.preset.log, seed=self._seed + which)
        return list(split(pattern, hands, str(self._folder / names)))

    def _make(self, stage: str, work: Callable[[Any], Any], tasks: Iterable[tuple[Path, Any]]) -> list[Path]:
        """The files of some tasks, those that are missing made."""
        wanted = dict(tasks)
        missing = [path for path in wanted if not path.exists()]
        begun = len(wanted) - len(missing) + 1
        for done, _ in enumerate(self.effort.executor.map(work, (wanted[path] for path in missing)), begun):
            self.effort.tell(stage, done, len(wanted))
        return list(wanted)

    def _count_strength(self) -> None:
        """Make the tables of hand strength once, not in every process."""
        load_strength(self.preset.strength).bucket((0, 4), ())

    def logs(self, hands: int) -> list[Path]:
        """Logs of the expert's first `hands` hands."""
        tasks = self.sessions(hands, _LOGS, "logs/{:05}.log")
        return self._make("logs", write_log, ((task.path, task) for task in tasks))

    def cases(self, hands: int) -> Path:
        """The cases of the expert in its first `hands` hands."""
        out = self._folder / "cases" / f"{hands}.cases"
        if not out.exists():
            out.parent.mkdir(exist_ok=True)
            effort, logs = self.effort, self.logs(hands)
            self._count_strength()

            def tell(read: int) -> None:
                effort.tell("cases", read, hands)

            built = build_cases(logs, self._name, self.description, workers=effort.threads, progress=tell)
            save_cases(built.base, out)
        return out

    def questions(self) -> list[Path]:
        """Files of decisions from other cards than those of the logs."""
        self._count_strength()
        tasks = self.sessions(self.preset.held_out, _QUESTIONS, "questions/{:05}.parquet")
        return self._make(
            "questions", write_questions, ((each.path, Inquiry(each, self.description)) for each in tasks)
        )

    def fidelity(self) -> dict[str, Any]:
        """Agreement on decisions that were kept apart, point by point, and with features left out at the last."""
        points = self.preset.points
        cases = {point: self.cases(point) for point in reversed(points)}  # all logs are played in one go
        questions = tuple(self.questions())
        asked = [(point, weights) for point in points for weights in (ALL, STRENGTH_ONLY)]
        asked += [(points[-1], weights) for weights in ABLATIONS.values() if (points[-1], weights) not in asked]
        exams = (Exam(cases[point], weights, questions) for point, weights in asked)
        found: dict[Any, Answers] = {}
        for key, answers in zip(asked, self.effort.executor.map(sit_exam, exams), strict=True):
            found[key] = answers
            self.effort.tell("fidelity", len(found), len(asked))
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

    def rates(self, pairs: Iterable[Pair]) -> dict[Pair, Estimate]:
        """What the first of each pair wins from the second, mbb/hand; matches are played and kept piece by piece."""
        manners, preset = _manners(self.preset.points, lambda hands: str(self.cases(hands))), self.preset
        agents = {EXPERT: preset.expert, **self._field, **manners}
        # The imitation as it is goes by several names; what it plays is played once.
        real = {pair: (IMITATION if agents[pair[0]] == agents[IMITATION] else pair[0], pair[1]) for pair in pairs}
        pieces = [
            (pair, number, min(preset.piece, preset.deals - start))
            for pair in dict.fromkeys(real.values())
            for number, start in enumerate(range(0, preset.deals, preset.piece))
        ]
        seed = self._seed + _MATCHES
        jobs = {
            f"{one} v {other}, piece {number}": partial(
                _play, DuplicateMatch(self._game, (agents[one], agents[other]), deals, seed, number, cards=ACPC)
            )
            for (one, other), number, deals in pieces
        }
        won: dict[Pair, list[Moments]] = {}
        for (pair, _number, _deals), sums in zip(
            pieces, self.ledger.measure(jobs, self.effort, "matches"), strict=True
        ):
            won.setdefault(pair, []).append(Moments(*map(int, sums)))
        stake, hands = Stake.of(self._game), hands_per_deal(self._game.players)
        return {pair: win_rate(merge(won[real[pair]]), stake, hands) for pair in real}

    def loss(self) -> dict[str, Any]:
        """What the imitation wins (it is less than nothing as a rule) from its expert."""
        names = {
            "policies": {policy: f"policy {policy}" for policy in POLICIES},
            "hands": {str(point): f"{point} hands" for point in self.preset.points},
            "features": {name: name for name in ABLATIONS},
        }
        rates = self.rates([(name, EXPERT) for group in names.values() for name in group.values()])
        found = {
            key: {label: rates[name, EXPERT].to_dict() for label, name in group.items()} for key, group in names.items()
        }
        return self._unit | found

    def mappings(self) -> dict[str, Any]:
        """What imitation and expert win from everybody, by the mapping with which the imitation reads bets."""
        rows = {mapping: f"mapping {mapping}" for mapping in MAPPINGS}
        rates = self.rates(
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
        for (one, other), estimate in self.rates(combinations(names, 2)).items():
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

    @cached_property
    def _parts(self) -> dict[str, Callable[[], dict[str, Any]]]:
        return {"fidelity": self.fidelity, "loss": self.loss, "mappings": self.mappings, "run-off": self.run_off}

    def part(self, name: str) -> dict[str, Any]:
        """One part of the document, from the ledger if it is there already."""
        return self.ledger.document(name, self._parts[name])


def _play(match: DuplicateMatch) -> list[float]:
    """The sums of a piece, of the first player."""
    found = play_duplicate(match)[0]
    return [found.count, found.total, found.squares]


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

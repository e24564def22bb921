"""The strategies of the case study, each in a folder of its own as soon as it is there: pools, responses and mimics."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import log
from pathlib import Path
from shutil import copytree
from typing import Any, NamedTuple, TypeVar

import numpy as np

from kibitz.agents import load_agent
from kibitz.experiments.bard2016.case_setting import ALGORITHM, GAME, TARGET, TUNING, CaseSetting
from kibitz.files import read_json, write_text
from kibitz.games.stakes import Stake
from kibitz.parallel.threads import stoppable_threads
from kibitz.plans import MANIFEST, carry_out
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.policy import policy_of
from kibitz.pools.making import fold_happy, noisy
from kibitz.pools.members import POOLS, Member, Named
from kibitz.pools.plan import BASE, PoolPlan
from kibitz.progress import Progress, silent
from kibitz.random import derive_seed
from kibitz.responses.robust import Method
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.opponents import opponent_strategy
from kibitz.responses.robust.respond import Run, as_opponent
from kibitz.responses.robust.roles import Roles, make_roles
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.problem import Problem, shared_problem
from kibitz.strategy import FrequentistModel, Strategy, load_strategy, save_strategy

CHUNK = 4  # iterations a step
INFLATED = 1.15  # how much more exploitable responses look after the iterations of tuning than at the end, about
STATIC = "static"  # the response to the pooled data of the small portfolio's opponents
Item = TypeVar("Item")


class Told(NamedTuple):
    """A response: P_max, and mbb/hand."""

    amount: float
    exploitation: float
    exploitability: float
    gap: float


@dataclass(eq=False)
class Players:
    """Who plays.

    folder    where strategies are kept
    """

    setting: CaseSetting
    folder: Path
    threads: int = 1
    tell: Progress = field(default=silent)

    @cached_property
    def problem(self) -> Problem:
        found = shared_problem(self.setting.problem())
        found.prepare(self.threads, self.tell)
        _ = found.vector
        return found

    @cached_property
    def roles(self) -> Roles:
        return make_roles(self.problem)

    @cached_property
    def milli(self) -> float:
        """mbb of a chip."""
        return Stake.of(self.problem.game).milli_per_chip

    def side_by_side(self, work: Callable[[Item], Any], items: list[Item], workers: int | None = None) -> None:
        """Do `work` for all items, some at a time; errors are raised when the others have ended."""
        with stoppable_threads(max(1, min(workers or self.threads, len(items)))) as (pool, _check):
            errors = [future.exception() for future in [pool.submit(work, item) for item in items]]
        for error in errors:
            if error is not None:
                raise error

    # Opponents.

    def make_members(self, pool: str) -> None:
        """The members of a pool; those by name are made strategies over the buckets, beside the others."""
        self.side_by_side(lambda make: make(pool), [self._make_pool, self._make_agents], 2)

    def _make_pool(self, pool: str) -> None:
        """Both pools have one equilibrium."""
        setting, folder = self.setting, self.folder / f"pool-{pool}"
        how: dict[str, Any] = {"game": GAME, "cards": setting.cards, "boards": setting.boards, "seed": setting.seed}
        how |= {"algorithm": ALGORITHM, "iterations": setting.members, "threads": self.threads}
        plan = PoolPlan(**how, pool=pool)  # type: ignore[arg-type]
        if pool != "A" and not folder.exists():
            copytree(self.folder / "pool-A" / BASE, folder / BASE)
        for report in carry_out(plan, folder, resume=(folder / CHECKPOINT).exists()):
            self.tell(f"pool {pool}: {report.stage}", 0, 0)

    def _make_agents(self, pool: str) -> None:
        members = [each.kind.agent for each in POOLS[pool] if isinstance(each.kind, Named)]
        names = {part for agent in members for part in parts_of(agent)[0]}
        if pool == "A":
            names |= {str(agent) for kind, agent in TUNING.values() if kind == "agent"}
        self.side_by_side(self._agent, sorted(names))

    def _agent(self, name: str) -> None:
        path = self.folder / "agents" / name
        if not (path / MANIFEST).is_file():
            policy = policy_of(load_agent(name), self.problem.game)
            self._save(opponent_strategy(policy, self.problem, self.setting.seed, self.setting.averaged), path)
            self.tell(f"agent {name}", 0, 0)

    def strategy(self, path: str) -> Strategy:
        """The strategy kept there."""
        found = load_strategy(self.folder / path)
        return Strategy(found.layout, np.asarray(found.values, dtype=np.float64), dict(found.manifest))

    def member(self, pool: str, member: Member) -> tuple[list[Strategy], tuple[int, ...]]:
        """A member as strategies over the buckets, and the hands after which the next one plays."""
        if isinstance(member.kind, Named):
            names, changes = parts_of(member.kind.agent)
            return [self.strategy(f"agents/{name}") for name in names], changes
        return [self.strategy(f"pool-{pool}/{member.name}")], ()

    def static(self, pool: str, member: Member) -> Strategy:
        """A member that does not change."""
        ((found,), _changes) = self.member(pool, member)
        return found

    def tuning(self, name: str) -> Strategy:
        """An opponent on which bandits are tuned."""
        kind, what = TUNING[name]
        if kind == "agent":
            return self.strategy(f"agents/{what}")
        base = self.strategy(f"pool-A/{BASE}")
        return noisy(base, float(what)) if kind == "noise" else fold_happy(base, int(what), 0.75)

    # Responses.

    def model(self, member: Member) -> FrequentistModel:
        """What is observed of a member of pool A; of one that changes, as much of each of its styles."""
        played, _changes = self.member("A", member)
        number = [each.name for each in POOLS["A"]].index(member.name)
        counts = np.zeros(self.roles.home.size)
        for part, strategy in enumerate(played):
            hands = self.setting.observed // len(played)
            counts += observe(self.problem.deal, strategy, hands, derive_seed(self.setting.seed, number, part)).counts
        return FrequentistModel(self.roles.home, counts)

    def make_responses(self) -> None:
        """A response to every member of pool A, with its mimic."""
        workers = max(1, round(self.threads * 0.65))  # both seats of each are solved side by side
        self.side_by_side(self._respond_to, list(POOLS["A"]), workers)

    def make_static(self, chosen: list[str]) -> None:
        """One response to the data of several members as if they were one player's."""
        if not self.is_made(STATIC):
            models = [self.model(each) for each in POOLS["A"] if each.name in chosen]
            pooled = FrequentistModel(self.roles.home, np.sum([each.counts for each in models], axis=0))
            self._respond(STATIC, as_opponent(pooled), max(1, self.threads // 2))

    def told(self, name: str) -> Told:
        """What is known of a response."""
        return Told(**read_json(self.folder / "experts" / name / "told.json"))

    def is_made(self, name: str) -> bool:
        """Whether a response is there."""
        return (self.folder / "experts" / name / "told.json").is_file()

    def _respond_to(self, member: Member) -> None:
        if not self.is_made(member.name):
            played, _changes = self.member("A", member)
            model = self.model(member)
            self._respond(member.name, Opponent(played[0], model) if len(played) == 1 else as_opponent(model), 1)

    def _respond(self, name: str, opponent: Opponent, threads: int) -> None:
        """Choose P_max, solve, and keep strategy and mimic."""
        folder = self.folder / "experts" / name
        tried: list[tuple[float, float]] = [tuple(each) for each in _read(folder / "tried.json")]
        iterations, tries = self.setting.tuning
        while len(tried) < tries:
            amount = next_amount(tried)
            found = self._solve(opponent, amount, iterations, threads).exploitability
            tried.append((amount, self.milli * found))
            write_text(folder / "tried.json", json.dumps(tried) + "\n")
        response = self._solve(opponent, next_amount(tried), self.setting.responses, threads)
        self._save(response.strategy, folder / "strategy")
        assert response.mimic is not None
        self._save(response.mimic, folder / "mimic")
        chips = (response.exploitation, response.exploitability, response.gap)
        told = Told(response.method.amount, *(self.milli * each for each in chips))
        write_text(folder / "told.json", json.dumps(told._asdict()) + "\n")
        self.tell(f"response to {name}: P_max {told.amount:.3f} loses {told.exploitability:.0f}", 0, 0)

    def _solve(self, opponent: Opponent, amount: float, iterations: int, threads: int) -> Any:
        """A response after so many iterations."""
        run = Run(
            self.roles, opponent, Method("dbr", amount), Solving(ALGORITHM, iterations, threads=threads), apart=True
        )
        while run.solver.iteration < iterations:
            run.solver.step(min(CHUNK, iterations - run.solver.iteration))
        return run.response()

    def _save(self, strategy: Strategy, path: Path) -> None:
        manifest = {**strategy.manifest, **self.problem.describe_cards()}
        save_strategy(Strategy(strategy.layout, strategy.values, manifest), path, "float32")


def parts_of(agent: str) -> tuple[list[str], tuple[int, ...]]:
    """The agents that one which changes is in turn, and after which hands.

    >>> parts_of("switch:always-call@1000@always-raise"), parts_of("always-call")
    ((['always-call', 'always-raise'], (1000,)), (['always-call'], ()))
    """
    parts = agent.removeprefix("switch:").split("@")
    return parts[::2], tuple(map(int, parts[1::2]))


def next_amount(tried: list[tuple[float, float]]) -> float:
    """The P_max to be tried next, by (P_max, exploitability in mbb/hand) of those that were: exploitability grows about
    exponentially in P_max.

    >>> next_amount([]), round(next_amount([(0.5, 115.0)]), 6), round(next_amount([(0.5, 50.0), (0.7, 130.0)]), 2)
    (0.5, 0.5, 0.67)
    """
    if not tried:
        return 0.5
    target = TARGET * INFLATED
    if len(tried) == 1:
        amount, found = tried[0]
        (low, below), (high, above) = sorted([(0.0, min(target, found) / 8), (amount, found)])
    else:
        (low, below), (high, above) = sorted(sorted(tried, key=lambda each: abs(log(each[1] / target)))[:2])
    slope = log(above / below) / (high - low) if above > below and high > low else 4.0
    nearest = min(tried, key=lambda each: abs(log(each[1] / target)))
    return float(np.clip(nearest[0] + log(target / nearest[1]) / slope, 0.02, 1.0))


def _read(path: Path) -> list[Any]:
    return list(read_json(path)) if path.is_file() else []

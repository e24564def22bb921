"""Making an expert: a robust response to an opponent, and the mimic by which the opponent is judged.

In games of three and more players, responses are by sampling to one opponent in all other seats. As the three-player
agents of Bard 2016 (appendix B.2), they are for an agent that does not learn at the table: no estimator of what an
expert would have won is known there, and exploitability is not defined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.games.stakes import Stake
from kibitz.plans import Artefact, Means, Run, kind_of
from kibitz.plans import Row as CurveRow
from kibitz.policy import policy_of
from kibitz.portfolios.files import Portfolio
from kibitz.portfolios.plan import EXPERTS, MIMIC, ExpertPlan, PortfolioPlan
from kibitz.responses.multiplayer import exploitation
from kibitz.responses.multiplayer.respond import restrict
from kibitz.responses.multiplayer.runs import SampledRun
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.opponents import opponent_strategy
from kibitz.responses.robust.respond import Run as Solution
from kibitz.responses.robust.respond import as_opponent
from kibitz.responses.robust.roles import Roles, make_roles
from kibitz.responses.robust.runs import FrontRun, ResponseRun, response_artefact
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.problem import Problem, problem_of
from kibitz.statistics import Estimate
from kibitz.strategy import FrequentistModel, Strategy, load_model, load_strategy, save_strategy


def begin_expert(plan: ExpertPlan, means: Means) -> Run:
    """Load the opponent and allocate what the response needs."""
    plan.problem.prepare(1, means.tell)
    return _Sampled(plan, means.folder) if plan.problem.game.players > 2 else _Robust(plan, means.folder)


class _Expert:
    """A response under way; what is kept of it has a mimic."""

    def __init__(self, run: Any, folder: Path | None) -> None:
        self.run, self.folder = run, folder
        self.step, self.arrays, self.restore = run.step, run.arrays, run.restore

    @property
    def done(self) -> int:
        """Iterations."""
        done: int = self.run.done
        return done


class _Robust(_Expert):
    """With two players: by iterations or at once; tuned if there is a target."""

    def __init__(self, plan: ExpertPlan, folder: Path | None) -> None:
        self.roles = make_roles(plan.problem)
        self.opponent = _observed(plan, self.roles)
        solving = Solving(iterations=plan.iterations or Solving.iterations, threads=plan.threads)
        if plan.target is None:
            super().__init__(ResponseRun(Solution(self.roles, self.opponent, plan.how, solving)), folder)
        else:
            how, chips = (self.roles, self.opponent, solving), plan.target / Stake.of(plan.problem.game).milli_per_chip
            super().__init__(FrontRun(how, plan.how, chips, is_limit=True), folder)

    def artefact(self, curve: Sequence[CurveRow]) -> Artefact:
        """The response; its mimic is the opponent itself if no model of it was solved."""
        run = self.run
        found = run.response() if isinstance(run, FrontRun) else run.response.response()
        mimic = found.mimic or replace(self.opponent.strategy, manifest={"algorithm": "mimic"})
        artefact = response_artefact(replace(found, mimic=mimic), self.roles, self.folder)
        return replace(artefact, made={**artefact.made, "amount": found.method.amount})


def _observed(plan: ExpertPlan, roles: Roles) -> Opponent:
    """What is known of an opponent, over the layout of the game, and what is observed of one that is no model."""
    folder, problem = Path(plan.opponent.partition(",")[0]), plan.problem
    if kind_of(folder) == "model":
        model = load_model(folder)
        model.layout.check_same(roles.home)
        return as_opponent(model)
    known = as_opponent(opponent_strategy(policy_of(load_agent(plan.opponent), problem.game), problem, plan.seed))
    if plan.observe is None:
        return known
    return known._replace(model=observe(roles.home_problem().deal, known.strategy, plan.observe, plan.seed))


class _Sampled(_Expert):
    """With three and more players."""

    def __init__(self, plan: ExpertPlan, folder: Path | None) -> None:
        known, self.home = _sampled_opponent(plan)
        self.opponent, self.amount = as_opponent(known), plan.how.amount
        super().__init__(SampledRun(restrict(plan.problem, self.opponent, plan.how, self.home), plan.sampling), folder)

    def artefact(self, curve: Sequence[CurveRow]) -> Artefact:
        """The response, with the opponent as its mimic."""
        found: Artefact = self.run.artefact(curve)
        found = replace(found, made={**found.made, "amount": self.amount})
        if self.folder is None:
            return found
        manifest = {**self.home.describe_cards(), "algorithm": "mimic"}
        save_strategy(replace(self.opponent.strategy, manifest=manifest), self.folder / MIMIC)
        return replace(found, parts=(MIMIC,))


def _sampled_opponent(plan: ExpertPlan) -> tuple[Strategy | FrequentistModel, Problem]:
    """What is known of the opponent, and the game with the cards in which that is."""
    folder, problem = Path(plan.opponent.partition(",")[0]), plan.problem
    if kind_of(folder) != "model":
        if plan.method == "dbr":
            raise KibitzError("a data-biased response with three or more players needs a model, as from logs")
        return opponent_strategy(policy_of(load_agent(plan.opponent)), problem, plan.seed), problem
    model = load_model(folder)
    if model.layout.tree.fingerprint != problem.tree.fingerprint:
        raise KibitzError(f"{folder} is a model of another game, or with another betting menu")
    return model, _home(problem, model.strategy)


def _home(problem: Problem, strategy: Strategy) -> Problem:
    return problem if strategy.layout.cards == problem.private.fingerprint else problem_of(strategy)


@dataclass(frozen=True)
class Row:
    """Against the mimic of one opponent, all experts are to be measured.

    plan   of the response to that opponent
    """

    plan: ExpertPlan
    mimic: Path
    experts: tuple[Path, ...]

    def __call__(self) -> list[list[float]]:
        """What each expert wins in thousandths of the stake, mean of all seats, and half its interval; exact with two
        players, else all are measured in the same hands.
        """
        problem, mimic = self.plan.problem, load_strategy(self.mimic)
        won: list[Estimate] = []
        if problem.game.players == 2:
            roles, stake = make_roles(problem), Stake.of(problem.game)
            for path in self.experts:
                mean = sum(roles.exploitation(load_strategy(path), mimic)) / 2
                won.append(Estimate(stake.milli_per_chip * mean, 0.0, 0, stake.unit))
        else:
            home, sampling = _home(problem, mimic), self.plan.sampling
            for path in self.experts:
                found = load_strategy(path)
                won.append(exploitation(problem, found, mimic, home, sampling.hands, sampling.seed))
        return [[each.mean, each.half_width] for each in won]


def gathered(plan: PortfolioPlan, results: Mapping[str, Any]) -> Portfolio:
    """The portfolio of all results; all experts play."""
    stake = Stake.of(plan.game_of_all[0].game)
    experts = []
    for name, agent in plan.found.agents.items():
        made, folder = results[f"{EXPERTS}/{name}"], f"{EXPERTS}/{name}"
        told: dict[str, Any] = {"name": name, "opponent": agent, "folder": folder, "mimic": f"{folder}/{MIMIC}"}
        told |= {"amount": made["amount"], **figures(made, stake.milli_per_chip)}
        experts.append(told | ({"imputation": made["imputation"]} if "imputation" in made else {}))
    names = tuple(plan.found.agents)
    table = np.array([results[f"against {name}"] for name in names], dtype=np.float64)
    return Portfolio(tuple(experts), table[:, :, 0], stake.unit, names, table[:, :, 1])


def figures(made: Mapping[str, Any], milli: float) -> dict[str, float | None]:
    """What an expert wins and risks, in thousandths of the stake; with three and more players there is no risk."""
    if isinstance(made["exploitation"], Mapping):
        return {"exploitation": made["exploitation"]["mean"], "exploitability": None}
    return {key: milli * made[key] for key in ("exploitation", "exploitability")}

"""Experts in games of three and more players: responses by sampling to one opponent in all other seats.

As the three-player agents of Bard 2016 (appendix B.2), they are for an agent that does not learn at the table: no
estimator of what an expert would have won is known there, and exploitability is not defined.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.plans import kind_of, rows_of
from kibitz.policy import policy_of
from kibitz.responses.multiplayer import exploitation
from kibitz.responses.multiplayer.respond import restrict
from kibitz.responses.multiplayer.runs import SampledRun
from kibitz.responses.robust.opponents import opponent_strategy
from kibitz.responses.robust.respond import as_opponent
from kibitz.responses.robust.runs import MIMIC
from kibitz.solvers.problem import Problem, problem_of
from kibitz.statistics import Estimate
from kibitz.strategy import FrequentistModel, Strategy, load_model, load_strategy, save_strategy

if TYPE_CHECKING:
    from kibitz.portfolios.members import Expert, Row


def respond_by_sampling(expert: Expert) -> None:
    """Leave the folder of an expert: its strategy, and the mimic of its opponent."""
    assert expert.sampling is not None
    known, home = _known(expert)
    opponent = as_opponent(known)
    game = restrict(expert.problem, opponent, expert.method, home)
    run = SampledRun(game, expert.sampling)
    list(rows_of(run))
    mimic = replace(opponent.strategy, manifest={**home.describe_cards(), "algorithm": "mimic"})
    save_strategy(mimic, expert.path / MIMIC)
    found = run.artefact([]).content
    manifest = {"opponent": expert.opponent, "amount": expert.method.amount, **found.manifest}
    save_strategy(Strategy(found.layout, found.values, manifest), expert.path / "strategy", str(found.values.dtype))


def figures_of(manifest: dict[str, Any]) -> dict[str, float | None]:
    """What the strategy of an expert says of itself, in thousandths of the stake."""
    return {"exploitation": manifest["exploitation"]["mean"], "exploitability": None}


def measure_by_sampling(row: Row) -> list[Estimate]:
    """What each expert wins from the mimic of one opponent, all in the same hands."""
    assert row.sampling is not None
    mimic, sampling = load_strategy(row.mimic), row.sampling
    home = _home(row.problem, mimic)
    return [
        exploitation(row.problem, load_strategy(path), mimic, home, sampling.hands, sampling.seed)
        for path in row.experts
    ]


def _known(expert: Expert) -> tuple[Strategy | FrequentistModel, Problem]:
    """What is known of the opponent, and the game with the cards in which that is."""
    folder, problem = Path(expert.opponent.partition(",")[0]), expert.problem
    if kind_of(folder) != "model":
        if expert.method.name == "dbr":
            raise KibitzError("a data-biased response with three or more players needs a model, as from logs")
        return opponent_strategy(policy_of(load_agent(expert.opponent)), problem, expert.seed), problem
    model = load_model(folder)
    if model.layout.tree.fingerprint != problem.tree.fingerprint:
        raise KibitzError(f"{folder} is a model of another game, or with another betting menu")
    return model, _home(problem, model.strategy)


def _home(problem: Problem, strategy: Strategy) -> Problem:
    return problem if strategy.layout.cards == problem.private.fingerprint else problem_of(strategy)

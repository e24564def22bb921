"""One expert of a portfolio: a robust response to an opponent, and the mimic by which the opponent is judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.games.stakes import Stake
from kibitz.plans import MANIFEST as STRATEGY_MANIFEST
from kibitz.plans import kind_of
from kibitz.policy import policy_of
from kibitz.portfolios.sampled import figures_of, measure_by_sampling, respond_by_sampling
from kibitz.responses.multiplayer import Sampling
from kibitz.responses.robust import Method, Response, respond
from kibitz.responses.robust.fronts import Point, UnreachableError, tune
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.opponents import opponent_strategy
from kibitz.responses.robust.respond import as_opponent
from kibitz.responses.robust.roles import Roles, make_roles
from kibitz.responses.robust.runs import MIMIC
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.problem import Problem
from kibitz.statistics import Estimate
from kibitz.strategy import FrequentistModel, Strategy, load_model, load_strategy, save_strategy

EXPERTS, STRATEGY = "experts", "strategy"


@dataclass(frozen=True)
class Expert:
    """An expert to be made; a value that can be sent to another process.

    name      of the opponent, and of the folder under `experts`
    opponent  an agent, or the folder of a strategy or model
    target    exploitability in chips per hand, or None where the method has its amount
    seed      of the boards on which agents of hold'em are averaged, and of observed hands
    observe   hands that are observed of an opponent that is no model, for data-biased responses; 0 for none
    sampling  of responses in games of three and more players, None with two
    """

    name: str
    opponent: str
    problem: Problem
    method: Method
    solving: Solving
    target: float | None
    seed: int
    observe: int
    folder: Path
    sampling: Sampling | None = None

    @property
    def path(self) -> Path:
        """Its folder."""
        return self.folder / EXPERTS / self.name


class Row(NamedTuple):
    """Against the mimic of one opponent, all experts are to be measured."""

    problem: Problem
    mimic: Path
    experts: tuple[Path, ...]
    sampling: Sampling | None = None


def make_expert(expert: Expert) -> dict[str, Any]:
    """Make an expert's folder, unless it is there; what the portfolio's manifest says of it.

    A response that was interrupted goes on from its last checkpoint.
    """
    path = expert.path
    if not ((path / MIMIC / STRATEGY_MANIFEST).is_file() and (path / STRATEGY / STRATEGY_MANIFEST).is_file()):
        try:
            if expert.sampling is None:
                _respond(expert)
            else:
                respond_by_sampling(expert)
        except KibitzError as error:
            raise KibitzError(f"opponent {expert.name}: {error}") from None
    made = load_strategy(path / STRATEGY).manifest
    return {
        "name": expert.name,
        "opponent": expert.opponent,
        "folder": f"{EXPERTS}/{expert.name}/{STRATEGY}",
        "mimic": f"{EXPERTS}/{expert.name}/{MIMIC}",
        "amount": made["amount"],
        **(_figures(made, expert.problem) if expert.sampling is None else figures_of(made)),
        **({"imputation": made["imputation"]} if "imputation" in made else {}),
    }


def measure_row(row: Row) -> list[Estimate]:
    """What each expert wins from a mimic, in thousandths of the stake, mean of all seats; exact with two players."""
    if row.sampling is not None:
        return measure_by_sampling(row)
    roles, mimic, stake = make_roles(row.problem), load_strategy(row.mimic), Stake.of(row.problem.game)
    won = (sum(roles.exploitation(load_strategy(path), mimic)) / 2 for path in row.experts)
    return [Estimate(stake.milli_per_chip * each, 0.0, 0, stake.unit) for each in won]


def known_opponent(text: str, problem: Problem, seed: int) -> Strategy | FrequentistModel:
    """What is known of an opponent, over the layout of `problem`."""
    folder = Path(text.partition(",")[0])
    if kind_of(folder) == "model":
        model = load_model(folder)
        model.layout.check_same(make_roles(problem).home)
        return model
    return opponent_strategy(policy_of(load_agent(text), problem.game), problem, seed)


def _figures(manifest: dict[str, Any], problem: Problem) -> dict[str, float]:
    milli = Stake.of(problem.game).milli_per_chip
    return {key: milli * manifest[key] for key in ("exploitation", "exploitability")}


def _respond(expert: Expert) -> None:
    problem = expert.problem
    roles, known = make_roles(problem), as_opponent(known_opponent(expert.opponent, problem, expert.seed))
    if expert.observe and known.model is None:
        counts = observe(roles.home_problem().deal, known.strategy, expert.observe, expert.seed)
        known = known._replace(model=counts)
    response = _solve(expert, roles, known)
    mimic = response.mimic or replace(known.strategy, manifest={"algorithm": "mimic"})
    made = {"opponent": expert.opponent, "amount": response.method.amount, **response.strategy.manifest}
    if response.imputation is not None:
        made["imputation"] = response.imputation.to_dict()
    made |= problem.describe_cards()
    save_strategy(Strategy(roles.played, response.strategy.values, made), expert.path / STRATEGY)
    cards = {**roles.home_problem().describe_cards(), **mimic.manifest}
    save_strategy(Strategy(mimic.layout, mimic.values, cards), expert.path / MIMIC)


def _solve(expert: Expert, roles: Roles, known: Opponent) -> Response:
    """The response, tuned where a target is given; where all of the model may be believed, all of it is."""
    found: dict[float, Response] = {}

    def point(method: Method) -> Point:
        if method.amount not in found:
            found[method.amount] = respond(roles, known, method, expert.solving)
        each = found[method.amount]
        return Point(method.amount, each.objective, each.exploitation, each.exploitability, each.gap)

    if expert.target is None:
        return respond(roles, known, expert.method, expert.solving)
    try:
        return found[[*tune(expert.method, point, expert.target)][-1].amount]
    except UnreachableError:
        if point(replace(expert.method, amount=1.0)).exploitability > expert.target:
            raise
    return found[1.0]

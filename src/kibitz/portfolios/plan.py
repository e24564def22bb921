"""Portfolios as plans: an expert for each opponent, then what all experts win from each opponent."""

from __future__ import annotations

import os
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from kibitz.errors import KibitzError
from kibitz.plans import HERE, Artefact, Cells, CellsPlan, Means, Plan, Run, setting
from kibitz.training.responding import ITERATIONS, Responding

if TYPE_CHECKING:
    from kibitz.plans.cells import Job
    from kibitz.portfolios.opponents import Opponents
    from kibitz.solvers.problem import Problem

EXPERTS, MIMIC = "experts", "mimic"


@dataclass(frozen=True, kw_only=True)
class _ForPortfolio(Responding, ABC):
    """Responses by a model; an expert that has been found is kept as it is."""

    method: Literal["rnr", "dbr"] = setting("rnr", "Kind of responses")
    iterations: int | None = setting(None, "Number of iterations", at_least=1, unsaid=ITERATIONS)


@dataclass(frozen=True)
class ExpertPlan(_ForPortfolio):
    """Compute a robust response to OPPONENT, as for a portfolio: OUT/mimic has what the opponent plays."""

    kind: ClassVar[str] = "adapt expert"

    opponent: str = setting(help="Who is responded to", argument=True, input="agent")
    like: str = setting("", "Folder whose game, menu and cards are meant", input="agent")

    @cached_property
    def problem(self) -> Problem:
        """The game with its menus and cards; plans of one portfolio share it."""
        from kibitz.solvers.problem import shared_problem
        from kibitz.training.opponents import choose_problem, load_known

        known = load_known(self.like) if self.like else None
        return shared_problem(choose_problem(self, self.game, {} if known is None else {self.like: known}))

    def begin(self, means: Means = HERE) -> Run:
        from kibitz.portfolios.making import begin_expert

        return begin_expert(self, means)


@dataclass(frozen=True)
class PortfolioPlan(_ForPortfolio, CellsPlan):
    """Compute a robust response to each of OPPONENTS, and what every response wins from every opponent.

    An opponent is an agent, or the folder of a strategy or model; NAME=OPPONENT names it. Agents that only play, such
    as one that changes its style, cannot be responded to: of a pool they are left out.

    The game is leduc where no opponent brings its own. Opponents must bet as the menu says. For one that makes other
    bets, log a match with it and give a model of those hands: `kibitz hands model build --menu` translates its bets.

    With three or more players the opponent sits in all other seats, responses are found and measured by sampling, and
    the portfolio does not learn at the table: it plays a fixed mixture of its experts.
    """

    kind: ClassVar[str] = "adapt build"

    opponents: tuple[str, ...] = setting((), help="Opponents", argument=True, input="opponent")
    pool: str = setting("", "Folder of a pool, whose members are opponents too", input="artefact")

    @cached_property
    def found(self) -> Opponents:
        """Who is responded to."""
        from kibitz.portfolios.opponents import find_opponents

        return find_opponents(self.opponents, self.pool)

    @cached_property
    def game_of_all(self) -> tuple[Problem, str]:
        """The game, and the folder that brought it, if any."""
        from kibitz.portfolios.opponents import game_of_all
        from kibitz.solvers.problem import shared_problem

        problem, like = game_of_all(self.found.agents, self)
        return shared_problem(problem), like

    def begin(self, means: Means = HERE) -> Cells:
        if means.folder is None:
            raise KibitzError("a portfolio is a folder: name it", settings=("out",))
        self._check()
        return super().begin(means)

    def _check(self) -> None:
        """Refuse settings that contradict each other, and what is too large."""
        from kibitz.responses.robust.roles import check_suitable
        from kibitz.training.memory import check_response_memory, check_sampled_response_memory

        problem, _like = self.game_of_all
        players = problem.game.players
        self.check(players)
        if players == 2:
            check_suitable(problem)
        if problem.menus and players == 2:  # the tree of what was seen has none, and is there already
            check_response_memory(problem, self.how.bytes_per_pair)
        elif problem.menus:
            check_sampled_response_memory(problem, self.sampling.storage, problem.size.pairs)

    def cells(self, means: Means, results: Mapping[str, Any]) -> Mapping[str, Job | Plan]:
        from kibitz.portfolios.making import Row

        assert means.folder is not None
        experts = {f"{EXPERTS}/{name}": self._expert(agent) for name, agent in self.found.agents.items()}
        if not experts.keys() <= results.keys():
            return experts
        places = {cell: Path(os.path.abspath(means.folder)) / cell for cell in experts}
        rows = {
            f"against {cell.partition('/')[2]}": Row(experts[cell], place / MIMIC, tuple(places.values()))
            for cell, place in places.items()
        }
        return experts | rows

    def _expert(self, agent: str) -> ExpertPlan:
        said = {name: value for name, value in self.describe().items() if name not in ("opponents", "pool")}
        _problem, like = self.game_of_all
        if not like:
            said["game"] = self.game or "leduc"
        return ExpertPlan(agent, like, **said)

    def gather(self, results: Mapping[str, Any], means: Means) -> Artefact:
        from kibitz.portfolios.files import portfolio_artefact
        from kibitz.portfolios.making import gathered

        found = portfolio_artefact(gathered(self, results))
        made = {"experts": len(self.found.agents), "left out": self.found.left_out}
        return Artefact(found.kind, found.about, made, found.arrays, parts=found.parts)

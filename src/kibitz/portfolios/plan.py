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

if TYPE_CHECKING:
    from kibitz.plans.cells import Job
    from kibitz.portfolios.opponents import Opponents
    from kibitz.responses.multiplayer import Sampling
    from kibitz.responses.robust import Method
    from kibitz.solvers.problem import Problem
    from kibitz.training.opponents import Asked

AMOUNTS = {"rnr": "p", "dbr": "p_max"}  # the setting that says how far a model is believed
BELIEVED = 0.5  # where neither that nor a target is given
TWO_ONLY, MORE_ONLY = ("target", "observe", "boards"), ("hands", "profile", "storage")  # players
EXPERTS, MIMIC = "experts", "mimic"


@dataclass(frozen=True, kw_only=True)
class _Responding(Plan, ABC):
    """How opponents are responded to."""

    game: str | None = setting(
        None, "Game, by name or file", unsaid="that of the opponents that are folders; leduc if none is", input="game"
    )
    menus: tuple[str, ...] = setting(
        (), "Menu of bet sizes, such as fcpa or '0.5, 1, all-in'; once for all players, or once for each",
        option="menu", unsaid="full",
    )  # fmt: skip
    suits: Literal["merged", "kept"] | None = setting(
        None, "Whether hands that differ only by a permutation of suits are merged; merging is lossless",
        unsaid="merged",
    )  # fmt: skip
    cards: tuple[str, ...] = setting(
        (), "Card abstraction of hold'em, such as 5-bucket or IR-100; once for all players, or once for each",
        unsaid="none, all hands are distinct",
    )  # fmt: skip
    boards: int | None = setting(
        None, "Number of sampled boards for the joint bucket distribution (--cards); 0 for all",
        at_least=0, at_most=10**9, unsaid="10,000",
    )  # fmt: skip
    method: Literal["rnr", "dbr"] = setting("rnr", "Kind of responses")
    p: float | None = setting(
        None, "Probability that the opponent plays the model (rnr)", at_least=0, at_most=1, unsaid=f"{BELIEVED}"
    )
    p_max: float | None = setting(
        None, "Largest probability, at any infoset, that it does so (dbr)", at_least=0, at_most=1, unsaid=f"{BELIEVED}"
    )
    target: float | None = setting(None, "Exploitability of every response", unit="mbb or milli-antes/hand", at_least=0)
    observe: int | None = setting(
        None, "Number of hands for which each opponent is observed that is not a model (dbr)",
        at_least=1, at_most=10**9,
    )  # fmt: skip
    iterations: int | None = setting(
        None, "Number of iterations", at_least=1, unsaid="2,000; 100,000 with three or more players"
    )
    hands: int | None = setting(
        None, "Number of hands to measure each seat with (three or more players)", at_least=2, at_most=10**9,
        unsaid="1,000,000",
    )  # fmt: skip
    profile: Literal["average", "current"] | None = setting(
        None, "Strategy that the responses play (three or more players)", unsaid="average"
    )
    storage: Literal["double", "single", "half"] | None = setting(
        None, "Precision of the sums, 16, 8 or 4 bytes a pair (three or more players)", unsaid="double"
    )
    seed: int = setting(
        0, "Seed for observed hands, sampled boards and card abstractions", at_least=0, at_most=2**64 - 1
    )

    @property
    def asked(self) -> Asked:
        """The game as it was asked for."""
        from kibitz.training.opponents import Asked

        return Asked(self.game, self.menus, self.suits, self.cards, self.boards, self.seed)

    @property
    def how(self) -> Method:
        """The method, with its amount unless there is a target."""
        from kibitz.responses.robust import Method

        amount = getattr(self, AMOUNTS[self.method])
        return Method(self.method, BELIEVED if amount is None else amount)

    @property
    def sampling(self) -> Sampling:
        """How responses are found and measured with three and more players."""
        from kibitz.responses.multiplayer import Sampling

        said = {name: getattr(self, name) for name in ("iterations", *MORE_ONLY) if getattr(self, name) is not None}
        return Sampling(**said, seed=self.seed)


@dataclass(frozen=True)
class ExpertPlan(_Responding):
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
        return shared_problem(choose_problem(self.asked, {} if known is None else {self.like: known}))

    def begin(self, means: Means = HERE) -> Run:
        from kibitz.portfolios.making import begin_expert

        return begin_expert(self, means)


@dataclass(frozen=True)
class PortfolioPlan(_Responding, CellsPlan):
    """Compute a robust response to each of OPPONENTS, and what every response wins from every opponent.

    An opponent is an agent, or the folder of a strategy or model; NAME=OPPONENT names it. Agents that only play, such
    as one that changes its style, cannot be responded to: of a pool they are left out.

    Opponents must bet as the menu says. For one that makes other bets, log a match with it and give a model of those
    hands: `kibitz hands model build --menu` translates its bets.

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

        problem, like = game_of_all(self.found.agents, self.asked)
        return shared_problem(problem), like

    def begin(self, means: Means = HERE) -> Cells:
        if means.folder is None:
            raise KibitzError("a portfolio is a folder: name it", settings=("out",))
        self._check()
        return super().begin(means)

    def _check(self) -> None:
        """Refuse settings that contradict each other or would do nothing, and what is too large."""
        from kibitz.responses.robust.roles import check_suitable
        from kibitz.training.memory import check_response_memory, check_sampled_response_memory

        (problem, _like), wanted = self.game_of_all, AMOUNTS[self.method]
        players = problem.game.players
        for name in TWO_ONLY if players > 2 else MORE_ONLY:
            if getattr(self, name) is not None:
                which = "two" if players > 2 else "three or more"
                raise KibitzError(f"--{name.replace('_', '-')} is for {which} players, not {players}")
        for name in AMOUNTS.values():
            if name != wanted and getattr(self, name) is not None:
                raise KibitzError(f"--{name.replace('_', '-')} is not for {self.method}")
        if self.target is not None and getattr(self, wanted) is not None:
            raise KibitzError(f"--target tunes --{wanted.replace('_', '-')}: give one of them")
        if self.observe is not None and self.method != "dbr":
            raise KibitzError(f"--observe is for dbr, not {self.method}")
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

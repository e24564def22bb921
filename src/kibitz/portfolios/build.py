"""Building a portfolio: experts one by one, each kept once it is there, then what they win from every mimic."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.agents.portfolios import MANIFEST
from kibitz.errors import KibitzError
from kibitz.files import is_empty, read_json, write_text
from kibitz.games.stakes import Stake
from kibitz.parallel import Executor, InProcess
from kibitz.portfolios.files import Portfolio, check_members, load_portfolio
from kibitz.portfolios.members import EXPERTS, STRATEGY, Expert, Row, make_expert, measure_row
from kibitz.responses.multiplayer import Sampling
from kibitz.responses.robust import Method
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.roles import check_suitable
from kibitz.responses.robust.runs import MIMIC
from kibitz.solvers.problem import Problem
from kibitz.statistics import Estimate
from kibitz.training.memory import check_response_memory, check_sampled_response_memory

PLAN = "plan.json"


@dataclass(frozen=True)
class PortfolioPlan:
    """What a portfolio is made of.

    problem    the game, menu and cards
    opponents  (name, agent or folder) of each; names are those of folders
    method     of the responses, with its amount unless there is a
    target     exploitability in chips per hand, by which the amount of every response is tuned
    observe    hands that data-biased responses see of each opponent that is no model
    sampling   of responses in games of three and more players; none with two
    """

    problem: Problem
    opponents: tuple[tuple[str, str], ...]
    method: Method = field(default_factory=lambda: Method("rnr", 0.5))
    solving: Solving = field(default_factory=Solving)
    target: float | None = None
    seed: int = 0
    observe: int = 0
    sampling: Sampling | None = None

    def __post_init__(self) -> None:
        names = [name for name, _opponent in self.opponents]
        if not names:
            raise KibitzError("a portfolio without opponents: name at least one")
        if twice := [name for name in names if names.count(name) > 1]:
            raise KibitzError(f"two opponents are called {twice[0]}: give names of their own, as in name=agent")
        if wrong := [name for name in names if "/" in name or "," in name or name.startswith(".") or not name]:
            raise KibitzError(f"{wrong[0]!r} cannot name a folder: give the opponent a name, as in name=agent")
        if self.problem.game.players == 2:
            check_suitable(self.problem)
        elif self.sampling is None:
            raise KibitzError(f"{self.problem.game.players} players: their responses are found by sampling")
        elif self.target is not None or self.observe:
            raise KibitzError("with three or more players there is no exploitability to aim at, and nobody is observed")

    @property
    def identity(self) -> dict[str, Any]:
        """All that decides what the experts are."""
        amount = {"target": self.target} if self.target is not None else self.method.describe()
        solved = self.solving.describe() if self.sampling is None else asdict(self.sampling)
        return {
            **self.problem.describe(),
            "opponents": [list(each) for each in self.opponents],
            **self.method.describe(),
            **amount,
            **solved,
            "seed": self.seed,
            "observe": self.observe,
        }

    def experts(self, folder: Path) -> list[Expert]:
        """The experts to be made."""
        how = (self.problem, self.method, self.solving, self.target, self.seed, self.observe, folder, self.sampling)
        return [Expert(name, opponent, *how) for name, opponent in self.opponents]


def build_portfolio(plan: PortfolioPlan, folder: Path, executor: Executor | None = None) -> Iterator[str]:
    """Build a portfolio in `folder`, yielding the name of every expert and every opponent as it is done.

    What an interrupted run has left is not made again; the result is the same to the byte. At the end all experts play.
    """
    executor = executor or InProcess()
    if plan.problem.menus and plan.sampling is None:
        check_response_memory(plan.problem, plan.method.bytes_per_pair)
    elif plan.problem.menus and plan.sampling is not None:
        check_sampled_response_memory(plan.problem, plan.sampling.storage, plan.problem.size.pairs)
    _claim(plan, folder)
    if (folder / MANIFEST).exists():
        check_members(load_portfolio(folder))
        return
    try:
        yield from _build(plan, folder, executor)
    except BaseException:
        if not (folder / EXPERTS).exists():  # nothing has come of it
            (folder / PLAN).unlink()
        raise


def _build(plan: PortfolioPlan, folder: Path, executor: Executor) -> Iterator[str]:
    made: list[dict[str, Any]] = []
    for told in executor.map(make_expert, plan.experts(folder)):
        made.append(told)
        yield told["name"]
    utilities: list[list[Estimate]] = []
    for row in executor.map(measure_row, rows(plan, folder)):
        utilities.append(row)
        yield made[len(utilities) - 1]["name"]
    names = tuple(each["name"] for each in made)
    means, half_widths = (
        np.array([[getattr(each, key) for each in row] for row in utilities]) for key in ("mean", "half_width")
    )
    unit = Stake.of(plan.problem.game).unit
    Portfolio(folder, _told(plan), tuple(made), means, unit, names, half_widths).save()


def steps(plan: PortfolioPlan) -> int:
    """How many names `build_portfolio` yields for a new portfolio."""
    return 2 * len(plan.opponents)


def rows(plan: PortfolioPlan, folder: Path) -> Sequence[Row]:
    """What is to be measured, opponent by opponent."""
    paths = [folder / EXPERTS / name for name, _opponent in plan.opponents]
    experts = tuple(each / STRATEGY for each in paths)
    return [Row(plan.problem, path / MIMIC, experts, plan.sampling) for path in paths]


def _told(plan: PortfolioPlan) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(json.dumps(plan.identity))
    return told


def _claim(plan: PortfolioPlan, folder: Path) -> None:
    """Take a folder that is empty, or holds the same portfolio in the making."""
    path = folder / PLAN
    if path.exists():
        try:
            found = read_json(path)
        except (OSError, ValueError) as error:
            raise KibitzError(f"{path} cannot be read: {error}") from None
        if found != _told(plan):
            raise KibitzError(
                f"{folder} holds another portfolio: give another folder, or the options it was begun with"
            )
    elif not is_empty(folder):
        raise KibitzError(f"{folder} exists and holds no portfolio: give another folder")
    else:
        write_text(path, json.dumps(_told(plan), indent=2) + "\n")

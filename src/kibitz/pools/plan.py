"""Pools as plans: members are cells, each an artefact in a folder of its own unless it is an agent by name."""

from __future__ import annotations

import os
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.plans import HERE, Artefact, Cells, CellsPlan, Means, Plan, on_threads, read_manifest, setting
from kibitz.solvers.plan import ProblemPlan

if TYPE_CHECKING:
    from kibitz.plans.cells import Job
    from kibitz.pools.making import MemberRun
    from kibitz.pools.members import Member
    from kibitz.solvers.problem import Problem

KIND = "pool"
BASE = "equilibrium"  # what some members are made from; kept where it is not a member too


@dataclass(frozen=True, kw_only=True)
class _Making(ProblemPlan, ABC):
    """How members are made."""

    game: str = setting("leduc", "Game with two players, by name or file", input="game")
    algorithm: Literal["cfr", "cfr+", "linear", "dcfr", "dcfr-3", "pcfr+"] = setting("cfr+", "Algorithm of equilibria")
    iterations: int = setting(1000, "Number of iterations for each equilibrium", at_least=1)
    threads: int = on_threads()

    @cached_property
    def problem(self) -> Problem:
        """The game with its menus and cards; plans of one pool share it."""
        from kibitz.solvers.problem import shared_problem

        game = load_game(self.game)
        if game.players != 2:
            raise KibitzError(f"pools are for two players, not {game.players}")
        return shared_problem(self.asked(game))

    def check(self) -> None:
        """Refuse what would do nothing, and what is too large."""
        from kibitz.solvers.registry import Options
        from kibitz.training.memory import check_memory

        self.check_cards(self.problem)
        check_memory(self.problem, self.algorithm, Options(threads=self.threads))


@dataclass(frozen=True)
class MemberPlan(_Making):
    """Make MEMBER, one of those in the pools.

    Those that are an equilibrium with something changed are made from one: --base.
    """

    kind: ClassVar[str] = "opponents pool member"

    member: str = setting(help="Name of the member, such as tilt-win-125", argument=True)
    base: str = setting("", "Folder of the equilibrium that it is made from", input="artefact")

    def begin(self, means: Means = HERE) -> MemberRun:
        from kibitz.pools.making import begin_member

        return begin_member(self, means)


@dataclass(frozen=True)
class PoolPlan(_Making, CellsPlan):
    """Make the members of POOL (A, B or C) for a game, each in a folder within --out unless it is an agent by name.

    Pool A is for training, pool B is held out, pool C has equilibria of three card abstractions.
    """

    kind: ClassVar[str] = "opponents pool make"

    pool: Literal["A", "B", "C"] = setting(help="Pool", argument=True)

    @property
    def members(self) -> tuple[Member, ...]:
        """Those who are in it."""
        from kibitz.pools.members import POOLS

        return POOLS[self.pool]

    def begin(self, means: Means = HERE) -> Cells:
        if means.folder is None:
            raise KibitzError("a pool is a folder: name it", settings=("out",))
        self.check()
        return super().begin(means)

    def cells(self, means: Means, results: Mapping[str, Any]) -> Mapping[str, Job | Plan]:
        from kibitz.pools.members import FROM_BASE, Named

        made = [each for each in self.members if not isinstance(each.kind, Named)]
        later = [each.name for each in made if isinstance(each.kind, FROM_BASE)]
        found: dict[str, Job | Plan] = {BASE: self._member(BASE)} if later else {}
        found |= {each.name: self._member(each.name) for each in made if each.name not in later}
        if BASE in results and means.folder is not None:
            base = os.path.abspath(means.folder / BASE)
            found |= {name: self._member(name, base) for name in later}
        return found

    def _member(self, name: str, base: str = "") -> MemberPlan:
        how = {key: value for key, value in self.describe().items() if key != "pool"}
        return MemberPlan(name, base, **how)

    def gather(self, results: Mapping[str, Any], means: Means) -> Artefact:
        from kibitz.games.stakes import Stake

        stake, members = Stake.of(self.problem.game), []
        for each in self.members:
            told = each.describe()
            if each.name in results:
                won = stake.milli_per_chip * results[each.name]["exploitability"]
                told |= {"exploitability": won, "unit": stake.unit, "agent": f"./{each.name}"}
            members.append(told)
        return Artefact(KIND, {"members": members}, {"members": len(members)}, parts=[*results])


class PoolMember(NamedTuple):
    """A member that can be played: `agent` is a name or the path of a folder, as `load_agent` takes them."""

    name: str
    agent: str
    made: dict[str, Any]


def load_pool(folder: Path) -> list[PoolMember]:
    """The members of the pool in `folder`."""
    members = read_manifest(folder, KIND)["about"]["members"]
    try:
        return [PoolMember(each["name"], _found(folder, each["agent"]), each) for each in members]
    except (KeyError, TypeError) as error:
        raise KibitzError(f"{folder} does not describe a pool: {error!r}") from None


def _found(folder: Path, agent: str) -> str:
    """The agent as others find it: folders of members are told from where the pool lies."""
    return str(folder / agent[2:]) if agent.startswith("./") else agent

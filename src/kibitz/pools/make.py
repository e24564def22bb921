"""Making a pool: a folder with a manifest and a folder for every member that has no name. What is there is kept."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz import __version__
from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.deals.joint import Boards, tied_showdowns
from kibitz.errors import KibitzError
from kibitz.files import is_empty, read_json, write_text
from kibitz.games.stakes import Stake
from kibitz.modelling.frequentist import Observation, build_model
from kibitz.parallel.threads import stoppable_threads
from kibitz.plans import MANIFEST as STRATEGY_MANIFEST
from kibitz.plans import kind_of
from kibitz.pools.members import POOLS, Coarse, Equilibrium, FoldHappy, Imitator, Member, Named, Noisy, Tilted
from kibitz.pools.solving import Iterating, coarse_problem, solve_coarse, solve_equilibrium
from kibitz.progress import silent
from kibitz.random import derive_seed
from kibitz.responses.best_response import measure
from kibitz.responses.robust.methods import check_share
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options
from kibitz.solvers.tilted import decided_weights, tilted_solvers, tilted_strategy
from kibitz.strategy import Strategy, load_strategy, save_model, save_strategy
from kibitz.training.memory import check_memory

Floats = npt.NDArray[np.float64]
MANIFEST = "pool.json"
BASE = "equilibrium"  # what most members are made from; kept where it is no member too


@dataclass(frozen=True)
class PoolPlan:
    """What a pool is made of.

    pool        a name of `POOLS`
    problem     the game, menu and cards
    iterations  of the equilibria
    algorithm   by which they are found
    seed        of the hands that imitators learn from
    """

    pool: str
    problem: Problem
    iterations: int = 1000
    algorithm: str = "cfr+"
    seed: int = 0
    threads: int = 1
    ties: tuple[Floats, ...] | None = field(default=None, repr=False, compare=False)  # `decided`, where it is known
    base: Path | None = None  # the equilibrium that members are made from, where another pool of the game has it

    @property
    def members(self) -> tuple[Member, ...]:
        """Those who are in it."""
        if self.pool not in POOLS:
            raise KibitzError(f"no pool {self.pool!r}: there are {', '.join(POOLS)}")
        return POOLS[self.pool]

    @cached_property
    def decided(self) -> tuple[Floats, ...]:
        """The weight of showdowns that are not ties, for tilted players."""
        problem = self.problem
        if self.ties is not None:
            return self.ties
        if not problem.cards:
            return decided_weights(problem.vector)
        boards = Boards.sampled(problem.boards, problem.seed) if problem.boards else Boards.all()
        return decided_weights(problem.vector, tied_showdowns(problem.abstractions, boards, self.threads))

    @property
    def options(self) -> Options:
        """Of solvers."""
        return Options(threads=self.threads, seed=self.seed)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """All that decides what the members are."""
        return {
            "pool": self.pool,
            **self.problem.describe(),
            "iterations": self.iterations,
            "algorithm": self.algorithm,
            "seed": self.seed,
        }


class PoolMember(NamedTuple):
    """A member that can be played: `agent` is a name or the path of a folder, as `load_agent` takes them."""

    name: str
    agent: str
    made: dict[str, Any]


def make_pool(plan: PoolPlan, folder: Path, workers: int = 1) -> Iterator[PoolMember]:
    """Make the members one by one, in order; those that are there already are not made again.

    A folder that holds another pool is refused. The manifest is complete when the last member is.

    workers   members that are made at the same time: they share the plan's threads
    """
    players = plan.problem.game.players
    if players != 2:
        raise KibitzError(f"pools are for two players, not {players}")
    check_memory(plan.problem, plan.algorithm, Options(threads=plan.threads))
    identity = json.loads(json.dumps(plan.identity))
    members = plan.members
    if (folder / MANIFEST).exists():
        if _read(folder)["identity"] != identity:
            raise KibitzError(f"{folder} holds another pool: give another folder")
    elif not is_empty(folder):
        raise KibitzError(f"{folder} exists and holds no pool: give another folder")
    found: list[PoolMember] = []
    _write(folder, identity, found)
    for made in _all_made(plan, members, folder, workers):
        found.append(made)
        _write(folder, identity, found)
        yield made


def _all_made(plan: PoolPlan, members: tuple[Member, ...], folder: Path, workers: int) -> Iterator[PoolMember]:
    if workers == 1:
        yield from (_make(plan, member, folder) for member in members)
        return
    plan.problem.prepare(plan.threads, silent)
    if any(isinstance(member.kind, Noisy | FoldHappy | Imitator) for member in members):
        _base(plan, folder)
    each = replace(plan, threads=max(1, plan.threads // workers))
    if any(isinstance(member.kind, Tilted) for member in members):
        each = replace(each, ties=plan.decided)
    with stoppable_threads(workers) as (pool, _check):
        yield from pool.map(lambda member: _make(each, member, folder), members)


def load_pool(folder: Path) -> list[PoolMember]:
    """The members of the pool in `folder`."""
    document = _read(folder)
    try:
        pool, members = document["identity"]["pool"], document["members"]
        if len(members) != len(POOLS[pool]):
            raise KibitzError(
                f"{folder} holds {len(members)} of {len(POOLS[pool])} members: `kibitz pool make` goes on"
            )
        return [PoolMember(each["name"], _absolute(folder, each["agent"]), each) for each in members]
    except (KeyError, TypeError) as error:
        raise KibitzError(f"{folder / MANIFEST} does not describe a pool: {error!r}") from None


def _absolute(folder: Path, agent: str) -> str:
    """The agent as others find it: folders of members are told from where the pool lies."""
    return str(folder / agent[2:]) if agent.startswith("./") else agent


def _make(plan: PoolPlan, member: Member, folder: Path) -> PoolMember:
    kind, made = member.kind, member.describe()
    if isinstance(kind, Named):
        return PoolMember(member.name, kind.agent, {**made, "agent": kind.agent})
    path = folder / member.name
    if isinstance(kind, Imitator):
        if kind_of(path) != "model":
            _imitate(plan, kind, folder, path)
        strategy = load_strategy(path)
    else:
        if not (path / STRATEGY_MANIFEST).is_file():
            save_strategy(_strategy(plan, member, folder), path)
            _iterating(plan, member.name, folder).discard()
        strategy = load_strategy(path)
    problem = coarse_problem(plan.problem, kind.buckets) if isinstance(kind, Coarse) else plan.problem
    stake, measured = Stake.of(problem.game), measure(problem, strategy)[0]  # in its own game
    made |= {"exploitability": stake.milli_per_chip * measured.exploitability, "unit": stake.unit}
    return PoolMember(member.name, str(path), {**made, "agent": f"./{member.name}"})


def _strategy(plan: PoolPlan, member: Member, folder: Path) -> Strategy:
    """The strategy of a member that is made from the equilibrium."""
    kind, problem, iterating = member.kind, plan.problem, _iterating(plan, member.name, folder)
    if isinstance(kind, Equilibrium):
        found = solve_equilibrium(problem, plan.algorithm, plan.options, kind.iterations or plan.iterations, iterating)
    elif isinstance(kind, Coarse):
        problem = coarse_problem(problem, kind.buckets)
        found = solve_coarse(plan.problem, kind.buckets, (plan.algorithm, plan.iterations, plan.options), iterating)
    elif isinstance(kind, Tilted):
        problem.prepare(plan.threads, silent)
        solvers = tilted_solvers(problem.vector, kind.tilt, plan.algorithm, plan.threads, plan.decided)
        for player, solver in enumerate(solvers):
            iterating.run(solver, plan.iterations, f"-{player}")
        found = tilted_strategy(solvers, kind.tilt)
    elif isinstance(kind, Noisy):
        found = noisy(_base(plan, folder), kind.share)
    else:
        assert isinstance(kind, FoldHappy)
        found = fold_happy(_base(plan, folder), kind.round, kind.share)
    manifest = {**found.manifest, **problem.describe_cards(), "member": member.describe()}
    return Strategy(found.layout, found.values, manifest)


def _base(plan: PoolPlan, folder: Path) -> Strategy:
    """The equilibrium that others are made from."""
    path = plan.base or folder / BASE
    if not (path / STRATEGY_MANIFEST).is_file():
        iterating = _iterating(plan, BASE, folder)
        found = solve_equilibrium(plan.problem, plan.algorithm, plan.options, plan.iterations, iterating)
        save_strategy(Strategy(found.layout, found.values, {**found.manifest, **plan.problem.describe_cards()}), path)
        iterating.discard()
    return load_strategy(path)


def noisy(strategy: Strategy, share: float) -> Strategy:
    """`strategy`, which at every information set takes a random action that often, all actions being as likely."""
    check_share(share, "the share")
    uniform = Strategy.uniform(strategy.layout).values
    values = (1 - share) * np.asarray(strategy.values) + share * uniform
    return Strategy(strategy.layout, values, {**strategy.manifest, "noise": share})


def fold_happy(strategy: Strategy, round_: int, share: float) -> Strategy:
    """`strategy`, which in one round folds that share of what it would not have folded to a bet.

    round_   from 0, or from -1 for the last
    """
    check_share(share, "the share")
    tree = strategy.layout.tree
    round_ %= tree.game.rounds
    result = Strategy(strategy.layout, np.array(strategy.values, dtype=np.float64), dict(strategy.manifest))
    for node in tree.decisions[tree.round[tree.decisions] == round_].tolist():
        if tree.actions[tree.first_child[node]] == "f":
            block = result.at(node)
            block *= 1 - share
            block[0] += share
    result.manifest["fold-happy"] = {"round": round_, "share": share}
    return result


def _iterating(plan: PoolPlan, name: str, folder: Path) -> Iterating:
    """The iterations of a member; their checkpoints lie beside its folder."""
    return Iterating(folder / f"{name}.checkpoint", {**plan.identity, "member": name})


def _imitate(plan: PoolPlan, kind: Imitator, folder: Path, path: Path) -> None:
    """Play the equilibrium against the probe, and keep its frequencies."""
    problem, names = plan.problem, (BASE, "probe")
    _base(plan, folder)
    match = MatchPlan(problem.game, kind.hands, derive_seed(plan.seed, kind.hands) % 2**32, names)
    lines: list[str] = []
    seeds = [derive_seed(plan.seed, kind.hands, seat) for seat in range(2)]
    play_locally(match, [load_agent(str(plan.base or folder / BASE)), load_agent("probe")], seeds, lines.append)
    with tempfile.TemporaryDirectory() as beside:
        log = Path(beside) / f"{path.name}.log"
        log.write_text("\n".join(lines) + "\n")
        save_model(build_model([log], Observation((BASE,)), problem, game=problem.game).model, path)


def _read(folder: Path) -> dict[str, Any]:
    try:
        document = read_json(folder / MANIFEST)
    except FileNotFoundError:
        raise KibitzError(f"{folder} holds no pool: there is no {MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise KibitzError(f"{folder / MANIFEST} cannot be read: {error}") from None
    if not isinstance(document, dict) or "identity" not in document:
        raise KibitzError(f"{folder / MANIFEST} does not describe a pool")
    return document


def _write(folder: Path, identity: dict[str, Any], members: list[PoolMember]) -> None:
    document = {"kibitz": __version__, "identity": identity, "members": [each.made for each in members]}
    write_text(folder / MANIFEST, json.dumps(document, indent=2) + "\n")

"""Making a member of a pool: iterations of the solvers it needs, if any, and what is made of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.deals.joint import Boards, tied_showdowns
from kibitz.errors import KibitzError
from kibitz.modelling.frequentist import Observation, build_model
from kibitz.plans import Artefact, Means, Report, Row
from kibitz.pools.members import FROM_BASE, Coarse, Equilibrium, FoldHappy, Imitator, Member, Named, Noisy, Tilted
from kibitz.pools.members import member as member_called
from kibitz.pools.plan import BASE
from kibitz.random import derive_seed
from kibitz.responses.best_response import measure
from kibitz.responses.robust.coarse import CoarseRoles
from kibitz.responses.robust.methods import check_share
from kibitz.solvers.base import Solver
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options, make_solver
from kibitz.solvers.tilted import decided_weights, tilted_solvers, tilted_strategy
from kibitz.strategy import Strategy, load_strategy
from kibitz.strategy.classes import lifted
from kibitz.strategy.files import model_artefact, strategy_artefact

if TYPE_CHECKING:
    from kibitz.pools.plan import MemberPlan

Floats = npt.NDArray[np.float64]
Parts = tuple[Sequence[Solver], Callable[[], Strategy]]
PIECE_SECONDS = 0.5  # of a step, about: Ctrl-C waits for its end

_decided: WeakKeyDictionary[Problem, tuple[Floats, ...]] = WeakKeyDictionary()


def begin_member(plan: MemberPlan, means: Means) -> MemberRun:
    """Load and allocate what a member needs."""
    made = member_called(plan.member)
    if isinstance(made.kind, Named):
        raise KibitzError(f"{made.name} is the agent {made.kind.agent}: there is nothing to be made")
    if isinstance(made.kind, FROM_BASE) != bool(plan.base):
        is_needed = "is made from an equilibrium: name its folder" if not plan.base else "is made from nothing else"
        raise KibitzError(f"{made.name} {is_needed}", settings=("base",))
    problem, options = plan.problem, Options(threads=plan.threads)
    if isinstance(made.kind, Coarse) and problem.cards:
        problem = replace(problem, cards=f"{made.kind.buckets}-bucket")
    problem.prepare(plan.threads, means.tell)
    few = made.kind.iterations if isinstance(made.kind, Equilibrium) else None
    return MemberRun(plan, made, problem, few or plan.iterations, *_parts(made, problem, plan, options))


def _parts(made: Member, problem: Problem, plan: MemberPlan, options: Options) -> Parts:
    """The solvers of a member, and what makes its strategy when they are done."""
    kind, algorithm = made.kind, plan.algorithm
    if isinstance(kind, Tilted):
        solvers = tilted_solvers(problem.vector, kind.tilt, algorithm, options.threads, _decided_of(problem, options))
        return solvers, lambda: tilted_strategy(solvers, kind.tilt)
    if isinstance(kind, Coarse) and not problem.cards:
        return _coarse(problem, kind.buckets, algorithm, options)
    if isinstance(kind, Equilibrium | Coarse):
        solver = make_solver(algorithm, problem, options)
        return [solver], solver.average_strategy
    found = load_strategy(plan.base, problem.vector.layout)
    if isinstance(kind, Noisy):
        return [], lambda: noisy(found, kind.share)
    if isinstance(kind, FoldHappy):
        return [], lambda: fold_happy(found, kind.round, kind.share)
    return [], lambda: found  # an imitator, which plays against it


class MemberRun:
    """Does so many iterations of one solver after the other; then comes the member, measured in its own game."""

    def __init__(
        self,
        plan: MemberPlan,
        made: Member,
        problem: Problem,
        iterations: int,
        solvers: Sequence[Solver],
        strategy: Callable[[], Strategy],
    ) -> None:
        self.plan, self.made, self.problem, self.iterations = plan, made, problem, iterations
        self.solvers, self.strategy = solvers, strategy
        self._count = 1

    @property
    def done(self) -> int:
        """Iterations of all solvers."""
        return sum(solver.iteration for solver in self.solvers)

    def step(self) -> Report | None:
        """About half a second of iterations."""
        for solver in self.solvers:
            if left := self.iterations - solver.iteration:
                begun = perf_counter()
                solver.step(min(self._count, left))
                self._count = 2 * self._count if perf_counter() - begun < PIECE_SECONDS / 2 else self._count
                return Report(self.done, self.iterations * len(self.solvers), self.made.name)
        return None

    def arrays(self) -> Mapping[str, Any]:
        return {
            f"{at}-{name}": found for at, solver in enumerate(self.solvers) for name, found in solver.arrays().items()
        }

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        for at, solver in enumerate(self.solvers):
            own = {name.partition("-")[2]: found for name, found in arrays.items() if name.startswith(f"{at}-")}
            solver.restore(min(max(done - at * self.iterations, 0), self.iterations), own)

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """A strategy, or a model of one that imitates."""
        if isinstance(self.made.kind, Imitator):
            found = self._imitate(self.made.kind)
        else:
            strategy = self.strategy()
            manifest = {**strategy.manifest, **self.problem.describe_cards(), "member": self.made.describe()}
            found = strategy_artefact(Strategy(strategy.layout, strategy.values, manifest))
        plays = found.content if isinstance(found.content, Strategy) else found.content.strategy
        measured = measure(self.problem, plays)[0]
        figures = {"exploitability": measured.exploitability, "measured in": "its own game"}
        return replace(found, made={**found.made, **figures})

    def _imitate(self, kind: Imitator) -> Artefact:
        """Play the equilibrium against the probe, and keep its frequencies."""
        problem, seed = self.problem, self.plan.seed
        match = MatchPlan(problem.game, kind.hands, derive_seed(seed, kind.hands) % 2**32, (BASE, "probe"))
        lines: list[str] = []
        seeds = [derive_seed(seed, kind.hands, seat) for seat in range(2)]
        play_locally(match, [load_agent(self.plan.base), load_agent("probe")], seeds, lines.append)
        with tempfile.TemporaryDirectory() as beside:
            log = Path(beside) / f"{self.made.name}.log"
            log.write_text("\n".join(lines) + "\n")
            return model_artefact(build_model([log], Observation((BASE,)), problem, game=problem.game).model)


def _decided_of(problem: Problem, options: Options) -> tuple[Floats, ...]:
    """The weight of showdowns that are not ties, for tilted players."""
    if problem not in _decided:
        ties = None
        if problem.cards:
            boards = Boards.sampled(problem.boards, problem.seed) if problem.boards else Boards.all()
            ties = tied_showdowns(problem.abstractions, boards, options.threads)
        _decided[problem] = decided_weights(problem.vector, ties)
    return _decided[problem]


def _coarse(problem: Problem, buckets: int, algorithm: str, options: Options) -> Parts:
    """An equilibrium of a small game with percentile cards for both players, told for all its cards."""
    name = f"{buckets}-bucket"
    game, classes = CoarseRoles(problem, (name, name, name), (name,)).symmetric(name)
    solver = CFR(game, algorithm, options.alternating, options.threads)

    def made() -> Strategy:
        found, layout = solver.average_strategy(), problem.vector.layout
        values = np.zeros(layout.size)
        for player in range(2):
            lifted(found.values, found.layout, layout, player, classes[player].of, values)
        return Strategy(layout, values, {**found.manifest, "buckets": buckets})

    return [solver], made


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

"""The family of algorithms around BETS: run after run, ranges follow the sizes and the tree follows the ranges.

name     ranges of a decision   they move           what grows
bets     any                    not at all          nothing: one run
re       one                    by a fixed width    every range that fits           (Hawkin 2014, algorithm 2)
red      one                    by a fixed ratio    every range that fits           (algorithm 5)
redm     any                    by a fixed ratio    every range that fits           (algorithms 6 and 7)
refined  any                    by a fixed ratio    pruned once, after the first run (algorithms 8 to 11)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, get_args

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.solvers.bets.abstraction import BetAbstraction
from kibitz.solvers.bets.boards import BoardBets
from kibitz.solvers.bets.build import Growth, Transformation
from kibitz.solvers.bets.importance import find_important
from kibitz.solvers.bets.profile import weigh
from kibitz.solvers.bets.ranges import Range, centre_growth, centre_width, range_of_bets
from kibitz.solvers.bets.sampled import SampledBets
from kibitz.solvers.bets.sizing import Mean, Rule
from kibitz.solvers.bets.tree import BetTree
from kibitz.solvers.bets.vector import VectorBets
from kibitz.solvers.problem import Problem

Floats = npt.NDArray[np.float64]
Form = Literal["vector", "boards", "sampled"]
BetSolver = VectorBets | BoardBets | SampledBets
REPORTS = 10  # per run


class Recipe(NamedTuple):
    """How the ranges of the next run come from the sizes of the last."""

    moves: Literal["", "width", "growth"]
    growth: Growth = "every-range"
    prunes: bool = False
    one_range: bool = False


ALGORITHMS: Mapping[str, Recipe] = {
    "bets": Recipe(""),
    "re": Recipe("width", one_range=True),
    "red": Recipe("growth", one_range=True),
    "redm": Recipe("growth"),
    "refined": Recipe("growth", "bottom-range", prunes=True),
}


@dataclass(frozen=True)
class Plan:
    """What to learn and how.

    problem     where the cards come from; its menus do not matter
    iterations  per run: T of the thesis
    runs        R; bets has one
    extras      refined: bets kept beyond one per decision
    form        "vector" (all deals at once), "boards" (all deals of one board an iteration; buckets may forget) or
                "sampled" (one deal an iteration, as in the thesis)
    growth      ratio of the pots at both ends of a moved range; by default that of the only default range, or of the
                range that five bets to the stack make
    rule, horizon, mean   None for the form's own
    device      where the vector form works; both find the same sizes, to rounding
    weighed     deals on which a run finds the importance of its bets; one of sampled deals has it already
    settle      end a run when its important bets have stopped moving (they are asked ten times a run)
    stop        end when in two runs following each other no important bet ended at an end of its range
    """

    transformation: Transformation
    problem: Problem
    algorithm: str = "refined"
    iterations: int = 1000
    runs: int = 5
    extras: int = 25
    form: Form = "vector"
    seed: int = 0
    growth: float | None = None
    rule: Rule | None = None
    horizon: float | None = None
    mean: Mean | None = None
    threads: int = 1
    device: Literal["cpu", "gpu"] = "cpu"
    weighed: int = 20_000
    settle: bool = False
    stop: bool = False

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise KibitzError(f"no algorithm {self.algorithm!r}: one of {', '.join(ALGORITHMS)}")
        if self.form not in get_args(Form):
            raise KibitzError(f"form {self.form!r}: one of {', '.join(get_args(Form))}")
        if self.iterations < 1 or self.runs < 1 or self.extras < 0:
            raise KibitzError("at least one iteration, one run and no fewer than 0 extra bets")
        if self.recipe.one_range and max(map(len, self.transformation.ranges)) > 1:
            raise KibitzError(f"{self.algorithm} moves one range per decision: take redm or refined for several")
        if self.form == "vector" and not self.problem.is_measurable:
            raise KibitzError(f"cards {self.problem.cards}: buckets that forget have no vector form, take boards")

    @property
    def recipe(self) -> Recipe:
        return ALGORITHMS[self.algorithm]

    @property
    def pot_ratio(self) -> float:
        """P of equation 6.7."""
        defaults = {each for seat in self.transformation.ranges for each in seat}
        if self.growth is not None:
            return self.growth
        if len(defaults) == 1:
            return defaults.pop().growth
        game = self.transformation.game
        return range_of_bets(game.stacks[0] / game.big_blind, 5).growth

    def describe(self) -> dict[str, Any]:
        """What identifies the plan in a file."""
        return {
            "algorithm": self.algorithm,
            "form": self.form,
            "iterations": self.iterations,
            "extras": self.extras,
            "seed": self.seed,
            "pot ratio": self.pot_ratio,
            "weighed": self.weighed,
            **{name: getattr(self, name) for name in ("rule", "horizon", "mean") if getattr(self, name) is not None},
            **self.problem.describe_cards(),
        }


class Report(NamedTuple):
    """Where a plan stands.

    run, iteration   from 1, of the run
    tree, sizes      learnt so far in this run
    pinned           int8[sizers]: -1 or 1 at an end of the range
    result           at the end of a run, what it found; unpruned the same before the first pruning
    solver           at the end of a run, who found it
    """

    run: int
    iteration: int
    tree: BetTree
    sizes: Floats
    pinned: npt.NDArray[np.int8]
    result: BetAbstraction | None = None
    unpruned: BetAbstraction | None = None
    solver: BetSolver | None = None


def make_solver(plan: Plan, tree: BetTree) -> BetSolver:
    """The solver of one run."""
    chosen: dict[str, Any] = {
        name: getattr(plan, name) for name in ("rule", "horizon", "mean") if getattr(plan, name) is not None
    }
    if plan.form == "sampled":
        return SampledBets(tree, plan.problem.sampled_deal, plan.seed, **chosen)
    if plan.form == "boards":
        return BoardBets(tree, plan.problem.sampled_deal, plan.seed, **chosen)
    if plan.device == "gpu":
        from kibitz.solvers.bets.gpu import CardBets

        return CardBets(tree, plan.problem.deal, **chosen)
    return VectorBets(tree, plan.problem.deal, threads=plan.threads, **chosen)


class Memory(Protocol):
    """Something that keeps a run that is under way."""

    def load(self, run: int, solver: BetSolver) -> None:
        """Bring `solver` to where it was in this run, if it was."""

    def save(self, run: int, solver: BetSolver) -> None:
        """Keep where it is."""


def learn(plan: Plan, before: BetAbstraction | None = None, memory: Memory | None = None) -> Iterator[Report]:
    """Run after run, with reports on the way; the last report of a run has its result.

    before   what the last finished run found, to go on from there
    """
    run = 1 if before is None else int(before.made["run"]) + 1
    free = 0  # runs in a row in which no important bet was pinned
    while run <= (plan.runs if plan.recipe.moves else 1):
        tree = plan.transformation.build() if before is None else next_tree(plan, before)
        solver = make_solver(plan, tree)
        if memory is not None:
            memory.load(run, solver)
        seen = [solver.sizes()]
        for part in range(1, REPORTS):
            count = plan.iterations * part // REPORTS - solver.iteration
            if count > 0:
                solver.step(count)
                if memory is not None:
                    memory.save(run, solver)
                seen.append(solver.sizes())
                yield Report(run, solver.iteration, tree, seen[-1], solver.sizing.pinned(solver.iteration))
                if plan.settle and len(seen) > 3 and _is_settled(solver, seen[-3]):
                    break
        else:
            solver.step(plan.iterations - solver.iteration)
        report = finish(plan, run, solver)
        yield report
        before = report.result
        assert before is not None
        free = free + 1 if not _is_pinned(before, report.pinned) else 0
        if plan.stop and free >= 2:
            return
        run += 1


def finish(plan: Plan, run: int, solver: BetSolver) -> Report:
    """The last report of a run."""
    tree, sizes, pinned = solver.tree, solver.sizes(), solver.sizing.pinned(solver.iteration)
    made = {**plan.describe(), "run": run, "iteration": solver.iteration}
    found = BetAbstraction(plan.transformation, tree, sizes, _importance(plan, solver), made)
    if not (plan.recipe.prunes and run == 1):
        return Report(run, solver.iteration, tree, sizes, pinned, found, solver=solver)
    kept = found.restricted(find_important(tree, found.importance, plan.extras))
    places = [tree.keys[each.key] for each in kept.tree.sizers]
    return Report(run, solver.iteration, kept.tree, kept.sizes, pinned[places], kept, found, solver)


def _importance(plan: Plan, solver: BetSolver) -> Floats:
    if isinstance(solver, SampledBets):
        return solver.importance()
    deal = plan.problem.sampled_deal
    return weigh(solver.tree, deal, solver.average_strategy(), solver.sizes(), plan.weighed, plan.seed).importance


def next_tree(plan: Plan, before: BetAbstraction) -> BetTree:
    """The tree of the next run: every range moved onto its size, then the tree made to fit."""
    return plan.transformation.build(moved_ranges(plan, before), plan.recipe.growth)


def moved_ranges(plan: Plan, before: BetAbstraction) -> dict[str, Range]:
    """Ranges around the sizes found, by key."""
    made, moved = plan.transformation, {}
    for each, size in zip(before.tree.sizers, before.sizes, strict=True):
        if plan.recipe.moves == "growth":
            moved[each.key] = centre_growth(float(size), plan.pot_ratio)
        else:
            default = made.special.get(each.key) or made.ranges[each.seat][each.number]
            moved[each.key] = centre_width(float(size), default.width)
    return moved


def _is_settled(solver: BetSolver, before: Floats) -> bool:
    """Whether the ten most important bets moved less than 0.005 pots since then, or are within 0.02 of an end.

    The thesis chooses the number of iterations by looking at them so (section 5.5); the numbers are ours.
    """
    sizes, ranges = solver.sizes(), [each.range for each in solver.tree.sizers]
    top = np.argsort(-solver.sizing.absolute(solver.iteration), kind="stable")[:10]
    moved = np.abs(sizes - before) >= 0.005
    inside = [low + 0.02 < size < high - 0.02 for size, (low, high) in zip(sizes, ranges, strict=True)]
    return not (moved & inside)[top].any()


def _is_pinned(found: BetAbstraction, pinned: npt.NDArray[np.int8], share: float = 0.1) -> bool:
    """Whether one of the most important bets ended at an end of its range."""
    top = found.ranking()[: max(1, round(share * len(found.sizes)))]
    return bool(pinned[top].any())

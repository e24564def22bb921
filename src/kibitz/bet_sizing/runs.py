"""The runs of a plan: ranges follow the sizes, and the tree follows the ranges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.abstraction import BetAbstraction
from kibitz.bet_sizing.plan import SizingPlan
from kibitz.bet_sizing.ranges import SizeRange, centre_growth, centre_width
from kibitz.bet_sizing.sampled import BoardBets, SampledBets
from kibitz.bet_sizing.tree import BetTree
from kibitz.bet_sizing.value import weigh
from kibitz.bet_sizing.vector import VectorBets
from kibitz.errors import KibitzError

Floats = npt.NDArray[np.float64]
BetSolver = VectorBets | BoardBets | SampledBets
REPORTS = 10  # per run
FREE = "runs without pinned bets"  # in the file of a run: how many there were in a row, by which a plan may end
_TO_SETTLE = 2_000  # deals on which a run under way finds its important bets


class Report(NamedTuple):
    """Where a plan stands.

    run, iteration   from 1, of the run
    tree, sizes      learnt so far in this run
    at_bound         int8[sizers]: -1 at the lower, 1 at the upper bound of the range
    result           at the end of a run, what it found; unpruned the same before the first pruning
    solver           at the end of a run, who found it
    """

    run: int
    iteration: int
    tree: BetTree
    sizes: Floats
    at_bound: npt.NDArray[np.int8]
    result: BetAbstraction | None = None
    unpruned: BetAbstraction | None = None
    solver: BetSolver | None = None


def make_solver(plan: SizingPlan, tree: BetTree) -> BetSolver:
    """The solver of one run."""
    chosen: dict[str, Any] = {
        name: getattr(plan, name) for name in ("rule", "horizon", "mean") if getattr(plan, name) is not None
    }
    if plan.form == "sampled":
        return SampledBets(tree, plan.problem.sampled_deal, plan.seed, **chosen)
    if plan.form == "boards":
        return BoardBets(tree, plan.problem.sampled_deal, plan.seed, **chosen)
    if plan.device == "gpu":
        from kibitz.bet_sizing.gpu import GpuBets

        return GpuBets(tree, plan.problem.deal, **chosen)
    return VectorBets(tree, plan.problem.deal, threads=plan.threads, **chosen)


class Memory(Protocol):
    """Something that keeps a run that is under way."""

    def load(self, run: int, solver: BetSolver) -> None:
        """Bring `solver` to where it was in this run, if it was."""

    def save(self, run: int, solver: BetSolver) -> None:
        """Keep where it is."""


def learn(plan: SizingPlan, before: BetAbstraction | None = None, memory: Memory | None = None) -> Iterator[Report]:
    """Run after run, with reports on the way; the last report of a run has its result.

    before   what the last finished run found, to go on from there
    """
    run = 1 if before is None else int(before.made["run"]) + 1
    while run <= (plan.runs if plan.recipe.moves else 1) and not (plan.stop and _free_runs(before) >= 2):
        tree = plan.transformation.build() if before is None else next_tree(plan, before)
        solver = make_solver(plan, tree)
        if memory is not None:
            memory.load(run, solver)
        for part in range(1, REPORTS):
            count = plan.iterations * part // REPORTS - solver.iteration
            if count > 0:
                solver.step(count)
                settled = plan.settle and _is_settled(plan, solver, part)
                solver.sizing.mark(solver.iteration)
                if memory is not None and not settled:  # or a run that goes on from here would miss its end
                    memory.save(run, solver)
                yield Report(run, solver.iteration, tree, solver.sizes(), solver.sizing.at_bound(solver.iteration))
                if settled:
                    break
        else:
            solver.step(plan.iterations - solver.iteration)
        report = finish(plan, run, solver, _free_runs(before))
        yield report
        before = report.result
        run += 1


def finish(plan: SizingPlan, run: int, solver: BetSolver, free: int) -> Report:
    """The last report of a run, before which `free` in a row had no important bet at an end of its range."""
    tree, sizes, at_bound = solver.tree, solver.sizes(), solver.sizing.at_bound(solver.iteration)
    made = {**plan.describe(), "run": run, "iteration": solver.iteration}
    found = BetAbstraction(plan.transformation, tree, sizes, _importance(plan, solver, plan.weighed), made)
    unpruned = None
    if plan.recipe.prunes and run == 1:
        unpruned, found = found, found.restricted(find_important(tree, found.importance, plan.extras))
        at_bound = at_bound[[tree.keys[each.key] for each in found.tree.sizers]]
    found = replace(found, made={**made, FREE: 0 if _is_at_bound(found, at_bound) else free + 1})
    return Report(run, solver.iteration, found.tree, found.sizes, at_bound, found, unpruned, solver)


def _free_runs(before: BetAbstraction | None) -> int:
    return 0 if before is None else int(before.made.get(FREE, 0))


def _importance(plan: SizingPlan, solver: BetSolver, deals: int) -> Floats:
    if isinstance(solver, SampledBets):
        return solver.importance()
    deal = plan.problem.sampled_deal
    return weigh(solver.tree, deal, solver.average_strategy(), solver.sizes(), deals, plan.seed).importance


def next_tree(plan: SizingPlan, before: BetAbstraction) -> BetTree:
    """The tree of the next run: every range moved onto its size, then the tree made to fit."""
    return plan.transformation.build(moved_ranges(plan, before), plan.recipe.growth)


def moved_ranges(plan: SizingPlan, before: BetAbstraction) -> dict[str, SizeRange]:
    """Ranges around the sizes found, by key."""
    made, moved = plan.transformation, {}
    for each, size in zip(before.tree.sizers, before.sizes, strict=True):
        if plan.recipe.moves == "growth":
            moved[each.key] = centre_growth(float(size), plan.pot_ratio)
        else:
            default = made.special.get(each.key) or made.ranges[each.seat][each.number]
            moved[each.key] = centre_width(float(size), default.width)
    return moved


def _is_settled(plan: SizingPlan, solver: BetSolver, part: int) -> bool:
    """Whether the ten most important bets moved less than 0.005 pots in two parts, or are within 0.02 of an end.

    The thesis chooses the number of iterations by looking at them so (section 5.5); the numbers are ours.
    """
    if part < 3 or plan.iterations * (part - 2) // REPORTS < solver.sizing.warmup:
        return False  # sizes that may not move yet have not settled
    sizes, ranges = solver.sizes(), [each.range for each in solver.tree.sizers]
    top = np.argsort(-_importance(plan, solver, _TO_SETTLE), kind="stable")[:10]
    moved = np.abs(sizes - solver.sizing.marked) >= 0.005
    inside = [low + 0.02 < size < high - 0.02 for size, (low, high) in zip(sizes, ranges, strict=True)]
    return not (moved & inside)[top].any()


def _is_at_bound(found: BetAbstraction, at_bound: npt.NDArray[np.int8], share: float = 0.1) -> bool:
    """Whether one of the most important bets ended at an end of its range."""
    top = found.ranking()[: max(1, round(share * len(found.sizes)))]
    return bool(at_bound[top].any())


def find_important(tree: BetTree, importance: Floats, extras: int) -> set[str]:
    """The keys of the bets to keep: the most important one of every decision, and `extras` more (algorithm 8).

    The extras are taken one by one from decisions that are still there, so that as many survive as there can be; the
    thesis may lose some in subtrees that fall with another bet. A bet of no importance is not kept.
    """
    if extras < 0:
        raise KibitzError(f"{extras} extra bets: at least 0")
    decisions: dict[int, list[int]] = {}
    for i, each in enumerate(tree.sizers):
        decisions.setdefault(int(tree.shape.parent[each.node]), []).append(i)
    best = {max(group, key=lambda i: (importance[i], -i)) for group in decisions.values()}
    keep = {i for i in best if importance[i] > 0}
    pool = sorted((i for i in range(len(tree.sizers)) if i not in best), key=lambda i: (-importance[i], i))
    above = _bets_above(tree)
    while extras > 0:
        chosen = next((i for i in pool if importance[i] > 0 and above[i] <= keep), None)
        if chosen is None:
            break
        keep.add(chosen)
        pool.remove(chosen)
        extras -= 1
    return {tree.sizers[i].key for i in keep if above[i] <= keep}


def _bets_above(tree: BetTree) -> list[set[int]]:
    """For every bet-sizing player those that must have bet before it."""
    shape = tree.shape
    met: list[frozenset[int]] = [frozenset()]
    for node in range(1, len(shape)):
        before = met[int(shape.parent[node])]
        met.append(before | {int(tree.sizer[node])} if tree.sizer[node] >= 0 else before)
    return [set(met[int(shape.parent[each.node])]) for each in tree.sizers]

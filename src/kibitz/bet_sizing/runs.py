"""The runs of a plan: ranges follow the sizes, and the tree follows the ranges."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import plans
from kibitz.bet_sizing.abstraction import BetAbstraction, bets_document, read_bets
from kibitz.bet_sizing.files import bets_artefact
from kibitz.bet_sizing.plan import Report, SizingPlan
from kibitz.bet_sizing.ranges import SizeRange, centre_growth, centre_width
from kibitz.bet_sizing.sampled import BoardBets, SampledBets
from kibitz.bet_sizing.tree import BetTree
from kibitz.bet_sizing.value import weigh
from kibitz.bet_sizing.vector import VectorBets
from kibitz.errors import FormatError, KibitzError
from kibitz.files import parse_json
from kibitz.plans import Artefact, Row

Floats = npt.NDArray[np.float64]
BetSolver = VectorBets | BoardBets | SampledBets
PARTS = 10  # of a run; at the end of each it may have settled
PIECE_SECONDS = 0.5  # of a step, about
BEST = 10  # bets of a row
UNUSED = 1e-9  # chips: the importance of a bet that is as good as never made
FREE = "runs without pinned bets"  # in the file of a run: how many there were in a row, by which a plan may end
FINISHED, MEMORY = "finished", ("regret", "average", "sizers")  # arrays of a checkpoint, those of every solver
_TO_SETTLE = 2_000  # deals on which a run under way finds its important bets


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


class SizingRun:
    """Run after run of a plan.

    results    of the finished runs; unpruned is that of the first before its bets were pruned
    solver     of the run under way, None between two of them
    last       where it stands
    before     what the last of earlier runs found, to go on from there
    """

    def __init__(self, plan: SizingPlan, before: BetAbstraction | None = None) -> None:
        self.plan, self.earlier = plan, before
        self.results: list[BetAbstraction] = []
        self.unpruned: BetAbstraction | None = None
        self.solver: BetSolver | None = None
        self.last: Report | None = None
        self._rate = 0.0  # iterations a second of the last piece
        self._tree = None if self._is_over() else self._next_tree()  # a plan without one is refused at once

    @property
    def before(self) -> BetAbstraction | None:
        """What the last finished run found."""
        return self.results[-1] if self.results else self.earlier

    @property
    def run(self) -> int:
        """The number of the run under way, or of the next one."""
        return 1 if self.before is None else int(self.before.made["run"]) + 1

    @property
    def done(self) -> int:
        """Iterations of all runs."""
        finished = sum(int(each.made["iteration"]) for each in self.results)
        return finished + (self.solver.iteration if self.solver is not None else 0)

    @property
    def goal(self) -> int:
        """Iterations of all runs, unless some end early."""
        runs = self.plan.runs if self.plan.recipe.moves else 1
        return (runs - (self.run - 1 - len(self.results))) * self.plan.iterations

    def step(self) -> plans.Report | None:
        """About half a second of iterations; at the end of a run also what it found."""
        if self._is_over():
            return None
        plan, solver = self.plan, self._begun()
        ends = [plan.iterations * part // PARTS for part in range(1, PARTS + 1)]
        part = next(number for number, end in enumerate(ends, 1) if end > solver.iteration)
        left = ends[part - 1] - solver.iteration
        count = min(left, max(1, int(PIECE_SECONDS * self._rate)))
        start = perf_counter()
        solver.step(count)
        self._rate = count / max(perf_counter() - start, 1e-6)
        is_over = count == left and part == PARTS
        if count == left and part < PARTS:
            is_over = plan.settle and _is_settled(plan, solver, part)
            solver.sizing.mark(solver.iteration)
        return self._report(solver, is_over)

    def _is_over(self) -> bool:
        plan = self.plan
        runs = plan.runs if plan.recipe.moves else 1
        return self.run > runs or (plan.stop and _free_runs(self.before) >= 2)

    def _begun(self) -> BetSolver:
        """The solver of the run under way."""
        if self.solver is None:
            tree, self._tree = self._tree if self._tree is not None else self._next_tree(), None
            self.solver = make_solver(self.plan, tree)
        return self.solver

    def _next_tree(self) -> BetTree:
        return self.plan.transformation.build() if self.before is None else next_tree(self.plan, self.before)

    def _report(self, solver: BetSolver, is_over: bool) -> plans.Report:
        run, row = self.run, None
        if is_over:
            self.last = finish(self.plan, run, solver, _free_runs(self.before))
            row = row_of(self.last) | (dict(self.plan.measure(self.last)) if self.plan.measure is not None else {})
            assert self.last.result is not None
            self.results.append(self.last.result)
            self.unpruned, self.solver = self.last.unpruned or self.unpruned, None
        else:
            at_bound = solver.sizing.at_bound(solver.iteration)
            self.last = Report(run, solver.iteration, solver.tree, solver.sizes(), at_bound)
        bound = int((self.last.at_bound != 0).sum())
        return plans.Report(
            self.done, self.goal, f"run {run}: {len(self.last.tree.sizers)} bets, {bound} at a bound", row
        )

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Those of the solver, and what the finished runs found as JSON, in bytes."""
        names = MEMORY + (("prediction",) if self.plan.form == "vector" else ())
        kept: dict[str, npt.NDArray[Any]] = {name: np.empty(0) for name in names}
        told = {"runs": [bets_document(each) for each in self.results], "iteration": 0, "unpruned": None}
        if self.solver is not None:
            told["iteration"], kept = self.solver.iteration, kept | self.solver.arrays()
        if self.unpruned is not None:
            told["unpruned"] = bets_document(self.unpruned)
        text = json.dumps(told).encode() if self.done else b""
        return {**kept, FINISHED: np.frombuffer(text, dtype=np.uint8)}

    def restore(self, _done: int, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on after the finished runs, within the one that was under way."""
        if not arrays[FINISHED].size:
            return
        where = "a run of the checkpoint"
        try:
            told = parse_json(arrays[FINISHED].tobytes())
            self.results = [read_bets(each, where) for each in told["runs"]]
            self.unpruned = None if told["unpruned"] is None else read_bets(told["unpruned"], where)
            iteration, self._tree = int(told["iteration"]), None
        except KibitzError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise FormatError(f"{where} is damaged: {type(error).__name__} {error}") from None
        if not iteration:
            return
        solver = self._begun()
        for name, array in solver.arrays().items():
            if arrays[name].shape != array.shape:
                raise FormatError(f"{where} is damaged: its array {name!r} has another size")
        solver.restore(iteration, dict(arrays))

    def artefact(self, _curve: Sequence[Row]) -> Artefact:
        """The sizes of all runs."""
        seat = self.plan.seat
        return bets_artefact({seat: self.results}, {} if self.unpruned is None else {seat: self.unpruned})


def learn(plan: SizingPlan, before: BetAbstraction | None = None) -> Iterator[Report]:
    """Run after run, in memory alone, with reports on the way; the last report of a run has its result.

    before   what the last finished run found, to go on from there
    """
    run = SizingRun(plan, before)
    while run.step() is not None:
        assert run.last is not None
        yield run.last


def row_of(report: Report) -> dict[str, Any]:
    """A finished run as a row of the curve: counts of its bets, and the most important ones."""
    assert report.result is not None
    return {
        "run": report.run,
        "iterations": report.iteration,
        "bets": len(report.tree.sizers),
        "extras": report.tree.extras,
        "nodes": len(report.tree.shape),
        "lower": int((report.at_bound < 0).sum()),
        "upper": int((report.at_bound > 0).sum()),
        # Bets that nobody makes learn nothing; so do bets on a plateau, such as a size that nobody calls.
        "unused": int((report.result.importance <= UNUSED).sum()),
        "best": report.result.table(BEST),
    }


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
    if part < 3 or plan.iterations * (part - 2) // PARTS < solver.sizing.warmup:
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

"""What to learn of bet sizes and how: the family of algorithms around BETS.

name     ranges of a decision   they move           what grows
bets     any                    not at all          nothing: one run
re       one                    by a fixed width    every range that fits           (Hawkin 2014, algorithm 2)
red      one                    by a fixed ratio    every range that fits           (algorithm 5)
redm     any                    by a fixed ratio    every range that fits           (algorithms 6 and 7)
refined  any                    by a fixed ratio    pruned once, after the first run (algorithms 8 to 11)
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.abstraction import BetAbstraction, describe
from kibitz.bet_sizing.build import Growth, Transformation
from kibitz.bet_sizing.ranges import SizeRangeError, range_of_bets
from kibitz.bet_sizing.sizing import BetsRun, Mean, Rule
from kibitz.bet_sizing.tree import BetTree
from kibitz.errors import KibitzError
from kibitz.plans import HERE, Means, Plan, Row, on_threads, seed_for, setting
from kibitz.solvers.problem import Problem

if TYPE_CHECKING:
    from kibitz.bet_sizing.runs import SizingRun

Algorithm = Literal["bets", "re", "red", "redm", "refined"]
Form = Literal["vector", "boards", "sampled"]
_ALIKE = 0.01  # ratios of default ranges differ by less, since their ends are rounded


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
    sizes: npt.NDArray[np.float64]
    at_bound: npt.NDArray[np.int8]
    result: BetAbstraction | None = None
    unpruned: BetAbstraction | None = None
    solver: BetsRun | None = None


@dataclass(frozen=True, kw_only=True)
class Learning(Plan, ABC):
    """How sizes are learnt, by one seat or by both."""

    algorithm: Algorithm = setting("refined", "Algorithm: BETS, RE-, RED-, REDM- or REFINED-BETS")
    iterations: int = setting(1000, "Number of iterations per run", at_least=1)
    settle: bool = setting(False, "End a run when its important bets have stopped moving: they are asked ten times")
    stop: bool = setting(
        False, "End when in two runs following each other no important bet ended at an end of its range", free=True
    )
    threads: int = on_threads()
    device: Literal["cpu", "gpu"] = setting("cpu", "Device of the vector form; gpu needs the extra gpu")


@dataclass(frozen=True)
class SizingPlan(Learning):
    """What one seat is to learn and how.

    problem     where the cards come from; its menus do not matter
    measure     called with the last report of every run; what it finds goes into the curve
    """

    kind: ClassVar[str] = "sizing"

    transformation: Transformation
    problem: Problem
    runs: int = setting(5, "Number of runs, R; bets has one", at_least=1, free=True)
    extras: int = setting(25, "Number of bets kept beyond one per decision (refined)", at_least=0)
    form: Form = setting(
        "vector",
        "Deals per iteration: all (vector), those of one board (boards; allows imperfect recall) or one, as in the "
        "thesis (sampled)",
    )
    seed: int = seed_for("sampling deals and boards")
    growth: float | None = setting(
        None, "Ratio of the pots at both ends of a moved range", unsaid="that of the ranges to begin with"
    )
    rule: Rule | None = setting(None, "Update rule of the sizes", unsaid="the form's own")
    horizon: float | None = setting(None, "N: the step is never smaller than 1 / N", unsaid="the form's own")
    mean: Mean | None = setting(None, "Which size is learnt", unsaid="the form's own")
    weighed: int = setting(
        20_000, "Deals on which a run finds the importance of its bets; one of sampled deals has it already", at_least=1
    )
    measure: Callable[[Report], Row] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.recipe.one_range and max(map(len, self.transformation.ranges)) > 1:
            raise KibitzError(f"{self.algorithm} moves one range per decision: take redm or refined for several")
        if self.form == "vector" and not self.problem.is_measurable:
            why, form = "imperfect recall has", "boards"
            if not self.problem.has_all_rounds:
                why, form = "hold'em of fewer rounds has", "sampled"
            raise KibitzError(f"cards {self.problem.cards_name}: {why} no vector form, take {form}")
        if self.form != "vector" and self.device != "cpu":
            raise KibitzError(f"form {self.form!r} on the device {self.device!r}: only the vector form runs there")

    @property
    def seat(self) -> int:
        """Who learns; of both the first."""
        return 0 if self.transformation.ranges[0] or not self.transformation.ranges[1] else 1

    @property
    def recipe(self) -> Recipe:
        return ALGORITHMS[self.algorithm]

    @property
    def pot_ratio(self) -> float:
        """P of equation 6.7: the mean ratio of the ranges to begin with, exactly that of five bets for default ones."""
        if self.growth is not None:
            return self.growth
        made = self.transformation
        ratios = [each.growth for each in {each for seat in made.ranges for each in seat} or made.special.values()]
        five = self._ratio_of_five_bets()
        if len(ratios) > 1 and five is not None and all(abs(ratio - five) < _ALIKE for ratio in ratios):
            return five
        return float(prod(ratios) ** (1 / len(ratios)))

    def _ratio_of_five_bets(self) -> float | None:
        """The ratio of the range that five bets to the stack make; None where no stack is deep enough for one."""
        game = self.transformation.game
        try:
            return range_of_bets(game.stacks[0] / game.big_blind, 5).growth
        except SizeRangeError:
            return None

    def identity(self) -> dict[str, Any]:
        """All that the sizes depend on."""
        more = {"settle": self.settle, "device": self.device}
        return {"plan": self.kind, **self.describe(), **describe(self.transformation), **more}

    def begin(self, means: Means = HERE) -> SizingRun:
        from kibitz.bet_sizing.runs import SizingRun

        return SizingRun(self)

    def describe(self) -> dict[str, Any]:
        """What the sizes of every run say that they were made with."""
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

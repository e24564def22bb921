"""What to learn of bet sizes and how: the family of algorithms around BETS.

name     ranges of a decision   they move           what grows
bets     any                    not at all          nothing: one run
re       one                    by a fixed width    every range that fits           (Hawkin 2014, algorithm 2)
red      one                    by a fixed ratio    every range that fits           (algorithm 5)
redm     any                    by a fixed ratio    every range that fits           (algorithms 6 and 7)
refined  any                    by a fixed ratio    pruned once, after the first run (algorithms 8 to 11)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, NamedTuple, get_args

from kibitz.bet_sizing.build import Growth, Transformation
from kibitz.bet_sizing.ranges import SizeRangeError, range_of_bets
from kibitz.bet_sizing.sizing import Mean, Rule
from kibitz.errors import KibitzError
from kibitz.solvers.problem import Problem

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


@dataclass(frozen=True)
class SizingPlan:
    """What to learn and how.

    problem     where the cards come from; its menus do not matter
    iterations  per run: T of the thesis
    runs        R; bets has one
    extras      refined: bets kept beyond one per decision
    form        "vector" (all deals at once), "boards" (all deals of one board an iteration; allows imperfect recall) or
                "sampled" (one deal an iteration, as in the thesis)
    growth      ratio of the pots at both ends of a moved range; by default that of the ranges to begin with, see
                `pot_ratio`
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
            why, form = "imperfect recall has", "boards"
            if not self.problem.has_all_rounds:
                why, form = "hold'em of fewer rounds has", "sampled"
            raise KibitzError(f"cards {self.problem.cards_name}: {why} no vector form, take {form}")
        if self.form != "vector" and self.device != "cpu":
            raise KibitzError(f"form {self.form!r} on the device {self.device!r}: only the vector form runs there")

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

"""Figures 3.2 and 4.3: what responses win and what they risk, by p and by cards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np

from kibitz.experiments.bard2016.printed import SHARES, STATEMENTS, TABLES
from kibitz.experiments.published import Effort, Experiment, Found
from kibitz.games import load_game
from kibitz.games.stakes import Stake
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.roles import SmallRoles
from kibitz.solvers.problem import Problem
from kibitz.solvers.tilted import Tilt, solve_tilted
from kibitz.strategy import Strategy

Curve = list[tuple[float, float, float]]  # p, exploitability, exploitation in milli-antes
# Preset -> game, coarse and fine cards, shares, iterations of each solve.
SETTINGS: dict[str, tuple[str, tuple[str, str], tuple[float, ...], int]] = {
    "smoke": ("leduc", ("2-bucket", "3-bucket"), (0.0, 0.5, 0.9, 1.0), 0),
    "short": ("leduc", ("2-bucket", "3-bucket"), tuple(map(float, SHARES)), 0),
    "full": ("rhode-island", ("5-bucket", "8-bucket"), tuple(map(float, SHARES)), 1_000),
}
TILT, TILTED_ITERATIONS = Tilt.of(win=1.25), 1_000


@cache
def problem(name: str) -> Problem:
    """The game."""
    return Problem(load_game(name))


@cache
def tilted(name: str) -> Strategy:
    """One who believes to win a quarter more than it does, with all cards told apart."""
    return solve_tilted(problem(name).vector, TILT, TILTED_ITERATIONS if name == "leduc" else 200)


def cells_of_figure_3_2() -> Iterator[tuple[str, str, Found]]:
    """Exactly, by linear programs."""
    uniform = Strategy.uniform(problem("leduc").vector.layout)
    for p in SHARES:
        found = respond(problem("leduc"), uniform, Method("rnr", float(p)))
        for column in TABLES["figure-3.2"].columns:
            yield p, column, Found(1000 * getattr(found, column))


def figure_4_3(effort: Effort) -> Experiment:
    """The statements of figure 4.3 at that effort."""
    setting = SETTINGS[effort.preset]
    curves: dict[str, Curve] = {}

    def find() -> Iterator[tuple[str, str, Found]]:
        curves.update(_curves(setting, effort))
        coarse, fine = (cards.partition("-")[0] for cards in setting[1])
        at = {(u, r): np.array(curves[f"RNR-U{u}-R{r}"]) for u, r in product((coarse, fine), repeat=2)}
        holds = {
            "larger R dominates, small U": dominates(at[coarse, fine], at[coarse, coarse]),
            "larger R dominates, large U": dominates(at[fine, fine], at[fine, coarse]),
            "larger U wins more": all(at[fine, r][-1, 2] >= at[coarse, r][-1, 2] for r in (coarse, fine)),
            "larger U is more exploitable": all(at[fine, r][0, 1] > at[coarse, r][0, 1] for r in (coarse, fine)),
            "some p > 0 is safer than p = 0": any(each[1:, 1].min() < each[0, 1] - 1e-6 for each in at.values()),
        }
        for row in TABLES["figure-4.3"].rows:
            yield row, "holds", Found(float(holds[row]), reason=f"not confirmed in {setting[0]}")

    notes = (
        f"In {setting[0]} with {setting[1][0]} and {setting[1][1]} percentile cards, against a tilted equilibrium with "
        "all cards; exploitability is exact, with all cards.",
        *(f"{row}: {text}." for row, text in STATEMENTS.items()),
    )
    return Experiment(TABLES["figure-4.3"], find, notes, values=lambda: {"curves": curves})


def dominates(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether the other front, [p, exploitability, exploitation], lies on or below this one wherever both are."""
    order = np.argsort(one[:, 1], kind="stable")
    risk, gain = one[order, 1], np.maximum.accumulate(one[order, 2])
    inside = other[(other[:, 1] >= risk[0]) & (other[:, 1] <= risk[-1])]
    return bool((np.interp(inside[:, 1], risk, gain) >= inside[:, 2] - 1e-6).all() and risk[0] <= other[:, 1].min())


def _curves(setting: tuple[str, tuple[str, str], tuple[float, ...], int], effort: Effort) -> dict[str, Curve]:
    """Fronts of restricted Nash responses for both sizes of our cards and of the free opponent's."""
    name, cards, shares, iterations = setting
    opponent, milli = tilted(name), Stake.of(problem(name).game).milli_per_chip
    solving = Solving("pcfr+", iterations, threads=effort.threads) if iterations else Solving("lp")
    found: dict[str, Curve] = {}
    for done, (ours, free) in enumerate(product(cards, repeat=2)):
        roles = SmallRoles(problem(name), ours, free)
        label = f"RNR-U{ours.partition('-')[0]}-R{free.partition('-')[0]}"
        found[label] = []
        for p in shares:
            effort.tell(label, done * len(shares) + len(found[label]), 4 * len(shares))
            response = respond(roles, opponent, Method("rnr", p), solving)
            found[label].append((p, milli * response.exploitability, milli * response.exploitation))
    return found

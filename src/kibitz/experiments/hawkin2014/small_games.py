"""Kuhn and Leduc poker: sizes, values and gains, full width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from kibitz.bet_sizing import SizeRange, SizingPlan, Transformation, learn
from kibitz.bet_sizing.value import bound_value, gain
from kibitz.bet_sizing.vector import VectorBets
from kibitz.experiments.hawkin2014.curves import PLAYERS, against
from kibitz.experiments.pictures import picture
from kibitz.experiments.published import Cells, Found
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_RAISES
from kibitz.games.named import leduc_nolimit, nolimit_kuhn
from kibitz.solvers.problem import Problem

KUHN_ITERATIONS, LEDUC_ITERATIONS, RUN_ITERATIONS, RUNS = 5000, 10_000, 4000, 10


def leduc_unlimited() -> Game:
    """Leduc with any number of raises; the thesis does not print its rules, these fit its gains best."""
    return Game(
        betting="nolimit",
        stacks=(400, 400),
        blinds=(1, 2),
        raise_sizes=(),
        first_players=(0, 1),
        max_raises=(UNLIMITED_RAISES,) * 2,
        suits=2,
        ranks=3,
        hole_cards=1,
        board_cards=(0, 1),
        name="leduc-unlimited",
    )


def cells_of_table_4_1() -> Cells:
    """Full-width BETS with the ranges of each game."""
    for name, game, menus, ranges in (
        ("half street", nolimit_kuhn(half_street=True), ("", ""), {"d": SizeRange(0.0, 1.0)}),
        ("one bet", nolimit_kuhn(max_raises=1), ("", ""), {"d": SizeRange(0.4, 0.6), "cd": SizeRange(0.4, 0.6)}),
        (
            "raises",
            nolimit_kuhn(stack_pots=50, max_raises=2),
            ("", "min @2"),
            {"d": SizeRange(0.1, 0.3), "cd": SizeRange(0.4, 0.6)},
        ),
    ):
        tree = Transformation(game, ((), ()), menus, minimum=False, special=ranges).build()
        solver = VectorBets(tree, Problem(game, "passive").deal)
        solver.step(KUHN_ITERATIONS)
        for each, size in zip(tree.sizers, solver.sizes(), strict=True):
            yield f"{name}, {PLAYERS[each.seat]}", "size", Found(float(size))


@cache
def baseline(game: Game) -> float:
    """FCPA against FCPA: value to player two, chips per hand, exact."""
    from kibitz.solvers.sequence_lp import solve_lp

    return -solve_lp(Problem(game, "fcpa").vector).value


@cache
def value_of_bets(seat: int) -> float:
    """BETS with [0.8, 1.5] in Leduc: value to player two in antes, exact for its sizes."""
    problem = Problem(leduc_nolimit(400, 2), "fcpa")
    solver = VectorBets(against(problem.game, seat, SizeRange(0.8, 1.5)).build(), problem.deal)
    solver.step(LEDUC_ITERATIONS)
    return bound_value(solver.tree, solver.sizes(), problem)[0].value


@cache
def gains_of_re_bets(game: Game, seat: int, iterations: int = RUN_ITERATIONS) -> tuple[float, ...]:
    """RE-BETS from [0.8, 1]: what every run gains over FCPA, per cent."""
    problem = Problem(game, "fcpa")
    plan = SizingPlan(
        against(game, seat, SizeRange(0.8, 1.0)),
        problem,
        algorithm="re",
        iterations=iterations,
        runs=RUNS,
        weighed=1000,
    )
    found = [report.result for report in learn(plan) if report.result is not None]
    values = [bound_value(each.tree, each.sizes, problem)[0].value for each in found]
    return tuple(100 * gain(value, baseline(game), seat) for value in values)


def cells_of_leduc_values() -> Cells:
    """The baseline and BETS."""
    game = leduc_nolimit(400, 2)
    reason = "the exact value of the game as we read its rules; some rule may differ"
    yield "FCPA", "value", Found(baseline(game), reason=reason)
    for seat, name in enumerate(PLAYERS):
        yield f"BETS, {name}", "value", Found(value_of_bets(seat))


def cells_of_leduc_gains() -> Cells:
    """BETS, and the last run of RE-BETS."""
    capped, unlimited = leduc_nolimit(400, 2), leduc_unlimited()
    for seat, name in enumerate(PLAYERS):
        yield "two raises, BETS", name, Found(100 * gain(value_of_bets(seat), baseline(capped), seat))
        yield "two raises, RE-BETS", name, Found(gains_of_re_bets(capped, seat)[-1])
        curve = gains_of_re_bets(unlimited, seat)
        by_run = ", ".join(f"{each:.1f}" for each in curve)
        reason = f"the thesis prints neither all rules of this game nor how many runs it took; ours by run: {by_run}"
        yield "unlimited, RE-BETS", name, Found(curve[-1], reason=reason)


def curves_of_leduc() -> dict[str, Any]:
    """What RE-BETS gains run by run."""
    games = {"two raises": leduc_nolimit(400, 2), "unlimited": leduc_unlimited()}
    return {
        "curves": {
            f"{name}, {PLAYERS[seat]}": list(gains_of_re_bets(game, seat))
            for name, game in games.items()
            for seat in (0, 1)
        }
    }


def draw_gains(curves: Mapping[str, Sequence[float]]) -> str:
    """Gains over FCPA run by run."""
    with picture(3.6) as (axes, text):
        for name, gains in curves.items():
            axes.plot(range(1, len(gains) + 1), gains, marker="o", ms=3, label=name)
        axes.set(xlabel="run of RE-BETS", ylabel="gain over FCPA, per cent")
        axes.legend(frameon=False)
    return text[0]

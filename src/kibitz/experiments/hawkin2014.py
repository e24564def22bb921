"""J. Hawkin 2014, Automated Abstraction of Large Action Spaces in Imperfect Information Extensive-Form Games (PhD)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import StringIO
from typing import Any

from kibitz.experiments.published import Experiment, Found, PublishedTable
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_RAISES
from kibitz.games.named import leduc_nolimit, nolimit_holdem, nolimit_kuhn
from kibitz.solvers.bets import Plan, Range, Transformation, default_ranges, learn
from kibitz.solvers.bets.evaluate import evaluate, gain
from kibitz.solvers.bets.pairs import count_pairs
from kibitz.solvers.bets.vector import VectorBets
from kibitz.solvers.problem import Problem
from kibitz.tree.size import size_report

TITLE = "Hawkin 2014: bet sizes by BETS and its family"

FIVE_BUCKETS = (5, 25, 125, 625)
KUHN_ITERATIONS, LEDUC_ITERATIONS, RUN_ITERATIONS, RUNS = 5000, 10_000, 4000, 10
SEATS = ("player one", "player two")

TABLE_4_1 = PublishedTable(
    "Hawkin 2014, table 4.1: sizes in Kuhn poker, in pots",
    "game and bet",
    ("size",),
    {
        "half street, player one": (0.414,),
        "one bet, player one": (0.414,),
        "one bet, player two": (0.509,),
        "raises, player one": (0.252,),
        "raises, player two": (0.542,),
    },
    0.01,
    3,
)
TABLE_5_1 = PublishedTable(
    "Hawkin 2014, table 5.1: bet-sizing players of the first tree, [0.8, 1] against FCPA",
    "seat",
    ("bets",),
    dict.fromkeys(SEATS, (160.0,)),
    0.0,
    0,
)
TABLE_5_3 = PublishedTable(
    "Hawkin 2014, table 5.3: (information set, action) pairs against FCPA, five buckets",
    "abstraction",
    ("pairs",),
    {
        "fcpa": (1_781_890.0,),
        "h-pf": (3_867_090.0,),
        "h-f": (3_820_140.0,),
        "h-t": (3_646_890.0,),
        "h-r": (3_143_140.0,),
        "h-ftr": (9_115_390.0,),
        "acpc-2011": (31_135_210.0,),
    },
    0.0,
    0,
)
TABLE_6_1 = PublishedTable(
    "Hawkin 2014, table 6.1: default ranges for 200 big blinds",
    "ranges",
    ("low 1", "high 1", "low 2", "high 2", "low 3", "high 3"),
    {"three": (0.5, 0.69, 1.08, 1.38, 1.95, 2.42)},
    0.0,
    2,
)
LEDUC_VALUES = PublishedTable(
    "Hawkin 2014, section 5.2: Leduc with two raises a round, value to player two in antes",
    "sizes",
    ("value",),
    {"FCPA": (0.072,), "BETS, player one": (0.060,), "BETS, player two": (0.078,)},
    0.0005,
    3,
)
LEDUC_GAINS = PublishedTable(
    "Hawkin 2014, sections 5.2 and 5.8: gains over FCPA in Leduc, per cent",
    "game and algorithm",
    SEATS,
    {"two raises, BETS": (16.7, 8.3), "two raises, RE-BETS": (21.0, 9.0), "unlimited, RE-BETS": (30.0, 43.0)},
    2.0,
    1,
)
# Tables A.1 and A.2, RE-BETS [0.8, 1] with five buckets, 10 million iterations a run; value to player two, mbb/hand.
FIGURE_5_4 = PublishedTable(
    "Hawkin 2014, figures 5.4 and 5.5: RE-BETS in hold'em by run, value to player two in mbb/hand",
    "seat",
    tuple(map(str, range(1, 11))),
    {
        SEATS[0]: (51.14, 42.8, 36.04, 32.25, 30.54, 31.51, 30.68, 29.48, 30.36, 30.36),
        SEATS[1]: (77.88, 92.98, 101.84, 107.82, 110.99, 115.79, 115.38, 113.07, 111.64, 111.74),
    },
    4.0,
    2,
)


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


def against_fcpa(game: Game, seat: int, *ranges: Range) -> Transformation:
    """One seat with ranges, the other with fold, call, pot and all-in."""
    if seat == 0:
        return Transformation(game, (ranges, ()), ("all-in", "fcpa"))
    return Transformation(game, ((), ranges), ("fcpa", "all-in"))


def cells_of_table_4_1() -> Iterator[tuple[str, str, Found]]:
    """Full-width BETS with the ranges of each game."""
    for name, game, menus, ranges in (
        ("half street", nolimit_kuhn(half_street=True), ("", ""), {"d": Range(0.0, 1.0)}),
        ("one bet", nolimit_kuhn(max_raises=1), ("", ""), {"d": Range(0.4, 0.6), "cd": Range(0.4, 0.6)}),
        (
            "raises",
            nolimit_kuhn(stack_pots=50, max_raises=2),
            ("", "min @2"),
            {"d": Range(0.1, 0.3), "cd": Range(0.4, 0.6)},
        ),
    ):
        tree = Transformation(game, ((), ()), menus, minimum=False, special=ranges).build()
        solver = VectorBets(tree, Problem(game, "passive").deal)
        solver.step(KUHN_ITERATIONS)
        for each, size in zip(tree.sizers, solver.sizes(), strict=True):
            yield f"{name}, {SEATS[each.seat]}", "size", Found(float(size))


def cells_of_table_5_1() -> Iterator[tuple[str, str, Found]]:
    """Counted on the tree."""
    for seat, name in enumerate(SEATS):
        yield name, "bets", Found(float(len(against_fcpa(nolimit_holdem(), seat, Range(0.8, 1.0)).build().sizers)))


def cells_of_table_5_3() -> Iterator[tuple[str, str, Found]]:
    """Counted without a tree."""
    for row in TABLE_5_3.rows:
        report = size_report(nolimit_holdem(), (row, "fcpa"), FIVE_BUCKETS, convention="hawkin")
        yield row, "pairs", Found(float(report.pairs))


def cells_of_table_6_1() -> Iterator[tuple[str, str, Found]]:
    """From the stack and the number of bets."""
    ends = [end for each in default_ranges(200, 5, 3) for end in each]
    for column, end in zip(TABLE_6_1.columns, ends, strict=True):
        yield "three", column, Found(end)


@cache
def baseline(game: Game) -> float:
    """FCPA against FCPA: value to player two, chips per hand, exact."""
    from kibitz.solvers.sequence_lp import solve_lp

    return -solve_lp(Problem(game, "fcpa").form).value


@cache
def value_of_bets(seat: int) -> float:
    """BETS with [0.8, 1.5] in Leduc: value to player two in antes, exact for its sizes."""
    problem = Problem(leduc_nolimit(400, 2), "fcpa")
    solver = VectorBets(against_fcpa(problem.game, seat, Range(0.8, 1.5)).build(), problem.deal)
    solver.step(LEDUC_ITERATIONS)
    return evaluate(solver.tree, solver.sizes(), problem)[0].value


@cache
def gains_of_re_bets(game: Game, seat: int, iterations: int = RUN_ITERATIONS) -> tuple[float, ...]:
    """RE-BETS from [0.8, 1]: what every run gains over FCPA, per cent."""
    problem = Problem(game, "fcpa")
    plan = Plan(against_fcpa(game, seat, Range(0.8, 1.0)), problem, "re", iterations, RUNS, weighed=1000)
    found = [report.result for report in learn(plan) if report.result is not None]
    values = [evaluate(each.tree, each.sizes, problem)[0].value for each in found]
    return tuple(100 * gain(value, baseline(game), seat) for value in values)


def cells_of_leduc_values() -> Iterator[tuple[str, str, Found]]:
    """The baseline and BETS."""
    game = leduc_nolimit(400, 2)
    reason = "the exact value of the game as we read its rules; some rule may differ"
    yield "FCPA", "value", Found(baseline(game), reason=reason)
    for seat, name in enumerate(SEATS):
        yield f"BETS, {name}", "value", Found(value_of_bets(seat))


def cells_of_leduc_gains() -> Iterator[tuple[str, str, Found]]:
    """BETS, and the last run of RE-BETS."""
    capped, unlimited = leduc_nolimit(400, 2), leduc_unlimited()
    for seat, name in enumerate(SEATS):
        yield "two raises, BETS", name, Found(100 * gain(value_of_bets(seat), baseline(capped), seat))
        yield "two raises, RE-BETS", name, Found(gains_of_re_bets(capped, seat)[-1])
        curve = gains_of_re_bets(unlimited, seat)
        reason = "the rules of this game are not printed"
        yield "unlimited, RE-BETS", name, Found(curve[-1], min(curve), max(curve), reason=reason)


def curves_of_leduc() -> dict[str, Any]:
    """What RE-BETS gains run by run."""
    games = {"two raises": leduc_nolimit(400, 2), "unlimited": leduc_unlimited()}
    return {
        "curves": {
            f"{name}, {SEATS[seat]}": list(gains_of_re_bets(game, seat))
            for name, game in games.items()
            for seat in (0, 1)
        }
    }


def draw_leduc() -> str:
    """The curves as SVG text."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "kibitz", "font.size": 9}):  # the same curves give the same bytes
        figure = Figure(figsize=(6, 3.6), layout="constrained")
        axes = figure.subplots()
        for name, gains in curves_of_leduc()["curves"].items():
            axes.plot(range(1, len(gains) + 1), gains, marker="o", ms=3, label=name)
        axes.set_xlabel("run of RE-BETS")
        axes.set_ylabel("gain over FCPA, per cent")
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def initial_trees(count: int) -> dict[str, Any]:
    """Size of the first tree with that many default ranges against FCPA."""
    tree = against_fcpa(nolimit_holdem(), 0, *default_ranges(200, 5, count)).build()
    return {"bets": len(tree.sizers), "extras": tree.extras, "pairs": count_pairs(tree, FIVE_BUCKETS)}


_VECTOR = "All deals at once instead of one an iteration, as `kibitz.solvers.bets.vector` says; sizes as in the thesis."
EXPERIMENTS: dict[str, Experiment] = {
    "table-4.1": Experiment(
        TABLE_4_1,
        cells_of_table_4_1,
        (
            _VECTOR,
            "One bet: the printed pair is one equilibrium of several, found with ranges that bracket it.",
            "Raises: the smallest raise follows the bet it raises; player two's raise is that one.",
        ),
    ),
    "table-5.1": Experiment(
        TABLE_5_1,
        cells_of_table_5_1,
        values=lambda: {"first trees": {str(count): initial_trees(count) for count in (1, 2, 3)}},
    ),
    "table-5.3": Experiment(TABLE_5_3, cells_of_table_5_3),
    "table-6.1": Experiment(TABLE_6_1, cells_of_table_6_1),
    "leduc-a": Experiment(LEDUC_VALUES, cells_of_leduc_values, (_VECTOR,)),
    "leduc-gains": Experiment(
        LEDUC_GAINS, cells_of_leduc_gains, (_VECTOR,), picture=draw_leduc, values=curves_of_leduc
    ),
    "figure-5.4": Experiment(
        FIGURE_5_4,
        None,
        (
            "Not run here: ten runs of five-bucket hold'em take tens of minutes a seat.",
            "kibitz abstract bets holdem-nolimit-2p --cards 5-bucket --ranges 0.8-1 --algorithm re --runs 10 "
            "--evaluate 1000 computes a curve.",
        ),
    ),
}

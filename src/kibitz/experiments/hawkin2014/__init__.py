"""J. Hawkin 2014, Automated Abstraction of Large Action Spaces in Imperfect Information Extensive-Form Games (PhD)."""

from __future__ import annotations

from kibitz.experiments.hawkin2014 import agents, figures, sizes, small_games
from kibitz.experiments.hawkin2014.curves import SEATS
from kibitz.experiments.hawkin2014.figures import Column, curve_figure, tree_table
from kibitz.experiments.hawkin2014.printed import TABLES
from kibitz.experiments.published import Experiment

TITLE = "Hawkin 2014: bet sizes by BETS and its family"


def _both(numbers: tuple[str, str], title: str, *columns: Column) -> dict[str, Experiment]:
    """A figure for each player."""
    return {
        f"figure-{number}": curve_figure(
            number,
            f"{title} ({player})",
            [
                column._replace(curve=f"{column.curve}, {player}", series=f"{column.series or column.curve}, {player}")
                for column in columns
            ],
        )
        for number, player in zip(numbers, SEATS, strict=True)
    }


_SIZES = {
    "one range": "RED 1 range",
    "two ranges, e=1": "REFINED 2 ranges e=1",
    "two ranges, e=25": "REFINED 2 ranges e=25",
    "two ranges": "REDM 2 ranges",
    "three ranges": "REDM 3 ranges",
}
_IR_SIZES = {
    "one range": "IR-100 REDM 1 range",
    **{f"three ranges, e={extras}": f"IR-100 REFINED 3 ranges e={extras}" for extras in (1, 25, 50, 100)},
    "two ranges": "IR-100 REDM 2 ranges",
    "three ranges": "IR-100 REDM 3 ranges",
}


def _after_five(rows: dict[str, str], player: str) -> dict[str, tuple[str, int]]:
    return {row: (f"{name}, {player}", 5) for row, name in rows.items()}


EXPERIMENTS: dict[str, Experiment] = {
    "table-4.1": Experiment(
        TABLES["table-4.1"],
        small_games.cells_of_table_4_1,
        (
            small_games.VECTOR_NOTE,
            "One bet: the printed pair is one equilibrium of several, found with ranges that bracket it.",
            "Raises: the smallest raise follows the bet it raises; player two's raise is that one.",
        ),
    ),
    "leduc-a": Experiment(TABLES["leduc-a"], small_games.cells_of_leduc_values, (small_games.VECTOR_NOTE,)),
    "leduc-gains": Experiment(
        TABLES["leduc-gains"],
        small_games.cells_of_leduc_gains,
        (small_games.VECTOR_NOTE, small_games.UNLIMITED_NOTE),
        picture=lambda: small_games.draw_gains(small_games.curves_of_leduc()["curves"]),
        values=small_games.curves_of_leduc,
    ),
    "table-5.1": sizes.snapshot_table(TABLES["table-5.1"], 160),
    "table-5.2": sizes.snapshot_table(TABLES["table-5.2"], 10),
    "table-5.3": Experiment(TABLES["table-5.3"], figures.cells_of_table_5_3, values=figures.first_trees),
    "table-5.3-learnt": tree_table(
        TABLES["table-5.3-learnt"],
        {"player one, run 8": ("RE [0.8,1], P1", 8), "player two, run 6": ("RE [0.8,1], P2", 6)},
    ),
    "figure-5.4": curve_figure(
        "5.4",
        "RE-BETS from [0.8, 1] (5.5 is player two)",
        [
            Column(f"{player}, T={millions}M", f"RE [0.8,1], {player}", f"RE [0.8,1]{series}, {player}")
            for player in SEATS
            for millions, series in ((10, " T=10M"), (20, ""))
        ],
    ),
    "figure-5.6": Experiment(TABLES["figure-5.6"], None, scaled=figures.figure_5_6),
    **_both(
        ("6.1", "6.2"),
        "RE-BETS from three ranges",
        Column("[0.4, 0.6]", "RE [0.4,0.6]"),
        Column("[0.8, 1]", "RE [0.8,1]"),
        Column("[1.2, 1.4]", "RE [1.2,1.4]"),
    ),
    "table-6.1": Experiment(TABLES["table-6.1"], figures.cells_of_table_6_1),
    **_both(
        ("6.3", "6.4"),
        "RED-BETS and RE-BETS",
        Column("RED [0.71, 0.94]", "RED 1 range"),
        Column("RE [0.8, 1]", "RE [0.8,1]"),
    ),
    "buckets": curve_figure(
        "6.3 and 6.4 again",
        "RED-BETS on buckets of E[HS²] and of E[HS]",
        [
            Column(f"{feature}, {player}", f"{prefix}RED 1 range, {player}", f"RED 1 range, {player}")
            for player in SEATS
            for feature, prefix in (("E[HS²]", ""), ("E[HS]", "EHS "))
        ],
    ),
    **_both(
        ("6.5", "6.6"),
        "REDM-BETS",
        Column("one range", "RED 1 range"),
        Column("two ranges", "REDM 2 ranges"),
        Column("three ranges", "REDM 3 ranges"),
    ),
    **_both(
        ("6.7", "6.8"),
        "REFINED-BETS from two ranges",
        Column("one range", "RED 1 range"),
        Column("two ranges", "REDM 2 ranges"),
        Column("e = 1", "REFINED 2 ranges e=1"),
        Column("e = 25", "REFINED 2 ranges e=25"),
    ),
    "table-6.2": tree_table(TABLES["table-6.2"], _after_five(_SIZES, "P1")),
    "table-6.3": tree_table(TABLES["table-6.3"], _after_five(_SIZES, "P2")),
    **_both(
        ("7.1", "7.2"),
        "one range, five buckets, self-play and bounds",
        Column("self-play", "RED 1 range", "RED 1 range self-play", "played"),
        Column("bounds", "RED 1 range"),
    ),
    **_both(
        ("7.3", "7.4"),
        "REDM-BETS, IR-100",
        Column("one range", "IR-100 REDM 1 range"),
        Column("two ranges", "IR-100 REDM 2 ranges"),
        Column("three ranges", "IR-100 REDM 3 ranges"),
    ),
    **_both(
        ("7.5", "7.6"),
        "REFINED-BETS from three ranges, IR-100",
        Column("e = 1", "IR-100 REFINED 3 ranges e=1"),
        Column("e = 25", "IR-100 REFINED 3 ranges e=25"),
    ),
    **_both(
        ("7.7", "7.8"),
        "REFINED-BETS from three ranges, IR-100",
        Column("e = 50", "IR-100 REFINED 3 ranges e=50"),
        Column("e = 100", "IR-100 REFINED 3 ranges e=100"),
    ),
    "table-7.1": tree_table(TABLES["table-7.1"], _after_five(_IR_SIZES, "P1")),
    "table-7.2": tree_table(TABLES["table-7.2"], _after_five(_IR_SIZES, "P2")),
    **_both(
        ("7.9", "7.10"),
        "REDM-BETS, IR-570",
        Column("one range", "IR-570 REDM 1 range"),
        Column("two ranges", "IR-570 REDM 2 ranges"),
        Column("three ranges", "IR-570 REDM 3 ranges"),
    ),
    "table-7.3": sizes.ranking_table(0),
    "table-7.4": sizes.ranking_table(1),
    "section-7.3": Experiment(TABLES["section-7.3"], None, scaled=sizes.section_7_3),
    "agents": Experiment(agents.PUBLISHED, None, scaled=agents.agents),
}

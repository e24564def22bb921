"""J. Hawkin 2014, Automated Abstraction of Large Action Spaces in Imperfect Information Extensive-Form Games (PhD)."""

from __future__ import annotations

from kibitz.experiments.hawkin2014 import agents, figures, sizes, small_games
from kibitz.experiments.hawkin2014.curves import SEATS, TABLES
from kibitz.experiments.hawkin2014.figures import Column, curve_figure, tree_table
from kibitz.experiments.published import Experiment

TITLE = "Hawkin 2014: bet sizes by BETS and its family"


def _both(numbers: tuple[str, str], title: str, columns: dict[str, str]) -> dict[str, Experiment]:
    """A figure for each player; heading -> curve."""
    return {
        f"figure-{number}": curve_figure(
            number,
            f"{title} ({player})",
            [Column(heading, f"{curve}, {player}") for heading, curve in columns.items()],
        )
        for number, player in zip(numbers, SEATS, strict=True)
    }


def _played(number: str, player: str) -> Experiment:
    """The same sizes valued in play and by bounds."""
    curve, title = f"RED 1 range, {player}", f"one range, five buckets, self-play and bounds ({player})"
    in_play = Column("self-play", curve, f"RED 1 range self-play, {player}", "played")
    return curve_figure(number, title, [in_play, Column("bounds", curve)])


def _trees(name: str, player: str, rows: dict[str, str]) -> Experiment:
    """The trees after five runs."""
    return tree_table(TABLES[name], {row: (f"{curve}, {player}", 5) for row, curve in rows.items()})


_RE = {"[0.4, 0.6]": "RE [0.4,0.6]", "[0.8, 1]": "RE [0.8,1]", "[1.2, 1.4]": "RE [1.2,1.4]"}
_ONE, _TWO, _THREE = {"one range": "RED 1 range"}, {"two ranges": "REDM 2 ranges"}, {"three ranges": "REDM 3 ranges"}
_REFINED = {f"e = {extras}": f"REFINED 2 ranges e={extras}" for extras in (1, 25)}
_SIZES = _ONE | {f"two ranges, {row.replace(' ', '')}": curve for row, curve in _REFINED.items()} | _TWO | _THREE
_IR = {extras: f"IR-100 REFINED 3 ranges e={extras}" for extras in (1, 25, 50, 100)}
_RANGES = {"one range": "REDM 1 range", **_TWO, **_THREE}
_IR_100, _IR_570 = ({row: f"{cards} {curve}" for row, curve in _RANGES.items()} for cards in ("IR-100", "IR-570"))
_IR_SIZES = {
    "one range": "IR-100 REDM 1 range",
    **{f"three ranges, e={e}": curve for e, curve in _IR.items()},
    **_IR_100,
}
_IR_TITLE = "REFINED-BETS from three ranges, IR-100"
EXPERIMENTS: dict[str, Experiment] = {
    "table-4.1": Experiment.of(TABLES["table-4.1"], small_games.cells_of_table_4_1),
    "leduc-a": Experiment.of(TABLES["leduc-a"], small_games.cells_of_leduc_values),
    "leduc-gains": Experiment.of(
        TABLES["leduc-gains"],
        small_games.cells_of_leduc_gains,
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
    **_both(("6.1", "6.2"), "RE-BETS from three ranges", _RE),
    "table-6.1": Experiment(TABLES["table-6.1"], figures.cells_of_table_6_1),
    **_both(("6.3", "6.4"), "RED-BETS and RE-BETS", {"RED [0.71, 0.94]": "RED 1 range", "RE [0.8, 1]": "RE [0.8,1]"}),
    "buckets": curve_figure(
        "6.3 and 6.4 again",
        "RED-BETS on buckets of E[HS²] and of E[HS]",
        [
            Column(f"{feature}, {player}", f"{prefix}RED 1 range, {player}", f"RED 1 range, {player}")
            for player in SEATS
            for feature, prefix in (("E[HS²]", ""), ("E[HS]", "EHS "))
        ],
    ),
    **_both(("6.5", "6.6"), "REDM-BETS", _ONE | _TWO | _THREE),
    **_both(("6.7", "6.8"), "REFINED-BETS from two ranges", _ONE | _TWO | _REFINED),
    "table-6.2": _trees("table-6.2", "P1", _SIZES),
    "table-6.3": _trees("table-6.3", "P2", _SIZES),
    **{f"figure-{number}": _played(number, player) for number, player in zip(("7.1", "7.2"), SEATS, strict=True)},
    **_both(("7.3", "7.4"), "REDM-BETS, IR-100", _IR_100),
    **_both(("7.5", "7.6"), _IR_TITLE, {f"e = {extras}": _IR[extras] for extras in (1, 25)}),
    **_both(("7.7", "7.8"), _IR_TITLE, {f"e = {extras}": _IR[extras] for extras in (50, 100)}),
    "table-7.1": _trees("table-7.1", "P1", _IR_SIZES),
    "table-7.2": _trees("table-7.2", "P2", _IR_SIZES),
    **_both(("7.9", "7.10"), "REDM-BETS, IR-570", _IR_570),
    "table-7.3": sizes.ranking_table(0),
    "table-7.4": sizes.ranking_table(1),
    "section-7.3": Experiment(TABLES["section-7.3"], None, scaled=sizes.section_7_3),
    "agents": Experiment(agents.PUBLISHED, None, scaled=agents.agents),
}

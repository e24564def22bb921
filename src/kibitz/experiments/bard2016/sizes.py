"""Table 4.1: sizes of abstract games, counted without building them."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.published import Found
from kibitz.games import load_game
from kibitz.solvers.problem import Problem

PAIR_BYTES = 16  # a regret and an average, double precision
REASON = (
    "16 bytes per infoset-action pair give 143.8 MiB; they give the other two figures to the megabyte. The printed 140 "
    "is no misprint: table 4.2 reckons with it (2424, 537, 1166 MB). It may be rounded to two digits"
)


def cells_of_table_4_1() -> Iterator[tuple[str, str, Found]]:
    """Information sets of both players, and regrets and averages of their actions in mebibytes."""
    for row in TABLES["table-4.1"].rows:
        size = Problem(load_game("holdem-limit-2p"), cards=row).size
        mebibytes = PAIR_BYTES * size.pairs / 2**20
        for column, ours in zip(TABLES["table-4.1"].columns, (float(size.infosets), mebibytes), strict=True):
            yield row, column, Found(ours, reason=REASON)

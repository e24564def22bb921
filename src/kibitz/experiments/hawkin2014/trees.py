"""Trees that need no learning: counted pairs, default ranges, first trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kibitz.bet_sizing import default_ranges
from kibitz.bet_sizing.tree import count_pairs
from kibitz.experiments.hawkin2014.printed import TABLE_5_3, TABLE_6_1
from kibitz.experiments.hawkin2014.small_games import against_fcpa
from kibitz.experiments.published import Found
from kibitz.games.named import nolimit_holdem
from kibitz.tree.size import size_report

FIVE_BUCKETS = (5, 25, 125, 625)
Cells = Iterator[tuple[str, str, Found]]


def cells_of_table_5_3() -> Cells:
    """Counted without a tree."""
    for row in TABLE_5_3.rows:
        report = size_report(nolimit_holdem(), (row, "fcpa"), FIVE_BUCKETS, convention="hawkin")
        yield row, "pairs", Found(float(report.pairs))


def cells_of_table_6_1() -> Cells:
    """From the stack and the number of bets."""
    ends = [end for each in default_ranges(200, 5, 3) for end in each]
    for column, end in zip(TABLE_6_1.columns, ends, strict=True):
        yield "three", column, Found(end)


def first_trees() -> dict[str, Any]:
    """Sizes of the first trees of one, two and three default ranges against FCPA."""
    trees = {}
    for count in (1, 2, 3):
        tree = against_fcpa(nolimit_holdem(), 0, *default_ranges(200, 5, count)).build()
        pairs = count_pairs(tree, FIVE_BUCKETS)
        trees[str(count)] = {"bets": len(tree.sizers), "extras": tree.extras, "pairs": pairs}
    return {"first trees": trees}

"""Small games that stand for hold'em, the sizes of table 4.1, and the front of figure 3.2."""

from __future__ import annotations

from functools import cache

from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.published import Cells, Found
from kibitz.games import load_game
from kibitz.responses.robust import Method, respond
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy

PAIR_BYTES = 16  # a regret and an average, double precision
REASON = (
    "16 bytes per infoset-action pair give 143.8 MiB; they give the other two figures to the megabyte. The printed 140 "
    "is no misprint: table 4.2 reckons with it (2424, 537, 1166 MB). It may be rounded to two digits"
)


@cache
def small_game(name: str, suits_merged: bool = True) -> Problem:
    """The game of that name, made once."""
    return Problem(load_game(name), suits_merged=suits_merged)


def cells_of_table_4_1() -> Cells:
    """Information sets of both players, and regrets and averages of their actions in mebibytes."""
    for row in TABLES["table-4.1"].rows:
        size = Problem(load_game("holdem-limit-2p"), cards=row).size
        mebibytes = PAIR_BYTES * size.pairs / 2**20
        for column, ours in zip(TABLES["table-4.1"].columns, (float(size.infosets), mebibytes), strict=True):
            yield row, column, Found(ours, reason=REASON)


def cells_of_figure_3_2() -> Cells:
    """Exactly, by linear programs."""
    problem = small_game("leduc")
    uniform = Strategy.uniform(problem.vector.layout)
    for p in TABLES["figure-3.2"].rows:
        found = respond(problem, uniform, Method("rnr", float(p)))
        for column in TABLES["figure-3.2"].columns:
            yield p, column, Found(1000 * getattr(found, column))

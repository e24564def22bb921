"""Ganzfried and Sandholm 2013, Action Translation in Extensive-Form Games with Large Action Spaces (IJCAI)."""

from __future__ import annotations

from functools import partial

from kibitz.experiments.ganzfried2013 import leduc, mappings, small_games
from kibitz.experiments.ganzfried2013.printed import TABLE_7_INTERVALS, TABLES
from kibitz.experiments.published import Experiment

TITLE = "Ganzfried and Sandholm 2013: action translation"

_KUHN_NOTES = (
    "The range is over all equilibria of the abstract game and both ways of reading a bet that lies on a threshold.",
    "The paper does not name its equilibrium. Ours was inferred from its figures: only the king calls the all-in, "
    "always up to 3 pots, with probability 2 / (1 + n) from 5 on. The deterministic rows agree as it was chosen so.",
    "Bets on a threshold, inferred likewise: Det-Arith takes the nearer size, the smaller of equals, with bets of "
    "k times 0.1 in floating point; Det-psHar reads f = 1/2 as the smaller; Det-Geo is as in the text.",
)
_LEDUC_NOTES = (
    "Found by trying 588 combinations of rules, readings and equilibria against the printed table (--search ranks "
    "them); the kept one is third by the averages, 0.0185 at most, and nearest in player 1's column.",
    "Kept reading: raises are measured in chips beyond the call over the player's own, abstract pot; all-in is exact; "
    "stacks of 12 with an ante of 1, bets from 1 chip on, raises at least as large as the last.",
    "Kept equilibria: player 1's has the fewest pot-sized raises, player 2's is the most cautious one. Equilibria "
    "between two others exist, so every figure in the range belongs to one.",
    "A bet on a threshold is read as the larger size: read as the smaller one, Det-Arith costs player 1 0.82 or more "
    "with every equilibrium we selected. This is not the tie rule that fits tables 2 to 4.",
    "Player 1's figures are all 0.005 to 0.007 below the printed ones, as if the paper had used a value of the game of "
    "-0.064 instead of -0.069.",
)
EXPERIMENTS: dict[str, Experiment] = {
    "table-1": Experiment(TABLES["table-1"], mappings.cells_of_table_1),
    "table-2": Experiment(
        TABLES["table-2"],
        small_games.cells_of_clairvoyance,
        ("Player 2 plays the equilibrium of section 6. The range is over both ways of reading a bet on a threshold.",),
    ),
    "table-3": Experiment(TABLES["table-3"], partial(small_games.cells_of_kuhn, "fcpa", 1.0), _KUHN_NOTES),
    "table-4": Experiment(TABLES["table-4"], partial(small_games.cells_of_kuhn, "0.4, all-in", 0.4), _KUHN_NOTES),
    "table-5": Experiment(
        TABLES["table-5"],
        small_games.cells_of_sizes,
        (
            "The search uses the equilibrium of tables 3 and 4 for every size; the king always calls the size itself.",
            "In range: some equilibrium at the printed size is exploited less than some equilibria at all other sizes.",
        ),
    ),
    "table-6": Experiment(TABLES["table-6"], leduc.cells, _LEDUC_NOTES, variants=leduc.variants),
    "table-7": Experiment(
        TABLES["table-7"],
        None,
        (
            "Not run: it needs Tartanian5 and the ten agents of the 2012 competition, which nobody can run today.",
            "The substitute will be one strong hold'em agent of ours, the mapping the only change, against a fixed "
            "field of our agents over duplicate hands.",
        ),
        values=lambda: {"intervals": TABLE_7_INTERVALS},
    ),
    "figure-1": Experiment(
        TABLES["figure-1"],
        mappings.medians(0.01, 1.0),
        picture=mappings.draw(0.01, 1.0),
        values=mappings.curves(0.01, 1.0),
    ),
    "figure-2": Experiment(
        TABLES["figure-2"],
        mappings.medians(1.0, 4.0),
        ("The paper prints no medians for this figure; those beside ours are what its formulas say.",),
        picture=mappings.draw(1.0, 4.0),
        values=mappings.curves(1.0, 4.0),
    ),
}

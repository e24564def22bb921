"""How players play, in counts: rows of sums over deals, from which statistics of style follow."""

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import CALL, RAISE, count_bits
from kibitz.learning.records import BETS

# Columns of a row.
HANDS, VOLUNTARY, FOLDS, WINS, WALKS, SHOWDOWNS, FREE, SHARES, SHARES_SQUARED = range(9)
RAISES, CALLS, RAISES_SQUARED, RAISES_CALLS, CALLS_SQUARED, NET, NET_SQUARED = range(9, 16)
COLUMNS = 16


@njit
def add_styles(learners, work, sums):
    """Add the style of every seat in the deal in `work` to sums : float64[2, COLUMNS], learners in row 0."""
    for p in range(work.players):
        raises = calls = 0
        for d in range(work.decisions):
            if work.player[d] == p:
                if work.action[d] == RAISE:
                    raises += 1
                elif work.action[d] == CALL and work.features[d, 0, BETS] > 0.0:
                    calls += 1
        add_style(sums[0 if learners >> p & 1 else 1], raises, calls, p, work)


@njit
def add_style(row, raises, calls, p, work):
    """Add what the player at position p did in the deal in `work`, with so many raises and calls that cost chips."""
    shown = count_bits(work.active) > 1
    voluntary = raises + calls > 0
    left = work.active >> p & 1 == 1
    row[HANDS] += 1
    row[VOLUNTARY] += voluntary
    row[FOLDS] += voluntary and not left
    row[WINS] += voluntary and left and not shown
    row[WALKS] += not voluntary and left and not shown
    row[SHOWDOWNS] += left and shown
    row[FREE] += not voluntary and left and shown
    if left and shown and work.winners >> p & 1:
        share = 1.0 / count_bits(work.winners)
        row[SHARES] += share
        row[SHARES_SQUARED] += share * share
    row[RAISES] += raises
    row[CALLS] += calls
    row[RAISES_SQUARED] += raises * raises
    row[RAISES_CALLS] += raises * calls
    row[CALLS_SQUARED] += calls * calls
    row[NET] += work.net[p]
    row[NET_SQUARED] += work.net[p] * work.net[p]

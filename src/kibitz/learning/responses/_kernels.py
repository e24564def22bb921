"""What players do in simulated deals: counts for the statistics of style.

Records, weights and rules are those of `kibitz.learning._kernels`.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels import draw_players
from kibitz.learning._kernels.betting import CALL, DIVIDING, RAISE, count_bits, deal_cards
from kibitz.learning._kernels.deciding import exponentials
from kibitz.learning._kernels.playing import play_deal
from kibitz.learning.records import BETS
from kibitz.random._kernels import mix, stream

# Columns of `sums` in `count_styles`.
HANDS, VOLUNTARY, FOLDS, WINS, WALKS, SHOWDOWNS, FREE, SHARES, SHARES_SQUARED = range(9)
RAISES, CALLS, RAISES_SQUARED, RAISES_CALLS, CALLS_SQUARED, NET, NET_SQUARED = range(9, 16)
COLUMNS = 16


@njit(cache=True, nogil=True, error_model=DIVIDING)
def count_styles(seed, start, count, policy, observer, run, table, mode, memory, sums):
    """Play deals as `run_deals` does, without learning, and add up how learners (row 0) and others (row 1) play.

    sums : float64[2, COLUMNS]   in self-play all seats are of row 1
    """
    work = memory[0]
    exponentials(observer[0], work.type_exp)
    root = stream(np.uint64(0), np.uint64(seed))
    separate = run[0].separate
    for number in range(start, start + count):
        key = stream(root, np.uint64(number))
        players = draw_players(key, run[0].seats)
        deal_cards(key, work.cards, players)
        learners = run[0].learners
        if separate and learners == 0:
            learners = 1 << (number % players)
        play_deal(
            players, mix(key), work.player, 0, policy[0], observer[0], learners, separate, table[0], mode[0], work
        )
        add_styles(players, learners if separate else 0, work, sums)


@njit
def add_styles(players, learners, work, sums):
    """Add the style of every seat in the deal in `work`."""
    for p in range(players):
        raises = calls = 0
        for d in range(work.counts[0]):
            if work.player[d] == p:
                if work.action[d] == RAISE:
                    raises += 1
                elif work.action[d] == CALL and work.features[d, 0, BETS] > 0.0:
                    calls += 1
        add_style(sums[0 if learners >> p & 1 else 1], raises, calls, p, work)


@njit
def add_style(row, raises, calls, p, work):
    """Add what the player at position p did in the deal in `work`, with so many raises and calls that cost chips."""
    active, winners = work.counts[1], work.counts[4]
    shown = count_bits(active) > 1
    voluntary = raises + calls > 0
    left = active >> p & 1 == 1
    row[HANDS] += 1
    row[VOLUNTARY] += voluntary
    row[FOLDS] += voluntary and not left
    row[WINS] += voluntary and left and not shown
    row[WALKS] += not voluntary and left and not shown
    row[SHOWDOWNS] += left and shown
    row[FREE] += not voluntary and left and shown
    if left and shown and winners >> p & 1:
        share = 1.0 / count_bits(winners)
        row[SHARES] += share
        row[SHARES_SQUARED] += share * share
    row[RAISES] += raises
    row[CALLS] += calls
    row[RAISES_SQUARED] += raises * raises
    row[RAISES_CALLS] += raises * calls
    row[CALLS_SQUARED] += calls * calls
    row[NET] += work.net[p]
    row[NET_SQUARED] += work.net[p] * work.net[p]

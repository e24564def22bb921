"""Card features, compiled: what a board and a hand look like at a stage, as lists of feature numbers and values.

`names` says what the numbers mean. Ranks are 0 (deuce) to 12, cards 4 * rank + suit. Features that are 0 are left out.
`mode` is a record, or a tuple with the same names, of

complete    : int64      whether the profile is `complete`
card_scales : float64[4] what a rank, a count, a count of rank pairs and a place among cards are divided by
pairs : int64[sets, 17, 2] sets of rank pairs, see `tables`; as a constant it would take most of the time to compile
"""

from kibitz.compiling import njit
from kibitz.learning.cards._kernels.bits import put, rank_sets, row
from kibitz.learning.cards._kernels.boards import flop_board, river_board, short_board, turn_board
from kibitz.learning.cards._kernels.draws import straight_rows, suit_row
from kibitz.learning.cards._kernels.ranks import rank_rows
from kibitz.learning.cards.tables import WINDOWS


@njit
def hand_features(stage, first, second, board, mode, numbers, values):
    """Fill a list with the private features of a hand at a stage; returns their number."""
    high, low = max(first, second) >> 2, min(first, second) >> 2
    one, other = min(first & 3, second & 3), max(first & 3, second & 3)
    if stage == 0:
        return put((preflop_row(high, low, one == other), 0, 0, 0, 0, 0, 0, 0), stage, mode, numbers, values)
    there = rank_sets(board, stage + 2)
    ranks, added = rank_rows(stage, high, low, there, mode.complete)
    suit = suit_row(stage, one, first, second, board)
    more = suit_row(stage, other, first, second, board) if one != other else 0
    straights = straight_rows(stage, high, low, there[0], board, mode)
    return put((ranks, added * mode.complete, suit, more, *straights), stage, mode, numbers, values)


@njit
def preflop_row(high, low, suited):
    """The private features before the flop."""
    if high == low:
        return row(0, 1, high + 1)
    straights, both = 0, 1 << high | 1 << low
    for window in WINDOWS:
        straights += window & both == both
    return row(2, high + 1, low + 1, suited, straights)


@njit
def board_features(stage, board, mode, numbers, values):
    """The same of the public features of a stage from the flop (1) on; 4 for the short list of the river."""
    if stage == 1:
        rows = flop_board(board, mode)
    elif stage == 2:
        rows = turn_board(board, mode)
    elif stage == 3:
        rows = river_board(board, mode)
    else:
        rows = short_board(board)
    return put(rows, 3 + stage, mode, numbers, values)

"""How players play, in the statistics of poker: VP$IP, folds, showdowns, aggression, results; and who pays whom.

>>> from kibitz.modelling.styles import read_styles
>>> styles = read_styles(["match.log"])  # doctest: +SKIP
>>> styles.players["ann"].vpip           # doctest: +SKIP
0.339
"""

from kibitz.modelling.styles.counts import StyleCounts
from kibitz.modelling.styles.hands import SeatStyle, observe_hand
from kibitz.modelling.styles.logs import Styles, read_styles
from kibitz.modelling.styles.rates import RATES, Rate
from kibitz.modelling.styles.tally import StyleTally
from kibitz.modelling.styles.transfers import Transfers, hand_transfers

__all__ = [
    "RATES",
    "Rate",
    "SeatStyle",
    "StyleCounts",
    "StyleTally",
    "Styles",
    "Transfers",
    "hand_transfers",
    "observe_hand",
    "read_styles",
]

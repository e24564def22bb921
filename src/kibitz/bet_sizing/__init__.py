"""Choosing bet sizes automatically: the BETS family (Hawkin 2014)."""

from kibitz.bet_sizing.abstraction import BetAbstraction
from kibitz.bet_sizing.build import Transformation
from kibitz.bet_sizing.files import load_bets
from kibitz.bet_sizing.plan import ALGORITHMS, Report, SizingPlan
from kibitz.bet_sizing.play import playing_tree
from kibitz.bet_sizing.ranges import SizeRange, SizeRangeError, default_ranges, parse_ranges
from kibitz.bet_sizing.runs import learn

__all__ = [
    "ALGORITHMS",
    "BetAbstraction",
    "Report",
    "SizeRange",
    "SizeRangeError",
    "SizingPlan",
    "Transformation",
    "default_ranges",
    "learn",
    "load_bets",
    "parse_ranges",
    "playing_tree",
]

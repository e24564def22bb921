"""Choosing bet sizes automatically: the BETS family (Hawkin 2014)."""

from kibitz.solvers.bets.abstraction import BetAbstraction
from kibitz.solvers.bets.build import Transformation
from kibitz.solvers.bets.files import load_bets, save_bets
from kibitz.solvers.bets.plan import ALGORITHMS, Plan
from kibitz.solvers.bets.play import playing_tree
from kibitz.solvers.bets.ranges import Range, RangeError, default_ranges, parse_ranges
from kibitz.solvers.bets.runs import Report, learn

__all__ = [
    "ALGORITHMS",
    "BetAbstraction",
    "Plan",
    "Range",
    "RangeError",
    "Report",
    "Transformation",
    "default_ranges",
    "learn",
    "load_bets",
    "parse_ranges",
    "playing_tree",
    "save_bets",
]

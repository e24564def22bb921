"""Means with their doubt: exact sums of results, 95 % intervals, resampling, and which of several means differ."""

from kibitz.statistics.comparisons import Comparison, Group, dunnett_c
from kibitz.statistics.estimates import (
    MILLI_BIG_BLINDS,
    Z_95,
    Estimate,
    average,
    resample_counts,
    student_95,
    weighted_half_width,
)
from kibitz.statistics.moments import GRID, Moments, merge
from kibitz.statistics.ratios import Interval, PairSums, wilson_95

__all__ = [
    "GRID",
    "MILLI_BIG_BLINDS",
    "Z_95",
    "Comparison",
    "Estimate",
    "Group",
    "Interval",
    "Moments",
    "PairSums",
    "average",
    "dunnett_c",
    "merge",
    "resample_counts",
    "student_95",
    "weighted_half_width",
    "wilson_95",
]

"""Means with their doubt: exact sums of results, 95 % intervals, and resampling."""

from kibitz.statistics.estimates import (
    MILLI_BIG_BLINDS,
    Z_95,
    Estimate,
    average,
    resample_counts,
    student_95,
    weighted_half_width,
)
from kibitz.statistics.moments import GRID, Moments, estimate, merge

__all__ = [
    "GRID",
    "MILLI_BIG_BLINDS",
    "Z_95",
    "Estimate",
    "Moments",
    "average",
    "estimate",
    "merge",
    "resample_counts",
    "student_95",
    "weighted_half_width",
]

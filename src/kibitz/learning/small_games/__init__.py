"""The learner of hold'em in games small enough to measure exactly: Kuhn, Leduc, U[0,1].

>>> from kibitz.learning.small_games import SmallGamePlan, follow
>>> *_, last = follow(SmallGamePlan("kuhn", steps=300, anchor="strategy", pull=0.05))  # doctest: +SKIP
>>> last.current  # chips per hand
0.03
"""

from kibitz.learning.small_games.game import (
    UNIFORM,
    SmallGame,
    continuous_exploitability,
    cut_off_strategy,
    solve_cut_offs,
)
from kibitz.learning.small_games.learner import GradientPlay, Place, Point
from kibitz.learning.small_games.plan import SmallGamePlan, follow

__all__ = [
    "UNIFORM",
    "GradientPlay",
    "Place",
    "Point",
    "SmallGame",
    "SmallGamePlan",
    "continuous_exploitability",
    "cut_off_strategy",
    "follow",
    "solve_cut_offs",
]

"""The learner of hold'em in games small enough to measure exactly: Kuhn, Leduc, U[0,1].

>>> from kibitz.learning.small_games import GradientPlay, Settings, SmallGame, follow
>>> learner = GradientPlay(SmallGame.named("kuhn"), Settings(anchor="strategy"))
>>> *_, last = follow(learner, 300)  # doctest: +SKIP
>>> last.current  # chips per hand
0.03
"""

from kibitz.learning.small_games.curve import Point, follow
from kibitz.learning.small_games.game import UNIFORM, SmallGame
from kibitz.learning.small_games.learner import ANCHORS, BASELINES, METHODS, GradientPlay, Settings
from kibitz.learning.small_games.uniform import continuous_exploitability, cut_off_strategy, solve_cut_offs

__all__ = [
    "ANCHORS",
    "BASELINES",
    "METHODS",
    "UNIFORM",
    "GradientPlay",
    "Point",
    "Settings",
    "SmallGame",
    "continuous_exploitability",
    "cut_off_strategy",
    "follow",
    "solve_cut_offs",
]

"""Sub-games of heads-up hold'em after the flop, solved exactly: no card abstraction, card removal included."""

from kibitz.spots.compiled import SpotGame
from kibitz.spots.solver import Measure, Progress, SpotCFR, measure_strategy, solve_spot
from kibitz.spots.spot import Rake, Spot

__all__ = ["Measure", "Progress", "Rake", "Spot", "SpotCFR", "SpotGame", "measure_strategy", "solve_spot"]

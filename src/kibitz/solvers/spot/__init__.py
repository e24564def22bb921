"""Sub-games of heads-up hold'em after the flop, solved exactly: no card abstraction, card removal included."""

from kibitz.solvers.spot.form import SpotForm
from kibitz.solvers.spot.solver import Measure, Progress, SpotCFR, measure_strategy, solve_spot
from kibitz.solvers.spot.spot import Rake, Spot

__all__ = ["Measure", "Progress", "Rake", "Spot", "SpotCFR", "SpotForm", "measure_strategy", "solve_spot"]

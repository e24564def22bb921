"""Rollouts: what a decision is worth by playing it out, and how far a policy falls short of that.

>>> from kibitz.learning.rollouts import RolloutSettings, Simulation, measure_errors
>>> report = measure_errors(Simulation(model, seats=6), RolloutSettings(decisions=1000))  # doctest: +SKIP
>>> report.of_stage().improvement  # chips per decision                                   # doctest: +SKIP
0.14
"""

from kibitz.learning.rollouts.decisions import Decisions, MatchSimulation, Place, Simulation, Situation
from kibitz.learning.rollouts.report import (
    STAGES,
    RolloutReport,
    RolloutSettings,
    StageErrors,
    decision_errors,
    measure_errors,
    option_values,
)

__all__ = [
    "STAGES", "Decisions", "MatchSimulation", "Place", "RolloutReport", "RolloutSettings", "Simulation", "Situation",
    "StageErrors", "decision_errors", "measure_errors", "option_values",
]  # fmt: skip

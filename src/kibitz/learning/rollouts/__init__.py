"""Rollouts: what a decision is worth by playing it out, and how far a policy falls short of that.

>>> from kibitz.learning.rollouts import RolloutSettings, measure_rollout_errors
>>> report = measure_rollout_errors(model, settings=RolloutSettings(decisions=1000))  # doctest: +SKIP
>>> report.of_stage().improvement  # chips per decision                               # doctest: +SKIP
0.14
"""

from kibitz.learning.rollouts.decisions import Decisions, MatchSimulation, Place, Simulation, Situation
from kibitz.learning.rollouts.report import (
    STAGES,
    Errors,
    RolloutReport,
    RolloutSettings,
    StageErrors,
    decision_errors,
    measure_errors,
    measure_rollout_errors,
    option_values,
)

__all__ = [
    "STAGES",
    "Decisions",
    "Errors",
    "MatchSimulation",
    "Place",
    "RolloutReport",
    "RolloutSettings",
    "Simulation",
    "Situation",
    "StageErrors",
    "decision_errors",
    "measure_errors",
    "measure_rollout_errors",
    "option_values",
]

"""Opponent models: the mean strategy of recorded players, fitted to hands whose cards were mostly never seen."""

from kibitz.learning.opponents.fitting import Fitting, OpponentFit
from kibitz.learning.opponents.measures import Fit, measure_fit
from kibitz.learning.opponents.replaying import Replay

__all__ = ["Fit", "Fitting", "OpponentFit", "Replay", "measure_fit"]

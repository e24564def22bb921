"""Types of recorded players, fitted to their matches."""

from kibitz.learning.opponents.types.fitting import TypeFit, TypeFitting
from kibitz.learning.opponents.types.following import Followed, TypedReplay
from kibitz.learning.opponents.types.measures import TypesFit, measure_types

__all__ = ["Followed", "TypeFit", "TypeFitting", "TypedReplay", "TypesFit", "measure_types"]

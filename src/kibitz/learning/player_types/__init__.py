"""Players who have types: weights of types, and a joint filter of cards and types (Sweeney 2012, section 6.3)."""

from kibitz.learning.player_types.model import (
    DEFAULT,
    TypedModel,
    load_opponents,
    load_typed,
    save_typed,
    typed_artefact,
)
from kibitz.learning.player_types.records import MOST

__all__ = ["DEFAULT", "MOST", "TypedModel", "load_opponents", "load_typed", "save_typed", "typed_artefact"]

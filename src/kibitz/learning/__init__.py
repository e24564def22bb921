"""Agents from self-play: a connectionist policy and an observer of hidden cards, for 2 to 10 players (Sweeney 2012)."""

from kibitz.learning.model import BET_FEATURES, Model, ModelError, Structure
from kibitz.learning.tables import TableRules, rules_of, seat_chances

__all__ = ["BET_FEATURES", "Model", "ModelError", "Structure", "TableRules", "rules_of", "seat_chances"]

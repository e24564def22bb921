"""Agents from self-play: a connectionist policy and an observer of hidden cards, for 2 to 10 players (Sweeney 2012)."""

from kibitz.learning.files import load_model, model_artefact, save_model
from kibitz.learning.model import BET_FEATURES, Model, ModelError, Structure
from kibitz.learning.settings import BASELINES, Learning
from kibitz.learning.tables import TableRules, rules_of, seat_chances
from kibitz.learning.training import Progress, SelfPlay, simulate

__all__ = [
    "BASELINES",
    "BET_FEATURES",
    "Learning",
    "Model",
    "ModelError",
    "Progress",
    "SelfPlay",
    "Structure",
    "TableRules",
    "load_model",
    "model_artefact",
    "rules_of",
    "save_model",
    "seat_chances",
    "simulate",
]

"""Strategies: one flat array of probabilities over (betting tree, buckets); how they are kept and combined."""

from kibitz.strategy.core import Layout, Strategy, StrategyError
from kibitz.strategy.files import find_strategy, load_model, load_strategy, save_model, save_strategy
from kibitz.strategy.models import FrequentistModel
from kibitz.strategy.sequences import Mixture, lift, realisation

__all__ = [
    "FrequentistModel",
    "Layout",
    "Mixture",
    "Strategy",
    "StrategyError",
    "find_strategy",
    "lift",
    "load_model",
    "load_strategy",
    "realisation",
    "save_model",
    "save_strategy",
]

"""Variance-reduced results of logged hands: imaginary observations and AIVAT.

Fix a value function, make an `Evaluation` with it, feed hands, read the `Reduction`:

>>> evaluation = Evaluation("Alice", CheckDown())
>>> # evaluation.add(record) for every hand, then evaluation.result()
"""

from kibitz.arena.variance.aivat import Aivat, Corrected, Hand
from kibitz.arena.variance.checkdown import CheckDown
from kibitz.arena.variance.coolers import Coolers
from kibitz.arena.variance.evaluation import CARDS, METHODS, Evaluation
from kibitz.arena.variance.expectation import Expectation
from kibitz.arena.variance.imaginary import imaginary_value
from kibitz.arena.variance.matchups import Matchups, load_matchups
from kibitz.arena.variance.moves import Move, moves_of
from kibitz.arena.variance.own_hand import OwnHand
from kibitz.arena.variance.report import Reduction
from kibitz.arena.variance.values import ListedValue, ValueFunction

__all__ = [
    "CARDS",
    "METHODS",
    "Aivat",
    "CheckDown",
    "Coolers",
    "Corrected",
    "Evaluation",
    "Expectation",
    "Hand",
    "ListedValue",
    "Matchups",
    "Move",
    "OwnHand",
    "Reduction",
    "ValueFunction",
    "imaginary_value",
    "load_matchups",
    "moves_of",
]

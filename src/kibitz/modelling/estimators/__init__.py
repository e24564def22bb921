"""Variance-reduced results: of logged hands (imaginary observations, AIVAT), and of experts that a mixture plays.

Fix a value function, make an `Evaluation` with it, feed hands, read the `Reduction`:

>>> evaluation = Evaluation("Alice", CheckDown())
>>> # evaluation.add(record) for every hand, then evaluation.result()
"""

from kibitz.modelling.estimators.accuracy import Accuracy, accuracy
from kibitz.modelling.estimators.aivat import Aivat, Corrected, Hand
from kibitz.modelling.estimators.check_down import CheckDown, OwnHand
from kibitz.modelling.estimators.evaluation import CARDS, METHODS, Evaluation
from kibitz.modelling.estimators.experts import Experts
from kibitz.modelling.estimators.imaginary import imaginary_value
from kibitz.modelling.estimators.matchups import Coolers, Matchups, load_matchups
from kibitz.modelling.estimators.moves import Move, moves_of
from kibitz.modelling.estimators.off_policy import TECHNIQUES, Choice, Played, Technique, estimate
from kibitz.modelling.estimators.report import Reduction
from kibitz.modelling.estimators.values import Expectation, ValueFunction

__all__ = [
    "CARDS",
    "METHODS",
    "TECHNIQUES",
    "Accuracy",
    "Aivat",
    "CheckDown",
    "Choice",
    "Coolers",
    "Corrected",
    "Evaluation",
    "Expectation",
    "Experts",
    "Hand",
    "Matchups",
    "Move",
    "OwnHand",
    "Played",
    "Reduction",
    "Technique",
    "ValueFunction",
    "accuracy",
    "estimate",
    "imaginary_value",
    "load_matchups",
    "moves_of",
]

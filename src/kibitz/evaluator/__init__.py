"""Which hand wins: the value of one hand in plain Python, of millions in compiled batches.

>>> from kibitz.cards import parse_cards
>>> value = evaluate(parse_cards("9c4c4s9d4hQc6c"))
>>> category(value), class_rank(value)
('full house', 292)
"""

from kibitz.evaluator.batch import evaluate_batch, evaluate_masks
from kibitz.evaluator.scalar import evaluate
from kibitz.evaluator.values import CATEGORIES, RANKINGS, Ranking, category, class_rank

__all__ = [
    "CATEGORIES",
    "RANKINGS",
    "Ranking",
    "category",
    "class_rank",
    "evaluate",
    "evaluate_batch",
    "evaluate_masks",
]

"""Which hand wins: the value of one hand in plain Python, of millions in compiled batches.

>>> from kibitz.cards import parse_cards
>>> value = evaluate(parse_cards("9c4c4s9d4hQc6c"))
>>> category(value)
'full house'
"""

from typing import TYPE_CHECKING

from kibitz.evaluator.scalar import evaluate
from kibitz.evaluator.values import CATEGORIES, RANKINGS, Ranking, category

if TYPE_CHECKING:
    from kibitz.evaluator.batch import evaluate_batch, evaluate_boards, evaluate_masks

__all__ = [
    "CATEGORIES",
    "RANKINGS",
    "Ranking",
    "category",
    "evaluate",
    "evaluate_batch",
    "evaluate_boards",
    "evaluate_masks",
]


def __getattr__(name: str) -> object:
    """The batch functions, fetched when first asked for: rules and formats need `evaluate` but no NumPy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kibitz.evaluator import batch

    return getattr(batch, name)

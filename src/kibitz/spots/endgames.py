"""Ranges from files of reach probabilities, as published with the end-games of Libratus."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from kibitz.equity import Range
from kibitz.errors import FormatError

# These files count suits as s, h, d, c: 2s2h, 2s2d, 2s2c, 2s3s, ..., AdAc.
_CARDS = tuple(4 * rank + suit for rank in range(13) for suit in (3, 2, 1, 0))
_HANDS = tuple((max(hand), min(hand)) for hand in combinations(_CARDS, 2))


def read_ranges(path: Path) -> tuple[Range, Range]:
    """The ranges of both players, out of position first: 2 x 1,326 numbers from 0 to 1, separated by blanks."""
    try:
        numbers = [float(word) for word in path.read_text().split()]
    except ValueError as error:
        raise FormatError(f"{path}: reach probabilities are numbers separated by blanks ({error})") from None
    if len(numbers) != 2 * len(_HANDS) or not all(0 <= number <= 1 for number in numbers):
        raise FormatError(f"{path}: {len(numbers):,} numbers; two players have {2 * len(_HANDS):,}, each from 0 to 1")
    return _range(numbers[: len(_HANDS)], path), _range(numbers[len(_HANDS) :], path)


def _range(weights: list[float], path: Path) -> Range:
    held = sorted((hand, weight) for hand, weight in zip(_HANDS, weights, strict=True) if weight > 0)
    if not held:
        raise FormatError(f"{path}: a player has no hands")
    return Range(tuple(hand for hand, _ in held), tuple(weight for _, weight in held))

"""The evaluator's plain twin: try every five cards, describe each as a tuple, take the largest."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

Key = tuple[int, tuple[int, ...]]


def best_key(cards: Sequence[int]) -> Key:
    """A tuple that orders hands of as many cards as the standard ranking does."""
    return max(_five_key(subset) for subset in combinations(cards, min(5, len(cards))))


def _five_key(cards: Sequence[int]) -> Key:
    counts = Counter(card // 4 for card in cards)
    grouped = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    shape = sorted(counts.values(), reverse=True)
    top = _straight_top(grouped, 5) if len(cards) == 5 else None
    flush = len(cards) == 5 and len({card % 4 for card in cards}) == 1
    if flush and top is not None:
        return 8, (top,)
    if shape[0] == 4:
        return 7, grouped
    if shape[:2] == [3, 2]:
        return 6, grouped
    if flush:
        return 5, grouped
    if top is not None:
        return 4, (top,)
    if shape[0] == 3:
        return 3, grouped
    if shape[:2] == [2, 2]:
        return 2, grouped
    return (1 if shape[0] == 2 else 0), grouped


def three_card_key(cards: Sequence[int]) -> Key:
    """A tuple that orders three-card hands as Rhode Island hold'em does."""
    counts = Counter(card // 4 for card in cards)
    grouped = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    top = _straight_top(grouped, 3)
    flush = len({card % 4 for card in cards}) == 1
    if top is not None:
        return (5 if flush else 3), (top,)
    if len(counts) == 1:
        return 4, grouped
    if flush:
        return 2, grouped
    return (1 if len(counts) == 2 else 0), grouped


def _straight_top(ranks: Sequence[int], length: int) -> int | None:
    """The highest rank of the straight that `ranks` are, the ace low where it must be."""
    ordered = sorted(ranks)
    if len(ordered) == length and ordered[-1] - ordered[0] == length - 1:
        return ordered[-1]
    if ordered == [*range(length - 1), 12]:
        return length - 2
    return None

"""Slow and obvious versions of what `kibitz.isomorphism` computes."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from math import comb, factorial, prod

Streets = tuple[tuple[int, ...], ...]


def split(cards: tuple[int, ...], pattern: tuple[int, ...]) -> Streets:
    """The cards of each street, in increasing order."""
    starts = [sum(pattern[:street]) for street in range(len(pattern))]
    return tuple(tuple(sorted(cards[start : start + size])) for start, size in zip(starts, pattern, strict=True))


def rename_suits(cards: tuple[int, ...], names: tuple[int, ...]) -> tuple[int, ...]:
    """The cards with suit s called names[s]."""
    return tuple(card & ~3 | names[card & 3] for card in cards)


def suit_permutations(suits: int) -> list[tuple[int, ...]]:
    """Every permutation of the deck's suits, the last `suits` of four, as new names of all four."""
    absent = tuple(range(4 - suits))
    return [absent + names for names in permutations(range(4 - suits, 4))]


def canonical_form(cards: tuple[int, ...], pattern: tuple[int, ...], suits: int) -> Streets:
    """The least of the hand's images under all suit permutations."""
    return min(split(rename_suits(cards, names), pattern) for names in suit_permutations(suits))


def all_hands(pattern: tuple[int, ...], deck: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every hand, each street as a set, dealt from `deck`."""
    if not pattern:
        yield ()
        return
    for street in combinations(deck, pattern[0]):
        for rest in all_hands(pattern[1:], tuple(card for card in deck if card not in street)):
            yield street + rest


def count_hands(pattern: tuple[int, ...], cards: int) -> int:
    """How many hands, each street as a set, a deck of so many cards deals."""
    return prod(comb(cards - sum(pattern[:street]), size) for street, size in enumerate(pattern))


def cycle_lengths(names: tuple[int, ...]) -> tuple[int, ...]:
    """The lengths of the cycles of a permutation of four suits, in increasing order."""
    lengths, seen = [], set[int]()
    for suit in range(4):
        length = 0
        while suit not in seen:
            seen.add(suit)
            suit = names[suit]
            length += 1
        if length:
            lengths.append(length)
    return tuple(sorted(lengths))


def count_fixed(lengths: tuple[int, ...], pattern: tuple[int, ...], ranks: int) -> int:
    """How many hands a suit permutation leaves as they are: each of its cycles of cards stays on one street."""
    ways = {pattern: 1}  # cards still missing on each street -> ways to get there
    for length in lengths * ranks:
        for missing, count in list(ways.items()):
            for street, left in enumerate(missing):
                if left >= length:
                    after = (*missing[:street], left - length, *missing[street + 1 :])
                    # `ways` is walked as it was before this cycle, so a cycle is placed once at most.
                    ways[after] = ways.get(after, 0) + count
    return ways.get((0,) * len(pattern), 0)


def count_classes(pattern: tuple[int, ...], suits: int, ranks: int) -> int:
    """The number of classes by Burnside's lemma: the mean number of hands that a permutation leaves alone."""
    # Four less `suits` of the fixed points of a permutation are suits that the deck has not.
    types = Counter(cycle_lengths(names)[4 - suits :] for names in suit_permutations(suits))
    return sum(count * count_fixed(lengths, pattern, ranks) for lengths, count in types.items()) // factorial(suits)

"""Sets, multisets and sequences of rank sets as integers: the combinatorial number systems, in plain Python.

Everything here is exact for integers of any size; `_kernels` does the same for batches in 64 bits.
"""

from collections.abc import Iterable, Sequence
from math import comb, prod

Shape = tuple[int, ...]
"""How many cards of one suit each street brought, such as (2, 0, 1) for two hole cards and one on the turn."""


def rank_subset(members: Iterable[int]) -> int:
    """The colexicographic number of a set of naturals, sum_j C(m_j, j) over its members m_1 < m_2 < ...

    The subsets of size n of 0..r-1 get the numbers 0..C(r, n)-1, whatever r is.
    """
    return sum(comb(member, place) for place, member in enumerate(sorted(members), start=1))


def unrank_subset(number: int, size: int) -> list[int]:
    """The set of `size` naturals that `rank_subset` numbers `number`, in increasing order."""
    members = []
    for place in range(size, 0, -1):
        member = place - 1
        while comb(member + 1, place) <= number:
            member += 1
        members.append(member)
        number -= comb(member, place)
    return members[::-1]


def count_multisets(kinds: int, size: int) -> int:
    """How many multisets of `size` elements can be drawn from `kinds` different ones."""
    return comb(kinds + size - 1, size)


def rank_multiset(values: Sequence[int]) -> int:
    """The number of a multiset of naturals written in decreasing order, sum_i C(v_i + p_i - 1, p_i), p_i = m..1.

    Multisets of size m of 0..k-1 get the numbers 0..count_multisets(k, m)-1.
    """
    return sum(comb(value + left - 1, left) for left, value in zip(range(len(values), 0, -1), values, strict=True))


def unrank_multiset(number: int, size: int) -> list[int]:
    """The multiset of `size` naturals that `rank_multiset` numbers `number`, in decreasing order."""
    values = []
    for left in range(size, 0, -1):
        low, high = 0, 1
        while comb(high + left - 1, left) <= number:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if comb(middle + left - 1, left) <= number else (low, middle)
        values.append(low)
        number -= comb(low + left - 1, left)
    return values


def count_sequences(shape: Shape, ranks: int) -> int:
    """How many sequences of disjoint rank sets, one a street, have `shape` in a suit of `ranks` cards."""
    if sum(shape) > ranks:
        return 0
    return prod(comb(ranks - sum(shape[:street]), size) for street, size in enumerate(shape))


def rank_sequence(rank_sets: Sequence[Sequence[int]], ranks: int) -> int:
    """The number of a sequence of disjoint rank sets among 0..ranks-1, below `count_sequences` of its shape.

    Each set is numbered among the ranks that earlier streets left, and the earliest street is the least
    significant digit.
    """
    number, radix, used = 0, 1, list[int]()
    for members in rank_sets:
        number += radix * rank_subset(rank - sum(other < rank for other in used) for rank in members)
        radix *= comb(ranks - len(used), len(members))
        used.extend(members)
    return number


def unrank_sequence(number: int, shape: Shape, ranks: int) -> list[list[int]]:
    """The sequence of rank sets of `shape` that `rank_sequence` numbers `number`."""
    rank_sets, free = [], list(range(ranks))
    for size in shape:
        number, digit = divmod(number, comb(len(free), size))
        members = [free[place] for place in unrank_subset(digit, size)]
        rank_sets.append(members)
        free = [rank for rank in free if rank not in members]
    return rank_sets

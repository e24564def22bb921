"""Partitions of chips into raises, and exact products of long polynomials: the arithmetic behind `counting`.

>>> count_partitions(9, least=2)
[1, 0, 1, 1, 2, 2, 4, 4, 7]
>>> convolve([1, 2, 3], [1, 10, 100], 3)
[1, 12, 123]
"""

from decimal import MAX_EMAX, MAX_PREC, Decimal, localcontext
from itertools import accumulate


def count_reaching(ways: list[int], steps: list[int]) -> int:
    """The sum of ways[b] * steps[n] over all b + n < size: a way to level b, then a step that stays on the table."""
    below = list(accumulate(steps))
    return sum(count * below[len(ways) - 1 - level] for level, count in enumerate(ways))


def count_partitions(size: int, least: int) -> list[int]:
    """For n = 0 .. size - 1, the ways to write n as a sum of parts of at least `least`, order disregarded.

    q_k(n), with exactly k parts, is q_{k-1}(n - least) (a part equals the least) + q_k(n - k) (none does).
    """
    fewer = [1] + [0] * (size - 1)
    total = fewer.copy()
    for parts in range(1, (size - 1) // least + 1):
        exactly = [0] * size
        for n in range(parts * least, size):
            exactly[n] = fewer[n - least] + exactly[n - parts]
            total[n] += exactly[n]
        fewer = exactly
    return total


def convolve(left: list[int], right: list[int], size: int) -> list[int]:
    """The first `size` coefficients of the product of two polynomials with non-negative coefficients.

    Each is written as one long decimal number, because `decimal` multiplies those by a number-theoretic transform,
    in quasi-linear time (Python's integers take ten times as long for 20,000 coefficients).
    """
    width = len(str(max(left) * max(right) * size))  # digits that hold any coefficient
    with localcontext(prec=MAX_PREC, Emax=MAX_EMAX):
        digits = f"{_joined(left, width) * _joined(right, width):f}"
    digits = digits.zfill(width * size)
    ends = range(len(digits), len(digits) - width * size, -width)
    return [int(digits[end - width : end]) for end in ends]


def _joined(coefficients: list[int], width: int) -> Decimal:
    return Decimal("".join([str(value).zfill(width) for value in reversed(coefficients)]))

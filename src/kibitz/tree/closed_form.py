"""Betting sequences of heads-up no-limit between equal stacks when every amount is legal, from partitions of numbers.

>>> from kibitz.games import load_game
>>> [count.decisions for count in count_heads_up(load_game("leduc-nolimit"))]
[70, 1358]

The rules are those of `State` but for the dealer program's own limit of 64 actions a round, which no published count
observes.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, Decimal, localcontext
from itertools import accumulate
from typing import NamedTuple

from kibitz.games import Game, State
from kibitz.games.game import UNLIMITED_RAISES


class RoundCount(NamedTuple):
    """Betting sequences of one round.

    decisions   sequences after which somebody is to act
    actions     legal actions of all of them together, every no-limit size counted
    folds       sequences that end the hand here because one player is left
    showdowns   sequences that end the betting here with a showdown to come (before the last round: all-in)
    """

    decisions: int = 0
    actions: int = 0
    folds: int = 0
    showdowns: int = 0


def is_plain_heads_up(game: Game) -> bool:
    """Whether `count_heads_up` knows the game: no-limit, two equal stacks, the smaller blind opens."""
    if game.betting != "nolimit" or game.players != 2 or not all(game.bettors):
        return False
    start = State.start(game)
    return (
        game.limits[0] == game.limits[1] > start.bet
        and start.spent[start.player] == min(start.spent)
        and min(game.max_raises) >= UNLIMITED_RAISES
    )


def count_heads_up(game: Game) -> tuple[RoundCount, ...]:
    """Counts for heads-up no-limit with equal stacks, from partitions.

    A round that starts with both players at b chips is: perhaps a check (or, before the flop, a call), then
    raises by d1 <= d2 <= ... of at least the smallest bet, then perhaps a raise of any size to the stack S. So
    with P(n) the number of partitions of n into such raises and Q(x) = P(0) + ... + P(x - 1), two ways to start
    give 2 P(c - b) sequences that face a bet of c < S, and 2 Q(S - b) that face the stack, for each way to get
    to b. Calling takes the round to c, and rounds add up: the ways to begin a round at b are a convolution.
    """
    start = State.start(game)
    room = game.limits[0] - start.bet  # chips behind; levels are counted from the opening bet
    opening = start.min_raise_to - start.bet
    faces_blind = start.to_call > 0
    raises_by_least = {least: count_partitions(room, least) for least in {opening, game.smallest_bet}}
    ways = [1] + [0] * (room - 1)  # ways[b] to begin the round at level b
    counts = []
    for number in range(game.rounds):
        partitions = raises_by_least[opening if number == 0 else game.smallest_bet]
        calls = [1] + [2 * count for count in partitions[1:]]  # ways for a round to end n chips higher
        starts = sum(ways)
        all_ins = 2 * count_reaching(ways, partitions)
        # Each way to begin has two decisions without a raise; every raise, all-in or not, makes one more.
        raises = 2 * all_ins - 2 * starts
        decisions = 2 * starts + raises
        unbet = 2 * starts - (number == 0 and faces_blind)
        folds = decisions - unbet
        showdowns = all_ins
        if number == game.rounds - 1:
            showdowns += count_reaching(ways, calls)
        else:
            ways = calls if number == 0 else convolve(ways, calls, room)
        counts.append(RoundCount(decisions, decisions + folds + raises, folds, showdowns))
    return tuple(counts)


def count_reaching(ways: list[int], steps: list[int]) -> int:
    """The sum of ways[b] * steps[n] over all b + n < size: a way to level b, then a step that stays on the table."""
    below = list(accumulate(steps))
    return sum(count * below[len(ways) - 1 - level] for level, count in enumerate(ways))


def count_partitions(size: int, least: int) -> list[int]:
    """For n = 0 .. size - 1, the ways to write n as a sum of parts of at least `least`, order disregarded.

    q_k(n), with exactly k parts, is q_{k-1}(n - least) (a part equals the least) + q_k(n - k) (none does).

    >>> count_partitions(9, least=2)
    [1, 0, 1, 1, 2, 2, 4, 4, 7]
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

    >>> convolve([1, 2, 3], [1, 10, 100], 3)
    [1, 12, 123]
    """
    width = len(str(max(left) * max(right) * size))  # digits that hold any coefficient
    with localcontext(prec=MAX_PREC, Emax=MAX_EMAX):
        digits = f"{_joined(left, width) * _joined(right, width):f}"
    digits = digits.zfill(width * size)
    ends = range(len(digits), len(digits) - width * size, -width)
    return [int(digits[end - width : end]) for end in ends]


def _joined(coefficients: list[int], width: int) -> Decimal:
    return Decimal("".join([str(value).zfill(width) for value in reversed(coefficients)]))

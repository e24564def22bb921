"""What learnt sizes are worth in real hands: a strategy for the tree in whole chips against itself (section 7.1).

The thesis plays 1.2 billion hands. Here boards are sampled and everything else is summed, which is far tighter.
"""

from __future__ import annotations

from kibitz.bet_sizing.abstraction import BetAbstraction
from kibitz.bet_sizing.play import playing_strategy
from kibitz.responses.real import HandPolicy, expected_value
from kibitz.solvers.problem import Problem


def value_in_play(
    found: BetAbstraction, problem: Problem, iterations: int, boards: int, threads: int = 1
) -> tuple[float, float]:
    """Chips per hand to player two, and half the 95 % interval over boards; `iterations` as for `playing_strategy`."""
    first, second = problem.abstractions
    policy = HandPolicy(playing_strategy(found, problem, iterations, threads), (first, second))
    value = expected_value(policy, policy, boards, problem.seed + 1, threads)
    return -value.seats[0], value.seat_half_widths[0]

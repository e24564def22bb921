"""Kernels over vectors of private states, and what they call the columns and jobs of a `VectorGame`."""

from __future__ import annotations

from math import inf

from kibitz.tree.columns import FURTHER

SLOT, PLACE, UP = FURTHER, FURTHER + 2, FURTHER + 4  # columns of nodes, + player: reach, values, values for the parent
BLOCKS, ENTRIES = 4, 6  # columns of rounds: first block and end of blocks; + player: where the entries begin
REGRETS, BEST, VALUE = 0, 1, 2  # what is done at a player's own nodes
BOTH = 3  # mask of players
LANES = 8  # states multiplied at a time

Discounts = tuple[float, float, float]
Rule = tuple[float, float, float, float]
NO_RULE: Rule = (1.0, 1.0, 1.0, -inf)


def rule_at(t: int, discounts: Discounts) -> Rule:
    """How iteration t is added: factors of the positive and the negative regrets before it (Brown and Sandholm 2019),
    its weight in the average, and the least that a regret may be.

    discounts = (alpha, beta, gamma), see `Weighting`. The kernels compile this function.
    """
    alpha, beta, gamma = discounts
    positive, negative = 1.0, 1.0
    if t > 1:
        if alpha != inf:
            positive = (t - 1.0) ** alpha / ((t - 1.0) ** alpha + 1.0)
        if beta != inf and beta != -inf:
            negative = (t - 1.0) ** beta / ((t - 1.0) ** beta + 1.0)
    return positive, negative, float(t) ** gamma, 0.0 if beta == -inf else -inf

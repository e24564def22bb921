"""Strategies with a style of their own, made from others."""

from __future__ import annotations

import numpy as np

from kibitz.errors import KibitzError
from kibitz.strategy import Strategy


def noisy(strategy: Strategy, share: float) -> Strategy:
    """`strategy`, which at every information set takes a random action that often, all actions being as likely."""
    _check_share(share)
    uniform = Strategy.uniform(strategy.layout).values
    values = (1 - share) * np.asarray(strategy.values) + share * uniform
    return Strategy(strategy.layout, values, {**strategy.manifest, "noise": share})


def fold_happy(strategy: Strategy, round_: int, share: float) -> Strategy:
    """`strategy`, which in one round folds that share of what it would not have folded to a bet.

    round_   from 0, or from -1 for the last
    """
    _check_share(share)
    tree = strategy.layout.tree
    round_ %= tree.game.rounds
    result = Strategy(strategy.layout, np.array(strategy.values, dtype=np.float64), dict(strategy.manifest))
    for node in tree.decisions[tree.round[tree.decisions] == round_].tolist():
        if tree.actions[tree.first_child[node]] == "f":
            block = result.at(node)
            block *= 1 - share
            block[0] += share
    result.manifest["fold-happy"] = {"round": round_, "share": share}
    return result


def _check_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise KibitzError(f"a share of {share}: between 0 and 1")

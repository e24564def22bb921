"""How large a transformed tree is, counted as in the thesis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz.bet_sizing.tree import BetTree
from kibitz.errors import KibitzError
from kibitz.tree import DECISION, SHOWDOWN


def count_actions(tree: BetTree) -> tuple[int, ...]:
    """Actions per round by the convention of `kibitz.tree.size` ("hawkin").

    A fold counts at every decision of the first round, and after a called all-in every round left has one action of
    each player.
    """
    shape = tree.shape
    decisions = shape.kind == DECISION
    actions = np.bincount(shape.round[decisions], shape.children[decisions], shape.game.rounds).astype(np.int64)
    actions[0] += int((decisions & (shape.round == 0) & ~tree.facing).sum())
    showdowns = np.bincount(shape.round[shape.kind == SHOWDOWN], minlength=shape.game.rounds)
    all_in = np.concatenate(([0], np.cumsum(showdowns)[:-1]))
    return tuple((actions + 2 * all_in).tolist())


def count_pairs(tree: BetTree, states: Sequence[int]) -> int:
    """(Information set, action) pairs of both players with that many buckets per round."""
    if len(states) != tree.shape.game.rounds:
        raise KibitzError(f"{len(states)} numbers of buckets for {tree.shape.game.rounds} rounds")
    return sum(actions * count for actions, count in zip(count_actions(tree), states, strict=True))

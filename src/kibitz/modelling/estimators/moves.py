"""What a known policy may do, as the estimators take it: actions and groups of raises, with their chances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kibitz.games import State
from kibitz.policy import Action, Policy
from kibitz.policy.base import Cards, Floats

BINS = 24  # groups into which sizes drawn at random are put, all together; a group has one value


class Move(NamedTuple):
    """An action or a group of raises, and its chances with each hand.

    action  : what stands for the group when it is valued
    chances : float64[n]
    sizes   : the raises of the group as (smallest, largest, how many), all equally likely; None for a single action
    """

    action: str
    chances: Floats
    sizes: tuple[int, int, int] | None = None

    def covers(self, action: str) -> bool:
        """Whether `action` is of this move; single actions are asked first."""
        if self.sizes is None:
            return action == self.action
        return action[0] == "r" and self.sizes[0] <= int(action[1:]) <= self.sizes[1]

    @property
    def likelihoods(self) -> Floats:
        """The chances of each single action of the move: float64[n]."""
        return self.chances if self.sizes is None else self.chances / self.sizes[2]


def moves_of(policy: Policy, state: State, hands: Cards, board: tuple[int, ...]) -> list[Move]:
    """What the player to act does with some of `hands`, uint8[n, hole cards]; single actions come first."""
    single: dict[str, Floats] = {}
    many: list[tuple[Action, Floats]] = []
    for action, chances in zip(policy.actions(state), policy.probabilities(state, hands, board), strict=True):
        if action.sizes is None:
            single[action.text] = chances
        elif chances.any():
            many.append((action, chances))
    bins = max(1, BINS // max(1, len(many)))
    groups = [group for action, chances in many for group in _share(action, chances, single, bins)]
    return [Move(text, chances) for text, chances in single.items() if chances.any()] + groups


def _share(action: Action, chances: Floats, single: dict[str, Floats], bins: int) -> list[Move]:
    """The chances of many raises shared among all: those of `single` get theirs, the rest comes back in groups."""
    assert action.sizes is not None
    low, high = action.sizes
    each = chances / (high - low + 1)
    apart = sorted(int(text[1:]) for text in single if text[0] == "r" and single[text].any())
    for size in apart:
        single[f"r{size}"] = single[f"r{size}"] + each
    edges = np.unique(np.linspace(low, high + 1, bins + 1).astype(int)).tolist()
    groups = []
    for first, beyond in pairwise(edges):
        count = beyond - first - sum(first <= size < beyond for size in apart)
        if count:
            groups.append(Move(f"r{(first + beyond - 1) // 2}", count * each, (first, beyond - 1, count)))
    return groups


def find_move(moves: Sequence[Move], action: str) -> Move | None:
    """The move that `action` is, if any."""
    return next((move for move in moves if move.covers(action)), None)

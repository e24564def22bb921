"""A policy as a strategy of a betting tree, hands being told apart by few classes: for those who respond to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from kibitz.abstraction import build_abstraction
from kibitz.errors import AgentError
from kibitz.games import State
from kibitz.policy.base import Action, Floats, Policy
from kibitz.policy.hands import HandClasses, HandPolicy
from kibitz.strategy import Layout, Strategy
from kibitz.tree import DECISION, Tree


def tabulate(policy: Policy, tree: Tree, classes: HandClasses, probabilities: Callable[[State], Floats]) -> HandPolicy:
    """`policy` on a tree that has all its bets, which in limit games every tree has.

    classes        of hands that the policy does not tell apart
    probabilities  of the actions of a state: float64[actions, classes of its round]
    """
    layout = Layout(tree, np.repeat(classes.counts[:, None], tree.game.players, axis=1), classes.fingerprint)
    values = np.zeros(layout.size)
    for node, state in decisions(tree):
        begin, end, first = int(layout.offset[node]), int(layout.offset[node + 1]), int(tree.first_child[node])
        offered = tree.actions[first : first + int(tree.children[node])]
        block = values[begin:end].reshape(len(offered), -1)
        for action, chances in zip(policy.actions(state), probabilities(state), strict=True):
            texts = _texts(action)
            if set(texts) <= set(offered):
                for text in texts:
                    block[offered.index(text)] += chances / len(texts)
            elif chances.any():
                raise _not_in_tree(policy, action, state, offered)
    return HandPolicy.of(Strategy(layout, values, {"algorithm": policy.name}), classes)


@cache
def one_class() -> HandClasses:
    """All hands alike."""
    return build_abstraction("one-bucket")


def decisions(tree: Tree) -> Iterator[tuple[int, State]]:
    """The decisions of a tree with their states, parents first."""
    states = {0: State.start(tree.game)}
    for node in tree.decisions.tolist():
        state = states.pop(node)
        yield node, state
        for child in range(int(tree.first_child[node]), int(tree.first_child[node] + tree.children[node])):
            if tree.kind[child] == DECISION:
                states[child] = state.apply(tree.actions[child])


def _texts(action: Action) -> list[str]:
    if action.sizes is None:
        return [action.text]
    low, high = action.sizes
    return [f"r{size}" for size in range(low, high + 1)]


def _not_in_tree(policy: Policy, action: Action, state: State, offered: tuple[str, ...]) -> AgentError:
    """The error of one whose bets a tree does not have: on it, it would be another player."""
    played = action.text if action.sizes is None else f"anything from r{action.sizes[0]} to r{action.sizes[1]}"
    return AgentError(
        f"{policy.name} plays {played} after {state.history!r}, the tree has {', '.join(offered)}: best responses to "
        "such players are for limit games, in others there is `kibitz lbr`"
    )

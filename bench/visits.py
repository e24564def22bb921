"""What sampled walks touch, counted by plain walks: information sets an iteration, and bytes of their sums.

A sum is 8 bytes; one that is added to is read and written. Scratch of the walks is left out: it stays in the cache.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.sampled import DealSampled
from kibitz.strategy import Strategy

Touched = npt.NDArray[np.float64]  # information sets, bytes
READ, ADD = 8, 16  # bytes of a sum
WALKS, BOARDS = 40, 4  # counted


def touched_per_iteration(solver: DealSampled) -> Touched:
    """By the solver as it is now; its strategy decides where walks go."""
    strategy = solver.current_strategy()
    if isinstance(solver, BoardSampled):
        boards = solver.boards.rank(solver.boards.boards(99, 0, BOARDS))
        return np.mean([_board(strategy, states) for states in boards.states], axis=0)
    walk = {"chance": _chance, "external": _external}[solver.algorithm]
    draws, generator = solver.compiled.deal.draw(99, 0, 2 * WALKS), np.random.default_rng(99)
    return 2 * np.mean([walk(strategy, states, i % 2, generator) for i, states in enumerate(draws.states)], axis=0)


def _chance(strategy: Strategy, states: np.ndarray, walker: int, _generator: np.random.Generator) -> Touched:
    """All nodes that the walker or the other comes to: regrets of both are read, the walker's sums added to."""
    total, pending = np.zeros(2), [(0, 1.0, 1.0)]
    while pending:
        node, own, others = pending.pop()
        sigma = _sigma(strategy, node, states)
        if sigma is None or own == others == 0.0:
            continue
        mine = strategy.layout.tree.player[node] == walker
        total += 1, len(sigma) * (READ + (ADD + ADD * (others > 0) if mine else 0))
        for child, share in enumerate(sigma, int(strategy.layout.tree.first_child[node])):
            pending.append((child, own * share, others) if mine else (child, own, others * share))
    return total


def _external(strategy: Strategy, states: np.ndarray, walker: int, generator: np.random.Generator) -> Touched:
    """All actions of the walker, whose regrets are added to; one of the other's, whose average is."""
    total, pending = np.zeros(2), [0]
    while pending:
        node = pending.pop()
        sigma = _sigma(strategy, node, states)
        if sigma is None:
            continue
        first = int(strategy.layout.tree.first_child[node])
        if strategy.layout.tree.player[node] == walker:
            total += 1, len(sigma) * ADD
            pending += range(first, first + len(sigma))
        else:
            total += 1, len(sigma) * (READ + ADD)
            pending.append(first + int(generator.choice(len(sigma), p=sigma / sigma.sum())))
    return total


def _board(strategy: Strategy, states: np.ndarray) -> Touched:
    """All nodes that anybody comes to with any hand, and all buckets that the board's hands have there."""
    tree, total = strategy.layout.tree, np.zeros(2)
    pending = [(0, [np.ones(states.shape[2]), np.ones(states.shape[2])])]
    while pending:
        node, reach = pending.pop()
        actions, player = int(tree.children[node]), int(tree.player[node])
        if actions == 0 or not (reach[0].any() or reach[1].any()):
            continue
        here = states[tree.round[node], player]
        total += len(np.unique(here)) * np.array([1, actions * (READ + ADD + ADD)])
        for child, share in enumerate(strategy.at(node)[:, here], int(tree.first_child[node])):
            pending.append((child, [each * share if p == player else each for p, each in enumerate(reach)]))
    return total


def _sigma(strategy: Strategy, node: int, states: np.ndarray) -> np.ndarray | None:
    """The probabilities at a node on one deal; None where nobody acts."""
    tree = strategy.layout.tree
    return strategy.at(node)[:, states[tree.round[node], tree.player[node]]] if tree.children[node] else None

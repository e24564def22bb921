"""Counterfactual regrets on one board at a time, with vectors over the private states possible on it.

The arrays of a game are explained in `PublicGame`. Vectors have an entry per state of the block, counted from 0.
Matrices of a block are divided by its probability, which is that of meeting it: so walks are unbiased.

regret, average : float64[size], laid out like strategies
sigma           : float64[size]; reach : float64[n, 2, width], values : float64[n + 1, width]     scratch
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.random._kernels import uniform
from kibitz.solvers._kernels import match
from kibitz.tree.columns import CHILDREN, DECISION, FIRST, FOLD, KIND, OFFSET, PARENT, PLAYER, ROUND, SHOWDOWN


@njit
def _down(chain, compiled, regret, sigma, reach):
    """Match the regrets of both players and pass reach on."""
    nodes, _stake, counts, blocks, parents, _entries, _chains, _cumulative = compiled
    for node in range(len(nodes)):
        if nodes[node, KIND] != DECISION:
            continue
        p, r, actions = nodes[node, PLAYER], nodes[node, ROUND], nodes[node, CHILDREN]
        low, high = blocks[chain[r], 2 * p], blocks[chain[r], 2 * p + 1]
        begin, states = nodes[node, OFFSET], counts[r, p]
        for s in range(low, high):
            match(regret, begin + s, states, actions, sigma, begin + s, states)
        for a in range(actions):
            child, at = nodes[node, FIRST] + a, begin + a * states + low
            q = nodes[child, ROUND]
            for player in range(2):
                first, end = blocks[chain[q], 2 * player], blocks[chain[q], 2 * player + 1]
                for s in range(end - first):
                    before = s if q == r else parents[q, player, first + s]
                    mine = reach[node, player, before]
                    reach[child, player, s] = mine * sigma[at + before] if player == p else mine


@njit
def _terminal(node, p, scale, matrix, block, reach, values):
    """values = scale * matrix @ reach of the other player."""
    width, row = block[2 * p + 1] - block[2 * p], block[4]
    for i in range(width):
        values[node, i] = 0.0
    for j in range(block[3 - 2 * p] - block[2 - 2 * p]):
        factor = scale * reach[node, 1 - p, j]
        for i in range(width):
            values[node, i] += matrix[row + i] * factor
        row += width


@njit
def _up(p, weight, chain, compiled, regret, average, sigma, reach, values):
    """Values of player p, last node first; at his nodes, add to regrets and average."""
    nodes, stake, counts, blocks, parents, entries, _chains, _cumulative = compiled
    spare = len(nodes)
    for node in range(len(nodes) - 1, -1, -1):
        kind, r, actor = nodes[node, KIND], nodes[node, ROUND], nodes[node, PLAYER]
        block = blocks[chain[r]]
        low, width = block[2 * p], block[2 * p + 1] - block[2 * p]
        if kind != DECISION:
            scale = -stake[node] if kind == FOLD and actor != p else stake[node]
            _terminal(node, p, scale, entries[1 if kind == SHOWDOWN else 0, p], block, reach, values)
            continue
        first, actions = nodes[node, FIRST], nodes[node, CHILDREN]
        begin, states = nodes[node, OFFSET] + low, counts[r, p]
        for s in range(width):
            value = 0.0
            for a in range(actions):
                below = values[first + a, s]
                value += below * sigma[begin + a * states + s] if actor == p else below
            values[node, s] = value
            if actor == p:
                for a in range(actions):
                    at = begin + a * states + s
                    regret[at] += weight * (values[first + a, s] - value)
                    average[at] += weight * reach[node, p, s] * sigma[at]
        above = nodes[node, PARENT]
        if above >= 0 and nodes[above, ROUND] != r:  # a card fell: sum over the states that refine the same one
            block = blocks[chain[r - 1]]
            values[spare, :width] = values[node, :width]
            values[node, : block[2 * p + 1] - block[2 * p]] = 0.0
            for s in range(width):
                values[node, parents[r, p, low + s]] += values[spare, s]


@njit(cache=True, nogil=True)
def walk(p, weight, board, compiled, regret, average, sigma, reach, values):
    """One walk of player p on a board, whose iteration counts `weight` times."""
    chain = compiled[6][board]
    _down(chain, compiled, regret, sigma, reach)
    _up(p, weight, chain, compiled, regret, average, sigma, reach, values)


@njit(cache=True, nogil=True)
def iterate(first, count, key, linear, compiled, regret, average, sigma, reach, values):
    """Iterations first .. first + count of public chance sampling: one walk per player, each on a board of its own."""
    cumulative = compiled[7]
    for number in range(2 * first, 2 * (first + count)):
        drawn = np.searchsorted(cumulative, uniform(key, number) * cumulative[-1], side="right")
        board, weight = min(drawn, len(cumulative) - 1), float(number // 2 + 1) if linear else 1.0
        walk(number % 2, weight, board, compiled, regret, average, sigma, reach, values)

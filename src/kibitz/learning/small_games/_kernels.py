"""Policy gradients in small two-player games: by enumeration of all deals, and by REINFORCE on sampled hands.

`game` is a `game.Tables`. Arrays of its layout, `sigma`, `shaping`, `gradient` and so on, are float64[size]: entry
(action, state) of a node is OFFSET + action * states + state. `shaping` is what each action costs whoever takes it,
beside the chips: pull * ln(sigma / anchor) with a lagging anchor.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.random._kernels import stream, uniform
from kibitz.tree.columns import CHILDREN, DECISION, FIRST, KIND, OFFSET, PLAYER, ROUND, SHOWDOWN

MOST_ACTIONS = 64  # of one hand


@njit(cache=True)
def soft_max(nodes, states, theta, sigma, logs):
    """sigma = exp(theta) / sum exp(theta) over the actions of every information set, and its logarithm."""
    for node in range(len(nodes)):
        if nodes[node, KIND] != DECISION:
            continue
        width, begin = states[node], nodes[node, OFFSET]
        end = begin + nodes[node, CHILDREN] * width
        for s in range(begin, begin + width):
            most, total = theta[s], 0.0
            for entry in range(s, end, width):
                most = max(most, theta[entry])
            for entry in range(s, end, width):
                total += np.exp(theta[entry] - most)
            for entry in range(s, end, width):
                logs[entry] = theta[entry] - most - np.log(total)
                sigma[entry] = np.exp(logs[entry])


@njit
def _acting(game, deal, node):
    """Who acts at a node, and the entry of the first action in what that player sees of a deal."""
    player = game.nodes[node, PLAYER]
    return player, game.nodes[node, OFFSET] + game.path[deal, game.nodes[node, ROUND], player]


@njit
def _won(game, deal, node):
    """What player 0 wins at a terminal node."""
    if game.nodes[node, KIND] == SHOWDOWN:
        return game.stake[node] * game.outcome[deal]
    return game.stake[node] if game.nodes[node, PLAYER] == 0 else -game.stake[node]


@njit(cache=True)
def enumerate_gradient(game, sigma, shaping, gradient, played):
    """Add the exact gradient of every player's own expected result, less its shaping, to `gradient`.

    d V_p / d theta(I, a) = sum over deals of weight * reach_0 * reach_1 * sigma_a (Q_a - V), at the nodes of player p.

    played : the probability that its player plays for an entry is added to it, chance included
    """
    nodes, states = game.nodes, game.states
    reach, values = np.ones((len(nodes), 2)), np.empty((len(nodes), 2))
    for deal in range(len(game.weight)):
        for node in range(len(nodes)):
            if nodes[node, KIND] == DECISION:
                p, at = _acting(game, deal, node)
                for a in range(nodes[node, CHILDREN]):
                    child, entry = nodes[node, FIRST] + a, at + a * states[node]
                    reach[child, p] = reach[node, p] * sigma[entry]
                    reach[child, 1 - p] = reach[node, 1 - p]
                    played[entry] += game.weight[deal] * reach[child, p]
        for node in range(len(nodes) - 1, -1, -1):
            if nodes[node, KIND] != DECISION:
                values[node, 0] = _won(game, deal, node)
                values[node, 1] = -values[node, 0]
                continue
            (p, at), first = _acting(game, deal, node), nodes[node, FIRST]
            own = other = 0.0
            for a in range(nodes[node, CHILDREN]):
                entry = at + a * states[node]
                own += sigma[entry] * (values[first + a, p] - shaping[entry])
                other += sigma[entry] * values[first + a, 1 - p]
            values[node, p], values[node, 1 - p] = own, other
            visits = game.weight[deal] * reach[node, 0] * reach[node, 1]
            for a in range(nodes[node, CHILDREN]):
                entry = at + a * states[node]
                gradient[entry] += visits * sigma[entry] * (values[first + a, p] - shaping[entry] - own)


@njit(cache=True)
def sample_gradient(game, sigma, shaping, to_fold, key, hands, gradient):
    """Add REINFORCE's estimate from some hands to `gradient`: sum of (r - b) d ln sigma(a) over the decisions.

    r is what the acting player wins in the hand, less the shaping of this and its later decisions; b is 0, or with
    `to_fold` what folding now would return, minus the chips already put in. Hand h draws from stream h of `key`.

    hands   the first, and the one after the last
    """
    nodes, states = game.nodes, game.states
    total = np.cumsum(game.weight)
    visited, taken = np.empty(MOST_ACTIONS, dtype=np.int64), np.empty(MOST_ACTIONS, dtype=np.int64)
    for hand in range(hands[0], hands[1]):
        own = stream(key, np.uint64(hand))
        deal = min(np.searchsorted(total, uniform(own, 0) * total[-1], side="right"), len(total) - 1)
        node, count = 0, 0
        while nodes[node, KIND] == DECISION:
            _, at = _acting(game, deal, node)
            left, a = uniform(own, count + 1), 0
            while a < nodes[node, CHILDREN] - 1 and left >= sigma[at + a * states[node]]:
                left -= sigma[at + a * states[node]]
                a += 1
            visited[count], taken[count] = node, a
            count += 1
            node = nodes[node, FIRST] + a
        won, cost = _won(game, deal, node), np.zeros(2)
        for step in range(count - 1, -1, -1):
            node, a = visited[step], taken[step]
            p, at = _acting(game, deal, node)
            cost[p] += shaping[at + a * states[node]]
            above = (won if p == 0 else -won) - cost[p] + (game.spent[node, p] if to_fold else 0.0)
            for b in range(nodes[node, CHILDREN]):
                entry = at + b * states[node]
                gradient[entry] += above * ((1.0 if a == b else 0.0) - sigma[entry])

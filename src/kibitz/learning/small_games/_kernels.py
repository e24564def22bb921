"""Policy gradients in small two-player games: by enumeration of all deals, and by REINFORCE on sampled hands.

nodes   : int64[n, >= 7]         see `kibitz.tree.columns`
states  : int64[n]               private states of whoever acts at a node
stake   : float64[n]             chips that change hands at a terminal node
spent   : float64[n, 2]          chips put in, antes included
weight  : float64[d]             probability of each deal
outcome : float64[d]             what player 0 wins of a stake at the showdown of each deal: 1, -1, or between
path    : int64[d, rounds, 2]    private state of each player in each round of each deal
sigma, shaping, gradient : float64[size]   entry (action, state) of a node is OFFSET + action * states + state

`shaping` is what each action costs whoever takes it, beside the chips: pull * ln(sigma / anchor) with a lagging anchor.
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
        width, actions, begin = states[node], nodes[node, CHILDREN], nodes[node, OFFSET]
        for s in range(width):
            most, total = theta[begin + s], 0.0
            for a in range(1, actions):
                most = max(most, theta[begin + a * width + s])
            for a in range(actions):
                total += np.exp(theta[begin + a * width + s] - most)
            for a in range(actions):
                logs[begin + a * width + s] = theta[begin + a * width + s] - most - np.log(total)
                sigma[begin + a * width + s] = np.exp(logs[begin + a * width + s])


@njit
def _won(node, deal, nodes, stake, outcome):
    """What player 0 wins at a terminal node."""
    if nodes[node, KIND] == SHOWDOWN:
        return stake[node] * outcome[deal]
    return stake[node] if nodes[node, PLAYER] == 0 else -stake[node]


@njit(cache=True)
def enumerate_gradient(tables, deals, sigma, shaping, gradient, reach, values, played):
    """Add the exact gradient of every player's own expected result, less its shaping, to `gradient`.

    d V_p / d theta(I, a) = sum over deals of weight * reach_0 * reach_1 * sigma_a (Q_a - V), at the nodes of player p.

    tables = (nodes, states, stake, spent), deals = (weight, outcome, path); reach, values : float64[n, 2], scratch
    played : float64[size], to which the probability that its player plays for an entry is added, chance included
    """
    nodes, states, stake, _spent = tables
    weight, outcome, path = deals
    for deal in range(len(weight)):
        reach[0, 0] = reach[0, 1] = 1.0
        for node in range(len(nodes)):
            if nodes[node, KIND] == DECISION:
                p = nodes[node, PLAYER]
                at = nodes[node, OFFSET] + path[deal, nodes[node, ROUND], p]
                for a in range(nodes[node, CHILDREN]):
                    child = nodes[node, FIRST] + a
                    reach[child, p] = reach[node, p] * sigma[at + a * states[node]]
                    reach[child, 1 - p] = reach[node, 1 - p]
                    played[at + a * states[node]] += weight[deal] * reach[child, p]
        for node in range(len(nodes) - 1, -1, -1):
            if nodes[node, KIND] != DECISION:
                values[node, 0] = _won(node, deal, nodes, stake, outcome)
                values[node, 1] = -values[node, 0]
                continue
            p, first = nodes[node, PLAYER], nodes[node, FIRST]
            at = nodes[node, OFFSET] + path[deal, nodes[node, ROUND], p]
            own = other = 0.0
            for a in range(nodes[node, CHILDREN]):
                entry = at + a * states[node]
                own += sigma[entry] * (values[first + a, p] - shaping[entry])
                other += sigma[entry] * values[first + a, 1 - p]
            values[node, p], values[node, 1 - p] = own, other
            visits = weight[deal] * reach[node, 0] * reach[node, 1]
            for a in range(nodes[node, CHILDREN]):
                entry = at + a * states[node]
                gradient[entry] += visits * sigma[entry] * (values[first + a, p] - shaping[entry] - own)


@njit(cache=True)
def sample_gradient(tables, deals, cumulative, sigma, shaping, to_fold, key, first, hands, gradient):
    """Add REINFORCE's estimate from `hands` hands to `gradient`: sum of (r - b) d ln sigma(a) over the decisions.

    r is what the acting player wins in the hand, less the shaping of this and its later decisions; b is 0, or with
    `to_fold` what folding now would return, minus the chips already put in. Hand h draws from stream h of `key`.

    cumulative : float64[d], sums of weight up to each deal
    """
    nodes, states, stake, spent = tables
    _weight, outcome, path = deals
    visited = np.empty(MOST_ACTIONS, dtype=np.int64)
    taken = np.empty(MOST_ACTIONS, dtype=np.int64)
    for hand in range(first, first + hands):
        own = stream(key, np.uint64(hand))
        deal = min(np.searchsorted(cumulative, uniform(own, 0) * cumulative[-1], side="right"), len(cumulative) - 1)
        node, count = 0, 0
        while nodes[node, KIND] == DECISION:
            at = nodes[node, OFFSET] + path[deal, nodes[node, ROUND], nodes[node, PLAYER]]
            left, a = uniform(own, count + 1), 0
            while a < nodes[node, CHILDREN] - 1 and left >= sigma[at + a * states[node]]:
                left -= sigma[at + a * states[node]]
                a += 1
            visited[count], taken[count] = node, a
            count += 1
            node = nodes[node, FIRST] + a
        won = _won(node, deal, nodes, stake, outcome)
        cost = np.zeros(2)
        for step in range(count - 1, -1, -1):
            node, a = visited[step], taken[step]
            p, width = nodes[node, PLAYER], states[node]
            at = nodes[node, OFFSET] + path[deal, nodes[node, ROUND], p]
            cost[p] += shaping[at + a * width]
            above = (won if p == 0 else -won) - cost[p] + (spent[node, p] if to_fold else 0.0)
            for b in range(nodes[node, CHILDREN]):
                gradient[at + b * width] += above * ((1.0 if a == b else 0.0) - sigma[at + b * width])

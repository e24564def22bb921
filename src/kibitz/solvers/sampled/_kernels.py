"""Walks over a betting tree with one deal at a time: chance, external and outcome sampling, Pure CFR.

An iteration is one walk per player, each with a deal of its own. Walks have numbers, and the random number of a walk at
a node depends on the key, the walk and the node alone, so nothing depends on the order in which nodes are visited.

nodes     : int64[n, 8]           the columns PLAYER .. POTS below; nodes without CHILDREN are terminal
net       : int64[n, players]     at terminal nodes, what a player gets whatever the cards, less what he has put in
pots      : int64[m, 2]           chips and mask of contenders; a terminal node has POTS of them from POT on
unit      : int                   parts of a chip: net and pots count them
whole     : bool                  chips are not split; odd ones go to the first seats
states    : int32[walks, rounds, players]; strengths : int32[walks, players]      the deals
regret, average : float64[size], int64[size] in Pure CFR; entry (state, action) of a node is
                  OFFSET + state * CHILDREN + action
queue     : int64[n], values : like regret, [n]     scratch

With `linear`, iteration t counts t times: what is said of regret and average below is times t.

An information set is visited at most once in a walk, because its walker's state in each round is that of one deal.
"""

import numpy as np
from numba import njit

PLAYER, ROUND, UP, FIRST, CHILDREN, OFFSET, POT, POTS = 0, 1, 2, 3, 4, 5, 6, 7

# SplitMix64 (Steele, Lea and Flood 2014), as in kibitz.deals._kernels: kernels do not share files.
GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_A, MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_A, SHIFT_B, SHIFT_C, SHIFT_UNIT = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@njit
def _mix(x):
    """A bijection of 64-bit numbers without visible pattern."""
    x = (x ^ (x >> SHIFT_A)) * MIX_A
    x = (x ^ (x >> SHIFT_B)) * MIX_B
    return x ^ (x >> SHIFT_C)


@njit
def _uniform(key, number):
    """Number `number` of the stream `key`, from 0 to less than 1."""
    return (_mix(key + np.uint64(number + 1) * GAMMA) >> SHIFT_UNIT) * (1.0 / 9007199254740992.0)


@njit
def _utility(node, p, walk, nodes, net, pots, unit, whole, strengths):
    """What player p wins at a terminal node, in parts of a chip."""
    won = net[node, p]
    first = nodes[node, POT]
    for pot in range(first, first + nodes[node, POTS]):
        chips, mask = pots[pot, 0], pots[pot, 1]
        if not mask >> p & 1:
            continue
        mine, winners, before = strengths[walk, p], 1, 0  # winners with p, and those of them in earlier seats
        for other in range(strengths.shape[1]):
            if other != p and mask >> other & 1:
                theirs = strengths[walk, other]
                if theirs > mine:
                    winners = 0
                    break
                if theirs == mine:
                    winners += 1
                    before += other < p
        if winners == 0:
            continue
        if whole:
            chips //= unit
            won += unit * (chips // winners + (before < chips % winners))
        else:
            won += chips // winners
    return won


@njit
def _positive(regret, at, actions):
    """The sum of the positive regrets of an information set."""
    total = max(regret[at], 0)
    for a in range(1, actions):
        total += max(regret[at + a], 0)
    return total


@njit
def _probability(regret, at, a, actions, total):
    """Regret matching: the share of action a in the positive regrets, else uniform."""
    return max(regret[at + a], 0) / total if total > 0 else 1.0 / actions


@njit
def _choose(regret, at, actions, total, uniform):
    """The action that regret matching takes for a number from 0 to 1."""
    if not total > 0:
        return min(int(uniform * actions), actions - 1)
    chosen, left = 0, uniform * total
    for a in range(actions):
        r = regret[at + a]
        if r > 0:
            chosen = a
            if left < r:
                break
            left -= r
    return chosen


@njit(cache=True, nogil=True)
def chance(first, count, key, linear, game, states, strengths, regret, average, queue, values):
    """Chance sampling: every action of everybody on one deal (Zinkevich et al. 2007).

    regret += reach of the others * (value of the action - value), average += own reach * sigma, at the walker's nodes.
    """
    nodes, net, pots, unit, whole = game
    n, players = net.shape
    own, others, edge = np.empty(n), np.empty(n), np.empty(n)  # edge: the probability of the action that leads here
    own[0] = others[0] = 1.0
    for walk in range(count * players):
        p = walk % players
        weight = float(first + walk // players + 1) if linear else 1.0
        for node in range(n):
            actor, actions, child = nodes[node, PLAYER], nodes[node, CHILDREN], nodes[node, FIRST]
            if own[node] == 0.0 and others[node] == 0.0:
                for a in range(actions):
                    own[child + a] = others[child + a] = 0.0
                continue
            if actions == 0:
                continue
            at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], actor]
            total = _positive(regret, at, actions)
            for a in range(actions):
                sigma = _probability(regret, at, a, actions, total)
                edge[child + a] = sigma
                if actor == p:
                    average[at + a] += weight * own[node] * sigma
                    own[child + a], others[child + a] = own[node] * sigma, others[node]
                else:
                    own[child + a], others[child + a] = own[node], others[node] * sigma
        for node in range(n - 1, -1, -1):
            if others[node] == 0.0:  # the others do not play to here: no regrets, and no weight in what is above
                values[node] = 0.0
                continue
            if nodes[node, CHILDREN] == 0:
                values[node] = _utility(node, p, walk, nodes, net, pots, unit, whole, strengths) / unit
                continue
            actor, actions, child = nodes[node, PLAYER], nodes[node, CHILDREN], nodes[node, FIRST]
            value = 0.0
            for a in range(actions):
                value += edge[child + a] * values[child + a]
            values[node] = value
            if actor == p:
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], actor]
                for a in range(actions):
                    regret[at + a] += weight * others[node] * (values[child + a] - value)


@njit(cache=True, nogil=True)
def external(first, count, key, linear, game, states, strengths, regret, average, queue, values):
    """External sampling: every action of the walker, one of each other player (Lanctot et al. 2009).

    regret += value of the action - value, at the walker's nodes; average += sigma, at the others'.

    The queue holds the nodes after each of the walker's actions; one that is somebody else's is played on until the
    walker acts again or the hand is over. The children of a place stand side by side: spans says from where.
    """
    nodes, net, pots, unit, whole = game
    players = net.shape[1]
    spans = np.empty(len(nodes), np.int64)
    for walk in range(count * players):
        p = walk % players
        stream = _mix(key + np.uint64(first * players + walk) * GAMMA)
        weight = float(first + walk // players + 1) if linear else 1.0
        queue[0], end, place = 0, 1, 0
        while place < end:
            node = queue[place]
            while nodes[node, CHILDREN] > 0 and nodes[node, PLAYER] != p:
                actions = nodes[node, CHILDREN]
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], nodes[node, PLAYER]]
                total = _positive(regret, at, actions)
                for a in range(actions):
                    average[at + a] += weight * _probability(regret, at, a, actions, total)
                node = nodes[node, FIRST] + _choose(regret, at, actions, total, _uniform(stream, node))
            queue[place] = node
            if nodes[node, CHILDREN] > 0:
                spans[place] = end
                for a in range(nodes[node, CHILDREN]):
                    queue[end + a] = nodes[node, FIRST] + a
                end += nodes[node, CHILDREN]
            else:
                values[place] = _utility(node, p, walk, nodes, net, pots, unit, whole, strengths) / unit
            place += 1
        for place in range(end - 1, -1, -1):
            node = queue[place]
            if nodes[node, CHILDREN] > 0:
                actions, child = nodes[node, CHILDREN], spans[place]
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], p]
                total = _positive(regret, at, actions)
                value = 0.0
                for a in range(actions):
                    value += _probability(regret, at, a, actions, total) * values[child + a]
                for a in range(actions):
                    regret[at + a] += weight * (values[child + a] - value)
                values[place] = value


@njit(cache=True, nogil=True)
def pure(first, count, key, linear, game, states, strengths, regret, average, queue, values):
    """Pure CFR: as external sampling, but everybody plays one action everywhere, and all is counted in integers
    (Gibson 2014, section 5.5).

    regret += value of the action - value of the action played, at the walker's nodes, in parts of a chip;
    average += 1 for the action played, at the others'.
    """
    nodes, net, pots, unit, whole = game
    players = net.shape[1]
    spans = np.empty(len(nodes), np.int64)
    for walk in range(count * players):
        p = walk % players
        stream = _mix(key + np.uint64(first * players + walk) * GAMMA)
        weight = first + walk // players + 1 if linear else 1
        queue[0], end, place = 0, 1, 0
        while place < end:
            node = queue[place]
            while nodes[node, CHILDREN] > 0 and nodes[node, PLAYER] != p:
                actions = nodes[node, CHILDREN]
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], nodes[node, PLAYER]]
                played = _choose(regret, at, actions, _positive(regret, at, actions), _uniform(stream, node))
                average[at + played] += weight
                node = nodes[node, FIRST] + played
            queue[place] = node
            if nodes[node, CHILDREN] > 0:
                spans[place] = end
                for a in range(nodes[node, CHILDREN]):
                    queue[end + a] = nodes[node, FIRST] + a
                end += nodes[node, CHILDREN]
            else:
                values[place] = _utility(node, p, walk, nodes, net, pots, unit, whole, strengths)
            place += 1
        for place in range(end - 1, -1, -1):
            node = queue[place]
            if nodes[node, CHILDREN] > 0:
                actions, child = nodes[node, CHILDREN], spans[place]
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], p]
                played = _choose(regret, at, actions, _positive(regret, at, actions), _uniform(stream, node))
                value = values[child + played]
                for a in range(actions):
                    regret[at + a] += weight * (values[child + a] - value)
                values[place] = value


@njit(cache=True, nogil=True)
def outcome(epsilon, first, count, key, linear, game, states, strengths, regret, average, queue, values):
    """Outcome sampling: one hand, the walker exploring with probability epsilon (Lanctot et al. 2009).

    With q the probability that the walker took all his actions of the hand, u what he won, and tail the probability
    under sigma of his later actions, at each of his nodes

        regret[played] += u / q * tail,   regret[a] -= u / q * tail * sigma[played] for every a,

    which is unbiased: the others play sigma, so their probabilities cancel. At another player's node
    average += sigma * (that player's reach) / (probability that everybody got here in this walk).
    """
    nodes, net, pots, unit, whole = game
    players = net.shape[1]
    reach = np.empty(players)
    for walk in range(count * players):
        p = walk % players
        stream = _mix(key + np.uint64(first * players + walk) * GAMMA)
        weight = float(first + walk // players + 1) if linear else 1.0
        reach[:] = 1.0
        node, length, here, taken = 0, 0, 1.0, 1.0  # here: probability of coming here, taken: the walker's part of it
        while nodes[node, CHILDREN] > 0:
            actor, actions = nodes[node, PLAYER], nodes[node, CHILDREN]
            at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], actor]
            total, uniform = _positive(regret, at, actions), _uniform(stream, node)
            if actor != p:
                for a in range(actions):
                    sigma = _probability(regret, at, a, actions, total)
                    average[at + a] += weight * reach[actor] / here * sigma
                played = _choose(regret, at, actions, total, uniform)
                sigma = _probability(regret, at, played, actions, total)
                reach[actor] *= sigma
                here *= sigma
            else:
                if uniform < epsilon:
                    played = min(int(uniform / epsilon * actions), actions - 1)
                else:
                    played = _choose(regret, at, actions, total, (uniform - epsilon) / (1.0 - epsilon))
                sigma = _probability(regret, at, played, actions, total)
                explored = epsilon / actions + (1.0 - epsilon) * sigma
                here *= explored
                taken *= explored
                queue[length] = nodes[node, FIRST] + played
                length += 1
            node = nodes[node, FIRST] + played
        scaled = _utility(node, p, walk, nodes, net, pots, unit, whole, strengths) * weight / unit / taken
        for place in range(length - 1, -1, -1):  # scaled is u / q * tail from here on
            child = queue[place]
            node = nodes[child, UP]
            actions = nodes[node, CHILDREN]
            at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], p]
            played = child - nodes[node, FIRST]
            sigma = _probability(regret, at, played, actions, _positive(regret, at, actions))
            for a in range(actions):
                regret[at + a] -= scaled * sigma
            regret[at + played] += scaled
            scaled *= sigma

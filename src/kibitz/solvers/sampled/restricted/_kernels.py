"""Walks against players who are in part held to a model, and hands played against them.

Arrays are those of `sampled._kernels`. What the opponents of the responder are held to comes as `held`:

p        float: probability that an opponent plays the model, drawn for each of them once a hand
model    float[size of the model's layout]: its probabilities, the actions of an information set side by side
offset   integers[n]: where the information sets of each node begin in `model`
trust    float[information sets of the model's layout], or empty: probability of playing the model, drawn at every
         decision
begin    integers[n]: where the information sets of each node begin in `trust`; empty with it
seen     int32[walks, rounds, players]: the states of the deals by the model's cards

Random numbers beside those of plain walks come from a stream of their own: where nobody is held, walks are the same.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.random._kernels import mix, stream, uniform
from kibitz.solvers._kernels import add, choose, read, share, total_positive
from kibitz.solvers.sampled._kernels import NET, _utility
from kibitz.tree.columns import CHILDREN, FIRST, OFFSET, PLAYER, ROUND


@njit
def _bound(p, responder, players, coins):
    """The players who are held to the model for the whole hand, as a mask."""
    mask = 0
    for player in range(players):
        if player != responder and uniform(coins, player) < p:
            mask |= 1 << player
    return mask


@njit
def _trusted(walk, node, nodes, trust, begin, seen):
    """The probability that the actor of a node plays the model there."""
    if len(trust) == 0:
        return 0.0
    return np.float64(trust[begin[node] + seen[walk, nodes[node, ROUND], nodes[node, PLAYER]]])


@njit
def _modelled(walk, node, nodes, model, offset, seen, drawn):
    """The action of the model for a number from 0 to 1."""
    actions = nodes[node, CHILDREN]
    at = offset[node] + actions * seen[walk, nodes[node, ROUND], nodes[node, PLAYER]]
    return choose(model, at, actions, total_positive(model, at, actions), drawn)


@njit(cache=True, nogil=True)
def external(first, count, key, linear, game, states, strengths, regret, average, queue, values, responder, held, seen):
    """External sampling against held players: `sampled._kernels.external` says what is not said here.

    An opponent who is held for the hand takes the model's actions and learns nothing in that hand; in a walk of its own
    it is free. With `trust`, an opponent plays P * model + (1 - P) * sigma, and in a walk of its own

        regret += (1 - P) * (value of the action - value of sigma),

    while its node is worth what that mixture is worth. average += sigma at the nodes of others who are not held for the
    hand.
    """
    nodes, ends, pots, unit, whole = game
    p, model, offset, trust, begin = held
    players = ends.shape[1] - NET
    spans = np.empty(len(nodes), np.int64)
    for walk in range(count * players):
        walker = walk % players
        dice = stream(key, first * players + walk)
        coins = mix(dice)
        bound = _bound(p, responder, players, coins)
        weight = float(first + walk // players + 1) if linear else 1.0
        queue[0], end, place = 0, 1, 0
        while place < end:
            node = queue[place]
            while nodes[node, CHILDREN] > 0 and nodes[node, PLAYER] != walker:
                actor, actions, drawn = nodes[node, PLAYER], nodes[node, CHILDREN], uniform(dice, node)
                if bound >> actor & 1:
                    node = nodes[node, FIRST] + _modelled(walk, node, nodes, model, offset, seen, drawn)
                    continue
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], actor]
                total = total_positive(regret, at, actions)
                for a in range(actions):
                    add(average, at + a, weight * share(read(regret, at + a), total, actions), dice)
                trusted = _trusted(walk, node, nodes, trust, begin, seen) if actor != responder else 0.0
                if uniform(coins, players + node) < trusted:
                    node = nodes[node, FIRST] + _modelled(walk, node, nodes, model, offset, seen, drawn)
                else:
                    node = nodes[node, FIRST] + choose(regret, at, actions, total, drawn)
            queue[place] = node
            if nodes[node, CHILDREN] > 0:
                spans[place] = end
                for a in range(nodes[node, CHILDREN]):
                    queue[end + a] = nodes[node, FIRST] + a
                end += nodes[node, CHILDREN]
            else:
                values[place] = _utility(node, walker, walk, nodes, ends, pots, unit, whole, strengths) / unit
            place += 1
        for place in range(end - 1, -1, -1):
            node = queue[place]
            if nodes[node, CHILDREN] > 0:
                actions, child = nodes[node, CHILDREN], spans[place]
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], walker]
                total = total_positive(regret, at, actions)
                value = 0.0
                for a in range(actions):
                    value += share(read(regret, at + a), total, actions) * values[child + a]
                trusted = _trusted(walk, node, nodes, trust, begin, seen) if walker != responder else 0.0
                for a in range(actions):
                    add(regret, at + a, weight * (1.0 - trusted) * (values[child + a] - value), dice)
                if trusted > 0.0:
                    known = offset[node] + actions * seen[walk, nodes[node, ROUND], walker]
                    value *= 1.0 - trusted
                    for a in range(actions):
                        value += trusted * model[known + a] * values[child + a]
                values[place] = value


@njit(cache=True, nogil=True)
def play(first, key, game, states, strengths, responder, ours, free, held, seen, won):
    """Play one hand with each deal and write what the responder wins to float64[hands] `won`, in chips.

    The responder plays `ours`, an opponent who is not held `free`; both are sums as the solver keeps them.
    """
    nodes, ends, pots, unit, whole = game
    p, model, offset, trust, begin = held
    players = ends.shape[1] - NET
    for hand in range(len(won)):
        dice = stream(key, first + hand)
        coins = mix(dice)
        bound = _bound(p, responder, players, coins)
        node = 0
        while nodes[node, CHILDREN] > 0:
            actor, actions, drawn = nodes[node, PLAYER], nodes[node, CHILDREN], uniform(dice, node)
            at = nodes[node, OFFSET] + actions * states[hand, nodes[node, ROUND], actor]
            if actor == responder:
                node = nodes[node, FIRST] + choose(ours, at, actions, total_positive(ours, at, actions), drawn)
                continue
            is_held = bound >> actor & 1 > 0
            if not is_held:
                is_held = uniform(coins, players + node) < _trusted(hand, node, nodes, trust, begin, seen)
            if is_held:
                node = nodes[node, FIRST] + _modelled(hand, node, nodes, model, offset, seen, drawn)
            else:
                node = nodes[node, FIRST] + choose(free, at, actions, total_positive(free, at, actions), drawn)
        won[hand] = _utility(node, responder, hand, nodes, ends, pots, unit, whole, strengths) / unit

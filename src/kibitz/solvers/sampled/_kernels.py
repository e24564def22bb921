"""Walks over a betting tree with one deal at a time: chance, external and outcome sampling, Pure CFR.

An iteration is one walk per player, each with a deal of its own. Walks have numbers, and the random number of a walk at
a node depends on the key, the walk and the node alone, so nothing depends on the order in which nodes are visited.

nodes     : int32[n, 8]           see `kibitz.tree.columns` (int64 where offsets need it); a node without CHILDREN is
                                  terminal, and END, the last column, its row of ends
ends      : int64[m, 2 + players] the columns POT, POTS and NET: at an end a player gets NET whatever the cards, what he
                                  has put in taken off, and POTS pots from POT on are to be won
pots      : int64[k, 2]           chips and mask of contenders
unit      : int                   parts of a chip: ends and pots count them
whole     : bool                  chips are not split; odd ones go to the first seats
states    : int32[walks, rounds, players]; strengths : int32[walks, players]      the deals
regret, average : sums [size], of a type that `read` and `add` know; entry (state, action) of a node is
                  OFFSET + state * CHILDREN + action
queue     : int64[n], values : float64[n], int64[n] in Pure CFR     scratch

With `linear`, iteration t counts t times: what is said of regret and average below is times t.

An information set is visited at most once in a walk, because its walker's state in each round is that of one deal.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.random._kernels import mix, stream, uniform
from kibitz.solvers._kernels import add, choose, read, share, total_positive
from kibitz.tree.columns import CHILDREN, FIRST, FURTHER, OFFSET, PARENT, PLAYER, ROUND

END = FURTHER
POT, POTS, NET = 0, 1, 2


@njit
def _utility(node, p, walk, nodes, ends, pots, unit, whole, strengths):
    """What player p wins at a terminal node, in parts of a chip."""
    end = nodes[node, END]
    won = ends[end, NET + p]
    first = ends[end, POT]
    for pot in range(first, first + ends[end, POTS]):
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


@njit(cache=True, nogil=True)
def match(nodes, counts, sums, values):
    """Write the shares of actions in the positive sums to `values` [size], in the order of strategies.

    counts : int64[rounds, players], card states
    """
    for node in range(len(nodes)):
        actions = nodes[node, CHILDREN]
        if actions == 0:
            continue
        begin, states = nodes[node, OFFSET], counts[nodes[node, ROUND], nodes[node, PLAYER]]
        for state in range(states):
            at = begin + state * actions
            total = total_positive(sums, at, actions)
            for a in range(actions):
                values[begin + a * states + state] = share(read(sums, at + a), total, actions)


@njit(cache=True, nogil=True)
def unmatch(nodes, offset, counts, values, sums):
    """The other way round: write probabilities in the order of strategies to `sums` [size], in that of the kernels.

    offset : integers[n], where the probabilities of each node begin in both; counts as in `match`
    """
    for node in range(len(nodes)):
        actions = nodes[node, CHILDREN]
        if actions == 0:
            continue
        begin, states = offset[node], counts[nodes[node, ROUND], nodes[node, PLAYER]]
        for state in range(states):
            for a in range(actions):
                sums[begin + state * actions + a] = values[begin + a * states + state]


@njit(cache=True, nogil=True)
def chance(first, count, key, linear, game, states, strengths, regret, average, queue, values):
    """Chance sampling: every action of everybody on one deal (Zinkevich et al. 2007).

    regret += reach of the others * (value of the action - value), average += own reach * sigma, at the walker's nodes.
    """
    nodes, ends, pots, unit, whole = game
    n, players = len(nodes), ends.shape[1] - NET
    own, others, edge = np.empty(n), np.empty(n), np.empty(n)  # edge: the probability of the action that leads here
    own[0] = others[0] = 1.0
    for walk in range(count * players):
        p = walk % players
        dice = stream(key, first * players + walk)
        weight = float(first + walk // players + 1) if linear else 1.0
        queue[0], end, place = 0, 1, 0  # the nodes that anybody plays to, parents first
        while place < end:
            node = queue[place]
            place += 1
            actor, actions, child = nodes[node, PLAYER], nodes[node, CHILDREN], nodes[node, FIRST]
            if actions == 0:
                continue
            at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], actor]
            total = total_positive(regret, at, actions)
            for a in range(actions):
                sigma = share(read(regret, at + a), total, actions)
                edge[child + a] = sigma
                if actor == p:
                    add(average, at + a, weight * own[node] * sigma, dice)
                    own[child + a], others[child + a] = own[node] * sigma, others[node]
                else:
                    own[child + a], others[child + a] = own[node], others[node] * sigma
                if own[child + a] > 0.0 or others[child + a] > 0.0:
                    queue[end] = child + a
                    end += 1
                else:
                    values[child + a] = 0.0
        for place in range(end - 1, -1, -1):
            node = queue[place]
            if others[node] == 0.0:  # the others do not play to here: no regrets, and no weight in what is above
                values[node] = 0.0
                continue
            if nodes[node, CHILDREN] == 0:
                values[node] = _utility(node, p, walk, nodes, ends, pots, unit, whole, strengths) / unit
                continue
            actor, actions, child = nodes[node, PLAYER], nodes[node, CHILDREN], nodes[node, FIRST]
            value = 0.0
            for a in range(actions):
                value += edge[child + a] * values[child + a]
            values[node] = value
            if actor == p:
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], actor]
                for a in range(actions):
                    add(regret, at + a, weight * others[node] * (values[child + a] - value), dice)


@njit
def bound_players(p, responder, players, coins):
    """The players who are held to the model for the whole hand, as a mask."""
    mask = 0
    for player in range(players):
        if player != responder and uniform(coins, player) < p:
            mask |= 1 << player
    return mask


@njit
def trusted_at(walk, node, nodes, trust, begin, seen):
    """The probability that the actor of a node plays the model there."""
    if len(trust) == 0:
        return 0.0
    return np.float64(trust[begin[node] + seen[walk, nodes[node, ROUND], nodes[node, PLAYER]]])


@njit
def modelled(walk, node, nodes, model, offset, seen, drawn):
    """The action of the model for a number from 0 to 1."""
    actions = nodes[node, CHILDREN]
    at = offset[node] + actions * seen[walk, nodes[node, ROUND], nodes[node, PLAYER]]
    return choose(model, at, actions, total_positive(model, at, actions), drawn)


@njit(cache=True, nogil=True)
def external(
    first,
    count,
    key,
    linear,
    game,
    states,
    strengths,
    regret,
    average,
    queue,
    values,
    responder=-1,
    held=None,
    seen=None,
):
    """External sampling: every action of the walker, one of each other player (Lanctot et al. 2009).

    regret += value of the action - value, at the walker's nodes; average += sigma, at the others'.

    The queue holds the nodes after each of the walker's actions; one that is somebody else's is played on until the
    walker acts again or the hand is over. The children of a place stand side by side: spans says from where.

    With `held`, players other than the responder are in part held to a model: `sampled.restricted._kernels` says how.
    One who is held for the hand takes the model's actions and learns nothing in that hand; in a walk of its own it is
    free. One who plays the model with probability P at a decision plays P * model + (1 - P) * sigma there, and

        regret += (1 - P) * (value of the action - value of sigma),

    while its node is worth what that mixture is worth. Without `held`, the compiler leaves all of this out.
    """
    nodes, ends, pots, unit, whole = game
    if held is not None:
        p, model, offset, trust, begin = held
    players = ends.shape[1] - NET
    spans = np.empty(len(nodes), np.int64)
    for walk in range(count * players):
        walker = walk % players
        dice = stream(key, first * players + walk)
        if held is not None:
            coins = mix(dice)
            bound = bound_players(p, responder, players, coins)
        weight = float(first + walk // players + 1) if linear else 1.0
        queue[0], end, place = 0, 1, 0
        while place < end:
            node = queue[place]
            while nodes[node, CHILDREN] > 0 and nodes[node, PLAYER] != walker:
                actor, actions, drawn = nodes[node, PLAYER], nodes[node, CHILDREN], uniform(dice, node)
                if held is not None and bound >> actor & 1:
                    node = nodes[node, FIRST] + modelled(walk, node, nodes, model, offset, seen, drawn)
                    continue
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], actor]
                total = total_positive(regret, at, actions)
                for a in range(actions):
                    add(average, at + a, weight * share(read(regret, at + a), total, actions), dice)
                if held is not None:
                    trusted = trusted_at(walk, node, nodes, trust, begin, seen) if actor != responder else 0.0
                    if uniform(coins, players + node) < trusted:
                        node = nodes[node, FIRST] + modelled(walk, node, nodes, model, offset, seen, drawn)
                        continue
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
                value, trusted = 0.0, 0.0
                for a in range(actions):
                    value += share(read(regret, at + a), total, actions) * values[child + a]
                if held is not None and walker != responder:
                    trusted = trusted_at(walk, node, nodes, trust, begin, seen)
                for a in range(actions):
                    add(regret, at + a, weight * (1.0 - trusted) * (values[child + a] - value), dice)
                if held is not None and trusted > 0.0:
                    known = offset[node] + actions * seen[walk, nodes[node, ROUND], walker]
                    value *= 1.0 - trusted
                    for a in range(actions):
                        value += trusted * model[known + a] * values[child + a]
                values[place] = value


@njit(cache=True, nogil=True)
def pure(first, count, key, linear, game, states, strengths, regret, average, queue, values):
    """Pure CFR: as external sampling, but everybody plays one action everywhere, and all is counted in integers
    (Gibson 2014, section 5.5).

    regret += value of the action - value of the action played, at the walker's nodes, in parts of a chip;
    average += 1 for the action played, at the others'.
    """
    nodes, ends, pots, unit, whole = game
    players = ends.shape[1] - NET
    spans = np.empty(len(nodes), np.int64)
    for walk in range(count * players):
        p = walk % players
        dice = stream(key, first * players + walk)
        weight = first + walk // players + 1 if linear else 1
        queue[0], end, place = 0, 1, 0
        while place < end:
            node = queue[place]
            while nodes[node, CHILDREN] > 0 and nodes[node, PLAYER] != p:
                actions = nodes[node, CHILDREN]
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], nodes[node, PLAYER]]
                played = choose(regret, at, actions, total_positive(regret, at, actions), uniform(dice, node))
                add(average, at + played, weight, dice)
                node = nodes[node, FIRST] + played
            queue[place] = node
            if nodes[node, CHILDREN] > 0:
                spans[place] = end
                for a in range(nodes[node, CHILDREN]):
                    queue[end + a] = nodes[node, FIRST] + a
                end += nodes[node, CHILDREN]
            else:
                values[place] = _utility(node, p, walk, nodes, ends, pots, unit, whole, strengths)
            place += 1
        for place in range(end - 1, -1, -1):
            node = queue[place]
            if nodes[node, CHILDREN] > 0:
                actions, child = nodes[node, CHILDREN], spans[place]
                at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], p]
                played = choose(regret, at, actions, total_positive(regret, at, actions), uniform(dice, node))
                value = values[child + played]
                for a in range(actions):
                    add(regret, at + a, weight * (values[child + a] - value), dice)
                values[place] = value


@njit(cache=True, nogil=True)
def outcome(epsilon, first, count, key, linear, game, states, strengths, regret, average, queue, values):
    """Outcome sampling: one hand, the walker exploring with probability epsilon (Lanctot et al. 2009).

    With q the probability that the walker took all his actions of the hand, u what he won, and tail the probability
    under sigma of his later actions, at each of his nodes

        regret[played] += u / q * tail,   regret[a] -= u / q * tail * sigma[played] for every a,

    which is unbiased: the others play sigma, so their probabilities cancel. At another player's node
    average += sigma * (that player's reach) / (probability that everybody got here in this walk).

    The regrets of a node are read once, into `known`, for other threads change them: an action that was chosen must
    have the probability that it was chosen with.
    """
    nodes, ends, pots, unit, whole = game
    players = ends.shape[1] - NET
    reach, known = np.empty(players), np.empty(nodes[:, CHILDREN].max())
    for walk in range(count * players):
        p = walk % players
        dice = stream(key, first * players + walk)
        weight = float(first + walk // players + 1) if linear else 1.0
        reach[:] = 1.0
        node, length, here, taken = 0, 0, 1.0, 1.0  # here: probability of coming here, taken: the walker's part of it
        while nodes[node, CHILDREN] > 0:
            actor, actions = nodes[node, PLAYER], nodes[node, CHILDREN]
            at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], actor]
            for a in range(actions):
                known[a] = read(regret, at + a)
            total, drawn = total_positive(known, 0, actions), uniform(dice, node)
            if actor != p:
                for a in range(actions):
                    sigma = share(known[a], total, actions)
                    add(average, at + a, weight * reach[actor] / here * sigma, dice)
                played = choose(known, 0, actions, total, drawn)
                sigma = share(known[played], total, actions)
                reach[actor] *= sigma
                here *= sigma
            else:
                if drawn < epsilon:
                    played = min(int(drawn / epsilon * actions), actions - 1)
                else:
                    played = choose(known, 0, actions, total, (drawn - epsilon) / (1.0 - epsilon))
                sigma = share(known[played], total, actions)
                explored = epsilon / actions + (1.0 - epsilon) * sigma
                here *= explored
                taken *= explored
                queue[length], values[length] = nodes[node, FIRST] + played, sigma
                length += 1
            node = nodes[node, FIRST] + played
        scaled = _utility(node, p, walk, nodes, ends, pots, unit, whole, strengths) * weight / unit / taken
        for place in range(length - 1, -1, -1):  # scaled is u / q * tail from here on
            child, sigma = queue[place], values[place]
            node = nodes[child, PARENT]
            actions = nodes[node, CHILDREN]
            at = nodes[node, OFFSET] + actions * states[walk, nodes[node, ROUND], p]
            played = child - nodes[node, FIRST]
            for a in range(actions):
                add(regret, at + a, scaled * (1.0 - sigma if a == played else -sigma), dice)
            scaled *= sigma

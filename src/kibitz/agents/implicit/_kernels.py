"""Whole matches of an implicit agent in a small game, compiled: all hands listed, all strategies arrays of one layout.

The actions are those of `ImplicitAgent` and `StrategyAgent` in the engine: same cards, same random numbers.

Hands of the game are numbered 0 .. n - 1. Experts stand side by side in the last axis, so that what is done for all of
them runs over neighbours in memory.
"""

from typing import NamedTuple

import numpy as np

from kibitz.compiling import njit
from kibitz.random._kernels import mix, unit

DECISION, FOLD = 0, 1  # kinds of nodes, as in `kibitz.tree.columns`
EXP3G, UCB1, STATIC = range(3)
FLOOR, MIX = range(2)
MONEY = -1  # an estimator; others are bits: 1 for all private cards, 2 for early folds


class TreeArrays(NamedTuple):
    """The tree and the layout of all strategies."""

    kind: np.ndarray  # int64[nodes]
    player: np.ndarray  # int64[nodes]
    round: np.ndarray  # int64[nodes]
    first: np.ndarray  # int64[nodes], first child
    children: np.ndarray  # int64[nodes]
    folds: np.ndarray  # bool[nodes], whether the first action is to fold
    paid: np.ndarray  # float64[nodes, 2], chips in, antes included
    stake: np.ndarray  # float64[nodes], chips that change hands at a terminal node
    offset: np.ndarray  # int64[nodes + 1]
    states: np.ndarray  # int64[nodes]


class Cards(NamedTuple):
    """The deals of a match."""

    held: np.ndarray  # int64[hands, 2], the hand of each position
    states: np.ndarray  # int32[hands, 2, rounds, n], private states by position; -1 where the board blocks a hand
    strength: np.ndarray  # int32[hands, n], at a showdown
    apart: np.ndarray  # bool[n, n], whether two hands share no card


class Bandit(NamedTuple):
    """Settings, see `Learning`."""

    kind: int
    rate: float
    least: float
    explore: int
    share: float
    discount: float
    scale: float
    estimator: int
    by_seat: bool
    unit: float


@njit
def sign(number):
    """-1, 0 or 1."""
    return 1.0 if number > 0 else (-1.0 if number < 0 else 0.0)


@njit
def fill(out, values):
    """Copy float64[n], without the machinery of array assignments, which takes long to compile."""
    for k in range(len(out)):
        out[k] = values[k]


@njit
def clear(out, value):
    """Set all of float64[n]."""
    for k in range(len(out)):
        out[k] = value


@njit
def floor_weights(weights, least, out):
    """`kibitz.bandits.floored`."""
    count = len(weights)
    low = np.zeros(count, np.bool_)
    fill(out, weights)
    again = True
    while again:
        again = False
        for k in range(count):
            if not low[k] and out[k] < least:
                low[k] = again = True
        if again:
            total, free = 0.0, 1.0
            for k in range(count):
                if low[k]:
                    free -= least
                else:
                    total += weights[k]
            for k in range(count):
                out[k] = least if low[k] or total <= 0.0 else weights[k] * (free / total)


@njit
def softmax(logits, out):
    """`kibitz.bandits.hedge.softmax`."""
    most = logits[0]
    for k in range(len(logits)):
        most = max(most, logits[k])
    total = 0.0
    for k in range(len(logits)):
        out[k] = np.exp(logits[k] - most)
        total += out[k]
    for k in range(len(logits)):
        out[k] /= total


@njit
def next_weights(bandit, sums, plays, shared, out):
    """The weights of the next hand.

    sums, plays, shared : float64[experts], what the bandit remembers
    """
    count = len(sums)
    if bandit.kind == EXP3G:
        now = np.empty(count)
        if bandit.share > 0.0:
            fill(now, shared)
        else:
            for k in range(count):
                out[k] = bandit.rate * sums[k]
            softmax(out, now)
        if bandit.explore == FLOOR:
            floor_weights(now, bandit.least, out)
        else:
            for k in range(count):
                out[k] = (1 - bandit.least * count) * now[k] + bandit.least
    elif bandit.kind == UCB1:
        best, chosen, total = 0.0, -1, 0.0
        for k in range(count):
            total += plays[k]
        for k in range(count):
            if plays[k] == 0.0:
                chosen = k
                break
            bound = sums[k] / plays[k] + bandit.scale * np.sqrt(2 * np.log(max(total, 1.0)) / plays[k])
            if chosen < 0 or bound > best:
                best, chosen = bound, k
        clear(out, 0.0)
        out[chosen] = 1.0


@njit
def learn(bandit, rewards, weights, sums, plays, shared):
    """`Exp3G.update` and `UCB1.learn`."""
    if bandit.kind == EXP3G:
        for k in range(len(sums)):
            sums[k] = bandit.discount * sums[k] + rewards[k]
        if bandit.share > 0.0:
            now, logits = np.empty(len(sums)), np.empty(len(sums))
            for k in range(len(sums)):
                logits[k] = np.log(shared[k]) + bandit.rate * rewards[k]
            softmax(logits, now)
            for k in range(len(sums)):
                shared[k] = (1 - bandit.share) * now[k] + bandit.share / len(sums)
    elif bandit.kind == UCB1:
        for k in range(len(sums)):
            sums[k] *= bandit.discount
            plays[k] *= bandit.discount
            if weights[k] > 0.0:
                sums[k] += rewards[k]
                plays[k] += 1.0


@njit
def draw(chances, count, uniform):
    """The action at `uniform` of chances that need not sum to 1."""
    total = 0.0
    for a in range(count):
        total += chances[a]
    target = uniform * total
    best = 0
    for a in range(count):
        target -= chances[a]
        if target < 0:
            return a
        if chances[a] > chances[best]:
            best = a
    return best


@njit
def estimate(betting, experts, weights, estimator, hand, path, steps, end, out):
    """`kibitz.modelling.estimators.estimate` of a hand; out : float64[experts], chips.

    hand : (seat, own hand, other hand or -1 where it was not shown, states int32[rounds, n], strength int32[n],
            apart bool[n, n])
    path : (node, action) int64[., 2] of the seat's own decisions, as many as `steps`
    end  : (terminal node, round of the board)
    """
    seat, own, other, states, strength, apart = hand
    count, n = len(out), len(strength)
    all_cards, early = estimator & 1, estimator & 2
    reach = np.empty((n, count))
    mine = np.empty(count)
    clear(out, 0.0)
    for x in range(n):
        here = 0.0 if (not all_cards and x != own) or (other >= 0 and not apart[x, other]) else 1.0
        for k in range(count):
            reach[x, k] = here
    for step in range(steps):
        node, action = path[step, 0], path[step, 1]
        round_, width = betting.round[node], betting.states[node]
        base = betting.offset[node]
        total = 0.0
        clear(mine, 0.0)
        for x in range(n):
            state = states[round_, x]
            if state < 0:
                for k in range(count):
                    reach[x, k] = 0.0
                continue
            row = base + action * width + state
            for k in range(count):
                here = reach[x, k]
                total += weights[k] * here
                mine[k] += here * experts[base + state, k]
                reach[x, k] = here * experts[row, k]
        if early and betting.folds[node]:
            for k in range(count):
                out[k] -= betting.paid[node, seat] * mine[k] / total
    terminal, last_round = end
    folded = betting.kind[terminal] == FOLD and betting.player[terminal] != seat
    if folded and early:
        return
    total = 0.0
    clear(mine, 0.0)
    for x in range(n):
        if states[last_round, x] < 0:
            continue
        value = -betting.stake[terminal] if folded else betting.stake[terminal]
        if betting.kind[terminal] != FOLD:
            value *= sign(strength[x] - strength[other])
        for k in range(count):
            total += weights[k] * reach[x, k]
            mine[k] += value * reach[x, k]
    for k in range(count):
        out[k] += mine[k] / total


@njit(cache=True, nogil=True)
def play(betting, cards, experts, opponents, changes, bandit, seeds, seat, chips, weights_of, rewards_of):
    """Play a match: the agent on `seat` against opponents, one after the other, on the other.

    experts    : float64[size, experts]
    opponents  : float64[opponents, size]
    changes    : int64[opponents - 1]       hands after which the next one plays
    seeds      : uint64[1 + opponents]      of the agent's and the opponents' random numbers
    chips      : float64[hands]             receives what the agent wins
    weights_of, rewards_of : float64[hands, experts]   receive the weights of every hand, and what was learnt from it
    """
    hands, count = weights_of.shape
    rounds = cards.states.shape[2]
    sums, plays = np.zeros((2, count)), np.zeros((2, count))
    shared = np.full((2, count), 1.0 / count)
    now = np.full((2, count), 1.0 / count)
    reach, rewards, chances = np.empty(count), np.empty(count), np.empty(64)
    path = np.empty((64, 2), np.int64)
    number = 0
    for h in range(hands):
        while number < len(changes) and h >= changes[number]:
            number += 1
        position = (seat - h) % 2
        book = position if bandit.by_seat else 0
        if bandit.kind != STATIC:
            next_weights(bandit, sums[book], plays[book], shared[book], now[book])
        fill(weights_of[h], now[book])
        fill(reach, now[book])
        own_key = mix(mix(seeds[0]) ^ np.uint64(h))
        other_key = mix(mix(seeds[1 + number]) ^ np.uint64(h))
        own_draws, other_draws, steps, node = (1 if bandit.kind == UCB1 else 0), 0, 0, 0
        while betting.kind[node] == DECISION:
            player, width, actions = betting.player[node], betting.states[node], betting.children[node]
            state = cards.states[h, player, betting.round[node], cards.held[h, player]]
            base = betting.offset[node] + state
            if player == position:
                for a in range(actions):
                    chances[a] = 0.0
                    for k in range(count):
                        chances[a] += reach[k] * experts[base + a * width, k]
                action = draw(chances, actions, unit(mix(own_key ^ np.uint64(own_draws))))
                own_draws += 1
                for k in range(count):
                    reach[k] *= experts[base + action * width, k]
                path[steps, 0], path[steps, 1] = node, action
                steps += 1
            else:
                for a in range(actions):
                    chances[a] = opponents[number, base + a * width]
                action = draw(chances, actions, unit(mix(other_key ^ np.uint64(other_draws))))
                other_draws += 1
            last_round = betting.round[node]
            node = betting.first[node] + action
        own, other = cards.held[h, position], cards.held[h, 1 - position]
        if betting.kind[node] == FOLD:
            chips[h] = betting.stake[node] if betting.player[node] == position else -betting.stake[node]
        else:
            last_round = rounds - 1  # what is left is dealt without betting
            chips[h] = betting.stake[node] * sign(cards.strength[h, own] - cards.strength[h, other])
        clear(rewards, np.nan)
        if bandit.kind != STATIC:
            if bandit.estimator == MONEY:
                clear(rewards, chips[h])
            else:
                shown = other if betting.kind[node] != FOLD else -1
                hand = (position, own, shown, cards.states[h, position], cards.strength[h], cards.apart)
                estimate(betting, experts, now[book], bandit.estimator, hand, path, steps, (node, last_round), rewards)
            for k in range(count):
                rewards[k] = np.nan if bandit.kind == UCB1 and now[book, k] == 0.0 else bandit.unit * rewards[k]
            learn(bandit, rewards, now[book], sums[book], plays[book], shared[book])
        fill(rewards_of[h], rewards)

"""What somebody does who plays a coarse strategy through a Tracker, by trying every throw of the dice.

The plain twin of `lift_translated`: no views, no realisation weights, only `Tracker`, `write` and `State`.
"""

from __future__ import annotations

from copy import copy

import numpy as np

from kibitz.games import State
from kibitz.strategy import Strategy
from kibitz.translation import Reading, Tracker, TreePlace, write
from kibitz.tree import DECISION

HIGH = 1 - 2**-53  # the largest throw


class Spy:
    """A reading that remembers what it last answered."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.answer = [(0, 1.0)]

    def raises(self, *arguments):
        self.answer = self.reading.raises(*arguments)
        return self.answer


def readings(tracker, spy, state, action):
    """Every way in which `tracker` may follow `action`: trackers with chances."""
    ways = []
    for throw in (0.0, HIGH):
        spy.answer = [(0, 1.0)]
        way = copy(tracker)
        way._uniform = lambda throw=throw: throw
        way.follow(state, action)
        if spy.answer[int(throw > 0) :]:
            ways.append((way, spy.answer[int(throw > 0)][1]))
    return ways


def behaviour(strategy: Strategy, deal, fine, reading: Reading, player: int) -> dict[int, np.ndarray]:
    """How likely `player` takes each action at each of his fine nodes, by node: float64[actions, states].

    Columns that the player's own play never reaches are nan.
    """
    tree, layout = fine.tree, strategy.layout
    spy = Spy(reading)
    result = {}

    def walk(node, state, paths):
        """paths: trackers, each with the weight of every card state of the player in the state's round."""
        if tree.kind[node] != DECISION:
            return
        first, count = int(tree.first_child[node]), int(tree.children[node])
        actions = tree.actions[first : first + count]
        following = [[] for _ in actions]
        sums = np.zeros((count, int(layout.counts[state.round, state.player])))
        for tracker, weights in paths:
            if state.player != player:
                for number, action in enumerate(actions):
                    ways = readings(tracker, spy, state, action)
                    following[number] += [(way, weights * share) for way, share in ways]
                continue
            here = copy(tracker)
            place = here.place_of(state)
            if place is None:
                number = actions.index("c")
                sums[number] += weights
                here.follow(state, "c")
                following[number].append((here, weights))
                continue
            for choice, chances in enumerate(strategy.at(place.node)):
                number = actions.index(write(place, choice, state))
                way = copy(here)
                way.choose(actions[number], choice)
                way.follow(state, actions[number])
                sums[number] += weights * chances
                following[number].append((way, weights * chances))
        if state.player == player:
            with np.errstate(invalid="ignore", divide="ignore"):
                result[node] = sums / sums.sum(axis=0)
        for number, action in enumerate(actions):
            after = state.apply(action)
            moved = following[number]
            if not after.finished and after.round > state.round:
                parents = deal.rounds[after.round].parent[player]
                moved = [(tracker, weights[parents]) for tracker, weights in moved]
            walk(first + number, after, moved)

    tracker = Tracker(TreePlace(layout.tree), spy, lambda: 0.0)
    walk(0, State.start(tree.game), [(tracker, np.ones(int(layout.counts[0, player])))])
    return result

"""Plain twin of the local best response: one hand of the responder at a time, one action after the other."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from kibitz.agents.strategic import StrategyAgent
from kibitz.cards import cards_to_mask
from kibitz.equity.matchups import BOARDS, class_matchups
from kibitz.evaluator import evaluate_boards
from kibitz.games import Deal, State
from kibitz.policy.hands import HOLES
from kibitz.policy.strategies import StrategyPolicy
from kibitz.responses.real.preflop import starting_classes
from kibitz.translation import Reading
from kibitz.tree.build import resolve_menus
from kibitz.tree.menus import offered
from responses.plain_real import toy_policy, toy_tree

TREE = toy_tree(2000)

_MASKS = np.array([cards_to_mask(hand) for hand in HOLES.tolist()], dtype=np.uint64)


class ToyStates:
    """The toy abstraction as agents ask it."""

    def __init__(self, abstraction) -> None:
        self.fingerprint = abstraction.fingerprint
        self._abstraction = abstraction

    def state(self, player, round_, hole, board) -> int:
        return self._abstraction.bucket(hole, board)

    def states(self, player, round_, hands, board):
        boards = np.broadcast_to(np.array(board, dtype=np.uint8), (len(hands), len(board)))
        return self._abstraction.buckets(hands, boards, round_)


def toy_agent(seed: int, mapping: str) -> tuple[StrategyAgent, StrategyPolicy]:
    policy = toy_policy(TREE, seed)
    agent = StrategyAgent(policy.strategy, ToyStates(policy.abstractions[0]), Reading(mapping))
    return agent, agent.policy


def number(hole) -> int:
    """Where a hand stands among all."""
    low, high = sorted(hole)
    return high * (high - 1) // 2 + low


def free_hands(known) -> np.ndarray:
    """Which of all hands have none of the cards: bool[1326]."""
    return ~np.isin(HOLES, list(known)).any(axis=1)


def equities(hole, board) -> np.ndarray:
    """The chance that `hole` beats each hand, ties counting half: float64[1326], 0 for hands that cannot be."""
    known = {*hole, *board}
    there = free_hands(known)
    if not board:
        pairs, lead = class_matchups()
        kinds = starting_classes()
        own = kinds[number(hole)]
        return np.where(there, 0.5 + lead[own, kinds] / (2 * np.maximum(pairs[own, kinds], 1) * BOARDS), 0.0)
    left = [card for card in range(52) if card not in known]
    full = [cards_to_mask((*board, *more)) for more in combinations(left, 5 - len(board))]
    boards = np.array(full, dtype=np.uint64)
    rivals = evaluate_boards(boards, _MASKS[there])
    own_values = evaluate_boards(boards, _MASKS[[number(hole)]])[0]
    won = ((rivals < own_values) & (rivals >= 0)).sum(axis=1)
    tied = (rivals == own_values).sum(axis=1)
    found = np.zeros(len(HOLES))
    found[there] = (won + tied / 2) / (rivals >= 0).sum(axis=1)
    return found


class PlainResponder:
    """Plays one hand on one board against an agent that it has a view of.

    A *point* of the hand is (state, the agent's belief, float64[thoughts, 1326]: how likely it came there with a hand).
    """

    def __init__(self, view, game, agent: int, hole, board, menu="fcpa", call_until: int = 0) -> None:
        self.view, self.agent, self.hole, self.board = view, agent, tuple(hole), tuple(board)
        self.game, self.call_until = game, call_until
        self.menu = resolve_menus(game, menu)[0]
        self._equities: dict[int, np.ndarray] = {}
        self._chances: dict[int, object] = {}

    def start(self):
        state = State.start(self.game, Deal(((), ()), self.board))
        return state, self.view.start(self.game, self.agent), np.ones((1, len(HOLES)))

    def equity(self, size: int) -> np.ndarray:
        if size not in self._equities:
            self._equities[size] = equities(self.hole, self.board[:size])
        return self._equities[size]

    def chances(self, key, size: int) -> np.ndarray:
        """float64[actions, 1326], 0 for hands that the board blocks."""
        there = free_hands(self.board[:size])
        if size not in self._chances:
            self._chances[size] = self.view.chances(self.agent, HOLES[there], self.board[:size])
        found = np.asarray(self._chances[size](key), dtype=np.float64)
        wide = np.zeros((len(found), len(HOLES)))
        wide[:, there] = found
        return wide

    def answers(self, point):
        """What the agent may do: points by action."""
        state, belief, reach = point
        found = {}
        for action, after, transitions in belief.answers(state, lambda: 0.0):
            reached = np.zeros((after.hypotheses, len(HOLES)))
            for before, to, key, place in transitions:
                reached[to] += reach[before] * self.chances(key, len(state.board))[place]
            found[action] = state.apply(action), after, reached
        return found

    def hear(self, point, action):
        state, belief, reach = point
        after, matrix = belief.update(state, action)
        return state.apply(action), after, reach if matrix is None else matrix @ reach

    def values(self, point) -> dict[str, float]:
        """Lisý and Bowling 2017, algorithm 1: chips that each action is worth."""
        state, _belief, reach = point
        range_ = reach.sum(axis=0) * free_hands({*self.hole, *state.board})
        wins = self.equity(len(state.board))
        pot, asked = state.pot, state.to_call
        win = float(range_ @ wins / range_.sum())
        values = {"f": 0.0} if state.legal().fold and asked else {}
        values["c"] = win * pot - (1 - win) * asked
        for action, _limited in offered(self.menu, state, ()):
            after = self.hear(point, action)
            fold = self.answers(after).get("f")
            folds = fold[2].sum(axis=0) * (range_ > 0) if fold is not None else np.zeros(len(HOLES))
            stays = np.maximum(range_ - folds, 0.0)
            folded = float(folds.sum() / range_.sum())
            win = float(stays @ wins / stays.sum()) if stays.sum() > 0 else 0.0
            paid = after[0].spent[state.player] - state.spent[state.player]
            called = win * (pot + after[0].to_call) - (1 - win) * paid
            values[action] = folded * pot + (1 - folded) * called
        return values

    def choose(self, point) -> str:
        if point[0].round < self.call_until:
            return "c"
        if not (point[2].sum(axis=0) * free_hands({*self.hole, *point[0].board})).any():
            return "c"  # the agent never comes here
        values = self.values(point)
        return max(values, key=values.__getitem__)

    def chips(self, state, equity) -> np.ndarray:
        """What the end of a hand is worth against every hand of the agent."""
        if state.showdown:
            return min(state.spent) * (2 * equity - 1)
        loser = 0 if state.folded & 1 else 1
        return np.full(len(HOLES), float(state.spent[loser]) * (1 if loser == self.agent else -1))

    def worth(self) -> list[float]:
        """What ends on each street is worth, summed over the agent's hands that go with the street."""
        worth = [0.0] * 4
        waits = range(1, min(self.call_until, 3))  # who is all-in in these rounds waits for the next street

        def walk(point, round_: int) -> None:
            state, _belief, reach = point
            if state.finished:
                while state.showdown and round_ in waits:
                    round_ += 1
                size = self.game.board_ends[round_]
                free = free_hands({*self.hole, *self.board[:size]})
                worth[round_] += float(reach.sum(axis=0) * free @ self.chips(state, self.equity(size)))
            elif state.player == self.agent:
                for after in self.answers(point).values():
                    walk(after, state.round)
            else:
                walk(self.hear(point, self.choose(point)), state.round)

        walk(self.start(), 0)
        return worth

    def expected(self) -> float:
        """Chips per hand against all hands that go with the whole board, which is what plays of the deal come to."""
        free = free_hands({*self.hole, *self.board})
        total = 0.0

        def walk(point) -> None:
            nonlocal total
            state, _belief, reach = point
            if state.finished:
                total += float(reach.sum(axis=0) * free @ self.chips(state, self.equity(5)))
            elif state.player == self.agent:
                for after in self.answers(point).values():
                    walk(after)
            else:
                walk(self.hear(point, self.choose(point)))

        walk(self.start())
        return total / comb(45, 2)

    def play(self, agent, hand) -> float:
        """Chips won in one hand against the agent itself, who holds `hand` and throws its dice."""
        holes = (self.hole, tuple(hand)) if self.agent == 1 else (tuple(hand), self.hole)
        real = State.start(self.game, Deal(holes, self.board))
        point = self.start()
        while not real.finished:
            if real.player == self.agent:
                action = agent.act(real.seen_by(self.agent))
                # An agent whose sizes are too many to name does not look at its cards.
                point = self.answers(point).get(action) or (point[0].apply(action), *point[1:])
            else:
                action = self.choose(point)
                point = self.hear(point, action)
            real = real.apply(action)
        agent.observe(real, self.agent)
        return real.returns()[1 - self.agent]

"""Data-biased responses in plain Python: dicts and recursion over every deal, one hand at a time.

What the kernels do with vectors. Players see their cards through maps: U for the responder, R for the opponent's own
choice, M for its model.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from kibitz.solvers.problem import Problem
from kibitz.tree import DECISION, SHOWDOWN

See = Callable[[int, int], int]  # (round, private state) -> what is told apart


class PlainBiased:
    """Vanilla CFR, alternating updates.

    model, trust   {(node, seen by M): (probabilities of actions, P_conf)}
    """

    def __init__(self, problem: Problem, responder: int, ours: See, free: See, model: See, held: dict) -> None:
        self.tree, self.deal, self.responder = problem.tree, problem.deal, responder
        self.stake = problem.vector.stake
        self.weight = [each.dense(each.weight) for each in self.deal.rounds]
        self.sign = [each.dense(each.sign) for each in self.deal.rounds]
        self.ours, self.free, self.model, self.held = ours, free, model, held
        self.regret: dict = defaultdict(float)
        self.average: dict = defaultdict(float)

    def step(self) -> None:
        for player in range(2):
            self.change = defaultdict(float)
            self.sums = defaultdict(float)
            for i in range(self.deal.counts[0, 0]):
                for j in range(self.deal.counts[0, 1]):
                    if self.weight[0][i, j]:
                        self.walk(0, player, (i, j), [1.0, 1.0])
            for key, value in self.change.items():
                self.regret[key] += value
            for key, value in self.sums.items():
                self.average[key] += value

    def walk(self, node: int, player: int, states: tuple[int, int], reach: list[float]) -> float:
        """The value to `player` of all deals with these states, chance included, reach of both not."""
        tree = self.tree
        round_ = int(tree.round[node])
        if tree.kind[node] != DECISION:
            if tree.kind[node] == SHOWDOWN:
                won = self.stake[node] * self.sign[round_][states]
            else:
                won = self.stake[node] * self.weight[round_][states] * (1 if tree.player[node] == 0 else -1)
            return won if player == 0 else -won
        actor = int(tree.player[node])
        chances, own = self.sigma(node, actor, states[actor])
        values = []
        for action, chance in enumerate(chances):
            then = list(reach)
            then[actor] *= chance
            values.append(self.child(node, int(tree.first_child[node]) + action, player, states, then))
        if actor == player:
            key, share = self.key(node, actor, states[actor]), self.share(node, actor, states[actor])
            base = sum(chance * value for chance, value in zip(own, values, strict=True))
            weight = self.weight[round_][states]
            for action, value in enumerate(values):
                self.change[key, action] += share * reach[1 - actor] * (value - base)
                self.sums[key, action] += share * weight * reach[actor] * own[action]
        return sum(chance * value for chance, value in zip(chances, values, strict=True))

    def child(self, node: int, child: int, player: int, states: tuple[int, int], reach: list[float]) -> float:
        """The value of a child; where a card falls, of all states that may follow."""
        before, after = int(self.tree.round[node]), int(self.tree.round[child])
        if before == after:
            return self.walk(child, player, states, reach)
        each = self.deal.rounds[after]
        weight = self.weight[after]
        return sum(
            self.walk(child, player, (i, j), reach)
            for i in range(len(each.parent[0]))
            for j in range(len(each.parent[1]))
            if weight[i, j] and each.parent[0][i] == states[0] and each.parent[1][j] == states[1]
        )

    def key(self, node: int, actor: int, state: int) -> tuple:
        see = self.ours if actor == self.responder else self.free
        return node, see(int(self.tree.round[node]), state)

    def share(self, node: int, actor: int, state: int) -> float:
        if actor == self.responder:
            return 1.0
        return 1.0 - self.held[node, self.model(int(self.tree.round[node]), state)][1]

    def sigma(self, node: int, actor: int, state: int) -> tuple[list[float], list[float]]:
        """What is played, and the player's own choice in it."""
        count = int(self.tree.children[node])
        key = self.key(node, actor, state)
        positive = [max(self.regret[key, a], 0.0) for a in range(count)]
        own = [value / sum(positive) if sum(positive) > 0 else 1 / count for value in positive]
        if actor == self.responder:
            return own, own
        return self.mixed(node, state, own), own

    def mixed(self, node: int, state: int, own: list[float]) -> list[float]:
        model, trust = self.held[node, self.model(int(self.tree.round[node]), state)]
        return [trust * forced + (1 - trust) * chosen for forced, chosen in zip(model, own, strict=True)]

    def average_at(self, node: int, state: int) -> list[float]:
        """The average strategy of whoever acts at `node`: the responder's, or the mimic's."""
        actor, count = int(self.tree.player[node]), int(self.tree.children[node])
        key = self.key(node, actor, state)
        sums = [self.average[key, a] for a in range(count)]
        own = [value / sum(sums) if sum(sums) > 0 else 1 / count for value in sums]
        return own if actor == self.responder else self.mixed(node, state, own)

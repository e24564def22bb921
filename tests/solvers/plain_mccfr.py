"""Sampled walks as one would write them first: recursive, one node at a time, with choices made by a function."""

from collections.abc import Callable, Iterator

import numpy as np

from kibitz.games.pots import payoffs
from kibitz.tree import DECISION, FOLD

WORD = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(x):
    """SplitMix64's output function."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


def uniform(key, number):
    """Number `number` of the stream `key`, from 0 to 1."""
    return (mix((key + (number + 1) * GAMMA) & WORD) >> 11) / 2**53


def stream(seed, walk):
    """The key of a walk's choices."""
    key = int(np.random.SeedSequence((seed, 1)).generate_state(1, np.uint64)[0])
    return mix((key + walk * GAMMA) & WORD)


def drawn(key):
    """choose(node, sigma, epsilon) -> action by the numbers of a stream, as the kernels make their choices."""

    def choose(node, sigma, epsilon=0.0):
        number = uniform(key, node)
        if number < epsilon:
            return int(number / epsilon * len(sigma))
        return int(np.searchsorted(np.cumsum(sigma), (number - epsilon) / (1 - epsilon), side="right"))

    return choose


def explored(sigma, epsilon):
    """The probabilities of one who takes an action at random with probability epsilon, one of sigma otherwise."""
    return epsilon / len(sigma) + (1 - epsilon) * sigma


def enumerated(run: Callable) -> Iterator[tuple[float, object]]:
    """(probability, result) of `run(choose)` for every way its choices can go."""
    script: list[int] = []
    while True:
        made: list[tuple[int, np.ndarray]] = []

        def choose(_node, sigma, epsilon=0.0, made=made, script=tuple(script)):
            probabilities = explored(sigma, epsilon)
            action = script[len(made)] if len(made) < len(script) else int(np.flatnonzero(probabilities)[0])
            made.append((action, probabilities))
            return action

        result = run(choose)
        yield float(np.prod([probabilities[action] for action, probabilities in made])), result
        while made:
            action, probabilities = made.pop()
            later = [a for a in np.flatnonzero(probabilities) if a > action]
            if later:
                script = [*(a for a, _ in made), int(later[0])]
                break
        else:
            return


class Walk:
    """One walk of `player` on one deal from fixed regrets; `regret` and `average` are what it adds.

    sums are the regrets it starts from, laid out as the kernels do; choose(node, sigma, epsilon) takes the samples.
    """

    def __init__(self, compiled, states, strengths, player, sums, choose, epsilon=0.6):
        self.compiled, self.tree, self.states, self.strengths = compiled, compiled.tree, states, strengths
        self.player, self.sums, self.choose, self.epsilon = player, sums, choose, epsilon
        self.regret, self.average = np.zeros(len(sums)), np.zeros(len(sums))

    def entries(self, node):
        """The slice of an information set's sums."""
        tree = self.tree
        actions = int(tree.children[node])
        at = int(self.compiled.layout.offset[node]) + actions * int(self.states[tree.round[node], tree.player[node]])
        return slice(at, at + actions)

    def sigma(self, node):
        positive = np.maximum(self.sums[self.entries(node)], 0)
        total = positive.sum()
        return positive / total if total > 0 else np.full(len(positive), 1 / len(positive))

    def utility(self, node):
        tree, game = self.tree, self.tree.game
        strengths = [0] * game.players if tree.kind[node] == FOLD else [int(each) for each in self.strengths]
        for player in range(game.players):
            if tree.folded[node] >> player & 1:
                strengths[player] = -1
        spent = tuple(map(int, tree.spent[node]))
        rules = {"whole_chips": game.rules == "tda", "ante_trimming": game.ante_trimming}
        return payoffs(spent, game.antes_paid, strengths, **rules)[self.player]

    def children(self, node):
        first = int(self.tree.first_child[node])
        return range(first, first + int(self.tree.children[node]))

    def chance(self, node=0, own=1.0, others=1.0):
        if self.tree.kind[node] != DECISION:
            return self.utility(node)
        sigma, entries, children = self.sigma(node), self.entries(node), self.children(node)
        if self.tree.player[node] != self.player:
            return sum(p * self.chance(child, own, others * p) for p, child in zip(sigma, children, strict=True))
        values = np.array([self.chance(child, own * p, others) for p, child in zip(sigma, children, strict=True)])
        self.regret[entries] += others * (values - sigma @ values)
        self.average[entries] += own * sigma
        return sigma @ values

    def external(self, node=0):
        if self.tree.kind[node] != DECISION:
            return self.utility(node)
        sigma, entries, children = self.sigma(node), self.entries(node), self.children(node)
        if self.tree.player[node] != self.player:
            self.average[entries] += sigma
            return self.external(children[self.choose(node, sigma)])
        values = np.array([self.external(child) for child in children])
        self.regret[entries] += values - sigma @ values
        return sigma @ values

    def pure(self, node=0):
        if self.tree.kind[node] != DECISION:
            return self.utility(node)
        entries, children = self.entries(node), self.children(node)
        played = self.choose(node, self.sigma(node))
        if self.tree.player[node] != self.player:
            self.average[entries.start + played] += 1
            return self.pure(children[played])
        values = np.array([self.pure(child) for child in children])
        self.regret[entries] += self.compiled.unit * (values - values[played])
        return values[played]

    def outcome(self, node=0, reach=None, sampled=1.0):
        """(utility / probability of having sampled all of it, probability of the rest under sigma).

        Lanctot's formulas as printed, with everybody's probabilities; the kernel cancels those of the others.
        """
        tree = self.tree
        reach = np.ones(tree.game.players) if reach is None else reach
        if tree.kind[node] != DECISION:
            return self.utility(node) / sampled, 1.0
        actor, sigma, entries = tree.player[node], self.sigma(node), self.entries(node)
        epsilon = self.epsilon if actor == self.player else 0.0
        played = self.choose(node, sigma, epsilon)
        if actor != self.player:
            self.average[entries] += reach[actor] / sampled * sigma
        after = reach.copy()
        after[actor] *= sigma[played]
        scaled, tail = self.outcome(self.children(node)[played], after, sampled * explored(sigma, epsilon)[played])
        if actor == self.player:
            w = scaled * np.prod(np.delete(reach, actor))
            self.regret[entries] -= w * tail * sigma[played]
            self.regret[entries.start + played] += w * tail
        return scaled, tail * sigma[played]

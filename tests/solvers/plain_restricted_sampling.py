"""A walk against held players as one would write it first: recursive, by the definitions."""

import numpy as np

from kibitz.tree import DECISION
from solvers.plain_mccfr import GAMMA, WORD, Walk, drawn, mix, stream, uniform


class HeldWalk(Walk):
    """One walk of `player` against opponents of `responder` who are held to `model`, a strategy over `seen`.

    p       probability of playing the model for the hand; trust(node, state) at a decision
    seen    states of the deal by the model's cards
    """

    def __init__(self, compiled, deal, player, sums, hold, seed, walk):
        key = stream(seed, walk)
        super().__init__(compiled, deal.states, deal.strengths, player, sums, drawn(key))
        self.responder, self.p, self.trust, self.model, self.seen = hold
        self.coins = mix((key + GAMMA) & WORD)
        players = range(compiled.tree.game.players)
        self.bound = {each for each in players if each != self.responder and uniform(self.coins, each) < self.p}

    def modelled(self, node):
        tree = self.tree
        return self.model.at(node)[:, self.seen[tree.round[node], tree.player[node]]]

    def trusted(self, node):
        tree = self.tree
        if tree.player[node] == self.responder:
            return 0.0
        return self.trust(node, self.seen[tree.round[node], tree.player[node]])

    def external(self, node=0):
        tree = self.tree
        if tree.kind[node] != DECISION:
            return self.utility(node)
        actor, sigma, entries, children = tree.player[node], self.sigma(node), self.entries(node), self.children(node)
        trusted = self.trusted(node)
        if actor != self.player:
            if actor in self.bound:
                return self.external(children[self.choose(node, self.modelled(node))])
            self.average[entries] += sigma
            forced = uniform(self.coins, tree.game.players + node) < trusted
            return self.external(children[self.choose(node, self.modelled(node) if forced else sigma)])
        values = np.array([self.external(child) for child in children])
        self.regret[entries] += (1 - trusted) * (values - sigma @ values)
        return (1 - trusted) * sigma @ values + trusted * self.modelled(node) @ values

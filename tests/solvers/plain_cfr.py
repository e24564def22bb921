"""CFR as one would write it first: recursive, whole matrices, one information set at a time, in plain NumPy.

Nothing here is taken from the solvers but the names of the algorithms: a betting tree, a matrix deal, and the papers.
"""

import numpy as np

from kibitz.tree import DECISION, FOLD

# alpha, beta, gamma of Brown and Sandholm (2019); whether the last change predicts the next (Farina et al. 2021).
RULES = {
    "cfr": (np.inf, np.inf, 0, False),
    "cfr+": (np.inf, -np.inf, 1, False),
    "linear": (1, 1, 1, False),
    "dcfr": (1.5, 0, 2, False),
    "dcfr-3": (3, 0, 3, False),
    "pcfr+": (np.inf, -np.inf, 2, True),
}


def scale(t, power):
    """What regrets of one sign are multiplied by after iteration t."""
    if power == np.inf:
        return 1.0
    if power == -np.inf:
        return 0.0
    return t**power / (t**power + 1)


class PlainCFR:
    """regret, average, prediction: node -> float64[actions, states] of the player who acts there."""

    def __init__(self, tree, deal, algorithm, alternating=True):
        self.tree, self.deal, self.alternating = tree, deal, alternating
        self.alpha, self.beta, self.gamma, self.predicts = RULES[algorithm]
        self.t = 0
        shape = {
            int(node): (int(tree.children[node]), int(deal.counts[tree.round[node], tree.player[node]]))
            for node in tree.decisions
        }
        self.regret, self.average, self.prediction = (
            {node: np.zeros(size) for node, size in shape.items()} for _ in range(3)
        )
        self.weight = [each.dense(each.weight) for each in deal.rounds]
        self.sign = [each.dense(each.sign) for each in deal.rounds]

    def sigma(self, node):
        """Regret matching; all actions alike where no regret is positive."""
        sums = self.regret[node] + (self.prediction[node] if self.predicts else 0)
        return shares(np.maximum(sums, 0))

    def step(self):
        """One iteration: players one after the other, each against what the other plays by then, or both at once."""
        self.t += 1
        frozen = None if self.alternating else {node: self.sigma(node) for node in self.regret}
        for player in range(2):
            sigma = frozen or {node: self.sigma(node) for node in self.regret}
            ones = [np.ones(int(self.deal.counts[0, p])) for p in range(2)]
            self.values(0, player, ones, sigma)

    def values(self, node, player, reach, sigma):
        """Counterfactual values of the player's states: float64[states]; learns on the way."""
        tree = self.tree
        if tree.kind[node] != DECISION:
            return self.leaf(node, player, reach[1 - player])
        actor = int(tree.player[node])
        children = range(int(tree.first_child[node]), int(tree.first_child[node] + tree.children[node]))
        found = []
        for action, child in enumerate(children):
            passed = list(reach)
            passed[actor] = reach[actor] * sigma[node][action]
            found.append(self.enter(node, child, player, passed, sigma))
        if actor != player:
            return np.sum(found, axis=0)
        total = (sigma[node] * found).sum(axis=0)
        self.learn(node, np.array(found) - total, reach[player] * sigma[node])
        return total

    def enter(self, node, child, player, reach, sigma):
        """The values of a child, by the states of the node above: a card may fall between them."""
        above, below = int(self.tree.round[node]), int(self.tree.round[child])
        if above == below:
            return self.values(child, player, reach, sigma)
        parent = self.deal.rounds[below].parent
        found = self.values(child, player, [reach[p][parent[p]] for p in range(2)], sigma)
        total = np.zeros(int(self.deal.counts[above, player]))
        np.add.at(total, parent[player], found)
        return total

    def leaf(self, node, player, reach):
        tree, round_ = self.tree, int(self.tree.round[node])
        ante = tree.game.antes_paid[0]
        if tree.kind[node] == FOLD:
            winner = int(tree.player[node])
            stake = int(tree.spent[node, 1 - winner]) + ante
            matrix = self.weight[round_] * (stake if winner == player else -stake)
        else:
            matrix = self.sign[round_] * (int(tree.spent[node].min()) + ante) * (1 if player == 0 else -1)
        return matrix @ reach if player == 0 else matrix.T @ reach

    def learn(self, node, gained, played):
        old = self.regret[node]
        before = self.t - 1  # the discounts of an iteration are applied as the next is added
        if before:
            old = np.where(old > 0, old * scale(before, self.alpha), old * self.forget(before))
        new = old + gained
        self.regret[node] = np.maximum(new, 0) if self.beta == -np.inf else new
        self.prediction[node] = gained
        self.average[node] = self.average[node] + self.t**self.gamma * played

    def forget(self, before):
        return 1.0 if self.beta == -np.inf else scale(before, self.beta)  # nothing below 0 is left to be forgotten


def shares(sums):
    """float64[actions, states] with columns that add up to 1."""
    total = sums.sum(axis=0)
    return np.where(total > 0, sums / np.where(total > 0, total, 1), 1 / len(sums))


def flat(blocks, layout):
    """Blocks of all nodes as one array like `Strategy.values`."""
    values = np.empty(layout.size)
    for node, block in blocks.items():
        values[layout.offset[node] : layout.offset[node + 1]] = block.ravel()
    return values

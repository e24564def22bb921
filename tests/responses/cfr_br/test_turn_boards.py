"""One iteration of CFR-BR against plain matrices of all pairs of hands, river by river."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from kibitz.deals.bucketed import bucketed_deal
from kibitz.policy.hands import HandPolicy
from kibitz.responses.cfr_br import RealCFRBR
from kibitz.responses.cfr_br.trunk import TurnBoard
from kibitz.responses.real.boards import BoardHands
from kibitz.responses.real.preflop import starting_classes
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.tree import DECISION, FOLD, build_tree
from responses.plain_real import apart, wins
from solvers.test_board_sampling import LIMIT, NOLIMIT, PERFECT, Twin, any_regrets

FLOP, TURN, RIVER = (3, 18, 40), 29, 51
GAMES = {"limit": replace(LIMIT, max_raises=(1, 1, 1, 1)), "no-limit": replace(NOLIMIT, stacks=(300, 300))}


@cache
def game(name):
    tree = build_tree(GAMES[name], "full" if name == "limit" else "fcpa")
    return SampledGame(tree, bucketed_deal(tree.game, PERFECT))


def solver(name):
    """One that has learnt something at random, in the trunk too."""
    made = RealCFRBR(game(name), flops=2)
    made.regret[:] = any_regrets(game(name))
    generator = np.random.default_rng(4)
    for trunk in made.trunks:
        trunk.before[:] = generator.normal(size=trunk.before.shape)
        trunk.on[:] = generator.normal(size=trunk.on.shape)
    return made


class Plain:
    """Values of the opponent of `learner` on one turn board, over the 1,176 hands of the flop.

    best[node]     what its actions are worth on the turn, best[node, number of the river] on the last round
    played[node]   what it plays in the trunk, and regret[node], what it regrets; all float64[actions, hands]
    """

    def __init__(self, made, learner):
        self.made, self.tree, self.learner = made, made.compiled.tree, learner
        self.strategy = made.current_strategy()
        self.hands = BoardHands(FLOP).cards
        self.rivers = [card for card in range(52) if card not in (*FLOP, TURN)]
        self.meet = apart(self.hands, (TURN,)) / 45
        self.wins = [wins(self.hands, (*FLOP, TURN, river)) / (45 * 44) for river in self.rivers]
        self.met = [apart(self.hands, (TURN, river)) / (45 * 44) for river in self.rivers]
        self.best, self.played, self.regret = {}, {}, {}

    def shares(self, node, board):
        round_ = int(self.tree.round[node])
        board = np.array(board[: (0, 3, 4, 5)[round_]], dtype=np.uint8)
        free = ~np.isin(self.hands, board).any(axis=1)
        cards = np.broadcast_to(board, (int(free.sum()), len(board)))
        states = np.zeros(len(self.hands), dtype=np.int64)
        states[free] = PERFECT.buckets(self.hands[free], cards, round_)
        return self.strategy.at(node)[:, states]

    def trunk(self, node):
        """Regret matching of all hands."""
        trunk, start = self.made.trunks[1 - self.learner], int(self.made._starts[1 - self.learner][node])
        rows = np.arange(start, start + int(self.tree.children[node]))
        if self.tree.round[node] == 0:
            known = trunk.before[rows][:, starting_classes()[BoardHands(FLOP).numbers]]
        else:
            known = trunk.on[0][rows - len(trunk.before)].astype(np.float64)
        positive = np.maximum(known, 0)
        return np.where(positive.sum(axis=0) > 0, positive / np.maximum(positive.sum(axis=0), 1e-300), 1 / len(rows))

    def chips(self, node):
        return self.tree.stakes[node] * (-1 if self.tree.player[node] == self.learner else 1)

    def river(self, node, reach, which):
        """The value of a tree of the last round on one river; reach : float64[hands], the learner's."""
        tree = self.tree
        if tree.kind[node] == FOLD:
            return self.chips(node) * (self.met[which] @ reach)
        if tree.kind[node] != DECISION:
            return tree.stakes[node] * (self.wins[which] @ reach)
        first, actions = int(tree.first_child[node]), int(tree.children[node])
        if tree.player[node] == self.learner:
            shares = self.shares(node, (*FLOP, TURN, self.rivers[which]))
            return sum(self.river(first + a, reach * shares[a], which) for a in range(actions))
        below = np.array([self.river(first + a, reach, which) for a in range(actions)])
        self.best[node, which] = below
        return below.max(axis=0)

    def value(self, node, reach):
        tree = self.tree
        if tree.kind[node] == FOLD:
            return self.chips(node) * (self.meet @ reach)
        if tree.kind[node] != DECISION or tree.round[node] == 3:
            return sum(self.river(node, reach, which) for which in range(len(self.rivers)))
        first, actions = int(tree.first_child[node]), int(tree.children[node])
        if tree.player[node] == self.learner:
            shares = self.shares(node, (*FLOP, TURN, RIVER))
            return sum(self.value(first + a, reach * shares[a]) for a in range(actions))
        below = np.array([self.value(first + a, reach) for a in range(actions)])
        if tree.round[node] == 2:
            self.best[node] = below
            return below.max(axis=0)
        self.played[node] = self.trunk(node)
        value = (self.played[node] * below).sum(axis=0)
        self.regret[node] = below - value
        return value


@pytest.mark.parametrize(("name", "learner"), [("limit", 0), ("no-limit", 1)])
def test_the_opponent_is_that_of_plain_matrices(name, learner):
    made = solver(name)
    tree, plain = made.compiled.tree, Plain(made, learner)
    plain.value(0, np.ones(len(plain.hands)))
    hands = BoardHands(FLOP)
    trunk, starts = made.trunks[1 - learner], made._starts[1 - learner]
    before = (trunk.before.copy(), trunk.on[0].copy())
    policy = HandPolicy(made.current_strategy(), (PERFECT, PERFECT))
    plan = made._respond(policy, learner, TurnBoard(0, hands, TURN), 2.0).plan
    free, moved = hands.left_by((TURN,)), []
    for node in tree.decisions[(tree.player[tree.decisions] != learner) & (tree.round[tree.decisions] < 3)].tolist():
        rows = slice(starts[node], starts[node] + tree.children[node])
        played = plan[rows][:, free]
        if tree.round[node] == 2:  # best actions may tie
            below = plain.best[node][:, free]
            assert (played.sum(axis=0) == 1).all()
            np.testing.assert_allclose((played * below).sum(axis=0), below.max(axis=0), atol=1e-4)
            continue
        np.testing.assert_allclose(played, plain.played[node][:, free], atol=1e-6)
        if tree.round[node] == 0:
            wanted = [np.bincount(starting_classes()[hands.numbers], row, 169) for row in plain.regret[node]]
            found = (trunk.before - before[0])[rows]
        else:
            shift = len(trunk.before)
            wanted, found = plain.regret[node], (trunk.on[0] - before[1])[rows.start - shift : rows.stop - shift]
        np.testing.assert_allclose(found, 2 * np.array(wanted), atol=1e-4 * np.abs(found).max())
        moved.append(np.abs(found).max())
    assert max(moved) > 10


class LearnerTwin(Twin):
    """The learner's walk on a full board: its opponent plays a plan before the last round, then whatever is best."""

    def __init__(self, made, learner, plan):
        super().__init__(made.compiled, np.array((*FLOP, TURN, RIVER), dtype=np.uint8), learner, made.regret)
        place = {tuple(hand): number for number, hand in enumerate(BoardHands(FLOP).cards.tolist())}
        self.plan = plan[:, [place[tuple(hand)] for hand in self.holes.tolist()]]
        self.starts, self.best = made._starts[1 - learner], {}

    def respond(self, node, reach):
        """The opponent's values on the last round against the learner's reach; its best actions are noted."""
        tree, learner = self.tree, self.player
        if tree.kind[node] != DECISION:
            return -Twin.leaf(self, node, reach) if tree.kind[node] == FOLD else Twin.leaf(self, node, reach)
        first, shares = int(tree.first_child[node]), None
        if tree.player[node] == learner:
            shares = self.strategy.at(node)[:, self.states[int(tree.round[node])][learner]]
        below = np.array(
            [
                self.respond(first + a, reach if shares is None else reach * shares[a])
                for a in range(tree.children[node])
            ]
        )
        if shares is not None:
            return below.sum(axis=0)
        self.best[node] = below.argmax(axis=0)
        return below.max(axis=0)

    def values(self, node, reach):
        tree, p = self.tree, self.player
        if tree.kind[node] != DECISION:
            return self.leaf(node, reach[1 - p])
        if tree.player[node] == p:
            return super().values(node, reach)
        if tree.round[node] == 3 and node not in self.best:
            self.respond(node, reach[p])
        actions = np.arange(int(tree.children[node]))
        played = self.plan[self.starts[node] + actions] if tree.round[node] < 3 else self.best[node] == actions[:, None]
        first = int(tree.first_child[node])
        below = [self.values(first + a, (reach[p], reach[1 - p] * played[a])[:: 1 if p == 0 else -1]) for a in actions]
        return np.sum(below, axis=0)


@pytest.mark.parametrize("learner", [0, 1])
@pytest.mark.parametrize("name", GAMES)
def test_the_learner_learns_what_plain_matrices_say(name, learner):
    made = solver(name)
    plan = made._respond(
        HandPolicy(made.current_strategy(), (PERFECT, PERFECT)), learner, TurnBoard(0, BoardHands(FLOP), TURN), 0.0
    ).plan
    twin = LearnerTwin(made, learner, plan)
    twin.values(0, [np.ones(1081)] * 2)
    before = made.regret.copy()
    made._learn(learner, (*FLOP, TURN, RIVER), plan, before, 3.0)
    order = made.compiled.layout.by_infoset
    np.testing.assert_allclose((made.regret - before)[order], 3 * twin.regret, atol=1e-8)
    np.testing.assert_allclose(made.average[order], 3 * twin.average, atol=1e-10)
    assert np.abs(twin.regret).max() > 0.1
    assert name != "limit" or len({int(action) for best in twin.best.values() for action in best}) > 1

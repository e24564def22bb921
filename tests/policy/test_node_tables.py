"""Tables of a node: reach is the realisation weight of the last own action, in small games and by hands."""

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.policy.hands import HOLES
from kibitz.policy.node_tables import hand_table, state_table
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy, realisation
from kibitz.strategy.sequences import own_reach
from kibitz.tree import build_tree


def random_strategy(layout: Layout) -> Strategy:
    return Strategy.from_sums(layout, np.random.default_rng(5).random(layout.size))


@pytest.mark.parametrize("history", ["", "r", "rc/", "rrc/rr", "cc/c"])
def test_the_reach_of_states_is_their_realisation_weight(history):
    problem = Problem(load_game("leduc"))
    strategy = random_strategy(problem.vector.layout)
    tree, node = problem.tree, problem.tree.find(history)
    table = state_table(strategy, node, problem.deal)
    player, round_ = int(tree.player[node]), int(tree.round[node])
    wanted = own_reach(strategy.layout, problem.deal, realisation(strategy, problem.deal), node, player, round_)
    np.testing.assert_allclose(table.reach, wanted, rtol=1e-12)
    np.testing.assert_array_equal(table.probabilities, strategy.at(node))


def test_without_a_deal_only_the_last_round_counts():
    problem = Problem(load_game("leduc"))
    strategy = random_strategy(problem.vector.layout)
    node = problem.tree.find("rc/cr")
    table = state_table(strategy, node)
    np.testing.assert_allclose(table.reach, strategy.at(problem.tree.find("rc/"))[0])


class Parity:
    """Buckets that depend on all cards: the sum of hole cards and board, modulo 3."""

    def buckets(self, hole, board, round_):
        return (hole.sum(axis=1) + board.sum(axis=1) + round_) % 3


def test_hands_find_their_buckets_round_by_round():
    tree = build_tree(load_game("holdem-limit-2p"))
    layout = Layout(tree, np.full((4, 2), 3), "parity")
    strategy = random_strategy(layout)
    board = (50, 41, 3)
    node = tree.find("rc/cr")
    table = hand_table(strategy, node, (Parity(), Parity()), board)
    assert len(table.rows) == 49 * 48 // 2
    player = int(tree.player[node])
    assert player == int(tree.player[tree.find("rc/")]) == int(tree.player[tree.find("r")])
    for i in (0, 500, 1175):
        hole = HOLES[table.rows[i]].astype(int)
        before, after = hole.sum() % 3, (hole.sum() + sum(board) + 1) % 3
        raised = strategy.at(tree.find("r"))[1, before] * strategy.at(tree.find("rc/"))[0, after]
        assert table.reach[i] == pytest.approx(raised)
        np.testing.assert_allclose(table.probabilities[:, i], strategy.at(node)[:, after])


def test_a_board_of_another_round_is_refused():
    tree = build_tree(load_game("holdem-limit-2p"))
    strategy = Strategy.uniform(Layout(tree, np.full((4, 2), 3), "parity"))
    with pytest.raises(KibitzError, match="2 cards on the board: in round 2 there are 3"):
        hand_table(strategy, tree.find("rc/"), (Parity(), Parity()), (1, 2))

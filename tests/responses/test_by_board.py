"""Best responses to players with a table for every board: against those by bucket, and against plain matrices."""

import numpy as np
import pytest

from kibitz.deals.board import next_cards
from kibitz.learning import Model, Structure, TableRules
from kibitz.learning.policy import LearnedPolicy
from kibitz.policy.boards import BoardPolicy
from kibitz.policy.hands import HOLES, decisions
from kibitz.responses.real.boards import BoardHands, Flops, kept_by
from kibitz.responses.real.by_board import BoardResponder
from kibitz.responses.real.response import Responder, real_exploitability
from kibitz.tree import build_tree
from responses.plain_real import plain_response, toy_policy

TREE = build_tree(TableRules(cap=1, uncapped_heads_up=False).game(2), "full")
SYMMETRIC = (0, 4, 8)  # three cards of one suit: six suit changes keep it


class ByBoard(BoardPolicy):
    """A policy by bucket, asked board by board."""

    def __init__(self, policy) -> None:
        self.policy, self.tree = policy, policy.tree

    def fill(self, player, board, hands, found) -> None:
        cards = np.array(board, dtype=np.uint8)
        round_, free = self.tree.game.board_ends.index(len(cards)), np.flatnonzero(~np.isin(hands, cards).any(axis=1))
        states = self.policy.states(player, round_, hands[free], np.broadcast_to(cards, (len(free), len(cards))))
        for number, node in enumerate(self.decisions(player, round_).tolist()):
            chances = self.policy.strategy.at(node)[:, states]
            found[number, : len(chances), free] = chances.T


class HandByHand:
    """A learned policy for `plain_response`, which is asked as agents ask it."""

    def __init__(self, policy, tree) -> None:
        self.policy, self.tree, self.states = policy, tree, dict(decisions(tree))

    def at(self, node, board):
        return self.policy.probabilities(self.states[node], HOLES, tuple(board))


def learned(**options) -> LearnedPolicy:
    made = Model.random(Structure(**options), 4, 0.3)
    made.weights.values[:] *= 3
    return LearnedPolicy(made)


@pytest.mark.parametrize("seat", [0, 1])
def test_buckets_asked_by_board_are_answered_alike(seat):
    tree = build_tree(TableRules(cap=2, uncapped_heads_up=False).game(2), "full")
    policy = toy_policy(tree, 7)
    known, asked = Responder(policy, seat), BoardResponder(ByBoard(policy), seat)
    np.testing.assert_allclose(asked.reach(), known.reach(), atol=1e-6)
    hands = BoardHands(SYMMETRIC)
    turn = list(next_cards(SYMMETRIC, kept_by(SYMMETRIC)))[-1]
    (_, wanted), (entering, passed) = known._enter(hands), asked._enter(hands)
    np.testing.assert_allclose(passed, wanted, atol=1e-6)
    wanted = known._turn(hands, turn, passed)
    np.testing.assert_allclose(asked._turn(hands, turn, passed), wanted, atol=1e-5 * np.abs(wanted).max())
    following = np.random.default_rng(1).normal(0, 100, wanted.shape).astype(np.float32)
    wanted = known._join(hands, entering, following)
    np.testing.assert_allclose(asked._join(hands, entering, following), wanted, atol=1e-5 * np.abs(wanted).max())


@pytest.mark.parametrize(("seat", "options"), [(0, {}), (1, {"self_aware": True})])
def test_responses_to_a_learned_policy_are_those_of_plain_matrices(seat, options):
    """Below one turn card; rivers that suits alone tell apart are dealt once."""
    policy = learned(**options)
    responder = BoardResponder(policy.in_game(TREE.game), seat)
    hands = BoardHands(SYMMETRIC)
    turn = list(next_cards(SYMMETRIC, kept_by(SYMMETRIC)))[-1]
    assert len(turn.kept) == 2
    _, passed = responder._enter(hands)
    found = responder._turn(hands, turn, passed)[:, : len(hands.cards)]
    board, tree = (*SYMMETRIC, turn.card), 1
    root = int(responder.rounds[2].rows.roots[tree])
    entering = passed.reshape(-1, hands.width)[tree, : len(hands.cards)].astype(np.float64)
    free = ~(hands.cards == turn.card).any(axis=1)
    plain = HandByHand(policy, responder.policy.tree)
    wanted = plain_response(plain, seat, root, 2, entering * free, board, hands.numbers) / 45
    assert found[tree] == pytest.approx(wanted, rel=1e-4, abs=float(1e-4 * np.abs(wanted).max()))


def test_threads_change_nothing_and_the_response_wins():
    policy = learned().in_game(TREE.game)
    flops = Flops(np.array([SYMMETRIC], dtype=np.uint8), np.array([[1.0], [1.0]]), exact=False)
    found = real_exploitability(policy, flops)
    assert real_exploitability(policy, flops, threads=2) == found
    assert found.exploitability > 0

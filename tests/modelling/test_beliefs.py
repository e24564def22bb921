"""Beliefs about hands: Bayes over all of them, counted out where a game is small."""

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.agents.frequency import FrequencyAgent
from kibitz.agents.strategic import StrategyAgent
from kibitz.cards import parse_cards
from kibitz.errors import KibitzError
from kibitz.games import Deal, State, load_game
from kibitz.modelling.beliefs import believe
from kibitz.policy import policy_of
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy

LEDUC = load_game("leduc")


def after(game, history, board=""):
    return State.start(game).play(history)._replace(deal=Deal(((),) * game.players, parse_cards(board)))


def test_bayes_over_the_deals_of_leduc():
    """The belief is the share of deals, weighted by what a random strategy does, that hold each card."""
    problem = Problem(LEDUC)
    sums = np.random.default_rng(1).random(problem.vector.layout.size)
    policy = policy_of(StrategyAgent(Strategy.from_sums(problem.vector.layout, sums), problem.sampled.deal))
    own, board = LEDUC.deck[0], LEDUC.deck[3]
    state = State.start(LEDUC).play("rrc/rc")._replace(deal=Deal(((), ()), (board,)))
    found = believe(policy, state, 1, (own,))
    weights = {}
    for card in LEDUC.deck:
        if card in (own, board):
            continue
        hand, reach, past = np.array([[card]], dtype=np.uint8), 1.0, State.start(LEDUC)
        for action in "rrcrc":
            if past.player == 1:
                chances = policy.probabilities(past, hand, (board,) * past.round)[:, 0]
                reach *= chances[[each.text for each in policy.actions(past)].index(action)]
            past = past.apply(action)
        weights[card] = reach
    assert found.hands[:, 0].tolist() == sorted(weights)
    assert found.weights == pytest.approx([weights[card] / sum(weights.values()) for card in sorted(weights)])
    assert found.surprises == ()


def test_one_who_never_looks_tells_nothing():
    found = believe(policy_of(load_agent("random")), after(LEDUC, "rc/", "Ks"), 0)
    assert len(found.hands) == 5
    assert found.weights == pytest.approx(0.2)


def test_what_a_policy_never_does_is_left_out():
    caller = policy_of(FrequencyAgent.of("caller", {"call": 1}, {"call": 1}))
    found = believe(caller, after(LEDUC, "rrc/", "Ks"), 1)
    assert found.surprises == ("r",)
    assert found.weights.sum() == pytest.approx(1)


def test_raises_of_a_tight_player_are_good_hands():
    game = load_game("holdem-limit-2p")
    found = believe(policy_of(load_agent("tight-aggressive")), after(game, "r"), 1, parse_cards("AsAh"))
    weights = {tuple(hand): weight for hand, weight in zip(found.hands.tolist(), found.weights.tolist(), strict=True)}
    assert len(weights) == 50 * 49 // 2
    assert weights[tuple(sorted(parse_cards("KsKh")))] > weights[tuple(sorted(parse_cards("7s2h")))] == 0


def test_a_deck_without_a_card_left():
    with pytest.raises(KibitzError, match="nothing is left"):
        believe(policy_of(load_agent("random")), after(LEDUC, ""), 0, LEDUC.deck)

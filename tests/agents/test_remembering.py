"""Agents that learn from the hands before: what they do now is known, what they would have done then is not."""

import numpy as np
import pytest

from kibitz import load_game
from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.games import State, deal_hands
from kibitz.modelling.estimators import CheckDown, Evaluation
from kibitz.policy import known_policy, standing_policy
from kibitz.policy.strengths import all_hands
from modelling.estimators.variance_hands import records_of

LEDUC = load_game("leduc")


def chances(agent) -> np.ndarray:
    """What it does with each hand at the first decision."""
    state = State.start(LEDUC, next(deal_hands(LEDUC, seed=0)))
    return known_policy(agent).probabilities(state, all_hands(LEDUC), ())


def test_an_explorer_becomes_a_response():
    agent = load_agent("explore:probe,hands=50")
    agent.reset(LEDUC, 1)
    before = chances(agent)
    assert np.allclose(before, 1 / 2)
    opponent = load_agent("always-raise")
    opponent.reset(LEDUC, 2)
    for seed in range(80):
        state, position = State.start(LEDUC, next(deal_hands(LEDUC, seed))), seed % 2
        while not state.finished:
            state = state.apply((agent if state.player == position else opponent).act(state.seen_by(state.player)))
        agent.observe(state, position)
    after = chances(agent)
    assert np.allclose(after.sum(axis=0), 1)
    assert not np.allclose(before, after)


def test_what_it_says_is_what_it_does():
    agent = load_agent("explore:probe,hands=0")
    agent.reset(LEDUC, 1)
    for seed in range(40):
        state = State.start(LEDUC, next(deal_hands(LEDUC, seed)))
        policy = known_policy(agent)
        hole = np.array([state.hole[state.player]], dtype=np.uint8)
        found = policy.probabilities(state, hole, state.board)[:, 0]
        action = agent.act(state)
        assert found[[each.text for each in policy.actions(state)].index(action)] > 0


def test_nobody_looks_back_at_its_hands():
    agent = load_agent("explore:probe,hands=50")
    assert agent.remembers
    assert standing_policy(agent) is None
    assert standing_policy(load_agent("probe")) is not None
    record = records_of(LEDUC, [load_agent("always-call"), agent], 1)[0]
    with pytest.raises(KibitzError, match="learns from the hands before"):
        Evaluation("ann", CheckDown(0.1), {"bob": agent}).add(record)

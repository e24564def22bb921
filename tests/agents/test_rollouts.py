"""Agents of learned models: rollouts and responses play in the real engine, and refuse what they cannot."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.agents.rollouts import RolloutAgent, situation_of
from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
from kibitz.errors import AgentError
from kibitz.games import Deal, State, load_game
from kibitz.learning import Model, Structure, save_model
from kibitz.policy import policy_of
from kibitz.testing import check_policy


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model"
    save_model(Model.random(Structure(), 2, 0.3), path)
    return path


def cards(text: str) -> tuple[int, ...]:
    from kibitz.cards import parse_cards

    return tuple(parse_cards(text))


def test_a_rollout_does_not_fold_the_nuts(folder):
    """Four aces on the river win whatever the other holds: a call gains 2 big bets more than a fold, a raise 3."""
    game = load_game("holdem-limit-2p")
    facing = State.start(game, Deal(((), cards("AcAd")), cards("AsAh2c7d9h"))).play("cc/cc/cc/r").seen_by(1)
    agent = RolloutAgent(load_agent(str(folder)).policy.model, "roller", samples=60)
    agent.reset(game, 1)
    assert agent.act(facing) == "r"


def test_what_it_would_do_with_any_hand(folder):
    """The same whatever else is asked; it does that in play, and the nuts are never folded."""
    game = load_game("holdem-limit-2p")
    board = cards("AsAh2c7d9h")
    facing = State.start(game, Deal(((), cards("AcAd")), board)).play("cc/cc/cc/r").seen_by(1)
    agent = RolloutAgent(load_agent(str(folder)).policy.model, "roller", samples=40)
    hands = np.array([cards(each) for each in ("AcAd", "3c4d", "KcKd", "As5c", "AdAc")], dtype=np.uint8)
    policy = policy_of(agent, game)
    found = policy.probabilities(facing, hands, board)
    assert found.sum(axis=0).tolist() == [1, 1, 1, 0, 1]  # one that is on the board is nobody's
    assert set(np.unique(found)) == {0.0, 1.0}
    assert (found[:, 0] == found[:, 4]).all()
    letters = [action.text for action in policy.actions(facing)]
    for column in (0, 1, 2):
        alone = policy.probabilities(facing, hands[column : column + 1], board)[:, 0]
        assert (alone == found[:, column]).all()
        agent.reset(game, column)
        held = State.start(game, Deal(((), tuple(hands[column].tolist())), board)).play("cc/cc/cc/r").seen_by(1)
        assert agent.act(held) == letters[int(alone.argmax())]
    assert letters[int(found[:, 0].argmax())] == "r"
    assert letters[int(found[:, 1].argmax())] == "f"
    check_policy(lambda: agent, [game], hands=2, draws=3)


def test_rollouts_are_repeatable(folder):
    game = load_game("holdem-limit-2p")
    state = State.start(game, Deal(((), cards("Kd9d")), ())).seen_by(1)
    chosen = []
    for _ in range(2):
        agent = load_agent(f"rollout:{folder},samples=40")
        agent.reset(game, 5)
        chosen.append([agent.act(state) for _ in range(4)])
    assert chosen[0] == chosen[1]
    assert load_agent(f"rollout:{folder}").name == "rollout-model"


def test_situations_are_what_the_player_sees():
    game = load_game("holdem-limit-3p")
    state = State.start(game, Deal((cards("2c3c"), cards("4c5c"), cards("6c7c")), cards("8c9cTcJcQc"))).play("rcc/c")
    found = situation_of(state.seen_by(1), state.board)
    assert (found.players, found.actor, found.stage) == (3, 1, 1)
    assert found.actions.tolist() == [2, 1, 1, 1]
    assert found.cards[2:4].tolist() == list(cards("4c5c"))
    assert found.cards[20:].tolist() == [*cards("8c9cTc"), 0, 0]
    assert found.cards[:2].tolist() == [0, 0]
    assert found.legal.tolist() == [False, True, True]


def test_a_rollout_plays_a_match(folder):
    match = DuplicateMatch(load_game("holdem-limit-2p"), (f"rollout:{folder},samples=10", "always-call"), 4, 0)
    first, second = play_duplicate(match)
    assert first.count == 4
    assert first.total == -second.total


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("rollout:nowhere", "there is no folder nowhere"),
        ("rollout:{},samples=none", "settings are samples"),
        ("rollout:{},depth=3", "settings are samples"),
        ("rollout:{},samples=0", "0 samples"),
    ],
)
def test_refused(folder, text, reason):
    with pytest.raises(AgentError, match=reason):
        load_agent(text.format(folder))

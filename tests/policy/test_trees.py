"""Agents as strategies of a betting tree: fixed frequencies, and rules cut into classes of strength."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.agents import FrequencyAgent, load_agent
from kibitz.cli import main
from kibitz.deals.board import SUITS, NextCard
from kibitz.equity.matchups import preflop_equity
from kibitz.equity.strength import hand_strength
from kibitz.errors import AgentError, KibitzError
from kibitz.games import State, format_gamedef, load_game
from kibitz.policy import policy_of
from kibitz.policy.hands import HOLES, blind_layout
from kibitz.responses.real import expected_value
from kibitz.responses.real.boards import BoardHands
from kibitz.responses.real.response import Responder
from kibitz.strategy import Strategy
from kibitz.tree import build_tree
from responses.plain_real import plain_response, toy_tree

BOARD = (3, 17, 40, 41, 50)


@cache
def short_limit():
    """Limit hold'em with one bet a round."""
    return build_tree(replace(load_game("holdem-limit-2p"), max_raises=(1, 1, 1, 1)), "limit")


def test_frequencies_become_strategies():
    tree = toy_tree(2000)
    layout, _abstraction = blind_layout(tree)
    for name, letter in (("always-call", "c"), ("always-fold", "f")):
        found = policy_of(load_agent(name)).on_tree(tree).strategy.values
        assert found.tolist() == Strategy.always(layout, letter).values.tolist()
    limit = load_game("holdem-limit-2p")
    found = policy_of(load_agent("example-player")).in_game(limit).strategy
    assert found.at(0).ravel() == pytest.approx([0.06, 0.47, 0.47])
    small = build_tree(replace(load_game("holdem-nolimit-2p"), stacks=(600, 600)), "fcpa")
    with pytest.raises(
        AgentError, match=r"random plays anything from r200 to r600 after '', .* f, c, r300, r600: .*lbr"
    ):
        policy_of(load_agent("random")).on_tree(small)
    every = build_tree(replace(load_game("holdem-nolimit-2p"), stacks=(203, 203)), "full")
    found = policy_of(load_agent("random")).on_tree(every).strategy
    assert found.at(0).ravel() == pytest.approx([1 / 3, 1 / 3, *[1 / 12] * 4])
    pots = policy_of(load_agent("always-raise")).on_tree(small).strategy
    assert pots.at(0).ravel().tolist() == [0, 0, 1, 0]
    halves = FrequencyAgent.of("halves", {"half-pot": 1}, {"half-pot": 1})
    with pytest.raises(AgentError, match="halves plays r200 after '', the tree has f, c, r300, r600"):
        policy_of(halves).on_tree(small)


@pytest.mark.parametrize("name", ["tight-passive", "loose-aggressive-bluffing", "rules:tightness=1,aggression=1"])
def test_rules_become_strategies_of_classes_of_strength(name):
    agent, tree = load_agent(name), build_tree(load_game("holdem-limit-2p"), "limit")
    policy = policy_of(agent).on_tree(tree)
    assert policy.strategy.layout.counts.max() < 50
    generator = np.random.default_rng(0)
    for node in generator.choice(tree.decisions, 30).tolist():
        state = State.start(tree.game).play(tree.history(node))
        board = BOARD[: tree.game.board_ends[state.round]]
        found = policy.at(node, BOARD)
        first = int(tree.first_child[node])
        actions = tree.actions[first : first + int(tree.children[node])]
        for hand in generator.choice(len(HOLES), 20):
            hole = tuple(sorted(HOLES[hand].tolist()))
            if set(hole) & set(board):
                assert not found[:, hand].any()
                continue
            strength = hand_strength(hole, board) if board else preflop_equity(hole)
            wanted = agent.policy.by_strength(state, np.array([strength]))[:, 0]
            told = {action.text: chance for action, chance in zip(agent.policy.actions(state), wanted, strict=True)}
            assert found[:, hand].tolist() == [told.get(action, 0) for action in actions]
            assert sum(wanted) == pytest.approx(1)


def test_a_response_to_rules_is_that_of_plain_matrices():
    seat = 1
    policy = policy_of(load_agent("loose-aggressive-bluffing")).on_tree(short_limit())
    responder = Responder(policy, seat)
    flop, card = BOARD[:3], BOARD[3]
    hands = BoardHands(flop)
    rows = responder.rounds[2]
    entering = np.zeros((len(rows.first), hands.width), dtype=np.float32)
    count = len(hands.cards)
    entering[:, :count] = np.random.default_rng(1).random((len(rows.first), count))
    found = responder._turn(hands, NextCard(card, SUITS[:1], SUITS[:1]), entering.reshape(-1))
    tree = 2
    free = ~np.isin(hands.cards, [card]).any(axis=1)
    reach = entering[tree, :count] * free
    root = int(rows.rows.roots[tree])
    wanted = plain_response(policy, seat, root, 2, reach.astype(np.float64), BOARD[:4], hands.numbers) / 45
    assert found[tree, :count][free] == pytest.approx(wanted[free], rel=1e-3, abs=1e-3 * np.abs(wanted).max())


def test_the_command_finds_more_than_simple_exploiters(tmp_path):
    """Who always raises, or always calls, wins less from a tight player than the best that can be done."""
    tree, file = short_limit(), tmp_path / "short.game"
    file.write_text(format_gamedef(tree.game))
    arguments = [
        "measure",
        "exploitability",
        "tight-passive",
        "--game",
        str(file),
        "--real",
        "--flops",
        "2",
        "--seed",
        "4",
        "--json",
    ]
    best = json.loads(CliRunner().invoke(main, arguments).output)
    policy = policy_of(load_agent("tight-passive")).on_tree(tree)
    for name in ("always-raise", "always-call"):
        simple = expected_value(policy_of(load_agent(name)).on_tree(tree), policy, 20, seed=1)
        assert simple.mbb(simple.chips) < best["exploitability"]
    itself = expected_value(policy, policy, 20)
    assert all(response > itself.mbb(own) for response, own in zip(best["responses"], itself.seats, strict=True))


def test_those_who_only_play_are_refused():
    with pytest.raises(AgentError, match=r"only plays.*give the folder of a strategy, .*tight-passive"):
        policy_of(load_agent("jam-fold")).on_tree(short_limit())
    with pytest.raises(AgentError, match=r"plays r250 after '', the tree has f, c, r300, r20000: .*measure lbr`"):
        policy_of(load_agent("tight-passive")).in_game(load_game("holdem-nolimit-2p"))
    for name in ("random", "example-player"):
        with pytest.raises(AgentError, match=rf"{name} plays anything from r200 to r20000 .*: .*`kibitz measure lbr`"):
            policy_of(load_agent(name)).in_game(load_game("holdem-nolimit-2p"))
    refused = CliRunner().invoke(main, ["measure", "exploitability", "jam-fold", "--game", "holdem-limit-2p", "--real"])
    assert refused.exit_code == 2
    assert "jam-fold only plays" in refused.output


@pytest.mark.parametrize("game", ["holdem-limit-3p", "holdem-nolimit-6p", "leduc"])
def test_other_games_are_refused_before_their_tree_is_built(game, monkeypatch):
    monkeypatch.setattr("kibitz.tree.build_tree", None)
    with pytest.raises(KibitzError, match=f"{game}: real hands are for two players"):
        policy_of(load_agent("always-fold")).in_game(load_game(game))

"""Policies of agents: the chances are those with which they act."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.agents.frequency import FrequencyAgent
from kibitz.agents.strategic import StrategyAgent
from kibitz.cards import parse_cards
from kibitz.errors import AgentError
from kibitz.games import Deal, State, load_game
from kibitz.modelling.estimators.moves import find_move, moves_of
from kibitz.policy import policy_of
from kibitz.policy.strengths import all_hands, hand_qualities, hand_quality
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy
from kibitz.translation import Reading

HOLDEM = load_game("holdem-nolimit-2p")
MIXED = FrequencyAgent.of("mixed", {"call": 1, "pot": 1, "any": 2}, {"fold": 1, "call": 1, "min": 1, "any": 3})
LEDUC = load_game("leduc")
WILD = replace(load_game("leduc-nolimit"), stacks=(60, 60))


def seen(game, history, hole, board=""):
    state = State.start(game).play(history)
    cards = tuple(parse_cards(hole) if seat == state.player else () for seat in range(game.players))
    return state._replace(deal=Deal(cards, parse_cards(board)))


SPOTS = [
    seen(HOLDEM, "", "AsKs"),
    seen(HOLDEM, "r300c/c", "7d2c", "AsKd2h"),
    seen(HOLDEM, "r300c/r900", "AdQc", "AsKd2h"),
    seen(HOLDEM, "cc/r20000", "AdQc", "AsKd2h"),
    seen(LEDUC, "r", "Ks"),
    seen(LEDUC, "cc/c", "Qs", "Qh"),
]
AGENTS = ["random", "always-fold", "example-player", "tight-aggressive-bluffing", "rules:bluffing=0.5,aggression=0.3"]


@pytest.mark.parametrize("state", SPOTS, ids=lambda state: state.history or "start")
@pytest.mark.parametrize("agent", [*map(load_agent, AGENTS), MIXED], ids=lambda agent: agent.name)
def test_chances_are_the_frequencies_of_actions(agent, state):
    policy = policy_of(agent, state.game)
    hand = np.array([state.hole[state.player]], dtype=np.uint8)
    moves = moves_of(policy, state, hand, state.board)
    assert sum(move.chances[0] for move in moves) == pytest.approx(1)
    agent.reset(state.game, 3)
    draws, counts = 1500, Counter()
    for _ in range(draws):
        move = find_move(moves, agent.act(state))
        assert move is not None
        counts[move.action, move.sizes] += 1
        agent.observe(state, state.player)
    for move in moves:
        chance = move.chances[0]
        sigma = np.sqrt(draws * chance * (1 - chance)) + 1
        assert abs(counts[move.action, move.sizes] - draws * chance) < 4.5 * sigma, move


def test_groups_of_raises_hold_every_size_once():
    state = SPOTS[2]
    moves = moves_of(policy_of(MIXED, HOLDEM), state, np.zeros((1, 2), dtype=np.uint8), ())
    legal = state.legal()
    likelihoods = [find_move(moves, f"r{size}").likelihoods[0] for size in range(legal.min_raise_to, 20_001)]
    raising = sum(move.chances[0] for move in moves if move.action[0] == "r")
    assert sum(likelihoods) == pytest.approx(raising)
    assert find_move(moves, f"r{legal.min_raise_to - 1}") is None


@pytest.mark.parametrize(
    ("game", "board"),
    [
        ("holdem-nolimit-2p", ""),
        ("holdem-nolimit-2p", "AsKd2h"),
        ("holdem-nolimit-2p", "AsKd2h2c9s"),
        ("leduc", ""),
        ("leduc", "Ks"),
        ("rhode-island", "5d"),
        ("rhode-island", "5d6d"),
    ],
)
def test_qualities_of_many_hands_are_those_of_each(game, board):
    rules, cards = load_game(game), parse_cards(board)
    hands = all_hands(rules)
    hands = hands[~np.isin(hands, cards).any(axis=1)]
    together = hand_qualities(rules, hands, cards)
    state = State.start(rules)
    while rules.board_ends[state.round] < len(cards):
        state = state.apply("c")
    for row in range(0, len(hands), 1 + len(hands) // 60):
        hole = tuple(tuple(hands[row].tolist()) if seat == state.player else () for seat in range(2))
        assert together[row] == hand_quality(state._replace(deal=Deal(hole, cards)))


def test_strategies_are_known_exactly():
    problem = Problem(LEDUC)
    rng = np.random.default_rng(0)
    strategy = Strategy.from_sums(problem.vector.layout, rng.random(problem.vector.layout.size))
    agent = StrategyAgent(strategy, problem.sampled_deal)
    state = SPOTS[5]
    moves = moves_of(policy_of(agent, LEDUC), state, np.array([state.hole[1]], dtype=np.uint8), state.board)
    agent.reset(LEDUC, 0)
    place = agent._tracker.catch_up(state)
    assert [move.action for move in moves] == ["c", "r"]
    assert [move.chances[0] for move in moves] == agent.probabilities(place.node, state)


def wild_agent(menu, measure="chips", mapping="det-psharmonic", tiny="check"):
    """An agent that does anything on `menu`, differently with every hand, and sometimes nothing of a kind."""
    problem = Problem(WILD, menu)
    rng = np.random.default_rng(1)
    sums = rng.random(problem.vector.layout.size) * (rng.random(problem.vector.layout.size) < 0.8)
    strategy = Strategy.from_sums(problem.vector.layout, sums)
    return StrategyAgent(strategy, problem.sampled_deal, Reading(mapping, measure, tiny=tiny))


def wild_action(state, rng):
    legal = state.legal()
    if legal.max_raise_to and rng.random() < 0.6:
        return f"r{min(legal.max_raise_to, int(legal.min_raise_to * (1 + rng.expovariate(1))))}"
    return "c"


def wild_decisions(agent, hands, rng):
    """(state, the node at which the agent stood or None, what it did) of its decisions against anything."""
    agent.reset(WILD, 1)
    for number in range(hands):
        *hole, board = rng.sample(WILD.deck, 3)
        state = State.start(WILD)
        while not state.finished:
            shown = (board,) if state.round else ()
            state = state._replace(deal=Deal(tuple((card,) for card in hole), shown))
            action = wild_action(state, rng)
            if state.player == number % 2:
                place = agent.place(state)
                action = agent.act(state)
                yield state, None if place is None else place.node, action
            state = state.apply(action)
        agent.observe(state, number % 2)


@pytest.mark.parametrize("menu", ["fcpa", "0.5, 1, 2, all-in", "0.1, 0.2, 1"])
@pytest.mark.parametrize("measure", ["chips", "pots"])
@pytest.mark.parametrize(
    ("mapping", "tiny"), [("det-psharmonic", "check"), ("det-psharmonic", "bet"), ("rand-psharmonic", "check")]
)
def test_an_agents_own_actions_are_followed_as_it_chose_them(menu, measure, mapping, tiny):
    agent = wild_agent(menu, measure, mapping, tiny)
    policy = policy_of(agent, WILD)
    decisions = 0
    for state, node, action in wild_decisions(agent, 800, random.Random(2)):
        moves = moves_of(policy, state, np.array([state.hole[state.player]], dtype=np.uint8), state.board)
        assert find_move(moves, action).chances[0] > 0, state.history
        assert sum(move.chances[0] for move in moves) == pytest.approx(1)
        assert node in policy.places(state), state.history
        decisions += 1
    assert decisions > 900


@pytest.mark.parametrize("hole", ["Qs", "Ks", "As"])
def test_what_may_have_been_meant_is_weighed_by_the_hand(hole):
    agent = wild_agent("0.3, 0.4, 1, all-in")
    policy = policy_of(agent, WILD)
    first, second, last = seen(WILD, "", hole), seen(WILD, "r2r10", hole), seen(WILD, "r2r10r18c/", hole, "Kh")
    assert len(policy.places(last)) == 2  # 18 is the smallest raise, which two sizes of the abstract hand fall short of
    agent.reset(WILD, 1)
    counts: Counter[str] = Counter()
    for _ in range(12_000):
        if agent.act(first) == "r2" and agent.act(second) == "r18":
            counts[agent.act(last)] += 1
        agent.observe(last, 0)
    total = counts.total()
    assert total > 200
    for move in moves_of(policy, last, np.array([last.hole[0]], dtype=np.uint8), last.board):
        chance = move.chances[0]
        assert abs(counts.pop(move.action, 0) - total * chance) <= 4.5 * np.sqrt(total * chance * (1 - chance))
    assert not counts


@pytest.mark.parametrize("hole", ["Qs", "Ks", "As"])
@pytest.mark.parametrize("mapping", ["rand-psharmonic", "rand-arith"])
def test_random_translations_are_weighed_by_what_the_hand_did_since(mapping, hole):
    """Two bets between the sizes, and an action of the agent between them that tells of how it took the first."""
    agent = wild_agent("0.5, 1, 2, all-in", "chips", mapping)
    policy = policy_of(agent, WILD)
    first, last = seen(WILD, "r4", hole), seen(WILD, "r4c/r10", hole, "Kh")
    assert len(policy.places(first)) == 2
    assert len(policy.places(last)) > 2
    agent.reset(WILD, 5)
    counts: Counter[str] = Counter()
    for _ in range(12_000):
        if agent.act(first) == "c":
            counts[agent.act(last)] += 1
        agent.observe(last, 1)
    total = counts.total()
    assert total > 200
    moves = moves_of(policy, last, np.array([last.hole[1]], dtype=np.uint8), last.board)
    assert sum(move.chances[0] for move in moves) == pytest.approx(1)
    for move in moves:
        chance = move.chances[0]
        assert abs(counts.pop(move.action, 0) - total * chance) <= 4.5 * np.sqrt(total * chance * (1 - chance))
    assert not counts


def test_its_own_raises_throw_no_dice():
    agent = wild_agent("1, 3", mapping="rand-psharmonic", tiny="bet")
    # Half a pot is read as a pot, so that three pots of the real hand are fewer chips than those of the abstract one.
    state = seen(WILD, "r2r14c/c", "Ks", "Qs")
    moves = moves_of(policy_of(agent, WILD), state, np.array([state.hole[1]], dtype=np.uint8), state.board)
    assert sum(move.chances[0] for move in moves) == pytest.approx(1)


def test_where_an_agent_never_comes_it_calls():
    state = seen(WILD, "r2c/", "Ks", "Qs")
    hand = np.array([state.hole[0]], dtype=np.uint8)
    (move,) = moves_of(policy_of(wild_agent("1, 3"), WILD), state, hand, state.board)
    assert (move.action, move.chances.tolist()) == ("c", [1.0])


def test_what_is_not_known_is_said():
    class Human:
        name = "human"

    with pytest.raises(AgentError, match="human only plays"):
        policy_of(Human(), LEDUC)
    problem = Problem(load_game("leduc-nolimit"), "fcpa")
    agent = StrategyAgent(Strategy.uniform(problem.vector.layout), problem.sampled_deal)
    with pytest.raises(AgentError, match="plays leduc-nolimit, not leduc"):
        policy_of(agent, LEDUC)

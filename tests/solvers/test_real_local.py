"""Local best responses: what they believe, what they choose, and what they know of the agents they play."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.agents import FrequencyAgent, load_agent
from kibitz.agents.policies import frequency_policy, hand_policy, load_hand_policy
from kibitz.agents.strategic import StrategyAgent
from kibitz.agents.views import StrategyView, view_of
from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
from kibitz.cards import parse_cards
from kibitz.cli import main
from kibitz.equity import equity
from kibitz.errors import AgentError
from kibitz.games import Deal, State, load_game
from kibitz.solvers.real.check_down import equities
from kibitz.solvers.real.local import LocalBestResponder
from kibitz.solvers.real.policy import HOLES, HandPolicy, blind_layout
from kibitz.strategy import Strategy
from kibitz.translation import Reading
from kibitz.tree import build_tree
from solvers.plain_real import toy_policy, toy_tree

TREE = toy_tree(2000)
BOARD = parse_cards("2c7dTh Js 3s")
HOLE = parse_cards("AsTd")


def number(text: str) -> int:
    """Where a hand stands among all."""
    wanted = sorted(parse_cards(text))
    return int(np.flatnonzero((np.sort(HOLES, axis=1) == wanted).all(axis=1))[0])


@pytest.mark.parametrize("dealt", [3, 4, 5])
@pytest.mark.parametrize("other", ["KsKh", "9s8s", "Ac4h"])
def test_equities_are_exact_once_there_is_a_board(dealt, other):
    board = BOARD[:dealt]
    wanted = equity(["AsTd", other], board, method="exact").equities[0]
    assert equities(HOLE, board)[number(other)] == pytest.approx(wanted)


def test_equities_before_the_flop_are_means_over_suits():
    found = equities(parse_cards("AsAh"), ())
    kings = [found[number(text)] for text in ("KdKc", "KsKd", "KsKh")]
    assert kings == pytest.approx([(0.8125548968 + 4 * 0.8194605047 + 0.8263661126) / 6] * 3)
    assert found[number("AsKd")] == 0  # the ace is taken
    assert np.count_nonzero(found) == 1225


def acting_state(history: str, game=None, hole=HOLE) -> State:
    """The state as the player to act sees it, who holds `hole`."""
    state = State.start(game or load_game("holdem-nolimit-2p"))
    state = state.play(history)
    holes = ((), hole) if state.player == 1 else (hole, ())
    return state._replace(deal=Deal(holes, BOARD[: state.game.board_ends[state.round]]))


def test_values_are_those_of_the_formula():
    """Lisý and Bowling 2017, algorithm 1, with an agent that folds a quarter of the time."""
    agent = FrequencyAgent.of("quarter", {"call": 1}, {"fold": 1, "call": 3})
    responder = LocalBestResponder(view_of(agent), "0.5, 1, all-in")
    state = acting_state("r300c/cc/cr600")
    responder.reset(state.game, 0)
    responder._catch_up(state)
    win = equities(HOLE, BOARD[:4])
    free = ~np.isin(HOLES, [*HOLE, *BOARD[:4]]).any(axis=1)
    win = win[free].mean()
    assert (state.pot, state.to_call) == (900, 300)
    wanted = {"f": 0.0, "c": win * 900 - (1 - win) * 300}
    for size, bet in (("r1200", 600), ("r1800", 1200), ("r20000", 19400)):
        wanted[size] = 0.25 * 900 + 0.75 * (win * (900 + bet) - (1 - win) * (300 + bet))
    assert responder.values(state) == pytest.approx(wanted)


def test_calm_rounds_are_called():
    responder = LocalBestResponder(view_of(load_agent("always-fold")), calm_rounds=1)
    state = acting_state("", hole=parse_cards("3h2c"))
    responder.reset(state.game, 0)
    assert responder.act(state) == "c"
    eager = LocalBestResponder(view_of(load_agent("always-fold")))
    eager.reset(state.game, 0)
    assert eager.act(state) == "r300"  # everything makes the agent fold: the smallest of equals


def test_always_folding_loses_three_quarters_of_a_blind():
    game = load_game("holdem-nolimit-2p")
    match = DuplicateMatch(game, (lambda: LocalBestResponder(view_of(load_agent("always-fold"))), "always-fold"), 20, 0)
    moments = play_duplicate(match)[0]
    assert (moments.mean, moments.variance) == (150, 0)  # in both seats together


class ToyStates:
    """The toy abstraction as agents ask it."""

    def __init__(self, abstraction) -> None:
        self.fingerprint = abstraction.fingerprint
        self._abstraction = abstraction

    def state(self, player, round_, hole, board) -> int:
        return self._abstraction.bucket(hole, board)


def toy_agent(seed: int, mapping: str) -> tuple[StrategyAgent, StrategyView]:
    policy = toy_policy(TREE, seed)
    agent = StrategyAgent(policy.strategy, ToyStates(policy.abstractions[0]), Reading(mapping))
    return agent, StrategyView(agent, policy)


def test_ranges_of_hands_on_the_menu_are_products_of_probabilities():
    _agent, view = toy_agent(1, "det-geo")
    policy, tree = view._policy, TREE
    state = State.start(tree.game, Deal((HOLE, ()), BOARD))
    view.restart(tree.game, 1)
    wanted = np.ones(len(HOLES))
    for action in ("r300", "c", "r900", "c"):
        if state.player == 1:
            node = tree.find(state.history)
            first = int(tree.first_child[node])
            choice = tree.actions.index(action, first) - first
            wanted = wanted * policy.at(node, BOARD)[choice]
        view.follow(state, action)
        state = state.apply(action)
    assert view.weights() == pytest.approx(wanted)
    assert wanted.any()
    after = state.apply("r2000")
    node = tree.find(after.history)
    assert tree.actions[int(tree.first_child[node])] == "f"
    assert view.folding(state, "r2000") == pytest.approx(wanted * policy.at(node, BOARD)[0])


@pytest.mark.parametrize("bet", ["r450", "r1100"])
def test_dice_are_not_seen_but_reckoned_with(bet):
    agent, view = toy_agent(2, "rand-psharmonic")
    game, hand = TREE.game, number("KsQs")
    hole = tuple(HOLES[hand].tolist())
    state = State.start(game, Deal((hole, ()), ())).apply("c")  # the small blind, player 1, calls
    seen = state.apply(bet)  # off the menu: the agent throws dice to read it
    view.restart(game, 1)
    view.follow(State.start(game), "c")
    view.follow(state, bet)
    fold = _fold_chance(view, seen, hand)
    acting = seen._replace(deal=Deal(((), hole), ()))
    draws = 4000
    folded = 0
    for seed in range(draws):
        agent.reset(game, seed)
        folded += agent.act(acting) == "f"
    assert len(view._paths) == 2
    assert folded / draws == pytest.approx(fold, abs=4 * np.sqrt(0.25 / draws))
    assert 0.02 < fold < 0.98


def _fold_chance(view: StrategyView, state: State, hand: int) -> float:
    before = view.weights()[hand]
    view.follow(state, "f")
    return float(view.weights()[hand] / before)


def test_folding_agrees_with_following():
    _agent, view = toy_agent(3, "rand-psharmonic")
    state = State.start(TREE.game, Deal((HOLE, ()), BOARD))
    view.restart(TREE.game, 1)
    view.follow(state, "c")
    state = state.apply("c")
    folds = view.folding(state, "r450")
    before = view.weights()
    assert (folds <= before + 1e-12).all()
    view.follow(state, "r450")
    assert view.weights() == pytest.approx(before)  # reading a bet does not change what the agent holds
    view.follow(state.apply("r450"), "f")
    assert view.weights() == pytest.approx(folds)


def test_what_never_happens_is_an_error():
    layout, abstraction = blind_layout(TREE)
    strategy = Strategy.always(layout, "c")
    agent = StrategyAgent(strategy, ToyStates(abstraction))
    responder = LocalBestResponder(StrategyView(agent, HandPolicy.of(strategy, abstraction)))
    responder.reset(TREE.game, 0)
    with pytest.raises(AgentError, match="never does"):
        responder.act(acting_state("r300", TREE.game))


def test_views_and_policies_need_probabilities():
    with pytest.raises(AgentError, match="does not tell its probabilities"):
        view_of(load_agent("tight-aggressive"))
    with pytest.raises(AgentError, match="does not tell its probabilities"):
        hand_policy(load_agent("tight-aggressive"), TREE)
    responder = LocalBestResponder(view_of(load_agent("always-call")))
    with pytest.raises(AgentError, match="two-player hold'em"):
        responder.reset(load_game("leduc"), 0)


def test_frequencies_become_strategies():
    layout, _abstraction = blind_layout(TREE)
    for name, letter in (("always-call", "c"), ("always-fold", "f")):
        found = frequency_policy(load_agent(name), TREE).strategy.values
        assert found.tolist() == Strategy.always(layout, letter).values.tolist()
    limit = load_game("holdem-limit-2p")
    found = load_hand_policy("example-player", limit).strategy
    assert found.at(0).ravel() == pytest.approx([0.06, 0.47, 0.47])
    small = build_tree(replace(load_game("holdem-nolimit-2p"), stacks=(600, 600)), "fcpa")
    found = frequency_policy(load_agent("random"), small).strategy
    assert found.at(0).ravel() == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6])
    pots = frequency_policy(load_agent("always-raise"), small).strategy
    assert pots.at(0).ravel().tolist() == [0, 0, 1, 0]
    halves = FrequencyAgent.of("halves", {"half-pot": 1}, {"half-pot": 1})
    with pytest.raises(AgentError, match="halves plays r200 after '', the tree has f, c, r300, r600"):
        frequency_policy(halves, small)


def test_the_command_prints_a_bound():
    result = CliRunner().invoke(main, ["lbr", "always-fold", "--hands", "30", "--json"])
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert (found["mean"], found["half_width"], found["hands"]) == (750, 0, 60)
    text = CliRunner().invoke(main, ["lbr", "always-fold", "--hands", "2", "--sizes", "0.5, 1"]).output
    assert text.startswith("always-fold loses at least +750.0 ± 0.0 mbb/hand\n4 hands (2 deals")

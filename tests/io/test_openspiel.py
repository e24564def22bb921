"""Policies and games exchanged with OpenSpiel: both sides must give them the same values."""

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.errors import FormatError
from kibitz.games import load_game
from kibitz.games.named import leduc_nolimit
from kibitz.io.openspiel import from_openspiel, game_string, openspiel_name, tabular_policy, to_openspiel
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.strategy import Strategy, StrategyError
from kibitz.tree import build_tree


def make_form(name: str, suits_merged: bool) -> VectorGame:
    game = load_game(name)
    return VectorGame(build_tree(game), matrix_deal(game, suits_merged))


def random_strategy(compiled: VectorGame, seed: int = 0) -> Strategy:
    return Strategy.from_sums(compiled.layout, np.random.default_rng(seed).random(compiled.layout.size) ** 3)


def after_cfr(compiled: VectorGame) -> Strategy:
    solver = CFR(compiled, "cfr+")
    solver.step(100)
    return solver.average_strategy()


STRATEGIES = {
    "uniform": lambda compiled: Strategy.uniform(compiled.layout),
    "random": random_strategy,
    "CFR+": after_cfr,
}
CASES = pytest.mark.parametrize(
    ("name", "suits_merged"), [("kuhn", True), ("leduc", True), ("leduc", False)], ids=["kuhn", "leduc", "leduc-kept"]
)


@CASES
@pytest.mark.parametrize("which", STRATEGIES)
def test_both_sides_value_a_strategy_alike(name, suits_merged, which):
    pyspiel = pytest.importorskip("pyspiel")
    compiled = make_form(name, suits_merged)
    strategy = STRATEGIES[which](compiled)
    game = pyspiel.load_game(openspiel_name(compiled.tree.game))
    policy = tabular_policy(to_openspiel(strategy, compiled.deal))
    assert pyspiel.nash_conv(game, policy) == pytest.approx(
        2 * exploitability(compiled, strategy).exploitability, abs=1e-9
    )
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert values == pytest.approx(expected_values(compiled, strategy), abs=1e-9)


@CASES
def test_a_policy_of_theirs_is_valued_alike(name, suits_merged):
    pyspiel = pytest.importorskip("pyspiel")
    compiled = make_form(name, suits_merged)
    game = pyspiel.load_game(openspiel_name(compiled.tree.game))
    solver = pyspiel.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    policy = solver.tabular_average_policy()
    strategy = from_openspiel(policy.policy_table(), compiled.tree, compiled.deal)
    assert 2 * exploitability(compiled, strategy).exploitability == pytest.approx(
        pyspiel.nash_conv(game, policy), abs=1e-9
    )


@CASES
def test_the_information_states_are_theirs(name, suits_merged):
    pyspiel = pytest.importorskip("pyspiel")
    compiled = make_form(name, suits_merged)
    policy = to_openspiel(Strategy.uniform(compiled.layout), compiled.deal)
    theirs = {}

    def walk(state):
        if state.is_terminal():
            return
        if not state.is_chance_node():
            theirs[state.information_state_string()] = state.legal_actions()
        for action in state.legal_actions():
            walk(state.child(action))

    walk(pyspiel.load_game(openspiel_name(compiled.tree.game)).new_initial_state())
    assert {key: sorted(actions) for key, actions in policy.items()} == theirs


@CASES
def test_out_and_in_again(name, suits_merged):
    compiled = make_form(name, suits_merged)
    strategy = random_strategy(compiled)
    back = from_openspiel(to_openspiel(strategy, compiled.deal), compiled.tree, compiled.deal)
    np.testing.assert_allclose(back.values, strategy.values, atol=1e-15)


def test_the_text_of_keys():
    compiled = make_form("kuhn", True)
    policy = to_openspiel(Strategy.always(compiled.layout, "r"), compiled.deal)
    assert sorted(policy) == sorted(card + betting for card in "012" for betting in ("", "p", "b", "pb"))
    assert policy["0pb"] == {0: 0.0, 1: 1.0}  # no raise left: calls, which is their "bet"
    compiled = make_form("leduc", True)
    keys = to_openspiel(Strategy.uniform(compiled.layout), compiled.deal)
    assert len(keys) == 936
    # The lower ace on the upper king, after check, raise, call.
    assert (
        "[Observer: 0][Private: 4][Round 2][Player: 0][Pot: 6][Money: 97 97][Public: 3][Round1: 1 2 1][Round2: ]"
        in keys
    )


def test_merged_suits_refuse_a_policy_that_tells_them_apart():
    kept, merged = make_form("leduc", False), make_form("leduc", True)
    policy = to_openspiel(random_strategy(kept), kept.deal)
    with pytest.raises(FormatError, match="differ in suits alone"):
        from_openspiel(policy, merged.tree, merged.deal)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda policy: policy.pop("1pb"), "nothing for '1pb'"),
        (lambda policy: policy.update({"1pb": {0: 0.5, 1: 0.6}}), "add up to 1"),
        (lambda policy: policy.update({"1pb": {0: 1.5, 1: -0.5}}), "add up to 1"),
        (lambda policy: policy.update({"1pb": {0: 0.5, 2: 0.5}}), "actions 0, 1"),
    ],
)
def test_policies_that_cannot_be_read(change, message):
    compiled = make_form("kuhn", True)
    policy = to_openspiel(Strategy.uniform(compiled.layout), compiled.deal)
    change(policy)
    with pytest.raises(FormatError, match=message):
        from_openspiel(policy, compiled.tree, compiled.deal)


def test_other_games_and_other_deals_are_refused():
    game = leduc_nolimit(5)
    compiled = VectorGame(build_tree(game), matrix_deal(game))
    with pytest.raises(FormatError, match="kuhn_poker, leduc_poker"):
        to_openspiel(Strategy.uniform(compiled.layout), compiled.deal)
    merged, kept = make_form("leduc", True), make_form("leduc", False)
    with pytest.raises(StrategyError, match="private states"):
        to_openspiel(Strategy.uniform(merged.layout), kept.deal)


@pytest.mark.parametrize(
    ("game", "abstraction", "menu"),
    [
        (load_game("kuhn"), None, "full"),
        (load_game("leduc"), None, "full"),
        (leduc_nolimit(5), None, "full"),
        (leduc_nolimit(5, max_raises=1), "fullgame", "full"),
        (leduc_nolimit(20), "fcpa", "fcpa"),
        (leduc_nolimit(20), "fc", "passive"),
    ],
    ids=["kuhn", "leduc", "nolimit", "one raise", "fcpa", "fc"],
)
def test_universal_poker_is_the_same_game(game, abstraction, menu):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(game_string(game, abstraction))
    compiled = VectorGame(build_tree(game, menu), matrix_deal(game))
    values = pyspiel.expected_returns(theirs.new_initial_state(), pyspiel.UniformRandomPolicy(theirs), -1, True)
    assert values == pytest.approx(expected_values(compiled, Strategy.uniform(compiled.layout)), abs=1e-9)


def test_game_strings_of_holdem():
    assert game_string(load_game("holdem-nolimit-2p"), "fcpa") == (
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,numSuits=4,"
        "numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=20000 20000,bettingAbstraction=fcpa)"
    )
    assert "raiseSize=10 10 20 20,maxRaises=3 4 4 4" in game_string(load_game("holdem-limit-3p"))


@pytest.mark.parametrize(
    ("name", "message"),
    [("kuhn-half-street", "may not bet"), ("rhode-island", "three-card"), ("kuhn-nolimit", "smallest bet of 1")],
)
def test_games_that_universal_poker_cannot_express(name, message):
    with pytest.raises(FormatError, match=message):
        game_string(load_game(name))


def test_an_unknown_abstraction_is_refused():
    with pytest.raises(FormatError, match="fchpa"):
        game_string(leduc_nolimit(), "fcpq")

"""The sequence form and its linear programs: plans, payoffs, equilibria, and everything an optimal plan may do."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.errors import KibitzError
from kibitz.games import Game, load_game
from kibitz.games.named import leduc_nolimit
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.compiled.sequences import sequence_form
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.sequence_lp import solve_lp
from kibitz.strategy import Strategy, StrategyError, realisation
from kibitz.tree import build_tree
from solvers.functionals import functional_range


def make_form(game: Game, menus="full", suits_merged=True) -> VectorGame:
    return VectorGame(build_tree(game, menus), matrix_deal(game, suits_merged))


# All-in showdowns in the first round, unequal blinds and stacks, players who do not see their cards, refined states.
FORMS = {
    "kuhn": lambda: make_form(load_game("kuhn")),
    "leduc": lambda: make_form(load_game("leduc")),
    "leduc, suits kept": lambda: make_form(load_game("leduc"), suits_merged=False),
    "leduc, six chips": lambda: make_form(leduc_nolimit(6)),
    "leduc, two menus": lambda: make_form(leduc_nolimit(40), ("fcpa", "0.5, 2 @1 | 1")),
    "leduc, blinds": lambda: make_form(replace(leduc_nolimit(8), blinds=(1, 2), first_players=(0, 1))),
    "leduc, unequal stacks": lambda: make_form(replace(leduc_nolimit(4), stacks=(3, 5))),
    "clairvoyance": lambda: make_form(load_game("clairvoyance")),
}


@pytest.fixture(params=FORMS)
def compiled(request) -> VectorGame:
    return FORMS[request.param]()


def random_strategy(compiled: VectorGame, seed: int) -> Strategy:
    # Some actions are never taken, so that some information sets are not reached.
    rng = np.random.default_rng(seed)
    return Strategy.from_sums(
        compiled.layout, rng.random(compiled.layout.size) * (rng.random(compiled.layout.size) > 0.2)
    )


def test_payoffs_are_bilinear_in_plans(compiled):
    matrices = sequence_form(compiled)
    for seed in range(3):
        strategy = random_strategy(compiled, seed)
        plan = realisation(strategy, compiled.deal)
        x, y = (matrices.sequences(plan, player) for player in range(2))
        assert x @ (matrices.payoff @ y) == pytest.approx(expected_values(compiled, strategy)[0], abs=1e-12)


def test_plans_satisfy_their_constraints(compiled):
    matrices = sequence_form(compiled)
    plan = realisation(random_strategy(compiled, 4), compiled.deal)
    for player in range(2):
        constraints = matrices.constraints[player]
        wanted = np.zeros(constraints.shape[0])
        wanted[0] = 1.0
        np.testing.assert_allclose(constraints @ matrices.sequences(plan, player), wanted, atol=1e-12)
    assert sum(constraints.shape[0] - 1 for constraints in matrices.constraints) == compiled.layout.infosets
    assert sum(map(len, matrices.entries)) == compiled.layout.size


def test_plans_are_products_of_probabilities():
    compiled = make_form(load_game("leduc"))
    strategy = random_strategy(compiled, 5)
    plan = Strategy(compiled.layout, realisation(strategy, compiled.deal))
    tree, parent = compiled.tree, compiled.deal.rounds[1].parent
    # Player 0 in state s of round two: he checked, called a raise, and now bets.
    start, facing, later = tree.find(""), tree.find("cr"), tree.find("crc/")
    before = strategy.at(start)[0] * strategy.at(facing)[1]
    np.testing.assert_allclose(plan.at(later), strategy.at(later) * before[parent[0]])


def test_behaviour_comes_back_where_it_is_reached(compiled):
    strategy = random_strategy(compiled, 6)
    plan = realisation(strategy, compiled.deal)
    back = Strategy.from_sums(compiled.layout, plan)
    for node in compiled.tree.decisions:
        block = plan[compiled.layout.offset[node] : compiled.layout.offset[node + 1]].reshape(strategy.at(node).shape)
        reached = block.sum(axis=0) > 0
        np.testing.assert_allclose(back.at(node)[:, reached], strategy.at(node)[:, reached])
        np.testing.assert_allclose(back.at(node)[:, ~reached], 1 / len(block))


def test_a_strategy_of_another_game_is_refused():
    kuhn, leduc = FORMS["kuhn"](), FORMS["leduc"]()
    with pytest.raises(StrategyError, match="private states"):
        realisation(Strategy.uniform(kuhn.layout), leduc.deal)


def test_the_solution_is_an_equilibrium(compiled):
    solution = solve_lp(compiled)
    assert exploitability(compiled, solution.strategy).exploitability < 1e-9
    assert expected_values(compiled, solution.strategy)[0] == pytest.approx(solution.value, abs=1e-9)
    assert solution.strategy.manifest["exploitability"] < 1e-9
    np.testing.assert_allclose(realisation(solution.strategy, compiled.deal), solution.plan, atol=1e-9)


def coefficient(compiled: VectorGame, history: str, action: str, card: str) -> np.ndarray:
    """The functional that reads one entry of a plan."""
    node = compiled.tree.find(history)
    place = np.zeros(compiled.layout.size)
    strategy = Strategy(compiled.layout, place)
    state = compiled.deal.rounds[compiled.tree.round[node]].labels[compiled.tree.player[node]].index(card)
    strategy.at(node)[compiled.tree.child(node, action) - compiled.tree.first_child[node], state] = 1.0
    return place


# Kuhn 1950: the first player may bet the lowest card with any a <= 1/3, the highest with 3a, and then calls with
# the middle one with a + 1/3 of his checks (he never bets it); the second player has no choice.
@pytest.mark.parametrize(
    ("player", "history", "action", "card", "low", "high"),
    [
        (0, "", "r", "Q", 0, 1 / 3),
        (0, "", "r", "K", 0, 0),
        (0, "", "r", "A", 0, 1),
        (0, "cr", "c", "K", 1 / 3, 2 / 3),
        (1, "r", "c", "K", 1 / 3, 1 / 3),
        (1, "c", "r", "Q", 1 / 3, 1 / 3),
        (1, "c", "r", "A", 1, 1),
    ],
)
def test_the_range_over_all_equilibria_of_kuhn(player, history, action, card, low, high):
    compiled = FORMS["kuhn"]()
    functional = coefficient(compiled, history, action, card)
    assert functional_range(compiled, player, functional) == pytest.approx((low, high), abs=1e-7)
    assert functional_range(compiled, player, functional, value=-1 / 18) == pytest.approx((low, high), abs=1e-7)
    # The other player's plan is not looked at.
    assert functional_range(compiled, 1 - player, functional) == pytest.approx((0, 0), abs=1e-12)


def test_the_ranges_tie_bluffs_to_value_bets():
    compiled = FORMS["kuhn"]()
    three_to_one = coefficient(compiled, "", "r", "A") - 3 * coefficient(compiled, "", "r", "Q")
    assert functional_range(compiled, 0, three_to_one) == pytest.approx((0, 0), abs=1e-7)


def test_a_range_holds_the_solution_and_grows_with_the_tolerance():
    compiled = FORMS["leduc"]()
    solution = solve_lp(compiled)
    functional = coefficient(compiled, "", "r", "K")
    low, high = functional_range(compiled, 0, functional, value=solution.value)
    assert low - 1e-7 <= functional @ solution.plan <= high + 1e-7
    wider = functional_range(compiled, 0, functional, tolerance=0.01, value=solution.value)
    assert wider[0] < low - 1e-3
    assert wider[1] > high + 1e-3


def test_errors_say_what_is_wrong():
    compiled = FORMS["kuhn"]()
    with pytest.raises(KibitzError, match="not solved"):
        functional_range(compiled, 0, np.zeros(compiled.layout.size), value=1.0)

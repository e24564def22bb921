"""The sequence form and its linear programs: plans, payoffs, equilibria, and everything an optimal plan may do."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.errors import KibitzError
from kibitz.games import Game, load_game
from kibitz.games.named import leduc_nolimit
from kibitz.solvers.best_response import expected_values, exploitability
from kibitz.solvers.sequence_form import sequence_form
from kibitz.solvers.sequence_lp import functional_range, solve_lp
from kibitz.solvers.vector.form import Form
from kibitz.strategy import Strategy, StrategyError, realisation
from kibitz.tree import build_tree


def make_form(game: Game, menus="full", suits_merged=True) -> Form:
    return Form(build_tree(game, menus), matrix_deal(game, suits_merged))


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
def form(request) -> Form:
    return FORMS[request.param]()


def random_strategy(form: Form, seed: int) -> Strategy:
    # Some actions are never taken, so that some information sets are not reached.
    rng = np.random.default_rng(seed)
    return Strategy.from_sums(form.layout, rng.random(form.layout.size) * (rng.random(form.layout.size) > 0.2))


def test_payoffs_are_bilinear_in_plans(form):
    matrices = sequence_form(form)
    for seed in range(3):
        strategy = random_strategy(form, seed)
        plan = realisation(strategy, form.deal)
        x, y = (matrices.sequences(plan, player) for player in range(2))
        assert x @ (matrices.payoff @ y) == pytest.approx(expected_values(form, strategy)[0], abs=1e-12)


def test_plans_satisfy_their_constraints(form):
    matrices = sequence_form(form)
    plan = realisation(random_strategy(form, 4), form.deal)
    for player in range(2):
        constraints = matrices.constraints[player]
        wanted = np.zeros(constraints.shape[0])
        wanted[0] = 1.0
        np.testing.assert_allclose(constraints @ matrices.sequences(plan, player), wanted, atol=1e-12)
    assert sum(constraints.shape[0] - 1 for constraints in matrices.constraints) == form.layout.infosets
    assert sum(map(len, matrices.entries)) == form.layout.size


def test_plans_are_products_of_probabilities():
    form = make_form(load_game("leduc"))
    strategy = random_strategy(form, 5)
    plan = Strategy(form.layout, realisation(strategy, form.deal))
    tree, parent = form.tree, form.deal.rounds[1].parent
    # Player 0 in state s of round two: he checked, called a raise, and now bets.
    start, facing, later = tree.find(""), tree.find("cr"), tree.find("crc/")
    before = strategy.at(start)[0] * strategy.at(facing)[1]
    np.testing.assert_allclose(plan.at(later), strategy.at(later) * before[parent[0]])


def test_behaviour_comes_back_where_it_is_reached(form):
    strategy = random_strategy(form, 6)
    plan = realisation(strategy, form.deal)
    back = Strategy.from_sums(form.layout, plan)
    for node in form.tree.decisions:
        block = plan[form.layout.offset[node] : form.layout.offset[node + 1]].reshape(strategy.at(node).shape)
        reached = block.sum(axis=0) > 0
        np.testing.assert_allclose(back.at(node)[:, reached], strategy.at(node)[:, reached])
        np.testing.assert_allclose(back.at(node)[:, ~reached], 1 / len(block))


def test_a_strategy_of_another_game_is_refused():
    kuhn, leduc = FORMS["kuhn"](), FORMS["leduc"]()
    with pytest.raises(StrategyError, match="private states"):
        realisation(Strategy.uniform(kuhn.layout), leduc.deal)


def test_the_solution_is_an_equilibrium(form):
    solution = solve_lp(form)
    assert exploitability(form, solution.strategy).exploitability < 1e-9
    assert expected_values(form, solution.strategy)[0] == pytest.approx(solution.value, abs=1e-9)
    assert solution.strategy.manifest["exploitability"] < 1e-9
    np.testing.assert_allclose(realisation(solution.strategy, form.deal), solution.plan, atol=1e-9)


def coefficient(form: Form, history: str, action: str, card: str) -> np.ndarray:
    """The functional that reads one entry of a plan."""
    node = form.tree.find(history)
    place = np.zeros(form.layout.size)
    strategy = Strategy(form.layout, place)
    state = form.deal.rounds[form.tree.round[node]].labels[form.tree.player[node]].index(card)
    strategy.at(node)[form.tree.child(node, action) - form.tree.first_child[node], state] = 1.0
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
    form = FORMS["kuhn"]()
    functional = coefficient(form, history, action, card)
    assert functional_range(form, player, functional) == pytest.approx((low, high), abs=1e-7)
    assert functional_range(form, player, functional, value=-1 / 18) == pytest.approx((low, high), abs=1e-7)
    # The other player's plan is not looked at.
    assert functional_range(form, 1 - player, functional) == pytest.approx((0, 0), abs=1e-12)


def test_the_ranges_tie_bluffs_to_value_bets():
    form = FORMS["kuhn"]()
    three_to_one = coefficient(form, "", "r", "A") - 3 * coefficient(form, "", "r", "Q")
    assert functional_range(form, 0, three_to_one) == pytest.approx((0, 0), abs=1e-7)


def test_a_range_holds_the_solution_and_grows_with_the_tolerance():
    form = FORMS["leduc"]()
    solution = solve_lp(form)
    functional = coefficient(form, "", "r", "K")
    low, high = functional_range(form, 0, functional, value=solution.value)
    assert low - 1e-7 <= functional @ solution.plan <= high + 1e-7
    wider = functional_range(form, 0, functional, tolerance=0.01, value=solution.value)
    assert wider[0] < low - 1e-3
    assert wider[1] > high + 1e-3


def test_errors_say_what_is_wrong():
    form = FORMS["kuhn"]()
    with pytest.raises(KibitzError, match="24 entries"):
        functional_range(form, 0, np.zeros(5))
    with pytest.raises(KibitzError, match="not solved"):
        functional_range(form, 0, np.zeros(form.layout.size), value=1.0)

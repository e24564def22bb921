"""Best responses against all pure strategies, tried one by one by the rules of the game; equilibria in normal form."""

from dataclasses import replace
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from kibitz.games import Deal, State, load_game
from kibitz.responses.best_response import best_response, expected_values, exploitability, measure
from kibitz.solvers.problem import Problem
from kibitz.solvers.sequence_lp import solve_lp
from kibitz.strategy import Strategy
from solvers.functionals import functional_range

GAMES = {
    "kuhn": load_game("kuhn"),
    "one bettor": replace(load_game("kuhn"), bettors=(True, False), name="one bettor"),
    "blind": replace(load_game("kuhn"), sighted=(True, False), name="blind"),  # player 1 does not look at his card
}


def actions_of(state):
    """What a betting tree offers: folding only where there is something to call."""
    return [action for action in state.legal().actions() if action != "f" or state.to_call > 0]


def key_of(state):
    """What the player to act knows."""
    seen = state.hole[state.player] if state.game.sighted[state.player] else "?"
    return seen, state.history


class Listed:
    """A small game for two in normal form, by the rules alone: no tree, no matrices."""

    def __init__(self, game):
        self.game = game
        self.deals = [Deal((cards[:1], cards[1:2]), ()) for cards in permutations(game.deck, 2)]
        self.infosets = ({}, {})  # per player: what he knows -> his actions
        for deal in self.deals:
            self._list(State.start(game, deal))
        self.plans = tuple(
            [dict(zip(known, choice, strict=True)) for choice in product(*known.values())] for known in self.infosets
        )

    def _list(self, state):
        if not state.finished:
            actions = actions_of(state)
            self.infosets[state.player].setdefault(key_of(state), actions)
            for action in actions:
                self._list(state.apply(action))

    def value(self, state, players):
        """What seat 0 wins; players are functions from (state, actions) to probabilities."""
        if state.finished:
            return state.returns()[0]
        actions = actions_of(state)
        chances = players[state.player](state, actions)
        return sum(p * self.value(state.apply(a), players) for p, a in zip(chances, actions, strict=True) if p)

    def mean(self, players):
        return float(np.mean([self.value(State.start(self.game, deal), players) for deal in self.deals]))

    def payoffs(self):
        """float64[plans of 0, plans of 1]."""
        return np.array([[self.mean((pure(one), pure(two))) for two in self.plans[1]] for one in self.plans[0]])


def pure(plan):
    return lambda state, actions: [1.0 if action == plan[key_of(state)] else 0.0 for action in actions]


def following(problem, strategy):
    """One who plays a strategy of the betting tree."""
    tree, deal = problem.tree, problem.deal

    def play(state, actions):
        node = tree.find(state.history)
        first = int(tree.first_child[node])
        assert list(tree.actions[first : first + int(tree.children[node])]) == actions
        seen, _history = key_of(state)
        labels = deal.rounds[0].labels[state.player]
        states = [i for i, label in enumerate(labels) if seen == "?" or "23456789TJQKA".index(label[0]) == seen[0] >> 2]
        assert len(states) == 1
        return strategy.at(node)[:, states[0]].tolist()

    return play


@cache
def listed(name):
    return Listed(GAMES[name])


@cache
def problem_of_game(name):
    return Problem(GAMES[name])


def random_strategy(layout, seed):
    generator = np.random.default_rng(seed)
    return Strategy.from_sums(layout, generator.random(layout.size) * (generator.random(layout.size) < 0.8))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["kuhn", "one bettor", "blind"])
def test_no_pure_strategy_wins_more(name, seed):
    """The best of all pure strategies wins exactly what is said, in both seats."""
    problem, game = problem_of_game(name), listed(name)
    strategy = random_strategy(problem.vector.layout, seed)
    played = following(problem, strategy)
    first = max(game.mean((pure(plan), played)) for plan in game.plans[0])
    second = max(-game.mean((played, pure(plan))) for plan in game.plans[1])
    assert exploitability(problem.vector, strategy).responses == pytest.approx((first, second), abs=1e-12)
    assert expected_values(problem.vector, strategy)[0] == pytest.approx(game.mean((played, played)), abs=1e-12)


@pytest.mark.parametrize("name", ["kuhn", "one bettor", "blind"])
def test_the_response_is_one_of_them(name):
    problem, game = problem_of_game(name), listed(name)
    strategy = random_strategy(problem.vector.layout, 9)
    response, promised = best_response(problem.vector, strategy)
    played, answer = following(problem, strategy), following(problem, response)
    assert game.mean((answer, played)) == pytest.approx(promised.responses[0], abs=1e-12)
    assert -game.mean((played, answer)) == pytest.approx(promised.responses[1], abs=1e-12)


@pytest.mark.parametrize("name", ["kuhn", "one bettor", "blind"])
def test_the_linear_program_finds_the_value_of_the_normal_form(name):
    """Minimax over the matrix of all pure strategies, which is exponentially larger than the sequence form."""
    payoffs = listed(name).payoffs()
    rows, columns = payoffs.shape
    upper = np.column_stack((-payoffs.T, np.ones(columns)))  # value <= x' A, for every answer
    found = linprog(
        [0.0] * rows + [-1.0],
        A_ub=upper,
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    assert found.success
    assert solve_lp(problem_of_game(name).vector).value == pytest.approx(-found.fun, abs=1e-9)


def test_the_equilibrium_of_kuhn_is_kuhns():
    """Kuhn 1950: the first player bets his jack a third as often as his king; the value is -1/18."""
    problem = problem_of_game("kuhn")
    solution = solve_lp(problem.vector)
    assert solution.value == pytest.approx(-1 / 18, abs=1e-9)
    strategy = solution.strategy
    bet = strategy.at(0)[-1]
    assert bet[0] == pytest.approx(bet[2] / 3, abs=1e-6)
    assert bet[1] == pytest.approx(0, abs=1e-6)
    facing = problem.tree.find("r2" if problem.game.betting == "nolimit" else "r")
    assert strategy.at(facing)[-1] == pytest.approx([0, 1 / 3, 1], abs=1e-6)


def test_who_may_bet_and_who_may_look_makes_another_game():
    """Each game has its own value, and responses tell a strategy of one from an equilibrium."""
    values = {name: solve_lp(problem_of_game(name).vector).value for name in GAMES}
    assert len({round(value, 6) for value in values.values()}) == len(GAMES)
    for name in GAMES:
        problem = problem_of_game(name)
        uniform = Strategy.uniform(problem.vector.layout)
        assert exploitability(problem.vector, uniform).exploitability > 0.05


def test_ranges_of_equilibria_hold_the_programs_own():
    problem = problem_of_game("kuhn")
    solution = solve_lp(problem.vector)
    for entry in range(problem.vector.layout.size):
        functional = np.zeros(problem.vector.layout.size)
        functional[entry] = 1.0
        node = int(np.searchsorted(problem.vector.layout.offset, entry, side="right")) - 1
        player = int(problem.tree.player[node])
        low, high = functional_range(problem.vector, player, functional, value=solution.value)
        assert low - 1e-7 <= solution.plan[entry] <= high + 1e-7


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), share=st.floats(0, 1))
def test_exploitability_is_convex_in_plans(seed, share):
    """A mixture of two strategies, made before the hand, is no more exploitable than they are on average."""
    from kibitz.strategy import Mixture

    problem = problem_of_game("kuhn")
    one, two = (random_strategy(problem.vector.layout, (seed, number)) for number in range(2))
    mixed = Mixture((one, two), (share, 1 - share)).strategy(problem.deal)
    each = [exploitability(problem.vector, strategy).responses for strategy in (one, two, mixed)]
    for seat in range(2):
        assert each[2][seat] <= share * each[0][seat] + (1 - share) * each[1][seat] + 1e-9


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_three_players_share_the_chips_and_gain_by_responses(seed):
    problem = Problem(load_game("kuhn-3p"))
    strategy = random_strategy(THREE.enumeration.layout, seed)
    measured, values = measure(THREE, strategy)
    assert sum(values) == pytest.approx(0, abs=1e-9)
    assert min(measured.responses) >= -1e-9
    assert measured.exploitability == pytest.approx(sum(measured.responses) / 3)
    assert problem == THREE


THREE = Problem(load_game("kuhn-3p"))


def test_of_three_players_the_best_pure_strategy_is_found():
    """One seat's answers to two who play at random, all 2^16 of them by the structure of the tree: seat 2 acts last,
    so that his best answer is the best action at each of his information sets, whatever he does at others.
    """
    strategy = random_strategy(THREE.enumeration.layout, 5)
    _measured, values = measure(THREE, strategy)
    best = THREE.enumeration.best_values(strategy)
    tree, layout = THREE.tree, THREE.enumeration.layout
    won = values[2]
    improved = strategy.values.copy()
    for node in reversed([node for node in tree.decisions if tree.player[node] == 2]):
        begin, end = layout.offset[node], layout.offset[node + 1]
        shape = (int(tree.children[node]), -1)
        for state in range(int(layout.states[node])):
            tried = []
            for action in range(shape[0]):
                values_now = improved.copy()
                block = values_now[begin:end].reshape(shape)
                block[:, state] = 0.0
                block[action, state] = 1.0
                tried.append((THREE.enumeration.values(Strategy(layout, values_now))[2], action, values_now))
            won, _action, improved = max(tried, key=lambda each: each[:2])
    assert won == pytest.approx(best[2], abs=1e-9)

"""Vector CFR against independently computed checkpoints, against a plain twin, and against itself on more threads."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest

from kibitz.cards import parse_cards
from kibitz.games import Deal, State, load_game
from kibitz.games.named import leduc_nolimit
from kibitz.responses.best_response import best_response, expected_values, exploitability
from kibitz.solvers.cfr import CFR, CFRBR, WEIGHTINGS
from kibitz.solvers.problem import Problem, problem_of
from kibitz.solvers.registry import Options, make_solver
from kibitz.strategy import Strategy


@cache
def compiled(name, suits_merged=True):
    return Problem(load_game(name), "full", suits_merged).vector


# Exploitability of the average strategy after T iterations from the uniform start, recomputed independently of this
# project by full traversal.
CHECKPOINTS = {
    ("kuhn", "cfr", False): {1: 0.4583333333, 2: 0.3125, 3: 0.2708333333, 5: 0.1885732323, 10: 0.0962085002,
                             100: 0.0256747358, 1000: 0.0072691064},
    ("kuhn", "cfr", True): {1: 0.4583333333, 2: 0.2708333333, 3: 0.1944444444, 5: 0.1213888889, 10: 0.0686987938,
                            100: 0.0082259773, 1000: 0.0009376166},
    ("kuhn", "cfr+", True): {1: 0.4583333333, 2: 0.2638888889, 3: 0.1413170163, 5: 0.0733445295, 10: 0.0326870907,
                             100: 0.0011944041, 1000: 0.0000873653},
    ("leduc", "cfr", False): {1: 2.3736111111, 2: 2.3009708050, 3: 2.0969889709, 5: 1.5035951640, 10: 0.9270185720,
                              100: 0.1730343119},
    ("leduc", "cfr", True): {1: 2.3736111111, 2: 2.0613194444, 3: 1.7988065869, 5: 1.4713245597, 10: 0.8885789832,
                             100: 0.0957163530},
    ("leduc", "cfr+", False): {1: 2.3736111111, 2: 2.3818846157, 3: 2.2150129942, 5: 1.3646791168, 10: 0.7754324098,
                               100: 0.0440120887},
    ("leduc", "cfr+", True): {1: 2.3736111111, 2: 2.0579166667, 3: 1.7935440824, 5: 1.3712323704, 10: 0.6104389016,
                              100: 0.0134159950},
}  # fmt: skip


@pytest.mark.parametrize(("run", "expected"), CHECKPOINTS.items(), ids=str)
@pytest.mark.parametrize("suits_merged", [True, False])
def test_checkpoints(run, expected, suits_merged):
    name, algorithm, alternating = run
    game = compiled(name, suits_merged)
    solver = CFR(game, algorithm, alternating)
    for iterations, wanted in expected.items():
        solver.step(iterations - solver.iteration)
        assert exploitability(game, solver.average_strategy()).exploitability == pytest.approx(wanted, abs=1e-9)


# NashConv (the sum of both best responses) of CFR-BR's average after 1 .. 5 iterations, from OpenSpiel's tests.
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kuhn", (0.916667, 0.333333, 0.319444, 0.260417, 0.226667)),
        ("leduc", (4.747222, 4.006867283950617, 3.4090489231017034, 2.8982539553095172, 2.5367193593344504)),
    ],
)
def test_cfr_br(name, expected):
    game = compiled(name)
    solver = CFRBR(game)
    for wanted in expected:
        solver.step()
        assert sum(exploitability(game, solver.average_strategy()).responses) == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "always", "expected"),
    [
        ("kuhn", "uniform", 0.4583333333333333),
        ("kuhn", "c", 1 / 3),
        ("kuhn", "r", 1 / 3),
        ("kuhn", "f", 1.0),
        ("leduc", "uniform", 2.373611111111111),
        ("leduc", "c", 1.4666666666666666),
        ("leduc", "r", 2.3666666666666667),
        ("leduc", "f", 1.0),
    ],
)
def test_simple_strategies_are_as_exploitable_as_published(name, always, expected):
    game = compiled(name)
    strategy = Strategy.uniform(game.layout) if always == "uniform" else Strategy.always(game.layout, always)
    assert exploitability(game, strategy).exploitability == pytest.approx(expected, abs=1e-12)


def test_uniform_play_is_worth_what_is_published():
    for name, value in (("kuhn", 0.125), ("leduc", -0.078125)):
        game = compiled(name)
        assert expected_values(game, Strategy.uniform(game.layout)) == pytest.approx((value, -value), abs=1e-12)
    result = exploitability(compiled("leduc"), Strategy.uniform(compiled("leduc").layout))
    assert result.responses == pytest.approx((2.0875, 2.659722222222222), abs=1e-12)


@pytest.mark.parametrize("algorithm", WEIGHTINGS)
def test_every_algorithm_finds_the_value_of_leduc(algorithm):
    game = compiled("leduc")
    solver = CFR(game, algorithm)
    solver.step(3000)
    strategy = solver.average_strategy()
    assert exploitability(game, strategy).exploitability < (6e-3 if algorithm in ("cfr", "linear") else 5e-4)
    assert expected_values(game, strategy)[0] == pytest.approx(-0.085606424078, abs=2e-3)


def test_cfr_plus_finds_the_published_values():
    for name, value in (("kuhn", -1 / 18), ("leduc", -0.085606424078)):
        solver = CFR(compiled(name), "cfr+")
        solver.step(4000)
        assert expected_values(compiled(name), solver.average_strategy())[0] == pytest.approx(value, abs=1e-4)


class PlainCFR:
    """CFR as in the paper, one history at a time, on States and dictionaries; alternating updates."""

    def __init__(self, game):
        self.game = game
        self.regret, self.average = {}, {}
        per_hand = 2 * game.hole_cards + game.board_ends[-1]
        self.deals = [Deal((cards[:1], cards[1:2]), cards[2:]) for cards in permutations(game.deck, per_hand)]

    def strategy(self, key, actions):
        positive = np.maximum(self.regret.setdefault(key, np.zeros(len(actions))), 0)
        return positive / positive.sum() if positive.sum() > 0 else np.full(len(actions), 1 / len(actions))

    def walk(self, state, learner, own, others, updates):
        if state.finished:
            return state.returns()[learner]
        actions = [action for action in state.legal().actions() if action != "f" or state.to_call]
        key = (state.hole[state.player], state.board, state.history)
        sigma = self.strategy(key, actions)
        mine = state.player == learner
        values = np.array(
            [
                self.walk(state.apply(action), learner, own * (p if mine else 1), others * (1 if mine else p), updates)
                for action, p in zip(actions, sigma, strict=True)
            ]
        )
        value = float(sigma @ values)
        if mine:
            updates.append((key, others * (values - value), own * sigma))
        return value

    def step(self):
        for learner in range(2):
            updates = []
            for deal in self.deals:
                self.walk(State.start(self.game, deal), learner, 1.0, 1 / len(self.deals), updates)
            for key, regret, _own in updates:
                self.regret[key] = self.regret[key] + regret
            seen = set()
            for key, _regret, own in updates:  # the own reach of an information set is the same on every deal
                if key not in seen:
                    seen.add(key)
                    self.average[key] = self.average.get(key, 0) + own


@pytest.mark.parametrize("game", [load_game("kuhn"), load_game("leduc"), leduc_nolimit(stack=4)], ids=lambda g: g.name)
def test_kernels_do_what_the_plain_algorithm_does(game):
    problem = Problem(game, "full", suits_merged=False)
    plain, solver = PlainCFR(game), CFR(problem.vector, "cfr")
    # From random regrets: at the uniform start many are zero but for rounding, and then signs are a matter of luck.
    solver.regret[:] = np.random.default_rng(0).normal(size=len(solver.regret))
    views = infosets(problem)
    for key, (node, state) in views.items():
        plain.regret[key] = block(problem, solver.regret, node)[:, state].copy()
    for _ in range(2):
        plain.step()
        solver.step()
    for key, (node, state) in views.items():
        np.testing.assert_allclose(block(problem, solver.regret, node)[:, state], plain.regret[key], atol=1e-12)
        np.testing.assert_allclose(block(problem, solver.average, node)[:, state], plain.average[key], atol=1e-12)
    assert len(views) == problem.vector.layout.infosets


def block(problem, values, node):
    """A node's part of a flat array, [actions, states]."""
    offset = problem.vector.layout.offset
    return values[offset[node] : offset[node + 1]].reshape(int(problem.tree.children[node]), -1)


def infosets(problem):
    """(hole, board, history) -> (node, state) for every information set, from the labels of the states."""
    found = {}
    for node in problem.tree.decisions:
        player, round_ = problem.tree.player[node], problem.tree.round[node]
        for state, label in enumerate(problem.deal.rounds[round_].labels[player]):
            hole, _, board = label.partition("|")
            cards = [
                parse_cards(text if problem.game.suits > 1 else text + "s") if text else () for text in (hole, board)
            ]
            found[(*cards, problem.tree.history(node))] = (node, state)
    return found


@pytest.mark.parametrize("algorithm", [*WEIGHTINGS, "cfr-br"])
@pytest.mark.parametrize("alternating", [True, False])
def test_a_resumed_run_is_the_straight_run(algorithm, alternating):
    problem = Problem(load_game("leduc"))
    straight = make_solver(algorithm, problem, Options(alternating))
    straight.step(31)
    first = make_solver(algorithm, problem, Options(alternating))
    first.step(13)
    second = make_solver(algorithm, problem, Options(alternating))
    second.restore(first.iteration, {name: array.copy() for name, array in first.arrays().items()})
    second.step(18)
    for name, array in straight.arrays().items():
        np.testing.assert_array_equal(array, second.arrays()[name], err_msg=name)


@pytest.mark.parametrize("alternating", [True, False])
def test_threads_do_not_change_a_bit(alternating):
    game = Problem(leduc_nolimit(stack=7)).vector
    one, two = CFR(game, "cfr+", alternating), CFR(game, "cfr+", alternating, threads=2)
    one.step(20)
    two.step(20)
    np.testing.assert_array_equal(one.regret, two.regret)
    np.testing.assert_array_equal(one.average, two.average)


def test_nobody_does_better_than_the_best_response():
    game = compiled("leduc")
    rng = np.random.default_rng(1)
    strategy = Strategy.from_sums(game.layout, rng.random(game.layout.size))
    response, result = best_response(game, strategy)
    for seat in range(2):
        own = _seat(game, seat)
        joined = np.where(own, response.values, strategy.values)
        assert expected_values(game, Strategy(game.layout, joined))[seat] == pytest.approx(result.responses[seat])
        for _ in range(20):
            other = Strategy.from_sums(game.layout, rng.random(game.layout.size))
            tried = Strategy(game.layout, np.where(own, other.values, strategy.values))
            assert expected_values(game, tried)[seat] <= result.responses[seat]


def _seat(game, seat):
    """Which entries of a strategy belong to a seat."""
    tree = game.tree
    return np.repeat((tree.player == seat) & (tree.kind == 0), np.diff(game.layout.offset))


def test_suits_merged_or_kept_is_the_same_game():
    merged, kept = compiled("leduc"), compiled("leduc", False)
    one, two = CFR(merged, "cfr+"), CFR(kept, "cfr+")
    one.step(50)
    two.step(50)
    first, second = one.average_strategy(), two.average_strategy()
    assert exploitability(merged, first).exploitability == pytest.approx(exploitability(kept, second).exploitability)
    assert problem_of(first).deal.fingerprint == merged.deal.fingerprint
    assert problem_of(second).deal.fingerprint == kept.deal.fingerprint

"""Strategies as entities: against best responses to mixtures, and the formula of undominated Kuhn."""

import numpy as np
import pytest

from clustering.covers import partition_loss
from kibitz.clustering import by_coverage, by_distance, cluster_greedily
from kibitz.errors import KibitzError
from kibitz.experiments.bard2016.cluster_trials import leduc_oracle
from kibitz.games import load_game
from kibitz.responses.averages import AverageOracle
from kibitz.responses.best_response import best_response, exploitability
from kibitz.responses.clusters import StrategyOracle
from kibitz.solvers.problem import Problem
from kibitz.strategy import Mixture, Strategy
from kibitz.strategy.sequences import realisation
from responses.plain_leduc import value_of_group


@pytest.fixture(scope="module", params=["kuhn", "leduc"])
def problem(request):
    return Problem(load_game(request.param))


def drawn(problem, count, seed=0):
    """Strategies with random probabilities."""
    rng, layout = np.random.default_rng(seed), problem.vector.layout
    return [Strategy.from_sums(layout, rng.exponential(size=layout.size)) for _ in range(count)]


def oracle_of(problem, strategies, seats=(0, 1)):
    return StrategyOracle(problem.vector, np.array([each.values for each in strategies]), seats)


@pytest.mark.parametrize("seats", [(0,), (1,), (0, 1)])
def test_a_cluster_is_worth_its_best_response_to_the_mixture(problem, seats):
    strategies = drawn(problem, 4)
    game = oracle_of(problem, strategies, seats)
    mixture = Mixture(strategies, [0.25] * 4).strategy(problem.deal)
    responses = exploitability(problem.vector, mixture).responses
    expected = np.mean([responses[1 - seat] for seat in seats])
    assert game.oracle.values(game.oracle.statistics.sum(axis=0, keepdims=True))[0] / 4 == pytest.approx(expected)


@pytest.mark.parametrize("seats", [(0,), (1,), (0, 1)])
def test_a_response_as_a_strategy_wins_what_the_oracle_says(problem, seats):
    strategies = drawn(problem, 3)
    game = oracle_of(problem, strategies, seats)
    plans = game.oracle.respond(game.oracle.statistics)
    for number, opponent in enumerate(strategies):
        response = game.strategy(plans[number])
        _, found = best_response(problem.vector, opponent)
        won = [value_in(problem, response, opponent, 1 - seat) for seat in seats]
        assert won == pytest.approx([found.responses[1 - seat] for seat in seats])
        assert game.oracle.utilities(plans)[number, number] == pytest.approx(np.mean(won))


def value_in(problem, ours, theirs, seat):
    """What `ours` wins in `seat`."""
    from kibitz.responses.best_response import expected_values

    tree = problem.tree
    owner = np.repeat(np.where(tree.kind == 0, tree.player, -1), problem.vector.layout.states * tree.children)
    values = np.where(owner == seat, ours.values, theirs.values)
    return expected_values(problem.vector, Strategy(problem.vector.layout, values))[seat]


def test_plans_are_realisation_weights(problem):
    strategies = drawn(problem, 3)
    game = oracle_of(problem, strategies)
    for number, strategy in enumerate(strategies):
        weights = realisation(strategy, problem.deal)
        for seat in (0, 1):
            assert game.plans[seat][number, 1:] == pytest.approx(weights[game.decisions[seat].places])
    assert game.points.shape == (3, sum(each.tree.size for each in game.decisions))


def test_copies_of_two_strategies_are_two_clusters(problem):
    game = oracle_of(problem, drawn(problem, 2) * 3)
    found = cluster_greedily(game.oracle)
    assert found.labels(2).tolist() == [0, 1] * 3
    assert found.loss(2) == pytest.approx(0, abs=1e-12)
    assert found.loss(1) == pytest.approx(partition_loss(game.oracle, np.zeros(6, dtype=np.int64)))


def test_what_does_not_fit_is_refused(problem):
    with pytest.raises(KibitzError, match="seats \\(2,\\)"):
        oracle_of(problem, drawn(problem, 1), (2,))
    with pytest.raises(KibitzError, match="strategies of shape"):
        StrategyOracle(problem.vector, np.zeros((2, 3)))


@pytest.mark.parametrize("seats", [(0,), (1,), (0, 1)])
def test_a_best_response_at_a_time_gives_the_same_clusters(problem, seats):
    strategies = drawn(problem, 6)
    small = oracle_of(problem, strategies, seats)
    large = AverageOracle(problem.vector, np.array([each.values for each in strategies]), seats)
    one, other = cluster_greedily(small.oracle), cluster_greedily(large.oracle)
    assert other.utilities == pytest.approx(one.utilities)
    assert (one.labels(3) == other.labels(3)).all()
    plans, responses = (each.oracle.respond(each.oracle.statistics) for each in (small, large))
    assert large.utilities(responses) == pytest.approx(small.oracle.utilities(plans))
    opponent = strategies[2]
    for seat in seats:
        won = [value_in(problem, each, opponent, 1 - seat) for each in
               (small.strategy(plans[2]), large.strategy(responses[2]))]  # fmt: skip
        assert won[0] == pytest.approx(won[1])
    assert by_coverage(large, [1, 2])[2].tolist() == by_coverage(small.oracle, [1, 2])[2].tolist()
    assert by_distance(large.points, [2], 0)[2].tolist() == by_distance(small.points, [2], 0)[2].tolist()


def test_groups_in_leduc_are_worth_what_the_rules_written_out_say():
    """Strategies that know ranks only, as in figure 5.4b: single ones, groups and all of them."""
    game = leduc_oracle(np.random.default_rng(3))
    layout, tree = game.compiled.layout, game.compiled.tree

    def choose(rank, board, betting):
        node = 0
        for word in betting.replace("/", ""):
            node = tree.child(node, word)
        state = rank if board is None else rank + 3 * board
        return np.array([Strategy(layout, row).at(node)[:, state] for row in game.values[:12]])

    members = np.vstack([np.eye(12)[:2], np.random.default_rng(4).random((3, 12)) < 0.5, np.ones(12)])
    expected = [value_of_group(choose, each) for each in members]
    assert game.oracle.values(members @ game.oracle.statistics[:12]) == pytest.approx(expected)

"""Data-biased responses: kernels against plain Python, against linear programs, and in the limits of data and P_max."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.responses.best_response import best_response
from kibitz.responses.robust import CONFIDENCES, Method, respond
from kibitz.responses.robust.methods import Solving, confidence
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.respond import Run
from kibitz.responses.robust.roles import SmallRoles
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel, Strategy
from responses.robust.plain_biased import PlainBiased


@cache
def problem(name: str) -> Problem:
    return Problem(load_game(name))


def random_strategy(name: str, seed: int) -> Strategy:
    layout = problem(name).vector.layout
    return Strategy.from_sums(layout, np.random.default_rng(seed).exponential(size=layout.size))


def counted(name: str, hands: int, seed: int = 0) -> FrequentistModel:
    return observe(problem(name).deal, random_strategy(name, seed), hands, seed)


def plain(name: str, seat: int, roles: SmallRoles, model: FrequentistModel, method: Method) -> PlainBiased:
    """The same response in plain Python; only the classes of cards are taken from `roles`."""
    tree, other = problem(name).tree, 1 - seat
    ours, free, theirs = (
        roles._classes((each,), player) for each, player in zip(roles.names, (seat, other, other), strict=True)
    )
    held = {}
    for node in tree.decisions.tolist():
        round_ = int(tree.round[node])
        begin, end = model.layout.offset[node], model.layout.offset[node + 1]
        counts = model.counts[begin:end].reshape(int(tree.children[node]), -1)
        for seen in range(int(theirs.counts[round_]) if tree.player[node] == other else 0):
            taken = counts[:, theirs.of[round_] == seen].sum(axis=1)
            n = taken.sum()
            trust = float(confidence(np.array([n]), method.confidence, method.amount)[0])
            assert n > 0 or trust == 0
            held[node, seen] = ((taken / n).tolist() if n else [0.0] * len(taken), trust)

    def see(classes):
        return lambda round_, state: int(classes.of[round_][state])

    return PlainBiased(problem(name), seat, see(ours), see(free), see(theirs), held)


ROLES = [
    ("", "", ""),
    ("", "", "2-bucket"),
    ("2-bucket", "", ""),
    ("", "2-bucket", ""),
    ("3-bucket", "2-bucket", "3-bucket"),
]


@pytest.mark.parametrize("function", CONFIDENCES)
@pytest.mark.parametrize("cards", ROLES, ids=lambda cards: "-".join(each or "all" for each in cards))
@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 40), ("leduc", 4)])
def test_kernels_do_what_plain_python_does(name, iterations, cards, function):
    roles, model = SmallRoles(problem(name), *cards), counted(name, 150)
    method = Method("dbr", 0.8, function)
    run = Run(roles, model, method, Solving("cfr", iterations))
    run.solver.step(iterations)
    tree = problem(name).tree
    for seat in range(2):
        reference = plain(name, seat, roles, model, method)
        for _ in range(iterations):
            reference.step()
        cfr = run.seats[seat].cfr
        found, joint = cfr.mimic(), roles.joint_game(seat)
        finest = roles._classes((cards[1], cards[2]) if len(joint.ties) else (cards[1],), 1 - seat)
        for node in tree.decisions.tolist():
            own = tree.player[node] == seat
            classes = roles.our_classes(seat) if own else finest.of
            for state, seen in enumerate(classes[int(tree.round[node])]):
                wanted = reference.average_at(node, state)
                assert found.at(node)[:, seen] == pytest.approx(wanted, abs=1e-9), (seat, node, state)


@pytest.mark.parametrize("function", CONFIDENCES)
@pytest.mark.parametrize("hands", [30, 3_000])
def test_iterations_close_in_on_the_linear_program(function, hands):
    model, method = counted("leduc", hands), Method("dbr", 0.7, function)
    exact = respond(problem("leduc"), model, method)
    found = respond(problem("leduc"), model, method, Solving("pcfr+", 3_000))
    assert found.objective <= exact.objective + 1e-9
    assert found.objective + found.gap >= exact.objective - 1e-9
    assert found.gap < 2e-3


def test_nothing_believed_is_an_equilibrium():
    found = respond(problem("leduc"), counted("leduc", 500), Method("dbr", 0.0))
    assert found.objective == pytest.approx(0, abs=1e-9)
    assert found.exploitability == pytest.approx(0, abs=1e-9)


def test_everything_believed_with_data_everywhere_is_a_best_response():
    truth = random_strategy("leduc", 0)
    model = FrequentistModel(truth.layout, 1e6 * truth.values)
    found = respond(problem("leduc"), model, Method("dbr", 1.0))
    best = best_response(problem("leduc").vector, truth)[1].exploitability
    assert found.exploitation == pytest.approx(best, abs=1e-6)
    assert respond(problem("leduc"), model, Method("fbr")).exploitation == pytest.approx(best, abs=1e-6)


def test_more_data_wins_more():
    truth, game = random_strategy("leduc", 0), problem("leduc")
    means = []
    for hands in (10, 300, 30_000):
        won = []
        for seed in range(4):
            model = observe(game.deal, truth, hands, seed)
            response = respond(game, model, Method("dbr", 0.9)).strategy
            won.append(np.mean(SmallRoles(game).exploitation(response, truth)))
        means.append(np.mean(won))
    assert all(less <= more + 0.02 for less, more in pairwise(means)), means
    assert means[-1] > means[0] + 0.1


def test_mimics_play_the_model_where_it_has_data_and_are_legal_everywhere():
    model, method = counted("leduc", 2_000), Method("dbr", 1.0, "10-step")
    found = respond(problem("leduc"), model, method, Solving("cfr+", 200))
    mimic = found.mimic
    assert mimic is not None
    assert all(np.allclose(sums, 1) for sums in mimic.layout.sums(mimic.values))
    assert (mimic.values >= 0).all()
    sure = model.visits >= 10
    assert sure.any()
    assert not sure.all()
    assert mimic.values[sure] == pytest.approx(model.strategy.values[sure], abs=1e-12)


def test_a_strategy_alone_is_no_observation():
    with pytest.raises(KibitzError, match="needs observations"):
        respond(problem("kuhn"), random_strategy("kuhn", 0), Method("dbr", 0.5))


def test_a_choice_that_sees_less_than_the_model_has_no_linear_program():
    roles = SmallRoles(problem("leduc"), "", "2-bucket", "")
    with pytest.raises(KibitzError, match="no linear program"):
        respond(roles, counted("leduc", 100), Method("dbr", 0.5), Solving("lp"))


def test_observations_come_as_often_as_they_should():
    truth, game = random_strategy("leduc", 4), problem("leduc")
    model = observe(game.deal, truth, 400_000, 9)
    layout = model.layout
    root = model.counts[layout.offset[0] : layout.offset[1]].reshape(int(layout.tree.children[0]), -1)
    assert root.sum() == 200_000  # every hand of seat 0
    assert root.sum(axis=0) / 200_000 == pytest.approx([1 / 3] * 3, abs=5e-3)
    assert root / root.sum(axis=0) == pytest.approx(truth.at(0), abs=1e-2)
    assert np.array_equal(model.counts, observe(game.deal, truth, 400_000, 9).counts)


def test_the_gap_is_looked_at_often_enough_to_stop_soon():
    """Not only when iterations have doubled; and a run that was resumed stops where a straight one does."""
    model = observe(problem("leduc").deal, Strategy.uniform(problem("leduc").vector.layout), 500)
    solving = Solving("cfr+", 5000, until=0.02)
    run = Run(problem("leduc"), model, Method("dbr", 0.7), solving)
    checks = []
    while not run.is_over:
        run.advance()
        if run.checked == run.solver.iteration:
            checks.append((run.checked, run.gap))
    assert checks[-1][1] <= 0.02 < checks[-2][1]
    assert checks[-1][0] <= 1.25 * checks[-2][0]

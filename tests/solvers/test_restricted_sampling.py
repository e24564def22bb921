"""External sampling against held opponents: by its reference, and by what is known exactly."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.deals.sampled import Draws
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.responses.robust import Method, respond
from kibitz.solvers.problem import Problem
from kibitz.solvers.restricted import owner_mask
from kibitz.solvers.sampled import ExternalSampling
from kibitz.solvers.sampled.restricted import RestrictedSampling, held_by_decision, held_by_hand
from kibitz.strategy import FrequentistModel, Layout, Strategy, StrategyError
from solvers.plain_restricted_sampling import HeldWalk

KUHN = Problem(load_game("kuhn-3p"))
TWO = Problem(load_game("kuhn"))
THREE = {"stacks": (2**31 - 1,) * 3, "blinds": (1,) * 3, "antes": (), "bettors": (), "sighted": ()}
LEDUC = replace(load_game("leduc"), **THREE, ranks=4, max_raises=(1, 1), name="leduc-3p")


def random_strategy(layout, seed):
    return Strategy.from_sums(layout, np.random.default_rng(seed).gamma(0.5, size=layout.size))


def random_trust(layout, seed):
    """A confidence for every information set, the same for its actions."""
    generator, found = np.random.default_rng(seed), np.zeros(layout.size)
    for node in layout.tree.decisions:
        block = found[layout.offset[node] : layout.offset[node + 1]].reshape(int(layout.tree.children[node]), -1)
        block[:] = generator.random(block.shape[1]).round(1)
    return found


@pytest.mark.parametrize("by_decision", [False, True])
@pytest.mark.parametrize("responder", [0, 2])
def test_walks_equal_the_reference(responder, by_decision):
    problem, home = Problem(LEDUC), Problem(LEDUC, suits_merged=False)  # the model tells suits apart, players do not
    compiled, layout = problem.sampled, home.sampled.layout
    model, trust = random_strategy(layout, 1), random_trust(layout, 2)
    if by_decision:
        holding = held_by_decision(compiled, model, home.sampled_deal, trust)
    else:
        holding = held_by_hand(compiled, model, home.sampled_deal, 0.6)
    solver = RestrictedSampling(compiled, holding, responder, seed=5)
    solver.step(20)
    for _ in range(3):
        before, first = (solver.regret.copy(), solver.average.copy()), 3 * solver.iteration
        draws, seen = problem.sampled_deal.draw(5, first, 3), home.sampled_deal.draw(5, first, 3)
        solver.step()
        regret, average = before
        for player in range(3):
            hold = (
                responder,
                0.0 if by_decision else 0.6,
                lambda node, state: trust[layout.offset[node] + state] if by_decision else 0.0,
                model,
                seen.states[player],
            )
            deal = Draws(draws.states[player], draws.strengths[player])
            walk = HeldWalk(compiled, deal, player, regret.copy(), hold, 5, first + player)
            walk.external()
            regret, average = regret + walk.regret, average + walk.average
        np.testing.assert_allclose(solver.regret, regret, atol=1e-9)
        np.testing.assert_allclose(solver.average, average, atol=1e-9)


@pytest.mark.parametrize("storage", ["double", "half"])
def test_with_nobody_held_it_is_external_sampling_to_the_bit(storage):
    compiled, deal = KUHN.sampled, KUHN.sampled_deal
    plain = ExternalSampling(compiled, 4, storage=storage)
    plain.step(500)
    model = random_strategy(compiled.layout, 3)
    by_hand = held_by_hand(compiled, model, deal, 0.0)
    by_decision = held_by_decision(compiled, model, deal, np.zeros(compiled.layout.size))
    for seat, holding in ((0, by_hand), (1, by_decision), (2, by_hand)):
        solver = RestrictedSampling(compiled, holding, seat, 4, storage=storage)
        solver.step(200)
        solver.step(300)
        assert np.array_equal(solver.regret, plain.regret)
        assert np.array_equal(solver.average, plain.average)


@pytest.mark.parametrize("seed", range(3))
def test_held_in_full_the_answer_is_a_best_response(seed):
    compiled = KUHN.sampled
    model = random_strategy(compiled.layout, seed)
    best = KUHN.enumeration.best_values(model)
    for seat, most in enumerate(best):
        solver = RestrictedSampling(compiled, held_by_hand(compiled, model, KUHN.sampled_deal, 1.0), seat, seed)
        solver.step(30_000)
        mine = owner_mask(compiled.layout, seat)
        mixed = Strategy(compiled.layout, np.where(mine, solver.average_strategy().values, model.values))
        value = KUHN.enumeration.values(mixed)[seat]
        assert most - 0.01 < value <= most + 1e-12
        won = solver.play(40_000, seed=1).won
        assert abs(won.mean() - value) < 4 * won.std() / 200
        assert np.array_equal(won, solver.play(40_000, seed=1, modelled=True).won)


@pytest.mark.parametrize("method", [Method("rnr", 0.5), Method("rnr", 0.9), Method("dbr", 0.8)])
def test_with_two_players_it_finds_what_linear_programs_find(method):
    compiled, deal = TWO.sampled, TWO.sampled_deal
    counts = np.random.default_rng(8).integers(0, 15, compiled.layout.size).astype(float)
    model = FrequentistModel(Layout(TWO.tree, deal.counts, deal.fingerprint), counts)
    exact = respond(TWO, model, method)
    if method.name == "rnr":
        holding = held_by_hand(compiled, model.strategy, deal, method.amount)
    else:
        holding = held_by_decision(compiled, model.strategy, deal, method.amount * np.minimum(1, model.visits / 10))
    won = []
    for seat in range(2):
        solver = RestrictedSampling(compiled, holding, seat, 1)
        solver.step(60_000)
        won.append(solver.play(200_000, seed=2).won)
    error = np.hypot(*(each.std() / len(each) ** 0.5 for each in won)) / 2
    assert abs((won[0].mean() + won[1].mean()) / 2 - exact.objective) < 4 * error + 0.003


def test_what_does_not_fit_is_refused():
    compiled, deal = KUHN.sampled, KUHN.sampled_deal
    holding = held_by_hand(compiled, Strategy.uniform(compiled.layout), deal, 0.5)
    with pytest.raises(KibitzError, match="responder 3: a seat from 0 to 2"):
        RestrictedSampling(compiled, holding, 3)
    with pytest.raises(StrategyError, match="betting tree"):
        held_by_hand(compiled, Strategy.uniform(TWO.sampled.layout), deal, 0.5)

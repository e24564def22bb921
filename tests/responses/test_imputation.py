"""What is won from a model where it was observed and where it was not: by reference, and sampled."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.games import load_game
from kibitz.modelling.frequentist.seen import seen_tree
from kibitz.responses import multiplayer
from kibitz.responses.imputation import Imputation, checked_down
from kibitz.responses.multiplayer import Sampling
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.imputation import measure_imputation
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.roles import make_roles
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.problem import Problem
from kibitz.statistics import Estimate
from kibitz.strategy import FrequentistModel, Strategy
from kibitz.translation import Reading
from kibitz.tree import DECISION, FOLD

LEDUC = load_game("leduc")
WHOLE = Problem(LEDUC)
SEEN = Problem(
    LEDUC,
    betting=seen_tree(LEDUC, "full", [(LEDUC, "rc/cc"), (LEDUC, "cc/crc"), (LEDUC, "crc/rrc")], Reading("det-geo")),
)
BUCKETS = Problem(load_game("holdem-nolimit-2p"), "all-in", cards="2-bucket", boards=20)
HANDS = 200_000


def sparse_model(problem, seed=3):
    """Counts of 0, 1 .. 20 visits, about a third of the information sets without any."""
    layout, generator = make_roles(problem).home, np.random.default_rng(seed)
    counts = generator.integers(1, 8, layout.size).astype(float)
    for node in layout.tree.decisions.tolist():
        block = counts[layout.offset[node] : layout.offset[node + 1]].reshape(int(layout.tree.children[node]), -1)
        block[:, generator.random(block.shape[1]) < 0.3] = 0
    return FrequentistModel(layout, counts)


def plain_seat(problem, response, model, seat):
    """Decisions by level, share of observed hands and chips won in them and in all, hand by hand and node by node."""
    tree, deal, states = problem.tree, problem.deal, [None] * problem.game.rounds
    cut, found = checked_down(tree), np.zeros(6)

    def walk(node, chance, sign, is_observed):
        if tree.kind[node] != DECISION:
            won = tree.stakes[node] * (
                sign if tree.kind[node] != FOLD else chance * (-1) ** int(tree.player[node] == 1)
            )
            won *= 1 if seat == 0 else -1
            found[5] += won
            if is_observed and not cut[node]:
                found[3:5] += chance, won
            return
        state = states[tree.round[node]][tree.player[node]]
        mine = tree.player[node] == seat
        visits = model.at(node)[:, state].sum()
        if not mine:
            found[0 if visits == 0 else 1 if visits <= 10 else 2] += chance
        for action, p in enumerate((response if mine else model.strategy).at(node)[:, state].tolist()):
            if p:
                child = int(tree.first_child[node]) + action
                walk(child, chance * p, sign * p, is_observed and (mine or visits > 0))

    last = deal.rounds[-1]
    weights, signs = last.dense(last.weight), last.dense(last.sign)
    for pair in np.argwhere(weights).tolist():
        at = pair
        for round_ in range(problem.game.rounds - 1, -1, -1):
            states[round_] = at
            at = [int(deal.rounds[round_].parent[p][at[p]]) for p in range(2)]
        walk(0, weights[tuple(pair)], signs[tuple(pair)], True)
    return found


@pytest.mark.parametrize("problem", [WHOLE, SEEN, BUCKETS], ids=["whole", "seen", "buckets"])
def test_exact_parts_equal_those_of_the_reference(problem):
    model = sparse_model(problem)
    found = respond(problem, model, Method("rnr", 0.8))
    roles, milli = make_roles(problem), 1000 / (problem.game.blinds[0] if problem is BUCKETS else 1)
    plain = np.mean([plain_seat(problem, found.strategy, model, seat) for seat in range(2)], axis=0)
    told = found.imputation
    np.testing.assert_allclose(told.decided, plain[:3], atol=1e-12)
    assert told.hands.mean == pytest.approx(plain[3], abs=1e-12)
    assert told.observed.mean == pytest.approx(milli * plain[4], abs=1e-8)
    assert told.observed.mean + told.imputed.mean == pytest.approx(milli * plain[5], abs=1e-8)
    assert milli * found.exploitation == pytest.approx(milli * plain[5], abs=1e-8)
    assert 0 < told.hands.mean < 1
    assert told.to_dict() == measure_imputation(roles, found.strategy, model).to_dict()


@pytest.mark.parametrize("problem", [WHOLE, SEEN], ids=["whole", "seen"])
def test_sampled_parts_hold_the_exact_ones(problem):
    model = sparse_model(problem)
    found = multiplayer.respond(problem, model, Method("fbr"), Sampling(iterations=500, hands=HANDS, seed=4))
    exact, told = measure_imputation(make_roles(problem), found.strategy, model), found.imputation
    for name in ("hands", "observed", "imputed"):
        value = getattr(told, name)
        assert abs(value.mean - getattr(exact, name).mean) < 3 * value.half_width, name
        assert value.half_width > 0
    np.testing.assert_allclose(told.decided, exact.decided, atol=4 * np.sqrt(exact.decided.max() / HANDS))
    assert told.observed.mean + told.imputed.mean == pytest.approx(found.exploitation.mean)


def test_showdowns_are_cut_only_where_betting_could_go_on():
    assert not checked_down(WHOLE.tree).any()
    assert not checked_down(replace(WHOLE.tree, menus=())).any()  # as if it had come from hands
    cut = {SEEN.tree.history(node) for node in np.flatnonzero(checked_down(SEEN.tree)).tolist()}
    assert {"rr", "crr", "cc/rc"} & cut == {"rr", "crr"}


def test_only_models_are_split_not_players_who_are_known():
    uniform = Strategy.uniform(WHOLE.vector.layout)
    counts = observe(WHOLE.deal, uniform, 200)
    method = Method("dbr", 0.5)
    assert respond(WHOLE, uniform, Method("fbr")).imputation is None
    assert respond(WHOLE, Opponent(uniform, counts), method).imputation is None  # measured by the player itself
    assert respond(WHOLE, counts, method).imputation is not None


def test_the_warning_names_hands_and_winnings():
    def told(share, observed, imputed):
        parts = (Estimate(share, 0.0, 0, "of hands"), *(Estimate(each, 5.0, 0) for each in (observed, imputed)))
        return Imputation(np.array([1.0, 1.0, 2.0]), *parts)

    assert told(0.95, 300.0, 20.0).warning is None
    assert "in 15.0 % of the hands" in told(0.85, 300.0, 20.0).warning
    assert "wins +200.0 mbb/hand there and +300.0 elsewhere" in told(0.95, 300.0, 200.0).warning  # of few hands, much
    assert told(0.95, -300.0, 20.0).warning is None
    assert told(0.85, 300.0, 20.0).to_dict()["decisions_observed"] == 0.75

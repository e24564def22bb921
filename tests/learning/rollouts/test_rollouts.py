"""Rollouts of simulated decisions against enumeration; reports that do not depend on processes."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.learning import save_model
from kibitz.learning.model import Model, Structure
from kibitz.learning.rollouts import (
    Place,
    RolloutSettings,
    Simulation,
    measure_errors,
    option_values,
)
from kibitz.learning.rollouts.decisions import BOARD
from kibitz.learning.rollouts.plan import RolloutPlan, load_report
from kibitz.plans import carry_out

FOLD, CALL, RAISE = 0, 1, 2


@pytest.fixture(scope="module")
def model():
    """Weights large enough that what players do depends on their cards."""
    return Model.random(Structure(), seed=3, scale=0.6)


@pytest.fixture(scope="module")
def heads_up(model):
    return Simulation(model, seats=2, seed=5)


def find(simulation, wanted):
    for deal in range(2000):
        for decision in range(simulation.play(deal)):
            situation = simulation.situation(Place(deal, decision))
            if wanted(situation):
                return situation
            simulation.play(deal)
    raise AssertionError("no such decision")


def test_a_river_call_is_worth_its_enumerated_value(heads_up):
    """All hands of the opponent, each weighted by the probability of what he did with it."""
    situation = find(
        heads_up,
        lambda each: (
            each.stage == 3 and each.legal[FOLD] and len(each.actions) > 6 and 0.02 < each.chances[CALL] < 0.98
        ),
    )
    actor, cards = situation.actor, situation.cards
    seen = {*cards[2 * actor : 2 * actor + 2].tolist(), *cards[BOARD:].tolist()}
    forced = np.append(situation.actions, CALL)
    weights, returns, desk = [], [], heads_up.desk
    for pair in combinations([card for card in range(52) if card not in seen], 2):
        held = cards.copy()
        held[2 * (1 - actor) : 2 * (1 - actor) + 2] = pair
        desk.seat(2, held)
        desk.play(1, forced)
        played = desk.memory.view(np.recarray)[0]
        others = [d for d in range(len(situation.actions)) if played.player[d] != actor]
        weights.append(np.prod([played.chance[d, played.action[d]] for d in others]))
        returns.append(played.net[actor])
    exact = np.dot(weights, returns) / np.sum(weights)
    values, logs = heads_up.roll_out(situation, 4000, key=11)
    found = option_values(values[:, [FOLD, CALL]], logs)
    weight = np.exp(logs - logs.max())
    error = np.sqrt(np.sum(weight**2 * (values[:, CALL] - found[1]) ** 2)) / weight.sum()
    assert found[1] == pytest.approx(exact, abs=4.5 * error)
    assert len(set(values[:, FOLD])) == 1  # a fold costs what was put in, whatever the cards


def test_nothing_is_weighted_before_an_opponent_has_acted(heads_up):
    first = find(heads_up, lambda each: len(each.actions) == 0)
    values, logs = heads_up.roll_out(first, 50, key=1)
    assert (logs == 0).all()
    assert values[:, FOLD].tolist() == [-1.0] * 50
    assert len(set(values[:, CALL])) > 1


def test_samples_are_numbered_and_paired(heads_up):
    situation = find(heads_up, lambda each: each.stage == 1)
    values, logs = heads_up.roll_out(situation, 40, key=7)
    later, later_logs = heads_up.roll_out(situation, 15, key=7, first=25)
    assert np.array_equal(values[25:], later, equal_nan=True)
    assert (logs[25:] == later_logs).all()


def test_common_random_numbers_make_differences_less_noisy(heads_up):
    situation = find(heads_up, lambda each: each.stage == 0 and each.legal.all() and len(each.actions) == 1)
    spread = [
        np.var(np.diff(heads_up.roll_out(situation, 3000, 9, common=common)[0][:, [CALL, RAISE]]))
        for common in (True, False)
    ]
    assert spread[0] < spread[1]


def test_decisions_are_chosen_from_all(model):
    simulation = Simulation(model, seats="irc", seed=1)
    places = simulation.choose(300)
    assert len(set(places)) == 300
    assert places == sorted(places)
    assert places == Simulation(model, seats="irc", seed=1).choose(300)
    situations = [simulation.situation(place) for place in places]
    assert len({each.players for each in situations}) > 4
    assert all(each.legal[CALL] and each.chances.sum() == pytest.approx(1) for each in situations)


def test_reports_do_not_depend_on_processes(model):
    settings = RolloutSettings(decisions=60, samples=40, seats=3, seed=2)
    one, two = (measure_errors(Simulation(model, seats=3, seed=2), settings, workers) for workers in (1, 2))
    assert (one.errors == two.errors).all()
    stages = [one.of_stage(stage) for stage in range(4)]
    assert sum(each.decisions for each in stages) == 60
    whole = one.of_stage()
    assert whole.sample == pytest.approx(whole.lfo + whole.improvement)
    assert whole.improvement > 0  # a random policy can be improved on
    assert whole.improvement == pytest.approx(sum(each.share * each.improvement for each in stages if each.decisions))
    assert one.to_dict()["stages"]["overall"]["decisions"] == 60


def test_settings_are_checked():
    with pytest.raises(KibitzError, match="0 decisions"):
        RolloutSettings(decisions=0)
    with pytest.raises(KibitzError, match="10 folds of 5 samples"):
        RolloutSettings(samples=5)


def test_a_plan_that_is_left_goes_on_to_the_same_bits(model, tmp_path):
    save_model(model, tmp_path / "agent")
    plan = RolloutPlan(tmp_path / "agent", players="3", decisions=60, samples=40, seed=2)
    right = measure_errors(Simulation(model, seats=3, seed=2), plan.settings)
    reports = carry_out(plan, tmp_path / "errors")
    next(reports)
    reports.close()
    rest = list(carry_out(plan, tmp_path / "errors", resume=True))
    assert len(rest) == 3  # two cells and the artefact
    found = load_report(tmp_path / "errors")
    assert (found.errors == right.errors).all()
    assert (found.stages == right.stages).all()
    assert found.to_dict() == right.to_dict()
    save_model(Model.random(Structure(), 9, 0.4), tmp_path / "agent")
    with pytest.raises(KibitzError, match="its run has agent = "):
        next(carry_out(replace(plan), tmp_path / "errors", resume=True))

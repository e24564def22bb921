"""Evaluations: a value function first, then hands, then a win rate; and the hands of Pluribus."""

from itertools import islice

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.agents.strategic import StrategyAgent
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.io.files import read_records
from kibitz.modelling.estimators import CheckDown, Coolers, Evaluation, Expectation, OwnHand
from kibitz.policy import policy_of
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import make_solver
from modelling.estimators.variance_hands import random_policy, records_of

LEDUC = load_game("leduc")


@pytest.fixture(scope="module")
def equilibrium():
    problem = Problem(LEDUC)
    solver = make_solver("cfr+", problem)
    solver.step(200)
    return StrategyAgent(solver.average_strategy(), problem.sampled_deal, name="equilibrium")


@pytest.fixture(scope="module")
def records(equilibrium):
    """An equilibrium against one who calls everything."""
    return records_of(LEDUC, [equilibrium, load_agent("always-call")], 500)


@pytest.fixture(scope="module")
def truth(equilibrium):
    """What the equilibrium wins of the caller in milli-antes a hand, both seats alike."""
    policies = [policy_of(equilibrium, LEDUC), policy_of(load_agent("always-call"), LEDUC)]
    first = Expectation(policies).mean_at_start(LEDUC, 0)
    second = Expectation(policies[::-1]).mean_at_start(LEDUC, 1)
    return 1000 * (first + second) / 2


def evaluated(records, value, known, **settings):
    evaluation = Evaluation("ann", value, known, **settings)
    for record in records:
        evaluation.add(record)
    return evaluation.result()


def test_known_policies_leave_a_fifth_of_the_variance(records, truth, equilibrium):
    known = {"ann": equilibrium, "bob": load_agent("always-call")}
    result = evaluated(records, CheckDown(), known)
    assert result.hands == 500
    assert result.variance_ratio > 5
    assert result.raw.mean == pytest.approx(np.mean([1000 * r.returns[r.players.index("ann")] for r in records]))
    assert abs(result.reduced.mean - truth) < 1.5 * result.reduced.half_width
    assert abs(result.raw.mean - truth) < 1.5 * result.raw.half_width
    assert abs(result.difference.mean) < 1.5 * result.difference.half_width
    assert result.terms == {"action": result.terms["action"], "board 1": result.terms["board 1"], "hole cards": 500}


def test_a_wrong_policy_is_doubted():
    """One who never folds is said to fold now and then."""
    records = records_of(LEDUC, ["random", "always-raise"], 600)
    assert not evaluated(records, CheckDown(), {"bob": load_agent("always-raise")}).doubtful
    result = evaluated(records, CheckDown(), {"bob": load_agent("random")})
    assert result.doubtful
    assert any("are the policies those that played?" in line for line in result.lines())


def test_one_known_policy_helps_too(records, truth, equilibrium):
    ratios = []
    for method in ("aivat", "imaginary"):
        result = evaluated(records, CheckDown() if method == "aivat" else None, {"ann": equilibrium}, method=method)
        assert abs(result.reduced.mean - truth) < 1.5 * result.reduced.half_width
        ratios.append(result.variance_ratio)
    assert ratios[0] > ratios[1] > 1.1


def test_value_functions_by_seating_leave_only_the_seats(records, truth, equilibrium):
    agents = {"ann": equilibrium, "bob": load_agent("always-call")}
    policies = {name: policy_of(agent, LEDUC) for name, agent in agents.items()}
    seatings = [("ann", "bob"), ("bob", "ann")]
    values = {seating: Expectation([policies[name] for name in seating]) for seating in seatings}
    result = evaluated(records, values, agents)
    assert result.reduced.mean == pytest.approx(truth)  # as many hands in either seat
    assert result.value == "expectation"
    with pytest.raises(KibitzError, match="no value function for the seating bob, ann"):
        evaluated(records, {seatings[0]: values[seatings[0]]}, agents)


def test_a_value_function_may_not_change(records):
    value = CheckDown()
    evaluation = Evaluation("ann", value)
    evaluation.add(records[0])
    assert evaluation.fingerprint == value.fingerprint
    value.growth = 0.3
    with pytest.raises(KibitzError, match="changed after it was fixed"):
        evaluation.result()


def test_hidden_cards_stop_an_evaluation_that_needs_them(records, equilibrium):
    hidden = []
    for record in records[:200]:
        hole = tuple(
            cards if name == "ann" else () for cards, name in zip(record.deal.hole, record.players, strict=True)
        )
        hidden.append(record._replace(deal=record.deal._replace(hole=hole)))
    with pytest.raises(KibitzError, match="hides the cards of bob"):
        evaluated(hidden, CheckDown(), {})
    own = evaluated(hidden, OwnHand(), {"ann": equilibrium}, cards="own")
    assert own.hands == 200
    assert own.terms.keys() == {"hole cards", "action"}
    with_others = evaluated(records[:200], OwnHand(), {"ann": equilibrium}, cards="own")
    assert with_others.reduced == own.reduced  # others' cards are not looked at, shown or not


def test_hands_that_do_not_count_are_counted(records):
    others = records[0]._replace(players=("carl", "bob"))
    wrong = records[1]._replace(history="ccc")
    result = evaluated([others, wrong, *records[2:40]], CheckDown(), {})
    assert result.hands == 38
    assert result.skipped == {"against the rules": 1, "without the player": 1}


def test_settings_are_checked(records):
    for settings, message in (
        ({}, "AIVAT needs a value function"),
        ({"method": "imaginary"}, "need the policy of ann"),
        ({"method": "divat"}, "one of aivat, imaginary, raw"),
        ({"method": "raw", "cards": "some"}, "one of all, own"),
        ({"method": "raw", "target": random_policy(1)}, "only imaginary observations value another agent"),
    ):
        with pytest.raises(KibitzError, match=message):
            Evaluation("ann", None, **settings)
    evaluation = Evaluation("ann", CheckDown(), {"bob": random_policy(1)})
    evaluation.add(records[0])
    with pytest.raises(KibitzError, match="after others in milli-antes"):
        evaluation.add(records_of(load_game("holdem-limit-2p"), ["random", "random"], 1)[0])


def test_pluribus(data):
    """Every tenth hand: the raw sum is that of the files, and cards explain a good part of its variance."""
    records = list(islice(read_records(data / "phh" / "pluribus-sessions.tar.xz"), 0, None, 10))
    evaluation = Evaluation("Pluribus", CheckDown(coolers=Coolers()))
    for record in records:
        evaluation.add(record)
    result = evaluation.result()
    stated = [1000 * r.returns[r.players.index("Pluribus")] / r.game.big_blind for r in records]
    assert result.hands == len(records) == 731
    assert result.raw.mean == pytest.approx(np.mean(stated), abs=1e-5)
    assert result.variance_ratio > 1.2
    assert abs(result.difference.mean) < 1.5 * result.difference.half_width
    assert not result.skipped

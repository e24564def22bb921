"""From a real match to a response: a model of a player, what beats it, and how safely. A small version, two buckets."""

import pytest

from kibitz.games import load_game
from kibitz.modelling.frequentist import Observation, build_model
from kibitz.responses.best_response import exploitability
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.methods import Solving
from kibitz.solvers.problem import Problem


def test_a_player_of_a_real_match_is_beaten_at_the_stated_risk(data, capsys):
    problem = Problem(load_game("holdem-limit-2p"), cards="2-bucket", boards=100)
    built = build_model([data / "acpc" / "logs" / "2p.limit.h1000.r0.log"], Observation(("p1",)), problem)
    with capsys.disabled():
        print("\np1, 1,000 hands in two buckets:", built.model.manifest["coverage"])
    assert built.model.manifest["hands"] == 1000
    found = respond(problem, built.model, Method("dbr", 0.9), Solving("dcfr", 64))
    greedy = respond(problem, built.model, Method("fbr"))
    assert 0 < found.exploitation <= greedy.exploitation
    assert found.objective < found.exploitation
    assert found.exploitability < greedy.exploitability
    measured = exploitability(problem.vector, found.strategy).exploitability
    assert measured == pytest.approx(found.exploitability, abs=1e-9)

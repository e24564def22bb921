"""Problems that cannot be are refused when they are put together, or before anything takes long."""

from dataclasses import replace

import pytest

from kibitz.deals.private import ALL_BOARDS
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options, check_suitable, make_solver

HOLDEM = load_game("holdem-limit-2p")


def test_buckets_are_for_holdem():
    for game in ("kuhn", "leduc", "rhode-island"):
        with pytest.raises(KibitzError, match=f"5-bucket in {game}: card abstractions are for hold'em"):
            Problem(load_game(game), cards="5-bucket")


def test_holdem_of_fewer_rounds_has_buckets_too():
    two = {"raise_sizes": (10, 10), "first_players": (1, 0), "max_raises": (1, 1)}
    flop = replace(HOLDEM, board_cards=(0, 3), **two)
    problem = Problem(flop, cards="5-bucket")
    assert [each.states for each in problem.size.rounds] == [(5, 5), (25, 25)]
    assert not problem.is_measurable  # buckets meet on whole boards
    check_suitable("external", problem, Options())
    for algorithm in ("dcfr", "pcs", "lp"):
        with pytest.raises(KibitzError, match=f"{algorithm} with 5-bucket in 2 rounds: it needs all four"):
            check_suitable(algorithm, problem, Options())


def test_boards_are_not_more_than_there_are():
    assert Problem(HOLDEM, cards="5-bucket", boards=ALL_BOARDS).board_bytes == 65 * ALL_BOARDS
    with pytest.raises(KibitzError, match="51,979,201 boards: there are no more than 51,979,200; 0 takes all"):
        Problem(HOLDEM, cards="5-bucket", boards=ALL_BOARDS + 1)
    assert Problem(HOLDEM, cards="IR-100").board_bytes == 0
    assert Problem(load_game("leduc")).board_bytes == 0


def test_imperfect_recall_is_for_sampled_solvers():
    problem = Problem(HOLDEM, cards="IR-100")
    for algorithm in ("cfr+", "cfr-br", "lp"):
        with pytest.raises(KibitzError, match=r"imperfect recall.* take one of chance, external, outcome, pure, pcs"):
            check_suitable(algorithm, problem, Options())
    with pytest.raises(KibitzError, match="dcfr with IR-100"):
        make_solver("dcfr", problem)
    for algorithm in ("external", "pcs"):
        check_suitable(algorithm, problem, Options())


def test_three_players_are_for_deals_one_at_a_time():
    problem = Problem(load_game("kuhn-3p"))
    for algorithm in ("cfr+", "pcs", "lp"):
        with pytest.raises(KibitzError, match="is for two players, not 3: take one of chance, external, outcome, pure"):
            check_suitable(algorithm, problem, Options())
    check_suitable("pure", problem, Options())

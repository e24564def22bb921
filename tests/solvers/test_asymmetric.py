"""Players with different card abstractions: matrices are rectangles, and all that reads them agrees."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.deals import MatrixDeal, RoundDeal, matrix_deal
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.responses.best_response import exploitability, measure
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem, problem_of
from kibitz.solvers.registry import make_solver
from kibitz.solvers.sequence_lp import solve_lp
from kibitz.strategy import Strategy
from kibitz.tree import build_tree

LIMIT = load_game("holdem-limit-2p")


def coarse_deal(deal: MatrixDeal, player: int) -> MatrixDeal:
    """The deal of Leduc for a player who sees an ace and the board, but takes king and queen in the hole as one."""
    rounds, above = [], np.zeros(1, dtype=np.int64)
    for each in deal.rounds:
        keys = [("A" if label[0] == "A" else "KQ", label[1:]) for label in each.labels[player]]
        found = {key: int(above[up]) for key, up in zip(keys, each.parent[player].tolist(), strict=True)}
        found = dict(sorted(found.items(), key=lambda item: item[1]))  # children of one bucket side by side
        place = {key: i for i, key in enumerate(found)}
        bucket = np.array([place[key] for key in keys])
        sums = []
        for entries in (each.weight, each.sign):
            whole = each.dense(entries)
            summed = np.zeros((len(found), whole.shape[1 - player]))
            np.add.at(summed, bucket, whole if player == 0 else whole.T)
            sums.append(np.ascontiguousarray(summed if player == 0 else summed.T).ravel())
        labels, parents = list(each.labels), list(each.parent)
        labels[player], parents[player] = tuple(map("".join, found)), np.array(list(found.values()))
        edges = tuple(np.array([0, len(side)]) for side in labels)
        rounds.append(RoundDeal(tuple(labels), tuple(parents), edges, np.array([0, sums[0].size]), *sums))
        above = bucket
    return MatrixDeal(deal.game, deal.suits_merged, tuple(rounds), cards=f"coarse {player}")


@pytest.fixture(params=[0, 1], ids=["first seat coarse", "second seat coarse"])
def coarse(request) -> VectorGame:
    game = load_game("leduc")
    return VectorGame(build_tree(game), coarse_deal(matrix_deal(game), request.param))


def test_vector_cfr_agrees_with_the_linear_program(coarse):
    counts = coarse.deal.counts
    assert (counts[:, 0] != counts[:, 1]).all(), "a rectangle in every round"
    exact = solve_lp(coarse)
    assert exploitability(coarse, exact.strategy).exploitability < 1e-9
    solver = CFR(coarse, "pcfr+")
    solver.step(60_000)
    reached = exploitability(coarse, solver.average_strategy())
    assert reached.exploitability < 2e-6
    assert reached.responses[0] >= exact.value - 1e-9
    assert -reached.responses[1] <= exact.value + 1e-9
    assert abs((reached.responses[0] - reached.responses[1]) / 2 - exact.value) < 1e-6


def test_seeing_less_is_worth_less(coarse):
    game = load_game("leduc")
    whole = solve_lp(VectorGame(build_tree(game), matrix_deal(game))).value
    seat = int(coarse.deal.cards[-1])
    lost = (whole - solve_lp(coarse).value) * (1 if seat == 0 else -1)
    assert lost > 0.01


def test_threads_change_no_bit_of_a_rectangle(coarse, monkeypatch):
    monkeypatch.setattr("kibitz.solvers.vector.passes.PAIRS_PER_THREAD", 1)
    solvers = [CFR(coarse, "dcfr", threads=threads) for threads in (1, 3)]
    for solver in solvers:
        solver.step(20)
    assert np.array_equal(solvers[0].regret, solvers[1].regret)


def test_every_seat_has_its_own_notation():
    problem = Problem(LIMIT, cards=("one-bucket", "2-bucket"), boards=20)
    assert problem.notations == ("one-bucket", "2-bucket")
    assert problem.cards_name == "one-bucket and 2-bucket"
    assert problem.size.rounds[-1].states == (1, 16)
    assert problem.is_measurable
    assert Problem(LIMIT, cards=("5-bucket", "5-bucket")).describe_cards()["cards"] == "5-bucket"
    assert problem.describe_cards()["cards"] == ["one-bucket", "2-bucket"]
    with pytest.raises(KibitzError, match="3 card abstractions for 2 players"):
        Problem(LIMIT, cards=("5-bucket",) * 3)


def test_an_asymmetric_strategy_knows_its_problem():
    problem = Problem(LIMIT, cards=("one-bucket", "2-bucket"), boards=20)
    solver = make_solver("dcfr", problem)
    solver.step(2)
    average = solver.average_strategy()
    strategy = Strategy(average.layout, average.values, {**average.manifest, **problem.describe_cards()})
    again = problem_of(strategy)
    assert again.notations == problem.notations
    assert measure(again, strategy) == measure(problem, strategy)
    assert again.label(3, 0, 0) == "0-0-0-0"
    assert again.label(1, 1, 2) == "1-0"


def test_the_commands(tmp_path):
    out = tmp_path / "run"
    options = (
        "--cards",
        "one-bucket",
        "--cards",
        "2-bucket",
        "--boards",
        "20",
        "--iterations",
        "3",
        "--algorithm",
        "dcfr",
    )
    solved = CliRunner().invoke(main, ["solve", "holdem-limit-2p", *options, "--out", str(out), "--json"])
    assert solved.exit_code == 0, solved.output
    measured = CliRunner().invoke(main, ["measure", "exploitability", str(out), "--json"])
    assert measured.exit_code == 0, measured.output
    found = json.loads(measured.stdout)
    assert found["made"]["cards"] == ["one-bucket", "2-bucket"]
    assert found["exploitability"] == pytest.approx(json.loads(solved.stdout)["exploitability"], abs=1e-12)
    played = CliRunner().invoke(
        main, ["match", str(out), "always-call", "--game", "holdem-limit-2p", "--hands", "20", "--json"]
    )
    assert played.exit_code == 0, played.output

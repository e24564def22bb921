"""CFR-BR of hold'em as a solver: it converges in the real game, can be stopped and goes on, and refuses other games."""

import numpy as np
import pytest

from kibitz.deals.joint import Boards, bucket_matrices
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.policy.hands import HandPolicy
from kibitz.responses.cfr_br import ALL_FLOPS, RealCFRBR, trunk_bytes
from kibitz.responses.cfr_br.trunk import TrunkRegrets, TurnBoard, rows_of, starts_of
from kibitz.responses.real import Flops, real_exploitability
from kibitz.responses.real.boards import BoardHands
from kibitz.responses.real.response import Responder
from kibitz.solvers.cfr import CFRBR
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import ALGORITHMS, Options, check_suitable, make_solver
from kibitz.training.memory import peak_bytes
from responses.cfr_br.test_turn_boards import PERFECT, game

HOLDEM = Problem(load_game("holdem-nolimit-2p"), "all-in", cards="2-bucket")


def exploitability(strategy, flops):
    """In the game that has just these flops."""
    return real_exploitability(HandPolicy(strategy, (PERFECT, PERFECT)), flops).exploitability


def test_real_exploitability_falls_to_that_of_cfr_br_in_the_matrix_game():
    """Whose best responses have buckets. These buckets mean so little that real cards do not make it much worse."""
    flops, compiled = Flops.sampled(2, 1), game("no-limit")
    made = RealCFRBR(compiled, seed=1, flops=2)
    plain = CFRBR(VectorGame(compiled.tree, bucket_matrices(compiled.tree.game, PERFECT, Boards.sampled(300, 1))))
    reached = [exploitability(made.average_strategy(), flops)]
    made.step(16)
    plain.step(100)
    reached += [exploitability(each.average_strategy(), flops) for each in (made, plain)]
    assert reached[1] < reached[0] / 2
    assert reached[1] < 1.1 * reached[2]


def test_runs_can_be_had_again_and_go_on():
    whole, parts, resumed, other = (
        RealCFRBR(game("no-limit"), seed, 3, threads) for seed, threads in ((7, 1), (7, 2), (7, 1), (8, 1))
    )
    whole.step(5)
    other.step(5)
    parts.step(0)
    assert not any(array.any() for array in parts.arrays().values())
    parts.step(3)
    resumed.restore(3, {name: array.copy() for name, array in parts.arrays().items()})
    for each in (parts, resumed):
        each.step(2)
        for name, array in whole.arrays().items():
            np.testing.assert_array_equal(each.arrays()[name], array)
    assert not np.array_equal(other.regret, whole.regret)
    assert whole.average_strategy().manifest == {"algorithm": "cfr-br-real", "seed": 7, "flops": 3, "iterations": 5}


def test_a_responder_can_be_given_another_strategy():
    made, dealt = RealCFRBR(game("no-limit"), flops=2), TurnBoard(0, BoardHands((3, 18, 40)), 29)
    first = HandPolicy(made.current_strategy(), (PERFECT, PERFECT))
    made.regret[:] = np.random.default_rng(1).normal(size=len(made.regret))
    second = HandPolicy(made.current_strategy(), (PERFECT, PERFECT))
    fresh = Responder(second, 0).below_turn(dealt.hands, dealt.next_card).copy()
    updated = Responder(first, 0).updated(second).below_turn(dealt.hands, dealt.next_card)
    np.testing.assert_array_equal(updated, fresh)
    assert fresh.any()


def test_rows_of_the_trunk():
    tree = game("limit").tree
    for seat in range(2):
        starts, rows = starts_of(tree, seat), rows_of(tree, seat)
        mine = tree.decisions[(tree.player[tree.decisions] == seat) & (tree.round[tree.decisions] < 3)]
        taken = np.concatenate([np.arange(starts[node], starts[node] + tree.children[node]) for node in mine])
        assert sorted(taken) == list(range(rows[-1]))
        assert (starts[tree.decisions[tree.round[tree.decisions] == 3]] == -1).all()
    sizes = [TrunkRegrets.zeros(tree, seat, 3).on.nbytes for seat in range(2)]
    assert trunk_bytes(tree, 3) == sum(sizes)
    assert trunk_bytes(tree, 0) == ALL_FLOPS * trunk_bytes(tree, 1)


def test_the_turn_card_stands_for_itself_alone():
    hands = BoardHands((0, 4, 9))  # two clubs and a diamond: hearts and spades are alike
    assert len(TurnBoard(0, hands, 50).next_card.kept) == 1
    assert len(TurnBoard(0, hands, 48).next_card.kept) == 2
    assert TurnBoard(0, hands, 48).board == (0, 4, 9, 48)


def test_it_is_an_algorithm_beside_the_others():
    assert "cfr-br-real" in ALGORITHMS
    made = make_solver("cfr-br-real", HOLDEM, Options(seed=5, flops=4))
    assert isinstance(made, RealCFRBR)
    assert made.parameters() == {"algorithm": "cfr-br-real", "seed": 5, "flops": 4}
    more = peak_bytes(HOLDEM, "cfr-br-real", Options()) - peak_bytes(HOLDEM, "cfr-br-real", Options(flops=755))
    assert more == 1000 * trunk_bytes(HOLDEM.tree, 1)


@pytest.mark.parametrize(
    ("algorithm", "problem", "options", "words"),
    [
        ("cfr-br-real", Problem(load_game("leduc")), Options(), "two players of hold'em with a card abstraction"),
        ("cfr-br-real", HOLDEM, Options(storage="half"), "double storage on the cpu only"),
        ("pcs", HOLDEM, Options(flops=4), "only cfr-br-real samples flops"),
        ("dcfr", Problem(load_game("leduc"), cards=""), Options(storage="half"), "half storage with dcfr"),
    ],
)
def test_what_is_refused(algorithm, problem, options, words):
    with pytest.raises(KibitzError, match=words):
        check_suitable(algorithm, problem, options)


def test_one_flop_is_refused():
    with pytest.raises(KibitzError, match="1 flops: at least two"):
        RealCFRBR(game("no-limit"), flops=1)
    with pytest.raises(KibitzError, match="no algorithm 'cfr-bs'"):
        make_solver("cfr-bs", HOLDEM)

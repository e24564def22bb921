"""Exact answers without the compiler: the kernels' steps in NumPy, bit for bit, and when they are taken."""

import subprocess
import sys

import numpy as np
import pytest

from equity.test_equity import SPOTS
from kibitz.equity import _kernels, arrays, compute_equity, exact
from kibitz.equity.exact import BoardList, Work
from kibitz.evaluator import evaluate_boards
from kibitz.evaluator.arrays import boards_standard

KERNELS = "kibitz.equity._kernels"


@pytest.fixture
def fresh(monkeypatch) -> exact._Steps:
    """As in a process that has loaded no kernels and counted nothing yet."""
    steps = exact._Steps()
    monkeypatch.setattr(exact, "_steps", steps)
    monkeypatch.delitem(sys.modules, KERNELS)
    return steps


@pytest.mark.parametrize(("texts", "board"), SPOTS)
def test_the_answer_is_that_of_the_kernels(texts, board, fresh, monkeypatch):
    without = compute_equity(texts, board, "exact")
    assert fresh.in_arrays > 0
    monkeypatch.setitem(sys.modules, KERNELS, _kernels)
    fresh.in_arrays = 0.0
    assert compute_equity(texts, board, "exact") == without
    assert fresh.in_arrays == 0


@pytest.mark.parametrize("have", [0, 1, 2, 3, 4, 5])
def test_boards_come_in_the_same_order(have):
    boards = BoardList([card for card in range(11) if card >= have], range(have))
    size, found = max(1, len(boards) // 3), []
    for deal in (_kernels.next_boards, arrays.next_boards):
        state, dealt = boards.state(0), np.zeros(len(boards), dtype=np.uint64)
        for start in range(0, len(boards), size):
            deal(boards.deck, boards.tails, boards.tail_starts, state, dealt[start : start + size])
        found.append((dealt.tolist(), state.tolist()))
    assert found[0] == found[1]
    assert len(set(found[1][0])) == len(boards)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_wins_are_counted_alike(players):
    rng = np.random.default_rng(players)
    values = rng.integers(-1, 4, (9, 300)).astype(np.int32)  # many ties, and boards that do not count
    rows = rng.integers(0, 9, (40, players)).astype(np.int32)
    weights = rng.random(40)
    found = []
    for steps in (_kernels, arrays):
        shares = np.ones((players, players + 1))
        (steps.count_pairs if players == 2 else steps.count_players)(values, 250, rows, weights, shares)
        found.append(shares)
    np.testing.assert_array_equal(found[0][:, 1:], found[1][:, 1:])
    assert (found[1][:, 1:] > 1).all()


def draw_masks(rng: np.random.Generator, ranks: int, count: int, width: int) -> np.ndarray:
    """Sets of `width` cards of the lowest ranks: uint64[count]."""
    bits = np.uint64(1) << np.array([16 * suit + rank for rank in range(ranks) for suit in range(4)], dtype=np.uint64)
    decks = rng.permuted(np.tile(bits, (count, 1)), axis=1)
    return np.bitwise_or.reduce(decks[:, :width], axis=1)


@pytest.mark.parametrize("on_board", [0, 3, 4, 5])
@pytest.mark.parametrize("ranks", [13, 5])
def test_values_are_those_of_the_kernels(on_board, ranks):
    """Few ranks are full of full houses, four of a kind and straight flushes."""
    rng = np.random.default_rng(on_board)
    boards, holes = (draw_masks(rng, ranks, count, width) for count, width in ((400, on_board), (30, 2)))
    values = np.full((30, 500), -7, dtype=np.int32)
    boards_standard(boards, holes, values)
    np.testing.assert_array_equal(values[:, :400], evaluate_boards(boards, holes))
    assert (values[:, 400:] == -7).all()
    assert not on_board or (values == -1).any()


def test_a_process_that_asks_for_more_loads_the_kernels(fresh):
    small, large = Work(990, 2, 1, 2), Work(2_000_000, 30, 200, 2)
    assert fresh.choose(large)[0] is _kernels.next_boards
    chosen = [fresh.choose(small)[0] for _ in range(10_000)]
    switch = chosen.index(_kernels.next_boards)
    assert set(chosen[:switch]) == {arrays.next_boards}
    assert set(chosen[switch:]) == {_kernels.next_boards}
    assert fresh.in_arrays <= exact._LOADING < fresh.in_arrays + small.seconds_in_arrays


def test_two_hands_need_no_compiler():
    program = "from kibitz.equity import compute_equity as c; print(c(['AsAh', 'KdKc'], threads=2)); import sys"
    program += "; assert 'numba' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "81.2555% 18.7445% (exact, 1,712,304 boards)\n"

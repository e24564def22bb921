"""Joint bucket distributions: against plain counting of all pairs of hands."""

from typing import ClassVar

import numpy as np
import pytest

from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.features.boards import pair_cards
from kibitz.abstraction.notation import parse_notation
from kibitz.deals.joint import Boards, bucket_matrices
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate_batch
from kibitz.games import load_game

GAME = load_game("holdem-nolimit-2p")
HOLES = pair_cards()


class SumOfRanks:
    """A bucket that anybody can compute: the ranks of all cards seen, modulo the number of buckets."""

    kind: ClassVar[str] = "classes"

    def __init__(self, size, parts):
        self.size, self.parts = size, parts

    def find(self, holes, boards, codes, states):
        states[:] = states * self.parts + self.bucket(holes, boards)

    def find_all(self, boards, codes, states):
        for board, row in zip(boards, states, strict=True):
            self.find(HOLES, np.broadcast_to(board, (len(HOLES), len(board))), None, row)

    def bucket(self, holes, boards):
        ranks = np.concatenate((holes, boards[:, : self.size]), axis=1) >> 2
        return (ranks.sum(axis=1, dtype=np.int64) + self.size) % self.parts


def make(parts):
    rounds = tuple(SumOfRanks(size, parts) for size in (0, 3, 4, 5))
    counts = np.array([parts ** (r + 1) for r in range(4)])
    return CardAbstraction(parse_notation(f"{parts}-bucket"), rounds, counts, (None,) * 4, f"sum-{parts}")


def plain(abstractions, boards):
    """Weights and signs of the last round, one board and one matrix of pairs at a time."""
    shape = tuple(int(each.counts[-1]) for each in abstractions)
    weight, sign = np.zeros(shape), np.zeros(shape)
    for board, times in zip(boards.cards, boards.weights, strict=True):
        holes = HOLES[~np.isin(HOLES, board).any(axis=1)]
        on = np.broadcast_to(board, (len(holes), 5))
        strength = evaluate_batch(np.concatenate((holes, on), axis=1)).astype(np.int64)
        states = []
        for each in abstractions:
            state = np.zeros(len(holes), dtype=np.int64)
            for found in each.rounds:
                state = state * found.parts + found.bucket(holes, on)
            states.append(state)
        shares = (holes[:, None, :, None] == holes[None, :, None, :]).any(axis=(2, 3))
        pairs = np.where(shares, 0.0, times)
        places = (states[0][:, None], states[1][None, :])
        np.add.at(weight, places, pairs)
        np.add.at(sign, places, pairs * np.sign(strength[:, None] - strength[None, :]))
    return weight / weight.sum(), sign / weight.sum()


@pytest.mark.parametrize("parts", [(3, 3), (2, 3)])
def test_every_entry_is_that_of_counting_all_pairs(parts):
    first = make(parts[0])
    abstractions = (first, first if parts[0] == parts[1] else make(parts[1]))
    boards = Boards(Boards.sampled(4, seed=5).cards, np.array([1.0, 2.0, 1.0, 3.0]))
    deal = bucket_matrices(GAME, abstractions, boards)
    weight, sign = plain(abstractions, boards)
    np.testing.assert_allclose(deal.rounds[3].dense(deal.rounds[3].weight), weight, atol=1e-15)
    np.testing.assert_allclose(deal.rounds[3].dense(deal.rounds[3].sign), sign, atol=1e-15)
    for r in range(3):  # earlier rounds are sums of later ones
        wide = [int(each.counts[r]) for each in abstractions]
        summed = weight.reshape(wide[0], -1, wide[1], weight.shape[1] // wide[1]).sum(axis=(1, 3))
        np.testing.assert_allclose(deal.rounds[r].dense(deal.rounds[r].weight), summed, atol=1e-15)
    assert deal.rounds[1].labels[0][:4] == ("0-0", "0-1", "0-2", "1-0") if parts[0] == 3 else True


def test_threads_change_nothing():
    boards = Boards.sampled(200, seed=1)
    one, two = (bucket_matrices(GAME, make(2), boards, threads) for threads in (1, 2))
    for mine, other in zip(one.rounds, two.rounds, strict=True):
        np.testing.assert_array_equal(mine.weight, other.weight)
        np.testing.assert_array_equal(mine.sign, other.sign)


def test_all_boards_are_all_boards():
    boards = Boards.all()
    assert boards.weights.sum() == 52 * 51 * 50 / 6 * 49 * 48
    assert len(np.unique(boards.cards[:1000], axis=0)) == 1000


def test_what_cannot_be_met():
    boards = Boards.sampled(1, 0)
    with pytest.raises(KibitzError, match="two players and five board cards"):
        bucket_matrices(load_game("holdem-nolimit-3p"), make(2), boards)
    with pytest.raises(KibitzError, match="need perfect recall"):
        bucket_matrices(GAME, _forgetful(), boards)
    with pytest.raises(KibitzError, match="38,416 last states"):
        bucket_matrices(GAME, make(14), boards)
    with pytest.raises(KibitzError, match="at least one"):
        Boards.sampled(0, 0)


def _forgetful():
    rounds = tuple(SumOfRanks(size, 2) for size in (0, 3, 4, 5))
    return CardAbstraction(parse_notation("IR-100"), rounds, np.array([169, 100, 100, 100]), (None,) * 4, "ir")

"""The table of starting hands against sampled deals and what must hold of any such table."""

import numpy as np
import pytest

from kibitz.cards import parse_cards
from kibitz.equity.matchups import preflop_equity
from kibitz.evaluator import evaluate_masks

SAMPLES = 60_000
# Row and column are ranks 2..A; suited hands are [higher, lower], off-suit [lower, higher].
EQUITY = [[preflop_equity((4 * row + (row <= column), 4 * column)) for column in range(13)] for row in range(13)]


def sampled_equity(hole, rng):
    """Mean and standard error of wins plus half the ties against random hands on random boards."""
    rest = np.array([card for card in range(52) if card not in hole])
    dealt = rest[rng.random((SAMPLES, 50)).argpartition(6, axis=1)[:, :7]]
    bits = np.uint64(1) << (16 * (dealt & 3) + (dealt >> 2)).astype(np.uint64)
    own = np.bitwise_or.reduce([np.uint64(1 << (16 * (card & 3) + (card >> 2))) for card in hole])
    board = np.bitwise_or.reduce(bits[:, 2:], axis=1)
    mine, theirs = evaluate_masks(board | own), evaluate_masks(board | bits[:, 0] | bits[:, 1])
    shares = (mine > theirs) + 0.5 * (mine == theirs)
    return shares.mean(), shares.std() / np.sqrt(SAMPLES)


@pytest.mark.parametrize("text", ["AsAh", "2c2d", "AhKh", "7d2c", "Ts9s", "3h2c", "KcQd"])
def test_table_agrees_with_sampled_deals(text):
    hole = parse_cards(text)
    mean, error = sampled_equity(hole, np.random.default_rng(hole))
    assert abs(preflop_equity(hole) - mean) < 4 * error + 0.00005  # the table is rounded


def test_an_average_hand_wins_half():
    # Two random hands are alike, so the mean over all 1,326 hands is exactly one half.
    weights = np.array([[12 if high > low else 4 if high < low else 6 for high in range(13)] for low in range(13)])
    assert weights.sum() == 1326
    assert (weights * np.array(EQUITY)).sum() / 1326 == pytest.approx(0.5, abs=2e-5)


def test_order_and_suits_of_the_cards():
    for text, same in [("AhKh", "KsAs"), ("AhKd", "KcAs"), ("7c7d", "7s7h")]:
        assert preflop_equity(parse_cards(text)) == preflop_equity(parse_cards(same))
    assert preflop_equity(parse_cards("AhKh")) == 0.6704
    assert preflop_equity(parse_cards("AhKd")) == 0.6532


def test_better_cards_win_more():
    table = np.array(EQUITY)
    pairs = table.diagonal()
    assert (np.diff(pairs) > 0).all()
    suited, offsuit = np.tril(table, -1), np.triu(table, 1).T
    below = np.tril_indices(13, -1)
    gain = (suited - offsuit)[below]
    assert (gain > 0.01).all()
    assert (gain < 0.04).all()
    assert (table[12, :11] > table[11, :11]).all()  # an ace beats a king beside any card
    assert table.argmax() == 12 * 13 + 12
    assert table.min() == preflop_equity(parse_cards("3h2c"))

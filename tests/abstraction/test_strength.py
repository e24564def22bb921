"""Hand strength against going through every completion."""

import numpy as np
import pytest

from abstraction.features_of_hands import hand_feature
from abstraction.plain_features import histogram, place, river_values
from kibitz.abstraction.features import _kernels
from kibitz.abstraction.features.boards import get_boards, get_extensions, pair_cards
from kibitz.abstraction.features.strength import feature_scale, feature_table, pair_classes
from kibitz.cards import parse_cards
from kibitz.equity.strength import hand_strength
from kibitz.errors import CardError, KibitzError
from kibitz.isomorphism import IsomorphismIndex

HANDS = ("AsAh", "KdQd", "5c4c", "2h2c", "9s8h")
TURN = "Ks8s3d7c"
FLOP = "Ks8s3d"


def test_every_pair_on_some_rivers(rivers, turns):
    """Strength of all 1,081 hands, and nothing for those that share a card with the board."""
    codes = get_extensions(4)[turns]
    rows = np.unique(codes[codes >= 0] >> 5)
    for row in rows[:: len(rows) // 3]:
        board = tuple(get_boards(5).cards[row].tolist())
        for pair, hole in enumerate(pair_cards().tolist()):
            if set(hole) & set(board):
                assert rivers[row, pair] == 0
            elif pair % 7 == 0:
                assert rivers[row, pair] == round(1980 * hand_strength(tuple(hole), board))
        assert rivers[row].sum(dtype=int) == 1081 * 990  # every pair of hands shares one win


@pytest.mark.parametrize("hand", HANDS)
def test_turn(rivers, turns, hand):
    hole, board = parse_cards(hand), parse_cards(TURN)
    sums = np.zeros((2, len(turns), 1326), dtype=np.uint32)
    _kernels.sum_rivers(get_extensions(4)[turns], rivers, *sums)
    row, pair = place(get_boards(4), hole, board)
    values = river_values(hole, board)
    assert len(values) == 46
    assert sums[:, turns.tolist().index(row), pair].tolist() == [values.sum(), (values**2).sum()]


def test_flop(rivers, turns, flops):
    """Sums and distribution of strength over the 1,081 ways to go on."""
    hole, board = parse_cards("AcTd"), parse_cards(FLOP)
    sums = np.zeros((2, len(get_boards(4)), 1326), dtype=np.uint32)
    parts = np.zeros((2, len(turns), 1326), dtype=np.uint32)
    _kernels.sum_rivers(get_extensions(4)[turns], rivers, *parts)
    sums[:, turns] = parts
    row, pair = place(get_boards(3), hole, board)
    assert row == flops[0]
    out = np.zeros((2, 1, 1326), dtype=np.uint32)
    for table, turn in zip(out, sums, strict=True):
        _kernels.sum_turns(get_extensions(3)[[row]], turn, table)
    values = river_values(hole, board)
    assert len(values) == 1081
    assert out[:, 0, pair].tolist() == [values.sum(), (values**2).sum()]
    functions = np.zeros((1, 1326, 64), dtype=np.uint8)
    extensions = get_extensions(3), get_extensions(4)
    _kernels.cumulate_flops(np.array([row]), get_boards(3).cards, *extensions, rivers, 255, functions)
    wanted = np.floor(histogram(values).cumsum()[:49] * 255 / 1081 + 0.5)
    assert functions[0, pair, :49].tolist() == wanted.tolist()
    assert not functions[0, pair, 49:].any()


def test_a_flop_with_three_suits_alike(rivers, flops):
    """Hands that a symmetry of the board exchanges have one distribution."""
    functions = np.zeros((1, 1326, 64), dtype=np.uint8)
    extensions = get_extensions(3), get_extensions(4)
    _kernels.cumulate_flops(np.array(flops[1:]), get_boards(3).cards, *extensions, rivers, 255, functions)
    boards, found = get_boards(3), []
    for suits in ("hd", "dh", "ch", "cd"):
        row, pair = place(boards, parse_cards(f"A{suits[0]}K{suits[1]}"), parse_cards("7h7d7c"))
        assert row == flops[1]
        found.append(functions[0, pair].tolist())
    assert found[1:] == found[:1] * 3
    assert any(found[0])


@pytest.mark.parametrize("hand", HANDS)
def test_turn_histograms(rivers, hand):
    hole, board = parse_cards(hand), parse_cards(TURN)
    row, pair = place(get_boards(4), hole, board)
    functions = np.zeros((1, 1326, 64), dtype=np.uint8)
    _kernels.cumulate_turns(np.array([row]), get_boards(4).cards, get_extensions(4), rivers, 46, functions)
    assert functions[0, pair, :49].tolist() == histogram(river_values(hole, board)).cumsum()[:49].tolist()


def test_classes_are_counted_by_board(rivers, turns):
    codes = get_extensions(4)[turns]
    rows = np.unique(codes[codes >= 0] >> 5)[:40]
    boards, classes = get_boards(5), pair_classes()
    counts = np.zeros((169, 1981), dtype=np.int64)
    _kernels.count_classes(boards.cards[rows], boards.weights[rows], rivers[rows], classes, counts)
    wanted = np.zeros_like(counts)
    for row in rows:
        free = ~np.isin(pair_cards(), boards.cards[row]).any(axis=1)
        np.add.at(wanted, (classes[free], rivers[row, free]), boards.weights[row])
    assert (counts == wanted).all()


def test_classes_of_starting_hands():
    index = IsomorphismIndex("2")
    assert np.bincount(pair_classes()).tolist() == [index.orbit_size(number) for number in range(169)]


def test_scales():
    assert [feature_scale("EHS", size) for size in (0, 3, 4, 5)] == [2_118_760 * 1980, 1081 * 1980, 46 * 1980, 1980]
    assert feature_scale("EHS2", 3) == 1081 * 1980**2 < 1 << 32  # sums of squares fit 32 bits
    with pytest.raises(KibitzError, match="no feature of hands is called 'EHS3'"):
        feature_table("EHS3", 3)


@pytest.mark.parametrize(
    ("hole", "board"),
    [((5, 6), (5, 7, 8)), ((5, 5), ()), ((-1, 6), ()), ((60, 1), ()), ((1, 2, 3), ()), ((1, 2), (3,))],
)
def test_what_is_no_hand(hole, board):
    with pytest.raises(CardError, match="two hole cards, 0, 3, 4 or 5 on the board"):
        hand_feature("EHS", hole, board)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_cards_of_numpy_are_cards(dtype):
    boards, (hole, board) = get_boards(3), (parse_cards("AsKd"), parse_cards("2c7h9d"))
    found = boards.place_hand(np.array(hole, dtype=dtype), np.array(board, dtype=dtype))
    assert found == place(boards, hole, board)

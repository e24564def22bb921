"""Board deals against enumeration."""

import pytest

from kibitz.cards import parse_cards
from kibitz.deals.board import LANES, BoardDeal
from kibitz.equity import Range
from kibitz.errors import CardError
from kibitz.evaluator import evaluate


def deal(board: str, one: str = "random", two: str = "random", suits_merged: bool = True) -> BoardDeal:
    return BoardDeal(parse_cards(board), (Range.parse(one), Range.parse(two)), suits_merged)


def changed(card: int, suits) -> int:
    return card // 4 * 4 + suits[card % 4]


@pytest.mark.parametrize(
    ("board", "counts"),
    [
        ("Qs Jh 2h 8d 3c", [1]),
        ("Qs Jh 2h 8d", [1, 48]),
        ("Qs Jh 2h", [1, 36, 23 * 35 + 13 * 48]),  # clubs and diamonds are alike until one of them comes
        ("Ah Kh 2h", [1, 10 + 13, 10 * (9 + 13) + 13 * (12 + 10 + 13)]),
        ("Qs Qh 2c", [1, 12 + 12 + 13, None]),  # clubs, spades for hearts, diamonds
    ],
)
def test_boards_that_suits_alone_tell_apart_are_dealt_once(board, counts):
    found = [len(boards) for boards in deal(board).boards]
    for number, expected in zip(found, counts, strict=True):
        assert expected is None or number == expected
    kept = {3: [1, 49, 49 * 48], 4: [1, 48], 5: [1]}[len(parse_cards(board))]
    assert [len(boards) for boards in deal(board, suits_merged=False).boards] == kept


def test_ranges_that_tell_suits_apart_keep_them_apart():
    assert len(deal("Qs Jh 2h", "AA,AcKc").boards[1]) == 49
    assert len(deal("Qs Jh 2h", "AA", "KK:0.5,KcKh").boards[1]) == 49
    assert len(deal("Qs Jh 2h", "AA", "KK:0.5,AcKc,AdKd").boards[1]) == 36


@pytest.mark.parametrize("board", ["Qs Jh 2h", "Ah Kh 2h", "7s 7h 2c", "Ts 9h 8d"])
def test_every_card_comes_once_among_the_copies(board):
    dealt = deal(board)
    for round_ in range(1, dealt.rounds):
        for number, above in enumerate(dealt.boards[round_ - 1]):
            cards = [
                changed(below.cards[-1], suits)
                for below in dealt.boards[round_][slice(*above.children)]
                for suits in below.copies
            ]
            assert sorted(cards) == [card for card in range(52) if card not in above.cards]
            assert all(below.above == number for below in dealt.boards[round_][slice(*above.children)])


def test_states_are_the_hands_of_the_range_that_the_board_leaves_in_order_of_strength():
    dealt = deal("Qs Jh 2h 8d", "AA,QJs,T9s,AhKh:0.5,7h6h", "QQ,AQs,9h8h,AhKh")
    ranges = dealt.ranges
    last = dealt.states[-1]
    for b, board in enumerate(dealt.boards[-1]):
        strengths = []
        for p in range(2):
            assert last.width[p] % LANES == 0
            count = int(last.count[b, p])
            assert count < last.width[p]
            hands = [tuple(hand) for hand in last.hands[p][b, :count].tolist()]
            expected = {tuple(sorted(hand)) for hand in ranges[p].hands if not set(hand) & set(board.cards)}
            assert set(hands) == expected
            assert len(hands) == len(expected)
            values = [evaluate((*hand, *board.cards)) for hand in hands]
            assert values == sorted(values)
            strengths.append(values)
            above = dealt.states[0].hands[p][0].tolist()
            assert [above[i] for i in last.parent[p][b, :count]] == [list(hand) for hand in hands]
            assert (last.parent[p][b, count:] == dealt.states[0].width[p] - 1).all()
            others = last.hands[1 - p][b].tolist()
            for hand, twin in zip(hands, last.same[p][b].tolist(), strict=False):
                assert (others[twin] == list(hand)) if list(hand) in others else twin == last.width[1 - p] - 1
        for end, other_end in last.groups[b].tolist():
            mine, theirs = strengths[0][:end], strengths[1][:other_end]
            top = max(mine[-1:] + theirs[-1:])
            assert all(value > top for value in strengths[0][end:] + strengths[1][other_end:])
        assert tuple(last.groups[b][-1]) == (len(strengths[0]), len(strengths[1]))


def test_the_weight_of_all_pairs():
    dealt = deal("Qs Jh 2h", "AA:0.5,AKs,QJs:0.25", "AK,QQ,JJ:0.1,AhKh:0.9")
    total = 0.0
    for one, weight in zip(dealt.ranges[0].hands, dealt.ranges[0].weights, strict=True):
        for two, other in zip(dealt.ranges[1].hands, dealt.ranges[1].weights, strict=True):
            total += weight * other * (len({*one, *two, *dealt.board}) == 7)
    assert dealt.mass == pytest.approx(total, rel=1e-12)
    assert dealt.chances == pytest.approx((1, 1 / 45, 1 / 45 / 44))


def test_copies_say_where_the_hands_of_other_boards_stand():
    dealt = deal("Qs Jh 2h", "AKs,TT", "KQ")
    above = dealt.states[0]
    seen = 0
    for b, board in enumerate(dealt.boards[1]):
        for p in range(2):
            hands = dealt.states[1].hands[p][b, : dealt.states[1].count[b, p]]
            for suits, mapped in zip(board.copies, dealt.copy_maps(1, b, p), strict=True):
                for hand, state in zip(hands.tolist(), mapped.tolist(), strict=False):
                    expected = sorted(changed(card, suits) for card in hand)
                    assert above.hands[p][0, state].tolist() == expected
                    seen += suits != (0, 1, 2, 3)
    assert seen > 100


def test_labels_and_fingerprints():
    dealt = deal("Qs Jh 2h 8d 3c", "AKs", "QQ")
    assert dealt.labels(0, 0, 1) == tuple(f"Q{a}Q{b}" for a, b in (("d", "c"), ("h", "c"), ("h", "d")))
    assert dealt.fingerprint == deal("Qs Jh 2h 8d 3c", "AKs", "QQ").fingerprint
    assert dealt.fingerprint != deal("Qs Jh 2h 8d 3c", "AKs:0.5", "QQ").fingerprint
    assert dealt.counts.tolist() == [[4, 3]]


def test_find():
    dealt = deal("Qs Jh 2h")
    board = dealt.boards[2][dealt.find(parse_cards("5h3c"))]
    assert board.cards == parse_cards("QsJh2h5h3c")
    with pytest.raises(CardError, match="5d after QsJh2h: look at 5c, only suits differ"):
        dealt.find(parse_cards("5d"))
    with pytest.raises(CardError, match="Jh after QsJh2h: it is on the table already"):
        dealt.find(parse_cards("Jh"))
    with pytest.raises(CardError, match="five cards at most"):
        deal("Qs Jh 2h 8d 3c").find(parse_cards("5d"))


@pytest.mark.parametrize(
    ("board", "one", "two", "message"),
    [
        ("Qs Jh", "AA", "KK", "three, four or five"),
        ("Qs Jh 2h 8d 3c 4c", "AA", "KK", "three, four or five"),
        ("Qs Jh 2h", "QsJh,Qs2h", "KK", "player 0's range QsJh,Qs2h: none"),
        ("As Ah Ad", "KK", "AA", "player 1's range AA: none"),
        ("Qs Jh 2h", "AsAh", "AsKs", "cannot be dealt together"),
        ("5h Jd Tc Kd 4c", "3c3d:0.1,3c3h", "3c3d:0.1,3c3h", "cannot be dealt together"),  # in floating point too
    ],
)
def test_what_cannot_be_dealt_is_refused(board, one, two, message):
    with pytest.raises(CardError, match=message):
        deal(board, one, two)


def test_all_suit_changes_are_looked_at():
    """A flop of three suits with equal ranks: the three suits are alike, the fourth is alone."""
    dealt = deal("7s 7h 7d")
    assert len(dealt.boards[0][0].suits) == 6
    assert len(dealt.boards[1]) == 12 + 13  # twelve ranks in the three suits, thirteen clubs
    assert sum(len(board.copies) for board in dealt.boards[1]) == 49

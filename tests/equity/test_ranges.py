"""The language of ranges: what each form stands for, and that printing and parsing are inverses."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kibitz.cards import RANKS, parse_cards
from kibitz.equity.matchups import classes_by_equity, preflop_equity
from kibitz.equity.ranges import ALL_HANDS, Range
from kibitz.errors import CardError

ranges = st.dictionaries(st.sampled_from(ALL_HANDS), st.floats(0.001, 1), min_size=1, max_size=60).map(
    lambda weights: Range(tuple(sorted(weights)), tuple(weights[hand] for hand in sorted(weights)))
)


def hands(text: str) -> set[tuple[int, int]]:
    return set(Range.parse(text).hands)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("AA", 6),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("AhKs", 1),
        ("TT+", 5 * 6),
        ("22+", 13 * 6),
        ("A5s+", 9 * 4),
        ("KTo+", 3 * 12),
        ("A2+", 12 * 16),
        ("54s+", 10 * 4),
        ("76o+", 8 * 12),
        ("KQ+", 2 * 16),
        ("AKs+", 4),
        ("22-55", 4 * 6),
        ("T9s-54s", 6 * 4),
        ("64o-J9o", 6 * 12),
        ("A2s-A5s", 4 * 4),
        ("QJo-Q9o", 3 * 12),
        ("random", 1326),
        ("AA, KK ,AKs", 16),
        ("AA,AhAs", 6),
        ("0.1%", 6),
        ("5%", 72),
        ("15%", 200),
        ("15 %, 5%:0", 128),
        ("100%", 1326),
    ],
)
def test_how_many_hands_a_piece_stands_for(text, count):
    parsed = Range.parse(text)
    assert len(parsed.hands) == len(set(parsed.hands)) == count
    assert set(parsed.weights) == {1.0}
    assert all(high > low for high, low in parsed.hands)


def test_pieces_that_mean_the_same():
    assert hands("TT+") == hands("AA-TT") == hands("TT,JJ,QQ,KK,AA")
    assert hands("A5s+") == hands("A5s-AKs") == hands("AKs-A5s")
    assert hands("AK") == hands("AKs,AKo") == hands("KA")
    assert hands("AhKs") == hands("KsAh") == {parse_cards("AhKs")}
    assert hands("random") == hands("22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32+")


def test_ends_of_spans_and_connectors_move_together():
    assert hands("76s+") == hands("76s,87s,98s,T9s,JTs,QJs,KQs,AKs") == hands("AKs-76s")
    assert hands("T9s-54s") == hands("54s-T9s") == hands("T9s,98s,87s,76s,65s,54s")
    assert hands("J9-97") == hands("J9,T8,97")
    assert hands("86s+") == hands("86s,87s")  # only connectors climb together


@pytest.mark.parametrize("text", ["aks", "AKS", "kAs", "ajO+", "ASkd", "t9S-54s", "Random", "22+,aKo:0.5"])
def test_capitals_and_small_letters_mean_the_same(text):
    usual = "".join(each.upper() if each.upper() in "AKQJT" else each.lower() for each in text)
    assert Range.parse(text) == Range.parse(usual)


def test_shares_take_the_best_classes_first():
    equities = {hand: equity for equity, members in classes_by_equity() for hand in members}
    assert len(classes_by_equity()) == 169
    assert set(equities) == set(ALL_HANDS)
    for hand, equity in equities.items():
        assert equity == pytest.approx(preflop_equity(hand), abs=5.1e-5)  # counted there board by board, and rounded
    taken = hands("20%")
    assert min(equities[hand] for hand in taken) > max(equities[hand] for hand in set(ALL_HANDS) - taken)


@given(st.integers(1, 1000), st.integers(1, 1000))
def test_larger_shares_hold_smaller_ones(one, other):
    small, large = sorted((one, other))
    assert hands(f"{small / 10}%") <= hands(f"{large / 10}%")
    for tenths in (small, large):
        taken = len(hands(f"{tenths / 10}%"))
        assert tenths * 1326 <= 1000 * taken < tenths * 1326 + 1000 * 12  # less than a class of twelve too many


def test_suited_and_offsuit_hands():
    assert all(high % 4 == low % 4 for high, low in hands("76s"))
    assert all(high % 4 != low % 4 for high, low in hands("76o"))


def test_a_later_weight_replaces_an_earlier_one():
    parsed = Range.parse("AKs:0.5, AhKh")
    assert dict(zip(parsed.hands, parsed.weights, strict=True)) == {
        parse_cards("AcKc"): 0.5,
        parse_cards("AdKd"): 0.5,
        parse_cards("AhKh"): 1.0,
        parse_cards("AsKs"): 0.5,
    }
    assert len(hands("random, AA:0")) == 1320


@given(ranges)
def test_printing_and_parsing_are_inverses(weighted):
    assert Range.parse(str(weighted)) == weighted


ranks = st.integers(0, 12)
classes = st.tuples(ranks, ranks, st.sampled_from(["", "s", "o"])).map(
    lambda drawn: RANKS[drawn[0]] + RANKS[drawn[1]] + (drawn[2] if drawn[0] != drawn[1] else "")
)
shares = st.integers(1, 100).map("{}%".format)
spans = st.tuples(ranks, ranks, st.integers(1, 12), st.sampled_from(["", "s", "o"])).map(
    lambda drawn: "-".join(
        RANKS[min(low + drawn[2], 12)] + RANKS[min(low, 12 - drawn[2])] + drawn[3] for low in drawn[:2]
    )
)
pieces = st.one_of(classes, classes.map("{}+".format), spans, shares, st.just("random"))
texts = st.lists(st.tuples(pieces, st.sampled_from(["", ":1", ":0.25"])).map("".join), min_size=1).map(", ".join)


@given(texts)
def test_whatever_is_read_is_printed_and_read_back(text):
    parsed = Range.parse(text)
    assert Range.parse(str(parsed)) == parsed
    assert Range.parse(text.lower()) == Range.parse(text.upper()) == parsed


@given(st.one_of(classes, classes.map("{}+".format), spans))
def test_pokerkit_reads_the_same_except_for_connectors(text):
    pokerkit = pytest.importorskip("pokerkit")
    ends = [RANKS.index(rank) for rank in text[:2]]
    assume(not (text.endswith("+") and abs(ends[0] - ends[1]) == 1))
    theirs = {tuple(sorted(parse_cards("".join(map(repr, hand))), reverse=True)) for hand in pokerkit.parse_range(text)}
    assert hands(text) == theirs


@given(classes)
def test_upwards_holds_the_hand_and_nothing_below_it(name):
    upwards = hands(f"{name}+")
    assert hands(name) <= upwards
    (high, low), *_ = sorted(hands(name))
    assert all(each[0] // 4 >= high // 4 and each[1] // 4 >= low // 4 for each in upwards)
    gaps = {each[0] // 4 - each[1] // 4 for each in upwards}
    assert len(gaps) == 1 or {each[0] // 4 for each in upwards} == {high // 4}


@pytest.mark.parametrize("text", ["random", "AA", "AKs:0.5,KK,QQ,7h2c", "T9s,T8o:0.25"])
def test_canonical_text_stays(text):
    assert str(Range.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("AA,KX", "KX"),
        ("AAs", "AAs"),
        ("AA,,KK", "''"),
        ("", "''"),
        ("AhAh", "AhAh"),
        ("AKs-QTs", "AKs-QTs"),
        ("AKs-QJo", "AKs-QJo"),
        ("22-A5s", "22-A5s"),
        ("AA-AKs", "AA-AKs"),
        ("0%", "0%"),
        ("101%", "101%"),
        ("AA,5%-15%", "5%-15%"),
        ("15%+", "15%+"),
        ("-5%", "-5%"),
        ("nan%", "nan%"),
        ("AK\u017f", "AK\u017f"),
        ("AKs-AQo", "AKs-AQo"),
        ("AKx+", "AKx"),
        ("AA:2", "AA:2"),
        ("AA:-0.5", "AA:-0.5"),
        ("AA:nan", "AA:nan"),
        ("AA:", "AA:"),
        ("AA:0", "AA:0"),
        ("ax", "ax"),
    ],
)
def test_what_cannot_be_read_is_quoted(text, piece):
    with pytest.raises(CardError) as caught:
        Range.parse(text)
    assert piece in str(caught.value)


@pytest.mark.parametrize(
    ("hands", "weights", "message"),
    [
        (((51, 51),), (1.0,), r"\(51, 51\).* two different cards"),
        (((50, 51),), (1.0,), r"\(50, 51\).* the higher first"),
        (((52, 3),), (1.0,), r"\(52, 3\).* 0\.\.51"),
        (((3, -1),), (1.0,), r"\(3, -1\).* 0\.\.51"),
        (((51, 50, 49),), (1.0,), "two different cards"),
        (([51, 50],), (1.0,), r"\[51, 50\].* a tuple"),
        (((3, 2), (51, 50), (51, 50)), (1.0, 0.5, 0.5), r"\(51, 50\) comes twice"),
        (((51, 50),), (0.0,), r"weighs 0\.0: .* above 0"),
        (((51, 50),), (1.5,), r"weighs 1\.5: .* at most 1"),
        (((51, 50),), (float("nan"),), "weighs nan"),
        (((51, 50),), (), "1 hands with 0 weights"),
    ],
)
def test_a_range_made_by_hand_is_checked(hands, weights, message):
    with pytest.raises(CardError, match=message):
        Range(hands, weights)

"""The language of ranges: what each form stands for, and that printing and parsing are inverses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.cards import parse_cards
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
        ("54s+", 4),
        ("22-55", 4 * 6),
        ("A2s-A5s", 4 * 4),
        ("QJo-Q9o", 3 * 12),
        ("random", 1326),
        ("AA, KK ,AKs", 16),
        ("AA,AhAs", 6),
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
        ("AKs-QJs", "AKs-QJs"),
        ("22-A5s", "22-A5s"),
        ("AKs-AQo", "AKs-AQo"),
        ("AKx+", "AKx"),
        ("AA:2", "AA:2"),
        ("AA:-0.5", "AA:-0.5"),
        ("AA:nan", "AA:nan"),
        ("AA:", "AA:"),
        ("AA:0", "AA:0"),
        ("ak", "ak"),
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

"""What an index must not notice, what it must, and how it is used from outside."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isomorphism.brute_force import canonical_form, rename_suits, split, suit_permutations
from kibitz.cards import format_cards, make_deck, parse_cards
from kibitz.isomorphism import IsomorphismIndex, parse_pattern

INDICES = [
    IsomorphismIndex("2|3|1|1"),
    IsomorphismIndex("4|3"),
    IsomorphismIndex("2|3|1|1", ranks=9),
    IsomorphismIndex("3|2|1", suits=3, ranks=5),
    IsomorphismIndex("1|1|1", suits=2, ranks=3),
]


@st.composite
def hands(draw: st.DrawFn) -> tuple[IsomorphismIndex, tuple[int, ...]]:
    """An index and a hand of its last street."""
    index = draw(st.sampled_from(INDICES))
    deck = make_deck(index.suits, index.ranks)
    length = index.lengths[-1]
    return index, tuple(draw(st.lists(st.sampled_from(deck), min_size=length, max_size=length, unique=True)))


@given(hands(), st.data())
@settings(max_examples=100, deadline=None)
def test_neither_names_of_suits_nor_order_on_a_street_matter(
    case: tuple[IsomorphismIndex, tuple[int, ...]], data: st.DataObject
) -> None:
    index, hand = case
    renamed = rename_suits(hand, data.draw(st.sampled_from(suit_permutations(index.suits))))
    shuffled = tuple(card for street in split(renamed, index.pattern) for card in data.draw(st.permutations(street)))
    assert index.index(shuffled) == index.index(hand)


@given(hands(), st.data())
@settings(max_examples=100, deadline=None)
def test_hands_share_an_index_only_if_isomorphic(
    case: tuple[IsomorphismIndex, tuple[int, ...]], data: st.DataObject
) -> None:
    index, hand = case
    # A neighbour: one card replaced, which often enough gives an isomorphic hand.
    free = [card for card in make_deck(index.suits, index.ranks) if card not in hand]
    place = data.draw(st.integers(0, len(hand) - 1))
    neighbour = (*hand[:place], data.draw(st.sampled_from(free)), *hand[place + 1 :])
    forms = [canonical_form(cards, index.pattern, index.suits) for cards in (hand, neighbour)]
    assert (index.index(hand) == index.index(neighbour)) == (forms[0] == forms[1])


@given(hands())
@settings(max_examples=100, deadline=None)
def test_an_earlier_street_is_indexed_as_if_the_pattern_ended_there(
    case: tuple[IsomorphismIndex, tuple[int, ...]],
) -> None:
    index, hand = case
    for street, length in enumerate(index.lengths):
        shorter = IsomorphismIndex(index.pattern[: street + 1], index.suits, index.ranks)
        assert index.index(hand[:length], street) == shorter.index(hand[:length])


def test_canonical_hands_read_well() -> None:
    index = IsomorphismIndex("2|3|1|1")
    for hand, street, canonical in [
        ("2c2d", 0, "2s2h"),
        ("KcAc", 0, "AsKs"),
        ("KcAd", 0, "AsKh"),
        ("KdAc 7c7d2h", 1, "AsKh7s7h2d"),
        ("AhKh QhJhTh 2c3d", 3, "AsKsQsJsTs2h3d"),
    ]:
        assert format_cards(index.unindex(index.index(parse_cards(hand), street), street)) == canonical


def test_numbering_stays_what_it_was() -> None:
    """Files of buckets are ordered by these numbers, so a change here breaks them."""
    index = IsomorphismIndex("2|3|1|1")
    hand = parse_cards("AsKh 7d7c2s Td 9h")
    indices = [index.index(hand[:length], street) for street, length in enumerate(index.lengths)]
    assert indices == [167, 1_026_232, 47_498_710, 1_976_585_272]
    holes = [format_cards(index.unindex(number, 0)) for number in (0, 77, 78, 168)]
    assert holes == ["3s2s", "AsKs", "2s2h", "AsAh"]


def test_numbers_of_arrays_serve_as_cards_and_indices() -> None:
    index = IsomorphismIndex("2|3")
    rows = index.unindex_batch(np.array([5, 1_000_000]))
    assert [index.index(row) for row in rows] == [5, 1_000_000]
    assert index.unindex(np.int64(1_000_000)) == tuple(rows[1].tolist())


def test_threads_change_nothing() -> None:
    index = IsomorphismIndex("2|3")
    numbers = np.arange(10_001)
    rows = index.unindex_batch(numbers, threads=3)
    assert (rows == index.unindex_batch(numbers)).all()
    assert (index.index_batch(rows, threads=3) == numbers).all()
    assert (index.orbit_size_batch(numbers, threads=3) == index.orbit_size_batch(numbers)).all()
    assert index.index_batch(rows[:1], threads=4).tolist() == [0]


def test_empty_batches_come_back_empty() -> None:
    index = IsomorphismIndex("2|3")
    assert index.index_batch(np.empty((0, 5), dtype=np.uint8)).shape == (0,)
    assert index.unindex_batch([]).shape == (0, 5)


def test_pattern_text() -> None:
    assert parse_pattern("2|3|1|1") == (2, 3, 1, 1)
    assert repr(IsomorphismIndex((2, 2), ranks=9)) == "IsomorphismIndex('2|2', suits=4, ranks=9)"


@pytest.mark.parametrize("module", ["numba", "llvmlite"])
def test_one_hand_is_indexed_without_a_compiler(module: str) -> None:
    program = (
        "import sys; from kibitz.isomorphism import IsomorphismIndex as I; i = I('2|3');"
        f"i.unindex(i.index((0, 1, 2, 3, 4))); sys.exit({module!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

"""Cards as integers, text and sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.cards import (
    CARD_TEXT,
    RANKS,
    SUITS,
    cards_to_mask,
    format_cards,
    make_deck,
    parse_card,
    parse_cards,
)
from kibitz.errors import CardError

hands = st.lists(st.integers(0, 51), unique=True, max_size=9).map(tuple)


def test_numbers_follow_rank_then_suit():
    assert [parse_card(text) for text in ("2c", "2d", "2h", "2s", "3c", "As")] == [0, 1, 2, 3, 4, 51]
    assert len(set(CARD_TEXT)) == 52
    for card, text in enumerate(CARD_TEXT):
        assert text == RANKS[card // 4] + SUITS[card % 4]


@given(hands)
def test_reading_undoes_printing(cards):
    assert parse_cards(format_cards(cards)) == cards
    assert parse_cards(" ".join(CARD_TEXT[card] for card in cards)) == cards


@pytest.mark.parametrize("text", ["", "A", "Ahh", "ah", "AH", "1c", "10h", "Xx", "hA", "??", "A♥"])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(CardError, match="is not a card"):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [("AhTd2", "odd number"), ("AhAh", "twice"), ("AhXd", "'Xd' is not a card"), ("AhTdAh", "twice")],
)
def test_lists_that_cannot_be_read_say_why(text, says):
    with pytest.raises(CardError, match=says):
        parse_cards(text)


def test_small_decks_are_the_last_suits_and_highest_ranks_suit_by_suit():
    assert format_cards(make_deck(1, 3)) == "QsKsAs"
    assert format_cards(make_deck(2, 3)) == "QhKhAhQsKsAs"
    assert format_cards(make_deck(4, 1)) == "AcAdAhAs"
    assert sorted(make_deck()) == list(range(52))
    assert format_cards(make_deck())[:8] == "2c3c4c5c"


@pytest.mark.parametrize("size", [(0, 13), (5, 13), (4, 0), (4, 14), (-1, 3)])
def test_impossible_decks_are_refused(size):
    with pytest.raises(CardError, match="1-4 suits and 1-13 ranks"):
        make_deck(*size)


@given(hands)
def test_masks_are_sets(cards):
    mask = cards_to_mask(cards)
    assert mask.bit_count() == len(cards)
    assert all(mask & cards_to_mask([card]) for card in cards)
    assert cards_to_mask(reversed(cards)) == mask


def test_a_mask_keeps_each_suit_in_sixteen_bits():
    assert cards_to_mask(parse_cards("2c")) == 1
    assert cards_to_mask(parse_cards("As")) == 1 << (48 + 12)
    assert cards_to_mask(parse_cards("2dAd")) == (1 << 16) + (1 << 28)


@pytest.mark.parametrize("card", [-1, 52, 99])
def test_numbers_that_are_no_cards_have_no_text(card):
    with pytest.raises(CardError, match=f"{card} is not a card"):
        format_cards((0, card))

"""The number of classes: published values and Burnside's lemma."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isomorphism.brute_force import count_classes, count_hands
from kibitz.isomorphism import IsomorphismIndex

PUBLISHED = {
    ("2|3|1|1", 13): (169, 1_286_792, 55_190_538, 2_428_287_420),
    ("2|4", 13): (169, 13_960_050),
    ("2|5", 13): (169, 123_156_254),
    ("3|1|1", 13): (1_755, 63_193, 2_554_656),
    ("4", 13): (16_432,),
    ("5", 13): (134_459,),
    ("6", 13): (962_988,),
    ("7", 13): (6_009_159,),
    ("4|3|1", 13): (16_432, 204_461_673, 8_964_883_057),
    ("2|2", 13): (169, 93_769),
    ("2|3|1|1", 9): (81, 186_696, 5_266_044, 151_065_864),
    ("3", 9): (573,),
}


@pytest.mark.parametrize(("pattern", "ranks"), PUBLISHED)
def test_sizes_are_the_published_ones(pattern: str, ranks: int) -> None:
    assert IsomorphismIndex(pattern, ranks=ranks).sizes == PUBLISHED[pattern, ranks]


def test_leduc_has_three_hole_cards_and_fifteen_with_a_board_card() -> None:
    # The board pairs the hole card in one way, or is one of two other ranks of the same suit or the other.
    assert IsomorphismIndex((1, 1), suits=2, ranks=3).sizes == (3, 3 * (1 + 2 * 2))


@st.composite
def decks_and_patterns(draw: st.DrawFn) -> tuple[int, int, tuple[int, ...]]:
    """Suits, ranks and up to four streets of at most nine cards together."""
    suits, ranks = draw(st.integers(1, 4)), draw(st.integers(1, 13))
    pattern, left = list[int](), min(9, suits * ranks)
    while left and len(pattern) < 4:
        pattern.append(draw(st.integers(1, left)))
        left -= pattern[-1]
    return suits, ranks, tuple(pattern)


@given(decks_and_patterns())
@settings(max_examples=60, deadline=None)
def test_sizes_are_those_of_burnside(case: tuple[int, int, tuple[int, ...]]) -> None:
    suits, ranks, pattern = case
    for street, size in enumerate(IsomorphismIndex(pattern, suits, ranks).sizes):
        assert size == count_classes(pattern[: street + 1], suits, ranks)


@pytest.mark.parametrize(
    ("pattern", "suits", "ranks"),
    [((7,), 4, 13), ((2, 3), 4, 13), ((2, 3, 1), 4, 6), ((4, 3), 4, 6), ((3, 1, 1), 3, 9), ((2, 2, 1), 2, 13)],
)
def test_orbit_sizes_sum_to_the_number_of_hands(pattern: tuple[int, ...], suits: int, ranks: int) -> None:
    index = IsomorphismIndex(pattern, suits, ranks)
    orbits = index.orbit_size_batch(np.arange(index.sizes[-1]))
    assert int(orbits.sum()) == count_hands(pattern, suits * ranks)

"""What an index refuses, and that it says why."""

from typing import Any

import numpy as np
import pytest

from kibitz.errors import CardError, KibitzError
from kibitz.isomorphism import IsomorphismIndex, parse_pattern

FLOP = IsomorphismIndex("2|3")
SHORT = IsomorphismIndex("2|3", suits=3, ranks=9)


@pytest.mark.parametrize(
    ("index", "cards", "message"),
    [
        (FLOP, (0, 1, 2, 3), "4 cards came.* has 5"),
        (FLOP, (0, 1, 2, 3, 0), "holds a card twice"),
        (FLOP, (0, 0, 1, 2, 3), "holds a card twice"),
        (FLOP, (0, 1, 2, 3, 52), "52 is not in the deck"),
        (FLOP, (0, 1, 2, 3, -1), "-1 is not in the deck"),
        (FLOP, (0, 1, 2, 3, 4.0), "integers"),
        (SHORT, (51, 50, 49, 47, 15), "5s is not in the deck"),  # a rank that is too low
        (SHORT, (51, 50, 49, 47, 48), "Ac is not in the deck"),  # clubs
    ],
)
def test_a_hand_that_is_none(index: IsomorphismIndex, cards: Any, message: str) -> None:
    with pytest.raises(CardError, match=message):
        index.index(cards)


@pytest.mark.parametrize(
    ("index", "cards", "message"),
    [
        (FLOP, (0, 1, 2, 3, 0), "row 1: .* holds a card twice"),
        (FLOP, (7, 7, 1, 2, 3), "row 1: .* holds a card twice"),
        (FLOP, (0, 1, 2, 3, 255), "row 1: 255 is not in the deck"),
        (SHORT, (51, 50, 49, 47, 15), "row 1: 5s is not in the deck"),
        (SHORT, (51, 50, 49, 47, 48), "row 1: Ac is not in the deck"),
    ],
)
def test_a_row_that_is_no_hand(index: IsomorphismIndex, cards: tuple[int, ...], message: str) -> None:
    rows = np.array([(51, 50, 49, 47, 46), cards, cards], dtype=np.uint8)
    with pytest.raises(CardError, match=message):
        index.index_batch(rows)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([[0, 1, 2, 3]], r"shape \(1, 4\).* rows of 5"),
        ([0, 1, 2, 3, 4], r"shape \(5,\).* rows of 5"),
        ([[0, 1, 2, 3, 256]], "from 0 to 256"),  # would be card 0 if it were cut to eight bits
        ([[0, 1, 2, 3, -1]], "from -1 to 3"),
        ([[0.0, 1.0, 2.0, 3.0, 4.0]], "type float64"),
    ],
)
def test_an_array_that_holds_no_hands(cards: Any, message: str) -> None:
    with pytest.raises(CardError, match=message):
        FLOP.index_batch(cards)


@pytest.mark.parametrize("number", [-1, 1_286_792])
def test_an_index_out_of_range(number: int) -> None:
    for way_back in (FLOP.unindex, FLOP.orbit_size):
        with pytest.raises(CardError, match=f"index {number}: 0..1286791 exist"):
            way_back(number)
    for way_back_of_many in (FLOP.unindex_batch, FLOP.orbit_size_batch):
        with pytest.raises(CardError, match=f"{number}.* exist on this street"):
            way_back_of_many([5, number])


def test_an_index_that_is_no_integer() -> None:
    with pytest.raises(CardError, match=r"1\.5 is not an index"):
        FLOP.unindex(1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("indices", "message"),
    [([[1, 2]], r"shape \(1, 2\)"), ([1.0], "type float64"), (np.array([2**63], dtype=np.uint64), "from")],
)
def test_indices_that_are_none(indices: Any, message: str) -> None:
    with pytest.raises(CardError, match=message):
        FLOP.unindex_batch(indices)


@pytest.mark.parametrize("street", [2, -3])
def test_a_street_that_is_not_dealt(street: int) -> None:
    with pytest.raises(CardError, match=f"street {street} of a pattern with 2"):
        FLOP.index((0, 1), street)


@pytest.mark.parametrize("threads", [0, -1])
def test_no_threads_at_all(threads: int) -> None:
    for work, rows in ((FLOP.index_batch, [(0, 1, 2, 3, 4)]), (FLOP.unindex_batch, [5]), (FLOP.orbit_size_batch, [5])):
        with pytest.raises(KibitzError, match=f"{threads} threads: at least one"):
            work(rows, threads=threads)


@pytest.mark.parametrize(
    ("pattern", "suits", "ranks", "message"),
    [
        ((), 4, 13, "at least one street"),
        ((2, 0, 1), 4, 13, "at least one card"),
        ((3, 3), 1, 5, "deals 6 cards of a deck of 5"),
        ((1,) * 10, 4, 13, "1048576 ways"),
        ((12, 12), 4, 13, "classes of hands"),
        ((2,), 5, 13, "5 suits"),
        ("2|x", 4, 13, "'2|x' is not a pattern"),
    ],
)
def test_a_pattern_that_cannot_be_indexed(pattern: Any, suits: int, ranks: int, message: str) -> None:
    with pytest.raises(CardError, match=message.replace("|", r"\|")):
        IsomorphismIndex(pattern, suits, ranks)


@pytest.mark.parametrize("text", ["", "2|", "2,3", "two"])
def test_text_that_is_no_pattern(text: str) -> None:
    with pytest.raises(CardError, match="written like 2"):
        parse_pattern(text)

"""One index for each class and one class for each index: exhaustively where decks are small, sampled elsewhere."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from isomorphism.brute_force import all_hands, canonical_form
from kibitz.cards import make_deck
from kibitz.isomorphism import IsomorphismIndex

TOYS = [
    ((1, 1), 2, 3),  # Leduc
    ((2, 2), 1, 7),
    ((2, 2, 1), 2, 4),
    ((3, 2), 3, 4),
    ((1, 1, 1, 1), 3, 3),
    ((1, 2, 1), 4, 3),
    ((4, 1), 4, 3),
    ((4,), 4, 4),
    ((8,), 4, 2),  # the whole deck
    ((1, 2), 4, 1),
    ((2, 3), 3, 3),
    ((5,), 3, 4),
    # Several streets deal more cards than a suit has.
    ((1, 1, 1, 1), 4, 1),
    ((1, 2, 2, 1), 3, 2),
    ((1, 1, 1, 1, 1), 4, 2),
]
SAMPLED = [
    ((2, 3, 1, 1), 4, 13),
    ((2, 3, 1, 1), 4, 9),
    ((2, 3, 1, 1), 4, 4),
    ((2, 5), 4, 13),
    ((7,), 4, 13),
    ((4, 3, 1), 4, 13),
    ((3, 1, 1), 3, 8),
    ((1, 1, 1, 1, 1, 1, 1), 4, 13),
]


def deal(index: IsomorphismIndex, rows: int, seed: int) -> npt.NDArray[np.uint8]:
    """Random hands of the last street, uint8[rows, cards]."""
    deck = np.array(make_deck(index.suits, index.ranks), dtype=np.uint8)
    order = np.random.default_rng(seed).random((rows, len(deck))).argsort(axis=1)
    return deck[order[:, : index.lengths[-1]]]


@pytest.mark.parametrize(("pattern", "suits", "ranks"), TOYS)
def test_indices_are_the_classes_of_a_toy_deck(pattern: tuple[int, ...], suits: int, ranks: int) -> None:
    index = IsomorphismIndex(pattern, suits, ranks)
    hands = list(all_hands(pattern, make_deck(suits, ranks)))
    indices = index.index_batch(np.array(hands, dtype=np.uint8))
    form_of_index = {number: canonical_form(index.unindex(number), pattern, suits) for number in range(index.sizes[-1])}
    assert [form_of_index[number] for number in indices.tolist()] == [
        canonical_form(hand, pattern, suits) for hand in hands
    ]
    assert len(set(form_of_index.values())) == index.sizes[-1]
    orbits = [index.orbit_size(number) for number in range(index.sizes[-1])]
    assert np.bincount(indices, minlength=index.sizes[-1]).tolist() == orbits


@pytest.mark.parametrize(("pattern", "suits", "ranks"), TOYS)
def test_batch_and_scalar_agree_on_a_toy_deck(pattern: tuple[int, ...], suits: int, ranks: int) -> None:
    index = IsomorphismIndex(pattern, suits, ranks)
    for street, size in enumerate(index.sizes):
        hands = [index.unindex(number, street) for number in range(size)]
        assert index.unindex_batch(np.arange(size), street).tolist() == [list(hand) for hand in hands]
        assert index.index_batch(hands, street).tolist() == list(range(size))
        assert [index.index(hand, street) for hand in hands] == list(range(size))
        orbits = [index.orbit_size(number, street) for number in range(size)]
        assert index.orbit_size_batch(np.arange(size), street).tolist() == orbits


def test_every_deal_up_to_the_flop_hits_its_class_as_often_as_the_orbit_says() -> None:
    index = IsomorphismIndex("2|3")
    flops = np.array(list(combinations(range(50), 3)))
    hits = np.zeros(index.sizes[1], dtype=np.int64)
    holes = list(combinations(range(52), 2))
    for first in range(0, len(holes), 78):
        chunk = np.empty((78, len(flops), 5), dtype=np.uint8)
        for place, hole in enumerate(holes[first : first + 78]):
            chunk[place, :, :2] = hole
            chunk[place, :, 2:] = np.delete(np.arange(52, dtype=np.uint8), hole)[flops]
        hits += np.bincount(index.index_batch(chunk.reshape(-1, 5), threads=2), minlength=len(hits))
    assert hits.min() > 0
    assert (hits == index.orbit_size_batch(np.arange(index.sizes[1]))).all()


@pytest.mark.parametrize(("pattern", "suits", "ranks"), SAMPLED)
def test_unindex_then_index_is_the_identity(pattern: tuple[int, ...], suits: int, ranks: int) -> None:
    index = IsomorphismIndex(pattern, suits, ranks)
    for street, size in enumerate(index.sizes):
        numbers = np.random.default_rng(street).integers(0, size, 100_000)
        numbers[:2] = 0, size - 1
        hands = index.unindex_batch(numbers, street)
        assert (index.index_batch(hands, street) == numbers).all()
        for number, hand in zip(numbers[:100].tolist(), hands[:100].tolist(), strict=True):
            assert list(index.unindex(number, street)) == hand
            assert index.index(hand, street) == number


@pytest.mark.parametrize(("pattern", "suits", "ranks"), SAMPLED)
def test_a_random_hand_is_isomorphic_to_its_canonical_hand(pattern: tuple[int, ...], suits: int, ranks: int) -> None:
    index = IsomorphismIndex(pattern, suits, ranks)
    hands = deal(index, 200, seed=5)
    indices = index.index_batch(hands)
    assert indices.tolist() == [index.index(hand) for hand in hands.tolist()]
    for hand, canonical in zip(hands.tolist(), index.unindex_batch(indices).tolist(), strict=True):
        assert canonical_form(tuple(hand), pattern, suits) == canonical_form(tuple(canonical), pattern, suits)


@pytest.mark.parametrize("alike", [2, 3, 4])
def test_suits_of_one_shape_with_thousands_of_sequences_each(alike: int) -> None:
    """Two cards a street in each of two, three or four suits: the multiset arithmetic at large numbers."""
    pattern = (2 * alike, 2 * alike)
    index = IsomorphismIndex(pattern)
    ranks = np.random.default_rng(alike).random((2_000, alike, 13)).argsort(axis=2)[:, :, :4]
    cards = (4 * ranks + np.arange(alike)[:, None]).astype(np.uint8)
    hands = np.concatenate([cards[:, :, :2].reshape(2_000, -1), cards[:, :, 2:].reshape(2_000, -1)], axis=1)
    indices = index.index_batch(hands)
    canonical = index.unindex_batch(indices)
    assert (index.index_batch(canonical) == indices).all()
    for row in range(100):
        hand, number = tuple(hands[row].tolist()), int(indices[row])
        assert index.index(hand) == number
        assert index.unindex(number) == tuple(canonical[row].tolist())
        assert canonical_form(hand, pattern, 4) == canonical_form(index.unindex(number), pattern, 4)

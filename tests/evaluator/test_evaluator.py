"""The evaluator against counts of all hands, against its plain twin, and against a peer."""

import subprocess
import sys
from collections import Counter
from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.class_ranks import class_rank
from evaluator.plain_evaluator import best_key, three_card_key
from kibitz.cards import cards_to_mask, make_deck, parse_cards
from kibitz.errors import CardError, KibitzError
from kibitz.evaluator import category, evaluate, evaluate_batch, evaluate_boards, evaluate_masks

NAMES = [
    *("high card", "pair", "two pair", "three of a kind", "straight"),
    *("flush", "full house", "four of a kind", "straight flush"),
]
SMALL_AND_LARGE_DECKS = [(4, 13), (4, 5), (3, 6), (2, 5), (2, 3), (1, 9), (1, 3)]  # suits, ranks
FIVE_CARD_COUNTS = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40)
SEVEN_CARD_COUNTS = (
    23_294_460,
    58_627_800,
    31_433_400,
    6_461_620,
    6_180_020,
    4_047_644,
    3_473_184,
    224_848,
    41_584,
)


@pytest.fixture(scope="module")
def five_card_masks() -> np.ndarray:
    """All sets of five cards in lexicographic order: uint64[2598960]."""
    bits = np.array([cards_to_mask([card]) for card in range(52)], dtype=np.uint64)
    cards = np.fromiter((c for hand in combinations(range(52), 5) for c in hand), np.uint8, 5 * 2_598_960)
    return np.bitwise_or.reduce(bits[cards.reshape(-1, 5)], axis=1)


def deal(deck: tuple[int, ...], count: int, width: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.array(deck, dtype=np.uint8), (count, 1)), axis=1)
    return np.ascontiguousarray(decks[:, :width])


def to_masks(cards: np.ndarray) -> np.ndarray:
    return np.array([cards_to_mask(hand) for hand in cards.tolist()], dtype=np.uint64)


def assert_same_order(values: list[int], keys: list[tuple]) -> None:
    """Values and keys sort the hands the same way, equal where equal."""
    pairs = sorted(zip(keys, values, strict=True))
    for (key, value), (next_key, next_value) in pairwise(pairs):
        assert (value == next_value) == (key == next_key)
        assert value <= next_value


def test_all_five_card_hands(five_card_masks):
    values = evaluate_masks(five_card_masks)
    assert tuple(np.bincount(values >> 26)) == FIVE_CARD_COUNTS
    classes = np.unique(values)
    assert len(classes) == 7462
    assert [class_rank(value) for value in classes.tolist()] == list(range(7462, 0, -1))


def test_all_seven_card_hands(five_card_masks):
    """Every seven cards are two lower and five higher ones; five cards above b are the end of the list."""
    counts = np.zeros(9, dtype=np.int64)
    chunk = 1 << 13
    values = np.empty((51, chunk), dtype=np.int32)
    for b in range(1, 47):
        holes = np.array([cards_to_mask((a, b)) for a in range(b)], dtype=np.uint64)
        higher = five_card_masks[-comb(51 - b, 5) :]
        for start in range(0, len(higher), chunk):
            boards = higher[start : start + chunk]
            evaluate_boards(boards, holes, values)
            counts += np.bincount((values[:b, : len(boards)] >> 26).ravel(), minlength=9)
    assert tuple(counts) == SEVEN_CARD_COUNTS
    assert counts.sum() == 133_784_560


@pytest.mark.parametrize(
    ("suits", "ranks", "width"),
    [(suits, ranks, width) for suits, ranks in SMALL_AND_LARGE_DECKS for width in range(1, min(7, suits * ranks) + 1)],
)
def test_every_way_of_evaluating_agrees_with_the_plain_twin(suits, ranks, width):
    cards = deal(make_deck(suits, ranks), 300, width, seed=100 * width + ranks)
    values = [evaluate(hand) for hand in cards.tolist()]
    assert evaluate_batch(cards).tolist() == values
    assert evaluate_masks(to_masks(cards)).tolist() == values
    keys = [best_key(hand) for hand in cards.tolist()]
    assert_same_order(values, keys)
    assert [category(value) for value in values] == [NAMES[key[0]] for key in keys]


def test_seven_suited_or_consecutive_cards_agree_with_the_plain_twin():
    """Random hands seldom have long straights and flushes; hands from few cards always do."""
    decks = [
        tuple(4 * rank + 3 for rank in range(13)),
        tuple(4 * rank + suit for rank in (0, 1, 2, 3, 4, 5, 12) for suit in (0, 2)),
        tuple(4 * rank + suit for rank in (7, 8, 9) for suit in range(4)),
    ]
    for seed, deck in enumerate(decks):
        cards = deal(deck, 500, 7, seed)
        values = [evaluate(hand) for hand in cards.tolist()]
        assert evaluate_batch(cards).tolist() == values
        assert_same_order(values, [best_key(hand) for hand in cards.tolist()])


def test_scalar_equals_batch_on_many_hands():
    for width in range(1, 8):
        cards = deal(make_deck(), 4000, width, seed=width)
        assert evaluate_batch(cards).tolist() == [evaluate(hand) for hand in cards.tolist()]


def test_class_ranks_are_those_of_phevaluator():
    pheval = pytest.importorskip("phevaluator._pheval")
    cards = deal(make_deck(), 20_000, 7, seed=5)
    for hand, value in zip(cards.tolist(), evaluate_batch(cards).tolist(), strict=True):
        assert class_rank(value) == pheval.evaluate_7cards(*hand)


@pytest.mark.parametrize(("hand", "rank"), [("9c4c4s9d4hQc6c", 292), ("9c4c4s9d4h2c9h", 236), ("AsKsQsJsTs", 1)])
def test_printed_class_ranks(hand, rank):
    assert class_rank(evaluate(parse_cards(hand))) == rank


@given(st.permutations(range(52)), st.permutations(range(4)), st.integers(1, 7))
def test_order_and_names_of_suits_do_not_matter(deck, suits, width):
    hand = deck[:width]
    renamed = [4 * (card // 4) + suits[card % 4] for card in reversed(hand)]
    assert evaluate(hand) == evaluate(renamed)


def test_kuhn_and_leduc_hands():
    queen, king, ace = ([card] for card in make_deck(suits=1, ranks=3))
    assert evaluate(queen) < evaluate(king) < evaluate(ace)
    pair, high = evaluate(parse_cards("QhQs")), evaluate(parse_cards("AhKs"))
    assert pair > high
    assert category(pair) == "pair"
    assert evaluate(parse_cards("AhKs")) == evaluate(parse_cards("AsKh"))


def test_four_suited_cards_in_a_row_are_only_high_cards():
    assert category(evaluate(parse_cards("AsKsQsJs"))) == "high card"


def test_all_three_card_hands():
    hands = list(combinations(range(52), 3))
    values = [evaluate(hand, "three-card") for hand in hands]
    assert Counter(map(category, values)) == {
        "straight flush": 48,
        "three of a kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high card": 16440,
    }
    assert_same_order(values, [three_card_key(hand) for hand in hands])
    cards = np.array(hands, dtype=np.uint8)
    assert evaluate_batch(cards, "three-card").tolist() == values
    assert evaluate_masks(to_masks(cards), "three-card").tolist() == values


@pytest.mark.parametrize("width", [1, 2, 3, 5, 7])
def test_threads_and_odd_sizes_change_nothing(width):
    cards = deal(make_deck(), 1500, width, seed=3)
    values = evaluate_batch(cards)
    for count in (0, 1, 2, 7, 8, 511, 512, 513, 1500):
        assert evaluate_batch(cards[:count]).tolist() == values[:count].tolist()
    many = np.tile(cards, (200, 1))
    assert np.array_equal(evaluate_batch(many, threads=3), np.tile(values, 200))
    masks = np.tile(to_masks(cards), 200)
    assert np.array_equal(evaluate_masks(masks, threads=2), np.tile(values, 200))
    assert np.array_equal(evaluate_batch(many[::-1]), np.tile(values, 200)[::-1])


def test_boards_and_holes():
    boards = to_masks(deal(make_deck(), 700, 5, seed=8))
    holes = to_masks(deal(make_deck(), 20, 2, seed=9))
    table = evaluate_boards(boards, holes)
    shared = (holes[:, None] & boards[None, :]) != 0
    assert shared.any()
    assert (table[shared] == -1).all()
    joined = (holes[:, None] | boards[None, :])[~shared]
    assert np.array_equal(table[~shared], evaluate_masks(joined))


@pytest.mark.parametrize("bad", [[52], [-1], [3, 3], [], list(range(8)), [1.5], ["As"]])
def test_a_hand_that_is_none_is_refused(bad):
    with pytest.raises(CardError):
        evaluate(bad)


def test_batches_that_are_none_are_refused():
    cards = deal(make_deck(), 1000, 7, seed=1)
    for value in (52, 60, 127, 128, 255):
        wrong = cards.copy()
        wrong[777, 6] = value
        with pytest.raises(CardError, match="hand 777"):
            evaluate_batch(wrong)
    twice = cards.copy()
    twice[999, 0] = twice[999, 5]
    with pytest.raises(CardError, match="hand 999"):
        evaluate_batch(twice)
    for wrong in (cards.astype(np.int64), cards[0], np.zeros((2, 8), np.uint8), np.zeros((2, 0), np.uint8), [[1]]):
        with pytest.raises(CardError):
            evaluate_batch(wrong)
    with pytest.raises(CardError, match="no ranking"):
        evaluate_batch(cards, "lowball")
    with pytest.raises(CardError, match="exactly three"):
        evaluate_batch(cards, "three-card")


@pytest.mark.parametrize("mask", [0, 1 << 13, 1 << 63, 0xFF, cards_to_mask(range(8))])
def test_masks_that_are_no_hand_are_refused(mask):
    with pytest.raises(CardError):
        evaluate_masks(np.array([15, mask], dtype=np.uint64))
    with pytest.raises(CardError):
        evaluate_masks(np.array([7, mask], dtype=np.uint64), "three-card")


@pytest.mark.parametrize("threads", [0, -1])
def test_no_threads_are_refused(threads):
    cards = deal(make_deck(), 10, 7, seed=1)
    with pytest.raises(KibitzError, match=f"{threads} threads: at least one"):
        evaluate_batch(cards, threads=threads)
    with pytest.raises(KibitzError, match=f"{threads} threads: at least one"):
        evaluate_masks(to_masks(cards), threads=threads)


@pytest.mark.parametrize("value", [-1, 9 << 26, 1 << 31])
def test_values_that_nobody_returned_are_refused(value):
    with pytest.raises(CardError):
        category(value)


def test_one_hand_needs_neither_numba_nor_numpy():
    code = (
        "import sys, kibitz.evaluator as e; e.evaluate([0, 5]);"
        "sys.exit(any(name in sys.modules for name in ('numba', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

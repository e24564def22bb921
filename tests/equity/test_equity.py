"""Equity against published counts, against its plain twin, and sampled against exact."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from equity.plain_equity import plain_equities
from kibitz.cards import cards_to_mask, parse_cards
from kibitz.equity import Equity, Range, compute_equity
from kibitz.equity.exact import BoardList, count_work
from kibitz.errors import CardError, KibitzError

REFERENCES = [  # equity, wins and ties of the first hand over 1,712,304 boards; None where not published
    ("AsAh", "KdKc", 0.8125548968, 1_388_072, 6_538),
    ("AsAh", "KsKd", 0.8194605047, None, None),
    ("AsAh", "KsKh", 0.8263661126, None, None),
    ("AhKh", "QdQc", 0.4621445725, 787_966, 6_732),
    ("AsKh", "QdQc", 0.4283515077, None, None),
    ("7h2c", "AsAh", 0.1179443019, None, None),
    ("AsKs", "AhKh", 0.5, None, 1_467_192),
]

SPOTS = [  # small enough for the plain twin; ranges overlap each other and the board
    (["AhKh", "QdQc"], "Qh7h2s"),
    (["AhKh,AhAs:0.25,KdKc:0.5", "AhQh,QdQc:0.1,AsKs"], "Jh7h2s3c"),
    (["TT,AKs:0.3", "JJ:0.7,AhKh"], "Jd7h2s3c"),
    (["AA", "AA"], "Kh7d2s3c9c"),
    (["AKs", "QQ:0.5,JTs", "AhTh,22:0.9"], "9h8h2s3c"),
    (["AhKs", "AcKd", "AsKc", "2h2d"], "QhJdTs4c"),
    (["AhKs", "AcKd"], "QhJdTs4c9c"),
]


@pytest.mark.parametrize(("hand", "other", "share", "wins", "ties"), REFERENCES)
def test_published_two_player_equities(hand, other, share, wins, ties):
    result = compute_equity([hand, other])
    assert result.exact
    assert result.boards == result.total == 1_712_304
    assert result.equities[0] == pytest.approx(share, abs=5e-11)
    assert sum(result.equities) == pytest.approx(1)
    assert wins is None or result.wins[0] == wins
    assert ties is None or result.ties == (ties, ties)
    assert sum(result.wins) + result.ties[0] == 1_712_304


def test_published_three_player_equities():
    result = compute_equity(["AsAh", "KdKc", "QsQh"])
    assert result.boards == 1_370_754
    assert result.equities == pytest.approx((0.6650544153, 0.1887545103, 0.1461910744), abs=5e-11)


@pytest.mark.parametrize(("texts", "board"), SPOTS)
def test_exact_equals_the_plain_twin(texts, board):
    cards = parse_cards(board)
    expected = plain_equities([Range.parse(text) for text in texts], cards)
    result = compute_equity(texts, board, "exact")
    assert result.equities == pytest.approx(expected, abs=1e-12)
    assert compute_equity(texts, cards, "exact") == result


@pytest.mark.parametrize("weight", ["0.5", "1e-200", "1e-320"])
@pytest.mark.parametrize("board", ["2c3c4c", "2c3c4c5d9h"])
def test_only_proportions_of_weights_matter(weight, board):
    plain = compute_equity(["AA", "KK,QQ", "JJ"], board, "exact")
    assert compute_equity([f"AA:{weight}", f"KK:{weight},QQ:{weight}", f"JJ:{weight}"], board, "exact") == plain
    sampled = [compute_equity([f"AA:{each}", f"KK:{each}"], board, "sample", samples=500) for each in ("1", weight)]
    assert sampled[0] == sampled[1]


def test_weights_too_small_for_a_float_together():
    """One player can have the aces, so that the other two weigh 1e-400 in every deal."""
    result = compute_equity(["AsAh,KK:1e-200", "AsAh,QQ:1e-200", "AsAh,JJ:1e-200"], "2c3c4c", "exact")
    parts = [
        compute_equity(texts, "2c3c4c", "exact").equities
        for texts in (["AsAh", "QQ", "JJ"], ["KK", "AsAh", "JJ"], ["KK", "QQ", "AsAh"])
    ]
    assert result.equities == pytest.approx([sum(column) / 3 for column in zip(*parts, strict=True)])


@pytest.mark.parametrize(("texts", "board"), SPOTS)
def test_sampled_agrees_with_exact(texts, board):
    exact = compute_equity(texts, board, "exact")
    sampled = compute_equity(texts, board, "sample", samples=100_000, seed=11)
    assert (sampled.exact, sampled.seed, sampled.boards) == (False, 11, 100_000)
    for share, true, (low, high) in zip(sampled.equities, exact.equities, sampled.intervals, strict=True):
        assert abs(share - true) <= high - low  # twice the 95 % half-width
        assert low <= share <= high


def test_random_opponents_are_dealt_without_bias():
    """Players with any two cards take what the others leave; their twin here is a range spelt out by weight."""
    exact = compute_equity(["AhKh,7c2d:0.2", "random"], "Qh7h2s3c", "exact")
    sampled = compute_equity(["AhKh,7c2d:0.2", "random"], "Qh7h2s3c", "sample", samples=200_000, seed=2)
    assert sampled.equities[0] == pytest.approx(exact.equities[0], abs=0.005)
    nearly = compute_equity(["AhKh", "random, 9c9d:0.999", "TT+"], "Qh7h2s", "sample", samples=200_000, seed=3)
    free = compute_equity(["AhKh", "random", "TT+"], "Qh7h2s", "sample", samples=200_000, seed=4)
    assert free.equities == pytest.approx(nearly.equities, abs=0.006)


def test_ten_random_players_share_alike():
    result = compute_equity(["random"] * 10, method="sample", samples=50_000, seed=1)
    assert sum(result.equities) == pytest.approx(1)
    assert result.equities == pytest.approx([0.1] * 10, abs=0.006)


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    """300 runs of 500 samples: between 90 % and 99 % of the intervals hold the exact value."""
    exact = compute_equity(["AhKh", "QdQc"], "Qh7h2s").equities[0]
    covered = 0
    for seed in range(300):
        low, high = compute_equity(["AhKh", "QdQc"], "Qh7h2s", "sample", samples=500, seed=seed).intervals[0]
        covered += low <= exact <= high
    assert 270 <= covered <= 297


def test_a_sure_winner_has_no_empty_interval():
    result = compute_equity(["AhAs", "2c2d"], "AcAdKh3h", "sample", samples=1000)
    assert result.equities == (1.0, 0.0)
    assert result.intervals[0][0] < 1
    assert result.intervals[1][1] > 0


@pytest.mark.parametrize("method", ["exact", "sample"])
@pytest.mark.parametrize("players", [2, 3])
def test_threads_do_not_change_the_answer(method, players):
    texts = ["TT+:0.3,AKs", "22-99:0.7,AKo:0.1", "AQs"][:players]
    results = [
        compute_equity(texts, "Qh7h2s", method, samples=60_000, seed=5, threads=threads) for threads in (1, 2, 3)
    ]
    assert results[0] == results[1] == results[2]


def test_the_seed_decides():
    first, again, other = (compute_equity(["AA", "random"], method="sample", samples=5000, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first.equities != other.equities


def test_auto_samples_what_is_too_much_and_says_so():
    result = compute_equity(["random", "random"], samples=1000)
    assert not result.exact
    assert "2,598,960 boards x 1,758,276 deals" in result.note
    assert compute_equity(["random", "AsAh"], "Qh7h2s").exact
    with pytest.raises(KibitzError, match="method='sample'"):
        compute_equity(["random", "random", "random"], method="exact")


def test_work_is_counted_before_it_is_done():
    work = count_work([Range.parse("AsAh"), Range.parse("QQ+")], parse_cards("2c3d4h"))
    assert (work.boards, work.hands, work.deals, work.players) == (comb(47, 2), 18, 18, 2)


@pytest.mark.parametrize("board", [(), (51,), (51, 0), (51, 0, 7), (51, 0, 7, 20), (51, 0, 7, 20, 30)])
def test_boards_are_all_combinations_in_order(board):
    from kibitz.equity import _kernels

    deck = [card for card in range(3, 50, 4) if card not in board]
    listed = BoardList(deck, board)
    expected = [cards_to_mask((*board, *rest)) for rest in combinations(deck, 5 - len(board))]
    assert len(listed) == len(expected)
    for start in {0, len(expected) // 3, len(expected) - 1}:
        state = listed.state(start)
        dealt: list[int] = []
        while len(dealt) < len(expected) - start:
            block = np.zeros(min(7, len(expected) - start - len(dealt)), dtype=np.uint64)
            _kernels.next_boards(listed.deck, listed.tails, listed.tail_starts, state, block)
            dealt += block.tolist()
        assert dealt == expected[start:]


@pytest.mark.parametrize(
    ("hands", "board", "message"),
    [
        (["AsAh"], "", "two to ten"),
        (["AsAh"] * 11, "", "two to ten"),
        (["AsAh", "AsKs"], "", "card twice"),
        (["AA", "AA", "AA"], "2c3c4c", "card twice"),
        (["AsAh", "KsKh"], "AsKd2c", "not possible|no hand"),
        (["AsAh", "KsKh"], "2c3c4c5c6c7c", "zero to five"),
        (["AsAh", "KsKh"], (2, 2, 3), "twice"),
        (["AsAh", "KsK"], "", "'KsK'"),
    ],
)
def test_impossible_deals_are_refused(hands, board, message):
    with pytest.raises(CardError, match=message):
        compute_equity(hands, board)


def test_sampling_an_impossible_deal_ends():
    with pytest.raises(CardError, match="tries"):
        compute_equity(["AA", "AA", "AA"], method="sample", samples=10)


def test_answers_print_in_one_line():
    assert str(compute_equity(["AsAh", "KdKc"])) == "81.2555% 18.7445% (exact, 1,712,304 boards)"
    sampled = Equity((0.5, 0.5), (4.0, 4.0), (2.0, 2.0), 10, 10.0, False, ((0.4, 0.6), (0.4, 0.6)), 7)
    assert str(sampled) == "50.00% ± 10.00% 50.00% ± 10.00% (10 sampled boards, seed 7)"

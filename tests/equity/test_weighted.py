"""Many tight ranges: deals drawn among the hands that are left, and weighted."""

from collections import Counter

import numpy as np
import pytest

from equity.plain_dealer import plain_log_weight
from kibitz.cards import cards_to_mask, parse_cards
from kibitz.equity import Range, compute_equity
from kibitz.equity.exact import exact_equity, list_deals
from kibitz.equity.sampled import Dealer, count_shares
from kibitz.errors import CardError

SPOTS = [  # fewer than one plain try in 128 succeeds, players differ, and there are few enough deals to count
    (["AcAd,AhAs,KcKd", "KK,QQ:0.5", "AA,KK,AKs", "AA,AhQh:0.3,AKs", "KK,AKs:0.2,9c9d"], "Qh7h2s3c"),
    (["QQ+"] * 4 + ["QQ:0.2,KK,AA:0.5", "99-JJ"], "Qh7h2s3c9c"),
    (["AK,AQ:0.4"] * 3 + ["AT:0.5,AQ", "KK", "KK:0.3,QQ"], "Ts8d2h3s"),
]


def read(texts: list[str], board: str) -> tuple[list[Range], tuple[int, ...]]:
    """The ranges without hands that need a card of the board, and the board."""
    cards = parse_cards(board)
    ranges = []
    for each in map(Range.parse, texts):
        kept = [(hand, w) for hand, w in zip(each.hands, each.weights, strict=True) if not set(hand) & set(cards)]
        ranges.append(Range(tuple(hand for hand, _ in kept), tuple(weight for _, weight in kept)))
    return ranges, cards


@pytest.mark.parametrize(("texts", "board"), SPOTS)
def test_weighted_samples_agree_with_exact(texts, board):
    exact = exact_equity(*read(texts, board))
    sampled = compute_equity(texts, board, "sample", samples=200_000, seed=3)
    assert "weighted" in sampled.note
    assert sampled.boards == sampled.total == 200_000
    assert sum(sampled.equities) == pytest.approx(1)
    for share, true, (low, high) in zip(sampled.equities, exact.equities, sampled.intervals, strict=True):
        assert abs(share - true) <= high - low  # twice the 95 % half-width
        assert low <= share <= high
    for wins, ties, true_wins, true_ties in zip(sampled.wins, sampled.ties, exact.wins, exact.ties, strict=True):
        assert wins / sampled.total == pytest.approx(true_wins / exact.total, abs=0.015)
        assert ties / sampled.total == pytest.approx(true_ties / exact.total, abs=0.015)


@pytest.mark.parametrize(("texts", "board"), SPOTS)
def test_weighted_intervals_cover_the_truth_about_as_often_as_they_say(texts, board):
    """200 runs of 500 samples: 90 % to 99 % of the intervals hold the exact value, and more where it is near 0 or 1."""
    exact = exact_equity(*read(texts, board))
    results = [compute_equity(texts, board, "sample", samples=500, seed=seed) for seed in range(200)]
    for player, true in enumerate(exact.equities):
        covered = sum(low <= true <= high for low, high in (each.intervals[player] for each in results))
        assert 180 <= covered <= (198 if 0.2 < true < 0.8 else 200)


def test_deals_weigh_as_in_the_plain_twin():
    from kibitz.equity import _kernels

    ranges, board = read(*SPOTS[1])
    dealer = Dealer(ranges, board)
    hands, log_weights = dealer.deal_weighted(seed=5, start=0, size=300)
    names = {cards_to_mask((*hand, *board)): hand for each in ranges for hand in each.hands}
    for masks, log_weight in zip(hands.T.tolist(), log_weights.tolist(), strict=True):
        held = [names[mask] for mask in masks]
        assert all(hand in each.hands for hand, each in zip(held, ranges, strict=True))
        assert len({card for hand in held for card in hand}) == 2 * len(ranges)
        assert log_weight == pytest.approx(plain_log_weight(ranges, held, dealer.order.tolist(), _kernels.EVENLY))


def test_weighted_deals_come_in_proportion_to_the_product_of_weights():
    ranges, board = read(["AA:0.3,AKs", "AhKh,KK:0.2,AsAd", "AA:0.7,KcKs,AKs:0.1"], "Qh7h2s3c9c")
    hands, log_weights = Dealer(ranges, board).deal_weighted(seed=1, start=0, size=100_000)
    weights = np.exp(log_weights)
    found = Counter[tuple[int, ...]]()
    for deal, weight in zip(map(tuple, hands.T.tolist()), weights.tolist(), strict=True):
        found[deal] += weight / weights.sum()
    masks, rows, products = list_deals(ranges)
    fixed = cards_to_mask(board)
    expected = {
        tuple(int(masks[row]) | fixed for row in deal): product / products.sum()
        for deal, product in zip(rows.tolist(), products.tolist(), strict=True)
    }
    assert found.keys() <= expected.keys()
    for deal, probability in expected.items():
        assert found[deal] == pytest.approx(probability, abs=6 * (probability / 50_000) ** 0.5)


def test_a_sample_depends_on_its_number_alone():
    dealer = Dealer([Range.parse("JJ+")] * 8, ())
    hands, log_weights = dealer.deal_weighted(seed=2, start=0, size=50)
    later, later_weights = dealer.deal_weighted(seed=2, start=30, size=20)
    assert (hands[:, 30:] == later).all()
    assert (log_weights[30:] == later_weights).all()


def test_threads_do_not_change_a_weighted_answer():
    results = [compute_equity(["JJ+"] * 8, samples=60_000, seed=5, threads=threads) for threads in (1, 2, 3)]
    assert results[0] == results[1] == results[2]


def test_as_many_players_as_the_cards_allow():
    """Eight pairs of jacks to aces take all sixteen cards; all players are alike, so each has an eighth."""
    result = compute_equity(["JJ+"] * 8, samples=400_000)
    assert result.equities == pytest.approx([1 / 8] * 8, abs=0.003)
    assert "only 0 of 4,096 tries" in result.note
    assert "exact would count" in result.note
    few = compute_equity(["TT+"] * 10, method="sample", samples=10)
    assert sum(few.equities) == pytest.approx(1)
    assert all(high - low > 0.2 for low, high in few.intervals)


def test_free_players_take_what_weighted_deals_leave():
    texts, board = ["QQ+"] * 5, "Qh7h2s3c9c"
    alone = exact_equity(*read(texts, board))
    joined = compute_equity([*texts, "random"], board, "sample", samples=50_000)
    assert "weighted" in joined.note
    assert joined.equities[:5] == pytest.approx(alone.equities, abs=0.01)


def test_a_sure_winner_of_weighted_deals_has_no_empty_interval():
    result = compute_equity(["AcKc"] + ["TT-QQ"] * 6, "AhAdAsKdKh", "sample", samples=1000)
    assert "weighted" in result.note
    assert result.equities[0] == 1
    assert result.intervals[0][0] < 1


def test_weights_too_small_for_a_float_only_matter_in_proportion():
    tiny = ["AsAh,KcKd:1e-200,QQ:2e-200", "AsAh,KhKs:1e-200,JJ:3e-200", "AsAh,99:1e-200,88:1e-200"]
    exact, sampled = compute_equity(tiny, "7h2s3c", "exact"), compute_equity(tiny, "7h2s3c", "sample", samples=100_000)
    assert sum(exact.equities) == pytest.approx(1)
    assert sampled.equities == pytest.approx(exact.equities, abs=0.01)


@pytest.mark.parametrize("weight", ["1e-200", "1e-320"])
def test_a_range_of_which_only_tiny_weights_are_left(weight):
    texts = ["AcAd", "AhAs", f"AA,KK:{weight}", f"AA,QQ:{weight}"]
    exact = compute_equity(["AcAd", "AhAs", "KK", "QQ"], "7h2s3c4d")
    assert compute_equity(texts, "7h2s3c4d").equities == pytest.approx(exact.equities)
    sampled = compute_equity(texts, "7h2s3c4d", "sample", samples=50_000)
    assert sampled.equities == pytest.approx(exact.equities, abs=0.01)


def test_plain_deals_are_not_weighted():
    for texts in (["random"] * 10, ["random,AA:0.5"] * 10, ["22+"] * 10, ["AsAh", "AsAd,KK"]):
        assert compute_equity(texts, method="sample", samples=10).note == ""


@pytest.mark.parametrize("texts", [["AA"] * 3, ["JJ+"] * 9, ["AK"] * 5])
def test_ranges_that_do_not_fit_together_are_refused(texts):
    with pytest.raises(CardError, match=r"0 of 4,096 tries.* widen the ranges"):
        compute_equity(texts, method="sample", samples=10)


def test_shares_of_boards_are_those_of_the_kernel():
    from kibitz.equity import _kernels

    values = np.random.default_rng(0).integers(1, 4, (4, 500), dtype=np.int32)
    shares = np.zeros((4, 5))
    _kernels.count_players(values, 500, np.arange(4, dtype=np.int32)[None, :], np.ones(1), shares)
    assert (count_shares(values, np.ones(500)) == shares).all()
    weights = np.random.default_rng(1).random(500)
    weighted = count_shares(values, weights)
    assert (weighted[:, 1:] / np.arange(1, 5)).sum() == pytest.approx(weights.sum())

"""All hands of all streets, where the user's cache holds their features (`kibitz abstract cards 5-bucket` makes them).

Without them each test would begin with ten seconds or more of work on two cores.
"""

from itertools import permutations

import numpy as np
import pytest

from abstraction.conftest import USER_CACHE
from abstraction.features_of_hands import hand_feature
from abstraction.plain_features import place, river_values
from kibitz.abstraction import build_abstraction
from kibitz.abstraction.clusters.streets import opponent_clusters
from kibitz.abstraction.features.boards import LAYOUT, STREETS, get_boards, pair_cards, pair_number
from kibitz.abstraction.features.strength import feature_scale, feature_table, pair_classes
from kibitz.cards import parse_cards
from kibitz.deals.bucketed import bucketed_deal
from kibitz.games import load_game

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all((USER_CACHE / LAYOUT / f"strength-{size}.npy").exists() for size in STREETS),
        reason="the features of all hands are not in the cache",
    ),
]

# `kibitz equity HAND random --method exact`: E[HS] is the equity against a random hand.
EXACT = {"AsAh": 0.8520371330210104, "7c2d": 0.34583647315344157, "Ks8h": 0.5602017255757179}


@pytest.fixture(autouse=True)
def user_cache(monkeypatch):
    """Read, never written: what these tests build is not saved."""
    monkeypatch.setenv("KIBITZ_CACHE", str(USER_CACHE))


@pytest.fixture(scope="module")
def five_buckets():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", str(USER_CACHE))
        yield build_abstraction("5-bucket", threads=2)


@pytest.mark.parametrize("hand", EXACT)
def test_starting_hands_against_exact_equities(hand):
    assert hand_feature("EHS", parse_cards(hand), ()) == pytest.approx(EXACT[hand], abs=1e-15)


@pytest.mark.parametrize("size", STREETS)
def test_hands_share_every_board(size):
    """The mean of E[HS] is one half, exactly; symmetric hands are equal, and E[HS²] >= E[HS]²."""
    boards, table = get_boards(size), feature_table("EHS", size)
    total = int((table.sum(axis=1, dtype=np.int64) * boards.weights).sum())
    hands = int(boards.weights.sum()) * (52 - size) * (51 - size) // 2
    assert 2 * total == hands * feature_scale("EHS", size)
    rows = np.random.default_rng(0).integers(len(boards), size=min(len(boards), 300))
    means = table[rows] / feature_scale("EHS", size)
    if size < 5:
        squares = feature_table("EHS2", size)[rows] / feature_scale("EHS2", size)
        assert (squares >= means**2 - 1e-12).all()
        assert (squares <= means + 1e-12).all()


@pytest.mark.parametrize("size", [3, 4, 5])
def test_random_hands_by_enumeration(size):
    random = np.random.default_rng(size)
    for _ in range(2 if size == 3 else 10):
        cards = tuple(random.choice(52, 2 + size, replace=False).tolist())
        hole, board = cards[:2], cards[2:]
        values = river_values(hole, board) / 1980
        assert hand_feature("EHS", hole, board) == pytest.approx(values.mean(), abs=1e-12)
        assert hand_feature("EHS2", hole, board) == pytest.approx((values**2).mean(), abs=1e-12)


@pytest.mark.parametrize(
    ("feature", "hand", "share"),
    [("EHS", "Kh8s", 0.2730), ("EHS2", "Kh8s", 0.3017), ("EHS", "Kh9s", 0.2081), ("EHS2", "Kh9s", 0.2293)],
)
def test_where_king_eight_stands(feature, hand, share):
    """The share of starting hands as good or better, exactly: neither K8o nor K9o is among the best fifth.

    The digest of Hawkin (2014), G9, has about 31 % and 32 % for K8o and 18 % for K9o, from 1,500 sampled boards a
    class; its conclusion, that the thesis's remark does not hold for cuts at 20 %, stands.
    """
    table = feature_table(feature, 0)[0]
    assert (table >= table[pair_number(*parse_cards(hand))]).mean() == pytest.approx(share, abs=1e-4)
    assert build_abstraction(f"IR {feature} 5-1-1-1").bucket(parse_cards("Kh8s")) == 3


def test_masses(five_buckets):
    """Equal but for ties; as often in deals."""
    deal = bucketed_deal(load_game("holdem-limit-2p"), five_buckets, threads=2)
    states = deal.draw(5, 0, 400_000).states
    for round_, tolerance in enumerate((0.02, 0.02, 0.02, 0.5)):
        masses, count = five_buckets.masses[round_], five_buckets.counts[round_]
        assert masses.sum() == pytest.approx(1)
        assert np.abs(masses * count - 1).max() < tolerance
        seen = np.bincount(states[:, round_].ravel(), minlength=count) / 800_000
        assert np.abs(seen - masses).max() < 6 * np.sqrt(masses.max() / 400_000)


def test_ties_go_down(five_buckets):
    """On the river no value is in two buckets of one parent, and each cut is the first value to reach its share."""
    cut = five_buckets.rounds[3].cuts[0]
    random = np.random.default_rng(0)
    boards = get_boards(5)
    seen = {}
    for row in random.integers(len(boards), size=2000):
        board = boards.cards[row].tolist()
        hole = random.choice([card for card in range(52) if card not in board], 2, replace=False).tolist()
        parent, bucket = five_buckets.bucket(hole, board[:4]), five_buckets.bucket(hole, board)
        value = round(1980 * hand_feature("EHS", hole, board))
        assert bucket == 5 * parent + int((cut.thresholds[parent] < value).sum())
        assert seen.setdefault((parent, value), bucket) == bucket


def test_names_of_suits_mean_nothing(five_buckets):
    random, suits = np.random.default_rng(1), list(permutations(range(4)))
    for _ in range(300):
        cards = random.choice(52, 7, replace=False).tolist()
        names = suits[random.integers(24)]
        renamed = [card // 4 * 4 + names[card % 4] for card in cards]
        for size in STREETS:
            assert five_buckets.bucket(cards[:2], cards[2 : 2 + size]) == five_buckets.bucket(
                renamed[1::-1], renamed[2 : 2 + size]
            )


def test_buckets_without_recall():
    """Starting hands by clusters, rivers by percentiles of HS: masses as in deals, strong hands in the last buckets."""
    abstraction = build_abstraction("IR KE-PHS 8-1-1-25", seed=1)
    again = build_abstraction("IR KE-PHS 8-1-1-25", seed=1, threads=2)
    assert again.fingerprint == abstraction.fingerprint
    assert abstraction.counts.tolist() == [8, 1, 1, 25]
    assert abstraction.bucket(parse_cards("AsAh")) == 7
    assert abstraction.bucket(parse_cards("3s2h")) == 0
    assert abstraction.bucket(parse_cards("AsAh"), parse_cards("AcAdKs7h2c")) == 24
    states = bucketed_deal(load_game("holdem-limit-2p"), abstraction).draw(0, 0, 200_000).states
    for round_ in (0, 3):
        masses = abstraction.masses[round_]
        seen = np.bincount(states[:, round_].ravel(), minlength=len(masses)) / 400_000
        assert np.abs(seen - masses).max() < 0.005


def test_opponents():
    """Eight clusters of whole classes, the weakest first: 3 2 in one, aces in the last."""
    clusters = opponent_clusters()
    assert set(clusters.tolist()) == set(range(8))
    for number in range(169):
        assert len(set(clusters[pair_classes() == number].tolist())) == 1
    assert clusters[pair_number(*parse_cards("3h2s"))] == 0
    assert clusters[pair_number(*parse_cards("AhAs"))] == 7
    strength = feature_table("EHS", 0)[0]
    means = [strength[clusters == cluster].mean() for cluster in range(8)]
    assert means == sorted(means)


def test_every_pair_is_where_it_says():
    table, boards = feature_table("EHS", 3), get_boards(3)
    board = parse_cards("Ks8s3d")
    for pair, hole in enumerate(pair_cards().tolist()):
        if pair % 101 == 0 and not set(hole) & set(board):
            row, place_there = place(boards, tuple(hole), board)
            assert hand_feature("EHS", hole, board) == table[row, place_there] / feature_scale("EHS", 3)

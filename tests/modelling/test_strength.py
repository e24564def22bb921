"""Hand strength as a number."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from kibitz.abstraction.features.cache import cache_folder
from kibitz.abstraction.files import abstraction_folder
from kibitz.abstraction.notation import parse_notation
from kibitz.cards import parse_cards
from kibitz.errors import KibitzError
from kibitz.modelling.cases.strength import BOARD_CARDS, SARTRE_STRENGTH, load_strength
from kibitz.plans import kind_of


def random_hands(size: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(size)
    cards = np.array([rng.permutation(52)[: 2 + size] for _ in range(count)], dtype=np.uint8)
    return np.ascontiguousarray(cards[:, :2]), np.ascontiguousarray(cards[:, 2:])


def check_batches(strength, count: int) -> None:
    for round_, size in enumerate(BOARD_CARDS):
        hole, board = random_hands(size, count)
        found = strength.buckets(hole, board, round_)
        assert found.tolist() == [strength.bucket(a, b) for a, b in zip(hole.tolist(), board.tolist(), strict=True)]
        assert found.min() >= 1
        assert found.max() <= strength.counts[round_]


def test_made_hands():
    strength = load_strength("made-hand")
    check_batches(strength, 300)

    def bucket(hole: str, board: str = "") -> int:
        return strength.bucket(parse_cards(hole), parse_cards(board))

    assert bucket("AsAh") > bucket("2s2h") > bucket("AsKh") > bucket("3s2h")
    assert bucket("AsAh", "2c7d9h") > bucket("AsKh", "2c7d9h") > bucket("4s3h", "2c7d9h")
    assert bucket("4s3h", "5c6d7h2s") > bucket("AsAh", "5c6d7h2s")


@pytest.mark.parametrize("name", ["5-bucket", "IR KE-KO 169-50-50-50", "IR EHS2/EHS 6/2-6/2-6/2-6/2", "nonsense"])
def test_other_abstractions_are_refused(name):
    with pytest.raises(KibitzError):
        load_strength(name)


def test_a_name_is_enough_to_send_it():
    strength = load_strength(SARTRE_STRENGTH)
    assert strength.counts == (169, 50, 50, 50)
    again = pickle.loads(pickle.dumps(strength))
    assert (again.name, again.counts) == (strength.name, strength.counts)


@pytest.mark.slow
@pytest.mark.parametrize("name", [SARTRE_STRENGTH, "IR EHS2 50-50-50-50"])
def test_percentiles_of_ehs2(name):
    if not kind_of(abstraction_folder(parse_notation(name))) or not (cache_folder() / "boards-1").is_dir():
        pytest.skip("the tables of E[HS²] are not in the cache")
    strength = load_strength(name)
    check_batches(strength, 500)
    total = strength.counts[0]
    assert strength.bucket(parse_cards("AsAh"), ()) == total
    assert strength.bucket(parse_cards("3s2h"), ()) == 1
    kings, jacks = (strength.bucket(parse_cards(cards), ()) for cards in ("KsKh", "JsJh"))
    assert kings >= jacks
    nuts = parse_cards("AsKs"), parse_cards("QsJsTs2h3d")
    assert strength.bucket(*nuts) == 50
    assert strength.bucket(parse_cards("3d2h"), parse_cards("AsKsQs9h8c")) < 10
    hole, board = random_hands(3, 20_000)
    shares = np.bincount(strength.buckets(hole, board, 1), minlength=51)[1:] / 20_000
    assert abs(shares - 1 / 50).max() < 0.006


def test_there_is_an_end_to_buckets():
    with pytest.raises(KibitzError, match="at most 1,000 buckets"):
        load_strength("IR EHS2 169-70000-50-50")

"""Card features: how many there are, what some hands look like."""

import numpy as np
import pytest

from kibitz.cards import parse_cards
from kibitz.learning.cards.names import SHORT_RIVER, private_names, public_names
from kibitz.learning.cards.tables import BY_RANK, PAIRS, ROW, WINDOWS, pair_table
from learning.described import MODES, describe_board, describe_hands


def named(names, numbers, values) -> dict[str, float]:
    return {names[n]: round(float(v), 4) for n, v in zip(numbers, values, strict=True)}


def features(hole: str, board: str = "", profile="complete") -> dict[str, float]:
    """A hand's private features by name."""
    stage = {0: 0, 3: 1, 4: 2, 5: 3}[len(parse_cards(board))]
    (numbers,), (values,), (count,) = describe_hands(stage, [parse_cards(hole)], parse_cards(board), MODES[profile])
    return named(private_names(profile, stage), numbers[:count], values[:count])


def board_features(board: str) -> dict[str, float]:
    """A board's public features of its last stage by name."""
    kind = len(parse_cards(board)) - 2
    return named(public_names("complete", kind), *describe_board(kind, parse_cards(board), MODES["complete"]))


def test_counts_are_those_of_the_printed_lists():
    assert [len(public_names("listed", stage)) for stage in range(4)] == [0, 16, 25, 34]
    assert [len(private_names("listed", stage)) for stage in range(4)] == [6, 72, 87, 71]
    assert [len(public_names("complete", stage)) for stage in range(4)] == [0, 16, 25, 36]
    assert [len(private_names("complete", stage)) for stage in range(4)] == [6, 73, 92, 74]
    assert len(SHORT_RIVER) == 30
    for stage in range(4):
        for names in (public_names("complete", stage), private_names("complete", stage)):
            assert len(set(names)) == len(names)


def test_hands_before_the_flop():
    assert features("AhAd") == {"pocket pair": 1, "rank of pair": 1}
    assert features("Th9h") == {
        "high rank": round(9 / 13, 4), "low rank": round(8 / 13, 4), "suited": 1, "straights with both": 1,
    }  # fmt: skip
    assert features("Ah2d")["straights with both"] == 0.25  # the wheel alone
    assert "straights with both" not in features("Kh2d")


def test_the_printed_example_of_flushes_on_the_turn():
    """Sweeney 2012, table 4-1: three of a suit on the turn, from the flop or with the turn."""
    assert "other suit after one suit" in board_features("2h7hJh3c")
    assert "third of the suit" in board_features("2h7hJc3h")
    found = features("AhKh", "2h7hJh3c")
    assert found["three of a suit: flush"] == 1
    assert "three of a suit: higher ranks" not in found  # nothing beats the ace
    drawn = features("QhKc", "2h7hJc3h")
    assert drawn["three of a suit: draw with one card"] == 1
    assert drawn["three of a suit: higher ranks of draw"] == 0.5  # ace and king, of four
    assert not any("suit" in name for name in features("QcKc", "2h7hJh3d"))


def test_ranks_and_straights_on_the_flop():
    found = features("9c8d", "7h6s2c")
    assert found["double draw"] == 1
    assert features("9c8d", "7h6s5c")["straight"] == 1
    assert features("Qc8d", "Jh9s2c")["single draw"] == 1
    assert features("Qc2d", "JhTs9c")["1gap draw"] == 1
    assert features("7c7d", "7h6s2c") | {"no-pair flop: set": 1} == features("7c7d", "7h6s2c")
    assert features("AcKd", "7h7s2c")["pair flop: hole cards above pair"] == 0.5
    assert features("7cKd", "7h7s2c")["pair flop: rank of trips kicker"] == round(12 / 13, 4)
    assert "pair flop: rank of trips kicker" not in features("7cKd", "7h7s2c", profile="listed")


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ("7h7s7c", "trips flop"), ("7h7s2c", "pair flop"), ("7h6s2c", "no-pair flop"), ("7h7s7c7d", "quads board"),
        ("7h7s2c7d", "turn matches flop pair"), ("7h7s2c2d", "turn makes two pair"),
        ("7h6s2c2d", "turn matches flop card"), ("2h5h8hJhKh", "flush board"),
        ("7h7s7c7d2c", "rank of river beside quads"), ("7h7s2c7d2d", "river matches kicker of trips"),
        ("7h7s2c2d2h", "river matches one of two pair"), ("AhKdQcJsTh", "straight board"),
        ("2h5h8cJcKh", "front-door flush connects"), ("2h5h8cJcKc", "back-door flush connects"),
        ("2h5d8cJcKc", "river makes three of a suit"),
    ],
)  # fmt: skip
def test_boards(board, name):
    assert name in board_features(board)


def test_pairs_of_ranks_have_the_states_that_their_windows_say():
    """The table against the definitions, one pair and one board at a time."""
    noise = np.random.default_rng(0)
    for _ in range(300):
        ranks = int(sum(1 << int(rank) for rank in noise.choice(13, noise.integers(1, 5), replace=False)))
        pair = int(noise.integers(len(PAIRS)))
        held = int(PAIRS[pair])
        completing, made = 0, False
        for window in map(int, WINDOWS):
            missing = window & ~ranks
            if missing & held == held:
                made |= missing == held
                rest = missing & ~held
                completing |= rest if rest.bit_count() == 1 else 0
        half, bit = divmod(pair, 39)
        said = [bool(each >> bit & 1) for each in pair_table()[ROW[ranks], :, half].tolist()]
        assert said[:BY_RANK] == [each == (3 if made else min(completing.bit_count(), 2)) for each in range(4)]
        assert said[BY_RANK:] == [bool(completing >> rank & 1) for rank in range(13)]

"""The cards of a PHH hand read at once: as if looked up one by one, and nothing else is taken for cards."""

import numpy as np
import pytest

from kibitz.cards import CARD_TEXT
from kibitz.games import Deal
from kibitz.io._phh_deal import deal_of_text
from kibitz.io._phh_toml import IrregularError

CHARACTERS = "".join(map(chr, range(33, 127))) + "é♠"


def plain(holes: list[str], board: str) -> Deal | None:
    """The cards one by one; None if they cannot be dealt."""
    hands = [[] if text == "????" else [text[:2], text[2:]] for text in holes]
    public = [board[at : at + 2] for at in range(0, len(board), 2)]
    dealt = [card for cards in [*hands, public] for card in cards]
    if len({*dealt} & {*CARD_TEXT}) != len(dealt):
        return None
    return Deal(tuple(tuple(map(CARD_TEXT.index, hand)) for hand in hands), tuple(map(CARD_TEXT.index, public)))


def read(holes: list[str], board: str) -> Deal | None:
    try:
        return deal_of_text(holes, board)
    except (IrregularError, ValueError):  # what the reader of hands takes for irregular
        return None


@pytest.mark.parametrize("players", [2, 6, 10])
@pytest.mark.parametrize("shown", [0, 3, 5])
def test_cards_are_those_looked_up_one_by_one(players: int, shown: int) -> None:
    rng = np.random.default_rng(players + shown)
    refused = 0
    for _ in range(500):
        cards = [CARD_TEXT[card] for card in rng.permutation(52)]
        holes = ["".join(cards[2 * seat : 2 * seat + 2]) for seat in range(players)]
        if rng.integers(2):
            holes[rng.integers(players)] = "????"
        board = "".join(cards[20 : 20 + shown])
        deal = read(holes, board)
        assert deal is not None
        assert deal == plain(holes, board)
        assert {type(card) for hand in (*deal.hole, deal.board) for card in hand} <= {int}
        # One character more of any kind, which may make the same card twice.
        seat, at = int(rng.integers(players)), int(rng.integers(4))
        holes[seat] = holes[seat][:at] + CHARACTERS[rng.integers(len(CHARACTERS))] + holes[seat][at + 1 :]
        assert read(holes, board) == plain(holes, board)
        refused += plain(holes, board) is None
    assert 300 < refused < 500


@pytest.mark.parametrize("hole", ["hAsK", "AAKK", "hhss", "Ah??", "??Ah", "AhAh", "A♠Kd", "éhKd", "    "])
def test_what_is_no_hand_is_refused(hole: str) -> None:
    assert read([hole, "2c3c"], "") is None
    assert read(["2c3c", hole], "4c5c6c") is None

"""The feature of one hand, out of the table of all."""

from collections.abc import Sequence

from kibitz.abstraction.features.boards import check_hand, get_boards
from kibitz.abstraction.features.strength import feature_scale, feature_table


def hand_feature(feature: str, hole: Sequence[int], board: Sequence[int]) -> float:
    """EHS or EHS2 of one hand, between 0 and 1; on the river EHS is HS and EHS2 its square."""
    check_hand(hole, board)
    size = len(board)
    place = get_boards(size).place_hand(hole, board)
    value = feature_table(feature, size).item(place) / feature_scale(feature, size)
    return float(value**2 if size == 5 and feature == "EHS2" else value)

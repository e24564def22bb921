"""What a weighted deal counts, in plain Python."""

from collections.abc import Sequence
from math import log

from kibitz.equity import Range
from kibitz.equity.ranges import Hand


def plain_log_weight(ranges: Sequence[Range], hands: Sequence[Hand], order: Sequence[int], evenly: float) -> float:
    """log prod_p w_p / q_p for the weight w_p of player p's hand, the largest of his range taken as 1.

    q_p = (1 - evenly) w_p / R + evenly / n, where those before p in `order` left him n hands of weight R.
    """
    used: set[int] = set()
    total = 0.0
    for player in order:
        each, hand = ranges[player], hands[player]
        weights = {other: w / max(each.weights) for other, w in zip(each.hands, each.weights, strict=True)}
        left = [weight for other, weight in weights.items() if not used & set(other)]
        chance = (1 - evenly) * weights[hand] / sum(left) + evenly / len(left)
        total += log(weights[hand] / chance)
        used |= set(hand)
    return total

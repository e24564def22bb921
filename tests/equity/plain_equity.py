"""Equity's plain twin: every deal of hole cards, every board, one Python call per hand."""

from collections.abc import Sequence
from itertools import combinations, product

from kibitz.equity import Range
from kibitz.evaluator import evaluate


def plain_equities(ranges: Sequence[Range], board: Sequence[int]) -> list[float]:
    """Each player's share, deals weighted by the product of their hands' weights."""
    shares, total = [0.0] * len(ranges), 0.0
    for deal in product(*(zip(each.hands, each.weights, strict=True) for each in ranges)):
        held = [card for hand, _ in deal for card in hand]
        if len({*held, *board}) < len(held) + len(board):
            continue
        weight = 1.0
        for _, each_weight in deal:
            weight *= each_weight
        live = [card for card in range(52) if card not in held and card not in board]
        for rest in combinations(live, 5 - len(board)):
            values = [evaluate((*hand, *board, *rest)) for hand, _ in deal]
            best = max(values)
            total += weight
            for player, value in enumerate(values):
                shares[player] += weight * (value == best) / values.count(best)
    return [share / total for share in shares]

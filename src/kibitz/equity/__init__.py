"""All-in equity in hold'em: hands and ranges, two to ten players, any board; exact or sampled.

>>> print(compute_equity("AsAh", "KdKc"))
81.2555% 18.7445% (exact, 1,712,304 boards)
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from kibitz.amounts import counted
from kibitz.arguments import spread, whole
from kibitz.cards import format_cards, parse_cards
from kibitz.equity.exact import count_work, exact_equity
from kibitz.equity.ranges import Range
from kibitz.equity.result import Equity
from kibitz.equity.sampled import sampled_equity
from kibitz.errors import CardError, KibitzError

__all__ = ["METHODS", "Equity", "Range", "compute_equity"]

METHODS = ("auto", "exact", "sample")

_AUTO_SECONDS = 3.0  # `auto` samples what would take longer
_EXACT_SECONDS = 600.0  # `exact` refuses what would take longer


def compute_equity(
    *hands: Any,
    board: str | Iterable[str | int] = "",
    method: str = "auto",
    samples: int = 200_000,
    seed: int = 0,
    threads: int = 1,
) -> Equity:
    """Each player's share of the pot when all cards to come are dealt.

    >>> print(compute_equity("AsAh", "KdKc", board="Kh 7d 2c"))
    8.5859% 91.4141% (exact, 990 boards)

    hands   : one text or Range per player, a hand such as `AsAh` or a range such as `TT+, AKs:0.5`; one by one or as
              a list, which `board` and `method` may follow
    board   : 0 to 5 cards, as text or integers
    method  : `exact` counts every deal and board, `sample` draws `samples` of them from `seed`, `auto` is exact
              where that takes about three seconds or less (the work is counted first) and else says why not in `note`

    Hands of different players are drawn in proportion to the product of their weights, among those that share no card
    with each other or the board: only the proportions of a range's weights matter. Where many tight ranges seldom fit
    together, samples are weighted, which the intervals allow for. Neither method depends on `threads`.
    """
    hands, board, method = spread(hands, board, method)
    if method not in METHODS:
        raise KibitzError(f"no method is called {method!r}: there are {', '.join(METHODS)}")
    if not 2 <= len(hands) <= 10:
        raise CardError(f"{counted(len(hands), 'hand')}: equity is for two to ten players, one text or Range each")
    samples, threads, seed = whole(samples, "samples", 1), whole(threads, "threads", 1), whole(seed, "seed")
    cards = _read_board(board)
    ranges = [_without(Range.parse(hand), cards) for hand in hands]
    if method == "sample":
        return sampled_equity(ranges, cards, samples, seed, threads)
    work = count_work(ranges, cards)
    if work.fits and work.seconds <= (_AUTO_SECONDS if method == "auto" else _EXACT_SECONDS):
        return exact_equity(ranges, cards, threads)
    if method == "exact":
        raise KibitzError(
            f"exact equity would count {work}: draw some with method='sample', or give narrower ranges or more board",
            settings=("sample",),
        )
    return sampled_equity(ranges, cards, samples, seed, threads, note=f"sampled: exact would count {work}")


def _read_board(board: str | Iterable[str | int]) -> tuple[int, ...]:
    cards = parse_cards(board)
    if len(cards) > 5 or len(set(cards)) != len(cards) or not all(0 <= card < 52 for card in cards):
        raise CardError(f"the board {board!r}: zero to five different cards")
    return cards


def _without(hands: Range, board: tuple[int, ...]) -> Range:
    """The range without the hands that need a card of the board."""
    if not board and hands.hands:
        return hands
    kept = [
        (hand, weight) for hand, weight in zip(hands.hands, hands.weights, strict=True) if not set(hand) & set(board)
    ]
    if not kept:
        raise CardError(f"no hand of {hands} is possible on the board {format_cards(board)}")
    return replace(hands, hands=tuple(hand for hand, _ in kept), weights=tuple(weight for _, weight in kept))

"""What a strategy's card states mean, as its manifest says: buckets of hold'em, or all hands of a small game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.manifests import read_cards
from kibitz.deals.bucketed import bucketed_deal
from kibitz.deals.sampled import sampled_deal
from kibitz.errors import AgentError, KibitzError
from kibitz.policy.strategies import CardStates
from kibitz.strategy import Strategy

if TYPE_CHECKING:
    from kibitz.abstraction import CardAbstraction
    from kibitz.policy.base import Cards


class _Buckets:
    """The buckets of a card abstraction as card states."""

    def __init__(self, abstractions: tuple[CardAbstraction, ...], fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._abstractions = abstractions

    def state(self, player: int, round_: int, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        return self._abstractions[player].bucket(hole, board)

    def states(self, player: int, round_: int, hands: Cards, board: tuple[int, ...]) -> npt.NDArray[Any]:
        """The same of many hands at once."""
        boards = np.broadcast_to(np.array(board, dtype=np.uint8), (len(hands), len(board)))
        return self._abstractions[player].buckets(hands, boards, round_).astype(np.int32)


def card_states(strategy: Strategy) -> CardStates:
    """What the strategy's card states mean: buckets of hold'em, or all hands of a small game."""
    made, game = strategy.manifest, strategy.layout.tree.game
    try:
        told = read_cards(made)
    except KibitzError as error:
        raise AgentError(str(error)) from None
    if told is not None:
        abstractions = told.load(game.players)
        return _Buckets(abstractions, bucketed_deal(game, abstractions).fingerprint)
    for suits_merged in (True, False):
        try:
            deal = sampled_deal(game, suits_merged)
        except KibitzError:  # so many hands are put into buckets
            raise AgentError(
                "the strategy does not name its card abstraction: put Problem.describe_cards() into its manifest"
            ) from None
        if deal.fingerprint == strategy.layout.cards:
            return deal
    raise AgentError(f"card states {strategy.layout.cards}: neither those of the game with suits merged nor kept")

"""The cards of a match as tables: what every hand that a player could hold is, round by round, on every board."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.boards import PAIRS, pair_cards
from kibitz.abstraction.features.strength import pair_masks
from kibitz.cards import cards_to_mask
from kibitz.deals.bucketed import BucketedDeal
from kibitz.deals.sampled import ListedDeal
from kibitz.errors import AgentError
from kibitz.evaluator import evaluate_boards
from kibitz.games import CardSource, Game
from kibitz.games.batch import deal_cards

if TYPE_CHECKING:
    from kibitz.agents.implicit._kernels import Cards

MOST_HANDS = 2_000  # private hands that are gone through one by one after every hand of a match


def listed_cards(game: Game, deal: ListedDeal | BucketedDeal, hands: int, source: CardSource) -> Cards:
    """The deals of a match as the kernel takes them.

    Of hold'em they take some 40 kilobytes a hand: 3,000 hands 130 megabytes.
    """
    from kibitz.agents.implicit import _kernels

    if isinstance(deal, BucketedDeal):
        return _holdem_cards(game, deal, hands, source)
    listed, apart = _listed(game)
    drawn = np.searchsorted(np.array(game.deck), deal_cards(game, source, hands), sorter=np.argsort(game.deck))
    drawn = np.argsort(game.deck)[drawn]  # cards as their place in the deck
    each = game.hole_cards
    held = np.empty((hands, 2), dtype=np.int64)
    for p in range(2):
        mine = np.sort(drawn[:, p * each : (p + 1) * each], axis=1)
        held[:, p] = (listed[None] == mine[:, None]).all(axis=2).argmax(axis=1)
    board = drawn[:, 2 * each :]
    states = np.empty((hands, 2, game.rounds, len(listed)), dtype=np.int32)
    for r, end in enumerate(game.board_ends):
        places = _places(listed, board[:, :end], len(game.deck))
        for p in range(2):
            states[:, p, r] = deal.tables[deal.begin[r, p] + places]
    return _kernels.Cards(held, states, deal.strength[places], apart)


def _holdem_cards(game: Game, deal: BucketedDeal, hands: int, source: CardSource) -> Cards:
    """The same of hold'em in buckets; hands are numbered as `pair_number` does."""
    from kibitz.agents.implicit import _kernels

    drawn = deal_cards(game, source, hands)
    board = np.ascontiguousarray(drawn[:, 4:])
    held = np.empty((hands, 2), dtype=np.int64)
    for p in range(2):
        low, high = np.sort(drawn[:, 2 * p : 2 * p + 2].astype(np.int64), axis=1).T
        held[:, p] = high * (high - 1) // 2 + low
    states = np.empty((hands, 2, game.rounds, PAIRS), dtype=np.int32)
    first, second = deal.abstractions
    for r in range(game.rounds):
        states[:, 0, r] = first.board_buckets(board, r)
        states[:, 1, r] = states[:, 0, r] if second is first else second.board_buckets(board, r)
    masks = np.array([cards_to_mask(cards) for cards in board.tolist()], dtype=np.uint64)
    strength = np.ascontiguousarray(evaluate_boards(masks, pair_masks()).T)
    return _kernels.Cards(held, states, strength, _apart(pair_cards().astype(np.int64)))


def _places(listed: npt.NDArray[np.int64], board: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    """Where hands with boards stand in the tables of a deal: int64[boards, hands]."""
    place = np.zeros((len(board), len(listed)), dtype=np.int64)
    for column in listed.T:
        place = size * place + column
    for column in board.T:
        place = size * place + column[:, None]
    return place


@lru_cache(maxsize=8)
def _listed(game: Game) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """All hands, by places of their cards in the deck, ascending; and whether two of them share no card."""
    listed = np.array(list(combinations(range(len(game.deck)), game.hole_cards)), dtype=np.int64)
    if len(listed) > MOST_HANDS:
        raise AgentError(f"{len(listed):,} private hands: tables are for games with at most {MOST_HANDS:,}")
    return listed, _apart(listed)


def _apart(listed: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether two hands share no card: bool[hands, hands]."""
    return np.asarray(~(listed[:, None, :, None] == listed[None, :, None, :]).any(axis=(2, 3)))

"""Pots shared over every way the board can be completed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.arena.variance.holdings import HIDDEN, Cards, Floats
from kibitz.arena.variance.showdown import Pot
from kibitz.cards import cards_to_mask
from kibitz.equity.exact import BoardList
from kibitz.evaluator import evaluate_boards, evaluate_masks
from kibitz.games import Game
from kibitz.policy.strengths import card_sets

Masks = npt.NDArray[np.uint64]
FEW_TO_COME = 2  # cards to come up to which boards are listed at once
_BLOCK = 1 << 13  # boards valued together


def pot_shares(game: Game, player: int, pots: Sequence[Pot], holes: Cards, board: tuple[int, ...]) -> Floats:
    """The part of each pot that `player`, who may win them all, wins on average over all run-outs: float64[n, pots].

    holes : uint8[n, players, hole cards]; cards of seats that have folded do not come either
    """
    from kibitz.arena.variance import _kernels

    contenders = sorted({seat for pot in pots for seat in pot.contenders} - {player})
    known = (holes == holes[0]).all(axis=(0, 2))
    # A folded seat that might hold any of several hands keeps the cards of each off the board.
    seats = [player, *contenders, *(s for s in range(game.players) if not known[s] and s not in (player, *contenders))]
    dead = {*board, *holes[0, known].ravel().tolist()} - {HIDDEN}
    hands, rows = np.unique(card_sets(holes[:, seats]), return_inverse=True)
    rows = rows.reshape(len(holes), len(seats)).astype(np.int64)
    may_win = np.array([[seat in pot.contenders for seat in seats] for pot in pots])
    shares, counts = np.zeros((len(holes), len(pots))), np.zeros(len(holes), dtype=np.int64)
    add = _kernels.add_shares_of_two if len(seats) == 2 else _kernels.add_shares
    for boards in run_outs(game, dead, board):
        add(hand_values(game, boards, hands), rows, may_win, shares, counts)
    return np.asarray(shares / counts[:, None])


def run_outs(game: Game, dead: set[int], board: tuple[int, ...]) -> Iterator[Masks]:
    """All complete boards that go on from `board` without cards of `dead`, as masks, in blocks."""
    size = game.board_ends[-1]
    deck = [card for card in sorted(game.deck) if card not in dead]
    missing = size - len(board)
    if missing <= FEW_TO_COME or size != 5:
        fixed, bits = cards_to_mask(board), [cards_to_mask([card]) for card in deck]
        yield np.array([fixed | sum(more) for more in combinations(bits, missing)], dtype=np.uint64)
        return
    from kibitz.equity import _kernels

    listed = BoardList(deck, board)
    state = listed.state(0)
    for done in range(0, len(listed), _BLOCK):
        boards = np.empty(min(_BLOCK, len(listed) - done), dtype=np.uint64)
        _kernels.next_boards(listed.deck, listed.tails, listed.tail_starts, state, boards)
        yield boards


def hand_values(game: Game, boards: Masks, hands: Masks) -> npt.NDArray[np.int32]:
    """Showdown values: int32[hands, boards], -1 where they share a card."""
    if game.hand_ranking == "standard":
        return evaluate_boards(boards, hands)
    together, apart = hands[:, None] | boards, hands[:, None] & boards == 0
    values = np.full(together.shape, -1, dtype=np.int32)
    values[apart] = evaluate_masks(together[apart], game.hand_ranking)
    return values

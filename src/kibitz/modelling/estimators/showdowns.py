"""What one seat wins in many holdings at once: at a showdown, and on average over every way to complete the board.

Pots are those of `kibitz.games.pots`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask
from kibitz.equity.exact import BoardList
from kibitz.evaluator import evaluate_batch, evaluate_boards, evaluate_masks
from kibitz.games import Game, State
from kibitz.games.pots import merged_pots, payoffs
from kibitz.modelling.estimators.holdings import HIDDEN, Cards, Floats
from kibitz.policy.strengths import card_sets

Masks = npt.NDArray[np.uint64]
FEW_TO_COME = 2  # cards to come up to which boards are listed at once
_BLOCK = 1 << 13  # boards valued together


class Pot(NamedTuple):
    """Chips, and the seats that may win them."""

    chips: int
    contenders: tuple[int, ...]


def standing(state: State) -> tuple[int, ...]:
    """The seats that have not folded."""
    return tuple(seat for seat in range(state.game.players) if not state.folded >> seat & 1)


def pots_of(game: Game, spent: Sequence[int], left: tuple[int, ...]) -> list[Pot]:
    """The pots that the seats in `left` play for."""
    pots = merged_pots(spent, game.antes_paid, list(left), game.rules == "tda", game.ante_trimming)
    return [Pot(chips, tuple(contenders)) for chips, contenders in pots]


def settle(state: State, player: int, holes: Cards, boards: Cards) -> Floats:
    """Net chips of `player` in a hand whose betting is over.

    holes : uint8[n, players, hole cards]     boards : uint8[n, all board cards]
    """
    game, left = state.game, standing(state)
    spent, antes, rules = state.spent, game.antes_paid, (game.rules == "tda", game.ante_trimming)

    def won(strength: Sequence[int]) -> float:
        return payoffs(spent, antes, strength, whole_chips=rules[0], ante_trimming=rules[1])[player]

    if len(left) == 1:
        return np.full(len(holes), won([0 if seat in left else -1 for seat in range(game.players)]))
    strengths = _strengths(game, left, holes, boards)
    # Only the order of the hands matters, and few orders occur.
    orders = (strengths[:, :, None] > strengths[:, None, :]).sum(axis=2)
    codes = orders @ len(left) ** np.arange(len(left))
    _codes, first, which = np.unique(codes, return_index=True, return_inverse=True)
    chips = []
    for order in orders[first].tolist():
        strength = [-1] * game.players
        for seat, place in zip(left, order, strict=True):
            strength[seat] = place
        chips.append(won(strength))
    return np.array(chips)[which]


def _strengths(game: Game, left: tuple[int, ...], holes: Cards, boards: Cards) -> npt.NDArray[np.int32]:
    """Showdown values: int32[n, seats left]."""
    count = len(holes)
    hands = np.concatenate([holes[:, list(left)], np.repeat(boards[:, None], len(left), axis=1)], axis=2)
    return evaluate_batch(hands.reshape(count * len(left), -1), game.hand_ranking).reshape(count, len(left))


def pot_shares(game: Game, player: int, pots: Sequence[Pot], holes: Cards, board: tuple[int, ...]) -> Floats:
    """The part of each pot that `player`, who may win them all, wins on average over all run-outs: float64[n, pots].

    holes : uint8[n, players, hole cards]; cards of seats that have folded do not come either
    """
    from kibitz.modelling.estimators import _kernels

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

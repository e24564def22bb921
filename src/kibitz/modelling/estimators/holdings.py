"""How the cards may lie: the hands that seats could hold, each with its weight.

Where nothing is imagined there is one holding, the real one. An imagined seat may hold any hand that shares no card
with the others' and the board, weighted by how likely its policy would have acted as it did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, factorial, perm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.games import Game
from kibitz.policy.strengths import all_hands

Cards = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
HIDDEN = 255  # stands for a card that is not known


class Holdings(NamedTuple):
    """Ways the hole cards may lie.

    holes   : uint8[n, players, hole cards], HIDDEN where not known
    weights : float64[n], not normalised
    """

    holes: Cards
    weights: Floats

    def mean(self, values: Floats) -> float:
        """The mean of `values`, float64[n], by weight."""
        return float(self.weights @ values / self.weights.sum())

    def reweighted(self, factors: Floats) -> Holdings:
        """These holdings with weights multiplied by `factors`."""
        return Holdings(self.holes, self.weights * factors)

    def without(self, cards: Iterable[int]) -> Holdings:
        """The holdings that use none of `cards`."""
        used = np.isin(self.holes, np.array(list(cards), dtype=np.uint8)).any(axis=(1, 2))
        return Holdings(self.holes[~used], self.weights[~used])


def count_holdings(game: Game, imagined: int) -> int:
    """How many ways there are for that many imagined seats when all others' cards are known."""
    each = game.hole_cards
    left = len(game.deck) - each * (game.players - imagined)
    return perm(left, each * imagined) // int(factorial(each) ** imagined)


def real_holding(game: Game, hole: Sequence[Sequence[int]], shown: Iterable[int]) -> Holdings:
    """The one holding of a deal, with the hole cards of the seats in `shown`."""
    holes = np.full((1, game.players, game.hole_cards), HIDDEN, dtype=np.uint8)
    for seat in shown:
        holes[0, seat] = sorted(hole[seat])
    return Holdings(holes, np.ones(1))


def imagined_holdings(game: Game, hole: Sequence[Sequence[int]], imagined: Sequence[int]) -> Holdings:
    """All holdings in which the seats of `imagined` hold what the real cards of the others allow, equally weighted.

    A seat that is not imagined and whose cards are `()` stays hidden.
    """
    shown = [seat for seat in range(game.players) if seat not in imagined and hole[seat]]
    holes = real_holding(game, hole, shown).holes
    for seat in imagined:
        hands = all_hands(game)
        holes = np.repeat(holes, len(hands), axis=0)
        holes[:, seat] = np.tile(hands, (len(holes) // len(hands), 1))
        others = np.delete(holes, seat, axis=1).reshape(len(holes), 1, -1)
        holes = holes[~(holes[:, seat, :, None] == others).any(axis=(1, 2))]
    return Holdings(holes, np.ones(len(holes)))


def all_deals(game: Game) -> Holdings:
    """Every deal of hole cards to all seats."""
    return imagined_holdings(game, ((),) * game.players, range(game.players))


def next_boards(game: Game, holding: Cards, board: tuple[int, ...], size: int) -> Cards:
    """Every board of `size` cards that goes on from `board` and shares no card with the seats' hands.

    holding : uint8[players, hole cards]; all known
    Returns uint8[boards, size]; the new cards ascend.
    """
    used = {*board, *holding.ravel().tolist()}
    left = [card for card in sorted(game.deck) if card not in used]
    return np.array([(*board, *more) for more in combinations(left, size - len(board))], dtype=np.uint8)


def count_boards(game: Game, known: int, size: int) -> int:
    """How many boards `next_boards` lists when it goes on from `known` cards."""
    return comb(len(game.deck) - game.hole_cards * game.players - known, size - known)

"""What is believed of a player's cards by one who takes him to play a policy: Bayes over the hands he may hold.

    P(h | a_1 .. a_k)  ∝  P(h) prod_i policy(a_i | h)

The product is the reach of hand h: the chance that the policy acts as the player did.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from kibitz.errors import KibitzError
from kibitz.games import State
from kibitz.modelling.estimators.moves import find_move, moves_of
from kibitz.policy import Policy
from kibitz.policy.base import Cards, Floats, free_hands
from kibitz.policy.strengths import all_hands


class HandBelief(NamedTuple):
    """The hands that a player may hold.

    hands      : uint8[n, hole cards], those that share no card with what is known
    weights    : float64[n], which sum to 1
    surprises  : actions that the policy takes with none of these hands; the belief leaves them out
    """

    hands: Cards
    weights: Floats
    surprises: tuple[str, ...]


def believe(policy: Policy, state: State, position: int, known: Iterable[int] = ()) -> HandBelief:
    """What the betting up to `state` tells about the hand of the player at `position`, if he plays `policy`.

    known   cards that he cannot hold, the board left out: usually the hand of the one who believes

    Every hand is equally likely at first. What other players may hold is left out of account.
    """
    hands = all_hands(state.game)
    hands = hands[free_hands(hands, (*known, *state.board))]
    if not len(hands):
        raise KibitzError("all cards of the deck are known: nothing is left to believe")
    weights: Floats = np.full(len(hands), 1 / len(hands))
    surprises = []
    for past, action in state.past():
        if past.player == position:
            made = find_move(
                moves_of(policy, past, hands, state.deal.board[: past.game.board_ends[past.round]]), action
            )
            reached = np.zeros(len(hands)) if made is None else weights * made.likelihoods
            if reached.sum() > 0:
                weights = reached / reached.sum()
            else:
                surprises.append(action)
    return HandBelief(hands, weights, tuple(surprises))

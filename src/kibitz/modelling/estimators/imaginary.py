"""Imaginary observations: what else could have happened, as far as the others' choices and the cards tell.

A result is averaged over all hands the seat might have held when it acted as it did, and over the folds it might have
made on the way (all private cards and early folds, as in Bard 2016). No value function is needed,
and the policy that is valued may be another than the one that was played: importance sampling by whole betting
sequences instead of single hands.
"""

from __future__ import annotations

import numpy as np

from kibitz.errors import KibitzError
from kibitz.games import State
from kibitz.modelling.estimators.aivat import Hand
from kibitz.modelling.estimators.holdings import Floats, Holdings, imagined_holdings
from kibitz.modelling.estimators.moves import Move, find_move, moves_of
from kibitz.modelling.estimators.showdowns import settle
from kibitz.policy import Policy


def imaginary_value(
    hand: Hand, seat: int, played: Policy, target: Policy | None = None, early_folds: bool = True
) -> float:
    """Chips that `target` (by default `played`) would have won in `seat`, estimated from a hand that `played` played.

    Unbiased where the hole cards of all other seats are known, and wherever the target may go the played policy may,
    with some hand. Others' cards that are `()` are left out of account, at the price of a small bias; at a showdown
    they must be known.
    """
    walk = _Walk(hand, seat, played, target or played, early_folds)
    state = State.start(hand.game)
    for action in hand.actions:
        if state.player == seat:
            walk.act(state, action)
            if action == "f":
                return walk.total
        state = state.apply(action)
        walk.deal(state)
    boards = np.tile(np.array(walk.board, dtype=np.uint8), (len(walk.cards.holes), 1))
    return walk.total + walk.imagine(settle(state, seat, walk.cards.holes, boards))


class _Walk:
    """One hand, action by action.

    cards : the hands the seat could hold, weighted by the chances that the played policy came here with them
    reach : float64[n], those of the target policy
    """

    def __init__(self, hand: Hand, seat: int, played: Policy, target: Policy, early_folds: bool) -> None:
        self.hand, self.seat, self.played, self.target, self.early_folds = hand, seat, played, target, early_folds
        self.cards = imagined_holdings(hand.game, hand.deal.hole or ((),) * hand.game.players, (seat,))
        self.reach = np.ones(len(self.cards.holes))
        self.board: tuple[int, ...] = ()
        self.total = 0.0

    def act(self, state: State, action: str) -> None:
        """The seat does `action`; folds it might have made here are added to the total."""
        hands = self.cards.holes[:, self.seat]
        moves = moves_of(self.played, state, hands, self.board)
        wanted = moves if self.target is self.played else moves_of(self.target, state, hands, self.board)
        if wanted is not moves:
            self._check_support(state, moves, wanted)
        folded = float(-state.spent[self.seat] - state.game.antes_paid[self.seat])
        if self.early_folds:  # those that were not made, and this one if it is one
            self.total += folded * self.imagine(_likelihoods(wanted, "f", len(hands)))
        played = _likelihoods(moves, action, len(hands))
        if not self.cards.weights @ played > 0:
            raise KibitzError(
                f"{action} after {state.history!r}: the policy given for seat {self.seat} never does that"
            )
        self.cards = self.cards._replace(weights=self.cards.weights * played)
        self.reach = self.reach * _likelihoods(wanted, action, len(hands))
        if action == "f" and not self.early_folds:
            self.total = folded * self.imagine(np.ones(len(hands)))

    def _check_support(self, state: State, moves: list[Move], wanted: list[Move]) -> None:
        """Refuse a target that goes where the played policy never does: what it wins there is in no hand."""
        for move in wanted:
            if (move.action == "f" and self.early_folds) or not self.reach @ move.chances > 0:
                continue
            ends = [] if move.sizes is None else [f"r{size}" for size in move.sizes[:2]]
            for action in (move.action, *ends):
                if not self.cards.weights @ _likelihoods(moves, action, len(self.reach)) > 0:
                    raise KibitzError(
                        f"{action} after {state.history!r}: the target does that and the policy given for seat "
                        f"{self.seat} never, so that hands of the one do not tell what the other wins"
                    )

    def deal(self, state: State) -> None:
        """The board cards of the round of `state` come."""
        new = self.hand.deal.board[len(self.board) : state.game.board_ends[state.round]]
        if new:
            self.board += new
            possible = ~np.isin(self.cards.holes[:, self.seat], new).any(axis=1)
            self.cards = Holdings(self.cards.holes[possible], self.cards.weights[possible])
            self.reach = self.reach[possible]

    def imagine(self, values: Floats) -> float:
        """`values`, float64[n], averaged: the target's chances to come here over those of the policy that came."""
        return float(self.reach @ values / self.cards.weights.sum())


def _likelihoods(moves: list[Move], action: str, count: int) -> Floats:
    move = find_move(moves, action)
    return np.zeros(count) if move is None else move.likelihoods

"""AIVAT: a hand's result less the luck in it (Burch, Schmid, Moravcik, Morrill and Bowling 2018).

A hand is a chain of events: hole cards, actions, board cards. At an event whose chances are known, with value function
v and what was seen so far H, the term

    E[v | H] - v(H and what happened)

has mean zero given H, whatever v is; the result plus all such terms keeps its mean and loses what v explains of its
variance. Chances are known of cards, since all hole cards are known, and of actions of agents whose policy is known.

A known agent's own cards need not be looked at: everything may be averaged over all the hands x it could have held,
weighted by how likely it would have acted so far as it did,

    v(H) = sum_x w(x) v(H, x) / sum_x w(x),   w(x) = product of the agent's chances so far with x,

which is its distribution given what the others hold and did. These imaginary observations take the place of the
correction of its cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from kibitz.errors import KibitzError
from kibitz.games import Deal, Game, State
from kibitz.modelling.estimators.control_variates import combine
from kibitz.modelling.estimators.holdings import Cards, Floats, Holdings, imagined_holdings, real_holding
from kibitz.modelling.estimators.moves import Move, find_move, moves_of
from kibitz.modelling.estimators.showdowns import settle
from kibitz.modelling.estimators.values import ValueFunction
from kibitz.policy import Policy


class Hand(NamedTuple):
    """A finished hand as the estimators take it, seats in position order.

    result : net chips of each seat
    """

    game: Game
    deal: Deal
    actions: Sequence[str]
    result: Sequence[float]


class Corrected(NamedTuple):
    """One hand, in chips.

    result      : what was won, over imagined hands where there are any
    corrections : their sum by kind of event, each of mean zero
    terms       : how many terms of each kind went into them
    """

    result: float
    corrections: dict[str, float]
    terms: Counter[str]

    @property
    def chips(self) -> float:
        """The AIVAT estimate: every correction counts in full."""
        return combine(self.result, self.corrections, {})


class Aivat:
    """Corrects hands by one value function."""

    def __init__(self, value: ValueFunction) -> None:
        self.value = value
        self._starts: dict[tuple[Game, int], float | None] = {}

    def mean_at_start(self, game: Game, player: int) -> float | None:
        """The value function's, worked out once."""
        key = game, player
        if key not in self._starts:
            self._starts[key] = self.value.mean_at_start(game, player)
        return self._starts[key]

    def correct(
        self,
        hand: Hand,
        player: int,
        policies: Mapping[int, Policy],
        imagined: Sequence[int] = (),
        seen: Sequence[int] | None = None,
    ) -> Corrected:
        """The AIVAT estimate of what `player` won in `hand`.

        policies  of the seats whose policy is known
        imagined  seats, among those, whose cards are averaged over
        seen      seats whose hole cards every such hand shows, None for all. Where it is not all, a board's chances are
                  not known exactly (an opponent's play tells of cards that cannot come), so boards are not corrected,
                  and actions only of seats that are seen.
        """
        return _Walk(self, hand, player, policies, imagined, seen).run()


class _Walk:
    """One hand, event by event."""

    def __init__(
        self,
        aivat: Aivat,
        hand: Hand,
        player: int,
        policies: Mapping[int, Policy],
        imagined: Sequence[int],
        seen: Sequence[int] | None,
    ) -> None:
        game = hand.game
        self.aivat, self.value = aivat, aivat.value
        self.hand, self.player, self.policies = hand, player, policies
        self.boards_are_fair = seen is None
        self.known = range(game.players) if seen is None else seen
        if imagined:
            if seen is not None or not set(imagined) <= set(policies):
                raise KibitzError(f"seats {imagined} cannot be imagined: their policies and all cards must be known")
            self.cards = imagined_holdings(game, hand.deal.hole, imagined)
        else:
            self.cards = real_holding(game, hand.deal.hole, self.known)
        self.imagined = bool(imagined)
        self.board: tuple[int, ...] = ()
        self.corrections: dict[str, float] = {}
        self.terms: Counter[str] = Counter()

    def run(self) -> Corrected:
        game = self.hand.game
        state = State.start(game)
        self._deal_hole_cards(state)
        self._deal_board(state)
        for action in self.hand.actions:
            state = self._act(state, action)
            self._deal_board(state)
        result = self.hand.result[self.player]
        if self.imagined:
            result = self.cards.mean(settle(state, self.player, self.cards.holes, self._boards(self.cards.holes)))
        return Corrected(result, self.corrections, self.terms)

    def _add(self, kind: str, mean: float, happened: float) -> None:
        self.corrections[kind] = self.corrections.get(kind, 0.0) + mean - happened
        self.terms[kind] += 1

    def _boards(self, holes: Cards) -> Cards:
        return np.tile(np.array(self.board, dtype=np.uint8), (len(holes), 1))

    def _values(self, state: State, cards: Holdings) -> Floats | None:
        """What the hand is worth in each holding: known where it is over."""
        boards = self._boards(cards.holes)
        over = state.finished and (not state.showdown or len(self.board) == state.game.board_ends[-1])
        if over and (not state.showdown or self.boards_are_fair):
            return settle(state, self.player, cards.holes, boards)
        return self.value.values(state, self.player, cards.holes, boards)

    def _deal_hole_cards(self, state: State) -> None:
        self._correct("hole cards", self.aivat.mean_at_start(state.game, self.player), state)

    def _deal_board(self, state: State) -> None:
        end = state.game.board_ends[state.round]
        if end == len(self.board):
            return
        if not self.boards_are_fair:
            self.board = self.hand.deal.board[:end]
            return
        means = self.value.mean_after_deal(state, self.player, self.cards.holes, self.board)
        mean = None if means is None else self.cards.mean(means)
        # Sorted, since a value function must not tell orders of cards that come together apart.
        new = sorted(self.hand.deal.board[len(self.board) : end])
        self.cards = self.cards.without(new)
        self.board = (*self.board, *new)
        self._correct("run-out" if state.finished else f"board {end}", mean, state)

    def _correct(self, kind: str, mean: float | None, state: State) -> None:
        """Correct what was dealt, by the value function alone: the mean is of its values, not of results."""
        if mean is None:
            return
        values = self.value.values(state, self.player, self.cards.holes, self._boards(self.cards.holes))
        if values is not None:
            self._add(kind, mean, self.cards.mean(values))

    def _act(self, state: State, action: str) -> State:
        after = state.apply(action)
        seat = state.player
        if seat not in self.policies or seat not in self.known:
            return after
        moves = moves_of(self.policies[seat], state, self.cards.holes[:, seat], self.board)
        made = find_move(moves, action)
        if made is None or not self.cards.weights @ made.chances > 0:
            raise KibitzError(f"{action} after {state.history!r}: the policy given for seat {seat} never does that")
        values = self._worths(state, moves)
        if values is not None:
            mean = sum(self.cards.mean(move.chances * each) for move, each in zip(moves, values, strict=True))
            happened = self.cards.weights * made.chances
            self._add("action", mean, float(happened @ values[moves.index(made)] / happened.sum()))
        self.cards = self.cards.reweighted(made.chances)
        return after

    def _worths(self, state: State, moves: Sequence[Move]) -> list[Floats] | None:
        """What the hand is worth after each move; None where the value function does not know it for all of them."""
        found = []
        for move in moves:
            values = self._values(state.apply(move.action), self.cards)
            if values is None:
                return None
            found.append(values)
        return found

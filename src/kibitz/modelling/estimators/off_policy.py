"""What each expert would have won in a hand that their mixture played (Bowling and others 2008; Bard 2016, 2.7.2, 6.1).

For a hand that ended in z, played by the mixture s of experts k with weights w, importance sampling estimates

    V(z) * pi_k(z) / pi_s(z),    pi_s = sum of w_k pi_k,

where pi is the product of the player's own action probabilities. Two kinds of imaginary observations lower the
variance. *All private cards*: numerator and denominator are sums over all hands that the player could have held, given
what it can see. *Early folds*: at every decision on the way the player could have folded, for what it had in by then;
the end of the hand counts with its own chance only. Both are unbiased when the opponent's cards are known. Where they
are not, hands that share a card with them are counted too, which is a small bias.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.bandits import check_weights
from kibitz.errors import KibitzError
from kibitz.games import State
from kibitz.modelling.estimators.experts import Experts
from kibitz.modelling.estimators.holdings import HIDDEN
from kibitz.modelling.estimators.showdowns import settle
from kibitz.policy.base import Cards, Floats, free_hands
from kibitz.policy.strengths import all_hands


class Technique(NamedTuple):
    """Which imaginary observations are made; none is plain importance sampling."""

    all_cards: bool = True
    early_folds: bool = True


TECHNIQUES = {
    "importance": Technique(False, False),
    "folds": Technique(False, True),
    "cards": Technique(True, False),
    "imaginary": Technique(),
}


class Choice(NamedTuple):
    """A decision of the player's own, as it was made.

    node     in the betting tree of the experts
    number   of the action taken, among its children
    round    of the real hand
    folded   chips won (not above 0) by folding here; None where that was not possible
    """

    node: int
    number: int
    round: int
    folded: float | None


class Played(NamedTuple):
    """A finished hand as the player in `seat` knows it: cards of others that are `()` were not shown."""

    state: State
    seat: int
    choices: list[Choice]


def estimate(experts: Experts, weights: Floats, played: Played, technique: Technique = Technique()) -> Floats:  # noqa: B008 - a value
    """Chips that each expert would have won in this hand, which their mixture played: float64[experts].

    KibitzError where the weights are no distribution, where an expert goes where the mixture never does, and with more
    than two players, for whom no estimator is known.
    """
    players = played.state.game.players
    if players != 2:
        raise KibitzError(
            f"estimates of experts are for two players, {played.state.game.name or 'this game'} has {players}"
        )
    walk = _Walk(experts, check_weights(weights, len(experts)), played, technique)
    for choice in played.choices:
        walk.choose(choice)
    return walk.end()


class _Walk:
    """One hand, decision by decision.

    hands : uint8[n, hole cards]     that the player could hold
    reach : float64[experts, n]      chance that each expert's own actions lead here; 0 for hands that the board blocks
    total : float64[experts]         chips, so far
    """

    def __init__(self, experts: Experts, weights: Floats, played: Played, technique: Technique) -> None:
        self.experts, self.weights, self.played, self.technique = experts, weights, played, technique
        self.hands = _hands(played, technique.all_cards)
        self.reach = np.ones((len(experts), len(self.hands)))
        self.total = np.zeros(len(experts))
        self._round = -1
        self._folded: float | None = None  # what the last decision won, if it was to fold

    def choose(self, choice: Choice) -> None:
        """The player takes one of its decisions."""
        self._deal(choice.round)
        row = self.experts.row(choice.node, choice.number, self._states(choice.node))
        if not self.weights.all():
            self._check_support(choice)
        if choice.folded is not None and self.technique.early_folds:
            chances = row if choice.number == 0 else self.experts.row(choice.node, 0, self._states(choice.node))
            self.total += choice.folded * self._shares(self._spread(chances))
        self.reach *= self._spread(row)
        self._folded = choice.folded if choice.number == 0 else None

    def end(self) -> Floats:
        """The estimate when all decisions have been taken."""
        state, seat = self.played.state, self.played.seat
        if self._folded is not None:
            if not self.technique.early_folds:
                self.total += self._folded * self._shares(1.0)
            return self.total
        self._deal(state.round)
        self.total += self._shares(self._results(state, seat))
        return self.total

    def _results(self, state: State, seat: int) -> Floats:
        """Chips that each hand wins at the end: float64[n]."""
        other = state.hole[1 - seat] if state.hole else ()
        if state.showdown and len(other) != state.game.hole_cards:
            raise KibitzError(f"{state}: a showdown in which the opponent's cards are not known")
        holes = np.full((len(self.hands), 2, state.game.hole_cards), HIDDEN, dtype=np.uint8)
        holes[:, seat] = self.hands
        if other:
            holes[:, 1 - seat] = other
        free = self._free if state.showdown else np.arange(len(self.hands))  # a blocked hand has no value
        boards = np.tile(np.array(state.board, dtype=np.uint8), (len(free), 1))
        found = np.zeros(len(self.hands))
        found[free] = settle(state, seat, holes[free], boards)
        return found

    def _deal(self, round_: int) -> None:
        """The board of a round is there: hands that share a card with it cannot be held."""
        if round_ == self._round:
            return
        game = self.played.state.game
        self._round, self._board = round_, self.played.state.deal.board[: game.board_ends[round_]]
        free = free_hands(self.hands, self._board)
        self.reach[:, ~free] = 0.0
        self._free = np.flatnonzero(free)
        self._known: dict[int, list[np.ndarray]] = {}

    def _states(self, node: int) -> list[np.ndarray]:
        """The private states of the hands that are free, of all kinds of cards."""
        tree = self.experts.tree
        player, round_ = int(tree.player[node]), int(tree.round[node])
        if round_ not in self._known:
            board = self._board[: tree.game.board_ends[round_]]
            self._known[round_] = self.experts.states(player, round_, self.hands[self._free], board)
        return self._known[round_]

    def _spread(self, row: Floats) -> Floats:
        """A row of the free hands over all hands; what blocked ones do counts for nothing."""
        if len(self._free) == len(self.hands):
            return row
        found = np.zeros((len(row), len(self.hands)))
        found[:, self._free] = row
        return found

    def _shares(self, values: Floats | float) -> Floats:
        """`values` averaged: each expert's chances to come here over those of the mixture that came."""
        mixture = float((self.weights @ self.reach).sum())
        if not mixture > 0:
            state = self.played.state
            raise KibitzError(f"{state.history!r}: the mixture never plays seat {self.played.seat} like that")
        return np.asarray((self.reach * values).sum(axis=1) / mixture)

    def _check_support(self, choice: Choice) -> None:
        """Refuse an expert that goes where the mixture never does: what it wins there is in no hand."""
        tree = self.experts.tree
        for number in range(int(tree.children[choice.node])):
            if number == 0 and choice.folded is not None and self.technique.early_folds:
                continue
            row = self.reach * self._spread(self.experts.row(choice.node, number, self._states(choice.node)))
            if (row.sum(axis=1) > 0).any() and not (self.weights @ row).sum() > 0:
                name = self.experts.names[int(np.argmax(row.sum(axis=1) > 0))]
                action = tree.actions[int(tree.first_child[choice.node]) + number]
                raise KibitzError(
                    f"{action} after {tree.history(choice.node) or 'the start'!r}: {name} does that and the mixture "
                    "never, so that its hands do not tell what the expert wins; give every expert a weight above 0"
                )


def _hands(played: Played, all_cards: bool) -> Cards:
    """The hands that the player could have held, as far as the cards of others tell."""
    state, seat = played.state, played.seat
    if not all_cards:
        return np.array([sorted(state.hole[seat])], dtype=np.uint8)
    hands = all_hands(state.game)
    other = state.hole[1 - seat] if state.hole else ()
    return hands[free_hands(hands, other)] if other else hands

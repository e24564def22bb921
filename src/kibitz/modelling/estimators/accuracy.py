"""How far estimators of experts are off, by going through every hand of a small game: bias and variance, exactly.

The mixture plays one seat, a given strategy the other. Every deal and every betting sequence is weighed by its chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kibitz.bandits import check_weights
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate
from kibitz.games import Deal, State
from kibitz.modelling.estimators.experts import Experts
from kibitz.modelling.estimators.off_policy import Choice, Played, Technique, estimate
from kibitz.policy.base import Cards, Floats
from kibitz.policy.strategies import StrategyPolicy
from kibitz.tree import DECISION, Tree

INFORMATION = ("full", "partial")
MOST_HANDS = 3_000_000  # deals times terminal nodes


class Accuracy(NamedTuple):
    """Of an estimator, for each expert: float64[experts], chips per hand.

    value      what the expert wins in the seat
    mean       of the estimator
    deviation  its standard deviation in a hand
    """

    value: Floats
    mean: Floats
    deviation: Floats

    @property
    def bias(self) -> Floats:
        """How far the mean is off."""
        return np.asarray(self.mean - self.value)


def accuracy(
    experts: Experts,
    weights: Floats,
    opponent: StrategyPolicy,
    seat: int,
    technique: Technique = Technique(),  # noqa: B008 - a value
    information: str = "full",
) -> Accuracy:
    """Bias and deviation of the estimator when the mixture of the experts plays `seat` against `opponent`.

    information   "full": the opponent's cards are seen after every hand; "partial": at showdowns only
    """
    if information not in INFORMATION:
        raise KibitzError(f"information {information!r}: one of {', '.join(INFORMATION)}")
    experts.check(experts.tree.game)
    weights = check_weights(weights, len(experts))
    hands = _Hands(experts, opponent, seat)
    value, mean, square = (np.zeros(len(experts)) for _ in range(3))
    known: dict[object, Floats] = {}
    for hand in hands:
        seen = hand.state if information == "full" else hand.state.seen_by(seat)
        # With all private cards the estimate does not depend on the one that was held.
        held = () if technique.all_cards else seen.hole[seat]
        key = hand.state.history, seen.board, seen.hole[1 - seat], held
        if key not in known:
            known[key] = estimate(experts, weights, Played(seen, seat, hand.choices), technique)
        chance, found = hand.chance * float(weights @ hand.reach), known[key]
        value += hand.chance * hand.reach * hand.state.returns()[seat]
        mean += chance * found
        square += chance * found**2
    return Accuracy(value, mean, np.sqrt(np.maximum(square - mean**2, 0.0)))


class _Hand(NamedTuple):
    """A finished hand.

    chance   of the cards and of the opponent's actions
    reach    : float64[experts]   of each expert's
    """

    state: State
    choices: list[Choice]
    chance: float
    reach: Floats


class _Hands:
    """Every deal with every end of the betting."""

    def __init__(self, experts: Experts, opponent: StrategyPolicy, seat: int) -> None:
        self.experts, self.rival, self.seat = experts, Experts([opponent]), seat
        if self.rival.tree.fingerprint != experts.tree.fingerprint:
            Experts([experts.policies[0], opponent])  # which says how they differ
        self.deals = self._kinds()
        ends = np.flatnonzero(experts.tree.kind != DECISION)
        if len(ends) * len(self.deals) > MOST_HANDS:
            raise KibitzError(
                f"{len(ends) * len(self.deals):,} hands of {experts.tree.game.name or 'this game'}: at most "
                f"{MOST_HANDS:,} are gone through one by one"
            )

    def _kinds(self) -> list[tuple[Deal, float]]:
        """One deal of each kind that nobody tells apart, with its chance."""
        found: dict[object, list[Deal]] = {}
        count = 0
        for deal in _deals(self.experts.tree):
            found.setdefault(self._kind(deal), []).append(deal)
            count += 1
        return [(deals[0], len(deals) / count) for deals in found.values()]

    def _kind(self, deal: Deal) -> object:
        """What all players see of a deal in all rounds, and who would win."""
        game, (one, other) = self.experts.tree.game, deal.hole
        states = [
            tuple(each.tolist() for each in asked.states(player, r, _row(hole), deal.board[:end]))
            for asked in (self.experts, self.rival)
            for player, hole in enumerate(deal.hole)
            for r, end in enumerate(game.board_ends)
        ]
        first, second = (evaluate(hole + deal.board, game.hand_ranking) for hole in (one, other))
        return str(states), first > second, first == second

    def __iter__(self) -> Iterator[_Hand]:
        for deal, chance in self.deals:
            start = State.start(self.experts.tree.game, deal)
            yield from self._below(0, start, [], chance, np.ones(len(self.experts)))

    def _below(self, node: int, state: State, choices: list[Choice], chance: float, reach: Floats) -> Iterator[_Hand]:
        tree, seat = self.experts.tree, self.seat
        if tree.kind[node] != DECISION:
            yield _Hand(state, choices, chance, reach)
            return
        player = state.player
        asked = self.experts if player == seat else self.rival
        chances = asked.of_hand(node, state.hole[player], state.board)
        folded = float(-state.spent[seat] - state.game.antes_paid[seat]) if state.legal().fold else None
        for number, action in enumerate(tree.offered(node)):
            after, taken = state.apply(action), chances[:, number]
            if not (taken if player != seat else reach * taken).any():
                continue
            child = int(tree.first_child[node]) + number
            if player != seat:
                yield from self._below(child, after, choices, chance * float(taken[0]), reach)
            else:
                chosen = Choice(node, number, state.round, folded)
                yield from self._below(child, after, [*choices, chosen], chance, reach * taken)


def _row(hole: tuple[int, ...]) -> Cards:
    return np.array([sorted(hole)], dtype=np.uint8)


def _deals(tree: Tree) -> Iterator[Deal]:
    """Every deal of two hands and a board, all equally likely; the order of cards within them does not matter."""
    game = tree.game
    steps = [end - begin for begin, end in zip((0, *game.board_ends), game.board_ends, strict=False)]
    sizes = [game.hole_cards] * 2 + steps

    def draw(left: frozenset[int], sizes: list[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
        if not sizes:
            yield ()
            return
        for cards in combinations(sorted(left), sizes[0]):
            for rest in draw(left - set(cards), sizes[1:]):
                yield (cards, *rest)

    for first, second, *board in draw(frozenset(game.deck), sizes):
        yield Deal((first, second), tuple(card for cards in board for card in cards))

"""Fitting types of recorded players (Sweeney 2012, section 6.3): two passes over every match, stochastic EM.

The first pass follows the deals of a match with the joint filter, from the end of which a type is drawn for every
player. In the second pass weights move as if that type, and cards drawn given it, had been seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from kibitz.files import checksum
from kibitz.learning.histories import Hands, keep_together
from kibitz.learning.model import SIZE, Floats, Model
from kibitz.learning.opponents.fitting import BEST, CHECK, GRADIENT, NOW, VISIT, Fitting, OpponentFit
from kibitz.learning.opponents.measures import MARGINAL, Fit, TypesFit, describe_fits, draw_types, measure_types
from kibitz.learning.opponents.replaying import TypedReplay
from kibitz.learning.player_types import KINDS_SIZE, READING_SIZE, TypedModel, typed_artefact, views
from kibitz.plans import Artefact
from kibitz.random import derive_seed

TYPES, RENEWED = 4, 5  # streams of random numbers
RARE = 0.01  # share of players of a type below which it is as good as lost


@dataclass(frozen=True)
class TypeFitting(Fitting):
    """How types are fitted.

    together   matches whose deals are visited in one order, between two draws of types; where tables differ much, so
               many that all kinds are among them, or the last ones are learned and the others forgotten
    """

    _least: ClassVar[dict[str, int]] = {**Fitting._least, "together": 1}

    checked: int = 600
    own_rate: float = 8e-3  # learning rate of the weights of own types, each divided by its share
    seen_rate: float = 2e-3  # of what is believed of opponents' types: sums over opponents, so that steps are larger
    together: int = 8
    averaging: float = 5e-3  # constant of the running average of types, per player of a match
    spread: float = 0.1  # standard deviation of first weights of own types, and of what a renewed one differs by
    renewed: float = 0.0  # share of the players below which a type begins again beside the commonest; 0 for never


class _Visit(NamedTuple):
    """A deal to visit, with what is believed of types before it and the types that were drawn, by seat."""

    hand: int
    start: Floats
    types: Any


class TypeFit(OpponentFit):
    """A run of fitting types; see `OpponentFit`."""

    fitting: TypeFitting
    _replay: TypedReplay

    def __init__(self, start: TypedModel, hands: Hands, fitting: TypeFitting | None = None, seed: int = 0) -> None:
        self.first = start
        more = np.append(start.flat, np.zeros(READING_SIZE - KINDS_SIZE))  # whose gradient is a record READING
        super().__init__(start.base, hands, fitting or TypeFitting(), seed, more)

    def _make_replay(self, now: Model) -> TypedReplay:
        return TypedReplay(self.hands, TypedModel(now, self.first.count, self._kinds(NOW)))

    def _kinds(self, row: int) -> Floats:
        """The weights of types of a row."""
        return self._weights[row, SIZE : SIZE + KINDS_SIZE]

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "types": self.first.count, "first": checksum(self.first.flat)}

    @property
    def typed(self) -> TypedModel:
        """The best fit so far, with weights of its own."""
        made = {**self.model.made, "algorithm": "player types"}
        return TypedModel(self.model, self.first.count, self._kinds(BEST).copy(), made)

    def measure_typed(self, model: TypedModel, every: bool = True) -> TypesFit:
        """The fit of a model with types to the hold-out, or to part of its deals."""
        checked = 0 if every else self.fitting.checked
        return measure_types(model, self.hands, self.parts.held_out, derive_seed(self.seed, CHECK), checked)

    def _batches(self, piece: int) -> Iterator[list[_Visit]]:
        """The visits of a piece of an epoch: some matches after the other, the deals of those in a new order."""
        fitted, together, rng = self.parts.fitted, self.fitting.together, self._order()
        if self.epochs and piece == 0:
            self.renew_lost()
        units = keep_together(self.hands)[0][fitted]
        order = rng.permutation(np.unique(units))
        for first in range(0, piece * together, together):  # so that the next is drawn as if these had just been
            rng.permutation(np.isin(units, order[first : first + together]).sum())
        visits = []
        for unit in order[piece * together : (piece + 1) * together]:
            visits += self._draw(fitted[units == unit], derive_seed(self.seed, TYPES, self.epochs, int(unit)))
        mixed = [visits[i] for i in rng.permutation(len(visits))]
        for begin in range(0, len(mixed), self.learning.batch):
            yield mixed[begin : begin + self.learning.batch]

    def renew_lost(self) -> None:
        """Begin types that nobody has any more again beside the commonest one, with which they share its players.

        A type that plays like the mean of two kinds of players keeps both: no other type was ever drawn for one of
        them, so that none has learned to play like it. Copies that differ a little divide the players among them.
        """
        now = self._replay.typed.weights
        initial = now.initial[: self.first.count]
        lost, most = np.flatnonzero(initial < self.fitting.renewed), int(np.argmax(initial))
        noise = np.random.Generator(np.random.PCG64(derive_seed(self.seed, RENEWED, self.epochs)))
        now.own[:, lost] = now.own[:, [most]] + noise.normal(0.0, self.fitting.spread, now.own[:, lost].shape)
        now.opponents[:, lost] = now.opponents[:, [most]]
        initial[[*lost, most]] = initial[[*lost, most]].mean()

    def _draw(self, numbers: Any, key: int) -> list[_Visit]:
        """First pass over a match: a type for every player, and the deals to visit; moves the initial distribution."""
        followed, hands = self._replay.follow_match(numbers.tolist()), self.hands
        types = draw_types(followed.final, key)
        initial = self._replay.typed.weights.initial[: self.first.count]
        part = 1.0 - (1.0 - self.fitting.averaging) ** len(types)
        initial += part * (followed.final.mean(axis=0) - initial)
        initial /= initial.sum()
        found = []
        for hand, start in zip(numbers.tolist(), followed.starts, strict=True):
            names = hands.names[hand, : hands.players[hand]]
            found.append(_Visit(hand, start[: len(names)], types[np.searchsorted(followed.names, names)]))
        return found

    def _learn(self, visit: _Visit) -> Floats | None:
        """Second pass: add what a deal teaches to the gradients; its nats by seat."""
        replay, key = self._replay, derive_seed(self.seed, VISIT, self.epochs, visit.hand)
        replay.follow(visit.hand, visit.start)
        replay.give(visit.types, observing=True)
        return replay.learn(key, self._run, self._weights[GRADIENT]) if replay.fill(visit.hand, key) else None

    def _step(self, deals: int, slower: float) -> None:
        super()._step(deals, slower)
        now, found, count = self._replay.typed.weights, views(self._kinds(GRADIENT)), self.first.count
        share = np.maximum(now.initial[:count], self.learning.floor) * count
        now.own[:, :count] += self.fitting.own_rate * slower * found.own[:, :count] / share[:, None]
        now.opponents[:, :count] += self.fitting.seen_rate * slower * found.opponents[:, :count]
        self._weights[GRADIENT, SIZE:] = 0.0

    def _measure_now(self) -> Fit:
        return self.measure_typed(self._replay.typed, every=False).filtered

    def _warnings(self) -> list[str]:
        shares = self._replay.typed.weights.initial[: self.first.count]
        return super()._warnings() + [
            f"player type {kind} has all but vanished ({shares[kind]:.4f} of the players)"
            for kind in np.flatnonzero(shares < RARE)
        ]

    def _kept(self) -> Artefact:
        return typed_artefact(self.typed)

    def _measured(self, others: Mapping[str, Model]) -> dict[str, Any]:
        fits, model = self._measure_all(others), self.typed
        self.tell("measuring the fit of types", len(fits), len(fits) + 1)
        found = self.measure_typed(model)
        told = {"types": model.weights.initial[: model.count].tolist(), "entropy": found.entropy}
        fits = {**fits, "filtered": found.filtered, "smoothed": found.smoothed}
        return describe_fits(fits) | told | {"nats per decision": found.filtered.mean(MARGINAL).mean}

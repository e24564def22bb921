"""Fitting types of recorded players (Sweeney 2012, section 6.3): two passes over every match, stochastic EM.

The first pass follows the deals of a match with the joint filter, from the end of which a type is drawn for every
player. In the second pass weights move as if that type, and cards drawn given it, had been seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import checksum
from kibitz.learning.histories import Hands, keep_together
from kibitz.learning.model import Floats, Model, ModelError
from kibitz.learning.opponents.fitting import CHECK, VISIT, Fitting, OpponentFit
from kibitz.learning.opponents.measures import Fit
from kibitz.learning.opponents.types.following import TypedReplay
from kibitz.learning.opponents.types.measures import TypesFit, draw_types, measure_types
from kibitz.learning.player_types import TypedModel, views
from kibitz.learning.records import WEIGHTS
from kibitz.random import derive_seed

TYPES, RENEWED = 4, 5  # streams of random numbers
RARE = 0.01  # share of players of a type below which it is as good as lost


@dataclass(frozen=True)
class TypeFitting(Fitting):
    """How types are fitted.

    own_rate    learning rate of the weights of own types, each divided by its share; seen_rate, of what is believed of
                opponents' types: sums over opponents, so that a step moves logits by their number squared
    together    matches whose deals are visited in one order, between two draws of types; where tables differ much, so
                many that all kinds are among them, or the last ones are learned and the others forgotten
    averaging   constant of the running average of types, per player of a match
    spread      standard deviation of the first weights of own types, and of what tells a renewed type from another
    renewed     share of the players below which a type begins again beside the commonest one; 0 for never
    """

    checked: int = 600
    own_rate: float = 8e-3
    seen_rate: float = 2e-3
    together: int = 8
    averaging: float = 5e-3
    spread: float = 0.1
    renewed: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.together < 1:
            raise KibitzError(f"together = {self.together}: 1 or more", settings=("together",))


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
        super().__init__(start.base, hands, fitting or TypeFitting(), seed)
        self.first = start
        self._kinds: Floats = np.stack([start.flat, start.flat])  # as `_flats`
        self._replay = TypedReplay(hands, start.base.structure, start.count)
        self.measured: TypesFit | None = None  # after the last epoch

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "types": self.first.count, "first": checksum(self.first.flat)}

    @property
    def typed(self) -> TypedModel:
        """The best fit so far, with weights of its own."""
        made = {**self.model.made, "algorithm": "player types"}
        return TypedModel(self.model, self.first.count, self._kinds[1].copy(), made)

    def arrays(self) -> dict[str, Floats]:
        return {**super().arrays(), "kinds": self._kinds}

    def _now(self) -> TypedModel:
        """The weights as they are, not copied."""
        return TypedModel(Model(self.start.structure, self._flats[0]), self.first.count, self._kinds[0])

    def measure_typed(self, model: TypedModel, every: bool = True) -> TypesFit:
        """The fit of a model with types to the hold-out, or to part of its deals."""
        checked = 0 if every else self.fitting.checked
        return measure_types(model, self.hands, self.parts.held_out, derive_seed(self.seed, CHECK), checked)

    def _batches(self, piece: int) -> Iterator[list[Any]]:
        """The visits of a piece of an epoch: some matches after the other, the deals of those in a new order."""
        fitted, together, rng = self.parts.fitted, self.fitting.together, self._order()
        if self.epochs and piece == 0:
            self._renew_lost(self.epochs)
        units = keep_together(self.hands)[0][fitted]
        order = rng.permutation(np.unique(units))
        for first in range(0, piece * together, together):  # so that the next is drawn as if these had just been
            rng.permutation(np.isin(units, order[first : first + together]).sum())
        visits = []
        for unit in order[piece * together : (piece + 1) * together]:
            key = derive_seed(self.seed, TYPES, self.epochs, int(unit))
            visits += self._draw(fitted[units == unit].tolist(), key)
        mixed = [visits[i] for i in rng.permutation(len(visits))]
        for begin in range(0, len(mixed), self.learning.batch):
            yield mixed[begin : begin + self.learning.batch]

    def _renew_lost(self, epoch: int) -> None:
        """Begin types that nobody has any more again beside the commonest one, with which they share its players.

        A type that plays like the mean of two kinds of players keeps both: no other type was ever drawn for one of
        them, so that none has learned to play like it. Copies that differ a little divide the players among them.
        """
        now, count = views(self._kinds[0]), self.first.count
        initial = now.initial[:count]
        lost, most = np.flatnonzero(initial < self.fitting.renewed), int(np.argmax(initial))
        noise = np.random.Generator(np.random.PCG64(derive_seed(self.seed, RENEWED, epoch)))
        now.own[:, lost] = now.own[:, [most]] + noise.normal(0.0, self.fitting.spread, now.own[:, lost].shape)
        now.opponents[:, lost] = now.opponents[:, [most]]
        sharing = np.append(lost, most)
        initial[sharing] = initial[sharing].mean()

    def _draw(self, numbers: list[int], key: int) -> list[_Visit]:
        """First pass over a match: a type for every player, and the deals to visit; moves the initial distribution."""
        followed = self._replay.follow_match(numbers, self._now())
        types = draw_types(followed.final, key)
        initial = views(self._kinds[0]).initial[: self.first.count]
        part = 1.0 - (1.0 - self.fitting.averaging) ** len(types)
        initial += part * (followed.final.mean(axis=0) - initial)
        initial /= initial.sum()
        names, found = self.hands.names, []
        for place, hand in enumerate(numbers):
            players = int(self.hands.players[hand])
            seats = np.searchsorted(followed.names, names[hand, :players])
            found.append(_Visit(hand, followed.starts[place, :players], types[seats]))
        return found

    def _learn(self, visit: _Visit, run: Any, epoch: int) -> tuple[float, int]:
        """Second pass: add what a deal teaches to the gradients; its nats and decisions."""
        hand, replay, model = visit.hand, self._replay, self._now()
        key, weights = derive_seed(self.seed, VISIT, epoch, hand), model.base.record
        replay.follow(hand, model, visit.start)
        replay.give(visit.types, model, observing=True)
        if not replay.fill(hand, weights, key):
            return 0.0, 0
        replay.act_out(hand, model, learning=True)
        replay.learn(key, weights, run, self._gradient.view(WEIGHTS))
        return float(replay.seat_nats(hand).sum()), len(self.hands.actions_of(hand))

    def _step(self, deals: int, slower: float) -> None:
        gradient, fitting = self._replay.kinds_gradient, self.fitting
        if not np.isfinite(gradient).all():
            raise ModelError(
                f"a gradient was not finite in epoch {self.epochs + 1}: learning rates are too high for this run"
            )
        now, found, count = views(self._kinds[0]), views(gradient), self.first.count
        share = np.maximum(now.initial[:count], self.learning.floor) * count
        now.own[:, :count] += fitting.own_rate * slower * found.own[:, :count] / share[:, None]
        now.opponents[:, :count] += fitting.seen_rate * slower * found.opponents[:, :count]
        gradient[:] = 0.0
        super()._step(deals, slower)

    def _measure_now(self) -> Fit:
        self.measured = self.measure_typed(self._now(), every=False)
        return self.measured.filtered

    def _keep(self) -> None:
        super()._keep()
        self._kinds[1] = self._kinds[0]

    def _warnings(self) -> tuple[str, ...]:
        found = list(super()._warnings())
        initial = views(self._kinds[0]).initial[: self.first.count]
        for kind in np.flatnonzero(initial < RARE):
            found.append(f"player type {kind} has all but vanished ({initial[kind]:.4f} of the players)")
        return tuple(found)

"""Sampled CFR in restricted games: one player learns against others who are in part held to a model of them.

As `kibitz.solvers.restricted`, for any number of players and any cards: restricted Nash responses draw for each
opponent once a hand whether it plays the model, data-biased responses draw at each of its decisions. All opponents have
one model (Bard 2016, section 6.2.2), whose cards may be other than theirs. Beyond two players nothing is promised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.deals.sampled import SampledDeal
from kibitz.errors import KibitzError
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.sampled import ExternalSampling
from kibitz.strategy import FrequentistModel, Layout, Strategy
from kibitz.strategy.models import OFTEN

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.signedinteger[Any]]
BLOCK = 4096  # hands played at a time
CUT = OFTEN + 1  # column of what is counted of a hand, after those of the levels of observation


class Held(NamedTuple):
    """What opponents are held to, as `_kernels` takes it."""

    p: float
    model: Floats
    offset: Ints
    trust: Floats
    begin: Ints


class Known(NamedTuple):
    """Where a model was observed, as `_kernels` takes it; nothing is counted where all is empty.

    levels   uint8[information sets of the model's layout], see `FrequentistModel.levels`
    begin    integers[n]: where the information sets of each node begin
    cut      bool[n]: terminal nodes at which betting would have gone on
    """

    levels: npt.NDArray[np.uint8] = np.empty(0, dtype=np.uint8)
    begin: Ints = np.empty(0, dtype=np.int32)
    cut: npt.NDArray[np.bool_] = np.empty(0, dtype=np.bool_)


NOT_COUNTED = Known()


@dataclass(frozen=True, eq=False)
class Holding:
    """What the opponents of a responder are held to.

    deal   of the model's cards; dealt with the same seed, it is the same cards as the game's
    known  where the model was observed, if hands are to be counted by it
    """

    held: Held
    deal: SampledDeal
    known: Known = NOT_COUNTED

    def in_full(self) -> Holding:
        """Opponents who play nothing but the model."""
        held = self.held._replace(p=1.0, trust=self.held.trust[:0], begin=self.held.begin[:0])
        return replace(self, held=held)


class Played(NamedTuple):
    """Hands that were played.

    won      what the responder wins, in chips: float64[hands]
    decided  int16[hands, 4]: the model's decisions by level of observation, and 1 at CUT where the betting was cut;
             int16[0, 4] where it is not known where the model was observed
    """

    won: npt.NDArray[np.float64]
    decided: npt.NDArray[np.int16]


def held_by_hand(compiled: SampledGame, model: Strategy, deal: SampledDeal, p: float) -> Holding:
    """Each opponent plays `model` in a share p of the hands, all of each (restricted Nash response)."""
    return Holding(_held(compiled, model, deal, p), deal)


def held_by_decision(compiled: SampledGame, model: Strategy, deal: SampledDeal, confidence: Floats) -> Holding:
    """Each opponent plays `model` at a decision with a probability that depends on the information set.

    confidence : float[model.layout.size], the same for all actions of an information set
    """
    held, (first, begin) = _held(compiled, model, deal, 0.0), _infosets(model.layout)
    trust = np.asarray(confidence[first], dtype=held.model.dtype)
    return Holding(held._replace(trust=trust, begin=begin), deal)


def known_where(model: FrequentistModel, cut: npt.NDArray[np.bool_]) -> Known:
    """Where a model was observed; `cut` as in `Known`."""
    first, begin = _infosets(model.layout)
    return Known(model.levels[first], begin, cut)


def _infosets(layout: Layout) -> tuple[npt.NDArray[np.int64], Ints]:
    """The entry of the first action of every information set, and where those of each node begin."""
    begin = np.concatenate(([0], np.cumsum(layout.states)))
    first = np.repeat(layout.offset[:-1] - begin[:-1], layout.states) + np.arange(begin[-1])
    return first, _short(begin[:-1])


def _held(compiled: SampledGame, model: Strategy, deal: SampledDeal, p: float) -> Held:
    from kibitz.solvers.sampled import _kernels

    model.layout.check_same(Layout(compiled.tree, deal.counts, deal.fingerprint))
    layout = model.layout
    values = np.empty(layout.size, dtype=model.values.dtype)
    offset = _short(layout.offset[:-1])
    _kernels.unmatch(compiled.game[0], offset, layout.counts, np.ascontiguousarray(model.values), values)
    return Held(float(p), values, offset, values[:0], offset[:0])


def _short(places: npt.NDArray[np.int64]) -> Ints:
    """Places in 32 bits where they fit."""
    return places.astype(np.int32) if not len(places) or places[-1] < 1 << 31 else places


class RestrictedSampling(ExternalSampling):
    """External sampling for one responder against held opponents: all have sums, the responder's are the answer.

    With p = 0, or no confidence anywhere, it is `ExternalSampling` to the bit.
    """

    def __init__(
        self,
        compiled: SampledGame,
        holding: Holding,
        responder: int,
        seed: int = 0,
        threads: int = 1,
        storage: str = "double",
    ) -> None:
        super().__init__(compiled, seed, threads=threads, storage=storage)
        if not 0 <= responder < compiled.tree.game.players:
            raise KibitzError(f"responder {responder}: a seat from 0 to {compiled.tree.game.players - 1}")
        self.holding, self.responder = holding, responder

    def _kernel(self) -> Callable[..., None]:
        kernel, players = super()._kernel(), self.compiled.tree.game.players

        def walk(first: int, count: int, key: np.uint64, linear: bool, game: Any, *rest: Any) -> None:
            seen = _seen(self.compiled, self.holding, rest[0], first * players, self.seed)
            kernel(first, count, key, linear, game, *rest, self.responder, tuple(self.holding.held), seen)

        return walk

    def play(self, hands: int, seed: int, *, modelled: bool = False, current: bool = False) -> Played:
        """So many hands of the restricted game.

        seed      of deals and choices
        modelled  whether opponents play nothing but the model; otherwise, where they are free, their average strategies
        current   whether the responder plays its current strategy in place of the average one
        """
        holding = self.holding.in_full() if modelled else self.holding
        players = (self.responder, self.regret if current else self.average, self.average)
        return _play(self.compiled, holding, players, hands, seed)

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "responder": self.responder}


def play_strategy(
    compiled: SampledGame, strategy: Strategy, holding: Holding, seat: int, hands: int, seed: int
) -> npt.NDArray[np.float64]:
    """What a strategy wins in `seat` from opponents who play nothing but their model, in chips: float64[hands].

    The hands are those that `RestrictedSampling.play` deals with that seed.
    """
    from kibitz.solvers.sampled import _kernels

    layout = strategy.layout
    layout.check_same(compiled.layout)
    sums = np.empty(layout.size, dtype=strategy.values.dtype)
    values = np.ascontiguousarray(strategy.values)
    _kernels.unmatch(compiled.game[0], _short(layout.offset[:-1]), layout.counts, values, sums)
    return _play(compiled, holding.in_full(), (seat, sums, sums), hands, seed).won


def _play(
    compiled: SampledGame, holding: Holding, players: tuple[int, Floats, Floats], hands: int, seed: int
) -> Played:
    """Hands of a responder with its sums, and those of opponents where they are free."""
    from kibitz.solvers.sampled.restricted import _kernels

    key = np.uint64(np.random.SeedSequence((seed, 1)).generate_state(1, np.uint64)[0])
    counted = hands if len(holding.known.levels) else 0
    found, held = Played(np.empty(hands), np.zeros((counted, CUT + 1), dtype=np.int16)), tuple(holding.held)
    for first in range(0, hands, BLOCK):
        part = [each[first : first + BLOCK] for each in found]
        draws = compiled.deal.draw(seed, first, len(part[0]))
        seen = _seen(compiled, holding, draws.states, first, seed)
        _kernels.play(first, key, compiled.game, *draws, *players, held, tuple(holding.known), seen, *part)
    return found


def _seen(
    compiled: SampledGame, holding: Holding, states: npt.NDArray[np.int32], first: int, seed: int
) -> npt.NDArray[np.int32]:
    if holding.deal is compiled.deal:
        return states
    return holding.deal.draw(seed, first, len(states)).states

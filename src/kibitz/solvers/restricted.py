"""CFR in restricted games: a responder learns against an opponent who is in part held to a model of it.

Restricted Nash responses (Johanson, Zinkevich and Bowling 2008) force the model, with probability p, upon the whole
hand. What it wins the responder at every leaf never changes, so it is computed once and added. Data-biased responses
(Johanson and Bowling 2009) force it upon each information set, with a probability of its own: the opponent plays
P_conf * model + (1 - P_conf) * (its own choice), and that is what reaches the next node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.solvers.cfr import WEIGHTINGS
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.vector.restricted import NOTHING, RestrictedPasses
from kibitz.strategy import Layout, Strategy

Floats = npt.NDArray[np.float64]
NO_TIES: npt.NDArray[np.uint32] = np.empty(0, dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class Holding:
    """What the opponent of `responder` is held to.

    fixed     float64[size]: P_conf * model at every information set, or empty
    share     float64[size]: 1 - P_conf, likewise
    constant  float64[values]: p times what the model wins the responder at each leaf, or empty
    free      probability that the opponent chooses for itself the whole hand: 1 - p
    ties      uint32[states of all rounds]: the class of each of the opponent's states, where it chooses by class; or
              empty
    """

    responder: int
    fixed: Floats = field(default_factory=lambda: NOTHING)
    share: Floats = field(default_factory=lambda: NOTHING)
    constant: Floats = field(default_factory=lambda: NOTHING)
    free: float = 1.0
    ties: npt.NDArray[np.uint32] = field(default_factory=lambda: NO_TIES)


def held_from_the_start(
    compiled: VectorGame, responder: int, model: Strategy, p: float, played_in: VectorGame | None = None
) -> Holding:
    """The opponent plays `model` in a share p of the hands, all of each.

    played_in   where the model has other private states than the opponent in `compiled`: the game with the model's
                states for the opponent, and the responder's own for the responder
    """
    source = RestrictedPasses(played_in or compiled)
    source.compiled.check(model)
    source.leaf_values(responder, np.array(model.values, dtype=np.float64))
    target = RestrictedPasses(compiled)
    constant = np.zeros(len(target.values))
    constant[target.at_leaves(responder)] = p * source.values[source.at_leaves(responder)]
    return Holding(responder, constant=constant, free=1.0 - p)


def held_at_infosets(
    compiled: VectorGame, responder: int, model: Floats, confidence: Floats, ties: npt.NDArray[np.uint32] = NO_TIES
) -> Holding:
    """The opponent plays `model` with probability `confidence`, both float64[size], at each information set.

    ties   see `Holding`: where its own choice knows less than the game does
    """
    theirs = owner_mask(compiled.layout, 1 - responder)
    fixed = np.where(theirs, confidence * model, 0.0)
    share = np.where(theirs, 1.0 - confidence, 1.0)
    return Holding(responder, fixed, share, ties=ties)


def owner_mask(layout: Layout, player: int) -> npt.NDArray[np.bool_]:
    """Which entries of a strategy are `player`'s: bool[layout.size]."""
    tree = layout.tree
    return np.repeat(tree.player == player, layout.states * tree.children)


class RestrictedCFR:
    """CFR for one responder against a held opponent; a `Solver`, alternating, the same with any number of threads.

    beside   another one, of the same game, whose scratch memory this one uses too: they do not run at the same time
    """

    def __init__(
        self,
        compiled: VectorGame,
        holding: Holding,
        algorithm: str = "cfr+",
        threads: int = 1,
        beside: RestrictedCFR | None = None,
    ) -> None:
        self.compiled, self.holding, self.algorithm = compiled, holding, algorithm
        self.weighting = WEIGHTINGS[algorithm]
        self.iteration = 0
        size, rounds = compiled.layout.size, compiled.tree.game.rounds
        self.regret, self.average = np.zeros(size), np.zeros(size)
        self.prediction = np.zeros(size if self.weighting.predict else 0)
        shared = beside if beside is not None and beside.compiled is compiled else None
        self._sigma: Floats = shared._sigma if shared else np.empty(size)
        self._passes: RestrictedPasses = shared._passes if shared else RestrictedPasses(compiled, threads)
        self._opponent = 1 - holding.responder
        held = bool(len(holding.fixed))
        chosen = shared._held[3] if shared and len(shared._held[3]) and held else np.empty(size if held else 0)
        classes = np.zeros(rounds, dtype=np.int64)
        for r in range(rounds if len(holding.ties) else 0):
            classes[r] = self._classes(r).max() + 1
        self._held: tuple[Any, ...] = (
            np.int64(holding.responder),
            holding.fixed,
            holding.share,
            chosen,
            holding.constant,
            holding.ties,
            classes,
        )

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations; interrupted, it stays in the midst of one."""
        sums = (self.regret, self.prediction, self.average)
        discounts = self.weighting.discounts
        self._begin(self.holding.free)
        self._passes.iterate_held(self.iteration + 1, count, discounts, self._sigma, sums, self._held)
        self.iteration += count

    def average_strategy(self) -> Strategy:
        """The responder's average strategy; the other seat has the opponent's own choices."""
        sums = self.average if not len(self.holding.ties) else self._untied()
        return Strategy.from_sums(self.compiled.layout, sums, {**self.parameters(), "iterations": self.iteration})

    def mimic(self) -> Strategy:
        """What the held opponent plays at each information set: the model as far as it is held, else its own choices.

        Held from the start, it is its own choices alone: the model stands beside them.
        """
        found = self.average_strategy()
        return Strategy(found.layout, self._held_to(found.values), {**found.manifest, "algorithm": "mimic"})

    def _held_to(self, average: Floats) -> Floats:
        """The average strategy with the opponent's own choices mixed with what it is held to, in place."""
        if len(self.holding.fixed):
            theirs = owner_mask(self.compiled.layout, self._opponent)
            np.multiply(average, self.holding.share, out=average, where=theirs)
            np.add(average, self.holding.fixed, out=average, where=theirs)
        return average

    def bounds(self) -> tuple[float, float]:
        """The value of the restricted game to the responder lies between them, chips per hand.

        The first is what the average strategy is sure of, the second the best response to the average opponent. Where
        choices are tied there is no simple best response, and the first is not known either.
        """
        if len(self.holding.ties):
            return nan, nan
        passes, holding, average = self._passes, self.holding, self.average_strategy().values
        self._begin(holding.free)
        passes.leaf_values(self._opponent, average)
        lower = -holding.free * passes.best(self._opponent, holding.fixed, holding.share)
        if len(holding.constant):
            passes.values[:] = holding.constant
            lower += passes.best(holding.responder, average, NOTHING)
        passes.leaf_values(holding.responder, self._held_to(average))
        if len(holding.constant):
            passes.values += holding.constant
        return lower, passes.best(holding.responder, NOTHING, NOTHING)

    def parameters(self) -> dict[str, Any]:
        return {"algorithm": self.algorithm, "responder": self.holding.responder}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {"regret": self.regret, "prediction": self.prediction, "average": self.average}

    def restore(self, iteration: int, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        self.iteration = iteration
        for name, array in self.arrays().items():
            array[...] = arrays[name]

    def _begin(self, free: float) -> None:
        """Set the reach at the root: the responder is there, the opponent as far as it chooses for itself."""
        for player, reach in ((self.holding.responder, 1.0), (self._opponent, free)):
            self.compiled.at_root(self._passes.reach, player)[...] = reach

    def _classes(self, round_: int) -> npt.NDArray[np.uint32]:
        """The class of each of the opponent's states in a round."""
        counts = self.compiled.deal.counts[:, self._opponent]
        begin = int(counts[:round_].sum())
        return self.holding.ties[begin : begin + int(counts[round_])]

    def _untied(self) -> Floats:
        """The sums of the average strategy, the opponent's added up over classes by chance, reach and share."""
        layout, sums = self.compiled.layout, self.average.copy()
        for node in layout.tree.decisions.tolist():
            if layout.tree.player[node] != self._opponent:
                continue
            round_ = int(layout.tree.round[node])
            begin, end = int(layout.offset[node]), int(layout.offset[node + 1])
            block = sums[begin:end].reshape(int(layout.tree.children[node]), -1)
            share = self.holding.share[begin:end].reshape(block.shape)
            each = self.compiled.deal.rounds[round_]
            chance = each.margin(each.weight, self._opponent)
            classes = self._classes(round_)
            for row, left in zip(block, share, strict=True):
                row[:] = np.bincount(classes, weights=row * left * chance)[classes]
        return sums

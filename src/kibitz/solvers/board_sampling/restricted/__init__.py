"""Public chance sampling in restricted games of hold'em: a responder against an opponent who is held to a model.

Data-biased responses (Johanson and Bowling 2009) with three card abstractions (Bard 2016, chapter 4): U of the
responder, R by which the opponent chooses, and M of its model. In a game of buckets the opponent would need a state for
every pair of buckets of R and M. On a sampled board every hand has both, and nothing else is needed: the opponent plays

    sigma(hand) = P_conf(M(hand)) * model(M(hand)) + (1 - P_conf(M(hand))) * choice(R(hand))

and regrets of its choice are sums over the hands of a bucket of R, weighted by 1 - P_conf, which differs among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.abstraction import CardAbstraction
from kibitz.deals.bucketed import BucketedDeal
from kibitz.solvers.board_sampling import BOARDS_AT_ONCE, BoardSampled
from kibitz.solvers.compiled.boards import HANDS
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.strategy import Layout, Strategy

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BoardHolding:
    """What the opponent of `responder` is held to.

    cards    the model's buckets
    layout   with these buckets for the opponent
    fixed    float64[layout.size]: P_conf * model; the responder's entries do not matter
    """

    responder: int
    cards: CardAbstraction
    layout: Layout
    fixed: Floats

    @cached_property
    def arrays(self) -> tuple[npt.NDArray[np.int64], Floats]:
        """(begins, held), as the kernels take them."""
        held = np.empty(self.layout.size)
        held[self.layout.by_infoset] = self.fixed
        return self.layout.offset[:-1], held


class RestrictedBoardSampled(BoardSampled):
    """Public chance sampling for one responder; both learn on one board an iteration, as in `BoardSampled`.

    compiled   with U for the responder and R for the opponent
    """

    def __init__(self, compiled: SampledGame, holding: BoardHolding, seed: int = 0, weighting: str = "uniform") -> None:
        super().__init__(compiled, seed, weighting)
        self.holding = holding

    def bounds(self) -> tuple[float, float]:
        """The value of the restricted game lies between them: unknown, as a best response would need all pairs of
        buckets.
        """
        return nan, nan

    def mimic(self) -> Floats | None:
        """What the held opponent plays, P_conf * model + (1 - P_conf) * its average choice, float64[layout.size].

        Only its own entries are filled. None where model and choice tell apart other hands: then it has no information
        sets of its own.
        """
        holding, layout = self.holding, self.compiled.layout
        opponent, deal = 1 - holding.responder, self.compiled.deal
        if not isinstance(deal, BucketedDeal) or holding.cards.fingerprint != deal.abstractions[opponent].fingerprint:
            return None
        chosen, found = self.average_strategy(), np.zeros(layout.size)
        held = Strategy(holding.layout, holding.fixed)
        for node in layout.tree.decisions[layout.tree.player[layout.tree.decisions] == opponent]:
            fixed = held.at(node)
            block = fixed + (1 - fixed.sum(axis=0)) * chosen.at(node)
            found[layout.offset[node] : layout.offset[node + 1]] = block.ravel()
        return found

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "responder": self.holding.responder}

    def _walk(self, begin: int, end: int) -> None:
        from kibitz.solvers.board_sampling.restricted import _kernels

        holding, linear, work = self.holding, self.weighting == "linear", self._scratch()
        for first in range(begin, max(end, begin + 1), BOARDS_AT_ONCE):
            count = min(BOARDS_AT_ONCE, end - first)
            ranked = self.boards.rank(self.boards.boards(self.seed, first, max(count, 1)), holding.cards)
            wanted = tuple(each[:count] for each in ranked)
            settings = (first, linear, holding.responder, self.boards.tree, wanted, holding.arrays)
            _kernels.iterate(*settings, self.regret, self.average, *work)

    def _scratch(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """`work` and `own` of the kernels."""
        work = self.boards.scratch()
        local, shares = work[1], work[6]
        local[:, 1 - self.holding.responder] = np.arange(HANDS)
        depths, actions, _hands = shares.shape
        chosen = np.zeros((len(local), HANDS), dtype=np.int32)
        return work, (chosen, np.zeros(shares.shape), np.zeros((depths, HANDS)), np.zeros((actions + 1, HANDS)))

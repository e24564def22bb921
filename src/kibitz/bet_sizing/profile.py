"""What a fixed profile of a transformed game says: what it wins, deal by deal, and the importance of each size."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.compiled import BetSizingGame, Slopes, Walk, equivalent_game
from kibitz.bet_sizing.sampled import as_sampled
from kibitz.bet_sizing.sizing import Sizing
from kibitz.bet_sizing.tree import BetTree
from kibitz.deals import MatrixDeal
from kibitz.deals.sampled import SampledDeal
from kibitz.solvers.vector import NO_RULE, VALUE
from kibitz.solvers.vector.passes import Passes
from kibitz.statistics import Z_95
from kibitz.strategy import Strategy

Floats = npt.NDArray[np.float64]
AT_ONCE = 4096


class Weighed(NamedTuple):
    """A profile on sampled deals.

    importance  float64[sizers]: mean over deals of |d value / d size| / 2, chips (equation 5.15 per iteration)
    value       chips per hand to player 0, exact over the betting of each deal
    interval    half-width of its 95 % interval over deals
    """

    importance: Floats
    value: float
    interval: float


def weigh(tree: BetTree, deal: SampledDeal, strategy: Strategy, sizes: Floats, deals: int, seed: int = 0) -> Weighed:
    """`strategy` with these sizes on `deals` deals.

    This is also how a profile is valued with imperfect recall, where best responses are out of reach: no betting is
    sampled, so deals are all the noise there is.
    """
    from kibitz.bet_sizing import _kernels

    walk = Walk(tree, strategy.layout)
    table = Sizing(tree, "every", 1, "last", sizes).table
    sigma = as_sampled(strategy.layout, np.asarray(strategy.values, dtype=np.float64))
    importance, won = np.zeros(len(tree.sizers)), np.empty(deals)
    for first in range(0, deals, AT_ONCE):
        count = min(AT_ONCE, deals - first)
        draws = deal.draw(seed, first, count)
        found = won[first : first + count]
        _kernels.weigh(walk.game, walk.bets, *draws, sigma, table, walk.chips, importance, found)
    return Weighed(importance / (2 * deals), float(won.mean()), float(Z_95 * won.std(ddof=1) / np.sqrt(deals)))


class Slope(NamedTuple):
    """float64[sizers] each: chips per hand and pot of size to the one it bets for, and the probability of its bet."""

    slope: Floats
    reach: Floats


def size_slopes(tree: BetTree, deal: MatrixDeal, strategy: Strategy, sizes: Floats) -> Slope:
    """The exact derivative of the value of a profile in every size, over all deals.

    At an equilibrium it is the derivative of the value of the game (where that has one).
    """
    compiled: BetSizingGame = equivalent_game(tree, sizes, deal)
    walk = Walk(tree, compiled.layout)
    walk.chips[...] = tree.chips(sizes)
    slopes = Slopes(tree, compiled, walk)
    sigma = np.array(strategy.values, dtype=np.float64)
    passes = Passes(compiled)
    sums = (np.empty(0), np.empty(0), np.empty(0))
    passes.down(0, sigma, sums)
    passes.up(1, VALUE, NO_RULE, sigma, sums)
    slopes.find(Sizing(tree, "every", 1, "last", sizes).table, passes.reach, passes.values)
    return Slope(slopes.slope, slopes.reach)

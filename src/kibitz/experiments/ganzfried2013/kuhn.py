"""Tables 3, 4 and 5: no-limit Kuhn poker.

The paper does not say which abstract equilibrium its solver returned, and the deterministic mappings depend on it. Its
figures let one infer it: only the king calls the all-in, always with stacks of 1 and 3 pots, with the least probability
that is enough, 2 / (1 + n), from 5 pots on; and it always calls the other size. We take that equilibrium. It was chosen
to fit the deterministic rows of tables 3 and 4, so that these agree is no independent evidence. The rule for the other
size was chosen with table 5 in view. The range over all equilibria stands beside every figure of tables 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from kibitz.experiments.ganzfried2013 import printed
from kibitz.experiments.ganzfried2013.half_street import (
    KING,
    Equilibria,
    Floats,
    calls_of_size,
    exploitabilities,
    grid,
)
from kibitz.experiments.ganzfried2013.mappings import NAMES, TiedReading, Ties, is_deterministic, mapping_with_ties
from kibitz.experiments.published import IN_RANGE, TIED, Found
from kibitz.games.named import nolimit_kuhn
from kibitz.responses.best_response import exploitability
from kibitz.solvers.problem import Problem
from kibitz.solvers.sequence_lp import solve_lp
from kibitz.strategy import Strategy
from kibitz.translation import lift_translated
from kibitz.tree import DECISION

POT = 10  # chips
BOTH_TIES: tuple[Ties, ...] = ("paper", "smaller", "larger")
ALWAYS = 3  # pots; up to this stack the king of the paper's solver always calls the all-in
_OPEN = "the abstract equilibrium leaves open how often the king calls sizes that nobody bets"
NEARLY = 0.001  # pots; sizes that exploit as little as this more than the best are called tied


def cells_of_table(menu: str, size: float) -> Iterator[tuple[str, str, Found]]:
    """The exploitability of player 2 with every mapping and stack, in pots."""
    for stack in printed.STACKS:
        game = nolimit_kuhn(stack, half_street=True)
        coarse, full = Problem(game, menu), Problem(game, "full")
        value = solve_lp(full.vector).value
        strategy = calling(coarse, stack)
        equilibria = Equilibria(stack, size)
        for row, name in NAMES.items():
            lifted = lift_translated(strategy, coarse.deal, full.vector.layout, TiedReading(name))
            ours = (exploitability(full.vector, lifted).responses[0] - value) / POT
            low, high = _range(equilibria, name)
            yield row, str(stack), Found(ours, min(low, ours), max(high, ours), IN_RANGE, _OPEN)


def calls_of_all_in(stack: int) -> Floats:
    """The calls of the all-in that the paper's solver must have found: float64[3]."""
    return np.array([0.0, 0.0, 1.0 if stack <= ALWAYS else 2 / (1 + stack)])


def calling(problem: Problem, stack: int) -> Strategy:
    """Player 2 of the paper's abstract equilibrium; player 1's part is uniform."""
    strategy, tree = Strategy.uniform(problem.vector.layout), problem.tree
    for node in np.flatnonzero((tree.kind == DECISION) & (tree.player == 1)):
        bet = float(tree.spent[node].max() - tree.spent[node].min()) / POT
        calls = calls_of_all_in(stack) if bet == stack else calls_of_size(np.array(bet))
        strategy.at(int(node))[...] = (1 - calls, calls)  # fold, call; states in the order jack, queen, king
    return strategy


def _range(equilibria: Equilibria, name: str) -> tuple[float, float]:
    """The least and greatest exploitability over all abstract equilibria and ways of reading bets on thresholds."""
    rules = BOTH_TIES if is_deterministic(name) else BOTH_TIES[:1]
    mappings = [mapping_with_ties(name, ties) for ties in rules]
    return min(map(equilibria.lowest, mappings)), max(map(equilibria.highest, mappings))


def sweep(stack: int, name: str) -> Floats:
    """Player 2's exploitability for every single size of the grid beside the all-in, in pots: float64[10 stack]."""
    sizes = grid(stack)
    all_in = np.broadcast_to(calls_of_all_in(stack), (len(sizes), 3))
    at_size = np.where(sizes[:, None] == stack, all_in, calls_of_size(sizes))
    return exploitabilities(stack, sizes, at_size, all_in, mapping_with_ties(name))


def sweep_highest(stack: int, name: str) -> Floats:
    """The same with the most exploitable abstract equilibrium for every size."""
    sizes, mapping = grid(stack), mapping_with_ties(name)
    figures = np.full(len(sizes), -np.inf)
    for size_always, all_in_always in product((True, False), repeat=2):  # the corners: always, or as rarely as it may
        at_size, all_in = calls_of_size(sizes), np.zeros((len(sizes), 3))
        at_size[:, KING] = 1.0 if size_always else np.minimum(2 / (1 + sizes), 1.0)
        all_in[:, KING] = 1.0 if all_in_always else 2 / (1 + stack)
        figures = np.maximum(figures, exploitabilities(stack, sizes, at_size, all_in, mapping))
    # Below 1 pot there are more corners.
    figures[:9] = [Equilibria(stack, float(size)).highest(mapping) for size in sizes[:9]]
    return figures


def cells_of_sizes() -> Iterator[tuple[str, str, Found]]:
    """Table 5: the size that exploits player 2 least, the smallest of equals."""
    for stack in printed.STACKS:
        for row, name in NAMES.items():
            yield row, str(stack), _best_size(stack, row, name)


def _best_size(stack: int, row: str, name: str) -> Found:
    figures = sweep(stack, name)
    ours = _smallest_minimum(figures)
    wanted = printed.TABLE_5.rows[row][printed.STACKS.index(stack)]
    theirs = figures[round(10 * wanted) - 1]
    best = figures[round(10 * ours) - 1]
    compared = f"a size of {wanted:g} is exploited for {theirs:.4f}, ours of {ours:g} for {best:.4f}"
    if theirs <= best + NEARLY:
        return Found(ours, min(ours, wanted), max(ours, wanted), TIED, f"tied: {compared}")
    if Equilibria(stack, wanted).lowest(mapping_with_ties(name)) <= sweep_highest(stack, name).min():
        reason = f"{compared}; with other abstract equilibria for the two, the printed size is the better"
        return Found(ours, min(ours, wanted), max(ours, wanted), IN_RANGE, reason)
    return Found(ours, ours, ours, IN_RANGE, compared)


def _smallest_minimum(figures: Floats) -> float:
    return float(np.flatnonzero(figures <= figures.min() + 1e-9)[0] + 1) / 10

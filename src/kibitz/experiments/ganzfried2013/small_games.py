"""Tables 2 to 5: the clairvoyance game, and no-limit Kuhn poker on half a street.

The paper does not say which abstract equilibrium its solver returned in Kuhn poker, and the deterministic mappings
depend on it. Its figures let one infer it: only the king calls the all-in, always with stacks of 1 and 3 pots, with the
least probability that is enough, 2 / (1 + n), from 5 pots on; and it always calls the other size. We take that
equilibrium. It was chosen to fit the deterministic rows of tables 3 and 4, so that these agree is no independent
evidence. The rule for the other size was chosen with table 5 in view. The range over all equilibria stands beside every
figure of tables 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np

from kibitz.experiments.ganzfried2013.half_street import KING, Equilibria, Floats, calls_of_size, exploitabilities, grid
from kibitz.experiments.ganzfried2013.mappings import NAMES, TiedReading, Ties, is_deterministic, mapping_with_ties
from kibitz.experiments.ganzfried2013.printed import STACKS, TABLES
from kibitz.experiments.published import IN_RANGE, TIE_RULE, TIED, Cells, Found
from kibitz.games import Game
from kibitz.games.named import clairvoyance, nolimit_kuhn
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
REMARKS = {
    ("Det-Arith", 1): "we get 0.10 where 0.01 is printed: perhaps a slip of the decimal point",
    (
        "Det-Arith",
        20,
    ): "we get 2.373; were a winner's bet of 10.5 read as the pot and a bluff of 10.5 as all-in, 2.375",
}
Answer = Callable[[float], tuple[Floats, Floats]]  # a bet in pots -> how likely each card folds and calls


class Translated:
    """A strategy of player 2 in the game with few sizes, and what it loses in the game with all of them."""

    def __init__(self, game: Game, menu: str, answer: Answer) -> None:
        self.coarse, self.full = Problem(game, menu), Problem(game, "full")
        self.strategy, tree = Strategy.uniform(self.coarse.vector.layout), self.coarse.tree
        for node in np.flatnonzero((tree.kind == DECISION) & (tree.player == 1)):
            bet = float(tree.spent[node].max() - tree.spent[node].min()) / POT
            self.strategy.at(int(node))[...] = answer(bet)  # states in the order jack, queen, king

    def best_response(self, name: str, ties: Ties = "paper") -> float:
        """What player 1 wins at most when bets are read by a mapping, in chips."""
        layout = self.full.vector.layout
        lifted = lift_translated(self.strategy, self.coarse.deal, layout, TiedReading(name, ties=ties))
        return exploitability(self.full.vector, lifted).responses[0]


def tie_rules(name: str) -> tuple[Ties, ...]:
    """The ways of reading bets on thresholds: one where a mapping has no thresholds."""
    return BOTH_TIES if is_deterministic(name) else BOTH_TIES[:1]


def cells_of_clairvoyance() -> Cells:
    """Table 2: player 2 calls a bet of x pots with probability 1 / (1 + x) (section 6); exploitability in pots."""
    for stack in STACKS:
        player = Translated(clairvoyance(stack), "fcpa", calls_of_section_6)
        for row, name in NAMES.items():
            figures = [player.best_response(name, ties) / POT - game_value(stack) for ties in tie_rules(name)]
            reason = REMARKS.get((row, stack), "")
            yield row, str(stack), Found(figures[0], min(figures), max(figures), TIE_RULE, reason)


def calls_of_section_6(bet: float) -> tuple[Floats, Floats]:
    """Folds and calls of player 2, who has one hand in the clairvoyance game."""
    return np.array([bet / (1 + bet)]), np.array([1 / (1 + bet)])


def game_value(stack: int) -> float:
    """What clairvoyance is worth to player 1 over an equal share of the pot, in pots: n / (2 (1 + n))."""
    return stack / (2 * (1 + stack))


def cells_of_kuhn(menu: str, size: float) -> Cells:
    """Tables 3 and 4: the exploitability of player 2 with every mapping and stack, in pots."""
    for stack in STACKS:
        player = Translated(nolimit_kuhn(stack, half_street=True), menu, partial(calls_of_kuhn, stack))
        value = solve_lp(player.full.vector).value
        equilibria = Equilibria(stack, size)
        for row, name in NAMES.items():
            ours = (player.best_response(name) - value) / POT
            low, high = _range(equilibria, name)
            yield row, str(stack), Found(ours, min(low, ours), max(high, ours), IN_RANGE, _OPEN)


def calls_of_kuhn(stack: int, bet: float) -> tuple[Floats, Floats]:
    """Folds and calls of player 2 in the paper's abstract equilibrium."""
    calls = calls_of_all_in(stack) if bet == stack else calls_of_size(np.array(bet))
    return 1 - calls, calls


def calls_of_all_in(stack: int) -> Floats:
    """The calls of the all-in that the paper's solver must have found: float64[3]."""
    return np.array([0.0, 0.0, 1.0 if stack <= ALWAYS else 2 / (1 + stack)])


def _range(equilibria: Equilibria, name: str) -> tuple[float, float]:
    """The least and greatest exploitability over all abstract equilibria and ways of reading bets on thresholds."""
    mappings = [mapping_with_ties(name, ties) for ties in tie_rules(name)]
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


def cells_of_sizes() -> Cells:
    """Table 5: the size that exploits player 2 least, the smallest of equals."""
    for stack in STACKS:
        for row, name in NAMES.items():
            yield row, str(stack), _best_size(stack, row, name)


def _best_size(stack: int, row: str, name: str) -> Found:
    figures = sweep(stack, name)
    ours = _smallest_minimum(figures)
    wanted = TABLES["table-5"].rows[row][STACKS.index(stack)]
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

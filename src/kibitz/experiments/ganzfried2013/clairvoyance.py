"""Table 2: the clairvoyance game, where player 2 calls a bet of x pots with probability 1 / (1 + x) (section 6)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kibitz.experiments.ganzfried2013 import printed
from kibitz.experiments.ganzfried2013.kuhn import BOTH_TIES, POT
from kibitz.experiments.ganzfried2013.mappings import NAMES, TiedReading, Ties, is_deterministic
from kibitz.experiments.published import TIE_RULE, Found
from kibitz.games.named import clairvoyance
from kibitz.responses.best_response import exploitability
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy
from kibitz.translation import lift_translated
from kibitz.tree import DECISION

REMARKS = {
    ("Det-Arith", 1): "we get 0.10 where 0.01 is printed: perhaps a slip of the decimal point",
    (
        "Det-Arith",
        20,
    ): "we get 2.373; were a winner's bet of 10.5 read as the pot and a bluff of 10.5 as all-in, 2.375",
}


def game_value(stack: int) -> float:
    """What the full game is worth to player 1 over an equal share of the pot, in pots: n / (2 (1 + n))."""
    return stack / (2 * (1 + stack))


def calling(problem: Problem) -> Strategy:
    """Player 2 of section 6; player 1's part is uniform."""
    strategy, tree = Strategy.uniform(problem.vector.layout), problem.tree
    for node in np.flatnonzero((tree.kind == DECISION) & (tree.player == 1)):
        bet = float(tree.spent[node].max() - tree.spent[node].min()) / POT
        strategy.at(int(node))[...] = ([bet / (1 + bet)], [1 / (1 + bet)])
    return strategy


def cells() -> Iterator[tuple[str, str, Found]]:
    """The exploitability of player 2 with every mapping and stack, in pots."""
    for stack in printed.STACKS:
        coarse, full = Problem(clairvoyance(stack), "fcpa"), Problem(clairvoyance(stack), "full")
        strategy = calling(coarse)

        def measure(
            name: str, ties: Ties, strategy: Strategy = strategy, coarse: Problem = coarse, full: Problem = full
        ) -> float:
            lifted = lift_translated(strategy, coarse.deal, full.vector.layout, TiedReading(name, ties=ties))
            return exploitability(full.vector, lifted).responses[0] / POT

        for row, name in NAMES.items():
            rules = BOTH_TIES if is_deterministic(name) else BOTH_TIES[:1]
            figures = [measure(name, ties) - game_value(stack) for ties in rules]
            reason = REMARKS.get((row, stack), "")
            yield row, str(stack), Found(figures[0], min(figures), max(figures), TIE_RULE, reason)

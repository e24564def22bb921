"""Small games as Gambit's extensive-form files (`.efg`), with exact rational probabilities and payoffs.

Chance deals the private states of both players at once, and again whenever cards fall. A showdown after an all-in ends
the hand there: its payoff is the mean over the cards still to come.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from pathlib import Path

import numpy as np

from kibitz.deals import MatrixDeal
from kibitz.errors import FormatError
from kibitz.files import write_text
from kibitz.strategy import Layout
from kibitz.tree import DECISION, FOLD, Tree

MAX_TERMINALS = 1_000_000
_MAX_DENOMINATOR = 1_000_000
Pair = tuple[int, int]  # private states of player 0 and player 1


def write_efg(tree: Tree, deal: MatrixDeal, path: Path | str) -> None:
    """Write a game as a file that Gambit reads; whole or not at all."""
    write_text(Path(path), format_efg(tree, deal))


def format_efg(tree: Tree, deal: MatrixDeal) -> str:
    """The text of a `.efg` file: chips won by "Player 0" and "Player 1"."""
    return "\n".join(_Writer(tree, deal).lines()) + "\n"


class _Chances:
    """The deal in exact numbers: float64 weights are multiples of 1 / (number of deals), which is recovered.

    weight, won : per round, pair -> probability, and that of winning less that of losing the showdown (player 0)
    refined     : per round, pair of the round before ((0, 0) before the first) -> pairs of this round
    """

    def __init__(self, deal: MatrixDeal) -> None:
        last = deal.rounds[-1]
        weights, signs = last.dense(last.weight), last.dense(last.sign)
        pairs: list[Pair] = [(int(i), int(j)) for i, j in zip(*np.nonzero(weights), strict=True)]
        self.weight: list[dict[Pair, Fraction]] = [{pair: _exact(weights[pair]) for pair in pairs}]
        self.won: list[dict[Pair, Fraction]] = [{pair: _exact(signs[pair]) for pair in pairs}]
        self.refined: list[dict[Pair, list[Pair]]] = []
        # Earlier rounds are sums of later ones, so that probabilities add up to 1 exactly at every deal.
        for each in reversed(deal.rounds):
            weight: dict[Pair, Fraction] = {}
            won: dict[Pair, Fraction] = {}
            refined: dict[Pair, list[Pair]] = {}
            for (i, j), probability in sorted(self.weight[0].items()):
                above = (int(each.parent[0][i]), int(each.parent[1][j]))
                weight[above] = weight.get(above, Fraction(0)) + probability
                won[above] = won.get(above, Fraction(0)) + self.won[0][i, j]
                refined.setdefault(above, []).append((i, j))
            self.weight.insert(0, weight)
            self.won.insert(0, won)
            self.refined.insert(0, refined)
        if self.weight.pop(0) != {(0, 0): 1}:
            raise FormatError("the probabilities of the deal do not add up to 1 as fractions")
        self.won.pop(0)


def _exact(number: float) -> Fraction:
    """The fraction of small denominator that a float stands for."""
    fraction = Fraction(float(number)).limit_denominator(_MAX_DENOMINATOR)
    if abs(float(fraction) - number) > 1e-14:
        raise FormatError(
            f"{number!r} is no fraction of a denominator up to {_MAX_DENOMINATOR:,}: the deal is too large"
        )
    return fraction


class _Writer:
    """Walks tree and deal together, parents first, as the format wants it."""

    def __init__(self, tree: Tree, deal: MatrixDeal) -> None:
        layout = Layout(tree, deal.counts, deal.fingerprint)
        terminals = np.bincount(tree.round[tree.kind != DECISION], minlength=len(deal.rounds))
        pairs = [np.count_nonzero(each.weight) for each in deal.rounds]
        if terminals @ pairs > MAX_TERMINALS:
            raise FormatError(f"the game has {terminals @ pairs:,} endings: at most {MAX_TERMINALS:,} are written")
        self.tree, self.deal, self.chances = tree, deal, _Chances(deal)
        self.first_infoset = 1 + np.cumsum(layout.states) - layout.states
        self.deals = count(1)
        self.outcomes: dict[Fraction, int] = {}

    def lines(self) -> Iterator[str]:
        yield f'EFG 2 R "{self.tree.game.name or "poker"}" {{ "Player 0" "Player 1" }}'
        yield from self._deal(0, (0, 0))

    def _deal(self, node: int, above: Pair) -> Iterator[str]:
        """Chance takes states `above` of the round before to those of the node's round."""
        round_ = int(self.tree.round[node])
        labels, weight = self.deal.rounds[round_].labels, self.chances.weight[round_]
        pairs = self.chances.refined[round_][above]
        total = sum(weight[pair] for pair in pairs)
        branches = " ".join(f'"{labels[0][i]}, {labels[1][j]}" {weight[i, j] / total}' for i, j in pairs)
        yield f'c "" {next(self.deals)} "" {{ {branches} }} 0'
        for pair in pairs:
            yield from self._node(node, pair)

    def _node(self, node: int, pair: Pair) -> Iterator[str]:
        tree = self.tree
        if tree.kind[node] != DECISION:
            yield self._ending(node, pair)
            return
        player, round_ = int(tree.player[node]), int(tree.round[node])
        first = int(tree.first_child[node])
        children = range(first, first + int(tree.children[node]))
        name = f"{self.deal.rounds[round_].labels[player][pair[player]]} {tree.history(node)}".strip()
        actions = " ".join(f'"{tree.actions[child]}"' for child in children)
        yield f'p "" {player + 1} {self.first_infoset[node] + pair[player]} "{name}" {{ {actions} }} 0'
        for child in children:
            step = self._deal if tree.round[child] > round_ else self._node
            yield from step(child, pair)

    def _ending(self, node: int, pair: Pair) -> str:
        chips = self._chips(node, pair)
        number = self.outcomes.setdefault(chips, len(self.outcomes) + 1)
        return f't "" {number} "" {{ {chips}, {-chips} }}'

    def _chips(self, node: int, pair: Pair) -> Fraction:
        """What player 0 wins."""
        tree = self.tree
        paid = [int(spent) + ante for spent, ante in zip(tree.spent[node], tree.game.antes_paid, strict=True)]
        if tree.kind[node] == FOLD:
            return Fraction(paid[1] if tree.player[node] == 0 else -paid[0])
        round_ = int(tree.round[node])
        return min(paid) * self.chances.won[round_][pair] / self.chances.weight[round_][pair]

"""Observations of a strategy: hands that it plays against a probe, counted.

The probe never folds, and calls or raises with equal probability (Johanson and Bowling 2009; Bard 2016, section 4.2.1),
so that the observed player is seen everywhere it may go. It is blind: only the observed player's cards matter.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal
from kibitz.errors import KibitzError
from kibitz.strategy import FrequentistModel, Strategy
from kibitz.tree import DECISION, Tree

Ints = npt.NDArray[np.int64]


def observe(deal: MatrixDeal, strategy: Strategy, hands: int, seed: int = 0) -> FrequentistModel:
    """What `strategy` does in so many hands with all cards shown, half of them in each seat, the odd one in seat 0.

    The first hands of a longer observation with the same seed are not those of a shorter one.
    """
    if hands < 1:
        raise KibitzError(f"{hands} observed hands: at least one")
    if strategy.layout.cards != deal.fingerprint:
        raise KibitzError(f"the strategy has private states {strategy.layout.cards}, the deal has {deal.fingerprint}")
    counts = np.zeros(strategy.layout.size)
    for player, seeds in enumerate(np.random.SeedSequence(seed).spawn(2)):
        played = (hands + 1 - player) // 2
        if played:
            _play(deal, strategy, player, played, np.random.default_rng(seeds), counts)
    return FrequentistModel(strategy.layout, counts)


def _play(
    deal: MatrixDeal, strategy: Strategy, player: int, hands: int, generator: np.random.Generator, counts: np.ndarray
) -> None:
    """Add the actions of `player` in so many hands to `counts`."""
    layout, tree = strategy.layout, strategy.layout.tree
    states = _deal(deal, player, hands, generator)
    waiting: list[tuple[int, Ints]] = [(0, np.arange(hands))]
    while waiting:
        node, here = waiting.pop()
        if tree.kind[node] != DECISION or not len(here):
            continue
        if tree.player[node] == player:
            own = states[int(tree.round[node])][here]
            taken = _draw(strategy.at(node)[:, own], generator)
            width = int(layout.states[node])
            block = counts[layout.offset[node] : layout.offset[node + 1]]
            block += np.bincount(taken * width + own, minlength=len(block))
        else:
            chances = _probe(tree, node)
            taken = _draw(np.repeat(chances[:, None], len(here), axis=1), generator)
        first = int(tree.first_child[node])
        waiting.extend((first + a, here[taken == a]) for a in range(int(tree.children[node])))


def _deal(deal: MatrixDeal, player: int, hands: int, generator: np.random.Generator) -> list[Ints]:
    """The player's state of every hand, per round."""
    last = deal.rounds[-1]
    chance = last.margin(last.weight, player)
    found: list[Ints] = [generator.choice(len(chance), size=hands, p=chance / chance.sum())]
    for each in deal.rounds[:0:-1]:
        found.append(each.parent[player][found[-1]])
    return found[::-1]


def _draw(chances: npt.NDArray[np.floating], generator: np.random.Generator) -> Ints:
    """One action for each column of float64[actions, n]: int64[n]."""
    ends = np.cumsum(chances, axis=0)
    drawn = generator.random(chances.shape[1]) * ends[-1]
    return np.asarray((drawn >= ends[:-1]).sum(axis=0), dtype=np.int64)


def _probe(tree: Tree, node: int) -> npt.NDArray[np.float64]:
    """The probabilities of the probe's actions at a node: float64[actions]."""
    letters = np.array([text[0] for text in tree.offered(node)])
    raises = int((letters == "r").sum())
    return np.where(letters == "c", 0.5 if raises else 1.0, np.where(letters == "r", 0.5 / max(raises, 1), 0.0))

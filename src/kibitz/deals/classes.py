"""Coarser private states of a matrix deal: a card abstraction for any two-player game that can be listed.

Perfect-recall percentile buckets as in hold'em (Bard 2016, section 4.1): the states of a round that lie in the same
bucket of the round before are sorted by E[HS^2] and cut into n parts that are dealt about equally often. HS is the
probability to win a showdown on the last board, ties counting half.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.deals.matrix import MatrixDeal, RoundDeal
from kibitz.errors import KibitzError

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StateClasses:
    """Classes of one player's private states; those of a round refine those of the round before.

    of : int64[states] per round, the class of each state; classes are numbered from 0 without gaps
    """

    of: tuple[Ints, ...]

    @property
    def counts(self) -> Ints:
        """Classes of each round: int64[rounds]."""
        return np.array([int(of.max()) + 1 for of in self.of], dtype=np.int64)

    @classmethod
    def all(cls, deal: MatrixDeal, player: int) -> StateClasses:
        """Every state on its own."""
        return cls(tuple(np.arange(count, dtype=np.int64) for count in deal.counts[:, player]))

    def joined(self, other: StateClasses) -> StateClasses:
        """The classes of states that neither of the two tells apart."""
        pairs = zip(self.of, other.of, strict=True)
        return StateClasses(tuple(_numbered(mine * (int(theirs.max()) + 1) + theirs) for mine, theirs in pairs))

    def within(self, finer: StateClasses) -> tuple[Ints, ...]:
        """The class of each of the finer classes, per round."""
        found = []
        for mine, theirs in zip(self.of, finer.of, strict=True):
            classes = np.zeros(int(theirs.max()) + 1, dtype=np.int64)
            classes[theirs] = mine
            if (classes[theirs] != mine).any():
                raise KibitzError("classes of states that are not unions of the finer ones")
            found.append(classes)
        return tuple(found)


def percentile_classes(deal: MatrixDeal, player: int, buckets: int) -> StateClasses:
    """Perfect-recall percentile buckets by E[HS^2], `buckets` in each of the round before; fewer where hands tie."""
    if buckets < 1:
        raise KibitzError(f"{buckets} buckets: at least one")
    features, chances = _squared_strengths(deal, player)
    of: list[Ints] = []
    for r, (feature, chance) in enumerate(zip(features, chances, strict=True)):
        above = of[-1][deal.rounds[r].parent[player]] if r else np.zeros(len(feature), dtype=np.int64)
        parts = np.zeros(len(feature), dtype=np.int64)
        for group in range(int(above.max()) + 1):
            members = np.flatnonzero(above == group)
            parts[members] = _cut(feature[members], chance[members], buckets)
        of.append(_numbered(above * buckets + parts))
    return StateClasses(tuple(of))


def merged_deal(deal: MatrixDeal, classes: tuple[StateClasses, StateClasses], cards: str) -> MatrixDeal:
    """The deal with each player's states put together by class; `cards` names what they mean, and is its fingerprint.

    What is public is known only as far as classes tell, so every round is one block.
    """
    rounds = []
    for r, each in enumerate(deal.rounds):
        mine, theirs = classes[0].of[r], classes[1].of[r]
        shape = int(mine.max()) + 1, int(theirs.max()) + 1
        both = np.zeros((2, *shape))
        rows, columns = each.edges
        for b in range(len(each.start) - 1):
            where = (mine[rows[b] : rows[b + 1], None], theirs[None, columns[b] : columns[b + 1]])
            for total, entries in zip(both, (each.weight, each.sign), strict=True):
                block = entries[each.start[b] : each.start[b + 1]].reshape(rows[b + 1] - rows[b], -1)
                np.add.at(total, where, block)
        parents = tuple(_parents(deal, classes[p], p, r) for p in range(2))
        labels = tuple(tuple(map(str, range(count))) for count in shape)
        edges = tuple(np.array([0, count]) for count in shape)
        rounds.append(
            RoundDeal(
                (labels[0], labels[1]),
                (parents[0], parents[1]),
                (edges[0], edges[1]),
                np.array([0, both[0].size]),
                both[0].ravel(),
                both[1].ravel(),
            )
        )
    return MatrixDeal(deal.game, deal.suits_merged, tuple(rounds), cards)


def _parents(deal: MatrixDeal, classes: StateClasses, player: int, round_: int) -> Ints:
    """The class of the round before that each class refines."""
    own = classes.of[round_]
    parent = np.zeros(int(own.max()) + 1, dtype=np.int64)
    if round_:
        parent[own] = classes.of[round_ - 1][deal.rounds[round_].parent[player]]
    return parent


def _squared_strengths(deal: MatrixDeal, player: int) -> tuple[list[Floats], list[Floats]]:
    """E[HS^2] and the probability of each of `player`'s states, per round."""
    last = deal.rounds[-1]
    chance, lead = (last.margin(entries, player) for entries in (last.weight, last.sign))
    lead = lead if player == 0 else -lead
    strength = 0.5 + 0.5 * lead / np.where(chance > 0, chance, 1.0)
    squares, chances = [chance * strength**2], [chance]
    for r in range(len(deal.rounds) - 1, 0, -1):
        parent, above = deal.rounds[r].parent[player], int(deal.counts[r - 1, player])
        for sums in (squares, chances):
            sums.append(np.bincount(parent, weights=sums[-1], minlength=above).astype(np.float64))
    features = [square / np.where(chance > 0, chance, 1.0) for square, chance in zip(squares, chances, strict=True)]
    return features[::-1], chances[::-1]


def _cut(feature: Floats, chance: Floats, parts: int) -> Ints:
    """The part of each state, by weighted quantiles of the feature; equal features stay together."""
    values, which = np.unique(feature.round(12), return_inverse=True)
    mass = np.bincount(which, weights=chance, minlength=len(values))
    middle = (np.cumsum(mass) - mass / 2) / max(float(mass.sum()), 1e-300)
    # A hand in the very middle between two parts goes to the upper one, however its sums were rounded.
    found: Ints = np.minimum((middle * parts + 1e-9).astype(np.int64), parts - 1)[which]
    return found


def _numbered(keys: Ints) -> Ints:
    """The same classes numbered from 0 without gaps, in order."""
    return np.asarray(np.unique(keys, return_inverse=True)[1], dtype=np.int64).ravel()

"""The multiplayer betting transformation: betting trees in which some bets have a range instead of a size.

Hawkin (2014, chapter 4): a *bet-sizing player* sees the public actions only, chooses the low or the high end of its
range with some probability, and nobody learns which. What everybody wins is affine in each probability, so the hidden
choices are never expanded: one number per bet-sizing player, its *effective size* between low and high, says all
(theorem 1), and with it the tree is that of the *equivalent abstract game*.

Chips at a node are functions of the sizes above it. A bet of s pots makes the mover's chips (1 + 2s) times the other's,
calling makes them equal, all-in makes them the stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.ranges import SizeRange
from kibitz.errors import KibitzError
from kibitz.tree import DECISION, FOLD, SHOWDOWN, Menu, Tree

SIZED_LETTERS = "degqrstuvwxyz"
FIXED_LETTERS = "hijklmnop"
Floats = npt.NDArray[np.float64]
# What leads to a node: nothing (the root), a fold, a call, everything, a bet of a fixed fraction, a bet with a range, a
# raise by as much as the last one, a bet of so many chips (the two forms of a minimum bet).
START, FOLDS, CALLS, ALL_IN, FIXED, SIZED, REPEATED, ADDED = 0, 1, 2, 3, 4, 5, 6, 7


def name_sizes(menu: Menu, has_ranges: bool) -> dict[str, str]:
    """Text of each fixed size of a player -> its letter."""
    texts = dict.fromkeys(str(size) for sizes in menu.rounds for size in sizes if size.kind != "all-in")
    letters = list(FIXED_LETTERS) if has_ranges else [*FIXED_LETTERS, *SIZED_LETTERS[3:]]
    named = {}
    for text in texts:
        if text == "1" and not has_ranges:
            named[text] = "d"
        elif letters:
            named[text] = letters.pop(0)
        else:
            raise KibitzError(f"the menu {menu}: more fixed sizes than there are letters")
    return named


@dataclass(frozen=True)
class BetSizer:
    """A bet-sizing player.

    key    the public actions up to and with its bet, such as "dc/d"
    node   the node after its bet
    seat   of the player it bets for
    number of the default range it came from, for life
    """

    key: str
    node: int
    seat: int
    number: int
    range: SizeRange


@dataclass(frozen=True, eq=False)
class BetTree:
    """A betting tree with bet-sizing players.

    shape     the tree; its actions are letters, its `spent` the chips where every bet-sizing player chose the high end
    edge      int8[n]: what leads to each node, START .. ADDED
    fraction  float64[n]: pots of a FIXED bet, chips of one ADDED
    sizer     int32[n]: which bet-sizing player made the bet that leads to a node, -1 for none
    sizers    in the order of their nodes
    letters   what the letters of fixed bets mean: letter of a seat -> text of the size
    """

    shape: Tree
    edge: npt.NDArray[np.int8]
    fraction: Floats
    sizer: npt.NDArray[np.int32]
    sizers: tuple[BetSizer, ...]
    letters: tuple[dict[str, str], dict[str, str]]

    @cached_property
    def keys(self) -> dict[str, int]:
        """Where each bet-sizing player stands in `sizers`."""
        return {each.key: i for i, each in enumerate(self.sizers)}

    @cached_property
    def ranges(self) -> dict[str, SizeRange]:
        """The range of each bet-sizing player by its key."""
        return {each.key: each.range for each in self.sizers}

    @cached_property
    def middles(self) -> Floats:
        """Where sizes begin: float64[sizers]."""
        return np.array([each.range.middle for each in self.sizers])

    @property
    def extras(self) -> int:
        """Bet-sizing players beyond one per decision."""
        parents = self.shape.parent[[each.node for each in self.sizers]]
        return len(self.sizers) - len(set(parents.tolist()))

    @property
    def root_chips(self) -> tuple[float, float]:
        """Chips of both players before anybody acts, antes included."""
        first, second = self.shape.spent[0] + self.shape.game.antes_paid[0]
        return float(first), float(second)

    @property
    def stack(self) -> float:
        """Chips that a player can put in, ante included."""
        return float(self.shape.game.limits[0] + self.shape.game.antes_paid[0])

    def chips(self, sizes: Floats) -> Floats:
        """What both players have put in at every node, antes included: float64[n, 2]."""
        tree = self.shape
        chips = np.empty((len(tree), 2))
        chips[0] = self.root_chips
        for node in range(1, len(tree)):
            above = int(tree.parent[node])
            mover = int(tree.player[above])
            chips[node] = chips[above]
            other = chips[above, 1 - mover]
            if self.edge[node] == ALL_IN:
                chips[node, mover] = self.stack
            elif self.edge[node] == REPEATED:
                chips[node, mover] = 2 * other - chips[above, mover]
            elif self.edge[node] == ADDED:
                chips[node, mover] = other + self.fraction[node]
            elif self.edge[node] != FOLDS:
                fraction = sizes[self.sizer[node]] if self.edge[node] == SIZED else self.fraction[node]
                chips[node, mover] = other * (1 + 2 * fraction)
        return chips

    def stakes(self, sizes: Floats) -> Floats:
        """Chips that change hands at each end of the hand, float64[n]: what the loser has in."""
        tree = self.shape
        chips = self.chips(self.checked(sizes))
        loser = np.where(tree.kind == FOLD, 1 - tree.player.astype(np.int64), 0)
        return np.asarray(chips[np.arange(len(tree)), loser])

    def checked(self, sizes: Floats) -> Floats:
        """`sizes` as float64[sizers], refused where one is outside its range."""
        sizes = np.asarray(sizes, dtype=np.float64)
        if sizes.shape != (len(self.sizers),):
            raise KibitzError(f"{sizes.shape} sizes for {len(self.sizers)} bet-sizing players")
        for size, each in zip(sizes, self.sizers, strict=True):
            if not each.range.low - 1e-9 <= size <= each.range.high + 1e-9:
                raise KibitzError(f"size {size:.6g} of {each.key!r}: outside its range {each.range}")
        return sizes

    @cached_property
    def facing(self) -> npt.NDArray[np.bool_]:
        """Whether the player at each decision faces a bet: bool[n]."""
        facing = np.zeros(len(self.shape), dtype=np.bool_)
        facing[self.shape.parent[self.edge == FOLDS]] = True
        return facing


def count_actions(tree: BetTree) -> tuple[int, ...]:
    """Actions per round by the convention of `kibitz.tree.size` ("hawkin").

    A fold counts at every decision of the first round, and after a called all-in every round left has one action of
    each player.
    """
    shape = tree.shape
    decisions = shape.kind == DECISION
    actions = np.bincount(shape.round[decisions], shape.children[decisions], shape.game.rounds).astype(np.int64)
    actions[0] += int((decisions & (shape.round == 0) & ~tree.facing).sum())
    showdowns = np.bincount(shape.round[shape.kind == SHOWDOWN], minlength=shape.game.rounds)
    all_in = np.concatenate(([0], np.cumsum(showdowns)[:-1]))
    return tuple((actions + 2 * all_in).tolist())


def count_pairs(tree: BetTree, states: Sequence[int]) -> int:
    """(Information set, action) pairs of both players with that many buckets per round."""
    if len(states) != tree.shape.game.rounds:
        raise KibitzError(f"{len(states)} numbers of buckets for {tree.shape.game.rounds} rounds")
    return sum(actions * count for actions, count in zip(count_actions(tree), states, strict=True))

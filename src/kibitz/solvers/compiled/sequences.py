"""The sequence form of a two-player game: realisation plans, their constraints, and the payoffs between them.

Koller, Megiddo and von Stengel 1996; von Stengel 1996. A *sequence* of a player is what he has done so far: the empty
sequence, or an action at one of his information sets (the actions before it follow, because he has perfect recall). A
*realisation plan* gives every sequence the product of his action probabilities along it. It is a plan exactly when

    x(empty) = 1,   sum over a of x(I, a) = x(the sequence that leads to I),   x >= 0,

which is linear, and so is what it wins: x' A y. Behaviour, on the other hand, is multiplied along the tree.

A plan of both players is one array laid out like `Strategy.values`: the entry of (node, action, state) is the plan of
the player who acts there. The empty sequences, always 1, are left out of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from kibitz.solvers.compiled.vector import VectorGame
from kibitz.tree import DECISION, SHOWDOWN

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """The matrices of the sequence form; sequence 0 of each player is the empty one.

    payoff       csr float64[m0, m1]    chips per hand to player 0: x' payoff y
    constraints  csr float64[h, m] per player: 1 at the first row and column, then one row per information set; a plan
                 x >= 0 has constraints @ x = (1, 0, ..., 0)
    entries      int64[m - 1] per player: where sequences 1, 2, ... stand in a plan of both players
    """

    payoff: sparse.csr_array
    constraints: tuple[sparse.csr_array, sparse.csr_array]
    entries: tuple[Ints, Ints]

    def sequences(self, plan: Floats, player: int) -> Floats:
        """One player's part of a plan, float64[m], the empty sequence first."""
        return np.concatenate(([1.0], plan[self.entries[player]]))


def sequence_form(compiled: VectorGame) -> SequenceForm:
    """The sequence form of a game."""
    layout, tree = compiled.layout, compiled.tree
    acting = np.where(tree.kind == DECISION, tree.player, -1)
    owner = np.repeat(acting, layout.states * tree.children)
    entries = (np.flatnonzero(owner == 0), np.flatnonzero(owner == 1))
    number = np.zeros(layout.size, dtype=np.int64)
    for own in entries:
        number[own] = np.arange(1, len(own) + 1)
    first = number[np.minimum(layout.offset[:-1], layout.size - 1)]  # of each decision node; its others follow
    last = (_last_sequences(compiled, first, 0), _last_sequences(compiled, first, 1))
    constraints = (_constraints(compiled, first, last[0], 0), _constraints(compiled, first, last[1], 1))
    return SequenceForm(_payoff(compiled, last, (len(entries[0]) + 1, len(entries[1]) + 1)), constraints, entries)


def _last_sequences(compiled: VectorGame, first: Ints, player: int) -> list[Ints]:
    """For every node, the sequence that `player` has played when it is reached, int64[states of the node's round]."""
    tree, counts = compiled.tree, compiled.deal.counts
    last = [np.zeros(int(counts[0, player]), dtype=np.int64)]
    for node in range(1, len(tree)):
        above = int(tree.parent[node])
        round_ = int(tree.round[above])
        sequence = last[above]
        if tree.player[above] == player:
            states = int(counts[round_, player])
            action = node - int(tree.first_child[above])
            sequence = first[above] + action * states + np.arange(states)
        if tree.round[node] != round_:
            sequence = sequence[compiled.deal.rounds[tree.round[node]].parent[player]]
        last.append(sequence)
    return last


def _constraints(compiled: VectorGame, first: Ints, last: list[Ints], player: int) -> sparse.csr_array:
    """The constraint matrix of one player, see `SequenceForm`."""
    tree = compiled.tree
    one = np.zeros(1, dtype=np.int64)
    rows, columns, signs = [one], [one], [np.ones(1)]
    height = width = 1
    for node in np.flatnonzero((tree.kind == DECISION) & (tree.player == player)):
        states, actions = len(last[node]), int(tree.children[node])
        infosets = height + np.arange(states)
        rows += [infosets, np.tile(infosets, actions)]
        columns += [last[node], first[node] + np.arange(actions * states)]
        signs += [-np.ones(states), np.ones(actions * states)]
        height += states
        width += actions * states
    return _matrix(rows, columns, signs, (height, width))


def _payoff(compiled: VectorGame, last: tuple[list[Ints], list[Ints]], shape: tuple[int, int]) -> sparse.csr_array:
    """The payoff matrix, chips to player 0."""
    tree = compiled.tree
    met = [_nonzero(compiled, round_) for round_ in range(tree.game.rounds)]
    rows, columns, chips = [], [], []
    for node in np.flatnonzero(tree.kind != DECISION):
        showdown = tree.kind[node] == SHOWDOWN
        i, j, entries = met[tree.round[node]][int(showdown)]
        rows.append(last[0][node][i])
        columns.append(last[1][node][j])
        chips.append(entries * (compiled.stake[node] if showdown or tree.player[node] == 0 else -compiled.stake[node]))
    return _matrix(rows, columns, chips, shape)


def _nonzero(compiled: VectorGame, round_: int) -> tuple[tuple[Ints, Ints, Floats], tuple[Ints, Ints, Floats]]:
    """The entries of a round's weight and sign matrices that are not 0: rows, columns, values of each."""
    deal = compiled.deal.rounds[round_]
    weight, sign = sparse.coo_array(deal.dense(deal.weight)), sparse.coo_array(deal.dense(deal.sign))
    return (weight.row, weight.col, weight.data), (sign.row, sign.col, sign.data)


def _matrix(rows: list[Ints], columns: list[Ints], values: list[Floats], shape: tuple[int, int]) -> sparse.csr_array:
    """A sparse matrix from pieces of coordinates; what falls on the same place adds up."""
    places = (np.concatenate(rows), np.concatenate(columns))
    return sparse.coo_array((np.concatenate(values), places), shape=shape).tocsr()

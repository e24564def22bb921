"""What two-player responses win from a model where it was observed and where it was not: exact, by reach."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from kibitz.games.stakes import Stake
from kibitz.responses.imputation import SHARE, Imputation, checked_down, mean_of_seats
from kibitz.responses.robust.roles import Roles
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.restricted import owner_mask
from kibitz.solvers.vector import SLOT
from kibitz.solvers.vector.passes import Passes, root_values
from kibitz.statistics import Estimate
from kibitz.strategy import FrequentistModel, Layout, Strategy
from kibitz.strategy.models import OFTEN, UNSEEN
from kibitz.tree import DECISION

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
CHUNK = 1 << 20  # states of nodes that are looked at together


def measure_imputation(roles: Roles, response: Strategy, model: FrequentistModel) -> Imputation:
    """What a response wins from the model in both parts, mean of both seats."""
    cut = checked_down(roles.home.tree)
    return mean_of_seats(_of_seat(roles, seat, response, model, cut) for seat in range(2))


def _of_seat(
    roles: Roles, seat: int, response: Strategy, model: FrequentistModel, cut: npt.NDArray[np.bool_]
) -> Imputation:
    """The same of one seat; cut = bool[n], terminal nodes at which betting would have gone on."""
    levels = Strategy(roles.home, model.levels.astype(np.float64))
    game, known = roles.meeting(seat, response, levels)
    sigma = roles.meeting(seat, response, model.strategy)[1]
    tree, layout, decided = game.tree, game.layout, np.zeros(OFTEN + 1)
    theirs = np.flatnonzero((tree.kind == DECISION) & (tree.player == 1 - seat))
    for nodes, mass in _reached(game, sigma, seat, theirs):
        level = known[layout.offset[nodes][:, None] + np.arange(mass.shape[1])].astype(np.int64)
        decided += np.bincount(level.ravel(), mass.ravel(), OFTEN + 1)
    won = root_values(game, sigma, np.empty(0), best=False)[seat]
    sigma[owner_mask(layout, 1 - seat) & (known == UNSEEN)] = 0.0
    _cut_off(layout, sigma, cut)
    ends = np.flatnonzero(tree.kind != DECISION)
    share = sum(float(mass.sum()) for _nodes, mass in _reached(game, sigma, seat, ends))
    observed = root_values(game, sigma, np.empty(0), best=False)[seat]
    stake = Stake.of(tree.game)
    parts = (Estimate(stake.milli_per_chip * each, 0.0, 0, stake.unit) for each in (observed, won - observed))
    return Imputation(decided, Estimate(share, 0.0, 0, SHARE), *parts)


def _reached(game: VectorGame, sigma: Floats, seat: int, nodes: Ints) -> Iterator[tuple[Ints, Floats]]:
    """How likely nodes are reached with each state of the opponent of `seat`: some nodes of a round at a time, and
    float64[nodes, states].
    """
    passes, rounds = Passes(game), game.tree.round[nodes]
    passes.down(0, sigma, (sigma[:0], sigma[:0], sigma[:0]))
    for round_ in np.unique(rounds).tolist():
        here = nodes[rounds == round_]
        size = max(1, CHUNK // int(game.deal.counts[round_].max()))
        for first in range(0, len(here), size):
            some = here[first : first + size]
            yield some, _mass(game, passes.reach, seat, round_, some)


def _mass(game: VectorGame, reach: Floats, seat: int, round_: int, nodes: Ints) -> Floats:
    """The probability of each node of a round and each state of the opponent: float64[nodes, states]."""
    table, each = game.game[0], game.deal.rounds[round_]
    ours, theirs = (
        reach[table[nodes, SLOT + p][:, None] + np.arange(game.deal.counts[round_, p])] for p in (seat, 1 - seat)
    )
    met, (mine, other) = np.zeros_like(theirs), (each.edges[seat], each.edges[1 - seat])
    for b in range(len(each.start) - 1):
        weights = each.weight[each.start[b] : each.start[b + 1]]
        weights = weights.reshape(-1, each.edges[1][b + 1] - each.edges[1][b])  # [states of 0, states of 1]
        block = ours[:, mine[b] : mine[b + 1]] @ (weights if seat == 0 else weights.T)
        met[:, other[b] : other[b + 1]] = block
    return np.asarray(theirs * met)


def _cut_off(layout: Layout, sigma: Floats, cut: npt.NDArray[np.bool_]) -> None:
    """Take away the actions that lead to the nodes `cut`, bool[n]."""
    tree = layout.tree
    for child in np.flatnonzero(cut).tolist():
        node = int(tree.parent[child])
        begin = int(layout.offset[node] + (child - tree.first_child[node]) * layout.states[node])
        sigma[begin : begin + int(layout.states[node])] = 0.0

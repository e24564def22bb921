"""Walks of `board_sampling` against a player who sees real cards and, on the last round, plays a best response.

The opponent stands in `local` as if every hand were a bucket of its own, so that `shares` and `gains` of its nodes have
an entry per hand; `board_sampling._kernels` explains these and the other arrays. A board is walked twice: first
for the opponent's best actions on the last round, then with them, and the learner learns.

given   : float64[m, hands]     what the opponent plays before the last round; entry (action, hand) of a node is row
                                starts[node] + action
choices : uint8[nodes, hands]   its best action at nodes of the last round
source  : float64[size]         the learner's regrets as they were before the iteration, like `regret`
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.solvers.board_sampling._kernels import _learn, _match, _number, walker
from kibitz.solvers.compiled.boards import DEPTH, HANDS
from kibitz.tree.columns import CHILDREN, OFFSET, PLAYER, ROUND


@njit
def _choose(actions, gains, values, choice):
    """The best action of every hand, the first of equal ones, and what it is worth."""
    for h in range(HANDS):
        best, value = 0, gains[0, h]
        for a in range(1, actions):
            if gains[a, h] > value:
                best, value = a, gains[a, h]
        choice[h] = best
        values[h] = value


@njit
def _play(actions, choice, shares):
    """The best actions as probabilities."""
    for a in range(actions):
        row = shares[a]
        for h in range(HANDS):
            row[h] = 1.0 if choice[h] == a else 0.0


@njit
def _enter(node, nodes, work, given):
    """The strategy at a node, for every bucket of the learner or every hand of the opponent; clear the gains."""
    learner, learns, sums, opponent = given
    found, counts, shares, gains = work[2], work[3], work[6], work[7]
    played, starts, choices = opponent
    p, r, actions, depth = nodes[node, PLAYER], nodes[node, ROUND], nodes[node, CHILDREN], nodes[node, DEPTH]
    if p == learner:
        _match(nodes[node, OFFSET], actions, counts[r, p], found[r, p], sums[0], shares[depth], gains[depth])
        return
    gains[depth, :actions] = 0.0
    if r < len(counts) - 1:
        shares[depth, :actions] = played[starts[node] : starts[node] + actions]
    elif learns:
        _play(actions, choices[node], shares[depth])
    else:
        shares[depth, :actions] = 1.0 / actions  # whatever it plays, its values are the same


@njit
def _leave(node, nodes, weight, work, given):
    """The learner learns, or the opponent chooses."""
    learner, learns, sums, opponent = given
    counts, values, gains = work[3], work[5], work[7]
    p, depth = nodes[node, PLAYER], nodes[node, DEPTH]
    if p == learner and learns:
        _learn(node, nodes, weight, sums[1], sums[2], work)
    elif p != learner and not learns and nodes[node, ROUND] == len(counts) - 1:
        _choose(nodes[node, CHILDREN], gains[depth], values[depth, p], opponent[2][node])


_walk = walker(_enter, _leave)


@njit(cache=True, nogil=True)
def learn(weight, learner, tree, ranked, sums, opponent, work):
    """Add to the learner's regrets and average what it finds on one board, sums = (source, regret, average)."""
    cards, ends, groups, states = ranked
    numbers, local, found, counts = work[0], work[1], work[2], work[3]
    path, told = np.zeros(len(work[9]), np.int64), np.empty((0, 3))
    for m in range(len(cards)):
        for r in range(len(counts)):
            counts[r, learner] = _number(states[m, r, learner], numbers, local[r, learner], found[r, learner])
        for learns in range(2):
            given = (learner, learns == 1, sums, opponent)
            _walk(weight, tree, cards[m], ends[m, : groups[m]], path, work, told, given)

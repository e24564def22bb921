"""Plain twins of `kibitz.bet_sizing._kernels`: one deal at a time, recursion, no arrays of the kernels."""

from itertools import permutations

import numpy as np

from kibitz.deals.sampled import Draws, sampled_deal
from kibitz.tree import FOLD


class EveryDeal:
    """A sampled deal that deals every order of the cards once, in order, over and over."""

    def __init__(self, game):
        listed = sampled_deal(game)
        hole, board = game.hole_cards * 2, game.board_ends[-1]
        rows = [
            listed.look_up(((cards[0],), (cards[1],)), cards[2:]) for cards in permutations(game.deck, hole + board)
        ]
        self.game, self.counts, self.fingerprint = game, listed.counts, listed.fingerprint
        self.deals = Draws(*(np.concatenate(each) for each in zip(*rows, strict=True)))

    def __len__(self):
        return len(self.deals.states)

    def draw(self, seed, first, count):
        places = np.arange(first, first + count) % len(self)
        return Draws(self.deals.states[places], self.deals.strengths[places])


def walk(tree, strategy, states, strengths, visit):
    """Call visit(node, reach of both players, sign) at every node of one deal; the sign is None before the end."""
    shape = tree.shape

    def go(node, reach):
        if shape.children[node] == 0:
            if shape.kind[node] == FOLD:
                sign = 1 - 2 * int(shape.player[node])
            else:
                sign = int(np.sign(int(strengths[0]) - int(strengths[1])))
            visit(node, reach, sign)
            return
        visit(node, reach, None)
        player = int(shape.player[node])
        chances = strategy.at(node)[:, states[shape.round[node], player]]
        for a, chance in enumerate(chances):
            after = list(reach)
            after[player] *= chance
            go(int(shape.first_child[node]) + a, tuple(after))

    go(0, (1.0, 1.0))


def terms(tree, strategy, deals, deal):
    """X(z) and the probability of every node on one deal: float64[n] each."""
    signed, reached = np.zeros(len(tree.shape)), np.zeros(len(tree.shape))

    def visit(node, reach, sign):
        reached[node] = reach[0] * reach[1]
        if sign is not None:
            signed[node] = reach[0] * reach[1] * sign

    walk(tree, strategy, deals.states[deal], deals.strengths[deal], visit)
    return signed, reached


def value(tree, signed, sizes):
    """What player 0 wins: the stakes times the signed probabilities."""
    return float(signed @ tree.stakes(sizes))


def stake_slopes(tree, sizes):
    """d stake / d size at every node, float64[sizers, n], to the player who bets.

    Stakes are affine in each size, so the two ends of its range give it.
    """
    rows = []
    for i, each in enumerate(tree.sizers):
        ends = []
        for end in each.range:
            moved = sizes.copy()
            moved[i] = end
            ends.append(tree.stakes(moved))
        rows.append((1 - 2 * each.seat) * (ends[1] - ends[0]) / each.range.width)
    return np.array(rows)

"""Comparing and choosing over all hands of a responder on one board."""

import numpy as np

from kibitz.compiling import njit


@njit(cache=True)
def compare(values, cards, alone, both, behind):
    """The lead of every hand over every other: the chance to win less that to lose, over all full boards.

    values      : int32[boards, hands], -1 where board and hand share a card
    alone, both : full boards that one hand can be on, and that two hands can be on which share no card
    behind      : float32[hands, hands], filled: the lead of the column's hand over the row's, 0 where they share a card
    """
    boards, hands = values.shape
    sums = np.empty(hands, np.int32)
    for one in range(hands):
        sums[:] = 0
        after = sums[one:]
        for b in range(boards):
            own, others = values[b, one], values[b, one:]
            if own < 0:
                continue
            for two in range(len(after)):
                after[two] += np.int32(own > others[two]) - np.int32(own < others[two])
        behind[one, one] = np.float32(0)
        for two in range(one + 1, hands):
            shared = cards[one, 0] == cards[two, 0] or cards[one, 0] == cards[two, 1]
            shared |= cards[one, 1] == cards[two, 0] or cards[one, 1] == cards[two, 1]
            # The first hand has beaten the second on all boards on which that one cannot be.
            lead = np.float32(0) if shared else np.float32(sums[two] - (alone - both)) / np.float32(both)
            behind[one, two] = -lead
            behind[two, one] = lead


@njit(cache=True)
def decide(nodes, fold_rows, prices, mask, rivals, lead, chosen):
    """The option that is worth most to each hand at every node of the responder: see `RoundTree`.

    chosen : int32[nodes + 1, hands], filled; the option, -1 for hands that do not come there. Row 0 has option -2 for
             all hands of `mask`, where the round begins
    """
    hands = mask.shape[0]
    for s in range(hands):
        chosen[0, s] = -2 if mask[s] else -1
    for n in range(len(nodes)):
        row, before, option, first, count = nodes[n]
        for s in range(hands):
            if chosen[before + 1, s] != option:
                chosen[n + 1, s] = -1
                continue
            best, most = first, -np.inf
            for o in range(first, first + count):
                folds = fold_rows[o]
                worth = prices[o, 0] * rivals[row, s] + prices[o, 1] * lead[row, s]
                if folds >= 0:
                    worth += prices[o, 2] * rivals[folds, s] + prices[o, 3] * lead[folds, s]
                if worth > most:
                    best, most = o, worth
            chosen[n + 1, s] = best


@njit(cache=True)
def collect(leaves, chips, rivals, lead, chosen, worth, reached):
    """Add up what the ends of a round are worth: see `RoundTree`.

    worth   : float64[hands], added to
    reached : bool[closings, hands], filled: the hands with which the responder comes to the next round
    """
    hands = worth.shape[0]
    for e in range(len(leaves)):
        node, option, row, closing = leaves[e]
        for s in range(hands):
            if chosen[node + 1, s] == option:
                if closing < 0:
                    worth[s] += chips[e, 0] * rivals[row, s] + chips[e, 1] * lead[row, s]
                else:
                    reached[closing, s] = True

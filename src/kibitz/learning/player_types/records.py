"""Records of player types: weights, filters, and the memory of a match, beside those of `kibitz.learning.records`.

Types are numbered p = 0 .. count - 1, and arrays have room for `MOST`. A player has a number in the match and, in each
deal, a seat; weights and beliefs of a deal go by seat, what is carried from deal to deal goes by player.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.learning.records import MOST_DECISIONS, SEATS, STAGES, STATES, TYPES, make_record

MOST = 16  # player types
NODES = 8  # of the extra layer
POSITIONS = 7  # features of where an opponent sits
INPUTS = TYPES + MOST + POSITIONS + 1  # of a node; the last is the constant
_D = MOST_DECISIONS

# Weights of player types. Those who have no type of their own, such as exploiters, use `opponents` alone.
KINDS = np.dtype(
    [
        ("own", "f8", (STAGES, MOST, STATES)),  # a player's own type -> outcome states
        ("opponents", "f8", (STAGES, MOST, STATES)),  # summed beliefs about opponents' types -> outcome states
        ("initial", "f8", (MOST,)),  # how types are distributed before a match
    ]
)

# Weights of the extra layer: logistic nodes for every opponent, of which the sum over opponents is an input.
LAYER = np.dtype(
    [
        ("nodes", "f8", (STAGES, INPUTS, NODES)),  # card-type belief, type belief, position, constant -> nodes
        ("outputs", "f8", (STAGES, NODES, STATES)),  # summed nodes -> outcome states
    ]
)

# What an observer believes in one deal.
FILTER = np.dtype(
    [
        ("joint", "f8", (SEATS, MOST, TYPES)),  # J(p, c) of every seat
        ("belief", "f8", (SEATS, TYPES)),  # its marginals: card-types
        ("kinds", "f8", (SEATS, MOST)),  # and player types
        ("start", "f8", (SEATS, MOST)),  # those of player types as the deal began
        ("opponents", "f8", (TYPES,)),  # sums over the active opponents of whoever is to act: O
        ("summed", "f8", (MOST,)),  # and Q
        ("chance", "f8", (3, MOST, TYPES)),  # P(action | p, c) at the decision
        ("scratch", "f8", (2, TYPES)),
    ]
)

# What lasts for a match, and what `records.WORK` has no room for.
MATCH = np.dtype(
    [
        ("count", "i8"),  # number of player types
        ("carried", "f8", (SEATS, MOST)),  # beliefs about types after the last deal, by player
        ("drawn", "i8", (SEATS,)),  # types that simulated players have, by player
        ("player", "i8", (SEATS,)),  # who sits in a seat
        ("shown", "i8"),  # mask of seats whose cards are seen after the deal; -1 for all in a showdown
        ("layered", "i8"),  # whether the learner has the extra layer
        ("own_exp", "f8", (STAGES, MOST, STATES)),  # exponentials of the weights of own types
        ("board", "f8", (STAGES, STATES)),  # logits of public card features
        ("board_exp", "f8", (STATES,)),  # their exponentials where card-types see them, or ones
        ("extra", "f8", (STATES,)),  # logits of Q and of the extra layer, for the learner
        ("summed", "f8", (_D, MOST)),  # Q of every decision
        ("can_fold", "i8", (_D,)),
        ("options", "i8", (_D,)),
        ("likely", "f8", (_D,)),  # chance of the action taken, before it was, to those who see no cards
        ("others", "i8", (_D,)),  # mask of opponents that the extra layer saw
        ("inputs", "f8", (_D, SEATS, INPUTS)),
        ("nodes", "f8", (_D, SEATS, NODES)),
        ("node_sum", "f8", (_D, NODES)),
    ]
)

KINDS_SIZE, LAYER_SIZE = KINDS.itemsize // 8, LAYER.itemsize // 8  # of flat arrays


def make_match(count: int, initial: npt.NDArray[np.float64]) -> npt.NDArray[np.void]:
    """The memory of a match that has not begun."""
    return make_record(MATCH, count=count, carried=initial, shown=-1)


def make_filters(count: int = 1) -> npt.NDArray[np.void]:
    """Filters: one that all players share, or one for the others and one for the learner."""
    return np.zeros(count, dtype=FILTER)

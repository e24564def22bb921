"""Records of player types: weights, beliefs, and the memory of a match, beside those of `kibitz.learning.records`.

Types are numbered p = 0 .. count - 1, and arrays have room for `MOST`. A player has a number in the match and, in each
deal, a seat; weights and beliefs of a deal go by seat, what is carried from deal to deal goes by player.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.learning.records import MOST_DECISIONS, SEATS, STAGES, STATES, TYPES

MOST = 16  # player types
NODES = 8  # of the extra layer
POSITIONS = 7  # features of where an opponent sits
INPUTS = TYPES + MOST + POSITIONS + 1  # of a node; the last is the constant
_D = MOST_DECISIONS

# Weights of player types.
KINDS = np.dtype(
    [
        ("own", "f8", (STAGES, MOST, STATES)),  # a player's own type -> outcome states
        ("opponents", "f8", (STAGES, MOST, STATES)),  # summed beliefs about opponents' types -> outcome states
        ("initial", "f8", (MOST,)),  # how types are distributed before a match
    ]
)

# What one who has no type of his own, such as an exploiter, makes of those of others; or its gradient.
READING = np.dtype(
    [
        ("kinds", KINDS),  # of which `opponents` counts
        # the extra layer: logistic nodes for every opponent, of which the sum over opponents is an input
        ("nodes", "f8", (STAGES, INPUTS, NODES)),  # card-type belief, type belief, position, constant -> nodes
        ("outputs", "f8", (STAGES, NODES, STATES)),  # summed nodes -> outcome states
    ]
)
KINDS_SIZE, READING_SIZE = KINDS.itemsize // 8, READING.itemsize // 8  # of flat arrays

# What an observer believes in one deal.
FILTER = np.dtype(
    [
        ("joint", "f8", (SEATS, MOST, TYPES)),  # J(p, c) of every seat
        ("belief", "f8", (SEATS, TYPES)),  # its marginals: card-types
        ("kinds", "f8", (SEATS, MOST)),  # and player types
        ("start", "f8", (SEATS, MOST)),  # those of player types as the deal began
        ("chance", "f8", (3, MOST, TYPES)),  # P(action | p, c) at the decision
        ("scratch", "f8", (2, TYPES)),
    ]
)

# What lasts for a match, and what `records.WORK` has no room for.
MEMORY = np.dtype(
    [
        ("count", "i8"),  # number of player types
        ("carried", "f8", (SEATS, MOST)),  # beliefs about types after the last deal, by player
        ("drawn", "i8", (SEATS,)),  # types that simulated players have, by player
        ("player", "i8", (SEATS,)),  # who sits in a seat
        ("shown", "i8"),  # mask of seats whose cards are seen after the deal; -1 for all in a showdown
        ("layered", "i8"),  # whether learners have the extra layer
        ("forgetful", "i8"),  # whether they have a filter of their own, which begins afresh with every deal
        ("recalled", "i8"),  # whether chances of actions with which a deal begins are worked out
        ("weight", "f8"),  # of squares in the rewards of learners, x - weight x^2
        ("own_exp", "f8", (STAGES, MOST, STATES)),  # exponentials of the weights of own types
        ("board_exp", "f8", (STAGES, STATES)),  # of public card features where card-types see them, or ones
        ("extra", "f8", (STATES,)),  # logits of Q and of the extra layer, for learners
        ("summed", "f8", (_D, MOST)),  # Q of every decision: beliefs about opponents' types, summed
        ("others", "i8", (_D,)),  # mask of opponents that the extra layer saw
        ("inputs", "f8", (_D, SEATS, INPUTS)),
        ("nodes", "f8", (_D, SEATS, NODES)),
        ("node_sum", "f8", (_D, NODES)),
    ]
)


class Match(NamedTuple):
    """A match among players with types; kernels take it apart at no cost. All are records, arrays of one in Python.

    reading   READING of learners; kinds : KINDS, of everybody else; memory : MEMORY
    shared    FILTER of all; own : that of learners, the same unless they are forgetful
    """

    reading: Any
    kinds: Any
    memory: Any
    shared: Any
    own: Any

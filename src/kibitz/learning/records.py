"""Records that kernels work on: weights, tables, variants, runs, and the scratch memory of one deal.

A kernel takes each as an array of one record and hands its address on: tuples of arrays would be copied at every call.
The layout is that of the profile `complete`; in `listed` the rows of added features stay zero.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.learning.cards.names import SHORT_RIVER, private_names, public_names
from kibitz.learning.cards.tables import PAIR_SHAPE

GROUPS = 5  # of weights with a rate each
STAGES, STATES, TYPES = 4, 8, 8  # outcome states, card-types
BETS = 9  # bet features; the row after them is the constant
SEATS = 10
FLOP, TURN, RIVER, SHORT, LISTS = 1, 2, 3, 4, 5  # lists of public features
LINEAR, SATURATING, LOGARITHM = 0, 1, 2  # chips in bet features
MOST_ON = 32  # features of a list that are on
_ACTING = {FLOP: (FLOP,), TURN: (FLOP, TURN), RIVER: (SHORT,)}  # lists that the action function sees at a stage
_MOVING = {FLOP: (FLOP,), TURN: (FLOP, TURN), RIVER: (FLOP, TURN, RIVER)}  # and those that transitions see


def list_length(kind: int) -> int:
    """The number of features in a list of public ones."""
    return len(SHORT_RIVER) if kind == SHORT else len(public_names("complete", kind))


# Rows with which lists begin, in `cards` (private, public) and `transitions` (moves, constant); -1 where not used.
PRIVATE = np.zeros(STAGES, dtype=np.int64)
PUBLIC = np.full((STAGES, LISTS), -1, dtype=np.int64)
MOVES = PUBLIC.copy()
CONSTANT = np.full(STAGES, -1, dtype=np.int64)


def _lay_out() -> tuple[int, int]:
    """Fill the tables of rows; the numbers of rows."""
    rows = rows_of_moves = 0
    for stage in range(STAGES):
        for kind in _ACTING.get(stage, ()):
            PUBLIC[stage, kind] = rows
            rows += list_length(kind)
        PRIVATE[stage] = rows
        rows += len(private_names("complete", stage))
        for kind in _MOVING.get(stage, ()):
            MOVES[stage, kind] = rows_of_moves
            rows_of_moves += list_length(kind)
        if stage:
            CONSTANT[stage] = rows_of_moves
            rows_of_moves += 1
    return rows, rows_of_moves


CARD_ROWS, MOVE_ROWS = _lay_out()
Shape = tuple[int, ...]


def _record(fields: dict[str, tuple[str, Shape]]) -> np.dtype[np.void]:
    return np.dtype([(name, kind, shape) for name, (kind, shape) in fields.items()])


# Everything that is learned, or its gradient; s are outcome states, c card-types.
WEIGHTS = _record(
    {
        "bets": ("f8", (STAGES, BETS + 1, STATES)),  # bet features and a constant -> outcome states
        "values": ("f8", (STAGES, BETS, STATES)),  # bet features -> value of an outcome state
        "costs": ("f8", (STAGES,)),  # of chips put in
        "beliefs": ("f8", (STAGES, TYPES, STATES)),  # summed beliefs about opponents -> outcome states
        "own": ("f8", (STAGES, TYPES, STATES)),  # what opponents would believe of oneself (self-aware)
        "cards": ("f8", (CARD_ROWS, STATES)),  # card features -> outcome states
        "types": ("f8", (STAGES, STATES, TYPES)),  # a card-type in place of cards
        "transitions": ("f8", (MOVE_ROWS, TYPES * TYPES)),  # public features -> ln M[c before, c after]
        "showdown": ("f8", (TYPES,)),  # ln q
        "initial": ("f8", (TYPES,)),  # how card-types are distributed before the flop
        "usage": ("f8", (STAGES, TYPES)),  # running averages of adjusted posteriors
    }
)

# Rules of the tables, by number of players; chips are small blinds.
TABLE = _record(
    {
        "blinds": ("i8", (SEATS + 1, SEATS)),
        "first": ("i8", (SEATS + 1, STAGES)),
        "raise_sizes": ("i8", (STAGES,)),
        "max_raises": ("i8", (STAGES,)),
        "uncapped_heads_up": ("i8", ()),
        "decision_cap": ("i8", ()),
        "free_folds": ("i8", ()),
    }
)

# Variants of the structure, and what features are multiplied (bets) or divided (cards) by.
MODE = _record(
    {
        "complete": ("i8", ()),  # profile of card features
        "public_observer": ("i8", ()),  # card-types see public card features too
        "self_aware": ("i8", ()),
        "chips": ("i8", ()),  # how bet features count chips: LINEAR and so on
        "card_scales": ("f8", (4,)),
        "bet_scales": ("f8", (BETS + 1,)),  # the last of the cost
        "pairs": ("i8", PAIR_SHAPE),  # sets of pairs of hole ranks, on every set of board ranks
    }
)

# What a run over deals is to do, and how it learns.
RIVALS, RIVAL_CHANCES = 16, 3  # others who may sit down, and what is said of each
RUN = _record(
    {
        "seed": ("u8", ()),
        "seats": ("f8", (SEATS + 1,)),  # cumulative chances of numbers of players
        "separate": ("i8", ()),  # whether policy and observer have different weights: one seat by turns learns
        "learn_policy": ("i8", ()),
        "learn_observer": ("i8", ()),
        "baseline": ("i8", ()),  # whether returns are compared with what a fold would lose
        "reward_scale": ("f8", ()),
        "pot_scaling": ("i8", ()),  # whether returns count in pots
        "entropy": ("f8", ()),
        "floor": ("f8", ()),  # of running averages
        # cumulative share of deals, chance to raise where a check is free, to fold and to raise where a bet is faced
        "rivals": ("f8", (RIVALS, RIVAL_CHANCES + 1)),
        "alone": ("i8", ()),  # whether rivals have all seats but one
        "batch": ("i8", ()),  # deals of a step
        "rates": ("f8", (GROUPS,)),
        "clip": ("f8", ()),
        "halving": ("f8", ()),  # deals after which rates are halved; 0 for constant rates
        "least": ("f8", ()),  # share of the first rates below which they do not fall
        "least_entropy": ("f8", ()),  # the same of the weight of the entropy
        "averaging": ("f8", ()),  # constant of running averages
        "window": ("f8", ()),  # part of all deals that averaged weights forget, as 1 / share; 0 for none
    }
)

MOST_DECISIONS = 1000
_D, _O = MOST_DECISIONS, 2  # decisions, options

# One deal: cards, features, beliefs, a record of every decision d, and the observer's factors.
WORK = _record(
    {
        "cards": ("u1", (2 * SEATS + 5,)),  # hole cards by seat, then the board from 2 * SEATS on
        "spent": ("i8", (SEATS,)),
        "value": ("i8", (SEATS,)),  # of hands in a showdown
        "ranked": ("i8", (SEATS,)),  # scratch memory of the pay-off
        "net": ("f8", (SEATS,)),  # chips won
        "last": ("i8", (SEATS,)),  # last stage that a seat saw
        "players": ("i8", ()),
        "decisions": ("i8", ()),  # so far
        "round": ("i8", ()),  # the last
        "active": ("i8", ()),  # mask of those who have not folded
        "winners": ("i8", ()),  # mask
        "learners": ("i8", ()),  # mask of seats that play the policy, where it has weights of its own
        "separate": ("i8", ()),  # whether it has
        "rivals": ("i8", ()),  # mask of seats with fixed chances
        "rival": ("f8", (RIVAL_CHANCES,)),  # theirs
        "forced": ("i8", (_D + 1,)),  # actions with which the deal begins
        "forced_count": ("i8", ()),
        "asked": ("i8", ()),  # whether it stops there, before anybody looks at cards
        "combination": ("i8", (2, SEATS)),  # seats in a showdown, and their card-types
        "scratch": ("f8", (8, 8)),
        "belief": ("f8", (SEATS, TYPES)),
        "public_numbers": ("i8", (LISTS, MOST_ON)),
        "public_values": ("f8", (LISTS, MOST_ON)),
        "public_counts": ("i8", (LISTS,)),
        "private_numbers": ("i8", (STAGES, SEATS, MOST_ON)),
        "private_values": ("f8", (STAGES, SEATS, MOST_ON)),
        "private_counts": ("i8", (STAGES, SEATS)),  # -1 until needed
        "board": ("f8", (2, STAGES, STATES)),  # logits of public card features: the policy's, the observer's
        "hand": ("f8", (SEATS, STATES)),  # exponentials of the logits of all card features
        "moves": ("f8", (STAGES, TYPES, TYPES)),  # transitions of this board
        "type_exp": ("f8", (STAGES, STATES, TYPES)),  # exponentials of `types`
        "likely": ("f8", (STAGES, SEATS, TYPES)),  # products of action probabilities, A_i
        "prior": ("f8", (STAGES, SEATS, TYPES)),  # forward factors before the actions of the stage
        "alpha": ("f8", (STAGES, SEATS, TYPES)),  # and after them
        "beta": ("f8", (STAGES, SEATS, TYPES)),  # backward factors
        "gamma": ("f8", (STAGES, SEATS, TYPES)),  # adjusted posteriors
        "total": ("f8", (STAGES, SEATS, 2)),  # L_2i, L_2i+1
        "moved": ("f8", (STAGES, TYPES, TYPES)),  # gradient of ln M
        "by_hand": ("f8", (STAGES, SEATS, STATES)),  # gradients of the logits of card features
        "player": ("i8", (_D,)),
        "stage": ("i8", (_D,)),
        "action": ("i8", (_D,)),
        "paid": ("i8", (_D,)),  # chips that the actor had put in
        "pots": ("f8", (_D,)),  # chips in the pot after a call
        "can_fold": ("i8", (_D,)),
        "options": ("i8", (_D,)),  # 2 where a raise is legal, else 1
        "features": ("f8", (_D, _O, BETS + 1)),  # bet features, the last is the cost
        "opponents": ("f8", (_D, TYPES)),  # summed beliefs
        "ahead": ("f8", (_D, _O, TYPES)),  # one's own belief after each option
        "state_exp": ("f8", (_D, _O, STATES)),  # exponentials of the observer's logits without card-types
        "state_value": ("f8", (_D, _O, STATES)),
        "own_value": ("f8", (_D, _O, STATES)),  # values of outcome states for the policy
        "outcome": ("f8", (_D, _O, STATES)),  # probabilities of outcome states with the actor's cards
        "mean": ("f8", (_D, _O)),  # their mean value
        "chance": ("f8", (_D, 3)),  # probabilities of actions; 0 for what is not legal
        "type_sum": ("f8", (_D, _O, TYPES)),
        "type_mean": ("f8", (_D, _O, TYPES)),
        "type_chance": ("f8", (_D, 3, TYPES)),  # probabilities of actions by card-type
    }
)


class Game(NamedTuple):
    """What a deal is played with; kernels take it apart at no cost. All are records."""

    policy: Any
    observer: Any
    table: Any
    mode: Any
    work: Any


def make_record(kind: np.dtype[np.void], **values: object) -> npt.NDArray[np.void]:
    """An array of one record, with these values and otherwise zeros."""
    made = np.zeros(1, dtype=kind)
    for name, value in values.items():
        made[name][0] = value
    return made


def make_work() -> npt.NDArray[np.void]:
    """Scratch memory for one deal at a time."""
    return np.zeros(1, dtype=WORK)

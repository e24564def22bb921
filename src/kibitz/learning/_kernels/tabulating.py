"""Tables of what a learned policy does on one board: all decisions of a player in a round, with all hands.

The logits of a decision with a hand are those of the betting and the beliefs plus those of the cards (`model`), so

    u_j = sum_s E_js w_js h_s / sum_s E_js h_s - cost_j

with exponentials E of the decision and h of the hand. Neither depends on the other: a pair costs two sums of eight
products for each option, and the soft-max over actions at the end.
"""

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import float32
from numba.core import types
from numba.extending import intrinsic

from kibitz.compiling import njit
from kibitz.learning._kernels import records_of
from kibitz.learning._kernels.betting import DIVIDING
from kibitz.learning._kernels.deciding import (
    exponentials,
    look_ahead,
    look_at_hand,
    move_belief,
    open_stage,
    outlook,
    watch,
)
from kibitz.learning.records import BETS, SEATS, STATES, TYPES

ACTOR, CAN_FOLD, OPTIONS, NUMBER, AFTER = 0, 1, 2, 3, 4  # columns of betting
PLAYERS = 2
BLOCK = 256  # hands whose exponentials stay next to the processor
FARTHEST = float32(60.0)  # a difference of values beyond this makes a probability of nothing
ROUNDING = float32(12582912.0)  # 1.5 * 2^23: a sum with it has no fraction, and the whole part in its last bits
FACTORS = tuple(float32(each) for each in (1.0, 0.69314718, 0.24022651, 0.05550411, 0.00961813, 0.00133336, 0.00015404))


class Asked(NamedTuple):
    """The decisions of a round, both players', parents first.

    betting : int64[n, 7]                  player, whether a fold is possible, options, number among the asked player's
                                           (-1 of the other), and after fold, call and raise the decision or, as -2 - t,
                                           the tree t of the next round that follows; -1 where none does
    features : float64[n, 2, BETS + 1]     bet features of every option
    entering : float64[trees, 2, TYPES]    beliefs with which the trees of the round begin, before its board cards
    """

    betting: Any
    features: Any
    entering: Any


class Scratch(NamedTuple):
    """Memory of one thread.

    beliefs : float64[n, 2, TYPES]                at every decision
    shares, values : float32[d, 2, STATES]        E, and E times the value of an outcome state; costs : float32[d, 2]
    hand : float32[STATES * width]                exponentials of all hands' card features
    free : float32[width]                         0 of hands that are not possible; calls, raises : float32[BLOCK]
    """

    beliefs: Any
    shares: Any
    values: Any
    costs: Any
    hand: Any
    free: Any
    calls: Any
    raises: Any


@intrinsic
def _scale(typing, rounded):
    """2^n of a whole number n to which ROUNDING has been added."""

    def generate(context, builder, signature, arguments):
        word = ir.IntType(32)
        bits = builder.add(builder.bitcast(arguments[0], word), ir.Constant(word, 127))
        return builder.bitcast(builder.shl(bits, ir.Constant(word, 23)), ir.FloatType())

    return types.float32(types.float32), generate


@njit(forceinline=True, fastmath={"contract"})
def _exp(x):
    """exp(x) to 2e-7 for x between -FARTHEST and FARTHEST, without calls, so that loops of it are vectorised."""
    x *= float32(1.44269504)
    rounded = x + ROUNDING
    x -= rounded - ROUNDING
    found = FACTORS[6]
    for k in (5, 4, 3, 2, 1, 0):
        found = found * x + FACTORS[k]
    return found * _scale(rounded)


@njit(error_model=DIVIDING)
def _follow(stage, asked, game, scratch, leaving):
    """The beliefs at every decision of a round, and what the asked player's share with all hands."""
    betting, features, beliefs, work, weights = asked.betting, asked.features, scratch.beliefs, game.work, game.policy
    shares, values, costs = scratch.shares, scratch.values, scratch.costs
    first = np.int64(0)  # of the records, which are written over and over
    for n in range(len(betting)):
        seat, options, number = betting[n, ACTOR], betting[n, OPTIONS], betting[n, NUMBER]
        work.player[0], work.stage[0], work.options[0], work.can_fold[0] = seat, stage, options, betting[n, CAN_FOLD]
        for p in range(PLAYERS):
            for c in range(TYPES):
                work.belief[p, c] = beliefs[n, p, c]
        for c in range(TYPES):
            work.opponents[0, c] = work.belief[1 - seat, c]
        for option in range(options):
            for f in range(BETS + 1):
                work.features[0, option, f] = features[n, option, f]
        watch(first, game)
        if number >= 0:
            for option in range(options):
                outlook(first, option, weights, False, game)
                for s in range(STATES):
                    shares[number, option, s] = work.outcome[0, option, s]
                    values[number, option, s] = work.outcome[0, option, s] * work.own_value[0, option, s]
                costs[number, option] = weights.costs[stage] * work.features[0, option, BETS]
        for action in range(3):
            after = betting[n, AFTER + action]
            if after == -1:
                continue
            to = beliefs[after] if after >= 0 else leaving[-2 - after]
            for c in range(TYPES):
                to[1 - seat, c] = work.belief[1 - seat, c]
            look_ahead(work.belief[seat], work.type_chance[0, action], to[seat])


@njit(fastmath={"contract"}, error_model=DIVIDING)
def _values(number, option, scratch, begin, end, found):
    """u of an option with the hands begin .. end of scratch.hand, float32[STATES * width]; fills `found`."""
    shares, values, cost = scratch.shares[number, option], scratch.values[number, option], scratch.costs[number, option]
    hand, width = scratch.hand, len(scratch.free)
    if begin < 0:
        return
    a, b, c, d, e, f, g, h = shares[0], shares[1], shares[2], shares[3], shares[4], shares[5], shares[6], shares[7]
    i, j, k, m, n, o, p, q = values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]
    for at in range(end - begin):
        x = begin + at
        h0, h1, h2, h3 = hand[x], hand[x + width], hand[x + 2 * width], hand[x + 3 * width]
        h4, h5, h6, h7 = hand[x + 4 * width], hand[x + 5 * width], hand[x + 6 * width], hand[x + 7 * width]
        total = a * h0 + b * h1 + c * h2 + d * h3 + e * h4 + f * h5 + g * h6 + h * h7
        mean = i * h0 + j * h1 + k * h2 + m * h3 + n * h4 + o * h5 + p * h6 + q * h7
        found[at] = mean / total - cost


@njit(fastmath={"contract"}, error_model=DIVIDING)
def _soften(can_fold, options, begin, count, scratch, flat, at):
    """The soft-max of the values of fold (0), call and raise with some hands: flat[at:] of [actions, width]."""
    calls, raises, free = scratch.calls, scratch.raises, scratch.free
    width = len(free)
    if begin < 0 or at < 0:
        return
    one = float32(1.0)
    if options == 1:
        for i in range(count):
            fold = _exp(min(max(-calls[i], -FARTHEST), FARTHEST)) if can_fold else float32(0.0)
            part = free[begin + i] / (one + fold)
            if can_fold:
                flat[at + i] = fold * part
                flat[at + width + i] = part
            else:
                flat[at + i] = part
    elif can_fold:
        for i in range(count):
            fold = _exp(min(max(-calls[i], -FARTHEST), FARTHEST))
            more = _exp(min(max(raises[i] - calls[i], -FARTHEST), FARTHEST))
            part = free[begin + i] / (one + fold + more)
            flat[at + i] = fold * part
            flat[at + width + i] = part
            flat[at + 2 * width + i] = more * part
    else:
        for i in range(count):
            more = _exp(min(max(raises[i] - calls[i], -FARTHEST), FARTHEST))
            part = free[begin + i] / (one + more)
            flat[at + i] = part
            flat[at + width + i] = more * part


@njit(error_model=DIVIDING)
def _look(stage, holes, board, game, scratch):
    """The exponentials of all hands' card features, scratch.hand; scratch.free is 0 of those on the board."""
    work, hand, free = game.work, scratch.hand, scratch.free
    width = len(free)
    for i in range(width):
        free[i] = 0.0
        for s in range(STATES):
            hand[s * width + i] = 1.0
    for i in range(len(holes)):
        blocked = False
        for card in board:
            blocked |= card == holes[i, 0] or card == holes[i, 1]
        if blocked:
            continue
        free[i] = 1.0
        work.cards[0], work.cards[1] = holes[i, 0], holes[i, 1]
        look_at_hand(stage, 0, game.policy, work.board[0, stage], game)
        for s in range(STATES):
            hand[s * width + i] = work.hand[0, s]


@njit(cache=True, nogil=True, error_model=DIVIDING)
def tabulate(stage, board, holes, asked, arrays, scratch, leaving, found):
    """What the asked player does with holes : uint8[n, 2] on a board : uint8[k].

    leaving : float64[trees, 2, TYPES]   beliefs with which the trees of the next round begin, filled
    found : float32[d, 3, width]         without holes only `leaving` is filled
    """
    game = records_of(arrays)
    work, beliefs, entering = game.work, scratch.beliefs, asked.entering
    exponentials(game.observer, work.type_exp)
    for k in range(len(board)):
        work.cards[2 * SEATS + k] = board[k]
    work.players = PLAYERS
    for each in range(stage + 1):  # later stages read the features of earlier ones
        open_stage(np.int64(each), np.int64(0), game)
    for tree in range(len(entering)):
        for p in range(PLAYERS):
            for c in range(TYPES):
                beliefs[tree, p, c] = entering[tree, p, c]
            if stage:
                move_belief(beliefs[tree, p], work.moves[stage], work.scratch[0])
    _follow(stage, asked, game, scratch, leaving)
    if len(holes) == 0:
        return
    width = found.shape[2]
    held = Scratch(
        scratch.beliefs, scratch.shares, scratch.values, scratch.costs, scratch.hand, scratch.free[:width],
        scratch.calls, scratch.raises,
    )  # fmt: skip
    _look(stage, holes, board, game, held)
    betting, flat = asked.betting, found.reshape(-1)
    for begin in range(0, width, BLOCK):
        end = min(begin + BLOCK, width)
        for n in range(len(betting)):
            number, options = betting[n, NUMBER], betting[n, OPTIONS]
            if number < 0:
                continue
            _values(number, 0, held, begin, end, scratch.calls)
            if options > 1:
                _values(number, 1, held, begin, end, scratch.raises)
            at = number * 3 * width + begin
            _soften(betting[n, CAN_FOLD] != 0, options, begin, end - begin, held, flat, at)

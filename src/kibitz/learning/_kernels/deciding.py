"""What a policy and an observer make of one decision: card-types, beliefs, bet features, values and probabilities.

The policy (card mode) is a class-mixture regression with a soft-max on top; the observer is a hidden Markov model over
card-types that sees only what is public. `model` has the formulas; the tests compute the same slowly. A deal is played
in scratch memory, `records.WORK`.
"""

from math import exp

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import CALL, DIVIDING, FOLD, RAISE
from kibitz.learning.cards._kernels import board_features, hand_features
from kibitz.learning.records import BETS, CONSTANT, LISTS, MOVES, PRIVATE, PUBLIC, SEATS, SHORT, STAGES, STATES, TYPES

FAST = {"reassoc", "contract", "nsz", "arcp"}
SMALL = 1e-60
FAR = -30.0  # values and logits further below the best count as this: no probability is ever 0


@njit(fastmath=FAST, error_model=DIVIDING)
def exponentials(weights, type_exp):
    """Fill type_exp with exp(types), each card-type's largest being 1: only ratios of outcome states matter."""
    for stage in range(STAGES):
        for c in range(TYPES):
            most = weights.types[stage, 0, c]
            for s in range(1, STATES):
                most = max(most, weights.types[stage, s, c])
            for s in range(STATES):
                type_exp[stage, s, c] = exp(max(weights.types[stage, s, c] - most, 2 * FAR))


@njit(fastmath=FAST, error_model=DIVIDING)
def open_stage(stage, active, game):
    """Public features of a new stage, its transitions, and the beliefs about active players after it."""
    policy, observer, mode, work = game.policy, game.observer, game.mode, game.work
    players = work.players
    board = work.cards[2 * SEATS :]
    numbers, values = work.public_numbers, work.public_values
    if stage:
        work.public_counts[stage] = board_features(stage, board, mode, numbers[stage], values[stage])
        if stage == 3:
            work.public_counts[SHORT] = board_features(SHORT, board, mode, numbers[SHORT], values[SHORT])
    for s in range(STATES):
        work.board[0, stage, s] = 0.0
        work.board[1, stage, s] = 0.0
    for kind in range(1, LISTS):
        base = PUBLIC[stage, kind]
        if base < 0:
            continue
        for i in range(work.public_counts[kind]):
            row, value = base + numbers[kind, i], values[kind, i]
            for s in range(STATES):
                work.board[0, stage, s] += policy.cards[row, s] * value
                work.board[1, stage, s] += observer.cards[row, s] * value
    for seat in range(players):
        work.private_counts[stage, seat] = -1
    if stage == 0:
        return
    moves = work.moves[stage].reshape(TYPES * TYPES)
    for i in range(TYPES * TYPES):
        moves[i] = observer.transitions[CONSTANT[stage], i]
    for kind in range(1, LISTS):
        base = MOVES[stage, kind]
        if base < 0:
            continue
        for i in range(work.public_counts[kind]):
            row, value = base + numbers[kind, i], values[kind, i]
            for j in range(TYPES * TYPES):
                moves[j] += observer.transitions[row, j] * value
    most = moves[0]
    for i in range(1, TYPES * TYPES):
        most = max(most, moves[i])
    for i in range(TYPES * TYPES):  # only ratios matter: the largest becomes 1, and nothing overflows
        moves[i] = exp(max(moves[i] - most, 2 * FAR))
    for seat in range(players):
        if active >> seat & 1:
            move_belief(work.belief[seat], work.moves[stage], work.scratch[0])


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def move_belief(belief, moves, scratch):
    """A belief after new board cards, normalised."""
    for c in range(TYPES):
        scratch[c] = 0.0
    for before in range(TYPES):
        for c in range(TYPES):
            scratch[c] += belief[before] * moves[before, c]
    total = 0.0
    for c in range(TYPES):
        total += scratch[c]
    for c in range(TYPES):
        belief[c] = scratch[c] / total


@njit(fastmath=FAST, error_model=DIVIDING)
def look_at_hand(stage, seat, weights, logits, game):
    """Features of a seat's cards at this stage, and the exponentials of the logits that all card features give.

    logits : float64[s]   of the public ones
    """
    mode, work = game.mode, game.work
    numbers, values = work.private_numbers[stage, seat], work.private_values[stage, seat]
    first, second = np.int64(work.cards[2 * seat]), np.int64(work.cards[2 * seat + 1])
    board = work.cards[2 * SEATS :]
    count = hand_features(stage, first, second, board, mode, numbers, values)
    work.private_counts[stage, seat] = count
    hand = work.hand[seat]
    for s in range(STATES):
        hand[s] = logits[s]
    base = PRIVATE[stage]
    for i in range(count):
        row, value = base + numbers[i], values[i]
        for s in range(STATES):
            hand[s] += weights.cards[row, s] * value
    to_exponentials(hand)


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def to_exponentials(logits):
    """Replace logits by their exponentials, the largest being 1."""
    most = logits[0]
    for s in range(1, STATES):
        most = max(most, logits[s])
    for s in range(STATES):
        logits[s] = exp(max(logits[s] - most, 2 * FAR))


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def shared_logits(weights, stage, features, opponents, logits, values):
    """Fill logits and values : float64[s] of outcome states with all that does not come from cards."""
    for s in range(STATES):
        logits[s] = weights.bets[stage, BETS, s]
        values[s] = 0.0
    for f in range(BETS):
        x = features[f]
        for s in range(STATES):
            logits[s] += weights.bets[stage, f, s] * x
            values[s] += weights.values[stage, f, s] * x
    for c in range(TYPES):
        x = opponents[c]
        for s in range(STATES):
            logits[s] += weights.beliefs[stage, c, s] * x


@njit(fastmath=FAST, error_model=DIVIDING)
def ask_types(d, observer, work):
    """What each card-type would do in decision d: fills type_sum, type_mean and type_chance."""
    stage, can_fold, options = work.stage[d], work.can_fold[d] != 0, work.options[d]
    chance = work.type_chance[d]
    for c in range(TYPES):
        chance[FOLD, c] = 0.0
        chance[CALL, c] = 0.0
        chance[RAISE, c] = 0.0
    for option in range(options):
        sums, means = work.type_sum[d, option], work.type_mean[d, option]
        for c in range(TYPES):
            sums[c] = 0.0
            means[c] = 0.0
        for s in range(STATES):
            weight = work.state_exp[d, option, s]
            value = weight * work.state_value[d, option, s]
            for c in range(TYPES):
                sums[c] += weight * work.type_exp[stage, s, c]
                means[c] += value * work.type_exp[stage, s, c]
        cost = observer.costs[stage] * work.features[d, option, BETS]
        for c in range(TYPES):
            means[c] /= sums[c]
            chance[option + 1, c] = means[c] - cost
    for c in range(TYPES):
        most = chance[CALL, c]
        if options > 1:
            most = max(most, chance[RAISE, c])
        if can_fold:
            most = max(most, 0.0)
            chance[FOLD, c] = exp(max(-most, FAR))
        chance[CALL, c] = exp(max(chance[CALL, c] - most, FAR))
        if options > 1:
            chance[RAISE, c] = exp(max(chance[RAISE, c] - most, FAR))
        total = chance[FOLD, c] + chance[CALL, c] + chance[RAISE, c]
        chance[FOLD, c] /= total
        chance[CALL, c] /= total
        chance[RAISE, c] /= total


@njit(fastmath=FAST, error_model=DIVIDING)
def watch(d, game):
    """What card-types would do in decision d, whose bet features and summed beliefs are recorded."""
    observer, mode, work = game.observer, game.mode, game.work
    stage = work.stage[d]
    for option in range(work.options[d]):
        features, opponents = work.features[d, option], work.opponents[d]
        logits, values = work.state_exp[d, option], work.state_value[d, option]
        shared_logits(observer, stage, features, opponents, logits, values)
        if mode.public_observer:
            for s in range(STATES):
                logits[s] += work.board[1, stage, s]
        to_exponentials(logits)
    ask_types(d, observer, work)


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def outlook(d, option, policy, separate, game):
    """All that an option in decision d has without the actor's cards, after `watch`: fills outcome and own_value.

    separate   whether the policy has weights that are not the observer's
    """
    mode, work = game.mode, game.work
    seat, stage = work.player[d], work.stage[d]
    outcome, values = work.outcome[d, option], work.own_value[d, option]
    # The observer's exponentials serve the policy too, where both have the same weights and inputs.
    if separate or mode.self_aware or mode.public_observer:
        shared_logits(policy, stage, work.features[d, option], work.opponents[d], outcome, values)
        if mode.self_aware:
            look_ahead(work.belief[seat], work.type_chance[d, option + 1], work.ahead[d, option])
            for c in range(TYPES):
                x = work.ahead[d, option, c]
                for s in range(STATES):
                    outcome[s] += policy.own[stage, c, s] * x
        to_exponentials(outcome)
    else:
        for s in range(STATES):
            outcome[s] = work.state_exp[d, option, s]
            values[s] = work.state_value[d, option, s]


@njit(fastmath=FAST, error_model=DIVIDING)
def decide(d, policy, separate, game):
    """The probabilities of the actions in decision d with the actor's cards, after `watch`."""
    work = game.work
    hand, cost = work.hand[work.player[d]], policy.costs[work.stage[d]]
    for option in range(work.options[d]):
        outlook(d, option, policy, separate, game)
        weigh(d, option, hand, cost, work)
    soften(work.chance[d], work.can_fold[d] != 0, work.options[d])


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def weigh(d, option, hand, cost, work):
    """The value of an option in decision d, with the exponentials of a hand; outcome states become probabilities.

    cost   of a chip that is put in
    """
    outcome, values = work.outcome[d, option], work.own_value[d, option]
    total = mean = 0.0
    for s in range(STATES):
        outcome[s] *= hand[s]
        total += outcome[s]
        mean += outcome[s] * values[s]
    for s in range(STATES):
        outcome[s] /= total
    work.mean[d, option] = mean / total
    work.chance[d, option + 1] = mean / total - cost * work.features[d, option, BETS]


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def act_with(d, outcome, values, hand, cost, work, chance):
    """Fill chance : float64[3] with what is done in decision d with the exponentials of a hand; nothing else changes.

    outcome, values : float64[2, s]   exponentials and values of outcome states without the hand, by option
    """
    for option in range(work.options[d]):
        total = mean = 0.0
        for s in range(STATES):
            weight = outcome[option, s] * hand[s]
            total += weight
            mean += weight * values[option, s]
        chance[option + 1] = mean / total - cost * work.features[d, option, BETS]
    soften(chance, work.can_fold[d] != 0, work.options[d])


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def look_ahead(belief, chance, ahead):
    """Fill ahead with the belief about a player after an action that card-types take with `chance`."""
    total = 0.0
    for c in range(TYPES):
        ahead[c] = belief[c] * chance[c]
        total += ahead[c]
    for c in range(TYPES):
        ahead[c] /= total


@njit(forceinline=True, error_model=DIVIDING)
def soften(chance, can_fold, options):
    """The soft-max of the values of the legal actions, in place; that of a fold is 0."""
    most = chance[CALL]
    if options > 1:
        most = max(most, chance[RAISE])
    if can_fold:
        most = max(most, 0.0)
    chance[FOLD] = exp(max(-most, FAR)) if can_fold else 0.0
    chance[CALL] = exp(max(chance[CALL] - most, FAR))
    chance[RAISE] = exp(max(chance[RAISE] - most, FAR)) if options > 1 else 0.0
    total = chance[FOLD] + chance[CALL] + chance[RAISE]
    chance[FOLD] /= total
    chance[CALL] /= total
    chance[RAISE] /= total

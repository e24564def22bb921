"""What a deal teaches the observer: the conditional likelihood of what was seen, forward and backward."""

from math import exp, log

import numpy as np

from kibitz.compiling import njit
from kibitz.games._kernels import next_pending
from kibitz.learning._kernels.betting import DIVIDING, count_bits
from kibitz.learning._kernels.deciding import FAST, SMALL
from kibitz.learning.records import CONSTANT, LISTS, MOVES, STATES, TYPES
from kibitz.random._kernels import GAMMA, below, mix, unit

WORKED = 3  # players of a showdown that is always worked
MOST_WORKED = 6  # more players than this in a showdown teach the showdown estimator nothing


@njit(fastmath=FAST, error_model=DIVIDING)
def forward(game):
    """Forward factors alpha_i of every player, before and after the actions of a stage, and their totals.

    Products of many actions would fall below the smallest numbers: they are scaled up now and then, which changes
    nothing but the likelihood. Returns the logarithm that this leaves out of it.
    """
    observer, work = game.observer, game.work
    players = work.players
    left_out = 0.0
    for stage in range(work.round + 1):
        for p in range(players):
            for c in range(TYPES):
                work.likely[stage, p, c] = 1.0
    for d in range(work.decisions):
        likely = work.likely[work.stage[d], work.player[d]]
        most = 0.0
        for c in range(TYPES):
            likely[c] *= work.type_chance[d, work.action[d], c]
            most = max(most, likely[c])
        if most < SMALL:
            left_out += log(most)
            for c in range(TYPES):
                likely[c] /= most
    for p in range(players):
        for stage in range(work.last[p] + 1):
            prior, alpha, likely = work.prior[stage, p], work.alpha[stage, p], work.likely[stage, p]
            if stage == 0:
                for c in range(TYPES):
                    prior[c] = observer.initial[c]
            else:
                before = work.alpha[stage - 1, p]
                for c in range(TYPES):
                    prior[c] = 0.0
                for b in range(TYPES):
                    for c in range(TYPES):
                        prior[c] += before[b] * work.moves[stage, b, c]
            ahead = after = 0.0
            for c in range(TYPES):
                alpha[c] = prior[c] * likely[c]
                ahead += prior[c]
                after += alpha[c]
            work.total[stage, p, 0] = ahead
            work.total[stage, p, 1] = after
    return left_out


@njit(fastmath=FAST, error_model=DIVIDING)
def backward(p, work):
    """Backward factors and adjusted posteriors of a player, from those of his last stage, which are there."""
    for stage in range(work.last[p] - 1, -1, -1):
        beta, next_beta, likely = work.beta[stage, p], work.beta[stage + 1, p], work.likely[stage + 1, p]
        inverse, after = 1.0 / work.total[stage, p, 1], 1.0 / work.total[stage + 1, p, 0]
        worth = work.scratch[5]
        for c in range(TYPES):
            worth[c] = likely[c] * next_beta[c] - after
        for b in range(TYPES):
            total = inverse
            for c in range(TYPES):
                total += work.moves[stage + 1, b, c] * worth[c]
            beta[b] = total
            work.gamma[stage, p, b] = work.alpha[stage, p, b] * total


@njit(fastmath=FAST, error_model=DIVIDING)
def work_showdown(winner, boost, floor, game, gradient):
    """Last backward factors of the players of a showdown, and the gradient of ln q; returns ln Z.

    Runs through all combinations of card-types of those who are in, the last one's side by side.
    """
    observer, work = game.observer, game.work
    players, active, usage = work.players, work.active, observer.usage
    q, sums = work.scratch[0], work.scratch[6]
    for c in range(TYPES):
        q[c] = exp(observer.showdown[c])
        sums[c] = 0.0
    seats, place = work.combination[0], work.combination[1]
    count = 0
    for p in range(players):
        if active >> p & 1:
            seats[count] = p
            place[count] = 0
            count += 1
            for c in range(TYPES):
                work.gamma[3, p, c] = 0.0
                work.beta[3, p, c] = 0.0  # sums of joint / sum of q for now
    last = seats[count - 1]
    alpha = work.alpha[3, last]
    total = 0.0
    joint, shared = work.scratch[3], work.scratch[4]
    while True:
        weight, weights_q, won = 1.0, 0.0, 0.0
        for k in range(count - 1):
            p, c = seats[k], place[k]
            weight *= work.alpha[3, p, c]
            weights_q += q[c]
            if p == winner:
                won = q[c]
        both = ratio = 0.0
        for c in range(TYPES):
            inverse = 1.0 / (weights_q + q[c])
            joint[c] = weight * alpha[c] * inverse * (q[c] if last == winner else won)
            shared[c] = joint[c] * inverse
            both += joint[c]
            ratio += shared[c]
            work.gamma[3, last, c] += joint[c]
            work.beta[3, last, c] += shared[c]
        total += both
        for k in range(count - 1):
            work.gamma[3, seats[k], place[k]] += both
            work.beta[3, seats[k], place[k]] += ratio
        k = count - 2
        while k >= 0 and place[k] == TYPES - 1:
            place[k] = 0
            k -= 1
        if k < 0:
            break
        place[k] += 1
    for k in range(count):
        p = seats[k]
        for c in range(TYPES):
            sums[c] -= q[c] * work.beta[3, p, c] / total
            work.gamma[3, p, c] /= total
            if p == winner:
                sums[c] += work.gamma[3, p, c]
            work.beta[3, p, c] = work.gamma[3, p, c] / max(work.alpha[3, p, c], 1e-300)
    for c in range(TYPES):
        gradient.showdown[c] += boost * sums[c] / max(usage[3, c], floor)
    return log(total)


@njit(fastmath=FAST, error_model=DIVIDING)
def observe(key, floor, game, gradient):
    """Forward and backward pass over a deal; fills gamma, and adds the gradient of ln q where the showdown is worked.

    Returns the conditional log-likelihood of actions and showdown. `key` draws the winner of a tie, and whether a
    showdown of more than three players is worked.
    """
    likelihood = forward(game)
    work = game.work
    players, active = work.players, work.active
    left = count_bits(active)
    worked = False
    if left > 1 and left <= MOST_WORKED:
        boost = 1.0
        for _ in range(WORKED, left):
            boost *= TYPES
        worked = boost == 1.0 or unit(mix(key)) * boost < 1.0
        if worked:
            winners, place = work.winners, 0
            if count_bits(winners) > 1:
                place = np.int64(below(mix(key + GAMMA), np.uint64(count_bits(winners))))
            winner = next_pending(0, winners, players)
            for _ in range(place):
                winner = next_pending((winner + 1) % players, winners, players)
            likelihood += work_showdown(winner, boost, floor, game, gradient)
    for p in range(players):
        last = work.last[p]
        shown = worked and active >> p & 1
        if not shown:
            inverse = 1.0 / work.total[last, p, 1]
            for c in range(TYPES):
                work.beta[last, p, c] = inverse
                work.gamma[last, p, c] = work.alpha[last, p, c] * inverse
        backward(p, work)
        for stage in range(last + 1):
            if stage:
                likelihood -= log(work.total[stage, p, 0])
            if stage < last or not shown:
                likelihood += log(work.total[stage, p, 1])
    return likelihood


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_observer(floor, game, gradient):
    """Add the gradients of card-type weights and transitions, rescaled by running averages, and the sums of gamma."""
    work, usage = game.work, game.observer.usage
    players, stages = work.players, work.round + 1
    push, sums = work.scratch[3], work.scratch[4]
    for d in range(work.decisions):
        seat, stage, action = work.player[d], work.stage[d], work.action[d]
        options = work.options[d]
        gamma = work.gamma[stage, seat]
        for option in range(options):
            for c in range(TYPES):
                taken = 1.0 if action == option + 1 else 0.0
                push[c] = gamma[c] / max(usage[stage, c], floor) * (taken - work.type_chance[d, option + 1, c])
                sums[c] = push[c] / work.type_sum[d, option, c]
            for s in range(STATES):
                weight, value = work.state_exp[d, option, s], work.state_value[d, option, s]
                for c in range(TYPES):
                    gradient.types[stage, s, c] += (
                        sums[c] * weight * work.type_exp[stage, s, c] * (value - work.type_mean[d, option, c])
                    )
    for p in range(players):
        for stage in range(work.last[p] + 1):
            for c in range(TYPES):
                gradient.usage[stage, c] += max(work.gamma[stage, p, c], 0.0)
            if stage == 0:
                for c in range(TYPES):
                    gradient.initial[c] += max(work.gamma[0, p, c], 0.0)
    for stage in range(1, stages):
        learn_moves(stage, floor, game, gradient)


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_moves(stage, floor, game, gradient):
    """Add the gradient of the transitions into a stage."""
    work, usage = game.work, game.observer.usage
    moved = work.moved[stage]
    for b in range(TYPES):
        for c in range(TYPES):
            moved[b, c] = 0.0
    worth = work.scratch[5]
    for p in range(work.players):
        if work.last[p] < stage:
            continue
        after = 1.0 / work.total[stage, p, 0]
        for c in range(TYPES):
            worth[c] = work.likely[stage, p, c] * work.beta[stage, p, c] - after
        for b in range(TYPES):
            alpha = work.alpha[stage - 1, p, b]
            for c in range(TYPES):
                moved[b, c] += alpha * worth[c]
    for b in range(TYPES):
        before = 1.0 / max(usage[stage - 1, b], floor)
        for c in range(TYPES):
            moved[b, c] *= work.moves[stage, b, c] * before / max(usage[stage, c], floor)
    flat = moved.reshape(TYPES * TYPES)
    row = CONSTANT[stage]
    for i in range(TYPES * TYPES):
        gradient.transitions[row, i] += flat[i]
    for kind in range(1, LISTS):
        base = MOVES[stage, kind]
        if base < 0:
            continue
        for i in range(work.public_counts[kind]):
            row, x = base + work.public_numbers[kind, i], work.public_values[kind, i]
            for j in range(TYPES * TYPES):
                gradient.transitions[row, j] += x * flat[j]

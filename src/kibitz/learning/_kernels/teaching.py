"""What a deal teaches the policy: gradients of REINFORCE, and of the features of cards."""

from math import log

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import DIVIDING, RAISE
from kibitz.learning._kernels.deciding import FAST
from kibitz.learning.records import BETS, LISTS, PRIVATE, PUBLIC, STATES, TYPES

NO_BASELINE, FOLD_BASELINE, MEAN_BASELINE, LINEAR_BASELINE = 0, 1, 2, 3


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_policy(run, entropy, learners, mode, work, linear, gradient, linear_gradient):
    """Add the REINFORCE gradient of a deal: sum over decisions of (return - baseline) times grad ln probability.

    entropy                   weight of the entropy of decisions, in the unit of advantages
    linear, linear_gradient : float64[stages, BETS + 1]   the baseline where it is learned, and its own gradient
    """
    count, players = work.counts[0], work.counts[3]
    by_hand = work.by_hand
    for stage in range(work.counts[2] + 1):
        for p in range(players):
            for s in range(STATES):
                by_hand[stage, p, s] = 0.0
    change = work.scratch[2]
    for d in range(count):
        seat, stage = work.player[d], work.stage[d]
        if run.separate and not learners >> seat & 1:
            continue
        won = work.net[seat]
        if run.baseline:
            won += work.paid[d]  # what a fold would lose is the return to compare with
        if run.baseline == MEAN_BASELINE:
            expected = linear[stage, BETS]
            linear_gradient[stage, BETS] += won - expected
            won -= expected
        elif run.baseline == LINEAR_BASELINE:
            expected = linear[stage, BETS]
            size = 1.0
            for f in range(BETS):
                expected += linear[stage, f] * work.features[d, 0, f]
                size += work.features[d, 0, f] ** 2
            won -= expected
            error = won / size  # large pots must not overshoot
            for f in range(BETS):
                linear_gradient[stage, f] += error * work.features[d, 0, f]
            linear_gradient[stage, BETS] += error
        advantage = won / run.reward_scale
        if run.pot_scaling:  # a rate of its own for every decision: what is at stake counts in pots, not in chips
            advantage *= run.reward_scale * mode.bet_scales[2] / work.features[d, 0, 2]
        learn_decision(d, advantage, entropy, mode, work, gradient, change)
        for s in range(STATES):
            by_hand[stage, seat, s] += change[s]
    learn_cards(work, gradient)


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def learn_decision(d, advantage, entropy, mode, work, gradient, change):
    """Add the gradient of decision d: advantage times grad ln probability, and that of its entropy.

    change : float64[s]   filled with the gradient of the logits, which cards and all inputs share between options
    """
    stage, action = work.stage[d], work.action[d]
    chance = work.chance[d]
    options = 2 if chance[RAISE] > 0.0 else 1
    disorder = 0.0
    if entropy > 0.0:
        for a in range(3):
            if chance[a] > 0.0:
                disorder -= chance[a] * log(chance[a])
    for s in range(STATES):
        change[s] = 0.0
    for option in range(options):
        probability = chance[option + 1]
        push = advantage * ((action == option + 1) - probability)
        if entropy > 0.0 and probability > 0.0:
            push -= entropy * probability * (log(probability) + disorder)
        features = work.features[d, option]
        gradient.costs[stage] -= push * features[BETS]
        mean = work.mean[d, option]
        outcome, values = work.outcome[d, option], work.own_value[d, option]
        logit, weight = work.scratch[3], work.scratch[4]
        for s in range(STATES):
            weight[s] = push * outcome[s]
            logit[s] = weight[s] * (values[s] - mean)
            change[s] += logit[s]
            gradient.bets[stage, BETS, s] += logit[s]
        for f in range(BETS):
            x = features[f]
            for s in range(STATES):
                gradient.bets[stage, f, s] += x * logit[s]
                gradient.values[stage, f, s] += x * weight[s]
        if mode.self_aware:
            for c in range(TYPES):
                x = work.ahead[d, option, c]
                for s in range(STATES):
                    gradient.own[stage, c, s] += x * logit[s]
    for c in range(TYPES):
        x = work.opponents[d, c]
        for s in range(STATES):
            gradient.beliefs[stage, c, s] += x * change[s]


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_cards(work, gradient):
    """Add the gradients of the weights of card features, from those of the logits by stage and seat."""
    change = work.scratch[2]
    for stage in range(work.counts[2] + 1):
        for s in range(STATES):
            change[s] = 0.0
        base = PRIVATE[stage]
        for p in range(work.counts[3]):
            count = work.private_counts[stage, p] if work.last[p] >= stage else -1
            if count < 0:
                continue
            for s in range(STATES):
                change[s] += work.by_hand[stage, p, s]
            for i in range(count):
                row, x = base + work.private_numbers[stage, p, i], work.private_values[stage, p, i]
                for s in range(STATES):
                    gradient.cards[row, s] += x * work.by_hand[stage, p, s]
        for kind in range(1, LISTS):
            base = PUBLIC[stage, kind]
            if base < 0:
                continue
            for i in range(work.public_counts[kind]):
                row, x = base + work.public_numbers[kind, i], work.public_values[kind, i]
                for s in range(STATES):
                    gradient.cards[row, s] += x * change[s]

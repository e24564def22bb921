"""What a deal teaches the policy: gradients of REINFORCE, and of the features of cards."""

from math import log

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import DIVIDING
from kibitz.learning._kernels.deciding import FAST
from kibitz.learning._kernels.reading import learn_reading
from kibitz.learning.records import BETS, LISTS, PRIVATE, PUBLIC, STATES, TYPES


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_policy(entropy, run, game, gradient, match=None, reading=None):
    """Add the REINFORCE gradient of a deal: sum over decisions of (reward - baseline) times grad ln probability.

    A reward is what was won, x, or x - k x^2 with the weight k of squares in a match.

    entropy          weight of the entropy of decisions, in the unit of advantages
    match, reading   among players with types, and the gradient of what learners make of those
    """
    work, square = game.work, 0.0
    if match is not None:
        square = match.memory.weight
    clear_cards(work)
    change = work.scratch[2]
    for d in range(work.decisions):
        seat = work.player[d]
        if work.rivals >> seat & 1 or (work.separate and not work.learners >> seat & 1):
            continue
        won = work.net[seat] - square * work.net[seat] ** 2
        if run.baseline:
            won += work.paid[d] + square * work.paid[d] ** 2  # what a fold would lose is the return to compare with
        advantage = won / run.reward_scale
        if run.pot_scaling:  # a rate of its own for every decision: what is at stake counts in pots, not in chips
            advantage *= run.reward_scale / work.pots[d]
        learn_decision(d, advantage, entropy, game, gradient)
        for s in range(STATES):
            work.by_hand[work.stage[d], seat, s] += change[s]
        if match is not None:
            learn_reading(d, work, match, reading)
    learn_cards(work, gradient)


@njit(fastmath=FAST, error_model=DIVIDING)
def clear_cards(work):
    """No gradient of card features yet."""
    for stage in range(work.round + 1):
        for p in range(work.players):
            for s in range(STATES):
                work.by_hand[stage, p, s] = 0.0


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def learn_decision(d, advantage, entropy, game, gradient):
    """Add the gradient of decision d: advantage times grad ln probability, and that of its entropy.

    Fills work.scratch[2] with the gradient of the logits, which cards and all inputs share between options.
    """
    mode, work = game.mode, game.work
    change = work.scratch[2]
    stage, action = work.stage[d], work.action[d]
    chance = work.chance[d]
    options = work.options[d]
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
    for stage in range(work.round + 1):
        for s in range(STATES):
            change[s] = 0.0
        base = PRIVATE[stage]
        for p in range(work.players):
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

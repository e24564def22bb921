"""Runs of simulated deals, compiled: play them with a learned policy, sum up what they teach, and step.

`betting`, `deciding`, `playing`, `teaching` and `observing` have the parts; `tabulating` fills tables of a policy, for
which no deals are played. Memory is that of `records.WORK`.
"""

from math import log

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import CALL, DIVIDING, RAISE, count_bits, deal_cards
from kibitz.learning._kernels.deciding import decide, exponentials, look_at_hand, watch
from kibitz.learning._kernels.observing import learn_observer, observe
from kibitz.learning._kernels.playing import play_deal
from kibitz.learning._kernels.teaching import learn_policy
from kibitz.learning.records import BETS, SEATS, STAGES, TYPES
from kibitz.random._kernels import GAMMA, mix, stream, unit

TOLD = 64
NO_HOLES, NO_CHANCES = np.zeros((0, 2), np.uint8), np.zeros((3, 0))
NO_GROUPS = np.zeros(1, np.int64)


@njit(cache=True, nogil=True, error_model=DIVIDING)
def play_and_ask(
    players, key, forced, forced_count, policy, observer, learners, separate, table, mode, work, holes, chances
):  # fmt: skip
    """`play_deal`; where that stops before a decision, what the player to act does with each of holes : uint8[n, 2].

    chances : float64[3, n], filled      The records of the last hand stay in work. Returns the number of decisions.
    """
    record, deal = policy[0], work[0]
    exponentials(observer[0], deal.type_exp)
    d = play_deal(players, key, forced, forced_count, record, observer[0], learners, separate, table[0], mode[0], deal)
    if len(holes) == 0:
        return d
    seat, stage, can_fold, options = deal.player[d], deal.stage[d], deal.action[d] != 0, deal.paid[d]
    watch(d, stage, can_fold, options, observer[0], mode[0], deal)
    for i in range(len(holes)):
        deal.cards[2 * seat] = holes[i, 0]
        deal.cards[2 * seat + 1] = holes[i, 1]
        look_at_hand(stage, seat, record, mode[0], deal.board[0], deal)
        decide(d, seat, stage, can_fold, options, record, separate, mode[0], deal)
        for action in range(3):
            chances[action, i] = deal.chance[d, action]
    return d


def play_one(players, key, forced, forced_count, policy, observer, learners, separate, table, mode, work) -> int:
    """`play_deal` for Python, which gives records as arrays of one; returns the number of decisions."""
    return play_and_ask(
        players, key, forced, forced_count, policy, observer, learners, separate, table, mode, work, NO_HOLES,
        NO_CHANCES,
    )  # fmt: skip


def advise(players, forced, holes, weights, table, mode, work, chances) -> int:
    """Fill chances : float64[3, n] with what the player to act does with each of holes : uint8[n, 2].

    forced : int64[n]   the actions before, then -1; the board is in work
    """
    return play_and_ask(
        players, np.uint64(0), forced, len(forced), weights, weights, 0, False, table, mode, work, holes, chances
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model=DIVIDING)
def learn_one(key, learners, observer, run, mode, work, linear, gradient, linear_gradient):
    """Add the gradients of the deal in `work`, as it was played, for Python; returns its conditional log-likelihood.

    key : uint64   draws the winner of a tie, and whether a showdown of more than three players is worked
    """
    if run[0].learn_policy:
        learn_policy(run[0], run[0].entropy, learners, mode[0], work[0], linear, gradient[0], linear_gradient)
    if not run[0].learn_observer:
        return 0.0
    likelihood = observe(observer[0], work[0], run[0].floor, key, gradient[0])
    learn_observer(observer[0], work[0], run[0].floor, gradient[0])
    return likelihood


@njit(forceinline=True, error_model=DIVIDING)
def draw_players(key, seats):
    """A number of players from cumulative chances."""
    drawn = unit(mix(key))
    players = 2
    while players < SEATS and drawn >= seats[players]:
        players += 1
    return players


@njit(error_model=DIVIDING)
def run_over(
    seed, start, count, entropy, policy, observer, run, table, mode, work, linear, gradient, linear_gradient, told
):  # fmt: skip
    """Play deals start .. start + count - 1 of the stream `seed`, and add up what is to be learned.

    entropy                weight of the entropy of decisions
    told : float64[TOLD]   sums over the deals, see `tell`
    Deal n depends on the seed and n alone, and on the weights.
    """
    exponentials(observer, work.type_exp)
    forced = work.player  # none are forced
    root = stream(np.uint64(0), np.uint64(seed))
    for number in range(start, start + count):
        key = stream(root, np.uint64(number))
        players = draw_players(key, run.seats)
        deal_cards(key, work.cards, players)
        learners = run.learners
        if run.separate and learners == 0:  # one learner, whose seat goes round
            learners = 1 << (number % players)
        play_deal(players, mix(key), forced, 0, policy, observer, learners, run.separate, table, mode, work)
        if run.learn_policy:
            learn_policy(run, entropy, learners, mode, work, linear, gradient, linear_gradient)
        if run.learn_observer:
            told[0] += observe(observer, work, run.floor, mix(key ^ GAMMA), gradient)
            learn_observer(observer, work, run.floor, gradient)
        tell(players, learners, work, told)


@njit(forceinline=True, error_model=DIVIDING)
def tell(players, learners, work, told):
    """Add a deal to the sums: 0 log-likelihood, 1 deals, 2 seats, 3 showdowns, 4 seats in them, 5 learners' chips,
    6 their squares, 7 learners, 8-11 decisions by stage, 12-23 actions by stage, 24-27 entropy by stage, 28 seats that
    put chips in of their own accord, 29 squares of all chips won, 30 seats dealt in.
    """
    told[1] += 1.0
    told[2] += players
    left = count_bits(work.counts[1])
    if left > 1:
        told[3] += 1.0
        told[4] += left
    voluntary = 0
    for d in range(work.counts[0]):
        stage, action = work.stage[d], work.action[d]
        told[8 + stage] += 1.0
        told[12 + 3 * stage + action] += 1.0
        disorder = 0.0
        for a in range(3):
            chance = work.chance[d, a]
            if chance > 0.0:
                disorder -= chance * log(chance)
        told[24 + stage] += disorder
        if action == RAISE or (action == CALL and work.features[d, 0, BETS] > 0.0):
            voluntary |= 1 << work.player[d]
    told[28] += count_bits(voluntary)
    for p in range(players):
        told[29] += work.net[p] * work.net[p]
        if learners >> p & 1:
            told[5] += work.net[p]
            told[6] += work.net[p] * work.net[p]
            told[7] += 1.0


@njit(error_model=DIVIDING)
def step(flat, gradient, anchor, groups, rates, settings, deals, norms):
    """Move the weights by the gradient of `deals` deals, and clear it; False, and nothing changed, if it is not finite.

    flat, gradient, anchor : float64[n]   weights, gradient and lagging anchor, one after the other
    groups : int64[g + 1]                 where groups of weights begin; beyond the last are running averages
    rates : float64[g]                    learning rates, of the sum over deals
    settings : float64[4]                 bound on the norm of the mean gradient; pull of the anchor and how fast it
                                          follows; 0 for none
    norms : float64[2]                    norms of the mean gradients: policy (first two groups), observer
    """
    count = len(rates)
    norms[0] = norms[1] = 0.0
    for g in range(count):
        for i in range(groups[g], groups[g + 1]):
            norms[0 if g < 2 else 1] += gradient[i] * gradient[i]
    norms[0] = norms[0] ** 0.5 / deals
    norms[1] = norms[1] ** 0.5 / deals
    if not (np.isfinite(norms[0]) and np.isfinite(norms[1])):
        return False
    clip, pull, follow = settings[0], settings[1], settings[2]
    for g in range(count):
        norm = norms[0 if g < 2 else 1]
        rate = rates[g] * (clip / norm if norm > clip > 0.0 else 1.0)
        for i in range(groups[g], groups[g + 1]):
            change = rate * gradient[i]
            if pull > 0.0 and g < 2:
                change -= rates[g] * deals * pull * (flat[i] - anchor[i])
            flat[i] += change
            gradient[i] = 0.0
    if pull > 0.0:
        for i in range(groups[0], groups[2]):
            anchor[i] += min(follow * deals, 1.0) * (flat[i] - anchor[i])
    return True


@njit(error_model=DIVIDING)
def average(weights, gradient, constant):
    """Move running averages towards the sums of adjusted posteriors in the gradient, and clear those."""
    for stage in range(STAGES):
        total = 0.0
        for c in range(TYPES):
            total += gradient.usage[stage, c]
        if total > 0.0:
            part = 1.0 - (1.0 - constant) ** total
            for c in range(TYPES):
                weights.usage[stage, c] += part * (gradient.usage[stage, c] / total - weights.usage[stage, c])
                gradient.usage[stage, c] = 0.0
    total = 0.0
    for c in range(TYPES):
        total += gradient.initial[c]
    if total > 0.0:
        part = 1.0 - (1.0 - constant) ** total
        for c in range(TYPES):
            weights.initial[c] += part * (gradient.initial[c] / total - weights.initial[c])
            gradient.initial[c] = 0.0


@njit(cache=True, nogil=True, error_model=DIVIDING)
def train_batches(
    seed, start, batches, size, flats, groups, rates, settings, policy, observer, gradient, run, table, mode,
    work, linear, linear_gradient, told, norms, stepping
):  # fmt: skip
    """Learn from batches of deals, one step each; returns how many were learned from before a gradient was not finite.

    flats : float64[3, n]     weights of the policy, their gradient and their lagging anchor; `policy`, `observer` and
                              `gradient` are views of them, but for an observer of its own
    settings : float64[6]     see `step`; [3] the constant of running averages, [4] deals after which rates and the
                              weight of the entropy are halved (0: constant), [5] the rate of a learned baseline
    norms : float64[2]        sums over batches of the norms of gradients
    """
    now, scaled = np.zeros(2), rates.copy()
    for batch in range(batches):
        first = start + batch * size
        slower = 1.0 / (1.0 + first / settings[4]) if stepping and settings[4] > 0.0 else 1.0
        run_over(
            seed, first, size, slower * run[0].entropy, policy[0], observer[0], run[0], table[0], mode[0], work[0],
            linear, gradient[0], linear_gradient, told,
        )  # fmt: skip
        if not stepping:  # the gradient is what is wanted
            continue
        for g in range(len(rates)):
            scaled[g] = rates[g] * slower
        if not step(flats[0], flats[1], flats[2], groups, scaled, settings, size, now):
            return batch
        norms += now
        if run[0].learn_observer:
            average(observer[0], gradient[0], settings[3])
        for stage in range(STAGES):
            for f in range(BETS + 1):
                linear[stage, f] += settings[5] * linear_gradient[stage, f]
                linear_gradient[stage, f] = 0.0
    return batches


def run_deals(
    seed, start, count, policy, observer, run, table, mode, work, linear, gradient, linear_gradient, told
) -> None:
    """`run_over` for Python, which gives records as arrays of one: gradients are added up, and no step is taken."""
    nothing = np.zeros((3, 1))
    train_batches(
        seed, start, 1, count, nothing, NO_GROUPS, nothing[0], nothing[0], policy, observer, gradient, run, table, mode,
        work, linear, linear_gradient, told, nothing[1], False,
    )  # fmt: skip

"""Runs of simulated deals: who sits down, what a deal teaches, what is told of it, and a step for each batch.

A batch is played in parts, deal n in part n mod `len(told)`, each with a gradient of its own; a team of threads shares
the parts. They are added up in their order, so that weights do not depend on the number of threads.
"""

from math import log
from typing import Any, NamedTuple

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import CALL, DIVIDING, RAISE, count_bits, deal_cards
from kibitz.learning._kernels.deciding import exponentials
from kibitz.learning._kernels.observing import learn_observer, observe
from kibitz.learning._kernels.playing import play_deal
from kibitz.learning._kernels.stepping import average, fallen, move, shrink, squares
from kibitz.learning._kernels.styles import add_styles
from kibitz.learning._kernels.teaching import learn_policy
from kibitz.learning.records import BETS, GROUPS, RIVALS, SEATS, Game
from kibitz.parallel.team._kernels import meet
from kibitz.random._kernels import GAMMA, below, mix, stream, unit

TOLD = 32
WEIGHTS, AVERAGED, GRADIENT = 0, 1, 2  # rows of `flats`; from the last on a gradient for each part of a batch
POLICY_GROUPS = 2  # the others are the observer's
ONE = np.uint64(1)
EVERY = 16  # batches between two looks at the weights for their average


class Lesson(NamedTuple):
    """What a run of deals works on: arrays, of one record each where nothing else is said.

    run, table, mode            records RUN, TABLE and MODE
    flats : float64[2 + p, n]   weights, averaged weights, and gradients of p parts of a batch
    weights : WEIGHTS[2 + p]    the same by name
    observer : WEIGHTS[1]       those of the observer and of everybody who does not learn, perhaps weights[:1]
    groups : int64[GROUPS + 1]  where groups of weights begin in a row
    works : WORK[m]             scratch memory of each member of the team
    told : float64[p, TOLD]     sums over deals, see `tell`
    norms : float64[p + 1, 2]   sums of norms of policy and observer over batches; and scratch memory
    """

    run: Any
    table: Any
    mode: Any
    flats: Any
    weights: Any
    observer: Any
    groups: Any
    works: Any
    told: Any
    norms: Any


@njit(cache=True, nogil=True, error_model=DIVIDING)
def train(control, member, start, batches, lesson):
    """Learn from batches of deals from number `start` on, one step each, as a member of a team.

    Returns the batches that were learned from before a gradient was not finite.
    """
    run, size = lesson.run[0], len(lesson.works)
    parts = len(lesson.told)
    for batch in range(batches):
        first = start + batch * run.batch
        for part in range(member, parts, size):
            play_part(first, run.batch, part, member, lesson)
        if not meet(control, size):
            return batch
        gather(member, size, lesson)
        if not meet(control, size):
            return batch
        if not advance(member, size, first, lesson):
            return batch
        if not meet(control, size):
            return batch
    return batches


@njit(cache=True, nogil=True, error_model=DIVIDING)
def play(start, deals, lesson):
    """Play deals from number `start` on, and add up what they teach and tell, without a step."""
    parts = len(lesson.told)
    for part in range(parts):
        play_part(start, deals, part, 0, lesson)
    if lesson.run[0].learn_policy or lesson.run[0].learn_observer:
        gather(0, 1, lesson)


@njit(cache=True, nogil=True, error_model=DIVIDING)
def count_styles(start, deals, lesson, sums):
    """Play deals and add up how learners (row 0) and others (row 1) play: sums : float64[2, `styles.COLUMNS`]."""
    run, work = lesson.run[0], lesson.works[0]
    game = Game(lesson.weights[WEIGHTS], lesson.observer[0], lesson.table[0], lesson.mode[0], work)
    exponentials(game.observer, work.type_exp)
    root = stream(np.uint64(0), run.seed)
    for number in range(start, start + deals):
        key = stream(root, np.uint64(number))
        sit_down(key, number, run, work)
        deal_cards(key, work)
        play_deal(mix(key), game, None, None)
        add_styles(work.learners, work, sums)


@njit(error_model=DIVIDING)
def play_part(first, deals, part, member, lesson):
    """Play every p-th of so many deals from `first` + part on, and add up what is to be learned and told.

    Deal n depends on the seed and n alone, and on the weights.
    """
    run, work = lesson.run[0], lesson.works[member]
    game = Game(lesson.weights[WEIGHTS], lesson.observer[0], lesson.table[0], lesson.mode[0], work)
    gradient, told = lesson.weights[GRADIENT + part], lesson.told[part]
    exponentials(game.observer, work.type_exp)
    entropy = run.entropy * fallen(first, run.halving, run.least_entropy)
    root = stream(np.uint64(0), run.seed)
    for number in range(first + part, first + deals, len(lesson.told)):
        key = stream(root, np.uint64(number))
        sit_down(key, number, run, work)
        deal_cards(key, work)
        play_deal(mix(key), game)
        if run.learn_policy:
            learn_policy(entropy, run, game, gradient)
        if run.learn_observer and work.rivals == 0:
            told[0] += observe(mix(key ^ GAMMA), run.floor, game, gradient)
            learn_observer(run.floor, game, gradient)
            told[1] += work.decisions
        tell(work, told)


@njit(error_model=DIVIDING)
def sit_down(key, number, run, work):
    """Draw the number of players, who learns, and who of them is a rival."""
    drawn = unit(mix(key))
    players = 2
    while players < SEATS and drawn >= run.seats[players]:
        players += 1
    work.players, work.forced_count, work.asked = players, 0, 0
    work.separate, work.learners = run.separate, (1 << players) - 1
    if run.separate:
        work.learners = 1 << (number % players)
    work.rivals = 0
    if run.rivals[0, 0] <= 0.0:
        return
    word = mix(key - GAMMA)  # no word that deals a card
    drawn, kind = unit(word), 0
    while kind < RIVALS and drawn >= run.rivals[kind, 0]:
        kind += 1
    if kind == RIVALS:
        return
    for i in range(len(work.rival)):
        work.rival[i] = run.rivals[kind, i + 1]
    word = mix(word + GAMMA)
    count = players - 1  # half of the time one sits alone among rivals, else any number of them comes
    if not run.alone and word >> np.uint64(63):
        count = 1 + np.int64(below(word << ONE, np.uint64(players - 1)))
    while count_bits(work.rivals) < count:
        word = mix(word + GAMMA)
        work.rivals |= 1 << np.int64(below(word, np.uint64(players)))
    work.learners = ((1 << players) - 1) & ~work.rivals


@njit(forceinline=True, error_model=DIVIDING)
def tell(work, told):
    """Add a deal to the sums: 0 log-likelihood of, 1 decisions in deals that the observer has learned from; 2 deals,
    3 seats, 4 showdowns, 5 seats in them; of seats that are not rivals', 6-9 decisions by stage, 10-21 actions by
    stage, 22-25 entropy by stage, 26 how many put chips in of their own accord, 27 how many there are; of learners,
    28 chips, 29 their squares, 30 how many; 31 chips of everybody.
    """
    players = work.players
    told[2] += 1.0
    told[3] += players
    left = count_bits(work.active)
    if left > 1:
        told[4] += 1.0
        told[5] += left
    voluntary = 0
    for d in range(work.decisions):
        stage, action = work.stage[d], work.action[d]
        if work.rivals >> work.player[d] & 1:
            continue
        told[6 + stage] += 1.0
        told[10 + 3 * stage + action] += 1.0
        disorder = 0.0
        for a in range(3):
            chance = work.chance[d, a]
            if chance > 0.0:
                disorder -= chance * log(chance)
        told[22 + stage] += disorder
        if action == RAISE or (action == CALL and work.features[d, 0, BETS] > 0.0):
            voluntary |= 1 << work.player[d]
    told[26] += count_bits(voluntary)
    told[27] += players - count_bits(work.rivals)
    for p in range(players):
        won = work.net[p]
        told[31] += won
        if work.learners >> p & 1:
            told[28] += won
            told[29] += won * won
            told[30] += 1.0


@njit(error_model=DIVIDING)
def gather(member, size, lesson):
    """Add the gradients of all parts to that of the first, over this member's share, and the squares of the sums."""
    flats, groups, parts = lesson.flats, lesson.groups, len(lesson.told)
    length = flats.shape[1]
    total = flats[GRADIENT]
    for share in range(member, parts, size):
        begin, end = length * share // parts, length * (share + 1) // parts
        for part in range(1, parts):
            other = flats[GRADIENT + part]
            for i in range(begin, end):
                total[i] += other[i]
                other[i] = 0.0
        for kind in range(2):
            low = groups[POLICY_GROUPS] if kind else groups[0]
            high = groups[GROUPS] if kind else groups[POLICY_GROUPS]
            lesson.norms[1 + share, kind] = squares(total, max(begin, low), min(end, high))


@njit(error_model=DIVIDING)
def advance(member, size, first, lesson):
    """Move this member's share of the weights; False, and nothing changed, if the gradient is not finite."""
    run, flats, groups, norms = lesson.run[0], lesson.flats, lesson.groups, lesson.norms
    parts, length = len(lesson.told), flats.shape[1]
    policy = observer = 0.0
    for share in range(parts):
        policy += norms[1 + share, 0]
        observer += norms[1 + share, 1]
    policy, observer = policy**0.5 / run.batch, observer**0.5 / run.batch
    if not (np.isfinite(policy) and np.isfinite(observer)):
        return False
    slower = fallen(first, run.halving, run.least)
    for share in range(member, parts, size):
        begin, end = length * share // parts, length * (share + 1) // parts
        for g in range(GROUPS):
            scale = slower * run.rates[g] * shrink(policy if g < POLICY_GROUPS else observer, run.clip)
            low, high = max(begin, groups[g]), min(end, groups[g + 1])
            if run.learn_observer or g < POLICY_GROUPS:
                move(flats[WEIGHTS], flats[GRADIENT], low, high, scale)
    if member == 0:
        norms[0, 0] += policy
        norms[0, 1] += observer
        if run.learn_observer:
            average(lesson.weights[WEIGHTS], lesson.weights[GRADIENT], run.averaging)
    if run.window > 0.0 and (first // run.batch) % EVERY == 0:  # those of the last 1 / window of all deals count most
        near = min(run.window / (1.0 + first / (EVERY * run.batch)), 1.0)
        for share in range(member, parts, size):  # running averages, which one member moves, are none of them
            for i in range(length * share // parts, min(length * (share + 1) // parts, groups[GROUPS])):
                flats[AVERAGED, i] += near * (flats[WEIGHTS, i] - flats[AVERAGED, i])
    return True

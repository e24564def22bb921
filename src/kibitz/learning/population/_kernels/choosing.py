"""One decision of a bot of any family, and what a table remembers of the players at it.

A match kernel calls `begin_match` and `begin_deal`, `choose` where a bot acts, and `watch_action` before every action,
of bots and of others alike, is taken. Bots come as `records.Bots`; `hand`, `work` and `table` are those of
`kibitz.learning._kernels.betting`, where sets of players are bit masks and chips are small blinds.
"""

from math import exp
from typing import Any, NamedTuple

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import CALL, DIVIDING, FOLD, RAISE, active_in, count_bits, count_options
from kibitz.learning.population._kernels.strength import board_of, class_of, hole_of, measure, simulate
from kibitz.learning.population.records import ENTERS, FOLDS, LEADS, MOST_FACED, RULE_BOT, SIM_BOT
from kibitz.learning.records import STAGES
from kibitz.random._kernels import GAMMA, mix, stream, unit

DRAWING = 0.2  # potential from which a hand is a draw
USUAL_FOLDS, USUAL_LEADS = 0.4, 0.35  # rates of an opponent of whom nothing is known
PATIENCE = 20.0  # observations that weigh as much as what is assumed


class Mind(NamedTuple):
    """What a bot knows beside its parameters and cards: the records of `Bots`, without its arrays, which cost time."""

    memory: Any
    scratch: Any
    scores: Any


@njit(error_model=DIVIDING)
def begin_match(bots):
    """Forget all players."""
    bots.memory.done[:] = 0
    bots.memory.of[:] = 0


@njit(error_model=DIVIDING)
def begin_deal(players, deal, key, bots):
    """Seat the chairs for deal number `deal` of the match, from 0: the button moves on by one, so that position p is
    that of chair (p + deal) mod players.

    key : uint64   of the deal; strengths are sampled with it
    """
    memory, scratch = bots.memory, bots.scratch
    scratch.key = key
    memory.counted = 0
    for p in range(players):
        memory.chairs[p] = (p + deal) % players
        memory.of[ENTERS, memory.chairs[p]] += 1
        for stage in range(STAGES):
            scratch.strength[p, stage, 0] = -1.0


@njit(forceinline=True, error_model=DIVIDING)
def watch_action(hand, owed, action, bots):
    """Remember what the player to act does, who has `owed` chips to call."""
    memory = bots.memory
    chair = memory.chairs[hand.player]
    if (action == RAISE or (action == CALL and owed > 0)) and not memory.counted >> chair & 1:
        memory.counted |= 1 << chair
        memory.done[ENTERS, chair] += 1
    if hand.round > 0:
        habit = FOLDS if owed > 0 else LEADS
        memory.of[habit, chair] += 1
        memory.done[habit, chair] += action == (FOLD if owed > 0 else RAISE)


@njit(forceinline=True, error_model=DIVIDING)
def choose(hand, key, bots, work, table):
    """The action of the bot to act: FOLD, CALL (also a check) or RAISE (also a bet), always legal.

    key : uint64   a word of its own for every decision
    """
    fold, lift = consider(hand, key, bots, work, table)
    if unit(mix(key + GAMMA)) < lift:
        return RAISE
    return FOLD if unit(mix(key + GAMMA + GAMMA)) < fold else CALL


@njit(forceinline=True, error_model=DIVIDING)
def consider(hand, key, bots, work, table):
    """The chance that the bot to act folds where it does not raise, and the chance that it raises.

    A bot never folds where a check is free, and raises where that is legal. It looks at its own cards in work.cards and
    at the board of this stage; what it works out once a stage is kept in bots.scratch.
    """
    bot, mind = bots.bots[bots.seating[bots.memory.chairs[hand.player]]], Mind(bots.memory, bots.scratch, bots.scores)
    owed = hand.bet - work.spent[hand.player]
    if hand.round == 0:
        fold, lift = before_flop(hand, bot, mind, work)
    elif bot.family == RULE_BOT:
        fold, lift = by_rules(hand, owed, bot, work)
    elif bot.family == SIM_BOT:
        fold, lift = by_simulation(hand, key, bot, mind, work, table)
    else:
        fold, lift = by_strength(hand, owed, bot, mind, work)
    can_raise = count_options(hand, work.players, table) > 1
    return (min(max(fold, 0.0), 1.0) if owed > 0 else 0.0), (min(max(lift, 0.0), 1.0) if can_raise else 0.0)


@njit(forceinline=True, error_model=DIVIDING)
def logistic(value):
    """1 / (1 + exp(-value))."""
    return 1.0 / (1.0 + exp(-min(max(value, -40.0), 40.0)))


@njit(forceinline=True, error_model=DIVIDING)
def others_in(hand, work):
    """The mask of the opponents of the player to act who have not folded."""
    return active_in(hand, work.players) & ~(1 << hand.player)


@njit(forceinline=True, error_model=DIVIDING)
def field_of(opponents):
    """The row of `scores` for so many opponents, see `records.FIELDS`."""
    return (opponents > 1) + (opponents > 2) + (opponents > 4)


@njit(error_model=DIVIDING)
def sum_rates(habit, usual, hand, bot, mind, work):
    """The rates of a habit, summed over the opponents: the usual one, drawn towards what was seen as the bot adapts."""
    memory, others, total = mind.memory, others_in(hand, work), 0.0
    for p in range(work.players):
        if others >> p & 1:
            total += rate_of(habit, memory.chairs[p], usual, bot.adapt, memory)
    return total


@njit(forceinline=True, error_model=DIVIDING)
def rate_of(habit, chair, usual, adapt, memory):
    """The same of one player."""
    done, of = memory.done[habit, chair], memory.of[habit, chair]
    return usual + adapt * of / (of + PATIENCE) * (done / max(of, 1) - usual)


@njit(forceinline=True, error_model=DIVIDING)
def before_flop(hand, bot, mind, work):
    """Chances to fold where that is not a raise, and to raise: thresholds on the score of the hand."""
    seat, cards = hand.player, work.cards
    score = mind.scores.by_field[field_of(count_bits(others_in(hand, work))), cards[2 * seat], cards[2 * seat + 1]]
    score += bot.position * (seat / (work.players - 1) - 0.5)
    enter = bot.enter + bot.step * hand.raises - bot.blind * work.spent[seat] / hand.bet
    lift = logistic((score - bot.open - bot.raise_step * hand.raises) / bot.soft)
    return 1.0 - logistic((score - enter) / bot.soft), lift


@njit(forceinline=True, error_model=DIVIDING)
def by_rules(hand, owed, bot, work):
    """The same by the class of the hand and the bets faced."""
    is_last = hand.round == STAGES - 1
    kind = class_of(hole_of(hand.player, work), board_of(hand.round, work), is_last)
    rule = bot.rules[1 if is_last else 0, kind, min(hand.raises, MOST_FACED) if owed > 0 else 0]
    return rule[0], rule[1]


@njit(error_model=DIVIDING)
def by_simulation(hand, key, bot, mind, work, table):
    """The same by the mean results of simulated deals: a raise must gain its margin over a call, a call not lose."""
    memory, others, respect = mind.memory, others_in(hand, work), bot.respect**hand.raises
    for p in range(work.players):
        if others >> p & 1:
            mind.scratch.shares[p] = respect * rate_of(ENTERS, memory.chairs[p], bot.share, bot.adapt, memory)
    call, lift = simulate(hand, key, bot, mind, work, table)
    wanted = max(call, 0.0) + bot.margin + bot.caution * hand.raises
    return (1.0 if call < -bot.loose else 0.0), (1.0 if lift > wanted else 0.0)


@njit(error_model=DIVIDING)
def look(hand, opponents, bot, mind, work):
    """The strength and potential of a hand at this stage, sampled once against what opponents are taken to play."""
    seat, stage = hand.player, hand.round
    found = mind.scratch.strength[seat, stage]
    if found[0] < 0.0:
        share = sum_rates(ENTERS, bot.share, hand, bot, mind, work) / opponents
        key = stream(mind.scratch.key, np.uint64(STAGES * seat + stage))
        scores = mind.scores.by_field[field_of(opponents)]
        measure(hole_of(seat, work), board_of(stage, work), stage == STAGES - 1, share, scores, key, found)
    return found[0], found[1]


@njit(error_model=DIVIDING)
def by_strength(hand, owed, bot, mind, work):
    """The same after the flop, from hand strength and potential.

    With strength h against one opponent, n opponents and k bets faced: s = h^n - fear * k, and with the potential p
    e = s + (1 - s) * p. Bets and raises look at e, calls at s, or at e and the odds of the pot.
    """
    opponents = count_bits(others_in(hand, work))
    faced = hand.raises if owed > 0 else 0
    strength, potential = look(hand, opponents, bot, mind, work)
    strength = strength**opponents - bot.fear * faced
    if faced:  # bets of those who bet often say less
        leads = sum_rates(LEADS, USUAL_LEADS, hand, bot, mind, work)
        strength += bot.fear * (leads / opponents - USUAL_LEADS)
    promise = strength + (1.0 - strength) * potential
    if owed == 0:
        lift = logistic((promise - bot.bet_at) / bot.soft) * (1.0 - bot.trap)
        bluff = bot.bluff + 0.5 * (sum_rates(FOLDS, USUAL_FOLDS, hand, bot, mind, work) / opponents - USUAL_FOLDS)
        lift = max(lift, bluff / opponents)
        return 0.0, (max(lift, bot.draw) if potential >= DRAWING else lift)
    lift = logistic((promise - bot.raise_at - bot.growth * (hand.raises - 1)) / bot.soft) * (1.0 - bot.trap)
    if potential >= DRAWING:
        lift = max(lift, 0.3 * bot.draw)
    pot = work.spent[: work.players].sum()
    price = bot.odds * owed / (pot + owed)
    keep = max(logistic((strength - bot.call_at) / bot.soft), logistic((promise - price) / bot.soft))
    return 1.0 - keep, lift

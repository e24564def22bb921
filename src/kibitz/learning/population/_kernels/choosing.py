"""One decision of a bot of any family, and what a table remembers of the players at it.

A match kernel calls `begin_deal` once a deal, `choose` where a bot acts, and `watch_action` after every action, of bots
and of others alike. Sets of positions are bit masks; chips are small blinds.
"""

from math import exp

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import CALL, DIVIDING, FOLD, RAISE, count_bits, count_options
from kibitz.learning.population._kernels.simulating import simulate
from kibitz.learning.population._kernels.strength import bit_of, class_of, measure
from kibitz.learning.population.records import MOST_FACED, RULE_BOT, SIM_BOT
from kibitz.learning.records import SEATS, STAGES
from kibitz.random._kernels import GAMMA, mix, stream, unit

DRAWING = 0.2  # potential from which a hand is a draw
USUAL_FOLDS, USUAL_LEADS = 0.4, 0.35  # rates of an opponent of whom nothing is known
PATIENCE = 20.0  # observations that weigh as much as what is assumed


@njit(error_model=DIVIDING)
def begin_match(memory):
    """Forget all players."""
    memory.counted = 0
    for chair in range(SEATS):
        memory.deals[chair] = memory.entered[chair] = memory.faced[chair] = memory.folded[chair] = 0
        memory.free[chair] = memory.led[chair] = 0


@njit(error_model=DIVIDING)
def begin_deal(memory, scratch, players, deal, key):
    """Seat the chairs for deal number `deal` of the match, from 0: the button moves on by one, so that position p is
    that of chair (p + deal) mod players.

    key : uint64   of the deal; strengths are sampled with it
    """
    scratch.key = key
    memory.counted = 0
    for p in range(players):
        chair = (p + deal) % players
        memory.chairs[p] = chair
        memory.deals[chair] += 1
        for stage in range(STAGES):
            scratch.strength[p, stage, 0] = -1.0


@njit(error_model=DIVIDING)
def watch_action(memory, seat, stage, owed, action):
    """Remember an action of the player at position `seat`, who had `owed` chips to call."""
    chair = memory.chairs[seat]
    if (action == RAISE or (action == CALL and owed > 0)) and not memory.counted >> chair & 1:
        memory.counted |= 1 << chair
        memory.entered[chair] += 1
    if stage == 0:
        return
    if owed > 0:
        memory.faced[chair] += 1
        memory.folded[chair] += action == FOLD
    else:
        memory.free[chair] += 1
        memory.led[chair] += action == RAISE


@njit(forceinline=True, error_model=DIVIDING)
def logistic(value):
    """1 / (1 + exp(-value))."""
    return 1.0 / (1.0 + exp(-min(max(value, -40.0), 40.0)))


@njit(forceinline=True, error_model=DIVIDING)
def field_of(opponents):
    """The row of `scores` for so many opponents, see `records.FIELDS`."""
    return 0 if opponents <= 1 else (1 if opponents == 2 else (2 if opponents <= 4 else 3))


@njit(forceinline=True, error_model=DIVIDING)
def habit(seen, of, usual, adapt):
    """A rate: the usual one, drawn towards what was seen as far as the bot adapts."""
    return usual + adapt * of / (of + PATIENCE) * (seen / max(of, 1) - usual)


@njit(error_model=DIVIDING)
def share_played(bot, memory, seat):
    """The part of the hands that the bot takes the player at `seat` to play."""
    chair = memory.chairs[seat]
    return habit(memory.entered[chair], memory.deals[chair], bot.share, bot.adapt)


@njit(error_model=DIVIDING)
def choose(bot, memory, scratch, cards, spent, seat, stage, players, bet, raises, active, table, scores, key):
    """The action of `bot` at position `seat`: FOLD (0), CALL (1, also a check) or RAISE (2, also a bet), always legal.

    bot : record BOT            its parameters, such as bots[i]
    memory : record MEMORY      of this match, shared by all bots; `begin_match`, `begin_deal`, `watch_action` keep it
    scratch : record SCRATCH    of this table; `begin_deal` clears it. What a bot computes once a stage is kept there.
    cards : uint8[25]           hole cards, two a position, and the board from 20 on, as in `records.WORK`. Only those
                                of `seat` and the board of `stage` are looked at.
    spent : int64[10]           chips put in by position
    stage, bet, raises          0 pre-flop to 3 river; chips to match; raises in this stage, the big blind not counted
    active : int                mask of positions that have not folded
    table : record TABLE        `TableRules.table`[0]
    scores : float32[4, 52, 52] `starting_hands.load_scores()`
    key : uint64                a word of its own for every decision

    A bot never folds where a check is free. Whether a raise is legal follows from table, raises and active.
    """
    owed = bet - spent[seat]
    can_raise = count_options(stage, raises, active, table) > 1
    if stage == 0:
        fold, lift = before_flop(bot, cards, spent, seat, players, bet, raises, active, scores)
    elif bot.family == RULE_BOT:
        fold, lift = by_rules(bot, cards, seat, stage, raises if owed > 0 else 0)
    elif bot.family == SIM_BOT:
        fold, lift = by_simulation(
            bot, memory, scratch, cards, spent, seat, stage, players, bet, raises, active, table, can_raise, scores, key
        )
    else:
        fold, lift = by_strength(
            bot, memory, scratch, cards, spent, seat, stage, players, bet, raises, active, scores
        )  # fmt: skip
    if can_raise and unit(mix(key + GAMMA)) < lift:
        return RAISE
    if owed > 0 and unit(mix(key + GAMMA + GAMMA)) < fold:
        return FOLD
    return CALL


@njit(error_model=DIVIDING)
def before_flop(bot, cards, spent, seat, players, bet, raises, active, scores):
    """Chances to raise, and to fold where that is not done: thresholds on the score of the hand."""
    score = scores[field_of(count_bits(active) - 1), cards[2 * seat], cards[2 * seat + 1]]
    score += bot.position * (seat / (players - 1) - 0.5)
    enter = bot.enter + bot.step * raises - bot.blind * spent[seat] / bet
    lift = logistic((score - bot.open - bot.raise_step * raises) / bot.soft)
    return 1.0 - logistic((score - enter) / bot.soft), lift


@njit(error_model=DIVIDING)
def look(bot, memory, scratch, cards, seat, stage, players, active, scores):
    """The strength of a hand at this stage, sampled once a stage against what opponents are taken to play."""
    found = scratch.strength[seat, stage]
    if found[0] < 0.0:
        share, opponents = 0.0, 0
        for p in range(players):
            if p != seat and active >> p & 1:
                share += share_played(bot, memory, p)
                opponents += 1
        hand = bit_of(cards[2 * seat]) | bit_of(cards[2 * seat + 1])
        board = np.uint64(0)
        for i in range(2 + stage):
            board |= bit_of(cards[2 * SEATS + i])
        key = stream(scratch.key, np.uint64(STAGES * seat + stage))
        measure(hand, board, stage == 3, share / opponents, scores[field_of(opponents)], key, found)
    return found


@njit(error_model=DIVIDING)
def by_strength(bot, memory, scratch, cards, spent, seat, stage, players, bet, raises, active, scores):
    """The same after the flop, from hand strength and potential.

    With strength h against one opponent, n opponents and k bets faced: s = h^n - fear * k, and with the potential p
    e = s + (1 - s) * p. Bets and raises look at e, calls at s, or at e and the odds of the pot.
    """
    found = look(bot, memory, scratch, cards, seat, stage, players, active, scores)
    owed = bet - spent[seat]
    faced = raises if owed > 0 else 0
    opponents, pot = 0, 0
    folds = leads = 0.0
    for p in range(players):
        pot += spent[p]
        if p != seat and active >> p & 1:
            chair = memory.chairs[p]
            folds += habit(memory.folded[chair], memory.faced[chair], USUAL_FOLDS, bot.adapt)
            leads += habit(memory.led[chair], memory.free[chair], USUAL_LEADS, bot.adapt)
            opponents += 1
    strength = found[0] ** opponents - bot.fear * faced
    potential = found[1]
    if faced:  # bets of those who bet often say less
        strength += bot.fear * (leads / opponents - USUAL_LEADS)
    promise = strength + (1.0 - strength) * potential
    if owed == 0:
        lift = logistic((promise - bot.bet_at) / bot.soft) * (1.0 - bot.trap)
        bluff = bot.bluff + 0.5 * (folds / opponents - USUAL_FOLDS)
        lift = max(lift, bluff / opponents)
        if potential >= DRAWING:
            lift = max(lift, bot.draw)
        return 0.0, lift
    lift = logistic((promise - bot.raise_at - bot.growth * (raises - 1)) / bot.soft) * (1.0 - bot.trap)
    if potential >= DRAWING:
        lift = max(lift, 0.3 * bot.draw)
    price = bot.odds * owed / (pot + owed)
    keep = max(logistic((strength - bot.call_at) / bot.soft), logistic((promise - price) / bot.soft))
    return 1.0 - keep, lift


@njit(error_model=DIVIDING)
def by_rules(bot, cards, seat, stage, faced):
    """The same by the class of the hand and the bets faced."""
    hand = bit_of(cards[2 * seat]) | bit_of(cards[2 * seat + 1])
    board = np.uint64(0)
    for i in range(2 + stage):
        board |= bit_of(cards[2 * SEATS + i])
    rule = bot.rules[1 if stage == 3 else 0, class_of(hand, board, stage == 3), min(faced, MOST_FACED)]
    return rule[0], rule[1]


@njit(error_model=DIVIDING)
def by_simulation(
    bot, memory, scratch, cards, spent, seat, stage, players, bet, raises, active, table, can_raise, scores, key
):  # fmt: skip
    """The same by the mean results of simulated deals: a raise must gain its margin over a call, a call not lose."""
    respect = bot.respect**raises
    for p in range(players):
        if p != seat and active >> p & 1:
            scratch.shares[p] = respect * share_played(bot, memory, p)
    simulate(bot, scratch, cards, spent, seat, stage, players, bet, active, table, can_raise, scores, key)
    call, lift = scratch.values[1], scratch.values[2]
    lifts = can_raise and lift > max(call, 0.0) + bot.margin + bot.caution * raises
    return (1.0 if call < -bot.loose else 0.0), (1.0 if lifts else 0.0)

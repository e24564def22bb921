"""The rest of a deal, simulated: what a call and a raise come to when everybody plays simply."""

import numpy as np

from kibitz.compiling import njit
from kibitz.evaluator._kernels import hand_value
from kibitz.learning._kernels.betting import DIVIDING
from kibitz.learning.population._kernels.strength import ONE, bit_of, draw_card, draw_hand
from kibitz.learning.records import SEATS
from kibitz.random._kernels import GAMMA, mix, stream, unit


@njit(error_model=DIVIDING)
def simulate(bot, scratch, cards, spent, seat, stage, players, bet, active, table, can_raise, scores, key):
    """Fill scratch.values[1] and [2] with the mean chips that a call and a raise win from here on; a fold wins 0.

    The same bot.trials deals serve both: opponents' hands from scratch.shares, the board as it may come. Who leads on a
    street bets with the chance bot.leads; who is behind folds to a bet with the chance bot.yields, else calls.
    """
    scratch.values[1] = scratch.values[2] = 0.0
    for trial in range(bot.trials):
        deal = stream(key, np.uint64(trial))
        word = draw_deal(scratch, cards, seat, stage, players, active, scores, deal)
        for option in range(1, 3 if can_raise else 2):
            scratch.values[option] += play_out(
                option, bot, scratch, spent, seat, stage, players, bet, active, table, deal, word
            )
    scratch.values[1] /= bot.trials
    scratch.values[2] = scratch.values[2] / bot.trials if can_raise else scratch.values[1]


@njit(error_model=DIVIDING)
def draw_deal(scratch, cards, seat, stage, players, active, scores, key):
    """Draw hands of opponents and the rest of the board, and evaluate all from this stage on; the next word."""
    word = np.uint64(0)
    board = np.uint64(0)
    for i in range(2 + stage):
        board |= bit_of(cards[2 * SEATS + i])
    scratch.hands[seat] = bit_of(cards[2 * seat]) | bit_of(cards[2 * seat + 1])
    used = board | scratch.hands[seat]
    for p in range(players):
        if p != seat and active >> p & 1:
            scratch.hands[p], word = draw_hand(key, word, used, scratch.shares[p], scores[1])
            used |= scratch.hands[p]
    for street in range(stage, 4):
        if street > stage:
            _, bit, word = draw_card(key, word, used)
            used |= bit
            board |= bit
        for p in range(players):
            if active >> p & 1:
                scratch.made[street, p] = hand_value(scratch.hands[p] | board)
    return word


@njit(error_model=DIVIDING)
def play_out(option, bot, scratch, spent, seat, stage, players, bet, active, table, key, word):
    """Chips that the player at `seat` wins from here on with a call (1) or a raise (2)."""
    pot, left = 0, active
    level = bet + (table.raise_sizes[stage] if option == 2 else 0)
    own = scratch.made[stage, seat]
    for p in range(players):
        pot += spent[p]
        if p != seat and active >> p & 1 and spent[p] < level:
            word += ONE
            if scratch.made[stage, p] < own and unit(mix(key + word * GAMMA)) < bot.yields:
                left &= ~(1 << p)
            else:
                pot += level - spent[p]
    paid = level - spent[seat]
    pot += paid
    for street in range(stage + 1, 4):
        leader = -1
        for p in range(players):
            if left >> p & 1 and (leader < 0 or scratch.made[street, p] > scratch.made[street, leader]):
                leader = p
        if left == 1 << leader:
            break
        word += ONE
        if unit(mix(key + word * GAMMA)) >= bot.leads:
            continue
        price = table.raise_sizes[street]
        for p in range(players):
            if not left >> p & 1:
                continue
            word += ONE
            if p != leader and unit(mix(key + word * GAMMA)) < bot.yields:
                left &= ~(1 << p)
                if p == seat:
                    return -1.0 * paid
            else:
                pot += price
                if p == seat:
                    paid += price
    best, winners = np.int64(-1), 0
    for p in range(players):
        if left >> p & 1:
            value = scratch.made[3, p]
            if value > best:
                best, winners = value, 0
            winners += value == best
    return (pot / winners if scratch.made[3, seat] == best else 0.0) - paid

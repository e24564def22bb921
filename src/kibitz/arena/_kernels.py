"""Compiled play of whole hands between players that are arrays of frequencies.

The rules are those of `kibitz.games`, the random numbers those of `kibitz.random`.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.games._kernels import (
    act,
    can_raise,
    chips_after,
    first_round,
    goes_on,
    next_round,
    pay,
    raise_range,
)
from kibitz.random._kernels import mix, unit

FOLD, CALL, MIN, HALF_POT, POT, ALL_IN, ANY = range(7)  # as `kibitz.policy.frequencies.MOVES`
MOVES = 7


@njit(cache=True, nogil=True)
def play_hands(first_hand, rules, policies, seeds, strength, chips):
    """Play hands first_hand .. first_hand + len(chips), position p being seat (p + hand) mod players.

    rules    : `games._kernels.Rules`
    policies : float64[seats, rounds, 2, 7]   frequencies of moves, by seat
    seeds    : uint64[seats]                  of the seats' random numbers
    strength : int32[hands, players]          showdown values by position
    chips    : float64[hands, seats]          receives net results
    """
    stacks, blinds, raise_sizes, first, max_raises, opening, smallest = rules
    hands, players = chips.shape
    rounds = len(first)
    limit = raise_sizes[0] > 0
    seats = np.empty(players, np.int64)
    spent = np.empty(players, np.int64)
    decisions = np.empty(players, np.int64)
    keys = np.empty(players, np.uint64)
    weights = np.empty(MOVES, np.float64)
    net = np.empty(players, np.float64)
    value = np.empty(players, np.int64)
    for index in range(hands):
        number = first_hand + index
        shift = number % players
        bet = 0
        able = 0
        for p in range(players):
            seat = p + shift if p + shift < players else p + shift - players
            seats[p] = seat
            decisions[p] = 0
            keys[p] = mix(mix(seeds[seat]) ^ np.uint64(number))
            spent[p] = min(blinds[p], stacks[p])
            bet = max(bet, spent[p])
            if spent[p] < stacks[p]:
                able |= 1 << p
        hand = first_round(able, bet, first[0], opening, players)
        while hand.player >= 0:
            p = hand.player
            stack = stacks[p]
            to_call = min(hand.bet, stack) - spent[p]
            row = policies[seats[p], hand.round, 1 if to_call > 0 else 0]
            may_raise = can_raise(hand, stack, limit, max_raises[hand.round], players)
            word = mix(keys[p] ^ np.uint64(decisions[p]))
            decisions[p] += 1
            total = 0.0
            for move in range(MOVES):
                weight = row[move]
                if (move == FOLD and spent[p] == hand.bet) or (move > CALL and not may_raise):
                    weight = 0.0
                weights[move] = weight
                total += weight
            chosen = CALL
            target = unit(word) * total
            running = 0.0
            for move in range(MOVES):
                if weights[move] > 0.0:
                    running += weights[move]
                    chosen = move
                    if target < running:
                        break
            action = chosen - 1  # of a fold or a call
            if chosen > CALL:
                low, high = raise_range(hand, stack, raise_sizes[hand.round])
                if chosen == MIN:
                    action = low
                elif chosen == ALL_IN:
                    action = high
                elif chosen == ANY:
                    action = low + np.int64(mix(word) % np.uint64(high - low + 1))
                else:
                    pot = to_call
                    for other in range(players):
                        pot += spent[other]
                    action = min(max(hand.bet + (pot // 2 if chosen == HALF_POT else pot), low), high)
            spent[p] = chips_after(action, spent[p], hand.bet, stack)
            hand = act(hand, action, spent[p] == stack, players)
            if hand.player < 0 and goes_on(hand, rounds):
                hand = next_round(hand, first[hand.round + 1], smallest, players)
        pay(spent, hand.folded, strength[index], value, net)
        for p in range(players):
            chips[index, seats[p]] = net[p]

"""One simulated deal of limit hold'em from the cards to the chips."""

import numpy as np

from kibitz.compiling import njit
from kibitz.evaluator._kernels import hand_value
from kibitz.learning._kernels.deciding import (
    CALL,
    DIVIDING,
    FOLD,
    RAISE,
    bet_features,
    count_bits,
    decide,
    look_ahead,
    look_at_hand,
    next_of,
    open_stage,
    watch,
)
from kibitz.learning.records import SEATS, TYPES
from kibitz.random._kernels import GAMMA, below, mix, unit


@njit(error_model=DIVIDING)
def deal_cards(key, cards, players):
    """Fill the hole cards of `players` and the board from the stream `key`."""
    word = np.uint64(0)
    dealt = np.uint64(0)
    for i in range(2 * players + 5):
        while True:  # rejection is faster than moving cards about: at most 24 of 52 are gone
            word += np.uint64(1)
            card = below(mix(key + word * GAMMA), np.uint64(52))
            if not dealt >> card & np.uint64(1):
                break
        dealt |= np.uint64(1) << card
        place = i if i < 2 * players else 2 * SEATS + i - 2 * players
        cards[place] = np.uint8(card)


@njit(error_model=DIVIDING)
def play_deal(players, key, forced, forced_count, policy, observer, learners, separate, table, mode, work):
    """Play the deal in work.cards, with actions drawn from the stream `key`; fills the records and work.net.

    forced : int64[n]   actions to take in the first `forced_count` decisions, whatever their probability; -1 at its
                        end stops the deal there, before anybody looks at cards
    Returns the number of decisions; those after the cap are calls, and not counted.
    """
    spent = work.spent
    bet = 0
    for p in range(players):
        spent[p] = table.blinds[players, p]
        bet = max(bet, spent[p])
        for c in range(TYPES):
            work.belief[p, c] = observer.initial[c]
    active = pending = (1 << players) - 1
    stage = raises = d = np.int64(0)  # not literals, for which helpers would be compiled once more
    asked = forced_count > 0 and forced[forced_count - 1] < 0
    open_stage(stage, players, active, policy, observer, mode, work)
    seat = table.first[players, 0]
    while True:
        seat = next_of(pending, seat, players)
        owes = spent[seat] != bet
        action = CALL
        if d < table.decision_cap:
            can_fold = owes or table.free_folds
            two_left = active & (active - 1) & ((active & (active - 1)) - 1) == 0
            can_raise = raises < table.max_raises[stage] or (table.uncapped_heads_up and two_left)
            options = 2 if can_raise else 1
            own = separate and learners >> seat & 1 != 0
            if work.private_counts[stage, seat] < 0 and not asked:
                if own or not separate:
                    look_at_hand(stage, seat, policy, mode, work.board[0], work)
                else:
                    look_at_hand(stage, seat, observer, mode, work.board[1], work)
            opponents = work.opponents[d]
            for c in range(TYPES):
                opponents[c] = 0.0
            for p in range(players):
                if p != seat and active >> p & 1:
                    for c in range(TYPES):
                        opponents[c] += work.belief[p, c]
            for option in range(options):
                bet_features(
                    option, seat, stage, players, active, pending, spent, bet, raises, table, mode.bet_scales,
                    work.features[d, option],
                )  # fmt: skip
            if asked and d == forced_count - 1:
                work.player[d], work.stage[d], work.action[d], work.paid[d] = seat, stage, can_fold, options
                break
            watch(d, stage, can_fold, options, observer, mode, work)
            if own or not separate:
                decide(d, seat, stage, can_fold, options, policy, own, mode, work)
            else:
                decide(d, seat, stage, can_fold, options, observer, own, mode, work)
            if d < forced_count:
                action = forced[d]
            else:
                drawn = unit(mix(key + np.uint64(d + 1) * GAMMA))
                fold, call = work.chance[d, FOLD], work.chance[d, CALL]
                action = FOLD if drawn < fold else (CALL if drawn < fold + call or options < 2 else RAISE)
            work.player[d], work.stage[d], work.action[d], work.paid[d] = seat, stage, action, spent[seat]
            look_ahead(work.belief[seat], work.type_chance[d, action], work.belief[seat])
            d += 1
        pending &= ~(1 << seat)
        if action == FOLD:
            active &= ~(1 << seat)
            work.last[seat] = stage
        elif action == CALL:
            spent[seat] = bet
        else:
            bet += table.raise_sizes[stage]
            spent[seat] = bet
            raises += 1
            pending = active & ~(1 << seat)
        if active & (active - 1) == 0:
            break
        if pending == 0:
            if stage == 3:
                break
            stage += 1
            raises = 0
            pending = active
            open_stage(stage, players, active, policy, observer, mode, work)
            seat = table.first[players, stage]
    for p in range(players):
        if active >> p & 1:
            work.last[p] = stage
    work.counts[0], work.counts[1], work.counts[2], work.counts[3] = d, active, stage, players
    if not asked:
        pay(players, active, work)
    return d


@njit(forceinline=True, error_model=DIVIDING)
def pay(players, active, work):
    """Fill work.net; tied hands share the pot."""
    pot = best = winners = 0
    for p in range(players):
        pot += work.spent[p]
    alone = active & (active - 1) == 0
    winning = active
    if not alone:
        board = np.uint64(0)
        for i in range(5):
            card = work.cards[2 * SEATS + i]
            board |= np.uint64(1) << np.uint64(16 * (card & 3) + (card >> 2))
        best = -1
        winning = 0
        for p in range(players):
            if active >> p & 1:
                mask = board
                for i in range(2):
                    card = work.cards[2 * p + i]
                    mask |= np.uint64(1) << np.uint64(16 * (card & 3) + (card >> 2))
                value = np.int64(hand_value(mask))
                if value > best:
                    best = value
                    winning = 0
                if value == best:
                    winning |= 1 << p
    winners = count_bits(winning)
    for p in range(players):
        work.net[p] = (pot / winners if winning >> p & 1 else 0.0) - work.spent[p]
    work.counts[4] = winning

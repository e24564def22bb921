"""The rules of limit hold'em as kernels play it: cards, whose turn it is, what is legal, what an action does, chips.

Sets of players are bit masks: those who have not folded are active, those who have yet to act in a round are pending.
Actions are FOLD, CALL and RAISE, options (those with a value) CALL - 1 and RAISE - 1. Chips are small blinds. A walk
through a deal keeps the betting in scalars, with the chips of every player in `spent`:

    seat = table.first[players, 0]
    while pending:
        seat = next_of(pending, seat, players)
        action = ...
        seat, stage, bet, raises, active, pending = take(action, ...)
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.evaluator._kernels import hand_value
from kibitz.learning.records import SEATS
from kibitz.random._kernels import GAMMA, below, mix, unit

FOLD, CALL, RAISE = 0, 1, 2
DIVIDING = "numpy"  # a division by nothing makes weights that are not numbers, which `step` refuses


@njit(forceinline=True, error_model=DIVIDING)
def next_of(mask, player, players):
    """The first of a mask of players from `player` on."""
    while not mask >> player & 1:
        player = player + 1 if player + 1 < players else 0
    return player


@njit(forceinline=True, error_model=DIVIDING)
def count_bits(mask):
    """The number of players in a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(forceinline=True, error_model=DIVIDING)
def draw_card(key, word, dealt):
    """A card that is not in the set `dealt`, from the words after `word` of the stream `key`; it and the last word.

    Rejection is faster than moving cards about: at most 24 of 52 are gone.
    """
    while True:
        word += np.uint64(1)
        card = below(mix(key + word * GAMMA), np.uint64(52))
        if not dealt >> card & np.uint64(1):
            return card, word


@njit(error_model=DIVIDING)
def deal_cards(key, cards, players):
    """Fill the hole cards of `players` and the board from the stream `key`."""
    word = np.uint64(0)
    dealt = np.uint64(0)
    for i in range(2 * players + 5):
        card, word = draw_card(key, word, dealt)
        dealt |= np.uint64(1) << card
        place = i if i < 2 * players else 2 * SEATS + i - 2 * players
        cards[place] = np.uint8(card)


@njit(forceinline=True, error_model=DIVIDING)
def post_blinds(players, table, spent):
    """Fill spent with the blinds; the chips to match, and the mask of all players."""
    bet = 0
    for p in range(players):
        spent[p] = table.blinds[players, p]
        bet = max(bet, spent[p])
    return bet, (1 << players) - 1


@njit(forceinline=True, error_model=DIVIDING)
def count_options(stage, raises, active, table):
    """2 where another raise is allowed, else 1; a call always is."""
    others = active & (active - 1)  # all but one
    uncapped = table.uncapped_heads_up != 0 and others & (others - 1) == 0
    return 2 if uncapped or raises < table.max_raises[stage] else 1


@njit(forceinline=True, error_model=DIVIDING)
def draw_action(chance, options, word):
    """An action from its probabilities, chance : float64[3]; word : uint64 of a stream."""
    drawn = unit(word)
    if drawn < chance[FOLD]:
        return FOLD
    return CALL if drawn < chance[FOLD] + chance[CALL] or options < 2 else RAISE


@njit(forceinline=True, error_model=DIVIDING)
def take(action, seat, stage, players, bet, raises, active, pending, table, spent):
    """The betting after an action of `seat`: whose turn it is from, stage, bet, raises, active, pending.

    A round that is over makes way for the next. In a deal that is over nobody is pending.
    """
    pending &= ~(1 << seat)
    if action == FOLD:
        active &= ~(1 << seat)
    elif action == CALL:
        spent[seat] = bet
    else:
        bet += table.raise_sizes[stage]
        spent[seat] = bet
        raises += 1
        pending = active & ~(1 << seat)
    if active & (active - 1) == 0:
        pending = 0
    elif pending == 0 and stage < 3:
        stage += 1
        raises = 0
        pending = active
        seat = table.first[players, stage]
    return seat, stage, bet, raises, active, pending


@njit(forceinline=True, error_model=DIVIDING)
def bet_features(option, seat, stage, players, active, pending, spent, bet, raises, table, scales, found):
    """Fill found : float64[BETS + 1] with the bet features after an option, scaled; the last is its cost."""
    after = bet + (table.raise_sizes[stage] if option else 0)
    cost = after - spent[seat]
    opponents = active & ~(1 << seat)
    count = count_bits(opponents)
    still = count if option else count_bits(pending & ~(1 << seat))
    pot, owed = cost, 0
    for p in range(players):
        pot += spent[p]
        if opponents >> p & 1:
            owed += after - spent[p]
    behind = count_bits(opponents >> (seat + 1)) if stage < 3 else 0
    heads_up = count == 1
    left = table.max_raises[stage] - raises - option
    if heads_up and table.uncapped_heads_up:
        left = 4
    found[0] = count * scales[0]
    found[1] = 1.0 if still == 0 else 0.0
    found[2] = pot * scales[2]
    found[3] = owed * scales[3]
    found[4] = (pot + owed) / (count + 1) * scales[4]
    found[5] = still * scales[5]
    found[6] = behind * scales[6]
    found[7] = 1.0 if heads_up else 0.0
    found[8] = left * scales[8]
    found[9] = cost * scales[9]


@njit(forceinline=True, error_model=DIVIDING)
def close_deal(players, decisions, active, stage, work):
    """Record how far a deal came, and with whom; those who folded have been recorded."""
    for p in range(players):
        if active >> p & 1:
            work.last[p] = stage
    work.counts[0], work.counts[1], work.counts[2], work.counts[3] = decisions, active, stage, players


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

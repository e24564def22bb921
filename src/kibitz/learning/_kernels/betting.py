"""Limit hold'em as learners see it: the rules of `kibitz.games` for any number of players, and bet features.

The betting so far is a `Hand` in registers, with the chips of every player in `work.spent`:

    hand = open_betting(work, table)
    while hand.player >= 0:
        hand = take(action, hand, work, table)

Sets of players are bit masks. Actions are FOLD, CALL and RAISE, options (those with a value) CALL - 1 and RAISE - 1.
Chips are small blinds, and nobody runs out of them.
"""

from math import log2

import numpy as np

from kibitz.compiling import njit
from kibitz.evaluator._kernels import hand_value
from kibitz.games import _kernels as rules
from kibitz.learning.records import LINEAR, LOGARITHM, SEATS
from kibitz.random._kernels import GAMMA, below, mix, unit

FOLD, CALL, RAISE = 0, 1, 2
DIVIDING = "numpy"  # a division by nothing makes weights that are not numbers, which a step refuses
BEND = 32.0  # chip features that saturate stay below this many times their scale
ROUNDS = 4
ONE = np.uint64(1)
act, first_round, goes_on, next_round, share_out = (
    rules.act, rules.first_round, rules.goes_on, rules.next_round, rules.pay
)  # fmt: skip


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
        word += ONE
        card = below(mix(key + word * GAMMA), np.uint64(52))
        if not dealt >> card & ONE:
            return card, word


@njit(error_model=DIVIDING)
def deal_cards(key, work):
    """Fill the hole cards of the players and the board from the stream `key`."""
    word = np.uint64(0)
    dealt = np.uint64(0)
    hole = 2 * work.players
    for i in range(hole + 5):
        card, word = draw_card(key, word, dealt)
        dealt |= ONE << card
        work.cards[i if i < hole else 2 * SEATS + i - hole] = np.uint8(card)


@njit(forceinline=True, error_model=DIVIDING)
def open_betting(work, table):
    """The hand after the blinds, which are in work.spent."""
    players, bet = work.players, 0
    for p in range(players):
        work.spent[p] = table.blinds[players, p]
        bet = max(bet, work.spent[p])
    return first_round((1 << players) - 1, bet, table.first[players, 0], 0, players)


@njit(forceinline=True, error_model=DIVIDING)
def active_in(hand, players):
    """The mask of those who have not folded."""
    return ~hand.folded & ((1 << players) - 1)


@njit(forceinline=True, error_model=DIVIDING)
def count_options(hand, players, table):
    """2 where another raise is allowed, else 1; a call always is."""
    active = active_in(hand, players)
    others = active & (active - 1)  # all but one
    uncapped = table.uncapped_heads_up != 0 and others & (others - 1) == 0
    return 2 if uncapped or hand.raises < table.max_raises[hand.round] else 1


@njit(forceinline=True, error_model=DIVIDING)
def draw_action(chance, options, word):
    """An action from its probabilities, chance : float64[3]; word : uint64 of a stream."""
    drawn = unit(word)
    if drawn < chance[FOLD]:
        return FOLD
    return CALL if drawn < chance[FOLD] + chance[CALL] or options < 2 else RAISE


@njit(forceinline=True, error_model=DIVIDING)
def take(action, hand, work, table):
    """The hand after an action of the player to act; where it is over, nobody is."""
    players, said = work.players, rules.FOLD
    if action == CALL:
        said = rules.CALL
        work.spent[hand.player] = hand.bet
    elif action == RAISE:
        said = hand.bet + table.raise_sizes[hand.round]
        work.spent[hand.player] = said
    hand = act(hand, said, False, players)
    if hand.player < 0 and goes_on(hand, ROUNDS):
        hand = next_round(hand, table.first[players, hand.round + 1], 0, players)
    return hand


@njit(forceinline=True, error_model=DIVIDING)
def chips(x, how):
    """A number of chips, scaled, as a bet feature: as it is, or bounded by BEND or by a logarithm."""
    if how == LINEAR:
        return x
    return log2(1.0 + x) if how == LOGARITHM else x / (1.0 + x / BEND)


@njit(forceinline=True, error_model=DIVIDING)
def note_decision(hand, work, table, mode):
    """Record what the player to act may do, and the bet features of every option, scaled; the last is its cost."""
    seat, stage, players, d = hand.player, hand.round, work.players, work.decisions
    opponents = active_in(hand, players) & ~(1 << seat)
    count = count_bits(opponents)
    options, heads_up = count_options(hand, players, table), count == 1
    work.player[d], work.stage[d], work.paid[d] = seat, stage, work.spent[seat]
    work.can_fold[d] = work.spent[seat] != hand.bet or table.free_folds != 0
    work.options[d] = options
    scales = mode.bet_scales
    for option in range(options):
        found = work.features[d, option]
        after = hand.bet + (table.raise_sizes[stage] if option else 0)
        cost = after - work.spent[seat]
        pot, owed = cost, 0
        for p in range(players):
            pot += work.spent[p]
            if opponents >> p & 1:
                owed += after - work.spent[p]
        still = count if option else count_bits(hand.pending & ~(1 << seat))
        behind = count_bits(opponents >> (seat + 1)) if stage < ROUNDS - 1 else 0
        left = table.max_raises[stage] - hand.raises - option
        if heads_up and table.uncapped_heads_up:
            left = 4
        if option == 0:
            work.pots[d] = pot
        found[0] = count * scales[0]
        found[1] = 1.0 if still == 0 else 0.0
        found[2] = chips(pot * scales[2], mode.chips)
        found[3] = chips(owed * scales[3], mode.chips)
        found[4] = chips((pot + owed) / (count + 1) * scales[4], mode.chips)
        found[5] = still * scales[5]
        found[6] = behind * scales[6]
        found[7] = 1.0 if heads_up else 0.0
        found[8] = left * scales[8]
        found[9] = cost * scales[9]


@njit(forceinline=True, error_model=DIVIDING)
def note_action(action, hand, work):
    """Record what was done in the decision that was noted last."""
    d = work.decisions
    work.action[d], work.last[hand.player] = action, hand.round
    work.decisions = d + 1


@njit(forceinline=True)
def card_bit(card):
    """The bit of a card in the evaluator's sets."""
    return ONE << np.uint64(16 * (card & 3) + (card >> 2))


@njit(forceinline=True, error_model=DIVIDING)
def close_deal(hand, work):
    """Record how far a deal came, and with whom; those who folded have been recorded."""
    work.active, work.round = active_in(hand, work.players), hand.round
    for p in range(work.players):
        if work.active >> p & 1:
            work.last[p] = hand.round


@njit(error_model=DIVIDING)
def pay(work):
    """Fill net and winners of a deal that is closed; tied hands share the pot."""
    players, active = work.players, work.active
    winning = active
    if active & (active - 1):
        board = np.uint64(0)
        for i in range(5):
            board |= card_bit(work.cards[2 * SEATS + i])
        best = np.int64(-1)
        winning = 0
        for p in range(players):
            if active >> p & 1:
                value = np.int64(hand_value(board | card_bit(work.cards[2 * p]) | card_bit(work.cards[2 * p + 1])))
                work.value[p] = value
                if value > best:
                    best = value
                    winning = 0
                if value == best:
                    winning |= 1 << p
    share_out(work.spent[:players], ~active, work.value, work.ranked, work.net[:players])
    work.winners = winning

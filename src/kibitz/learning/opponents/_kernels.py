"""Hidden hole cards of a recorded deal, drawn from what a model makes of the betting (Sweeney 2012, section 6.1.1).

All that is public was computed before, with `work.hand` filled with ones: bet features, beliefs and the part of outcome
states that comes from no cards. What is left for a pair of cards is a product over the decisions of its owner. Memory
is a record `replaying.MEMORY`.
"""

from math import log

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels import records_of
from kibitz.learning._kernels.betting import DIVIDING, ONE, draw_card, pay
from kibitz.learning._kernels.deciding import FAST, act_with, ask_types, look_at_hand, soften, weigh
from kibitz.learning.records import SEATS, STAGES, STATES
from kibitz.random._kernels import GAMMA, mix, unit

MOST_REJECTED = 6  # decisions of a player up to which cards are drawn by rejection (L1400)
MOST_TRIALS = 3000  # after which enumeration takes over: both draw from the same distribution
MOST_RESTARTS = 20_000
PAIRS = np.stack(np.triu_indices(52, 1), axis=1)
TRIALS, REJECTIONS, ENUMERATIONS, RESTARTS = range(4)  # places in `told`


@njit(fastmath=FAST, error_model=DIVIDING)
def likelihood(seat, least, game):
    """The probability of a seat's actions with the cards that it has; not followed further below `least`."""
    work, weights = game.work, game.policy
    product, looked, hand = 1.0, -1, work.hand[seat]
    for d in range(work.decisions):
        if work.player[d] != seat:
            continue
        stage = work.stage[d]
        if stage != looked:
            looked = stage
            look_at_hand(stage, seat, weights, work.board[0, stage], game)
        act_with(d, work.outcome[d], work.own_value[d], hand, weights.costs[stage], work, work.chance[d])
        product *= work.chance[d, work.action[d]]
        if product <= least:
            break
    return product


@njit(error_model=DIVIDING)
def enumerate_pairs(seat, known, game, memory):
    """The likelihood of every pair that a seat can have, 0 of others; their sum, and ln of their mean."""
    count, total, shares, cards = 0, 0.0, memory.shares[seat], game.work.cards
    for i in range(len(PAIRS)):
        first, second = PAIRS[i, 0], PAIRS[i, 1]
        shares[i] = 0.0
        if not (known >> np.uint64(first) | known >> np.uint64(second)) & ONE:
            cards[2 * seat], cards[2 * seat + 1] = first, second
            shares[i] = likelihood(seat, 0.0, game)
            total += shares[i]
            count += 1
    memory.enumerated |= 1 << seat
    memory.totals[seat], memory.logs[seat] = total, log(max(total, 1e-300) / count)
    memory.told[ENUMERATIONS] += 1.0


@njit(error_model=DIVIDING)
def pick_pair(seat, drawn, cards, memory):
    """Give a seat the pair at which the sum of shares reaches `drawn`, a part of all."""
    left = drawn * memory.totals[seat]
    for i in range(len(PAIRS)):
        share = memory.shares[seat, i]
        if share > 0.0:
            cards[2 * seat], cards[2 * seat + 1] = PAIRS[i, 0], PAIRS[i, 1]
            left -= share
            if left < 0.0:
                return


@njit(error_model=DIVIDING)
def draw_hand(seat, key, word, known, game, memory):
    """Draw the cards of a seat, by rejection unless its pairs are enumerated; the last word of the stream `key`."""
    cards = game.work.cards
    if not memory.enumerated >> seat & 1:
        for _ in range(MOST_TRIALS):
            mask = known
            for i in range(2):
                card, word = draw_card(key, word, mask)
                mask |= ONE << card
                cards[2 * seat + i] = np.uint8(card)
            word += ONE
            least = unit(mix(key + word * GAMMA))
            memory.told[TRIALS] += 1.0
            if likelihood(seat, least, game) > least:
                memory.told[REJECTIONS] += 1.0
                return word
        enumerate_pairs(seat, known, game, memory)
    word += ONE
    pick_pair(seat, unit(mix(key + word * GAMMA)), cards, memory)
    return word


@njit(forceinline=True)
def hand_of(seat, cards):
    """The set of a seat's cards."""
    return ONE << np.uint64(cards[2 * seat]) | ONE << np.uint64(cards[2 * seat + 1])


@njit(error_model=DIVIDING)
def prepare(hidden, exact, game, memory):
    """Say whose cards are drawn, and enumerate where that is quicker; returns the set of cards that are known."""
    work, known, deciding = game.work, np.uint64(0), memory.decisions
    memory.enumerated = 0
    for seat in range(SEATS):
        deciding[seat], memory.logs[seat] = 0, 0.0
        if seat < work.players and not hidden >> seat & 1:
            known |= hand_of(seat, work.cards)
    for i in range(work.round + 2 if work.round else 0):  # later board cards, if recorded, were seen by nobody
        known |= ONE << np.uint64(work.cards[2 * SEATS + i])
    for d in range(work.decisions):
        deciding[work.player[d]] += hidden >> work.player[d] & 1
    for seat in range(SEATS):
        if deciding[seat] > (0 if exact else MOST_REJECTED):
            enumerate_pairs(seat, known, game, memory)
    return known


@njit(cache=True, nogil=True, error_model=DIVIDING)
def fill_hands(key, hidden, shown, exact, arrays, memories):
    """Draw the hole cards of the mask `hidden` for the deal in `work`, whose public part was played, and act it out.

    shown          mask of those who showed their cards
    exact : bool   enumerate for every player, and fill `logs`
    Where two hands have a card in common everything is drawn anew, so that hands come from their joint distribution.
    Returns whether that came to an end.
    """
    game, memory = records_of(arrays), memories[0]
    work = game.work
    known, word = prepare(hidden, exact, game, memory), np.uint64(0)
    for _ in range(MOST_RESTARTS):
        taken, clash = known, False
        for seat in range(work.players):
            if memory.decisions[seat]:
                word = draw_hand(seat, key, word, known, game, memory)
                mask = hand_of(seat, work.cards)
                clash = taken & mask != np.uint64(0)
                if clash:
                    break
                taken |= mask
        if not clash:
            act_out(shown, game, memory)
            return True
        memory.told[RESTARTS] += 1.0
    return False


@njit(error_model=DIVIDING)
def act_out(shown, game, memory):
    """The probabilities of all actions with the cards in `work`; fills the records of the policy, and pays.

    Of those who showed their cards somebody has won the showdown.
    """
    work = game.work
    for stage in range(STAGES):
        for seat in range(SEATS):
            work.private_counts[stage, seat] = -1
    for d in range(work.decisions):
        seat, stage = work.player[d], work.stage[d]
        if work.private_counts[stage, seat] < 0:
            look_at_hand(stage, seat, game.policy, work.board[0, stage], game)
        for option in range(work.options[d]):
            weigh(d, option, work.hand[seat], game.policy.costs[stage], work)
        soften(work.chance[d], work.can_fold[d] != 0, work.options[d])
    pay(work)
    seen = work.active & shown
    if seen and work.winners & ~seen:
        work.winners = work.winners & seen or seen


@njit(cache=True, nogil=True, error_model=DIVIDING)
def give_types(types, observing, arrays, match):
    """Make the deal that was followed one of players whose types are known, types : int64[SEATS] by seat.

    Fills outcome and own_value with what comes from no cards. With `observing` the observer's records become those
    given the types, as if they had been revealed: after that the deal must be followed anew for other types.
    """
    game, memory = records_of(arrays), match.memory[0]
    work = game.work
    for d in range(work.decisions):
        stage = work.stage[d]
        own = memory.own_exp[stage, types[work.player[d]]]
        for option in range(work.options[d]):
            for s in range(STATES):
                work.outcome[d, option, s] = work.state_exp[d, option, s] * own[s]
                work.own_value[d, option, s] = work.state_value[d, option, s]
                if observing:
                    work.state_exp[d, option, s] *= own[s] * memory.board_exp[stage, s]
        if observing:
            ask_types(d, game.observer, work)

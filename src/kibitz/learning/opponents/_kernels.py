"""Hidden hole cards of a recorded deal, drawn from what a model makes of the betting (Sweeney 2012, section 6.1.1).

All that is public was computed before, with `work.hand` filled with ones: bet features, beliefs and the part of outcome
states that comes from neither cards. What is left for a pair of cards is a product over the decisions of its owner.
"""

from math import log

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import DIVIDING, FOLD, RAISE, draw_card
from kibitz.learning._kernels.deciding import FAST, look_at_hand, soften
from kibitz.learning.records import BETS, LISTS, PUBLIC, SEATS, STAGES, STATES
from kibitz.random._kernels import GAMMA, mix, unit

MOST_REJECTED = 6  # decisions of a player up to which cards are drawn by rejection (L1400)
MOST_TRIALS = 3000  # after which enumeration takes over: both draw from the same distribution
MOST_RESTARTS = 20_000
PAIRS = 1326
TRIALS, REJECTIONS, ENUMERATIONS, RESTARTS = range(4)  # places in `told`


@njit(fastmath=FAST, error_model=DIVIDING)
def board_logits(weights, work, logits):
    """Fill logits : float64[stages, s] with those of public card features, as far as the deal came."""
    for stage in range(work.counts[2] + 1):
        for s in range(STATES):
            logits[stage, s] = 0.0
        for kind in range(1, LISTS):
            base = PUBLIC[stage, kind]
            if base < 0:
                continue
            for i in range(work.public_counts[kind]):
                row, x = base + work.public_numbers[kind, i], work.public_values[kind, i]
                for s in range(STATES):
                    logits[stage, s] += weights.cards[row, s] * x


@njit(fastmath=FAST, error_model=DIVIDING)
def chance_of(d, hand, weights, work, chance):
    """The probability of the action that was taken in decision d, with the exponentials of a hand."""
    can_fold = work.type_chance[d, FOLD, 0] > 0.0
    options = 2 if work.type_chance[d, RAISE, 0] > 0.0 else 1
    cost = weights.costs[work.stage[d]]
    for option in range(options):
        outcome, values = work.outcome[d, option], work.own_value[d, option]
        total = mean = 0.0
        for s in range(STATES):
            weight = outcome[s] * hand[s]
            total += weight
            mean += weight * values[s]
        chance[option + 1] = mean / total - cost * work.features[d, option, BETS]
    soften(chance, can_fold, options)
    return chance[work.action[d]]


@njit(error_model=DIVIDING)
def likelihood(seat, least, weights, mode, logits, opening, work, chance):
    """The probability of a seat's actions with the cards that it has; not followed further below `least`."""
    product, looked = 1.0, -1
    hand = work.hand[seat]
    for d in range(work.counts[0]):
        if work.player[d] != seat:
            continue
        stage = work.stage[d]
        if stage != looked:
            looked = stage
            if stage == 0:
                known = opening[work.cards[2 * seat], work.cards[2 * seat + 1]]
                for s in range(STATES):
                    hand[s] = known[s]
            else:
                look_at_hand(stage, seat, weights, mode, logits[stage], work)
        product *= chance_of(d, hand, weights, work, chance)
        if product <= least:
            break
    return product


@njit(error_model=DIVIDING)
def enumerate_pairs(seat, known, weights, mode, logits, opening, work, chance, shares):
    """Fill shares : float64[PAIRS] with the likelihood of every pair, 0 where a card is known; their number and sum."""
    count, total, place = 0, 0.0, 0
    for first in range(51):
        for second in range(first + 1, 52):
            shares[place] = 0.0
            if not (known >> np.uint64(first) | known >> np.uint64(second)) & np.uint64(1):
                work.cards[2 * seat], work.cards[2 * seat + 1] = first, second
                shares[place] = likelihood(seat, 0.0, weights, mode, logits, opening, work, chance)
                total += shares[place]
                count += 1
            place += 1
    return count, total


@njit(error_model=DIVIDING)
def pick_pair(seat, drawn, shares, work):
    """Give a seat the pair at which the sum of shares reaches `drawn`."""
    place, reached = 0, 0.0
    for first in range(51):
        for second in range(first + 1, 52):
            if shares[place] > 0.0:
                work.cards[2 * seat], work.cards[2 * seat + 1] = first, second
                reached += shares[place]
                if reached > drawn:
                    return
            place += 1


@njit(error_model=DIVIDING)
def see_openings(weights, mode, logits, work, opening):
    """Fill opening : float64[52, 52, s] with the exponentials of all hands before the flop."""
    for first in range(51):
        for second in range(first + 1, 52):
            work.cards[0], work.cards[1] = first, second
            look_at_hand(np.int64(0), np.int64(0), weights, mode, logits, work)
            for s in range(STATES):
                opening[first, second, s] = opening[second, first, s] = work.hand[0, s]


@njit(cache=True, nogil=True, error_model=DIVIDING)
def fill_hands(key, hidden, exact, renew, weights, mode, work, opening, shares, logs, told):
    """Draw the hole cards of the mask `hidden` for the deal in `work`, whose public part was played.

    exact : bool                     enumerate for every player
    renew : bool                     the weights have changed since the last deal
    shares : float64[SEATS, PAIRS]   scratch memory; opening : float64[52, 52, s], hands before the flop
    logs : float64[SEATS]            filled, if exact, with ln of the mean likelihood over all pairs of a hidden hand
    told : float64[4]                sums of trials, draws by rejection, enumerations and restarts
    Where two hands have a card in common everything is drawn anew, so that hands come from their joint distribution.
    Returns whether that came to an end.
    """
    record, deal = weights[0], work[0]
    logits, chance, totals = np.zeros((STAGES, STATES)), np.zeros(3), np.zeros(SEATS)
    if renew:
        held = deal.cards[0], deal.cards[1]
        see_openings(record, mode[0], logits[0], deal, opening)
        deal.cards[0], deal.cards[1] = held
    board_logits(record, deal, logits)
    players = deal.counts[3]
    decisions = np.zeros(SEATS, np.int64)
    for seat in range(SEATS):
        logs[seat] = 0.0
    for d in range(deal.counts[0]):
        decisions[deal.player[d]] += 1
    known = np.uint64(0)
    for seat in range(players):
        if not hidden >> seat & 1:
            known |= np.uint64(1) << np.uint64(deal.cards[2 * seat])
            known |= np.uint64(1) << np.uint64(deal.cards[2 * seat + 1])
    stage = deal.counts[2]
    for i in range(stage + 2 if stage else 0):  # later board cards, if recorded, were seen by nobody
        known |= np.uint64(1) << np.uint64(deal.cards[2 * SEATS + i])
    enumerated = np.int64(0)
    word = np.uint64(0)
    for _ in range(MOST_RESTARTS):
        taken, clash = known, False
        for seat in range(players):
            if not hidden >> seat & 1 or decisions[seat] == 0:
                continue
            found = False
            if not exact and decisions[seat] <= MOST_REJECTED and not enumerated >> seat & 1:
                for _ in range(MOST_TRIALS):
                    mask = known
                    for i in range(2):
                        card, word = draw_card(key, word, mask)
                        mask |= np.uint64(1) << card
                        deal.cards[2 * seat + i] = np.uint8(card)
                    word += np.uint64(1)
                    least = unit(mix(key + word * GAMMA))
                    told[TRIALS] += 1.0
                    if likelihood(seat, least, record, mode[0], logits, opening, deal, chance) > least:
                        found = True
                        told[REJECTIONS] += 1.0
                        break
            if not found:
                if not enumerated >> seat & 1:
                    enumerated |= 1 << seat
                    count, totals[seat] = enumerate_pairs(
                        seat, known, record, mode[0], logits, opening, deal, chance, shares[seat]
                    )
                    told[ENUMERATIONS] += 1.0
                    logs[seat] = log(max(totals[seat], 1e-300) / count)
                word += np.uint64(1)
                pick_pair(seat, unit(mix(key + word * GAMMA)) * totals[seat], shares[seat], deal)
            mask = np.uint64(1) << np.uint64(deal.cards[2 * seat]) | np.uint64(1) << np.uint64(deal.cards[2 * seat + 1])
            clash = taken & mask != np.uint64(0)
            taken |= mask
            if clash:
                break
        if not clash:
            return True
        told[RESTARTS] += 1.0
    return False

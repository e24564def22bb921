"""Recorded deals of players whose types were drawn: what is left for cards to say, and what the deal teaches.

The deal was followed before by `play_typed_one`: bet features, O, Q and the exponentials of all that types and cards
share are in scratch memory.
"""

from math import exp

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import DIVIDING, FOLD, RAISE, pay
from kibitz.learning._kernels.deciding import FAR, FAST, ask_types, look_at_hand, soften, weigh
from kibitz.learning.records import SEATS, STAGES, STATES


@njit(fastmath=FAST, error_model=DIVIDING)
def board_exponentials(public_observer, match, found):
    """Fill found : float64[stages, s] with the exponentials of public card features where card-types see them."""
    for stage in range(STAGES):
        most = match.board[stage, 0]
        for s in range(1, STATES):
            most = max(most, match.board[stage, s])
        for s in range(STATES):
            found[stage, s] = exp(max(match.board[stage, s] - most, 2 * FAR)) if public_observer else 1.0


@njit(cache=True, nogil=True, error_model=DIVIDING)
def give_types(types, observing, model, mode, work, match):
    """Make the deal one of players whose types are known, types : int64[SEATS] by seat.

    Fills outcome and own_value with what does not come from cards. With `observing` the observer's records become those
    given the types, as if they had been revealed: after that the deal must be followed anew for other types.
    """
    record, deal, kept = model[0], work[0], match[0]
    boards = np.zeros((STAGES, STATES))
    board_exponentials(mode[0].public_observer, kept, boards)
    for d in range(deal.counts[0]):
        seat, stage = deal.player[d], deal.stage[d]
        own, board = kept.own_exp[stage, types[seat]], boards[stage]
        can_fold, options = kept.can_fold[d] != 0, kept.options[d]
        for option in range(options):
            shared = deal.state_exp[d, option]
            for s in range(STATES):
                deal.outcome[d, option, s] = shared[s] * own[s]
                deal.own_value[d, option, s] = deal.state_value[d, option, s]
                if observing:
                    shared[s] *= own[s] * board[s]
        if observing:
            ask_types(d, stage, can_fold, options, record, mode[0], deal)
        else:  # what is legal is all that is asked for
            deal.type_chance[d, FOLD, 0] = 1.0 if can_fold else 0.0
            deal.type_chance[d, RAISE, 0] = 1.0 if options > 1 else 0.0


@njit(cache=True, nogil=True, error_model=DIVIDING)
def act_out(types, learning, model, mode, work, match, gradient):
    """The probabilities of all actions with the cards in `work`, after `give_types`; fills the records of the policy.

    gradient : a record `KINDS`, to which that of ln P(action | cards, type) is added if `learning`
    """
    record, deal, kept = model[0], work[0], match[0]
    players = deal.counts[3]
    for stage in range(STAGES):
        for seat in range(SEATS):
            deal.private_counts[stage, seat] = -1
    change = deal.scratch[2]
    for d in range(deal.counts[0]):
        seat, stage, options = deal.player[d], deal.stage[d], kept.options[d]
        if deal.private_counts[stage, seat] < 0:
            look_at_hand(stage, seat, record, mode[0], kept.board[stage], deal)
        chance = deal.chance[d]
        for option in range(options):
            weigh(d, option, deal.hand[seat], record.costs[stage], deal)
        soften(chance, kept.can_fold[d] != 0, options)
        if not learning:
            continue
        for s in range(STATES):
            change[s] = 0.0
        for option in range(options):
            push = (deal.action[d] == option + 1) - chance[option + 1]
            outcome, values, mean = deal.outcome[d, option], deal.own_value[d, option], deal.mean[d, option]
            for s in range(STATES):
                change[s] += push * outcome[s] * (values[s] - mean)
        own, opponents = gradient[0].own[stage, types[seat]], gradient[0].opponents[stage]
        for s in range(STATES):
            own[s] += change[s]
        for p in range(kept.count):
            for s in range(STATES):
                opponents[p, s] += kept.summed[d, p] * change[s]
    pay(players, deal.counts[1], deal)

"""One simulated deal of limit hold'em from the cards to the chips."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import (
    CALL,
    DIVIDING,
    bet_features,
    close_deal,
    count_options,
    draw_action,
    next_of,
    pay,
    post_blinds,
    take,
)
from kibitz.learning._kernels.deciding import decide, look_ahead, look_at_hand, open_stage, watch
from kibitz.learning.records import TYPES
from kibitz.random._kernels import GAMMA, mix


@njit(error_model=DIVIDING)
def play_deal(players, key, forced, forced_count, policy, observer, learners, separate, table, mode, work):
    """Play the deal in work.cards, with actions drawn from the stream `key`; fills the records and work.net.

    forced : int64[n]   actions to take in the first `forced_count` decisions, whatever their probability; -1 at its
                        end stops the deal there, before anybody looks at cards
    Returns the number of decisions; those after the cap are calls, and not counted.
    """
    spent = work.spent
    bet, active = post_blinds(players, table, spent)
    for p in range(players):
        for c in range(TYPES):
            work.belief[p, c] = observer.initial[c]
    stage = raises = d = np.int64(0)  # not literals, for which helpers would be compiled once more
    asked = forced_count > 0 and forced[forced_count - 1] < 0
    pending, opened, seat = active, -1, table.first[players, 0]
    while pending:
        if stage > opened:
            open_stage(stage, players, active, policy, observer, mode, work)
            opened = stage
        seat = next_of(pending, seat, players)
        action = CALL
        if d < table.decision_cap:
            can_fold = spent[seat] != bet or table.free_folds
            options = count_options(stage, raises, active, table)
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
                action = draw_action(work.chance[d], options, mix(key + np.uint64(d + 1) * GAMMA))
            work.player[d], work.stage[d], work.action[d], work.paid[d] = seat, stage, action, spent[seat]
            work.last[seat] = stage
            look_ahead(work.belief[seat], work.type_chance[d, action], work.belief[seat])
            d += 1
        seat, stage, bet, raises, active, pending = take(
            action, seat, stage, players, bet, raises, active, pending, table, spent
        )
    close_deal(players, d, active, stage, work)
    if not asked:
        pay(players, active, work)
    return d

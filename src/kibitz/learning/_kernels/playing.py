"""One simulated deal of limit hold'em from the cards to the chips."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import (
    CALL,
    DIVIDING,
    FOLD,
    RAISE,
    active_in,
    close_deal,
    draw_action,
    note_action,
    note_decision,
    open_betting,
    pay,
    take,
)
from kibitz.learning._kernels.deciding import decide, look_ahead, look_at_hand, open_stage, watch
from kibitz.learning._kernels.filtering import move_filters, open_filters, update_filters
from kibitz.learning._kernels.reading import consider_types, watch_types
from kibitz.learning.records import BETS, TYPES
from kibitz.random._kernels import GAMMA, mix


def make_play_deal(choose=None, watch_action=None):
    """The loop of a deal, among bots who act as `choose` says, and remember what `watch_action` makes of all actions.

    Both are compiled in: functions that come as arguments could not be kept in a cache.
    """

    @njit(error_model=DIVIDING)
    def play_deal(key, game, match=None, bots=None):
        """Play the deal in work.cards, with actions drawn from the stream `key`; fills the records and work.net.

        match   in which players have types: work.learners have none of their own, all others those of memory.drawn
        bots    who act in place of those others

        work.forced are the first actions, whatever their probability. If the player after them is asked,
        the deal stops there, before anybody looks at cards, with all that is public of the decision in its records.
        Decisions after the cap are calls, and not counted.
        """
        table, mode, work = game.table, game.mode, game.work
        hand = open_betting(work, table)
        work.decisions = 0
        for p in range(work.players):
            for c in range(TYPES):
                work.belief[p, c] = game.observer.initial[c]
        if match is not None:
            open_filters(game, match)
        opened = np.int64(-1)  # no literal, for which helpers would be compiled once more
        while hand.player >= 0:
            if hand.round > opened:
                open_stage(hand.round, active_in(hand, work.players), game)
                if match is not None:
                    move_filters(hand, game, match)
                opened = hand.round
            action, d = CALL, work.decisions
            if d < table.decision_cap:
                forced, word = d < work.forced_count, mix(key + np.uint64(d + 1) * GAMMA)
                note_decision(hand, work, table, mode)
                if match is None:
                    sum_beliefs(d, hand, work)
                else:
                    watch_types(hand, game, match)
                if work.asked and d == work.forced_count:
                    break
                hosted = False
                if match is None:
                    watch(d, game)
                    consider(d, game)
                else:
                    if bots is not None:
                        hosted = not work.learners >> hand.player & 1
                    if not hosted and (not forced or match.memory.recalled):
                        consider_types(d, game, match)
                action = work.forced[d] if forced else draw_action(work.chance[d], work.options[d], word)
                if bots is not None:
                    if hosted:
                        action = choose(hand, word, bots, work, table)
                    watch_action(hand, hand.bet - work.spent[hand.player], action, bots)
                note_action(action, hand, work)
                if match is None:
                    belief = work.belief[hand.player]
                    look_ahead(belief, work.type_chance[d, action], belief)
                else:
                    update_filters(action, hand, match)
            hand = take(action, hand, work, table)
        close_deal(hand, work)
        if not work.asked:
            pay(work)

    return play_deal


@njit(forceinline=True, error_model=DIVIDING)
def sum_beliefs(d, hand, work):
    """Record what is believed of the active opponents in decision d, summed."""
    active, opponents = active_in(hand, work.players), work.opponents[d]
    for c in range(TYPES):
        opponents[c] = 0.0
    for p in range(work.players):
        if p != hand.player and active >> p & 1:
            for c in range(TYPES):
                opponents[c] += work.belief[p, c]


@njit(forceinline=True, error_model=DIVIDING)
def consider(d, game):
    """The probabilities of the actions in decision d, of whoever is to act."""
    work = game.work
    seat, stage = work.player[d], work.stage[d]
    if work.rivals >> seat & 1:
        act_blindly(d, work)
        return
    own = work.separate != 0 and work.learners >> seat & 1 != 0
    unseen = work.private_counts[stage, seat] < 0 and not work.asked
    if own or not work.separate:
        if unseen:
            look_at_hand(stage, seat, game.policy, work.board[0, stage], game)
        decide(d, game.policy, own, game)
    else:
        if unseen:
            look_at_hand(stage, seat, game.observer, work.board[1, stage], game)
        decide(d, game.observer, own, game)


@njit(forceinline=True, error_model=DIVIDING)
def act_blindly(d, work):
    """The probabilities of a rival, who never looks at cards."""
    chance, row = work.chance[d], work.rival
    if work.features[d, 0, BETS] > 0.0:  # nobody folds where a check is free, even if he may
        fold, lift = row[1], row[2]
    else:
        fold, lift = 0.0, row[0]
    call = 1.0 - fold - lift
    if work.options[d] < 2:
        lift = 0.0
    total = fold + call + lift
    if total <= 0.0:
        call = total = 1.0
    chance[FOLD], chance[CALL], chance[RAISE] = fold / total, call / total, lift / total


play_deal = make_play_deal()

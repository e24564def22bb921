"""Matches of bots, compiled: deals, actions and counts of style follow from the seed and the number of the match."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels import betting
from kibitz.learning._kernels.betting import CALL, DIVIDING, FOLD, RAISE, open_betting, take
from kibitz.learning._kernels.styles import add_style
from kibitz.learning.population._kernels.choosing import begin_deal, begin_match, choose, consider, watch_action
from kibitz.learning.population.records import Bots
from kibitz.random._kernels import GAMMA, mix, stream


@njit(inline="always")  # compiled functions cannot return records in tuples
def at_table(seating, arrays):
    """Bots with records for arrays of one, seated so."""
    return Bots(arrays.bots, seating, arrays.scores[0], arrays.memory[0], arrays.scratch[0])


@njit(cache=True, nogil=True, error_model=DIVIDING)
def play_matches(seed, start, arrays, work, table, sums, kept):
    """Play matches start .. start + n - 1 of the stream `seed`.

    arrays : Bots, with seating : int64[n, players]
    sums : float64[n, players, COLUMNS]    added to: what each chair did, columns of `kibitz.learning._kernels.styles`
    kept : matches.Kept                    filled by match and deal, as far as there is room
    """
    root = stream(np.uint64(0), np.uint64(seed))
    count, players = arrays.seating.shape
    work[0].players = players
    for m in range(count):
        match = stream(root, np.uint64(start + m))
        bots = at_table(arrays.seating[m], arrays)
        begin_match(bots)
        for deal in range(kept.actions.shape[1]):
            key = stream(match, np.uint64(deal))
            betting.deal_cards(key, work[0])
            begin_deal(players, deal, mix(key), bots)
            play_deal(mix(key), bots, work[0], table[0], sums[m], kept.actions[m, deal])
            if len(kept.active) > 0:
                kept.active[m, deal] = work[0].active
                kept.cards[m, deal] = work[0].cards


@njit(forceinline=True, error_model=DIVIDING)
def play_deal(key, bots, work, table, sums, actions):
    """Play the deal in work.cards and count it; fills work.net, and actions : int8[d] as far as that goes."""
    raises, calls = work.combination[0], work.combination[1]  # calls that cost chips
    work.combination[:] = 0
    hand = open_betting(work, table)
    d = np.int64(0)
    while hand.player >= 0:
        action, owed = CALL, hand.bet - work.spent[hand.player]
        if d < table.decision_cap:
            action = choose(hand, mix(key + np.uint64(d + 1) * GAMMA), bots, work, table)
            watch_action(hand, owed, action, bots)
            if d < len(actions):
                actions[d] = action
            d += 1
            raises[hand.player] += action == RAISE
            calls[hand.player] += action == CALL and owed > 0
        hand = take(action, hand, work, table)
    betting.close_deal(hand, work)
    betting.pay(work)
    for p in range(work.players):
        add_style(sums[bots.memory.chairs[p]], raises[p], calls[p], p, work)


@njit(cache=True, nogil=True, error_model=DIVIDING)
def follow(shift, key, holes, chances, arrays, work, table):
    """Follow a deal from its actions work.forced; what the bot to act does with its cards, if work.asked, else -1.

    shift                       position p is that of chair (p + shift) mod players
    key : uint64                of the deal
    arrays : Bots               memory takes the actions in
    chances : float64[3, n]     filled with the chances of fold, call and raise with each of holes : uint8[n, 2]
    """
    work, table, bots = work[0], table[0], at_table(arrays.seating, arrays)
    begin_deal(work.players, shift, key, bots)
    hand = open_betting(work, table)
    for d in range(work.forced_count):
        watch_action(hand, hand.bet - work.spent[hand.player], work.forced[d], bots)
        hand = take(work.forced[d], hand, work, table)
    if not work.asked or hand.player < 0:
        return -1
    word = mix(key + np.uint64(work.forced_count + 1) * GAMMA)
    seat = hand.player
    for i in range(len(holes)):  # the cards are then those of the last
        work.cards[2 * seat], work.cards[2 * seat + 1] = holes[i, 0], holes[i, 1]
        bots.scratch.strength[seat, hand.round, 0] = -1.0
        fold, lift = consider(hand, word, bots, work, table)
        chances[FOLD, i], chances[RAISE, i] = (1.0 - lift) * fold, lift
        chances[CALL, i] = 1.0 - chances[FOLD, i] - lift
    return choose(hand, word, bots, work, table)

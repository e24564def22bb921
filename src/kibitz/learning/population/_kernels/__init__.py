"""Matches of bots, compiled: deals, actions and counts of style follow from the seed and the number of the match."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import (
    CALL,
    DIVIDING,
    RAISE,
    close_deal,
    deal_cards,
    next_of,
    pay,
    post_blinds,
    take,
)
from kibitz.learning.population._kernels.choosing import begin_deal, begin_match, choose, watch_action
from kibitz.learning.records import SEATS
from kibitz.learning.responses._kernels import add_style
from kibitz.random._kernels import GAMMA, mix, stream


@njit(cache=True, nogil=True, error_model=DIVIDING)
def play_matches(seed, start, deals, seating, bots, table, scores, memory, scratch, work, sums, kept, cards, masks):
    """Play matches start .. start + n - 1 of the stream `seed`, each of `deals` deals.

    seating : int64[n, players]            number of the bot in each chair
    memory, scratch, work                  one record each
    sums : float64[n, players, COLUMNS]    added to: what each chair did, columns of `responses._kernels`
    kept : int8[n * deals, d]              actions of each deal, then -1; with d = 0 nothing is kept
    cards : uint8[n * deals, 25], masks : int64[n * deals]   all cards, and who did not fold; filled if actions are kept
    """
    root = stream(np.uint64(0), np.uint64(seed))
    count, players = seating.shape
    for m in range(count):
        match = stream(root, np.uint64(start + m))
        begin_match(memory[0])
        for deal in range(deals):
            key = stream(match, np.uint64(deal))
            deal_cards(key, work[0].cards, players)
            row = m * deals + deal
            actions = kept[row if kept.shape[1] else 0]
            play_deal(
                players, deal, mix(key), bots, seating[m], table[0], scores, memory[0], scratch[0], work[0], sums[m],
                actions,
            )  # fmt: skip
            if kept.shape[1]:
                for i in range(len(work[0].cards)):
                    cards[row, i] = work[0].cards[i]
                masks[row] = work[0].counts[1]


@njit(error_model=DIVIDING)
def play_deal(players, deal, key, bots, seating, table, scores, memory, scratch, work, sums, kept):
    """Play the deal in work.cards and count it; fills work.spent, work.net, work.counts and kept."""
    begin_deal(memory, scratch, players, deal, key)
    spent, chairs = work.spent, memory.chairs
    bet, active = post_blinds(players, table, spent)
    for p in range(players):
        work.combination[0, p] = work.combination[1, p] = 0  # bets and raises, calls
    stage = raises = d = np.int64(0)
    pending, seat = active, table.first[players, 0]
    while pending:
        seat = next_of(pending, seat, players)
        owed = bet - spent[seat]
        action = CALL
        if d < table.decision_cap:
            action = choose(
                bots[seating[chairs[seat]]], memory, scratch, work.cards, spent, seat, stage, players, bet, raises,
                active, table, scores, mix(key + np.uint64(d + 1) * GAMMA),
            )  # fmt: skip
            watch_action(memory, seat, stage, owed, action)
            if d < len(kept):
                kept[d] = action
            d += 1
            work.combination[0, seat] += action == RAISE
            work.combination[1, seat] += action == CALL and owed > 0
        seat, stage, bet, raises, active, pending = take(
            action, seat, stage, players, bet, raises, active, pending, table, spent
        )
    if d < len(kept):
        kept[d] = -1
    close_deal(players, d, active, stage, work)
    pay(players, active, work)
    for p in range(players):
        add_style(sums[chairs[p]], work.combination[0, p], work.combination[1, p], p, work)


@njit(cache=True, nogil=True, error_model=DIVIDING)
def follow(players, shift, actions, bots, number, memory, scratch, cards, table, scores, key):
    """Follow a deal from its actions, and what bot `number` does next; -1 where it is to do nothing.

    shift      position p is that of chair (p + shift) mod players
    actions : int64[n]   of the deal so far; memory takes them in
    cards : uint8[25]    as in `choose`; key : uint64 of the deal
    """
    begin_deal(memory[0], scratch[0], players, shift, key)
    spent = np.zeros(SEATS, np.int64)
    bet, active = post_blinds(players, table[0], spent)
    stage = raises = np.int64(0)
    pending, seat = active, next_of(active, table[0].first[players, 0], players)
    for action in actions:
        watch_action(memory[0], seat, stage, bet - spent[seat], action)
        seat, stage, bet, raises, active, pending = take(
            action, seat, stage, players, bet, raises, active, pending, table[0], spent
        )
        if pending == 0:
            return -1
        seat = next_of(pending, seat, players)
    if number < 0:
        return -1
    return choose(
        bots[number], memory[0], scratch[0], cards, spent, seat, stage, players, bet, raises, active, table[0], scores,
        mix(key + np.uint64(len(actions) + 1) * GAMMA),
    )  # fmt: skip

"""Rollouts of a decision of limit hold'em: unseen cards drawn, every option played out with the policy.

The scratch arrays, weights and rules are those of `kibitz.learning._kernels`.
"""

from math import log

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels import CALL, FOLD, RAISE, SEATS, deal_cards, draw_players, exponentials, play_deal
from kibitz.random._kernels import GAMMA, below, mix, stream


@njit
def play_number(seed, number, seats, policy, observer, layout, table, mode, work):
    """Play deal `number` of the stream `seed` in self-play, as `run_deals` does; the number of players."""
    key = stream(stream(np.uint64(0), np.uint64(seed)), np.uint64(number))
    players = draw_players(key, seats)
    deal_cards(key, work.cards, players)
    play_deal(players, mix(key), work.player, 0, policy, observer, 0, False, layout, table, mode, work)
    return players


@njit(cache=True, nogil=True)
def count_decisions(seed, start, seats, policy, observer, layout, table, mode, work, counts):
    """counts : int64[n], filled with the decisions of deals start .. start + n - 1 in which there was a choice."""
    exponentials(observer, work.type_exp)
    for i in range(len(counts)):
        play_number(seed, start + i, seats, policy, observer, layout, table, mode, work)
        counts[i] = work.counts[0]


@njit(cache=True, nogil=True)
def replay(seed, number, seats, policy, observer, layout, table, mode, work):
    """Play one deal again: what was decided is then in `work`; the number of players."""
    exponentials(observer, work.type_exp)
    return play_number(seed, number, seats, policy, observer, layout, table, mode, work)


@njit
def draw_unseen(key, players, actor, visible, cards):
    """Fill all cards but the actor's hole cards and the first `visible` of the board, uniformly from the rest."""
    board = 2 * SEATS
    dealt = (np.uint64(1) << np.uint64(cards[2 * actor])) | (np.uint64(1) << np.uint64(cards[2 * actor + 1]))
    for i in range(visible):
        dealt |= np.uint64(1) << np.uint64(cards[board + i])
    word = np.uint64(0)
    for i in range(2 * players + 5 - visible):
        place = i if i < 2 * players else board + visible + i - 2 * players
        if place // 2 == actor and place < board:
            continue
        while True:
            word += np.uint64(1)
            card = below(mix(key + word * GAMMA), np.uint64(52))
            if not dealt >> card & np.uint64(1):
                break
        dealt |= np.uint64(1) << card
        cards[place] = np.uint8(card)


@njit(cache=True, nogil=True)
def roll_out(
    key, first, players, actor, visible, forced, before, common, policy, observer, learners, separate, layout, table,
    mode, work, legal, values, logs
):  # fmt: skip
    """Play a decision out: samples first .. first + n of stream `key`, each with the same cards for every legal option.

    work.cards holds the actor's hole cards and the `visible` first cards of the board; the rest is drawn.

    forced : int64[before + 1]  actions of the deal so far; the last place is for the option
    common : bool               whether later actions are drawn by the same numbers for every option
    legal  : bool[3]            options FOLD, CALL, RAISE
    values : float64[n, 3]      filled with the actor's net chips after each option, nan where it is not legal
    logs   : float64[n]         filled with ln p, the log-probability of all other players' actions so far
    """
    exponentials(observer, work.type_exp)
    for j in range(len(values)):
        own = stream(key, np.uint64(first + j))
        draw_unseen(own, players, actor, visible, work.cards)
        seen = False
        for option in range(FOLD, RAISE + 1):
            if not legal[option]:
                values[j, option] = np.nan
                continue
            forced[before] = option
            draws = mix(own) if common else mix(own + np.uint64(option + 1))
            play_deal(
                players, draws, forced, before + 1, policy, observer, learners, separate, layout, table, mode, work
            )
            values[j, option] = work.net[actor]
            if not seen:
                seen = True
                logs[j] = 0.0
                for d in range(before):
                    if work.player[d] != actor:
                        logs[j] += log(max(work.chance[d, work.action[d]], 1e-300))


@njit(cache=True, nogil=True)
def legal_of(d, work, legal):
    """Fill legal : bool[3] with what could be done in decision d of the deal in `work`."""
    legal[FOLD] = work.chance[d, FOLD] > 0.0
    legal[CALL] = True
    legal[RAISE] = work.chance[d, RAISE] > 0.0

"""Rollouts of a decision of limit hold'em: unseen cards drawn, every option played out with the policy.

The scratch arrays, weights and rules are those of `kibitz.learning._kernels`.
"""

from math import log

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import DIVIDING, FOLD, RAISE, draw_card
from kibitz.learning._kernels.deciding import exponentials
from kibitz.learning._kernels.playing import play_deal
from kibitz.learning.records import SEATS
from kibitz.random._kernels import mix, stream


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
        card, word = draw_card(key, word, dealt)
        dealt |= np.uint64(1) << card
        cards[place] = np.uint8(card)


@njit(cache=True, nogil=True, error_model=DIVIDING)
def roll_out(
    key, first, players, actor, visible, forced, before, common, policy, observer, learners, separate, table, mode,
    memory, legal, values, logs
):  # fmt: skip
    """Play a decision out: samples first .. first + n of stream `key`, each with the same cards for every legal option.

    The cards in `memory` are the actor's and the `visible` first of the board; the rest is drawn.

    forced : int64[before + 1]  actions of the deal so far; the last place is for the option
    common : bool               whether later actions are drawn by the same numbers for every option
    legal  : bool[3]            options FOLD, CALL, RAISE
    values : float64[n, 3]      filled with the actor's net chips after each option, nan where it is not legal
    logs   : float64[n]         filled with ln p, the log-probability of all other players' actions so far
    """
    work = memory[0]
    exponentials(observer[0], work.type_exp)
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
                players, draws, forced, before + 1, policy[0], observer[0], learners, separate, table[0], mode[0], work
            )
            values[j, option] = work.net[actor]
            if not seen:
                seen = True
                logs[j] = 0.0
                for d in range(before):
                    if work.player[d] != actor:
                        logs[j] += log(max(work.chance[d, work.action[d]], 1e-300))

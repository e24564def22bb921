"""Rollouts of a decision of limit hold'em: what is unseen drawn, every option played out with the policy."""

from math import log

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels import records_of
from kibitz.learning._kernels.betting import DIVIDING, FOLD, RAISE, draw_card
from kibitz.learning._kernels.deciding import exponentials
from kibitz.learning._kernels.filtering import draw_kind, match_of, own_exponentials
from kibitz.learning._kernels.playing import play_deal
from kibitz.learning.records import SEATS
from kibitz.random._kernels import mix, stream, uniform

KINDS_DRAWN = np.uint64(1 << 32)  # stream of types among those of a sample, far from cards and actions


@njit(error_model=DIVIDING)
def draw_unseen(key, actor, stage, work):
    """Fill all cards but the actor's hole cards and the board of a stage, uniformly from the rest."""
    board, cards, hole = 2 * SEATS, work.cards, 2 * work.players
    visible = stage + 2 if stage else 0
    dealt = (np.uint64(1) << np.uint64(cards[2 * actor])) | (np.uint64(1) << np.uint64(cards[2 * actor + 1]))
    for i in range(visible):
        dealt |= np.uint64(1) << np.uint64(cards[board + i])
    word = np.uint64(0)
    for i in range(hole + 5 - visible):
        place = i if i < hole else board + visible + i - hole
        if place // 2 == actor and place < board:
            continue
        card, word = draw_card(key, word, dealt)
        dealt |= np.uint64(1) << card
        cards[place] = np.uint8(card)


@njit(error_model=DIVIDING)
def draw_types(key, players, memory):
    """Draw the type of every seat's player from what was believed of him before the deal."""
    for seat in range(players):
        player = memory.player[seat]
        memory.drawn[player] = draw_kind(uniform(key, seat), memory.carried[player], memory.count)


@njit(error_model=DIVIDING)
def play_out(key, situation, common, game, match, found):
    """Fill a row of `roll_out` from the stream of its sample."""
    work, actor, before = game.work, situation.actor, len(situation.actions)
    draw_unseen(key, actor, situation.stage, work)
    if match is not None:
        draw_types(stream(key, KINDS_DRAWN), work.players, match.memory)
        match.memory.recalled = 1
    seen = False
    for option in range(FOLD, RAISE + 1):
        if not situation.legal[option]:
            found[option] = np.nan
            continue
        work.forced[before] = option
        play_deal(mix(key) if common else mix(key + np.uint64(option + 1)), game, match)
        found[option] = work.net[actor]
        if not seen:
            seen, found[3] = True, 0.0
            for d in range(before):
                if work.player[d] != actor:
                    found[3] += log(max(work.chance[d, work.action[d]], 1e-300))
        if match is not None:
            match.memory.recalled = 0


@njit(cache=True, nogil=True, error_model=DIVIDING)
def roll_out(key, first, common, situation, arrays, known, found):
    """Play a decision out: samples first .. first + n of stream `key`, each with the same cards for every legal option.

    common : bool              whether later actions are drawn by the same numbers for every option
    situation : Situation      of which the cards are in work.cards
    arrays, known              Game, and Match or None, arrays of one record each
    found : float64[n, 4]      filled with the actor's net chips after FOLD, CALL and RAISE, nan where that is not
                               legal, and with ln p, the log-probability of all other players' actions so far
    """
    game = records_of(arrays)
    work, before = game.work, len(situation.actions)
    exponentials(game.observer, work.type_exp)
    work.learners, work.rivals, work.asked, work.forced_count = 1 << situation.actor, 0, 0, before + 1
    for d in range(before):
        work.forced[d] = situation.actions[d]
    for j in range(len(found)):
        own = stream(key, np.uint64(first + j))
        if known is None:
            play_out(own, situation, common, game, None, found[j])
        else:
            match = match_of(known)
            own_exponentials(match)
            play_out(own, situation, common, game, match, found[j])

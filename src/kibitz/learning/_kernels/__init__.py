"""Deals of limit hold'em with learned policies, for Python: games come as arrays of one record each.

`betting`, `deciding` and `playing` have a deal, `teaching` and `observing` what it teaches, `stepping` a step and
`running` whole runs; `tabulating` fills tables of a policy, for which no deals are played. Memory is that of
`records.WORK`.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import DIVIDING
from kibitz.learning._kernels.deciding import exponentials, watch
from kibitz.learning._kernels.filtering import close_types, match_of, own_exponentials
from kibitz.learning._kernels.observing import learn_observer, observe
from kibitz.learning._kernels.playing import consider, play_deal
from kibitz.learning._kernels.reading import consider_types
from kibitz.learning._kernels.running import tell
from kibitz.learning._kernels.teaching import learn_policy
from kibitz.learning.records import Game


@njit(inline="always")  # in the code itself: no function can return records
def records_of(arrays):
    """The records of arrays of one."""
    return Game(arrays.policy[0], arrays.observer[0], arrays.table[0], arrays.mode[0], arrays.work[0])


@njit(cache=True, nogil=True, error_model=DIVIDING)
def play_one(key, arrays, match=None):
    """`play_deal` of the deal in `work`, in a `Match` or None, which then knows what was seen in it."""
    game = records_of(arrays)
    exponentials(game.observer, game.work.type_exp)
    if match is None:
        play_deal(np.uint64(key), game)
    else:
        known = match_of(match)
        own_exponentials(known)
        play_deal(np.uint64(key), game, known)
        close_types(game, known)


@njit(cache=True, nogil=True, error_model=DIVIDING)
def advise(holes, arrays, chances, match=None):
    """Fill chances : float64[3, n] with what the player to act does with each of holes : uint8[n, 2].

    The player after the actions in work.forced is asked; the records of the last hand stay in `work`.
    """
    game = records_of(arrays)
    work = game.work
    exponentials(game.observer, work.type_exp)
    work.asked = 1
    if match is None:
        play_deal(np.uint64(0), game)
    else:
        known = match_of(match)
        own_exponentials(known)
        play_deal(np.uint64(0), game, known)
    if len(holes) == 0:
        return
    d = work.decisions
    seat, stage = work.player[d], work.stage[d]
    work.asked = 0  # from here on cards are looked at
    if match is None:
        watch(d, game)
    for i in range(len(holes)):
        work.cards[2 * seat] = holes[i, 0]
        work.cards[2 * seat + 1] = holes[i, 1]
        work.private_counts[stage, seat] = -1
        if match is None:
            consider(d, game)
        else:
            consider_types(d, game, known)
        for action in range(3):
            chances[action, i] = work.chance[d, action]


@njit(cache=True, nogil=True, error_model=DIVIDING)
def learn_one(key, arrays, run, gradient, match=None, reading=None):
    """Add the gradients of the deal in `work`, as it was played; returns its conditional log-likelihood.

    key : uint64     draws the winner of a tie, and whether a showdown of more than three players is worked
    match, reading   as in `learn_policy`
    """
    game, settings = records_of(arrays), run[0]
    if settings.learn_policy:
        if match is None:
            learn_policy(settings.entropy, settings, game, gradient[0])
        else:
            learn_policy(settings.entropy, settings, game, gradient[0], match_of(match), reading[0])
    if not settings.learn_observer:
        return 0.0
    likelihood = observe(np.uint64(key), settings.floor, game, gradient[0])
    learn_observer(settings.floor, game, gradient[0])
    return likelihood


@njit(cache=True, nogil=True, error_model=DIVIDING)
def tell_one(works, told):
    """`tell` of the deal in `works`."""
    tell(works[0], told)

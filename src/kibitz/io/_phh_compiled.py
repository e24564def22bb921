"""Regular PHH hands followed by machine code, once so many have been read that it is worth loading the compiler."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple

from kibitz.games import Deal
from kibitz.io._phh_kernels import (
    BOARD,
    BOARD_CARDS,
    HIDDEN,
    HISTORY,
    MUCKED,
    MUCKS,
    PADDING,
    Follow,
    compiled,
)

# To load it takes half a second, what machine code saves on about as many hands: who has read them may well read as
# many again, and who has not never waits for it.
HANDS_BEFORE = 50_000

_hands = count()
_follow: Follow | None = None
_new = tuple.__new__  # half the time of the constructors


class Play(NamedTuple):
    """What the actions of a hand tell."""

    history: str  # ACPC's text
    deal: Deal
    mucked: tuple[int, ...]  # the players who gave up at the showdown


def follow_compiled(actions: str, players: int, first: int, opening_bet: int) -> Play | None:
    """The play of `actions`, the strings with `', '` between them; None if plain Python is to follow them.

    The player `first` opens the betting, and `opening_bet` is the largest blind.
    """
    global _follow
    if _follow is None:
        if next(_hands) < HANDS_BEFORE:
            return None
        _follow = compiled()
    return play_of(_follow, actions, players, first, opening_bet)


def play_of(follow: Follow, actions: str, players: int, first: int, opening_bet: int) -> Play | None:
    """The play of `actions` as `follow` finds it; None if it gives up."""
    text = (actions + PADDING).encode("ascii")
    out = bytearray(len(text) + HISTORY)  # one for each hand, since readers may run in threads
    end = follow(text, players, first, opening_bet, out)
    if not end:
        return None
    each = iter(out[: 2 * players])
    hole: tuple[tuple[int, ...], ...] = tuple(zip(each, each))  # noqa: B905 (naming `strict` takes half as long again)
    if HIDDEN in out[: 2 * players]:
        hole = tuple([() if HIDDEN in cards else cards for cards in hole])
    deal = _new(Deal, (hole, tuple(out[BOARD : BOARD + out[BOARD_CARDS]])))
    mucked = tuple(out[MUCKED : MUCKED + out[MUCKS]])
    return _new(Play, (out[HISTORY:end].decode("ascii"), deal, mucked))

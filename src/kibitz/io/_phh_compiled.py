"""Regular PHH hands followed by machine code, once so many have been read that it is worth loading the compiler."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from kibitz.games import Deal

Follow = Callable[[bytes, int, int, int, bytearray], int]  # `_kernels.follow`

# As in `_kernels`, which is not imported before it is needed.
PADDING = "', '" + 16 * " "  # the last action ends like the others, and no look ahead leaves the text
HIDDEN = 255  # stands for both cards of a player who has not shown them
# Two cards a player come first, then the board, how many cards that has, how many players mucked, these, ACPC's text.
BOARD, BOARD_CARDS, MUCKS, MUCKED, HISTORY = 20, 25, 26, 27, 40
# Loading takes 0.7 seconds (a second more when there is nothing in numba's cache), what machine code saves on 75,000
# long hands or 250,000 short ones. Whoever has read so many may well read as many again; the others never wait for it.
HANDS_BEFORE = 100_000

# What the actions of a hand tell: ACPC's text, the cards, the players who mucked. A named tuple would take time.
Play = tuple[str, Deal, tuple[int, ...]]

_hands = count()
_follow: Follow | None = None


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


def compiled() -> Follow:
    """The kernel."""
    from kibitz.io._kernels import follow

    kernel: Follow = follow
    return kernel


def play_of(follow: Follow, actions: str, players: int, first: int, opening_bet: int) -> Play | None:
    """The play of `actions` as `follow` finds it; None if it gives up."""
    text = (actions + PADDING).encode("ascii")
    out = bytearray(HISTORY + len(text))  # one for each hand, since readers may run in threads
    end = follow(text, players, first, opening_bet, out)
    if not end:
        return None
    each = iter(out[: 2 * players])
    hole: tuple[tuple[int, ...], ...] = tuple(zip(each, each))  # noqa: B905 (naming `strict` takes half as long again)
    if HIDDEN in out[: 2 * players]:
        hole = tuple([() if HIDDEN in cards else cards for cards in hole])
    deal = tuple.__new__(Deal, (hole, tuple(out[BOARD : BOARD + out[BOARD_CARDS]])))  # as in `_phh_deal`
    return out[HISTORY:end].decode("ascii"), deal, tuple(out[MUCKED : MUCKED + out[MUCKS]])

"""Regular PHH hands followed by machine code, once so many have been read that it is worth loading the compiler."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from itertools import count
from struct import Struct
from typing import TYPE_CHECKING

from kibitz.games import Deal, Game

if TYPE_CHECKING:
    import numpy as np

# As in `_kernels`, which is not imported before it is needed.
PADDING = "', '" + 16 * " "  # the last action ends like the others, and no look ahead leaves the text
HIDDEN = 255  # stands for both cards of a player who has not shown them
# Two cards a player come first, then the board, how many cards that has, how many players mucked, these, the stacks
# and the net results in eight bytes each, ACPC's text.
BOARD, BOARD_CARDS, MUCKS, MUCKED, STACKS, NET, HISTORY = 20, 25, 26, 27, 40, 120, 200
# Where other kernels have run, loading takes 15 milliseconds, what machine code saves on 1,200 hands of cash tables or
# 6,000 short ones in whole chips; else numba comes with it, and 0.6 seconds go by, what it saves on 50,000 or 250,000.
# Whoever has read so many may well read as many again, and most hands are of cash tables. The first time ever, the
# kernel is compiled: 4 seconds.
HANDS_BEFORE, HANDS_BEFORE_NUMBA = 5_000, 50_000
_OF_KERNELS = "numba.np.arraymath"  # a module that numba imports with the first kernel

Follow = Callable[[bytes, int, int, "np.ndarray[tuple[int, int], np.dtype[np.int64]]", bytearray], int]
# ACPC's text, cards, who mucked, and what the kernel has written. A named tuple would take time.
Play = tuple[str, Deal, tuple[int, ...], bytearray]

_hands = count()
_enough = HANDS_BEFORE
_follow: Follow | None = None


def machine_code() -> Follow | None:
    """The kernel, if so many hands have been read that it is worth loading; call this once a hand."""
    global _enough, _follow
    if _follow is None and next(_hands) >= _enough:
        if _enough < HANDS_BEFORE_NUMBA and _OF_KERNELS not in sys.modules:
            _enough += HANDS_BEFORE
            return None
        from kibitz.io._kernels import follow

        _follow = follow
    return _follow


class Compiled:
    """Machine code for the hands of a no-limit game, whatever the stacks, in chips of 1 / scale."""

    def __init__(self, game: Game, scale: int) -> None:
        self.game = game
        self.scale = scale
        self._integers = Struct(f"<{game.players}q").unpack_from

    def play(self, follow: Follow, stacks: str, winnings: str, actions: str) -> Play | None:
        """The play of `actions`, the strings with `', '` between them, as `follow` finds it; None if it gives up."""
        text = (stacks + winnings + actions + PADDING).encode("ascii")
        out = bytearray(HISTORY + len(text))  # one for each hand, since readers may run in threads
        end = follow(text, self.game.first_players[0], self.scale, self._posted, out)
        if not end:
            return None
        cards = out[: 2 * self.game.players]
        each = iter(cards)
        hole: tuple[tuple[int, ...], ...] = tuple(zip(each, each))  # noqa: B905 (naming `strict` takes time)
        if HIDDEN in cards:
            hole = tuple([() if HIDDEN in pair else pair for pair in hole])
        deal = tuple.__new__(Deal, (hole, tuple(out[BOARD : BOARD + out[BOARD_CARDS]])))  # as in `_phh_deal`
        return out[HISTORY:end].decode("ascii"), deal, tuple(out[MUCKED : MUCKED + out[MUCKS]]), out

    def stacks_of(self, out: bytearray) -> tuple[int, ...]:
        """The stacks that the kernel has read."""
        return self._integers(out, STACKS)

    def returns_of(self, out: bytearray) -> tuple[int, ...]:
        """The winnings of every player, if they were given, less what was paid, antes included."""
        return self._integers(out, NET)

    @cached_property
    def _posted(self) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        import numpy as np

        return np.array([self.game.blinds, self.game.antes], np.int64)

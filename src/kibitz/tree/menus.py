"""Bet-size menus: which raises a player of a betting tree may make, as a small language.

>>> print(Menu.parse("0.5 once, 1, all-in"))
0.5 once, 1, all-in
>>> print(parse_menu("fcpa"))
1, all-in

A menu lists sizes, separated by commas; folding and calling are always there. Rounds are separated by "|", and the
last one given serves for all that follow. A size is

    0.75, 75%   that many pots: call, then add 0.75 times the pot after the call
    min         the smallest legal raise
    all-in      everything
    full        every legal amount
    r           the raise of a limit game, and only there

and may be narrowed by words after it: `once` (each player may use it once a round), `once-for-all` (one player once a
round), `@1` or `@2-3` or `@2-` (only as the first, second or third, second or later raise of the round).

A fraction of the pot is on the menu where it is a legal raise and less than all-in (Hawkin 2014, section 2.5; the
rounding is to whole chips, halves upwards). Sizes that come to the same amount are one action, and taking it uses up
all of them that may be used once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from math import isinf

from kibitz.errors import KibitzError
from kibitz.games import Game, State

_PIECE = re.compile(
    r"(?P<size>(?:\d+(?:\.\d*)?|\.\d+)%?|min|all-in|full|r)(?P<scope> once-for-all| once)?"
    r"( ?@(?P<low>\d{1,9})(?P<dash>-(?P<high>\d{0,9}))?)?",
    re.ASCII,
)
_NO_END = 1 << 30


LIMIT_MENUS = ("full", "r")  # as they are written out: what a limit game has anyway


class MenuError(KibitzError):
    """A menu that cannot be read; the message quotes the piece."""


@dataclass(frozen=True)
class Size:
    """One entry of a menu.

    kind    "pot" (with `pots`), "min", "all-in", "full" or "r"
    scope   "", "once" (per player and round) or "once-for-all" (per round)
    first, last   numbers of the raise within the round for which it is offered, from 1
    """

    kind: str
    pots: float = 0.0
    scope: str = ""
    first: int = 1
    last: int = _NO_END

    def __str__(self) -> str:
        text = f"{Decimal(repr(self.pots)).normalize():f}" if self.kind == "pot" else self.kind
        if self.scope:
            text += f" {self.scope}"
        if self.first == self.last:
            text += f" @{self.first}"
        elif (self.first, self.last) != (1, _NO_END):
            text += f" @{self.first}-{'' if self.last == _NO_END else self.last}"
        return text

    @cached_property
    def _ratio(self) -> tuple[int, int]:
        """The written fraction: 0.145 is 29/200, which no binary number is."""
        return Decimal(repr(self.pots)).as_integer_ratio()

    def of(self, pot: int) -> int:
        """The size in chips, to the nearest, halves upwards."""
        above, below = self._ratio
        return (2 * above * pot + below) // (2 * below)


@dataclass(frozen=True)
class Menu:
    """The sizes of every round; see the module's text for the language."""

    rounds: tuple[tuple[Size, ...], ...]

    @classmethod
    def parse(cls, text: str) -> Menu:
        """The menu written `text`."""
        return cls(tuple(tuple(_parse_sizes(part, text)) for part in text.split("|")))

    def __str__(self) -> str:
        return " | ".join(", ".join(map(str, sizes)) for sizes in self.rounds)

    def sizes(self, round_: int) -> tuple[Size, ...]:
        """The sizes of a round."""
        return self.rounds[min(round_, len(self.rounds) - 1)]


def _parse_sizes(part: str, text: str) -> Iterator[Size]:
    for piece in filter(None, (" ".join(piece.split()) for piece in part.split(","))):
        match = _PIECE.fullmatch(piece)
        if match is None:
            raise MenuError(
                f"{piece!r} in the menu {text!r}: sizes are like 0.5, 33%, min, all-in, full, r, 1 once, 2 @1-2"
            )
        kind = match["size"]
        low = int(match["low"] or 1)
        high = low if match["low"] and not match["dash"] else int(match["high"] or _NO_END)
        if low < 1 or high < low:
            raise MenuError(f"{piece!r} in the menu {text!r}: raises are numbered from 1, as in @1, @2-3 or @2-")
        percent = 100 if kind.endswith("%") else 1
        pots = float(Decimal(kind.rstrip("%")) / percent) if kind[0] in ".0123456789" else 0.0
        if kind[0] in ".0123456789" and (pots <= 0 or isinf(pots)):
            raise MenuError(f"{piece!r} in the menu {text!r}: a bet adds more than nothing and has an end")
        yield Size("pot" if pots else kind, pots, (match["scope"] or "").strip(), low, high)


MENUS: dict[str, str] = {
    "fcpa": "1, all-in",
    "fchpa": "0.5, 1, all-in",
    # Hawkin 2014, table 5.3: half the pot once, before the flop, on the flop, turn, river, or on all three.
    "h-pf": "0.5 once, 1, all-in | 1, all-in",
    "h-f": "1, all-in | 0.5 once, 1, all-in | 1, all-in",
    "h-t": "1, all-in | 1, all-in | 0.5 once, 1, all-in | 1, all-in",
    "h-r": "1, all-in | 1, all-in | 1, all-in | 0.5 once, 1, all-in",
    "h-ftr": "1, all-in | 0.5 once, 1, all-in",
    # University of Alberta's entry of 2011 (Hawkin 2014, section 5.8), and what grew out of it (table 7.10).
    "acpc-2011": "1, 3, 11, all-in | 0.5 once, 0.75 once, 1, 3, 11, all-in",
    "big2011": ("0.5 once, 1, 1.5, 3, 6, 11, 20, 40, all-in | 0.5 once, 0.75 once, 1, 1.5, 3, 6, 11, 20, 40, all-in"),
    "minbet-c": ("min once-for-all, 1, 3, 11, all-in | min once-for-all, 0.5 once, 0.75 once, 1, 3, 11, all-in"),
    "minbet-b": ("min once-for-all, 1, 2, 3, 11, all-in | min once-for-all, 0.5 once, 0.75 once, 1, 2, 3, 11, all-in"),
    # Rubin and Watson 2011, table 2: quarter, half, three quarters, pot, double, five, ten pots, all-in.
    "fcqhipdvta": "0.25, 0.5, 0.75, 1, 2, 5, 10, all-in",
    "full": "full",
    "limit": "r",
    "passive": "",
}


@lru_cache(maxsize=256)
def parse_menu(text: str) -> Menu:
    """The menu of that name, or written in the menu language."""
    return Menu.parse(MENUS.get(text.lower().replace("_", "-"), text))


Limited = tuple[Size, ...]  # the sizes with a scope that one action is
Used = tuple[tuple[Limited, int], ...]  # those used in this round, and by whom


def choose_menus(game: Game, menus: tuple[str, ...]) -> str | tuple[str, ...]:
    """The menus of a problem as they are told apart: one for all players, or one for each; none means all bets."""
    for menu in menus if game.betting == "limit" else ():
        if str(parse_menu(menu)) not in LIMIT_MENUS:
            raise KibitzError(
                f"menu {menu}: {game.name or 'this'} is a limit game, its bets are fixed", settings=("menu",)
            )
    return menus if len(menus) > 1 else (menus or ("full",))[0]


def pot_after_call(state: State) -> int:
    """The pot once the player to act has called."""
    return state.pot + state.to_call


def offered(menu: Menu, state: State, used: Used) -> list[tuple[str, Limited | None]]:
    """The raises `menu` offers in `state`: action text and, where its use is limited, the sizes it uses up.

    Equal amounts are offered once; amounts ascend.
    """
    legal = state.legal()
    if not legal.max_raise_to:
        return []
    number = state.raises + 1
    raises: dict[int, Limited] = {}
    for size in menu.sizes(state.round):
        if not size.first <= number <= size.last or is_spent(size, state.player, used):
            continue
        for amount in _amounts(size, state, legal.min_raise_to, legal.max_raise_to):
            raises[amount] = raises.get(amount, ()) + ((size,) if size.scope else ())
    if legal.limit:
        return [("r", limited or None) for limited in raises.values()]
    return [(f"r{amount}", raises[amount] or None) for amount in sorted(raises)]


def is_spent(size: Size, player: int, used: Used) -> bool:
    """Whether a size that may be used once has been; menus of different players share what is once for all."""
    if not size.scope:
        return False
    if size.scope == "once":
        return any(size in limited for limited, user in used if user == player)
    return any(
        (other.kind, other.pots, other.scope) == (size.kind, size.pots, size.scope)
        for limited, _user in used
        for other in limited
    )


def _amounts(size: Size, state: State, low: int, high: int) -> Iterator[int]:
    if size.kind == "full":
        yield from range(low, high + 1)
    elif size.kind in ("min", "r"):
        yield low
    elif size.kind == "all-in":
        yield high
    else:
        amount = state.bet + size.of(pot_after_call(state))
        if low <= amount < high:
            yield amount

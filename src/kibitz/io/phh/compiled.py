"""PHH hands of no-limit tables read by machine code, in the form in which programs write them.

Collections of hands run to millions, and most of them are regular in this way: a field a line in the order of the
standard, whole chips or cents, hole cards dealt in order. What the lines of a table have in common is worked out once
for all hands that have them, and `_kernels` follows the actions byte by byte.
Anything unusual is given up, for the general reader to read or to refuse: what is read here is the same record there.
This module loads the compiler; `reading` imports it once enough hands have been read.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from operator import sub
from struct import Struct
from typing import overload

import numpy as np

from kibitz.errors import FormatError, GameError
from kibitz.games import Deal, Game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io.phh._kernels import BOARD, COUNTS, HIDDEN, HISTORY, MUCKED, NET, PADDED, STACKS, follow
from kibitz.io.phh.games import BETS, OTHER_FIELDS, OWN_FIELD, setup_of
from kibitz.io.phh.toml import IrregularError, parse_head, parse_lines, plain, strings_of
from kibitz.io.phh.writing import OPTIONAL_FIELDS, default_names
from kibitz.io.record import HandRecord

_PADDING = "', '" + PADDED * " "  # the last action ends like the others, and no look ahead leaves the text
_CENTS = 100  # chips to one unit where amounts have decimal points
_LARGEST = 10**12  # of the amounts of a hand together; a double holds their cents
_GAMES_KEPT = 8
_HEAD_FIELDS = frozenset((*OTHER_FIELDS, *BETS["NT"])) - {"starting_stacks"}
_FINER = re.compile(r"\.[0-9]{3}")

START = "\nstarting_stacks = "
# The lines from the stacks on. Groups: stacks, actions, lines, time, lines, hand, seats, lines, players, the name and
# the numbers of the results, lines. Lines are told from what comes after them by their first letters.
TAIL = re.compile(
    r"(\[[0-9., ]+\]|\[inf(?:, inf)*+\])\nactions = \['(.*)'\]\n"
    r"((?:[^th\n].*+\n)*+)(?:time = ([0-9]{2}:[0-9]{2}:[0-9]{2})\n)?+"
    r"((?:[^h\n].*+\n)*+)hand = (0|[1-9][0-9]{0,14})\n(?:seats = (\[[0-9, ]+\])(?:\n|\Z))?+"
    r"((?:[^pfw\n].*+\n)*+)(?:players = (\['.*'\])(?:\n|\Z))?+"
    r"(?:(finishing_stacks|winnings) = (\[[0-9., ]+\])(?:\n|\Z))?+((?s:.*))"
)
_CUT_OUT = {"time", "hand", "seats", "players", "finishing_stacks", "winnings"}
_EXTRA = frozenset(OPTIONAL_FIELDS) - _CUT_OUT
_IRREGULAR = (IrregularError, FormatError, GameError, LookupError, ValueError)

# ACPC's text, cards, who mucked, and what the kernel has written. A named tuple would take time.
Play = tuple[str, Deal, tuple[int, ...], bytearray]
_new = tuple.__new__  # makes named tuples in half the time that their own constructors take
_time = datetime.time.fromisoformat
_decode = json.JSONDecoder().raw_decode


class ActionStrings(Sequence[str]):
    """Action strings kept as one text, a quarter of the memory, and taken apart when somebody looks at them."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text  # with `', '` between the strings

    def _strings(self) -> tuple[str, ...]:
        return tuple(self._text.split("', '"))

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return self._strings()[at]

    def __len__(self) -> int:
        return self._text.count("', '") + 1

    def __iter__(self) -> Iterator[str]:
        return iter(self._strings())

    def __eq__(self, other: object) -> bool:
        return self._strings() == (other._strings() if isinstance(other, ActionStrings) else other)

    def __hash__(self) -> int:
        return hash(self._strings())

    def __repr__(self) -> str:
        return repr(self._strings())


def read_regular(text: str, source: str) -> HandRecord | None:
    """The hand of `text`; None if it is not regular."""
    start = text.find(START)
    match = TAIL.fullmatch(text, start + len(START)) if start >= 0 else None
    if match is None:
        return None
    stacks, actions, before, time, date, hand, seats, between, names, results, amounts, after = match.groups()
    table = table_of_head(text[:start], "." in stacks or "." in actions)
    if table is None:
        return None
    winnings = amounts if results == "winnings" else ""
    extra: dict[str, object] = {"actions": ActionStrings(actions)}
    try:
        play = table.play(stacks, winnings, actions)
        if play is None:
            return None
        history, deal, mucked, out = play
        game = table.game_of(stacks, out)
        lines = _fields_of(before + date + between + after)
        if lines:
            extra.update(lines)
        if time:
            extra["time"] = _time(time)
        if seats:
            extra["seats"] = _seats_of(seats)
        players = _names_of(names) if names else table.players
        if len(players) != len(table.players):
            return None
        returns: tuple[float, ...] | None = None
        if winnings:
            extra["winnings"] = tuple(_numbers_of(winnings))
            returns = table.returns_of(out)
        elif results:
            returns = _returns_from_stacks(amounts, game, table.scale)
    except _IRREGULAR:
        return None
    if table.late:
        extra["blinds_or_straddles"] = table.late
    if mucked:
        extra["mucked"] = mucked
    return _new(HandRecord, (game, hand, history, deal, players, returns, table.chip, source, extra))


class Table:
    """A no-limit table, as the lines before the stacks tell it: at a cash table only the stacks change."""

    def __init__(self, game: Game, scale: int, late: object) -> None:
        self.game = game  # with some stacks or other
        self.scale = scale  # chips to one unit of the file, 1 or 100
        self.chip = 1 / scale
        self.late = late  # the blinds as written where somebody posts late, a negative number
        self.players = default_names(game.players)
        self._first = game.first_players[0]
        self._posted = np.array([game.blinds, game.antes], np.int64)
        self._integers = Struct(f"<{game.players}q").unpack_from
        self._games: dict[str, Game] = {}  # of stacks as written

    def play(self, stacks: str, winnings: str, actions: str) -> Play | None:
        """The play of `actions`, the strings with `', '` between them; None if the kernel gives up."""
        text = (stacks + winnings + actions + _PADDING).encode("ascii")
        out = bytearray(HISTORY + len(text))  # one for each hand, since readers may run in threads
        end = follow(text, self._first, self.scale, self._posted, out)
        if not end:
            return None
        cards = out[: 2 * self.game.players]
        each = iter(cards)
        hole: tuple[tuple[int, ...], ...] = tuple(zip(each, each))  # noqa: B905 (naming `strict` takes time)
        if HIDDEN in cards:
            hole = tuple([() if HIDDEN in pair else pair for pair in hole])
        deal = _new(Deal, (hole, tuple(out[BOARD : BOARD + out[COUNTS]])))
        return out[HISTORY:end].decode("ascii"), deal, tuple(out[MUCKED : MUCKED + out[COUNTS + 1]]), out

    def stacks_of(self, out: bytearray) -> tuple[int, ...]:
        """The stacks that the kernel has read."""
        return self._integers(out, STACKS)

    def returns_of(self, out: bytearray) -> tuple[int, ...]:
        """The winnings of every player, if they were given, less what was paid, antes included."""
        return self._integers(out, NET)

    def game_of(self, stacks: str, out: bytearray) -> Game:
        """The game with the stacks that the kernel has read, `stacks` as written."""
        game = self._games.get(stacks)
        if game is None:
            if len(self._games) >= _GAMES_KEPT:
                self._games.clear()
            game = self._games[stacks] = self.game.with_stacks(self.stacks_of(out))
        return game


@lru_cache(maxsize=256)
def table_of_head(head: str, points: bool) -> Table | None:
    """The table of the lines before the stacks, with decimal points elsewhere or not; None if it is no usual one."""
    try:
        fields = parse_head(head)
        blinds = fields["blinds_or_straddles"]
        some = (Decimal("1.00") if points else 1,) * (len(blinds) if isinstance(blinds, Sequence) else 0)
        setup = setup_of({**fields, "starting_stacks": some})
    except (IrregularError, FormatError, LookupError):
        return None
    if setup.variant != "NT" or setup.scale not in (1, _CENTS) or set(fields) - _HEAD_FIELDS:
        return None
    return Table(setup.game, setup.scale, plain(setup.blinds) if min(setup.blinds) < 0 else ())


def _returns_from_stacks(finishing: str, game: Game, scale: int) -> tuple[int, ...]:
    """Net chips by the stacks at the end, `[200.30, 81.60, 197]`."""
    numbers = _numbers_of(finishing)
    broken = _FINER.search(finishing) if scale == _CENTS else "." in finishing  # as where a pot was halved
    if broken or len(numbers) != game.players or sum(numbers) > _LARGEST or UNLIMITED_STACK in game.stacks:
        raise IrregularError
    chips = numbers if scale == 1 else [int(_CENTS * number + 0.5) for number in numbers]
    return tuple(map(sub, chips, game.stacks))


def _numbers_of(array: str) -> list[float]:
    """The numbers of `[200.30, 81.60, 197]`; JSON refuses what TOML does, such as leading zeros."""
    numbers: list[float] = _decode(array)[0]
    return numbers


@lru_cache(maxsize=4096)
def _fields_of(lines: str) -> dict[str, object]:
    """The fields of the lines around what changes from hand to hand; not to be changed by the caller."""
    fields = {key: plain(value) for key, value in parse_lines(lines).items()}
    if not all(key in _EXTRA or (key[0] == "_" and key != OWN_FIELD) for key in fields):
        raise IrregularError
    return fields


@lru_cache(maxsize=4096)
def _names_of(array: str) -> tuple[str, ...]:
    return strings_of(array)


@lru_cache(maxsize=4096)
def _seats_of(array: str) -> tuple[float, ...]:
    return tuple(_numbers_of(array))

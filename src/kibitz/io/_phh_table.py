"""The table of a PHH hand: what the lines before its actions say, worked out once for all hands that say the same.

At a cash table only the stacks change from hand to hand; they stand in the last of these lines and are read apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from kibitz.errors import FormatError
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io._phh_compiled import Compiled
from kibitz.io._phh_deal import HIDDEN
from kibitz.io._phh_setup import BETS, OTHER_FIELDS, Setup, setup_of
from kibitz.io._phh_toml import IrregularError, parse_head, plain
from kibitz.io._phh_turns import SEATS, Moment, moment_of
from kibitz.io._phh_writing import default_names

CENTS = 100  # chips to one unit where amounts have decimal points
_FIELDS = {variant: frozenset((*OTHER_FIELDS, *bets)) - {"starting_stacks"} for variant, bets in BETS.items()}
_SIZES_KEPT, _GAMES_KEPT = 1 << 14, 8
_LARGEST = 10**12  # of the amounts of a hand together; a double holds their cents
_FINER = re.compile(r"\.[0-9]{3}")
_SIZES = {1: re.compile(r"r ([1-9][0-9]{0,14})"), CENTS: re.compile(r"r ((?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,2})?)")}
_decode = json.JSONDecoder().raw_decode


def numbers_of(array: str) -> list[float]:
    """The numbers of `[200.30, 81.60, 197]`; JSON refuses what TOML does, such as leading zeros."""
    numbers: list[float] = _decode(array)[0]
    return numbers


def chips_of(numbers: Sequence[float], array: str, scale: int) -> Sequence[int]:
    """`numbers`, as they stand in `array`, in chips of 1 / scale."""
    if sum(numbers) > _LARGEST:
        raise IrregularError
    if scale == 1:
        return numbers  # type: ignore[return-value]
    if _FINER.search(array):
        raise IrregularError
    return [int(CENTS * number + 0.5) if number else 0 for number in numbers]  # in half the time of round()


class Sizes:
    """The chips of 1 / scale that a bet comes to, as `r 300` tells it."""

    __slots__ = ("known", "scale")

    def __init__(self, scale: int) -> None:
        self.scale = scale
        self.known: dict[str, int] = {}

    def chips(self, text: str) -> int:
        """The chips of `text`, which are `known` from now on."""
        match = _SIZES[self.scale].fullmatch(text)
        if match is None:
            raise IrregularError
        if len(self.known) >= _SIZES_KEPT:
            self.known.clear()
        chips = self.known[text] = int(match[1]) if self.scale == 1 else int(Decimal(match[1]) * self.scale)
        return chips


@dataclass(frozen=True, slots=True)
class Table:
    """What has to be known of a game to read its hands."""

    setup: Setup  # with some stacks or other
    game: Game  # of `setup`
    scale: int  # chips to one unit of the file
    chip: float  # 1 / scale
    sizes: Sizes
    raise_sizes: tuple[int, ...]  # per round; none in no-limit
    largest_ante: int
    opening_bet: int
    opening: Moment
    players: tuple[str, ...]  # p1, p2, ...
    deals: re.Pattern[str]  # of the hole cards
    hidden: str  # how they are dealt where none is shown
    hidden_hands: tuple[str, ...]
    compiled: Compiled  # for no-limit
    late: tuple[float, ...]  # the blinds as written where somebody posts late, a negative number
    games: dict[str, Game] = field(default_factory=dict)  # of stacks as written

    def add_game(self, stacks: str, chips: tuple[int, ...]) -> Game:
        """The game with these `chips`, which is found under `stacks` from now on."""
        if len(self.games) >= _GAMES_KEPT:
            self.games.clear()
        game = self.games[stacks] = self.game.with_stacks(chips)
        return game

    def stacks_of(self, stacks: str) -> tuple[int, ...]:
        """The chips of `[200.30, 81.60, 197]` or `[inf, inf, inf]`."""
        if "inf" in stacks:
            return (UNLIMITED_STACK,) * len(stacks.split(","))
        return tuple(chips_of(numbers_of(stacks), stacks, self.scale))


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
    game = setup.game
    if setup.scale not in _SIZES or set(fields) - _FIELDS[setup.variant]:
        return None
    players, seats, first = default_names(game.players), SEATS[: game.players], game.first_players[0]
    late = plain(setup.blinds) if min(setup.blinds) < 0 else ()
    return Table(
        setup,
        game,
        setup.scale,
        1 / setup.scale,
        Sizes(setup.scale),
        game.raise_sizes if game.betting == "limit" else (),
        max(game.antes),
        max(game.blinds),
        moment_of(seats[first:] + seats[:first], seats),
        players,
        re.compile("', '".join([f"d dh {player} (....)" for player in players])),
        "', '".join([f"d dh {player} {HIDDEN}" for player in players]),
        (HIDDEN,) * len(players),
        Compiled(game, setup.scale),
        late,  # type: ignore[arg-type]
    )

"""PHH hands in the form in which programs write them, read by a few operations on the whole text.

Collections of hands run to millions, most of them regular: no-limit hold'em in whole chips, a field a line, the hole
cards dealt in order. To take them apart action by action costs a Python loop over each. Here the text is cut at its
bets and boards instead, and what stands between two of them is looked up (`_phh_turns`). The cards are read together
(`_phh_deal`). After many hands machine code takes over (`_phh_compiled`).
Anything unusual is given up, for the general reader to read or to refuse: what is read here is the same record there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import sub

from kibitz.errors import FormatError
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io._phh_compiled import Play, follow_compiled
from kibitz.io._phh_deal import deal_of_text
from kibitz.io._phh_game import OWN_FIELD, amounts_of, splits_of
from kibitz.io._phh_setup import BETS, OTHER_FIELDS, Setup, returns_from_stacks, setup_of
from kibitz.io._phh_toml import IrregularError, parse_head, parse_lines, plain
from kibitz.io._phh_turns import END, SEATS, Moment, moment_of
from kibitz.io._phh_writing import OPTIONAL_FIELDS, default_names
from kibitz.io.record import HandRecord

_ACTIONS = "\nactions = ['"
_EXTRA = frozenset(OPTIONAL_FIELDS) - {"hand", "finishing_stacks", "winnings"}
_HEAD = frozenset((*OTHER_FIELDS, *BETS["NT"]))
_LARGEST_STACK = 10**15
# Bets and boards, of whose letters only these have a b; without it, the action before tells which of the two it is.
_CUT = re.compile(r"b(?:(?<=cb)r ([1-9][0-9]{0,14})|(?<=db) (\w+))")
_SIZE = re.compile(r"[0-9]+")
# After the actions come two lines that change from hand to hand, with others around them (of other letters).
_REST = re.compile(
    r"(.*)'\]\n((?:[^h\n].*+\n)*+)hand = (0|[1-9][0-9]{0,14})\n"
    r"((?:[^f\n].*+\n)*+)finishing_stacks = (\[[0-9., ]+\])((?:\n(?s:.*))?)"
)
_BOARD = "', 'd db "
_SHOWS = {f"p{int(seat) + 1} sm ": int(seat) for seat in SEATS}
_decode = json.JSONDecoder().raw_decode
_new = tuple.__new__  # makes named tuples in half the time that their own constructors take


@dataclass(frozen=True, slots=True)
class Table:
    """What has to be known of a game to read its hands."""

    setup: Setup
    game: Game
    opening_bet: int
    first: int  # the player who opens the betting
    opening: Moment
    players: tuple[str, ...]  # p1, p2, ...
    deals: re.Pattern[str]  # of the hole cards


@lru_cache(maxsize=256)
def _table_of_head(head: str) -> Table | None:
    """The table of the lines before the actions; None if they say anything out of the ordinary."""
    try:
        fields = parse_head(head)
        setup = setup_of(fields)
    except (IrregularError, FormatError):
        return None
    game = setup.game
    if setup.variant != "NT" or min(setup.blinds) < 0 or UNLIMITED_STACK in game.stacks:
        return None
    if setup.scale != 1 or not set(fields) <= _HEAD:
        return None
    players, seats, first = default_names(game.players), SEATS[: game.players], game.first_players[0]
    opening = moment_of(seats[first:] + seats[:first], seats)
    deals = re.compile("', '".join([f"d dh {player} (....)" for player in players]))
    return Table(setup, game, max(game.blinds), first, opening, players, deals)


def read_regular(text: str, source: str) -> HandRecord | None:
    """The hand of `text`; None if it is not regular."""
    start = text.find(_ACTIONS)
    table = _table_of_head(text[:start]) if start >= 0 else None
    if table is None:
        return None
    match = _REST.fullmatch(text, start + len(_ACTIONS))
    if match is None:
        return None
    actions, before, hand, between, finishing, after = match.groups()
    extra: dict[str, object] = {"actions": tuple(actions.split("', '"))}
    try:
        players, others = _read_lines(before + between + after, len(table.players))
        if others:
            extra.update(others)
        play = follow_compiled(actions, len(table.players), table.first, table.opening_bet)
        history, deal, mucked = play or follow_plain(actions, table)
        if mucked:
            extra["mucked"] = mucked
        game, returns, parts = table.game, None, 1
        if "." in finishing:
            game, returns, parts = _read_broken(table.setup, finishing)
            history = _SIZE.sub(lambda size: str(int(size[0]) * parts), history)
        else:
            stacks = _decode(finishing)[0]  # JSON refuses what TOML does, such as leading zeros
            if len(stacks) != len(table.players) or sum(stacks) > _LARGEST_STACK:
                return None
            returns = tuple(map(sub, stacks, game.stacks))
    except (IrregularError, FormatError, LookupError, ValueError):
        return None
    return _new(HandRecord, (game, hand, history, deal, players, returns, 1 / parts, source, extra))


@lru_cache(maxsize=4096)
def _read_lines(text: str, players: int) -> tuple[tuple[str, ...], dict[str, object]]:
    """(names, other fields) of the lines that many hands of so many players share."""
    fields = {key: plain(value) for key, value in parse_lines(text).items()}
    names = fields.pop("players", default_names(players))
    if not isinstance(names, tuple) or len(names) != players or not set(map(type, names)) <= {str}:
        raise IrregularError
    if not all(key in _EXTRA or (key[0] == "_" and key != OWN_FIELD) for key in fields):
        raise IrregularError
    return names, fields


def follow_plain(actions: str, table: Table) -> Play:
    """The play of `actions`, the strings with `', '` between them."""
    match = table.deals.match(actions)
    if match is None:
        raise IrregularError
    holes, betting = match.groups(), actions[match.end() :]
    mucked: tuple[int, ...] = ()
    if "m" in betting:  # a letter of no other action and no card
        betting, mucked = _cut_showdown(betting, table.players, holes)
    history, board = _read_betting(table, betting)
    return history, deal_of_text(holes, board), mucked


def _cut_showdown(betting: str, players: Sequence[str], holes: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """(`betting` without the showdown, the players who mucked)."""
    start = betting.rindex("', '", 0, betting.index("m"))
    shown, board, rest = betting[start + 4 :].partition(_BOARD)  # after an all-in the last boards come later
    mucked = []
    for action in shown.split("', '"):
        seat = _SHOWS.get(action[:-4])
        if seat is None:
            player, mucks, cards = action.partition(" sm")
            if cards or not mucks:
                raise IrregularError
            mucked.append(players.index(player))
        elif holes[seat] != action[-4:]:
            raise IrregularError
    return betting[:start] + board + rest, tuple(mucked)


def _read_betting(table: Table, betting: str) -> tuple[str, str]:
    """(ACPC text, cards of the board) of `betting`."""
    pieces = _CUT.split(betting)  # passage, size or None, cards or None, passage, ..., passage
    last, each = pieces.pop(), iter(pieces)
    moment, codes = table.opening, []
    bet, level, board = table.opening_bet, 0, ""
    for passage, size, cards in zip(each, each, each):  # noqa: B905 (naming `strict` takes time, see `_phh_deal`)
        code, moment = moment[passage]
        codes.append(code)
        if size:
            bet = level + int(size)  # PHH counts the chips of the street, ACPC those of the hand
            codes.append(str(bet))
        elif len(cards) != (2 if board else 6):
            raise IrregularError
        else:
            board += cards
            level = bet
    code, moment = moment[last]
    if moment is not END or len(board) > 10:
        raise IrregularError
    return "".join(codes) + code, board


def _read_broken(setup: Setup, finishing: str) -> tuple[Game, tuple[float, ...] | None, int]:
    """(game, returns, parts of a chip) where a pot was split into halves, thirds, ... of chips."""
    stacks = amounts_of(parse_lines(f"finishing_stacks = {finishing}"), "finishing_stacks", len(setup.stacks))
    parts = splits_of(stacks, 1)
    game = _game_at(setup, parts)
    return game, returns_from_stacks(stacks, game, parts), parts


@lru_cache(maxsize=256)
def _game_at(setup: Setup, scale: int) -> Game:
    return setup.game_at(scale)

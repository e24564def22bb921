"""PHH hands in the form in which programs write them, read by a few operations on the whole text.

Collections of hands run to millions, most of them regular: no-limit hold'em in whole chips, a field a line, the hole
cards dealt in order. To take them apart action by action costs a Python loop over each. Here the text is cut at its
bets and boards instead; what is left of a street, `p3 f', 'p1 cbr', 'p2 cc`, comes again and again and is checked once.
Anything unusual is given up, for the general reader to read or to refuse: what is read here is the same record there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from operator import sub
from typing import Any

from kibitz.cards import CARD_TEXT
from kibitz.games import Deal, Game
from kibitz.io._phh_game import OWN_FIELD
from kibitz.io._phh_toml import IrregularError, parse_lines, plain
from kibitz.io._phh_writing import OPTIONAL_FIELDS, default_names
from kibitz.io.record import HandRecord

_CARD = {text: card for card, text in enumerate(CARD_TEXT)}
_PAIR = {first + second: (_CARD[first], _CARD[second]) for first, second in permutations(CARD_TEXT, 2)}
_HOLE: dict[str, tuple[int, ...]] = {**_PAIR, "????": ()}
_SEATS = "0123456789"  # one character a player; there are ten at most
_CODES = {"f": "f", "cc": "c", "cbr": "r%s"}
_STEPS = {f"p{int(seat) + 1} {verb}": (seat, code) for seat in _SEATS for verb, code in _CODES.items()}
_EXTRA = frozenset(OPTIONAL_FIELDS) - {"hand", "finishing_stacks", "winnings"}
_LARGEST_STACK = 10**15
_BET = re.compile(r" cbr ([1-9][0-9]{0,14})")
# After the actions come two lines that change from hand to hand, with others around them.
_TAIL = (
    r"'\]\n((?:(?!hand = ).+\n)*)hand = (0|[1-9][0-9]{0,14})\n"
    r"((?:(?!finishing_stacks = ).+\n)*)finishing_stacks = (\[[0-9, ]+\])((?:\n.*)*)"
)
_hole_of = _HOLE.__getitem__
_decode = json.JSONDecoder().raw_decode
_new = tuple.__new__  # makes named tuples in half the time that their own constructors take


@dataclass(frozen=True, slots=True)
class Table:
    """What has to be known of a game to read its hands."""

    game: Game
    opening_bet: int
    order: str  # the seats in the order in which they act before the flop
    players: tuple[str, ...]  # p1, p2, ...
    pattern: re.Pattern[str]  # of the actions and all that follows


def table_of(game: Game) -> Table:
    """The table of `game`, no-limit hold'em as PHH knows it: after the flop the players act in order."""
    players, first = default_names(game.players), game.first_players[0]
    deals = "".join([rf"d dh {player} (\S{{4}})', '" for player in players])
    order = _SEATS[first : game.players] + _SEATS[:first]
    return Table(game, max(game.blinds), order, players, re.compile(f"({deals}(.*)){_TAIL}"))


def read_regular(table: Table, text: str, start: int, source: str) -> HandRecord | None:
    """The hand of `text`, whose first action begins at `start`; None if it is not regular."""
    match = table.pattern.fullmatch(text, start)
    if match is None:
        return None
    strings, *holes, betting, before, hand, between, finishing, after = match.groups()
    extra: dict[str, object] = {"actions": tuple(strings.split("', '"))}
    try:
        players, others = _read_lines(before + between + after, table.players)
        if others:
            extra.update(others)
        if "m" in betting:  # a letter of no other action and no card
            betting = _read_showdown(table, betting, holes, extra)
        history, board = _read_betting(table, betting)
        hole = tuple(map(_hole_of, holes))
        stacks = _decode(finishing)[0]  # JSON refuses what TOML does, such as leading zeros
    except (IrregularError, LookupError, ValueError):
        return None
    cards = sum(hole, board)
    if len(set(cards)) != len(cards) or len(stacks) != len(hole) or max(stacks) > _LARGEST_STACK:
        return None
    deal, returns = _new(Deal, (hole, board)), tuple(map(sub, stacks, table.game.stacks))
    return _new(HandRecord, (table.game, hand, history, deal, players, returns, 1.0, source, extra))


@lru_cache(maxsize=4096)
def _read_lines(text: str, players: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, object]]:
    """(names, other fields) of the lines that many hands share; `players` are the names if none are told."""
    fields = {key: plain(value) for key, value in parse_lines(text).items()}
    names = fields.pop("players", players)
    if not isinstance(names, tuple) or len(names) != len(players) or not set(map(type, names)) <= {str}:
        raise IrregularError
    if not all(key in _EXTRA or (key[0] == "_" and key != OWN_FIELD) for key in fields):
        raise IrregularError
    return names, fields


def _read_showdown(table: Table, text: str, holes: Sequence[str], extra: dict[str, object]) -> str:
    """`text` without the actions of the showdown; `extra` gets the players who mucked."""
    start = text.rindex("', '", 0, text.index(" sm"))
    actions, *boards = text[start + 4 :].split("', 'd db ", 1)  # after an all-in hands are shown before the last boards
    mucked = []
    for action in actions.split("', '"):
        player, shown, cards = action.partition(" sm")
        seat = table.players.index(player)
        if not shown or cards not in ("", f" {holes[seat]}"):
            raise IrregularError
        if not cards:
            mucked.append(seat)
    if mucked:
        extra["mucked"] = tuple(mucked)
    return "', 'd db ".join([text[:start], *boards])


def _read_betting(table: Table, text: str) -> tuple[str, tuple[int, ...]]:
    """The ACPC text of `text`, the actions but for hole cards and showdown, and the board."""
    pieces = _BET.split(text)
    sizes: list[Any] = pieces[1::2]
    street, *later = " cbr".join(pieces[::2]).split("', 'd db ")
    template, done, order = _read_street(street, table.order)
    board: tuple[int, ...] = ()
    for dealt in later:
        cards, _, street = dealt.partition("', '")
        board += (_CARD[cards],) if board else (*_PAIR[cards[:4]], _CARD[cards[4:]])
        text, raises, order = _read_street(street, order)
        template = f"{template}/{text}"
        if raises:  # PHH counts the chips of the street, ACPC those of the hand
            level = int(sizes[done - 1]) if done else table.opening_bet
            end = done + raises
            while done < end:
                sizes[done] = level + int(sizes[done])
                done += 1
    if done != len(sizes) or len(board) > 5:
        raise IrregularError
    return template % tuple(sizes), board


@lru_cache(maxsize=1 << 14)
def _read_street(text: str, order: str) -> tuple[str, int, str]:
    """(ACPC text with %s for raises, their number, seats left) of a street without its bets; seats act in `order`."""
    waiting, live, template = order, order, ""
    for action in text.split("', '") if text else ():
        seat, code = _STEPS[action]
        # Where players are passed over because they are all-in, the chips would have to be followed.
        if waiting[:1] != seat or len(live) < 2:
            raise IrregularError
        earlier, later = live.split(seat)
        waiting = later + earlier if code == "r%s" else waiting[1:]
        live = earlier + later if code == "f" else live
        template += code
    return template, template.count("r"), "".join(sorted(live))

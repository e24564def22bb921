"""PHH hands in the form in which programs write them, read by a few operations on the whole text.

Collections of hands run to millions, nearly all of them regular: no-limit hold'em in whole chips, a field a line, the
hole cards dealt in order. To take each action apart costs a Python loop over all of them. Here the text is cut at its
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

from kibitz.cards import CARD_TEXT
from kibitz.games import Deal, Game
from string import digits
from kibitz.io._phh_game import OWN_FIELD
from kibitz.io._phh_toml import IrregularError, parse_lines, plain
from kibitz.io._phh_writing import OPTIONAL_FIELDS, default_names
from kibitz.io.record import HandRecord

_CARD = {text: card for card, text in enumerate(CARD_TEXT)}
_HOLE: dict[str, tuple[int, ...]] = {a + b: (_CARD[a], _CARD[b]) for a, b in permutations(CARD_TEXT, 2)} | {"????": ()}
_BET = re.compile(r" cbr ([1-9][0-9]{0,14})")
_STEPS = {
    f"p{int(seat) + 1} {verb}": (seat, code)
    for seat in digits
    for verb, code in (("f", "f"), ("cc", "c"), ("cbr", "r%s"))
}
_hole_of = _HOLE.__getitem__
new = tuple.__new__
_LARGEST_STACK = 10**15
# The actions from the betting on, the two lines that change from hand to hand, and the lines around them.
_REST = (
    r"(.*)'\]\n((?:(?!hand = ).+\n)*)hand = (0|[1-9][0-9]{0,14})\n"
    r"((?:(?!finishing_stacks = ).+\n)*)finishing_stacks = (\[[0-9, ]+\])((?:\n.*)*)"
)
_decode_json = json.JSONDecoder().raw_decode
_EXTRA = frozenset(OPTIONAL_FIELDS) - {"hand", "finishing_stacks", "winnings"}


@dataclass(frozen=True, slots=True)
class Table:
    """What has to be known of a game to read its hands."""

    game: Game
    opening_bet: int
    order: tuple[int, ...]  # of the players before the flop
    seats: dict[str, int]  # of p1, p2, ...
    players: tuple[str, ...]  # their names where the file has none
    pattern: re.Pattern[str]  # of a hand: a group for the hole cards of each player, and those of _REST


def table_of(game: Game) -> Table:
    """The table of `game`, no-limit hold'em as PHH knows it: after the flop the players act in order."""
    first, seats = game.first_players[0], range(game.players)
    names = default_names(game.players)
    deals = "".join([rf"d dh {name} (\S{{4}})', '" for name in names])
    return Table(game, max(game.blinds), digits[first:game.players] + digits[:first], dict(zip(names, seats, strict=True)), names, re.compile(deals + _REST))


def read_regular(table: Table, text: str, start: int, source: str) -> HandRecord | None:
    """The hand of `text`, whose first action begins at `start`; None if it is not regular."""
    match = table.pattern.fullmatch(text, start)
    if match is None:
        return None
    *holes, betting, before, hand, between, finishing, after = match.groups()
    extra: dict[str, object] = {"actions": tuple(text[start : match.end(len(holes) + 1)].split("', '"))}
    try:
        players, others = _read_lines(before + between + after, table.players)
        if others:
            extra.update(others)
        if "m" in betting:  # no other action and no card has this letter
            betting = _read_showdown(table, betting, holes, extra)
        history, board = _read_betting(table, betting)
        hole = tuple(map(_hole_of, holes))
        stacks = _decode_json(finishing)[0]  # JSON, as TOML, has no leading zeros
    except (IrregularError, LookupError, ValueError):
        return None
    cards = sum(hole, board)
    if len(set(cards)) != len(cards) or len(stacks) != len(hole) or max(stacks) > _LARGEST_STACK:
        return None
    returns = tuple(map(sub, stacks, table.game.stacks))
    return new(HandRecord, (table.game, hand, history, new(Deal, (hole, board)), players, returns, 1.0, source, extra))


@lru_cache(maxsize=4096)
def _read_lines(text: str, players: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, object]]:
    """(names, other fields) of lines that are alike in many hands; `players` are the names if they have none."""
    fields = {key: plain(value) for key, value in parse_lines(text).items()}
    names = fields.pop("players", players)
    if not isinstance(names, tuple) or len(names) != len(players) or not set(map(type, names)) <= {str}:
        raise IrregularError
    if not all(key in _EXTRA or (key[0] == "_" and key != OWN_FIELD) for key in fields):
        raise IrregularError
    return names, fields


def _read_showdown(table: Table, text: str, holes: Sequence[str], extra: dict[str, object]) -> str:
    """`text` without the actions of the showdown; `extra` gets the players who mucked."""
    start = text.rfind("', '", 0, text.index(" sm"))
    actions, *boards = text[start + 4 :].split("', 'd db ", 1)  # those all-in show before the last cards come
    mucked = []
    for action in actions.split("', '"):
        player, _, cards = action.partition(" sm")
        seat = table.seats[player]
        if cards and cards != f" {holes[seat]}":
            raise IrregularError
        if not cards:
            mucked.append(seat)
    if mucked:
        extra["mucked"] = tuple(mucked)
    return "', 'd db ".join([text[:start], *boards])


def _read_betting(table: Table, text: str) -> tuple[str, tuple[int, ...]]:
    """The ACPC text of `text`, which has all actions between hole cards and showdown, and the board."""
    pieces = _BET.split(text)
    sizes: list[str | int] = pieces[1::2]  # type: ignore[assignment]
    street, *later = " cbr".join(pieces[::2]).split("', 'd db ")
    template, done, order = _read_street(street, table.order)
    board: tuple[int, ...] = ()
    for dealt in later:
        cards, _, street = dealt.partition("', '")
        if board:
            board += (_CARD[cards],)
        else:
            board = (_CARD[cards[:2]], _CARD[cards[2:4]], _CARD[cards[4:]])
        text, raises, order = _read_street(street, order)
        template = f"{template}/{text}"
        if raises:  # PHH counts the chips of the street, ACPC those of the hand
            level = int(sizes[done - 1]) if done else table.opening_bet
            for at in range(done, done + raises):
                sizes[at] = level + int(sizes[at])
            done += raises
    if done != len(sizes) or len(board) > 5:
        raise IrregularError
    return template % tuple(sizes), board


@lru_cache(maxsize=1 << 14)
def _read_street(text: str, order: str) -> tuple[str, int, str]:
    """(ACPC text with %s for the raises, their number, the players left in order) of one street without its bets.

    order   the players in the hand, in the order in which they act
    """
    waiting, live, template = order, order, ""
    for action in text.split("', '") if text else ():
        seat, code = _STEPS[action]
        # Whether somebody is passed over because he is all-in takes the chips to tell.
        if waiting[:1] != seat or len(live) < 2:
            raise IrregularError
        if code == "r%s":
            after, before = live.split(seat)
            waiting = before + after
        else:
            waiting = waiting[1:]
        if code == "f":
            live = live.replace(seat, "")
        template += code
    return template, template.count("r"), "".join(sorted(live))

"""PHH hands in the form in which programs write them, read by a few operations on the whole text.

Collections of hands run to millions, nearly all of them regular: no-limit hold'em in whole chips, a field a line, the
hole cards dealt in order. To take each action apart costs a Python loop over all of them. Here the text is cut at its
bets and boards instead; what is left of a street, `p3 f', 'p1 cbr', 'p2 cc`, comes again and again and is checked once.
Anything unusual is given up, for the general reader to read or to refuse: what is read here is the same record there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from operator import sub
from typing import NamedTuple

from kibitz.cards import CARD_TEXT
from kibitz.games import Deal, Game
from kibitz.io._phh_game import OWN_FIELD
from kibitz.io._phh_toml import IrregularError, parse_line, plain
from kibitz.io._phh_writing import OPTIONAL_FIELDS, default_names
from kibitz.io.record import HandRecord

_CARD = {text: card for card, text in enumerate(CARD_TEXT)}
_HOLE = {first + second: (_CARD[first], _CARD[second]) for first, second in permutations(CARD_TEXT, 2)}
_HOLES: dict[str, tuple[int, ...]] = {**_HOLE, "????": ()}
_BOARD_LENGTHS = [6, 2, 2]  # characters of a flop, a turn, a river
_LARGEST = 10**15
_BET = re.compile(r" cbr ([0-9]{1,15})")
_STEP = re.compile(r"p([1-9][0-9]?) (f|cc|cbr)")
_ACPC = {"f": "f", "cc": "c", "cbr": "r%d"}
_SHOWDOWN = re.compile(r"', 'p[1-9][0-9]? sm")
_SHOW = re.compile(r"p([1-9][0-9]?) sm(?: (\S{4}))?")
_WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")
_EXTRA = frozenset(OPTIONAL_FIELDS) - {"hand", "winnings"}
_Returns = tuple[float, ...] | None


class Table(NamedTuple):
    """What has to be known of a game to read its hands."""

    game: Game
    order: tuple[int, ...]  # of the players before the flop
    players: tuple[str, ...]  # their names where the file has none
    deals: re.Pattern[str]  # the actions that deal the hole cards


def table_of(game: Game) -> Table:
    """The table of `game`, no-limit hold'em as PHH knows it: after the flop the players act in order."""
    first, seats = game.first_players[0], range(game.players)
    return Table(game, (*seats[first:], *seats[:first]), *_names_and_deals(game.players))


@lru_cache
def _names_and_deals(players: int) -> tuple[tuple[str, ...], re.Pattern[str]]:
    names = default_names(players)
    return names, re.compile("".join([rf"d dh {name} (\S{{4}})', '" for name in names]))


def read_regular(table: Table, text: str, name: str, source: str) -> HandRecord | None:
    """The hand of which `text` is all that follows `actions = ['`; None if it is not regular."""
    strings, _, tail = text.partition("']\n")
    deals = table.deals.match(strings)
    if deals is None or not strings.isascii():
        return None
    holes, betting = deals.groups(), strings[deals.end() :]
    extra: dict[str, object] = {"actions": tuple(strings.split("', '"))}
    try:
        hand, players, returns = _read_tail(table, tail, name, extra)
        if " sm" in betting:
            betting = _read_showdown(betting, holes, extra)
        history, board = _read_betting(table, betting)
        deal = Deal(
            tuple([_HOLES[hole] for hole in holes]), tuple([_CARD[board[i : i + 2]] for i in range(0, len(board), 2)])
        )
    except (IrregularError, KeyError):
        return None
    if len(set(deal.board).union(*deal.hole)) != len(deal.board) + sum(map(len, deal.hole)):
        return None
    return HandRecord(table.game, hand, history, deal, players, returns, 1.0, source, extra)


def _read_tail(table: Table, text: str, name: str, extra: dict[str, object]) -> tuple[str, tuple[str, ...], _Returns]:
    """(name of the hand, players, returns) of the lines after the actions; `extra` gets what else they say."""
    fields: dict[str, str] = {}
    for line in text.split("\n"):
        if line:
            key, _, value = line.partition(" = ")
            if key in fields:
                raise IrregularError
            fields[key] = value
    hand, players, returns = name, table.players, None
    for key, value in fields.items():
        if key == "finishing_stacks":
            returns = _read_returns(value, table.game.stacks)
        elif key == "players":
            players = _read_names(value, len(players))
        elif key == "hand" and _WHOLE.fullmatch(value):
            hand = value
        elif key in _EXTRA or (key[0] == "_" and key != OWN_FIELD):
            extra[key] = plain(parse_line(f"{key} = {value}")[1])
        else:
            raise IrregularError
    return hand, players, returns


@lru_cache(maxsize=4096)
def _read_names(text: str, count: int) -> tuple[str, ...]:
    _, names = parse_line(f"players = {text}")
    if not isinstance(names, tuple) or len(names) != count or not set(map(type, names)) <= {str}:
        raise IrregularError
    return names


def _read_returns(text: str, stacks: Sequence[int]) -> tuple[int, ...]:
    """Net chips of the finishing stacks `text`."""
    try:
        finishing = [*map(int, text[1:-1].split(", "))]
    except ValueError:
        raise IrregularError from None
    # int() reads more than TOML does: what is written back as it stood is an array of plain numbers
    if str(finishing) != text or len(finishing) != len(stacks) or max(finishing) > _LARGEST or min(finishing) < 0:
        raise IrregularError
    return tuple(map(sub, finishing, stacks))


def _read_showdown(text: str, holes: Sequence[str], extra: dict[str, object]) -> str:
    """`text` without the actions of the showdown; `extra` gets the players who mucked."""
    start = _SHOWDOWN.search(text)
    betting, actions = (text[: start.start()], text[start.start() + 4 :]) if start else ("", text)
    mucked = []
    for action in actions.split("', '"):
        show = _SHOW.fullmatch(action)
        if show is None or int(show[1]) > len(holes) or show[2] not in (None, holes[int(show[1]) - 1]):
            raise IrregularError
        if show[2] is None:
            mucked.append(int(show[1]) - 1)
    if mucked:
        extra["mucked"] = tuple(mucked)
    return betting


def _read_betting(table: Table, text: str) -> tuple[str, str]:
    """The ACPC text of `text`, which has all actions between hole cards and showdown, and the board."""
    pieces = _BET.split(text)
    sizes = [*map(int, pieces[1::2])]
    street, *later = " cbr".join(pieces[::2]).split("', 'd db ")
    template, raises, order = _read_street(street, table.order)
    bet, totals = max(table.game.blinds), sizes[:raises]
    boards = []
    for dealt in later:
        board, _, street = dealt.partition("', '")
        boards.append(board)
        text, raises, order = _read_street(street, order)
        template += "/" + text
        if raises:  # PHH counts the chips of the street, ACPC those of the hand
            bet = totals[-1] if totals else bet
            totals += [bet + size for size in sizes[len(totals) : len(totals) + raises]]
    if template.count("r") != len(sizes) or [*map(len, boards)] != _BOARD_LENGTHS[: len(boards)]:
        raise IrregularError
    return template % tuple(totals), "".join(boards)


@lru_cache(maxsize=1 << 14)
def _read_street(text: str, order: tuple[int, ...]) -> tuple[str, int, tuple[int, ...]]:
    """(ACPC text with %d for the raises, their number, the players left in order) of one street without its bets.

    order   the players in the hand, in the order in which they act
    """
    waiting, live, template = order, order, ""
    for action in text.split("', '") if text else ():
        step = _STEP.fullmatch(action)
        # To see who is passed over as all-in takes the chips.
        if step is None or len(live) < 2 or waiting[:1] != (int(step[1]) - 1,):
            raise IrregularError
        at = live.index(waiting[0])
        waiting = live[at + 1 :] + live[:at] if step[2] == "cbr" else waiting[1:]
        live = live[:at] + live[at + 1 :] if step[2] == "f" else live
        template += _ACPC[step[2]]
    return template, template.count("r"), tuple(sorted(live))

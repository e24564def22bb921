"""Poker hand histories in the PHH format: `.phh` (one hand) and `.phhs` (many, as tables `[1]`, `[2]`, ...).

>>> text = '''variant = 'NT'
... antes = [0, 0]
... blinds_or_straddles = [50, 100]
... min_bet = 100
... starting_stacks = [20000, 20000]
... actions = ['d dh p1 AhKs', 'd dh p2 QcQd', 'p2 cbr 300', 'p1 cc', 'd db 2c3d4h', 'p1 cbr 400', 'p2 f']
... '''
>>> record = next(read_phh(text))
>>> record.history, record.game.blinds
('r300c/r700f', (100, 50))
>>> list(read_phh(write_phh(record))) == [record]
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from kibitz.errors import FormatError
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io._phh_actions import Actions, deal_of, history_of, parse_actions, spent_of
from kibitz.io._phh_fast import Table, read_regular, table_of
from kibitz.io._phh_game import (
    OWN_FIELD,
    Amount,
    UnsupportedVariantError,
    all_whole,
    amount_of,
    amounts_of,
    check_variant,
    make_game,
    scale_of,
    splits_of,
    to_chips,
    with_own_settings,
)
from kibitz.io._phh_toml import IrregularError, format_toml, parse_head, parse_toml, plain
from kibitz.io._phh_writing import OPTIONAL_FIELDS, default_names, fields_of
from kibitz.io.record import HandRecord

__all__ = ["UnsupportedVariantError", "read_phh", "write_phh", "write_phhs"]

_TABLE = re.compile(r"^\[([0-9]+)\][ \t]*(?:#.*)?$", re.MULTILINE)
_ACTIONS = "\nactions = ['"
_BETS = {"NT": ("min_bet",), "FT": ("small_bet", "big_bet")}
_OTHER_FIELDS = ("variant", "ante_trimming_status", "antes", "blinds_or_straddles", "starting_stacks")
_REGULAR_HEAD = frozenset((*_OTHER_FIELDS, *_BETS["NT"]))
_CONSUMED = {
    variant: frozenset((*_OTHER_FIELDS, *bets, "hand", "players", "finishing_stacks", OWN_FIELD))
    for variant, bets in _BETS.items()
}
_KEPT = frozenset((*OPTIONAL_FIELDS, "actions"))


def read_phh(
    text: str, source: str = "", on_error: Callable[[FormatError], None] | None = None
) -> Iterator[HandRecord]:
    """The hands of `text`, a `.phh` or `.phhs` file; `source` is its name.

    `extra` holds all fields that have no place of their own, numbers as written, the action strings among them;
    `extra["mucked"]` the players who gave up at the showdown. A hand that cannot be read raises FormatError
    (UnsupportedVariantError if it is of another game than Texas hold'em), or is passed over and its error given to
    `on_error`.
    """
    hand = _regular_hand(text, f"{source}:1" if source else "")
    return _read_tables(text, source, on_error) if hand is None else iter((hand,))


def _read_tables(text: str, source: str, on_error: Callable[[FormatError], None] | None) -> Iterator[HandRecord]:
    """The hands of any text, table by table."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    for name, line, chunk in _tables(text):
        place = f"{source}:{line}" if source else ""
        try:
            hand = _regular_hand(chunk, place) if name else None
            if hand is not None:
                yield hand
            else:
                yield from _hands(chunk, name, place)
        except FormatError as error:
            told = type(error)(f"{source or 'line'}:{line}: {error}")
            if on_error is None:
                raise told from error
            on_error(told)


def _tables(text: str) -> Iterator[tuple[str, int, str]]:
    """(name, first line, text) of every hand."""
    start, line, name = 0, 1, ""
    for match in _TABLE.finditer(text) if "\n[" in text or text.startswith("[") else ():
        yield name, line, text[start : match.start()]
        line += text.count("\n", start, match.end())
        start, name = match.end(), match[1]
    yield name, line, text[start:]


def _regular_hand(chunk: str, place: str) -> HandRecord | None:
    """The hand of `chunk` if it is one for the fast reader."""
    start = chunk.find(_ACTIONS)
    table = _table_of_head(chunk[:start]) if start >= 0 else None
    return read_regular(table, chunk, start + len(_ACTIONS), place) if table else None


@lru_cache(maxsize=256)
def _table_of_head(head: str) -> Table | None:
    """The table of the lines before the actions; None if they say anything that the fast reader does not know."""
    try:
        fields = parse_head(head)
        setup = _setup(fields)
    except (IrregularError, FormatError):
        return None
    plain_game = setup.variant == "NT" and min(setup.blinds) >= 0 and UNLIMITED_STACK not in setup.game.stacks
    return table_of(setup.game) if plain_game and setup.scale == 1 and set(fields) <= _REGULAR_HEAD else None


def _hands(chunk: str, name: str, place: str) -> Iterator[HandRecord]:
    """The hands of `chunk`, however they are written: one as a rule."""
    fields, head = parse_toml(chunk)
    if "variant" in fields:
        setup = (_setup_of_head(head) if head else None) or _setup(fields)
        yield _record(fields, setup, name, place)
    elif fields and not all(isinstance(value, dict) for value in fields.values()):
        raise FormatError("no variant: is this a PHH file?")
    else:  # tables that do not stand on lines of their own
        for key, table in fields.items():
            yield _record(table, _setup(table), key, place)  # type: ignore[arg-type]


class _Setup(NamedTuple):
    """What the fields before the actions say, checked."""

    variant: str
    stacks: tuple[Amount, ...]
    antes: tuple[Amount, ...]
    blinds: tuple[Amount, ...]
    bets: tuple[Amount, ...]
    ante_trimming: bool
    scale: int
    game: Game  # in chips of 1 / scale

    def game_at(self, scale: int) -> Game:
        """The game in chips of 1 / scale."""
        antes, blinds, bets, stacks = (_chips(a, scale) for a in (self.antes, self.blinds, self.bets, self.stacks))
        return make_game(self.variant, antes, blinds, bets, stacks, self.ante_trimming)


def _setup(fields: Mapping[str, object]) -> _Setup:
    variant = check_variant(fields.get("variant"))
    stacks = amounts_of(fields, "starting_stacks")
    antes = amounts_of(fields, "antes", len(stacks))
    blinds = amounts_of(fields, "blinds_or_straddles", len(stacks))
    bets = tuple([amount_of(fields, bet) for bet in _BETS[variant]])
    trimming = fields.get("ante_trimming_status", False)
    if not isinstance(trimming, bool):
        raise FormatError(f"ante_trimming_status = {trimming!r}: true or false")
    scale = scale_of((*stacks, *antes, *blinds, *bets))
    antes_, blinds_, bets_, stacks_ = (_chips(amounts, scale) for amounts in (antes, blinds, bets, stacks))
    game = make_game(variant, antes_, blinds_, bets_, stacks_, trimming)
    return _Setup(variant, stacks, antes, blinds, bets, trimming, scale, game)


@lru_cache(maxsize=256)
def _setup_of_head(head: str) -> _Setup | None:
    """The setup told by these lines, None if some of it comes later."""
    fields = parse_head(head)
    needed = {*_OTHER_FIELDS, *_BETS.get(str(fields.get("variant")), ())}
    return _setup(fields) if fields.keys() >= needed else None


def _record(fields: Mapping[str, object], setup: _Setup, name: str, source: str) -> HandRecord:
    players = len(setup.stacks)
    strings = fields.get("actions")
    if not isinstance(strings, tuple):
        raise FormatError(f"actions = {strings!r}: an array of strings is needed" if strings else "no actions")
    actions = parse_actions(strings, players)
    scale = setup.scale if all_whole(actions.amounts) else max(setup.scale, scale_of(actions.amounts))
    finishing = amounts_of(fields, "finishing_stacks", players) if "finishing_stacks" in fields else ()
    own = fields.get(OWN_FIELD)
    if own is None and not all_whole(finishing):
        scale *= splits_of(finishing, scale)
    game = setup.game if scale == setup.scale else setup.game_at(scale)
    if own is not None:
        game = with_own_settings(game, own)
    sizes = _chips(actions.amounts, scale)
    returns: tuple[float, ...] | None = None
    if finishing:
        returns = _returns_from_stacks(finishing, game, scale)
    elif "winnings" in fields:
        returns = _returns_from_winnings(amounts_of(fields, "winnings", players), game, actions, sizes, scale)
    consumed = _CONSUMED[setup.variant]
    extra = {
        key if key in _KEPT or key[0] == "_" else f"_{key}": plain(value)
        for key, value in fields.items()
        if key not in consumed
    }
    if min(setup.blinds) < 0:
        extra["blinds_or_straddles"] = plain(setup.blinds)
    if actions.mucked:
        extra["mucked"] = actions.mucked
    return HandRecord(
        game,
        _hand_name(fields, name, extra),
        history_of(game, actions.betting, sizes),
        deal_of(actions),
        _player_names(fields, players),
        returns,
        1 / scale,
        source,
        extra,
    )


def _chips(amounts: Sequence[Amount], scale: int) -> tuple[int, ...]:
    if scale == 1 and all_whole(amounts):
        return tuple(amounts)  # type: ignore[arg-type]
    return tuple([to_chips(amount, scale) for amount in amounts])


def _returns_from_stacks(finishing: Sequence[Amount], game: Game, scale: int) -> tuple[float, ...] | None:
    """Net chips, None if they cannot be told because stacks are unlimited."""
    if UNLIMITED_STACK in game.stacks or not all(map(_is_finite, finishing)):
        return None
    return tuple([_exact(value, scale) - stack for value, stack in zip(finishing, game.stacks, strict=True)])


def _returns_from_winnings(
    winnings: Sequence[Amount], game: Game, actions: Actions, sizes: Sequence[int], scale: int
) -> tuple[float, ...] | None:
    """Net chips: what was taken from the pots less what was put in."""
    if not all(map(_is_finite, winnings)):
        return None
    spent = spent_of(game, actions.betting, sizes)
    antes = map(min, game.antes, game.stacks)
    return tuple([_exact(won, scale) - chips - ante for won, chips, ante in zip(winnings, spent, antes, strict=True)])


def _is_finite(amount: Amount) -> bool:
    return isinstance(amount, int) or amount.is_finite()


def _exact(amount: Amount, scale: int) -> float:
    """`amount` in chips, whole where a pot was broken into equal parts."""
    chips = amount * scale
    if isinstance(chips, int):
        return chips
    near = round(chips)
    return near if abs(chips - near) < Decimal("1e-5") else float(chips)


def _hand_name(fields: Mapping[str, object], table: str, extra: dict[str, object]) -> str:
    hand = fields.get("hand", table)
    if isinstance(hand, str) and hand.isdecimal() and "hand" in fields:
        extra["hand"] = hand  # a number in quotes stays one when the hand is written
    return str(hand)


def _player_names(fields: Mapping[str, object], players: int) -> tuple[str, ...]:
    names = fields.get("players")
    if names is None:
        return default_names(players)
    if not isinstance(names, tuple) or len(names) != players or not set(map(type, names)) <= {str}:
        raise FormatError(f"players = {names!r}: {players} names are needed")
    return names


def write_phh(record: HandRecord) -> str:
    """The text of a `.phh` file with `record`."""
    return format_toml(fields_of(record))


def write_phhs(records: Iterable[HandRecord]) -> str:
    """The text of a `.phhs` file with `records`, numbered from 1."""
    return "\n".join([f"[{number}]\n{write_phh(record)}" for number, record in enumerate(records, 1)])

"""Reading PHH: hand by hand in Python, whatever the file says, or by machine code where that pays (`compiled`)."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping

from kibitz.errors import FormatError, IllegalActionError
from kibitz.games import State
from kibitz.io.phh.actions import deal_of, history_of, parse_actions, played
from kibitz.io.phh.games import (
    BETS,
    OTHER_FIELDS,
    OWN_FIELD,
    Setup,
    all_whole,
    amounts_of,
    returns_from_stacks,
    returns_from_winnings,
    scale_of,
    setup_of,
    setup_of_head,
    splits_of,
    whole,
    with_own_settings,
)
from kibitz.io.phh.toml import parse_toml, plain
from kibitz.io.phh.writing import OPTIONAL_FIELDS, default_names
from kibitz.io.record import HandRecord

# Hands that a process reads before it loads machine code: about as many as it takes to save the time of loading. A hand
# takes 40 microseconds here (the Pluribus match) to 120 (cash tables), and 9 to 13 by machine code. Where other kernels
# have run, loading takes 15 milliseconds, which 130 to 450 hands save; else numba comes with it, and 0.6 seconds go by,
# which 4,000 to 15,000 hands save. The first time ever the kernel is compiled as well: 4 seconds.
HANDS_BEFORE, HANDS_BEFORE_NUMBA = 250, 8_000
_OF_KERNELS = "numba.np.arraymath"  # a module that numba imports with the first kernel

# The first is how programs write tables, and several times as fast; with ^ for \n it would not be. A table whose name
# begins with _ is a field of its hand.
_TABLE = re.compile(r"\n\[([0-9]+)\][ \t]*(?:#.*)?$", re.MULTILINE)
_ANY_TABLE = re.compile(r"\n[ \t]*\[[ \t]*([\"']?)([A-Za-z0-9-][A-Za-z0-9_-]*)\1[ \t]*\][ \t]*(?:#.*)?$", re.MULTILINE)
_HAND = re.compile(r"^hand = ['\"]?([^'\"\n]+)", re.MULTILINE)
_CONSUMED = {
    variant: frozenset((*OTHER_FIELDS, *bets, "hand", "players", "finishing_stacks", OWN_FIELD))
    for variant, bets in BETS.items()
}
_KEPT = frozenset((*OPTIONAL_FIELDS, "actions"))


ReadRegular = Callable[[str, str], HandRecord | None]
_hands = 0  # read in this process before machine code was loaded
_read_regular: ReadRegular | None = None


def compiled_reader(text: str) -> ReadRegular | None:
    """The machine-code reader, if with the hands of `text` enough have been read to load it; call this once a text."""
    global _hands, _read_regular
    if _read_regular is None:
        _hands += 1 + text.count("\n[")
        if _hands > (HANDS_BEFORE if _OF_KERNELS in sys.modules else HANDS_BEFORE_NUMBA):
            from kibitz.io.phh.compiled import read_regular

            _read_regular = read_regular
    return _read_regular


def read_phh(
    text: str, source: str = "", on_error: Callable[[FormatError], None] | None = None
) -> Iterator[HandRecord]:
    """The hands of `text`, a `.phh` or `.phhs` file; `source` is its name.

    `extra` holds all fields that have no place of their own, numbers as written, the action strings among them;
    `extra["mucked"]` the players who gave up at the showdown. A hand that cannot be read raises FormatError
    (UnsupportedVariantError if it is of another game than Texas hold'em), or is passed over and its error given to
    `on_error`.
    """
    read_regular = compiled_reader(text)
    hand = read_regular(text, f"{source}:1" if source else "") if read_regular else None
    if hand is not None:
        return iter((_without_needless_check(hand),))
    return _read_tables(text, source, on_error, read_regular)


def _read_tables(
    text: str, source: str, on_error: Callable[[FormatError], None] | None, read_regular: ReadRegular | None
) -> Iterator[HandRecord]:
    """The hands of any text, table by table."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    for name, line, chunk in _tables(text):
        place = f"{source}:{line}" if source else ""
        try:
            hand = read_regular(chunk, place) if read_regular and name else None
            for each in (hand,) if hand else _hands_of(chunk, name, place):
                yield _without_needless_check(each)
        except FormatError as error:
            told = type(error)(f"{source or 'line'}:{line}: {error}")
            told.hand = match[1] if (match := _HAND.search(chunk)) else name or told.hand
            if on_error is None:
                raise told from error
            on_error(told)


def _tables(text: str) -> Iterator[tuple[str, int, str]]:
    """(name, first line, text) of every hand."""
    text = "\n" + text  # so that one comes before every line
    start, line, name = 1, 1, ""
    first = _ANY_TABLE.search(text)
    for match in (_TABLE if first and _TABLE.match(text, first.start()) else _ANY_TABLE).finditer(text):
        yield name, line, text[start : match.start() + 1]
        line += text.count("\n", start, match.end())
        start, name = match.end(), match[match.re.groups]
    yield name, line, text[start:]


def _hands_of(chunk: str, name: str, place: str) -> Iterator[HandRecord]:
    """The hands of `chunk`, however they are written: one as a rule."""
    fields, head = parse_toml(chunk)
    if "variant" in fields:
        setup = (setup_of_head(head) if head else None) or setup_of(fields)
        yield _record(fields, setup, name, place)
    elif (name and not fields) or not all(isinstance(value, dict) for value in fields.values()):
        raise FormatError("no variant: is this a PHH file?")
    else:  # tables that do not stand on lines of their own
        for key, table in fields.items():
            yield _record(table, setup_of(table), key, place)  # type: ignore[arg-type]


def _record(fields: Mapping[str, object], setup: Setup, name: str, source: str) -> HandRecord:
    players = len(setup.stacks)
    strings = fields.get("actions")
    if not isinstance(strings, tuple):
        raise FormatError(f"actions = {strings!r}: an array of strings is needed" if strings else "no actions")
    actions = parse_actions(strings, players)
    scale = setup.scale if all_whole(actions.amounts) else max(setup.scale, scale_of(actions.amounts))
    finishing = amounts_of(fields, "finishing_stacks", players) if "finishing_stacks" in fields else ()
    winnings = amounts_of(fields, "winnings", players) if "winnings" in fields else ()
    own = fields.get(OWN_FIELD)
    if own is None and not all_whole((*finishing, *winnings)):
        scale *= splits_of((*finishing, *winnings), scale)
    game = setup.game if scale == setup.scale else setup.game_at(scale)
    if own is not None:
        game = with_own_settings(game, own)
    sizes = whole(actions.amounts, scale)
    returns = returns_from_stacks(finishing, game, scale) if finishing else None
    if winnings:
        history, paid = played(game, actions.betting, sizes)
        by_winnings = returns_from_winnings(winnings, game, paid, scale)
        if finishing and returns != by_winnings:
            raise FormatError("winnings and finishing_stacks contradict each other")
        returns = by_winnings
    else:
        history = history_of(game, actions.betting, sizes)
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
        history,
        deal_of(actions),
        _player_names(fields, players),
        returns,
        1 / scale,
        source,
        extra,
    )


def _without_needless_check(record: HandRecord) -> HandRecord:
    """`record` without the check of a big blind against players who are all-in: nobody asks him, but PokerKit does."""
    history = record.history
    if history.endswith("cc///"):
        try:
            over = State.start(record.game).play(history[:-4]).finished
        except IllegalActionError:
            return record
        if over:
            return record._replace(history=history[:-4] + "///")
    return record


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

"""PHH hands in the form in which programs write them: a field a line, in the order of the standard.

Collections of hands run to millions, and most of them are regular in this way: whole chips or cents, hole cards dealt
in order. What their lines have in common is worked out once (`_phh_table`, `_phh_tail`), and the actions are followed
a passage at a time (`_phh_play`), one by one only where somebody is all-in.
Anything unusual is given up, for the general reader to read or to refuse: what is read here is the same record there.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from functools import lru_cache
from operator import sub

from kibitz.errors import FormatError, GameError
from kibitz.games import Deal, Game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io._phh_actions import ActionStrings, deal_of, history_of, parse_actions, played
from kibitz.io._phh_compiled import machine_code
from kibitz.io._phh_game import all_whole, amounts_of, scale_of, splits_of
from kibitz.io._phh_play import follow, paid_of
from kibitz.io._phh_setup import Setup, returns_from_stacks, whole
from kibitz.io._phh_table import Table, chips_of, numbers_of, table_of_head
from kibitz.io._phh_tail import TAIL, lines_of, names_of, seats_of
from kibitz.io._phh_toml import IrregularError, parse_lines, strings_of
from kibitz.io.record import HandRecord

_STACKS = "\nstarting_stacks = "
_SIZE = re.compile(r"[0-9]+")
_IRREGULAR = (IrregularError, FormatError, GameError, LookupError, ValueError)
# Game, ACPC's text, cards, who mucked, net chips by the winnings.
Play = tuple[Game, str, Deal, tuple[int, ...], tuple[float, ...] | None]
_new = tuple.__new__  # makes named tuples in half the time that their own constructors take
_time = datetime.time.fromisoformat


def read_regular(text: str, source: str) -> HandRecord | None:
    """The hand of `text`; None if it is not regular."""
    start = text.find(_STACKS)
    match = TAIL.fullmatch(text, start + len(_STACKS)) if start >= 0 else None
    if match is None:
        return None
    stacks, actions, before, time, date, hand, seats, between, names, results, amounts, after = match.groups()
    table = table_of_head(text[:start], "." in stacks or "." in actions)
    if table is None:
        return None
    extra: dict[str, object] = {"actions": ActionStrings(actions)}
    try:
        winnings = amounts if results == "winnings" else ""
        won = tuple(numbers_of(winnings)) if winnings else ()
        game, history, deal, mucked, returns = _play(stacks, actions, table, winnings, won)
        lines = lines_of(before + date + between + after)
        if lines:
            extra.update(lines)
        if time:
            extra["time"] = _time(time)
        if seats:
            extra["seats"] = seats_of(seats)
        players = names_of(names) if names else table.players
        if len(players) != len(table.players):
            return None
        chip = table.chip
        if winnings:
            extra["winnings"] = won
        elif results and "." in amounts and table.scale == 1:
            game, history, returns, chip = _broken(table, game, history, amounts)
        elif results:
            finishing = chips_of(numbers_of(amounts), amounts, table.scale)
            if len(finishing) != len(players) or UNLIMITED_STACK in game.stacks:
                return None
            returns = tuple(map(sub, finishing, game.stacks))
    except _IRREGULAR:
        return None
    if table.late:
        extra["blinds_or_straddles"] = table.late
    if mucked:
        extra["mucked"] = mucked
    return _new(HandRecord, (game, hand, history, deal, players, returns, chip, source, extra))


def _play(stacks: str, actions: str, table: Table, winnings: str, won: Sequence[float]) -> Play:
    """The play of the action strings with `', '` between them; `won` are the numbers of `winnings`, if any are told."""
    game = table.games.get(stacks)
    kernel = machine_code()
    play = table.compiled.play(kernel, stacks, winnings, actions) if kernel and not table.raise_sizes else None
    if play:
        history, deal, mucked, out = play
        game = game or table.add_game(stacks, table.compiled.stacks_of(out))
        return game, history, deal, mucked, table.compiled.returns_of(out) if winnings else None
    game = game or table.add_game(stacks, table.stacks_of(stacks))
    try:
        history, deal, mucked, pieces = follow(actions, table)
        if not winnings and not table.raise_sizes:
            return game, history, deal, mucked, None
        paid = paid_of(table, game, pieces)
    except (IrregularError, LookupError, ValueError):
        return _play_one_by_one(actions, table, game, winnings, won)
    if table.raise_sizes:
        history = _SIZE.sub("", history)
    return game, history, deal, mucked, _returns(table, game, winnings, won, paid) if winnings else None


def _play_one_by_one(actions: str, table: Table, game: Game, winnings: str, won: Sequence[float]) -> Play:
    """As `_play`, by the general reader's means."""
    parsed = parse_actions(strings_of(f"['{actions}']"), game.players)
    if ("." in actions) == all_whole(parsed.amounts) or scale_of(parsed.amounts) not in (1, table.scale):
        raise IrregularError  # the scale is not what it seemed
    sizes = whole(parsed.amounts, table.scale)
    if winnings:
        history, paid = played(game, parsed.betting, sizes)
        return game, history, deal_of(parsed), parsed.mucked, _returns(table, game, winnings, won, paid)
    return game, history_of(game, parsed.betting, sizes), deal_of(parsed), parsed.mucked, None


def _returns(table: Table, game: Game, winnings: str, won: Sequence[float], paid: Sequence[int]) -> tuple[int, ...]:
    """Net chips by the winnings."""
    if len(won) != game.players or (table.scale == 1 and "." in winnings):
        raise IrregularError
    net = map(sub, chips_of(won, winnings, table.scale), paid)
    return tuple(map(sub, net, game.antes_paid) if table.largest_ante else net)


def _broken(table: Table, game: Game, history: str, amounts: str) -> tuple[Game, str, tuple[float, ...] | None, float]:
    """(game, ACPC text, returns, worth of a chip) where a pot was split into halves, thirds, ... of chips."""
    stacks = amounts_of(parse_lines(f"finishing_stacks = {amounts}"), "finishing_stacks", game.players)
    parts = splits_of(stacks, 1)
    history = _SIZE.sub(lambda size: str(int(size[0]) * parts), history)
    game = _game_in_parts(table.setup, game.stacks, parts)
    return game, history, returns_from_stacks(stacks, game, parts), 1 / parts


@lru_cache(maxsize=256)
def _game_in_parts(setup: Setup, stacks: tuple[int, ...], parts: int) -> Game:
    return setup._replace(stacks=stacks).game_at(parts)

"""Hands of the IRC poker database (Maurer, 1995 to 2001): limit hold'em for 2 to 10 players.

A month is a folder. Its file `hdb` has a line a hand, `hroster` the players dealt in, and `pdb/pdb.NAME` (or `pdb.NAME`
beside them) what a player did, a line a hand:

    hdb      hand-id set number players 3/60 2/100 2/140 2/180 board     players left and pot at flop, turn, river, end
    hroster  hand-id players NAME NAME ...
    pdb      NAME hand-id players position preflop flop turn river bankroll bet won [hole cards]

Actions are letters: B blind, f fold, k check, b bet, c call, r raise, Q quits, K kicked, A all-in, - none. Who acted
after whom is not said: the betting is played through, each player's letters in turn.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kibitz.cards import parse_cards
from kibitz.errors import CardError, FormatError
from kibitz.games import Deal, Game
from kibitz.games.named import limit_holdem
from kibitz.io.record import HandRecord, Refusal
from kibitz.io.turns import Turns

ROSTER, PLAYERS = "hroster", "pdb"
MOST_PLAYERS = 10
_STREETS = 4
_LETTERS = re.compile(r"-|[BfkbcrAQK]+")


class _Line(NamedTuple):
    """What a player's file says of one hand."""

    position: int
    streets: tuple[str, ...]
    bet: int
    won: int
    cards: tuple[int, ...]


def read_irc(lines: Iterable[str], source: str, strict: bool = True) -> Iterator[HandRecord | Refusal]:
    """The hands of a file `hdb`, whose roster and players' files lie beside it.

    source   its path; files inside archives are not found, and have to be unpacked
    strict   raise FormatError at a hand that cannot be read; otherwise yield a `Refusal` and go on
    """
    month = _Month(Path(source).parent, source)
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words:
            continue
        where = f"{source}:{number}"
        try:
            yield month.read(words, where)
        except FormatError as error:
            if strict:
                broken = FormatError(f"{where}: hand {words[0]}: {error}")
                broken.hand = words[0]
                raise broken from None
            yield Refusal(words[0], where, str(error))


class _Month:
    """The files of one folder, each read once."""

    def __init__(self, folder: Path, source: str) -> None:
        self._folder = folder
        if not (folder / ROSTER).is_file():
            raise FormatError(
                f"{source}: no file {ROSTER} beside it: {ROSTER} and {PLAYERS} files of the IRC database are in the "
                "folder of hdb; unpack archives first"
            )
        self._rosters: dict[str, list[str]] = {}
        for line in _text(folder / ROSTER).splitlines():
            if words := line.split():
                self._rosters[words[0]] = words[2:]
        self._players: dict[str, dict[str, list[str]]] = {}

    def read(self, words: list[str], where: str) -> HandRecord:
        """The hand of a line of `hdb`."""
        if len(words) < 8 or not all(word.isdecimal() for word in words[:4]):
            raise FormatError(f"{' '.join(words)!r}: hand, set, number, players, four pots and the board are wanted")
        hand, count, board = words[0], int(words[3]), _cards(words[8:])
        names = self._rosters.get(hand)
        if names is None:
            raise FormatError(f"no line of this hand in {ROSTER}")
        if len(names) != count or not 2 <= count <= MOST_PLAYERS or len(set(names)) != count:
            raise FormatError(f"{count} players in hdb, {len(names)} names in {ROSTER}: 2 to {MOST_PLAYERS}, each once")
        found = sorted(((self._line(name, hand), name) for name in names), key=lambda each: each[0].position)
        if [line.position for line, _ in found] != [*range(1, count + 1)]:
            told = ", ".join(f"{name} {line.position}" for line, name in found)
            raise FormatError(f"positions {told}: 1 to {count} are wanted, each once")
        return _record(hand, [line for line, _ in found], tuple(name for _, name in found), board, where)

    def _line(self, name: str, hand: str) -> _Line:
        if name not in self._players:
            self._players[name] = self._load(name)
        words = self._players[name].get(hand)
        if words is None:
            raise FormatError(f"no line of this hand in {PLAYERS}.{name}")
        if len(words) < 11 or not all(word.lstrip("-").isdecimal() for word in (words[3], words[9], words[10])):
            raise FormatError(f"{PLAYERS}.{name}: {' '.join(words)!r} has not the 11 fields of a hand")
        for street in words[4:8]:
            if not _LETTERS.fullmatch(street):
                raise FormatError(f"{PLAYERS}.{name}: actions {street!r}: letters B f k b c r A Q K, or -")
        cards = _cards(words[11:])
        if len(cards) not in (0, 2):
            raise FormatError(f"{PLAYERS}.{name}: {len(cards)} hole cards: hold'em has two")
        streets = tuple(street.replace("-", "") for street in words[4:8])
        return _Line(int(words[3]), streets, int(words[9]), int(words[10]), cards)

    def _load(self, name: str) -> dict[str, list[str]]:
        """The lines of a player's file by hand."""
        if os.sep in name or name.startswith("."):
            raise FormatError(f"a player called {name!r} can have no file")
        for path in (self._folder / PLAYERS / f"{PLAYERS}.{name}", self._folder / f"{PLAYERS}.{name}"):
            if path.is_file():
                rows = [line.split() for line in _text(path).splitlines()]
                return {row[1]: row for row in rows if len(row) > 1}
        raise FormatError(f"no file {PLAYERS}.{name}")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _cards(words: list[str]) -> tuple[int, ...]:
    try:
        return parse_cards("".join(words))
    except CardError as error:
        raise FormatError(str(error)) from None


@cache
def _game(players: int, unit: int, forward: bool, uncapped: bool = False) -> Game:
    """The game at a table: small blind `unit`; uncapped, two who are left may raise on."""
    game = limit_holdem(players, unit, forward_blinds=forward)
    return replace(game, uncapped_heads_up=True, name="") if uncapped else game


def _record(hand: str, lines: list[_Line], names: tuple[str, ...], board: tuple[int, ...], where: str) -> HandRecord:
    """The record of a hand: betting in order, stakes from what players bet in all."""
    if any("A" in street for line in lines for street in line.streets):
        raise FormatError("a player is all-in: limit hands in which all have chips enough are read")
    history, spent, forward = _follow_any(lines, names)
    unit = _unit(spent, lines, names)
    if len(lines) == 2 and not forward:  # positions of reversed blinds: the button acts last after the flop
        names, lines = names[::-1], lines[::-1]
    game = _game(len(lines), unit, forward)
    if any(part.count("r") > most for part, most in zip(history.split("/"), game.max_raises, strict=False)):
        game = _game(len(lines), unit, forward, uncapped=True)
    showdown = [seat for seat, line in enumerate(lines) if not _folds(line)]
    extra: dict[str, object] = {"venue": "IRC"}
    if len(showdown) > 1 and (mucked := tuple(seat for seat in showdown if not lines[seat].cards)):
        extra["mucked"] = mucked
    deal = Deal(tuple(line.cards for line in lines), board)
    returns = tuple(float(line.won - line.bet) for line in lines)
    return HandRecord(game, hand, history, deal, names, returns, 1.0, where, extra)


def _folds(line: _Line) -> bool:
    return any(letter in street for street in line.streets for letter in "fQK")


def _follow_any(lines: list[_Line], names: tuple[str, ...]) -> tuple[str, list[int], bool]:
    """ACPC betting text, chips in small blinds by position, and whether the first position has the small blind.

    Heads-up the files do not say who posts it: the order that fits is taken, and the first position's where both do.
    """
    try:
        return *_follow(lines, names, _game(len(lines), 1, True)), True
    except FormatError:
        if len(lines) != 2:
            raise
        history, spent = _follow(lines[::-1], names[::-1], _game(2, 1, False))
        return history, spent[::-1], False


def _follow(lines: list[_Line], names: tuple[str, ...], game: Game) -> tuple[str, list[int]]:
    """Play the letters through; whose do not fit is named."""
    blinds = [seat for seat in range(len(lines)) if game.blinds[seat]]
    queues = [list(line.streets) for line in lines]
    for seat, queue in enumerate(queues):
        if queue[0].startswith("B") != (seat in blinds):
            what = "posts no blind" if seat in blinds else "posts a blind"
            raise FormatError(f"{names[seat]} {what} at position {seat + 1}: blinds come from positions 1 and 2")
        queue[0] = queue[0].removeprefix("B")
    table, history = Turns.of(game), ""
    for street in range(_STREETS):
        if street:
            table.deal()
            history += "/"
        while table.turn >= 0:
            seat = table.turn
            letter, queues[seat][street] = queues[seat][street][:1], queues[seat][street][1:]
            history += _act(table, seat, letter, game, names[seat])
        for seat, queue in enumerate(queues):
            if rest := queue[street].strip("QK"):  # who has folded may leave the table
                raise FormatError(f"{names[seat]} acts {rest!r} in round {street + 1}, which is over")
        if len(table.live) == 1:
            break
    for seat, queue in enumerate(queues):
        if any(rest.strip("QK") for rest in queue):
            raise FormatError(f"{names[seat]} acts {''.join(queue)!r} after the hand is over")
    return history, table.spent


def _act(table: Turns, seat: int, letter: str, game: Game, name: str) -> str:
    """Take one letter, and say it as ACPC does."""
    owed = table.bet - table.spent[seat]
    if letter in ("f", "Q", "K"):
        table.fold(seat)
        return "f"
    if letter == ("c" if owed else "k"):
        table.call(seat)
        return "c"
    opened = table.bet > table.level
    if letter == ("r" if opened else "b"):
        table.raise_to(seat, table.bet + game.raise_sizes[table.round])
        return "r"
    what = f"{letter!r}" if letter else "nothing"
    raise FormatError(f"{name} acts {what} in round {table.round + 1}, where {owed} small blinds are to be called")


def _unit(spent: list[int], lines: list[_Line], names: tuple[str, ...]) -> int:
    """The small blind in chips: what most players bet, by what they bet in small blinds."""
    whole = [line.bet // chips for chips, line in zip(spent, lines, strict=True) if chips and line.bet % chips == 0]
    unit = Counter(whole).most_common(1)[0][0] if whole else 0
    for chips, line, name in zip(spent, lines, names, strict=True):
        if unit < 1 or line.bet != chips * unit:
            raise FormatError(
                f"{name} bets {line.bet} chips, {chips} small blinds by the betting: no stakes of limit hold'em fit"
            )
    return unit

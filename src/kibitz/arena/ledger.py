"""The file a series writes as it goes, so that it can be stopped and resumed.

The first line describes the series, each further line is one finished match with a checksum. A line that was cut off
by a crash is dropped and played again; any other damage is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

from kibitz.arena.chance import ACPC
from kibitz.arena.series import Key, Outcomes, Series
from kibitz.errors import KibitzError
from kibitz.files import document_sum, parse_json, sealed, write_text
from kibitz.games import parse_gamedef
from kibitz.random import parse_seed
from kibitz.statistics import Moments

_HEAD = b'{"kibitz": '  # how every ledger begins


class Ledger:
    """The finished matches of a series, in memory and on disk."""

    def __init__(self, path: Path, series: Series, resume: bool = False) -> None:
        """Open `path` for `series`; an existing file is continued with `resume` and an error without."""
        self.path = path
        self.outcomes: Outcomes = {}
        content = _read(path)
        if _is_fragment(content):
            with _named(path):
                write_text(path, json.dumps(series.describe()) + "\n")
        elif resume:
            self._load(content, series)
        else:
            raise KibitzError(f"{path} exists: continue it, or choose another folder", settings=("resume", "out"))

    def add(self, key: Key, moments: tuple[Moments, ...]) -> None:
        """Record one finished match."""
        self.outcomes[key] = moments
        with _named(self.path), self.path.open("a") as file:
            file.write(_format(key, moments) + "\n")

    def _load(self, content: bytes, series: Series) -> None:
        header, *lines = content.split(b"\n")
        self._check_header(header, series)
        known = set(series.keys)
        for number, line in enumerate(lines[:-1], 2):  # the last piece is empty, or a line cut off in the middle
            try:
                key, moments = _parse(line, series.game.players, series.hands)
            except (ValueError, RecursionError) as error:
                raise KibitzError(
                    f"{self.path}:{number}: not a finished match of this series: {error}; without the line it is "
                    "played again"
                ) from None
            if key not in known:
                raise KibitzError(f"{self.path}:{number}: match {key} does not belong to this series")
            if self.outcomes.setdefault(key, moments) != moments:
                raise KibitzError(f"{self.path}:{number}: match {key} was finished before, with another result")
        if not content.endswith(b"\n"):
            with _named(self.path):
                write_text(self.path, b"\n".join([header, *lines[:-1]]).decode() + "\n")

    def _check_header(self, line: bytes, series: Series) -> None:
        header = _json(line)
        if not isinstance(header, dict):
            raise KibitzError(f"{self.path}: the first line does not describe a series: {_shown(line)}")
        described = series.describe()
        for field in [*described, *(header.keys() - described.keys())]:
            if header.get(field) != described.get(field):
                raise KibitzError(
                    f"{self.path} was played with {field} = {header.get(field)!r}, now it is {described.get(field)!r}: "
                    "resume with the same settings, or choose another folder",
                    settings=("out",),
                )


class PlayedSeries(Series):
    """A series as its ledger describes it: of its agents only the names are known."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The agents' names, as they were recorded."""
        return tuple(map(str, self.agents))


class GrowingLedger:
    """A ledger that another process may be writing: what has been played so far, line by line as it comes."""

    def __init__(self, path: Path) -> None:
        """Read the first line; KibitzError where it does not describe a series."""
        self.path = path
        self.outcomes: Outcomes = {}
        header = _read(path).partition(b"\n")[0]
        self.series = _described(path, header)
        self._read_to = len(header) + 1
        self._line = 1

    @property
    def total(self) -> int:
        """Matches of the whole series."""
        return comb(len(self.series.agents), self.series.game.players) * self.series.matches

    def refresh(self) -> bool:
        """Take what was written since; whether there was anything. KibitzError where it is damaged."""
        with _named(self.path), self.path.open("rb") as file:
            file.seek(self._read_to)
            whole = file.read().rpartition(b"\n")[0]
        if not whole:
            return False
        for line in whole.split(b"\n"):
            self._line += 1
            key, moments = _parse_at(self.path, self._line, line, self.series)
            if not _belongs(key, self.series):
                raise KibitzError(f"{self.path}:{self._line}: match {key} does not belong to this series")
            if self.outcomes.setdefault(key, moments) != moments:
                raise KibitzError(f"{self.path}:{self._line}: match {key} was finished before, with another result")
        self._read_to += len(whole) + 1
        return True


def read_ledger(path: Path) -> tuple[PlayedSeries, Outcomes]:
    """The series of a ledger and its matches; KibitzError where the ledger is damaged or not complete."""
    ledger = GrowingLedger(path)
    ledger.refresh()
    series, outcomes = ledger.series, ledger.outcomes
    if len(outcomes) != ledger.total:
        raise KibitzError(
            f"{path} holds {len(outcomes)} of {ledger.total} matches: resume the tournament to play the others"
        )
    return series, outcomes


def _described(path: Path, header: bytes) -> PlayedSeries:
    """The series that the first line of a ledger describes."""
    described = _json(header)
    try:
        game, names = parse_gamedef(described["game"]), tuple(map(str, described["agents"]))
        hands, matches, seed = int(described["hands"]), int(described["matches"]), parse_seed(str(described["seed"]))
        return PlayedSeries(game, names, hands, matches, seed, cards=described.get("cards", ACPC))
    except (KeyError, TypeError, ValueError, KibitzError):
        raise KibitzError(f"{path}: the first line does not describe a series: {_shown(header)}") from None


def _belongs(key: Key, series: Series) -> bool:
    """Whether the series has that match, said without a list of all."""
    table, match = key
    ascending = all(one < other for one, other in pairwise((-1, *table, len(series.agents))))
    return len(table) == series.game.players and ascending and 0 <= match < series.matches


def _parse_at(path: Path, number: int, line: bytes, series: Series) -> tuple[Key, tuple[Moments, ...]]:
    try:
        return _parse(line, series.game.players, series.hands)
    except (ValueError, RecursionError) as error:
        raise KibitzError(f"{path}:{number}: not a finished match of this series: {error}") from None


def _is_fragment(content: bytes) -> bool:
    """Whether nothing was begun: there is no file, or its first line was never finished."""
    begun = content.startswith(_HEAD) or _HEAD.startswith(content)
    return begun and b"\n" not in content and _json(content) is None


def _format(key: Key, moments: tuple[Moments, ...]) -> str:
    table, match = key
    sums = [[agent.count, agent.total, agent.squares, *filter(None, [agent.forfeits])] for agent in moments]
    record: dict[str, Any] = {"table": list(table), "match": match, "moments": sums}
    return json.dumps(sealed(record))


def _parse(line: bytes, players: int, hands: int) -> tuple[Key, tuple[Moments, ...]]:
    """The match of `line`; ValueError, with what is wrong, unless it can be one of that many players and deals."""
    record = _json(line)
    if not isinstance(record, dict):
        raise ValueError(_shown(line))
    checksum = record.pop("crc32", None)  # older ledgers have none
    if checksum is not None and checksum != document_sum(record):
        raise ValueError(f"the checksum does not fit {_shown(line)}")
    fields: list[Any] = [record.get(field) for field in ("table", "match", "moments")]
    table, match, sums = fields
    if not (_are_integers(table) and _are_integers([match])):
        raise ValueError(f"a table is a list of numbers, a match a number: {_shown(line)}")
    if not isinstance(sums, list) or len(sums) != players:
        raise ValueError(f"moments of {players} agents belong there: {_shown(line)}")
    return (tuple(table), match), tuple(_moments(each, hands) for each in sums)


def _moments(sums: Any, hands: int) -> Moments:
    """Moments of `hands` samples; no samples have others than (count)(sum of squares) >= (sum)^2.

    A fourth number, if there is one, counts the hands that were forfeited.
    """
    fits = _are_integers(sums) and len(sums) in (3, 4) and sums[0] == hands and hands * sums[2] >= sums[1] ** 2
    if not fits or min(sums[3:], default=0) < 0:
        raise ValueError(f"{str(sums)[:60]} is no count, sum and sum of squares of {hands} deals")
    return Moments(*sums)


def _are_integers(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int for value in values)


def _json(line: bytes) -> Any:
    """The value of `line`, None where it is no JSON."""
    try:
        return parse_json(line.decode())
    except ValueError:
        return None


def _shown(line: bytes) -> str:
    return repr(line[:60].decode(errors="replace"))


def _read(path: Path) -> bytes:
    """All of `path`, nothing where there is no such file."""
    with _named(path):
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return b""


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """What the disk refuses, as an error that names the ledger."""
    try:
        yield
    except OSError as error:
        raise KibitzError(f"{path} cannot be read or written: {error.strerror or error}") from error

"""Log files of any format as hands, refusals and notes: what everybody reads who learns from logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.io.acpc.log import LogHeader
from kibitz.io.files import Source, UnknownFormatError, files_in, open_sources, read_events
from kibitz.io.record import HandRecord, Note, Refusal


class LogFile(NamedTuple):
    """A file to be read; one that was found in a folder is passed over if it is no hand history."""

    path: Path
    found: bool


def list_files(logs: Iterable[Path]) -> list[LogFile]:
    """The files at `logs`, each once, folders replaced by what they hold, in order of names."""
    files: dict[Path, LogFile] = {}
    for path in logs:
        if path.is_dir():
            for item in files_in(path):
                files.setdefault(item.resolve(), LogFile(item, True))
        else:
            files.setdefault(path.resolve(), LogFile(path, False))
    return [*files.values()]


def read_file(file: LogFile, game: Game | None) -> Iterator[HandRecord | Refusal | Note]:
    """What a file holds: hands, broken places, and notes of hands of games that are not played here."""
    try:
        for source in open_sources(file.path):
            if source.format:
                yield from _read_source(source, game)
    except UnknownFormatError:
        if not file.found:
            raise
    except KibitzError as error:
        yield _refusal(error, str(file.path), str(file.path))


def _read_source(source: Source, game: Game | None) -> Iterator[HandRecord | Refusal | Note]:
    header: LogHeader | None = None
    hands, last = 0, source.name
    try:
        for event in read_events(source, game, strict=False):
            if type(event) is HandRecord:
                hands, last = hands + 1, event.source
                yield event
            elif isinstance(event, LogHeader):
                yield from _missing(header, hands, last)
                header, hands = event, 0
            elif isinstance(event, Refusal):
                hands += 1
                yield event
            elif isinstance(event, Note):  # of a broken place, or of a game that is not played here
                yield event if event.unplayed else Refusal("", event.source, event.text)
    except UnknownFormatError:
        raise
    except KibitzError as error:
        yield _refusal(error, source.name, last)
        return
    yield from _missing(header, hands, last)


def _refusal(error: KibitzError, name: str, last: str) -> Refusal:
    """Where reading `name` came to an end: the error says it, or it is behind `last`."""
    where, colon, reason = str(error).partition(": ")
    if not colon or not where.startswith(name):
        return Refusal("", last, str(error))
    return Refusal("", last if where == name else where, reason)


def _missing(header: LogHeader | None, hands: int, last: str) -> Iterator[Refusal]:
    if header is not None and hands < header.hands:
        yield Refusal("", last, f"the log ends after {hands:,} of {header.hands:,} hands")

"""Which reader for which file: detected from the content, through compression, archives and folders.

>>> from itertools import islice
>>> for record in islice(read_records("logs/"), 3):  # doctest: +SKIP
...     print(record.source, record.history)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

from kibitz.errors import FormatError, KibitzError
from kibitz.games import Game
from kibitz.io.acpc import Score
from kibitz.io.acpc.log import Event, read_log
from kibitz.io.acpc.transcript import read_transcript
from kibitz.io.record import HandRecord, Note, Refusal
from kibitz.io.unpacking import unpack

# (lines, name of the source, game of logs that do not name it, strict) -> events
Read = Callable[[TextIO, str, Game | None, bool], Iterator[Event]]
# (text, name of the source, what to do with the error of a hand) -> hands
ReadHands = Callable[[str, str, Callable[[FormatError], None] | None], Iterator[HandRecord]]


class UnknownFormatError(FormatError):
    """A file that is no hand history of any known format, or one of a game that Kibitz does not play."""


class Format(NamedTuple):
    """A format of hand histories: what its text looks like, and its reader."""

    looks_like: re.Pattern[str]
    read: Read


class Source(NamedTuple):
    """One text file, unpacked: `format` is a key of FORMATS, or "" when the content is none of them.

    lines    end where the file is damaged, and `damage` then holds what is wrong
    """

    name: str
    format: str
    lines: TextIO
    damage: list[FormatError]


def _read_acpc(lines: TextIO, source: str, game: Game | None, strict: bool) -> Iterator[Event]:
    return read_log(lines, source, game, strict=strict)


def _read_transcript(lines: TextIO, source: str, game: Game | None, strict: bool) -> Iterator[Event]:
    return read_transcript(lines, source, game, strict=strict)


def _read_phh(lines: TextIO, source: str, game: Game | None, strict: bool) -> Iterator[Event]:
    from kibitz.io.phh import read_phh

    return _read_each(read_phh, lines, source, strict)


def _read_pokerstars(lines: TextIO, source: str, game: Game | None, strict: bool) -> Iterator[Event]:
    from kibitz.io.pokerstars import read_pokerstars

    return _read_each(read_pokerstars, lines, source, strict)


def _read_each(read: ReadHands, lines: TextIO, source: str, strict: bool) -> Iterator[Event]:
    """The hands that `read` finds and, unless `strict`, what it says of the others."""
    errors: list[FormatError] = []
    for record in read(lines.read(), source, None if strict else errors.append):
        yield from _told(errors, source)
        yield record
    yield from _told(errors, source)


def _told(errors: list[FormatError], source: str) -> Iterator[Refusal | Note]:
    """The errors of single hands as events; a subclass of FormatError is a game that is not played here."""
    while errors:
        error = errors.pop(0)
        if type(error) is not FormatError:
            yield Note("", str(error))
            continue
        line = re.match(rf"{re.escape(source)}:[0-9]+(?=: )", str(error))
        where = line[0] if line else source
        yield Refusal(error.hand, where, str(error).removeprefix(f"{where}: "))


# Tried in this order: a transcript starts with the header of its log.
FORMATS: dict[str, Format] = {
    "acpc-transcript": Format(
        re.compile(r"^(?:STARTED at |(?:TO|FROM) [0-9]+ at |MATCHSTATE:[0-9]+:)", re.MULTILINE), _read_transcript
    ),
    "acpc": Format(
        re.compile(r"^(?:STATE:|# name/game/hands/seed |[^:|\n]+\|[^:\n]+:[0-9]+:[^:\n]*:[^:\n]*:)", re.MULTILINE),
        _read_acpc,
    ),
    "phh": Format(re.compile(r"^\s*(?:[\"']?variant[\"']?\s*=|\[\s*[\"']?\w+[\"']?\s*\]\s*$)", re.M), _read_phh),
    "pokerstars": Format(
        re.compile(r"^.{0,40}PokerStars (?:\w+ ){0,3}(?:Hand|Game) #", re.MULTILINE), _read_pokerstars
    ),
}


def read_records(
    paths: Path | str | Iterable[Path | str],
    game: Game | None = None,
    unplayed: Callable[[str], None] | None = None,
    besides: Callable[[list[str]], None] | None = None,
) -> Iterator[HandRecord]:
    """The hands of files, archives and folders of any known format, one after the other.

    A file given by name must be a hand history; in folders and archives other files are passed over. Hands of games
    that Kibitz does not play raise `FormatError`, or are passed over too and told to `unplayed`. What a file says of
    its match (`match header`, `score`) is told to `besides`.
    """
    for path in [paths] if isinstance(paths, Path | str) else paths:
        for source in open_sources(path):
            if source.format:
                for event in read_events(source, game, strict=unplayed is None):
                    if type(event) is HandRecord:
                        yield event
                    elif isinstance(event, Refusal):
                        raise FormatError(f"{event.source}: {event.reason}")
                    elif isinstance(event, Note):
                        if unplayed and not event.source:
                            unplayed(event.text)
                    elif besides:
                        besides(["score" if isinstance(event, Score) else "match header"])


def read_events(source: Source, game: Game | None = None, *, strict: bool = True) -> Iterator[Event]:
    """What the reader of its format finds in `source`: hands, and for ACPC also headers, scores and bad lines.

    strict   raise at what cannot be read; otherwise yield it as a `Refusal`, or as a `Note` where the file is sound
             but tells of a game that Kibitz does not play
    Either way a damaged file raises, after the hands that come before the damage.
    """
    held: Event | None = None
    trouble: KibitzError | None = None
    try:
        for event in FORMATS[source.format].read(source.lines, source.name, game, strict):
            if held is not None:
                yield held
            held = event
    except KibitzError as error:
        trouble = error
    # Where a file is damaged the last line may have been cut, and may still look like a hand.
    if held is not None and (trouble or not source.damage):
        yield held
    if source.damage:
        raise source.damage[0]
    if trouble is None:
        return
    if type(trouble) is FormatError or not isinstance(trouble, FormatError):
        raise trouble
    if strict:
        raise UnknownFormatError(str(trouble)) from None  # a variant that is not played here
    yield Note("", str(trouble))


def open_sources(path: Path | str) -> Iterator[Source]:
    """The text files at `path`, unpacked: a file is one, an archive or a folder all it holds, in order of names."""
    path = Path(path)
    if path.is_dir():
        for inner in files_in(path):
            yield from open_file(inner)
        return
    any_hands = False
    for source in open_file(path):
        any_hands = any_hands or bool(source.format)
        yield source
    if not any_hands:
        raise UnknownFormatError(
            f"{path}: not a hand history; known are {', '.join(FORMATS)}, also compressed or in tar files"
        )


def files_in(folder: Path) -> list[Path]:
    """All files in `folder` and in the folders within, in order of names."""
    return sorted(item for item in folder.rglob("*") if item.is_file())


def open_file(path: Path) -> Iterator[Source]:
    """The text files in the file `path`, of whatever format; raises for one so damaged that its format is lost."""
    lost: list[FormatError] = []
    try:
        for name, head, lines, damage in unpack(path):
            found = next((key for key, compiled in FORMATS.items() if compiled.looks_like.search(head)), "")
            if found or not damage:
                yield Source(name, found, lines, damage)
            else:
                lost += damage
    except FormatError as error:
        lost.append(error)
    if lost:
        raise FormatError(f"{lost[0]} (and {len(lost) - 1} more)" if len(lost) > 1 else str(lost[0]))

"""Which reader for which file: detected from the content, through compression, archives and folders.

>>> from itertools import islice
>>> for record in islice(read_records("logs/"), 3):  # doctest: +SKIP
...     print(record.source, record.history)
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Self, TextIO, cast

from kibitz.amounts import format_bytes
from kibitz.errors import FormatError, KibitzError, cut
from kibitz.games import Game
from kibitz.io.acpc import Score
from kibitz.io.acpc.log import Event, read_log
from kibitz.io.acpc.transcript import read_transcript
from kibitz.io.record import HandRecord, Note, Refusal

HEAD = 1 << 16  # bytes looked at to tell what a file is
AT_ONCE = 1 << 12  # bytes read from a compressed file or archive: as many may be lost where it is cut
MOST_LAYERS = 16  # compressed files and archives, one in the other: more is an accident or an attack
MOST_RATIO = 100  # logs are packed to a tenth or so
SMALL = 1 << 20  # bytes that any file may hold
_DAMAGED = (lzma.LZMAError, EOFError, zlib.error, tarfile.TarError)
# (lines, name of the source, game of logs that do not name it, strict) -> events
Read = Callable[[TextIO, str, Game | None, bool], Iterator[Event]]
# (text, name of the source, what to do with the error of a hand) -> hands
ReadHands = Callable[[str, str, Callable[[FormatError], None] | None], Iterator[HandRecord]]


class Unpacked(NamedTuple):
    """A text file: its name, how it begins, its lines up to the end or to its damage, which is told then."""

    name: str
    head: str
    lines: TextIO
    damage: list[FormatError]


def unpack(path: Path, most_bytes: int | None = None) -> Iterator[Unpacked]:
    """The text files in the file `path`; each is to be read before the next is asked for.

    most_bytes   that may come out of compressed files and archives, all layers together, for readers that cannot trust
                 the file: FormatError for more, and for more than MOST_RATIO times what the file has
    """
    with path.open("rb") as stream:
        if most_bytes is not None:
            most_bytes = min(most_bytes, max(MOST_RATIO * os.fstat(stream.fileno()).st_size, SMALL))
        yield from _unpack(str(path), stream, [], MOST_LAYERS, _Room(most_bytes))


class _Room:
    """The bytes that may still come out of compressed files and archives; None for no limit."""

    def __init__(self, most: int | None) -> None:
        self._most, self._taken = most, 0

    def take(self, size: int, name: str) -> None:
        """Count what was unpacked; FormatError where that is too much."""
        self._taken += size
        if self._most is not None and self._taken > self._most:
            raise FormatError(f"{name}: it unpacks to more than {format_bytes(self._most)}: unpack and split it")


class _Onward(io.RawIOBase):
    """A stream that is only ever read on, as compressed streams and archives want to be; damage ends it."""

    def __init__(self, name: str, stream: io.BufferedIOBase, damage: list[FormatError], room: _Room | None) -> None:
        self._name, self._stream, self._damage, self._room = name, stream, damage, room
        self._ended = False  # others share `damage`, and may have more to give

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        filled = 0
        while filled < len(buffer) and (data := self._read_some(len(buffer) - filled)):
            buffer[filled : filled + len(data)] = data
            filled += len(data)
        return filled

    def _read_some(self, most: int) -> bytes:
        if self._ended:
            return b""
        try:
            # What there is: `read` would lose what comes before the damage.
            data = self._stream.read1(min(most, AT_ONCE))
        except (*_DAMAGED, OSError) as error:
            if isinstance(error, OSError) and error.errno:  # the disk, not the data
                raise
            self._damage.append(FormatError(f"{self._name}: the file is damaged: {error}"))
            self._ended = True
            return b""
        if self._room is not None:
            self._room.take(len(data), self._name)
        return data


_MAGIC: dict[bytes, Callable[[io.BufferedReader[_Onward]], io.BufferedIOBase]] = {
    b"\xfd7zXZ\0": lzma.LZMAFile,
    b"\x1f\x8b": lambda stream: gzip.GzipFile(fileobj=stream),
    b"BZh": bz2.BZ2File,
}


def _unpack(
    name: str, stream: io.BufferedIOBase, damage: list[FormatError], layers: int, room: _Room
) -> Iterator[Unpacked]:
    """The text files in `stream`, which may be packed in so many layers."""
    is_packed = layers < MOST_LAYERS
    buffered = io.BufferedReader(_Onward(name, stream, damage, room if is_packed else None), HEAD)
    head = buffered.peek(HEAD)
    decompress = next((each for magic, each in _MAGIC.items() if head.startswith(magic)), None)
    is_archive = head[257:262] == b"ustar"
    if (decompress or is_archive) and not layers:
        raise FormatError(f"{name}: more than {MOST_LAYERS} compressed files or archives, one in the other")
    if decompress:
        yield from _unpack(name, decompress(buffered), damage, layers - 1, room)
        return
    if is_archive:
        yield from _unpack_archive(name, buffered, damage, layers - 1, room)
        return
    if damage and not head:
        raise damage[0]
    text = head.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    yield Unpacked(name, text, io.TextIOWrapper(buffered, encoding="utf-8-sig", errors="replace"), damage)


class _Member(tarfile.TarInfo):
    """A member whose header must be whole: `tarfile` takes any that it cannot read for the end of the archive."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if any(buf):  # zeros are the end
                raise tarfile.ReadError(str(error)) from None
            raise


def _unpack_archive(
    name: str, stream: io.BufferedReader[_Onward], damage: list[FormatError], layers: int, room: _Room
) -> Iterator[Unpacked]:
    """The text files of a tar archive, read as a stream: in its own order, and nothing is held.

    Those that come after a damaged one are read; what is wrong with one of which nothing is left is told at the end.
    """
    lost: list[FormatError] = []
    own: list[FormatError] = []  # the damage of the last member, which its reader is told
    try:
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive:
            for member in archive:
                inner = archive.extractfile(member) if member.isfile() else None
                if inner:
                    own = []
                    try:
                        inside = cast(io.BufferedReader, inner)
                        yield from _unpack(f"{name}/{member.name}", inside, own, layers, room)
                    except FormatError as error:
                        lost.append(error)
        while stream.read(HEAD):  # the checksum of a compressed archive comes last
            pass
    except tarfile.TarError as error:
        lost += [] if own else [FormatError(f"{name}: the archive is damaged: {error}")]
    lost += [] if own else damage
    if lost:
        raise lost[0]


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


def _read_irc(lines: TextIO, source: str, game: Game | None, strict: bool) -> Iterator[Event]:
    from kibitz.io.irc import read_irc

    return read_irc(lines, source, strict)


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
            yield Note(*_parted(error, source), unplayed=True)
            continue
        yield Refusal(error.hand, *_parted(error, source))


def _parted(error: KibitzError, source: str) -> tuple[str, str]:
    """Where in a source an error is, as far as it says, and what is wrong."""
    line = re.match(rf"{re.escape(source)}:[0-9]+(?=: )", str(error))
    where = line[0] if line else source
    return where, str(error).removeprefix(f"{where}: ")


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
    "irc": Format(re.compile(r"^\s*\d{6,}(?:\s+\d+){3}(?:\s+\d+/\d+){4}(?:\s|$)", re.MULTILINE), _read_irc),
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
    wanted = [paths] if isinstance(paths, Path | str) or not isinstance(paths, Iterable) else list(paths)
    for path in wanted:
        if not isinstance(path, Path | str):
            raise FormatError(f"{path!r} is not a path of hand histories: give a text or a Path, or a list of them")
        try:
            os.stat(path)
        except PermissionError:  # which is told where the file is opened
            pass
        except (OSError, ValueError):
            raise FormatError(f"{cut(str(path))}: no such file or folder") from None
    return _read_records(wanted, game, unplayed, besides)


def _read_records(
    paths: list[Path | str],
    game: Game | None,
    unplayed: Callable[[str], None] | None,
    besides: Callable[[list[str]], None] | None,
) -> Iterator[HandRecord]:
    for path in paths:
        for source in open_sources(path):
            if source.format:
                for event in read_events(source, game, strict=unplayed is None):
                    if type(event) is HandRecord:
                        yield event
                    elif isinstance(event, Refusal):
                        raise FormatError(f"{event.source}: {event.reason}")
                    elif isinstance(event, Note):
                        if unplayed and event.unplayed:
                            unplayed(str(event))
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
    yield Note(*_parted(trouble, source.name), unplayed=True)


def open_sources(path: Path | str, most_bytes: int | None = None) -> Iterator[Source]:
    """The text files at `path`, unpacked: a file is one, an archive or a folder all it holds, in order of names.

    most_bytes   that each file may unpack to
    """
    path = Path(path)
    any_hands = False
    for inner in files_in(path) if path.is_dir() else [path]:
        for source in open_file(inner, most_bytes):
            any_hands = any_hands or bool(source.format)
            yield source
    if not any_hands and path.is_dir():
        raise UnknownFormatError(f"{path}: no hand histories found")
    if not any_hands:
        raise UnknownFormatError(
            f"{path}: not a hand history; known are {', '.join(FORMATS)}, also compressed or in tar files"
        )


def files_in(folder: Path) -> list[Path]:
    """All files in `folder` and in the folders within, in order of names; without those that an `hdb` is read with."""
    return sorted(item for item in folder.rglob("*") if item.is_file() and not _is_part_of_irc(item))


def _is_part_of_irc(path: Path) -> bool:
    """Whether a file has the players of an IRC database, of which there may be thousands."""
    if path.name != "hroster" and not path.name.startswith("pdb."):
        return False
    return (path.parent / "hdb").is_file() or (path.parent.name == "pdb" and (path.parent.parent / "hdb").is_file())


def open_file(path: Path, most_bytes: int | None = None) -> Iterator[Source]:
    """The text files in the file `path`, of whatever format; raises for one so damaged that its format is lost.

    most_bytes   that it may unpack to
    """
    lost: list[FormatError] = []
    try:
        for name, head, lines, damage in unpack(path, most_bytes):
            found = next((key for key, compiled in FORMATS.items() if compiled.looks_like.search(head)), "")
            if found or not damage:
                yield Source(name, found, lines, damage)
            else:
                lost += damage
    except FormatError as error:
        lost.append(error)
    if lost:
        raise FormatError(f"{lost[0]} (and {len(lost) - 1} more)" if len(lost) > 1 else str(lost[0]))

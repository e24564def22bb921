"""Text files out of compressed files and archives, told by their first bytes, however deep they lie."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Self, TextIO, cast

from kibitz.errors import FormatError

HEAD = 1 << 16  # bytes looked at to tell what a file is
AT_ONCE = 1 << 12  # bytes read from a compressed file or archive: as many may be lost where it is cut
MOST_LAYERS = 16  # compressed files and archives, one in the other: more is an accident or an attack
_DAMAGED = (lzma.LZMAError, EOFError, zlib.error, tarfile.TarError)


class Unpacked(NamedTuple):
    """A text file: its name, how it begins, its lines up to the end or to its damage, which is told then."""

    name: str
    head: str
    lines: TextIO
    damage: list[FormatError]


def unpack(path: Path) -> Iterator[Unpacked]:
    """The text files in the file `path`; each is to be read before the next is asked for."""
    with path.open("rb") as stream:
        yield from _unpack(str(path), stream, [], MOST_LAYERS)


class _Onward(io.RawIOBase):
    """A stream that is only ever read on, as compressed streams and archives want to be; damage ends it."""

    def __init__(self, name: str, stream: io.BufferedIOBase, damage: list[FormatError]) -> None:
        self._name, self._stream, self._damage = name, stream, damage
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
            return self._stream.read1(min(most, AT_ONCE))
        except (*_DAMAGED, OSError) as error:
            if isinstance(error, OSError) and error.errno:  # the disk, not the data
                raise
            self._damage.append(FormatError(f"{self._name}: the file is damaged: {error}"))
            self._ended = True
            return b""


_MAGIC: dict[bytes, Callable[[io.BufferedReader[_Onward]], io.BufferedIOBase]] = {
    b"\xfd7zXZ\0": lzma.LZMAFile,
    b"\x1f\x8b": lambda stream: gzip.GzipFile(fileobj=stream),
    b"BZh": bz2.BZ2File,
}


def _unpack(name: str, stream: io.BufferedIOBase, damage: list[FormatError], layers: int) -> Iterator[Unpacked]:
    """The text files in `stream`, which may be packed in so many layers."""
    buffered = io.BufferedReader(_Onward(name, stream, damage), HEAD)
    head = buffered.peek(HEAD)
    decompress = next((each for magic, each in _MAGIC.items() if head.startswith(magic)), None)
    is_archive = head[257:262] == b"ustar"
    if (decompress or is_archive) and not layers:
        raise FormatError(f"{name}: more than {MOST_LAYERS} compressed files or archives, one in the other")
    if decompress:
        yield from _unpack(name, decompress(buffered), damage, layers - 1)
        return
    if is_archive:
        yield from _unpack_archive(name, buffered, damage, layers - 1)
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
    name: str, stream: io.BufferedReader[_Onward], damage: list[FormatError], layers: int
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
                        yield from _unpack(f"{name}/{member.name}", cast(io.BufferedReader, inner), own, layers)
                    except FormatError as error:
                        lost.append(error)
        while stream.read(HEAD):  # the checksum of a compressed archive comes last
            pass
    except tarfile.TarError as error:
        lost += [] if own else [FormatError(f"{name}: the archive is damaged: {error}")]
    lost += [] if own else damage
    if lost:
        raise lost[0]

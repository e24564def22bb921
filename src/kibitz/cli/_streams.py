"""Standard output and standard error: nobody reading them, everything that is written getting through, and no orders.

Names of players, of files and of members of archives are anybody's, and a terminal takes orders from them: to clear
lines, to change its title, to write from right to left. All that the commands print goes through `Shown`, which writes
such characters as `\\x1b`, and replaces those that an encoding does not have; only what tables and bars themselves
need to draw goes past it (`kibitz.cli._console`).
"""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from contextlib import suppress
from typing import Any, TextIO, cast

import click

# All of C0 but tab and line ends, DEL, C1, and what separates lines or turns the direction of writing.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\r(?!\n)")
NEAREST = "kibitz-nearest"  # what to do with characters that an encoding does not have, for `codecs`
PYTHONS_CHOICE = ("strict", "backslashreplace", "surrogateescape")  # where the user has made none
_LIKE = dict(
    zip(
        "\u2212\u2013\u2014\u2026\u00b1\u00d7\u00b7\u2265\u2264\u2192\u2022\u2500\u2501\u2550\u2502\u2018\u2019\u201c\u201d\u2663\u2666\u2665\u2660",
        ("-", "-", "-", "...", "+/-", "x", ".", ">=", "<=", "->", "*", "-", "-", "=", "|", "'", "'", '"', '"', *"cdhs"),
        strict=True,
    )
)


def printable(text: str) -> str:
    """`text` with control characters written out.

    >>> printable("\\x1b[2Jann")
    '\\\\x1b[2Jann'
    """
    return CONTROLS.sub(lambda match: repr(match[0])[1:-1], text) if CONTROLS.search(text) else text


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    told = "".join([_LIKE.get(character, "?") for character in error.object[error.start : error.end]])
    return told, error.end


codecs.register_error(NEAREST, _nearest)


class Shown:
    """A text stream for people: control characters are written out, and what cannot be encoded is replaced.

    Everything but writing is that of the stream behind.
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream  # where `rich` writes: it looks for this name
        if getattr(stream, "errors", "") in PYTHONS_CHOICE:
            stream.reconfigure(errors=NEAREST)  # type: ignore[attr-defined]

    @property
    def encoding(self) -> str:
        """That of the stream; Click would go round a stream that calls itself ASCII."""
        encoding = self.rich_proxied_file.encoding or "utf-8"
        return "latin-1" if codecs.lookup(encoding).name == "ascii" else encoding

    def write(self, text: str) -> int:
        """Write `text` as it may be shown."""
        return self.rich_proxied_file.write(printable(text))

    def writelines(self, lines: Any) -> None:
        """Write all of `lines`."""
        self.write("".join(lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


def bare(stream: TextIO) -> TextIO:
    """The stream behind `stream`, for what is no text for people."""
    behind: TextIO = getattr(stream, "rich_proxied_file", stream)
    return behind


def check_streams() -> None:
    """Refuse to work where nobody gets the result; messages that nobody reads are dropped.

    Characters that the terminal's encoding does not have are replaced, both ways.
    """
    if sys.stdout is None:
        raise click.UsageError("cannot write standard output: it is closed", ctx=None)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs
    sys.stdout = _shown(_buffered(sys.stdout))
    sys.stderr = _shown(sys.stderr)
    if getattr(sys.stdin, "errors", "") in PYTHONS_CHOICE:
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]


def _shown(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, Shown) else cast(TextIO, Shown(stream))


def _buffered(stream: TextIO) -> TextIO:
    """`stream` with a buffer, where PYTHONUNBUFFERED has left it without.

    Such a stream takes a text that is written in part for written, so that a reader who leaves goes unnoticed.
    """
    raw = getattr(stream, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        return stream
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, stream.errors, write_through=True)


def drop(stream: TextIO) -> None:
    """Let what `stream` holds and gets from now on go nowhere; Python would try once more at the end, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError):  # no file of the system lies behind it
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def drop_stuck(stream: TextIO) -> None:
    """The same, if what `stream` holds cannot be written."""
    try:
        stream.flush()
    except OSError:
        drop(stream)


def tell(text: str, nl: bool = True) -> None:
    """Print `text` on standard error, if anybody is there to read it: what is under way goes on without."""
    try:
        click.echo(text, err=True, nl=nl)
    except OSError:
        drop(sys.stderr)

"""A socket that speaks lines, with deadlines and bounded memory: what an ACPC dealer and its players share."""

from __future__ import annotations

import socket
import time
from contextlib import suppress

# The longest line that a dealer reads, as the original one. The longest state of a ten-player no-limit game stays below
# it by the rules of the ACPC, which end rounds of endless raises; TDA rules do not.
MAX_LINE = 4096
LONG_LINE = 1 << 16
END_OF_LINE = b"\r\n"


class LineBuffer:
    """Bytes in, lines out, whatever the pieces they arrive in.

    >>> buffer = LineBuffer()
    >>> buffer.feed(b"VERSION:2.0.0\\r\\nMATCH")
    >>> buffer.take(), buffer.take()
    (b'VERSION:2.0.0', None)
    """

    def __init__(self, longest: int = MAX_LINE) -> None:
        self._bytes = b""
        self._longest = longest

    def feed(self, piece: bytes) -> None:
        """Add what has arrived. Take all lines out before feeding more: then at most a line and a piece are kept."""
        self._bytes = self._bytes + piece if self._bytes else piece

    def take(self) -> bytes | None:
        """The next line without its ending, or None. A line longer than `longest` comes in pieces of that length."""
        end = self._bytes.find(b"\n", 0, self._longest)
        if end < 0:
            if len(self._bytes) < self._longest:
                return None
            line, self._bytes = self._bytes[: self._longest], self._bytes[self._longest :]
            return line
        line, self._bytes = self._bytes[:end], self._bytes[end + 1 :]
        return line.removesuffix(b"\r")


class Connection:
    """One end of a connection, of TCP or within a machine, that speaks lines.

    Deadlines are times of `time.monotonic`, None for none.
    Raises `TimeoutError` past a deadline, and another `OSError` when the other side is gone.
    """

    def __init__(self, peer: socket.socket, longest: int = MAX_LINE) -> None:
        if peer.family in (socket.AF_INET, socket.AF_INET6):  # the others stay on one machine
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # a machine that vanished is noticed in the end
        self.peer = peer
        self._buffer = LineBuffer(longest)
        self._unsent = b""

    def send(self, line: str, deadline: float | None = None, *, more: bool = False) -> None:
        """Send `line` and its ending; waits while the other side does not read.

        more : another line follows at once, so both go out together (a send costs more than anything else here)
        """
        self._unsent += line.encode() + END_OF_LINE
        if not more:
            self.peer.settimeout(seconds_left(deadline))
            self.peer.sendall(self._unsent)
            self._unsent = b""

    def receive(self, deadline: float | None = None) -> bytes:
        """The next line without its ending."""
        while (line := self._buffer.take()) is None:
            self.fetch(deadline)
        return line

    def fetch(self, deadline: float | None = None) -> None:
        """Wait until something arrives and take it in."""
        self.peer.settimeout(seconds_left(deadline))
        piece = self.peer.recv(MAX_LINE)
        if not piece:
            raise ConnectionResetError("the connection was closed")
        self._buffer.feed(piece)

    def take(self) -> bytes | None:
        """A line that has already been taken in, or None."""
        return self._buffer.take()

    def close(self) -> None:
        """Say goodbye and let go; harmless when the other side is already gone."""
        with suppress(OSError):
            self.peer.shutdown(socket.SHUT_WR)
        self.peer.close()


def seconds_left(deadline: float | None) -> float | None:
    """What a socket may still wait; `TimeoutError` when nothing is left."""
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("no time is left")
    return left

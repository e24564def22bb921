"""Filling the chairs: one listening port per seat, and the handshake that wins a seat."""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections.abc import Callable, Sequence

from kibitz.agents.connection import MAX_LINE, Connection, seconds_left
from kibitz.errors import AgentError, KibitzError

VERSION = (2, 0, 0)
_VERSION_LINE = re.compile(rb"VERSION:(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
# Who may stand before one chair at a time: enough for stray connections, too few to run out of descriptors.
MAX_WAITING = 16

Warn = Callable[[str], None]


def listen(host: str, ports: Sequence[int]) -> list[socket.socket]:
    """A listening socket per seat; port 0 lets the system choose."""
    listeners: list[socket.socket] = []
    for port in ports:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            listeners.append(socket.create_server((host, port), family=family))
        except (OSError, OverflowError) as error:
            for listener in listeners:
                listener.close()
            raise KibitzError(f"cannot listen on {host} port {port}: {error}") from None
    return listeners


class Seating:
    """Gives each seat to the first who connects to its port and says `VERSION:2.0.0`.

    Whoever leaves before that, or says something else, costs nobody the seat; when it is taken its port closes.
    """

    def __init__(self, listeners: Sequence[socket.socket], warn: Warn, longest: int = MAX_LINE) -> None:
        self._listeners = listeners
        self._warn = warn
        self._longest = longest  # line, in bytes
        self._waiting: list[list[Connection]] = [[] for _ in listeners]
        self._seated: dict[int, Connection] = {}
        self._selector = selectors.DefaultSelector()

    def fill(self, deadline: float | None) -> list[Connection]:
        """The connections by seat; `AgentError` if a seat is still empty at `deadline` (of `time.monotonic`)."""
        try:
            for seat, listener in enumerate(self._listeners):
                listener.setblocking(False)
                self._selector.register(listener, selectors.EVENT_READ, (seat, None))
            while len(self._seated) < len(self._listeners):
                self._serve(deadline)
            return [self._seated[seat] for seat in range(len(self._listeners))]
        except BaseException:
            for connection in self._seated.values():
                connection.close()
            raise
        finally:
            for seat in range(len(self._listeners)):
                self._close_door(seat)
            self._selector.close()

    def _serve(self, deadline: float | None) -> None:
        """Wait for something to happen and deal with it."""
        try:
            events = self._selector.select(seconds_left(deadline))
        except TimeoutError:
            empty = ", ".join(str(seat + 1) for seat in range(len(self._listeners)) if seat not in self._seated)
            raise AgentError(f"nobody took seat {empty} in time") from None
        for key, _ in events:
            seat, connection = key.data
            if seat in self._seated:
                continue  # taken a moment ago, this door is closed
            if connection is None:
                self._admit(seat)
            else:
                self._hear(seat, connection)

    def _admit(self, seat: int) -> None:
        """Let the next one in who knocks on the port of `seat`."""
        try:
            peer, _ = self._listeners[seat].accept()
        except OSError:  # gone again
            return
        if len(self._waiting[seat]) >= MAX_WAITING:
            self._dismiss(seat, self._waiting[seat][0])
        connection = Connection(peer, self._longest)
        self._waiting[seat].append(connection)
        self._selector.register(peer, selectors.EVENT_READ, (seat, connection))

    def _hear(self, seat: int, connection: Connection) -> None:
        """Listen to one who stands before `seat`."""
        try:
            connection.fetch(time.monotonic() + 1.0)  # there is something to read: this does not wait
        except OSError:
            self._warn(f"seat {seat + 1}: somebody connected and left before the handshake")
            self._dismiss(seat, connection)
            return
        line = connection.take()
        if line is None:
            return
        version = _VERSION_LINE.match(line)
        if version is None:
            self._warn(f"seat {seat + 1}: {line[:40]!r} instead of 'VERSION:2.0.0', turned away")
            self._dismiss(seat, connection)
            return
        major, minor = int(version[1]), int(version[2])
        if major != VERSION[0] or minor > VERSION[1]:
            self._warn(f"seat {seat + 1}: speaks version {major}.{minor}, this dealer 2.0; going on")
        self._waiting[seat].remove(connection)
        self._selector.unregister(connection.peer)
        self._seated[seat] = connection
        self._close_door(seat)

    def _dismiss(self, seat: int, connection: Connection) -> None:
        self._waiting[seat].remove(connection)
        self._selector.unregister(connection.peer)
        connection.close()

    def _close_door(self, seat: int) -> None:
        """Close the port of `seat` and send everybody away who waits there."""
        for connection in list(self._waiting[seat]):
            self._dismiss(seat, connection)
        listener = self._listeners[seat]
        if listener.fileno() >= 0:
            if listener in self._selector.get_map():
                self._selector.unregister(listener)
            listener.close()

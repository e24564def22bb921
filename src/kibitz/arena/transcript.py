"""Who said what when: the messages of a match as the original dealer prints them, and its transaction file."""

from __future__ import annotations

import time
from collections.abc import Callable

Write = Callable[[str], object]
# Bytes, read as Latin-1, that a terminal might obey.
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


class Transcript:
    """Writes down a match; seats are counted from 0 here and from 1 in the text, times are seconds since 1970.

    messages       gets `TO 1 at <time> MATCHSTATE:...` and `FROM 1 at <time> ...`, ending in CR LF as on the wire
    transactions   gets `<action> <hand> <time sent> <time answered>` for every action played, without the line's end
    """

    def __init__(self, messages: Write | None = None, transactions: Write | None = None) -> None:
        self._messages = messages
        self._transactions = transactions

    def note(self, event: str) -> None:
        """`event` (STARTED, FINISHED) happened now."""
        if self._messages:
            self._messages(f"{event} at {time.time():.6f}\n")

    def sent(self, seat: int, message: str, at: float) -> None:
        """`message` went to `seat`."""
        if self._messages:
            self._messages(f"TO {seat + 1} at {at:.6f} {message}\r\n")

    def received(self, seat: int, line: str, at: float) -> None:
        """`line` came from `seat`."""
        if self._messages:
            self._messages(f"FROM {seat + 1} at {at:.6f} {line.translate(_ESCAPES)}\r\n")

    def played(self, action: str, hand: int, sent: float, answered: float) -> None:
        """`action` was played, after the ruling on it."""
        if self._transactions:
            self._transactions(f"{action} {hand} {sent:.6f} {answered:.6f}")

"""The ACPC dealer over TCP: a port per seat, time limits, and the match between.

>>> from kibitz.arena.plan import MatchPlan
>>> from kibitz.games import load_game
>>> with Dealer(MatchPlan(load_game("leduc"), hands=100, seed=1, names=("ann", "bob"))) as dealer:
...     len(dealer.ports)
2
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Self

from kibitz.agents.connection import LONG_LINE, MAX_LINE, Connection
from kibitz.arena.plan import MatchPlan, TimeLimits
from kibitz.arena.referee import Referee, Ruling, conduct
from kibitz.arena.seating import Seating, Warn, listen
from kibitz.errors import AgentError, KibitzError
from kibitz.io.acpc import Score

_LOGGER = logging.getLogger(__name__)
LOOPBACK = "127.0.0.1"
# Lines that answer nothing, comments included, before a seat is given up: far more than an honest player sends
# out of turn, few enough that a flood is soon over.
MAX_IGNORED = 1000
Write = Callable[[str], object]
# Bytes, read as Latin-1, that a terminal might obey.
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


class Clock:
    """What one seat has used of its time, in seconds.

    >>> clock = Clock(TimeLimits(response=2000, hand=3000, per_hand=1000), hands=10)
    >>> clock.start_hand(0)
    >>> clock.charge(2.0)
    >>> clock.allowance
    1.0
    """

    def __init__(self, limits: TimeLimits, hands: int) -> None:
        self._response = limits.response / 1000
        self._per_hand = limits.hand / 1000
        self._match_left = limits.per_hand * hands / 1000
        self._hand_left = self._per_hand
        self._hand = -1

    @property
    def allowance(self) -> float:
        """How long the seat may take now."""
        return max(min(self._response, self._hand_left, self._match_left), 0.0)

    def start_hand(self, hand: int) -> None:
        """Wind the clock of the hand if `hand` is a new one."""
        if hand != self._hand:
            self._hand = hand
            self._hand_left = self._per_hand

    def charge(self, seconds: float) -> None:
        """Take `seconds` off."""
        self._hand_left -= seconds
        self._match_left -= seconds


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


class RemoteSeat:
    """A seat whose player sits behind a connection. Raises `AgentError` when the player is lost."""

    def __init__(self, seat: int, plan: MatchPlan, connection: Connection, transcript: Transcript, warn: Warn) -> None:
        self._seat = seat
        self._who = f"seat {seat + 1} ({plan.names[seat]})"
        self._connection = connection
        self._clock = Clock(plan.limits, plan.hands)
        self._transcript = transcript
        self._warn = warn
        self._hand = 0
        self._told = self._heard = 0.0  # seconds since 1970

    def tell(self, hand: int, message: str, more: bool) -> None:
        """Send a state; a player who does not read pays for the wait."""
        self._hand = hand
        self._clock.start_hand(hand)
        begun = time.monotonic()
        try:
            self._connection.send(message, begun + self._clock.allowance, more=more)
        except OSError as error:
            raise self._lost(error, "read what it was sent") from None
        self._clock.charge(time.monotonic() - begun)
        self._told = time.time()
        self._transcript.sent(self._seat, message, self._told)

    def ask(self, rule: Callable[[str], Ruling]) -> str:
        """Wait for an answer; lines that answer nothing are passed over."""
        begun = time.monotonic()
        deadline = begun + self._clock.allowance
        warned = False
        for _ in range(MAX_IGNORED):
            line = self._receive(deadline)
            if line[:1] in ("#", ";"):
                continue
            action, warning = rule(line)
            if action is not None:
                if warning:
                    self._warn(f"{self._who}: {warning}")
                self._clock.charge(time.monotonic() - begun)
                self._transcript.played(action, self._hand, self._told, self._heard)
                return action
            if not warned:  # one warning an answer: a flood of lines must not become a flood of warnings
                warned = True
                self._warn(f"{self._who}: {warning}, ignored")
        raise AgentError(f"{self._who} sent {MAX_IGNORED} lines that answer nothing")

    def _receive(self, deadline: float) -> str:
        try:
            line = self._connection.receive(deadline).decode("latin-1")
        except OSError as error:
            raise self._lost(error, "answered") from None
        self._heard = time.time()
        self._transcript.received(self._seat, line, self._heard)
        return line

    def _lost(self, error: OSError, duty: str) -> AgentError:
        if isinstance(error, TimeoutError):
            return AgentError(f"{self._who} ran out of time: it has not {duty} for {self._clock.allowance:.3g} s")
        return AgentError(f"{self._who} is gone: {error}")


class Dealer:
    """Listens from the moment it is made; `run` seats the players and plays the match.

    host, ports     where to listen, one port per seat; 0 lets the system choose
    start_seconds   how long the players have to connect and say their version; None waits for ever
    transcript      gets every message
    warn            gets a sentence about everything odd that does not end the match
    """

    def __init__(
        self,
        plan: MatchPlan,
        *,
        host: str = LOOPBACK,
        ports: Sequence[int] = (),
        start_seconds: float | None = 10.0,
        transcript: Transcript | None = None,
        warn: Warn = _LOGGER.warning,
    ) -> None:
        if ports and len(ports) != plan.game.players:
            raise KibitzError(f"{len(ports)} ports: {plan.game.players} are needed, one per seat")
        self.plan = plan
        self._start_seconds = start_seconds
        self._transcript = transcript or Transcript()
        self._warn = warn
        self._listeners = listen(host, ports or (0,) * plan.game.players)
        self.ports: tuple[int, ...] = tuple(listener.getsockname()[1] for listener in self._listeners)

    def run(self, record: Callable[[str], None]) -> Score:
        """Play the match; `record` gets the lines of the log as they come. `AgentError` when a player is lost."""
        deadline = None if self._start_seconds is None else time.monotonic() + self._start_seconds
        longest = LONG_LINE if self.plan.game.rules == "tda" else MAX_LINE
        connections = Seating(self._listeners, self._warn, longest).fill(deadline)
        seats = [
            RemoteSeat(seat, self.plan, connection, self._transcript, self._warn)
            for seat, connection in enumerate(connections)
        ]
        try:
            self._transcript.note("STARTED")
            record(self.plan.opening)
            score = conduct(Referee(self.plan), seats, record)
            self._transcript.note("FINISHED")
            return score
        finally:
            for connection in connections:
                connection.close()

    def close(self) -> None:
        """Stop listening."""
        for listener in self._listeners:
            listener.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

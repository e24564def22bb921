"""A dealer in a thread, and a bare socket that speaks the protocol, for tests."""

import socket
import threading
from contextlib import suppress

from kibitz.agents import load_agent
from kibitz.agents.remote import play_remote
from kibitz.arena.plan import MatchPlan, TimeLimits
from kibitz.arena.server import Dealer
from kibitz.errors import KibitzError
from kibitz.games import load_game

PATIENCE = 30.0  # seconds before a test that hangs is called a failure


class Table:
    """Deals a match in a thread from the moment it is made; `finish` waits for its end."""

    def __init__(self, game="leduc", hands=20, seed=0, limits=(), fixed_seats=False, start_seconds=60, transcript=None):
        self.game = load_game(game)
        names = tuple(f"p{seat + 1}" for seat in range(self.game.players))
        self.plan = MatchPlan(self.game, hands, seed, names, fixed_seats=fixed_seats, limits=TimeLimits(*limits))
        self.log: list[str] = []
        self.warnings: list[str] = []
        self.error: KibitzError | None = None
        self.score = None
        self._dealer = Dealer(self.plan, start_seconds=start_seconds, warn=self.warnings.append, transcript=transcript)
        self.ports = self._dealer.ports
        self._results: dict[int, object] = {}
        self._threads = [threading.Thread(target=self._run, daemon=True)]
        self._threads[0].start()

    def _run(self) -> None:
        with self._dealer:
            try:
                self.score = self._dealer.run(self.log.append)
            except KibitzError as error:
                self.error = error

    def seat(self, seat: int, agent: str, seed: int = 0) -> None:
        """Put a Kibitz agent on `seat`."""

        def play() -> None:
            try:
                self._results[seat] = play_remote(load_agent(agent), self.game, ("127.0.0.1", self.ports[seat]), seed)
            except (KibitzError, OSError) as error:
                self._results[seat] = error

        self._threads.append(threading.Thread(target=play, daemon=True))
        self._threads[-1].start()

    def finish(self) -> dict[int, object]:
        """Wait for the dealer and the agents; what `play_remote` gave or raised, by seat."""
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the dealer or a player hangs"
        return self._results

    @property
    def hands(self) -> list[str]:
        """The hands in the log."""
        return [line for line in self.log if line.startswith("STATE:")]


class Wire:
    """A socket that has said its version, if that is wanted."""

    def __init__(self, port: int, greeting: bytes = b"VERSION:2.0.0\r\n") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(PATIENCE)
        self.send(greeting)
        self._lines = self.socket.makefile("rb")

    def line(self) -> str:
        """The next line, "" when the dealer has hung up."""
        try:
            line = self._lines.readline()
        except ConnectionResetError:
            return ""
        assert not line or line.endswith(b"\r\n")
        return line.decode().removesuffix("\r\n")

    def send(self, data: bytes) -> None:
        """Send bytes, whether or not anybody is there."""
        with suppress(OSError):
            self.socket.sendall(data)

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self.socket.close()

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

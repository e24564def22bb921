"""`kibitz dealer`: an ACPC match for programs that connect over TCP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

import click

from kibitz.arena.plan import DEFAULT_LIMITS, MatchPlan, TimeLimits
from kibitz.arena.server import LOOPBACK, Dealer
from kibitz.arena.transcript import Transcript
from kibitz.cli._output import plain
from kibitz.errors import AgentError
from kibitz.games import load_game

MILLISECONDS = click.IntRange(1, 10**9)


class MatchLog:
    """The file of a match, opened with its first line and written through after every hand.

    A match that nobody came to leaves an older log alone, and one that breaks off keeps the hands played.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None
        self.hands = 0

    def write(self, line: str) -> None:
        """Add a line."""
        if self._file is None:
            self._file = self._path.open("w")
        self._file.write(line + "\n")
        self._file.flush()
        self.hands += line.startswith("STATE:")

    def close(self) -> None:
        """Let the file go."""
        if self._file:
            self._file.close()


def read_ports(_context: click.Context, _option: click.Parameter, text: str) -> tuple[int, ...]:
    """The ports of `5000,5001`; () for the empty text."""
    try:
        ports = tuple(int(word) for word in text.split(",")) if text else ()
    except ValueError:
        raise click.BadParameter(f"{text!r}: numbers separated by commas, one per seat") from None
    if not all(0 <= port < 2**16 for port in ports):
        raise click.BadParameter(f"{text!r}: ports lie between 0 and {2**16 - 1}")
    return ports


@click.command()
@click.argument("game")
@click.argument("hands", type=click.IntRange(min=1))
@click.argument("seed", type=click.IntRange(0, 2**32 - 1))
@click.argument("names", nargs=-1, required=True)
@click.option("--match-name", help="Name of the match in its log.  [default: GAME.hHANDS.rSEED]")
@click.option("--ports", default="", callback=read_ports, help="Ports by seat, as 5000,5001; 0 is any free one.")
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False), help="Where to log.  [default: MATCH-NAME.log]")
@click.option("--transcript", is_flag=True, help="Print every message on standard error.")
@click.option("--transactions", type=click.File("w"), help="Write every action with its times here (.tlog).")
@click.option("--fixed-seats", is_flag=True, help="Do not move the button.")
@click.option("--t-response", default=DEFAULT_LIMITS.response, show_default=True, type=MILLISECONDS, help="ms an answer.")
@click.option("--t-hand", default=DEFAULT_LIMITS.hand, show_default=True, type=MILLISECONDS, help="ms a seat and hand.")
@click.option(
    "--t-per-hand",
    default=DEFAULT_LIMITS.per_hand,
    show_default=True,
    type=MILLISECONDS,
    help="ms a seat and hand, on average over the match.",
)
@click.option(
    "--start-timeout",
    default=10_000,
    show_default=True,
    type=click.IntRange(-1, 10**9),
    help="ms for all players to connect; -1 waits for ever.",
)
@click.option("--host", default=LOOPBACK, show_default=True, help="Address to listen on; 0.0.0.0 lets others in.")
@click.option("--quiet", is_flag=True, help="Nothing on standard error but warnings and errors.")
@click.option("--json", "as_json", is_flag=True, help='Print {"ports": [...]} and the result as lines of JSON.')
def dealer(
    game: str,
    hands: int,
    seed: int,
    names: tuple[str, ...],
    match_name: str | None,
    ports: tuple[int, ...],
    log: Path | None,
    transcript: bool,
    transactions: TextIO | None,
    fixed_seats: bool,
    t_response: int,
    t_hand: int,
    t_per_hand: int,
    start_timeout: int,
    host: str,
    quiet: bool,
    as_json: bool,
) -> None:
    """Deal HANDS hands of GAME to programs that speak the ACPC protocol, one of the NAMES on each seat.

    The first line on standard output gives the port of every seat; when all players have connected the match
    begins. SEED decides the cards, the same ones as the original dealer deals. The log grows hand by hand: if a
    player is lost, the hands already played are in it, and the exit status is 1.
    """
...

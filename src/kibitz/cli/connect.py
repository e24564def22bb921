"""`kibitz acpc connect`: an agent on somebody's dealer."""

from __future__ import annotations

import click

from kibitz.agents import load_agent
from kibitz.agents.remote import SILENCE_SECONDS, START_SECONDS, play_remote
from kibitz.amounts import plural
from kibitz.cli._guests import guests
from kibitz.cli._options import in_seconds, seed_option, timeout_option
from kibitz.cli._output import print_json
from kibitz.games import load_game
from kibitz.io.acpc import format_value


@click.command()
@click.argument("agent")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 2**16 - 1))
@click.option(
    "--game",
    default="holdem-nolimit-2p",
    show_default=True,
    help="Game, by name or file; it must be the dealer's, since the protocol does not send it.",
)
@seed_option("Seed for the agent's randomness, combined with its position.")
@timeout_option(
    "--start-timeout",
    round(1000 * START_SECONDS),
    "Longest wait for the other players and the first state",
)
@timeout_option("--timeout", round(1000 * SILENCE_SECONDS), "Longest silence of the dealer during the match")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def connect(
    agent: str, host: str, port: int, game: str, seed: int, start_timeout: int, timeout: int, as_json: bool
) -> None:
    """Play AGENT on the ACPC dealer at HOST and PORT until the match is over.

    AGENT is a built-in name (random, always-call, ...), the folder of a strategy, a file of cases, or
    path/to/file.py:Class. It plays a few practice hands before it connects, so that loading and compiling take no time
    in the match.

    --timeout must exceed the dealer's limit for one answer of another player (10 minutes by default).
    """
    with guests():
        result = play_remote(
            load_agent(agent),
            load_game(game),
            (host, port),
            seed,
            start_seconds=in_seconds(start_timeout),
            silence_seconds=in_seconds(timeout),
        )
    if as_json:
        print_json(result._asdict())
    else:
        click.echo(f"{agent}: {format_value(result.chips)} chips in {result.hands} {plural(result.hands, 'hand')}")

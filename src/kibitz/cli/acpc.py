"""`kibitz acpc`: matches over TCP with the protocol of the ACPC, and the cards of its dealer."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import click

from kibitz.agents import load_agent
from kibitz.agents.remote import SILENCE_SECONDS, START_SECONDS, play_remote
from kibitz.amounts import plural
from kibitz.arena.chance import ACPC, KEYED, Chance
from kibitz.arena.match_log import LineFile, MatchLog
from kibitz.arena.plan import DEFAULT_LIMITS, MatchPlan, TimeLimits
from kibitz.arena.server import LOOPBACK, Dealer, Transcript
from kibitz.cli._errors import Interrupted
from kibitz.cli._guests import guests
from kibitz.cli._options import (
    DRAWN,
    MAX_HANDS,
    DealerSeed,
    MatchSeed,
    cards_option,
    in_seconds,
    seed_option,
    timeout_option,
)
from kibitz.cli._output import print_json
from kibitz.cli._streams import tell
from kibitz.errors import KibitzError
from kibitz.files import plain
from kibitz.games import format_deal, load_game
from kibitz.io.acpc import Score, format_value
from kibitz.random import is_secret, seed_text

Command = Callable[..., Any]


def read_ports(_context: click.Context, _option: click.Parameter, text: str) -> tuple[int, ...]:
    """The ports of `5000,5001`; () for the empty text."""
    words = text.split(",") if text else []
    if not all(word.isascii() and word.isdecimal() and len(word) < 6 and int(word) < 2**16 for word in words):
        raise click.BadParameter(f"{text!r}: numbers from 0 to {2**16 - 1} separated by commas, one per seat")
    return tuple(int(word) for word in words)


def milliseconds(name: str, default: int, text: str) -> Callable[[Command], Command]:
    """An option for a time limit."""
    return click.option(
        name, default=default, show_default=True, type=click.IntRange(1, 10**9), help=f"{text}, in milliseconds."
    )


@click.command()
@click.argument("game")
@click.argument("hands", type=click.IntRange(1, MAX_HANDS))
@click.argument("seed", type=DealerSeed())
@click.argument("names", nargs=-1, required=True)
@click.option("--match-name", help="Name of the match in the log.  [default: GAME.hHANDS.rSEED, or GAME.hHANDS")
@click.option(
    "-p",
    "--ports",
    default="",
    callback=read_ports,
    help="Port of each seat, such as 5000,5001; 0 for any free port.  [default: free ports]",
)
@click.option(
    "--log",
    "log_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for the log.  [default: MATCH-NAME.log]",
)
@click.option("--transcript", is_flag=True, help="Print every message on standard error.")
@click.option(
    "--transactions",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for every action with its times (.tlog).",
)
@click.option(
    "--overwrite", is_flag=True, help="Replace an existing log; without this option an existing log is an error."
)
@click.option("-f", "--fixed-seats", is_flag=True, help="Keep the button in place.")
@milliseconds("--t-response", DEFAULT_LIMITS.response, "Time limit for one answer")
@milliseconds("--t-hand", DEFAULT_LIMITS.hand, "Time limit for all answers of a seat in one hand")
@milliseconds("--t-per-hand", DEFAULT_LIMITS.per_hand, "Time limit per hand of a seat, averaged over the match")
@timeout_option("--start-timeout", 10_000, "Longest wait for all players to connect")
@click.option("--host", default=LOOPBACK, show_default=True, help="Address to listen on; 0.0.0.0 for all interfaces.")
@cards_option(ACPC)
@click.option("-q", "--quiet", is_flag=True, help="Print only warnings and errors on standard error.")
@click.option(
    "--json", "as_json", is_flag=True, help='Print {"ports": [...]} and then the result, one JSON document per line.'
)
def dealer(
    game: str,
    hands: int,
    seed: int,
    names: tuple[str, ...],
    match_name: str | None,
    ports: tuple[int, ...],
    log_path: Path | None,
    transcript: bool,
    transactions: Path | None,
    overwrite: bool,
    fixed_seats: bool,
    t_response: int,
    t_hand: int,
    t_per_hand: int,
    start_timeout: int,
    host: str,
    cards: str,
    quiet: bool,
    as_json: bool,
) -> None:
    """Run a match of HANDS hands of GAME for programs that speak the ACPC protocol. NAMES are the players by seat.

    The first line printed gives the port of each seat. The match begins when every player has connected. SEED gives
    the same cards as the original dealer, which a player can find out from a hand. Against strangers use --cards keyed
    and for SEED the word random: the seed is drawn, and told after the match. 32 hexadecimal digits repeat that match.

    The log grows hand by hand. If a player disconnects or the log cannot be written, the match is aborted with exit
    status 1, and the log keeps the hands played so far.
    """
    if not host:
        raise click.UsageError("--host is empty: give an address, such as 0.0.0.0 for all interfaces")
    if cards == KEYED and not is_secret(seed):
        raise click.UsageError(
            f"players can find seed {seed} by trying, and all cards with it: give {DRAWN}, or 32 hexadecimal digits"
        )
    if cards == ACPC and is_secret(seed):
        raise click.UsageError(f"--cards {ACPC} have seeds from 0 to {2**32 - 1}: give one, or --cards {KEYED}")
    seeded = f".r{seed}" if cards == ACPC else ""  # a seed of keyed cards is secret
    plan = MatchPlan(
        load_game(game),
        hands,
        seed,
        names,
        match_name=match_name or f"{_one_word(Path(game).stem if Path(game).is_file() else game)}.h{hands}{seeded}",
        game_name=game,
        fixed_seats=fixed_seats,
        limits=TimeLimits(t_response, t_hand, t_per_hand),
        cards=cards,
    )
    if len(set(names)) < len(names):
        tell("Warning: several players have the same name; the log cannot distinguish them")
    log_path = log_path or Path(f"{plan.match_name}.log")
    if transactions is not None and transactions.resolve() == log_path.resolve():
        raise click.UsageError(f"--transactions {transactions} is also the log of the match: give two different files")
    with (
        MatchLog(log_path, overwrite) as log,
        LineFile(transactions, overwrite) if transactions is not None else nullcontext() as actions,
        Dealer(
            plan,
            host=host,
            ports=ports,
            start_seconds=in_seconds(start_timeout),
            transcript=Transcript(partial(tell, nl=False) if transcript else None, actions.write if actions else None),
            warn=lambda text: tell(f"Warning: {text}"),
        ) as table,
    ):
        click.echo(json.dumps({"ports": table.ports}) if as_json else " ".join(map(str, table.ports)))
        if not quiet:
            tell(plan.opening)
        try:
            score = table.run(log.write)
        except (KibitzError, KeyboardInterrupt) as error:
            reason = str(error) or "interrupted"
            if as_json:
                click.echo(_result(plan, log, None, reason))
            kept = f"; {log.hands} of {hands} hands were played and are in {log.path}" if log.hands else ""
            if isinstance(error, KeyboardInterrupt):
                raise Interrupted(f"Interrupted{kept or '.'}") from None
            raise click.ClickException(f"{reason}{kept}") from None
    click.echo(_result(plan, log, score, None) if as_json else str(score))
    if cards == KEYED and not as_json:
        click.echo(f"seed {seed_text(seed)}")
    if not quiet:
        tell(str(score))


def _one_word(text: str) -> str:
    """`text` as it can stand in a log: a dash for what cannot."""
    return "".join(sign if sign.isprintable() and sign not in " :|" else "-" for sign in text)


def _result(plan: MatchPlan, log: MatchLog, score: Score | None, error: str | None) -> str:
    """How the match went, as one line of JSON; chips by seat, null if it was aborted."""
    result = {
        "match": plan.match_name,
        "hands": plan.hands,
        "played": log.hands,
        "names": plan.names,
        "chips": score and score.values,
        "log": str(log.path) if log.is_begun else None,
        "error": error,
        **({"seed": seed_text(plan.seed)} if plan.cards == KEYED else {}),
    }
    return json.dumps(plain(result))


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


@click.command()
@click.argument("game")
@seed_option("Seed for the cards.", MatchSeed())
@cards_option(ACPC)
@click.option(
    "--match", default=0, show_default=True, type=click.IntRange(0), help="Number of the match of a series, from 0."
)
@click.option("--hands", default=1, show_default=True, type=click.IntRange(1, MAX_HANDS), help="Number of hands.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of {hand, cards}.")
def deal(game: str, seed: int, cards: str, match: int, hands: int, as_json: bool) -> None:
    """Print the cards that are dealt in a match of GAME, one hand per line, by default those of the ACPC dealer."""
    rules = load_game(game)
    dealt = islice(Chance(seed, cards).cards(match).hands(rules), hands)
    texts = (format_deal(rules, hand, rules.rounds - 1) for hand in dealt)
    if as_json:
        print_json([{"hand": number, "cards": text} for number, text in enumerate(texts)])
        return
    for text in texts:
        click.echo(text)

"""What `match` and `tournament` share: options, progress, the ledger, the result files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import click

from kibitz.amounts import counted
from kibitz.arena.chance import KEYED
from kibitz.arena.confinement import LIMITS, Limits, missing
from kibitz.arena.hosted import Hosting
from kibitz.arena.ledger import GrowingLedger
from kibitz.arena.match import AgentSpec
from kibitz.arena.runs import LEDGER, RESULTS, choose_executor, play_on
from kibitz.arena.series import Outcomes, Series, commitment
from kibitz.arena.standings import Standings
from kibitz.cli._bars import progress
from kibitz.cli._files import folder_for, write_whole
from kibitz.cli._games import HELP as GAME_HELP
from kibitz.cli._guests import guests
from kibitz.cli._options import MAX_HANDS, Command, Finite, MatchSeed, all_of, cards_option
from kibitz.cli._streams import tell
from kibitz.files import locked, plain
from kibitz.parallel import EXECUTORS
from kibitz.random import draw_seed, is_secret, seed_text

MAX_MATCHES = 10**6  # a table: all are counted up before the first begins
MAX_SECONDS = 10**6  # for a decision


def series_options(hands: int, matches: int) -> Callable[[Command], Command]:
    """The options of a series with the defaults of one command."""
    return all_of(
        click.option("--game", help=GAME_HELP),
        click.option(
            "--hands",
            default=hands,
            show_default=True,
            type=click.IntRange(1, MAX_HANDS),
            help="Number of deals per match.",
        ),
        click.option(
            "--matches",
            default=matches,
            show_default=True,
            type=click.IntRange(1, MAX_MATCHES),
            help="Number of matches per table of agents.",
        ),
        click.option(
            "--seed",
            type=MatchSeed(),
            help="Seed for the cards and the agents, a whole number or 32 hexadecimal digits.  [default: 0; random "
            "with --commit and with isolated agents]",
        ),
        cards_option(),
        click.option("--commit", is_flag=True, help="Print a hash of the series before it is played, the seed after."),
        click.option("--verify", metavar="HASH", help="Play only if this is the series whose hash --commit printed."),
        click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the results."),
        click.option("--resume", is_flag=True, help="Continue the series begun in --out."),
        click.option(
            "--executor",
            type=click.Choice(["auto", *EXECUTORS]),
            default="auto",
            show_default=True,
            help="Where matches are played; the results do not depend on it.",
        ),
        click.option(
            "--isolate",
            is_flag=True,
            help="Play each agent from a file in its own process, which is told only what its seat may see, has "
            "limited memory, and ends with all that it starts; where Bubblewrap works, it has no network and writes no "
            "files.",
        ),
        click.option(
            "--memory-limit",
            type=Finite(0.25, 2**20),
            default=LIMITS.memory / 2**30,
            show_default=True,
            metavar="GIB",
            help="Address space of each process of an isolated agent, and memory that all of them use together, in GiB "
            "(Linux).",
        ),
        click.option(
            "--process-limit",
            type=click.IntRange(1, 2**20),
            default=LIMITS.processes,
            show_default=True,
            help="Number of processes and threads that an isolated agent may start (Linux).",
        ),
        click.option(
            "--time-limit",
            type=Finite(0, MAX_SECONDS, min_open=True),
            metavar="SECONDS",
            help="Time limit per decision of an agent from a file, in seconds; an agent that exceeds it forfeits the "
            "hand. Implies --isolate.  [default: no limit]",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print the results as JSON."),
    )


def hosting_of(
    isolate: bool, time_limit: float | None, memory_limit: float, process_limit: int, out: Path | None
) -> Hosting:
    """Where the agents play; the ledger in `out`, which tells the seed, is hidden from those that are isolated."""
    hidden = (out.resolve() / LEDGER,) if out is not None else ()
    return Hosting(isolate, time_limit, Limits(round(memory_limit * 2**30), process_limit), hidden)


def chosen_seed(
    seed: int | None, cards: str, commit: bool, guests: bool, out: Path | None = None, resume: bool = False
) -> int:
    """The seed that was given; otherwise that of the series to resume, one that cannot be found by trying, or 0."""
    if seed is not None:
        return seed
    if cards == KEYED and resume and out is not None and (out / LEDGER).is_file():
        kept = GrowingLedger(out / LEDGER).series.seed
        return kept if is_secret(kept) else 0  # others are given again
    return draw_seed() if cards == KEYED and (commit or guests) else 0


def tell_before(series: Series, commit: bool, verify: str | None, quiet: bool) -> None:
    """Say before a series is played what the system does not keep from its agents, and its hash; check `verify`.

    quiet   whether the hash goes to standard error: results are printed as JSON
    """
    tell_missing(series.hosting, series.agents)
    if not commit and verify is None:
        return
    with guests():
        found = commitment(series)
    if verify is not None and found != verify.lower():
        raise click.UsageError(
            f"--verify: seed {seed_text(series.seed)} with these agents and options gives {found}, another series: "
            "give the seed that was shown after the match, and all other options as they were"
        )
    if commit and not is_secret(series.seed):
        raise click.UsageError(
            f"--commit hides nothing with seed {series.seed}, which can be found by trying: leave out --seed and "
            "--cards, or give 32 hexadecimal digits"
        )
    if commit:
        click.echo(f"commitment {found}", err=quiet)


def run_series(series: Series, executor: str, out: Path | None, resume: bool) -> Standings:
    """Play `series` with a progress bar on stderr, keeping the ledger in `out` where one is given."""
    if resume and out is None:
        raise click.UsageError("--resume needs --out, the folder of the series to continue")
    with guests():
        return _play(series, executor, out, resume)


def results(standings: Standings, committed: bool) -> dict[str, object]:
    """The results for JSON, with the hash of the series if it was asked for."""
    return {**({"commitment": commitment(standings.series)} if committed else {}), **standings.to_dict()}


def tell_missing(hosting: Hosting, agents: Iterable[AgentSpec]) -> None:
    """Say, where agents are isolated, what this system does not keep from them."""
    if hosting.isolates_any(agents) and (text := missing()):
        tell(f"Note: {text}")


def forfeits_told(forfeits: Mapping[str, int], time_limit: float | None) -> Iterator[str]:
    """Lines that say who forfeited hands, and how many."""
    for name, hands in forfeits.items():
        yield f"{name} forfeited {counted(hands, 'hand')} (time limit {time_limit:g} s)"


def _play(series: Series, executor: str, out: Path | None, resume: bool) -> Standings:
    names = ", ".join(series.names)  # makes every agent once, so a bad name is reported before anything is written
    label = names if len(names) < 40 else f"{len(series.names)} agents"
    with folder_for(out), locked(out):
        outcomes: Outcomes = {}
        with progress(label, len(series.keys)) as advance:
            done = 0
            for outcomes in play_on(series, choose_executor(series, executor), out, resume):
                advance(len(outcomes) - done)
                done = len(outcomes)
        standings = Standings(series, outcomes)
        if out is not None:
            write_whole(out / RESULTS, json.dumps(plain(standings.to_dict()), indent=2) + "\n")
    return standings

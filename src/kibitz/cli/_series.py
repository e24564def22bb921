"""What `match` and `tournament` share: options, progress, the ledger, the result files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click

from kibitz.amounts import counted
from kibitz.arena.runs import RESULTS, choose_executor, play_on
from kibitz.arena.series import Outcomes, Series
from kibitz.arena.standings import Standings
from kibitz.cli._bars import progress
from kibitz.cli._files import folder_for, write_whole
from kibitz.cli._games import HELP as GAME_HELP
from kibitz.cli._guests import guests
from kibitz.cli._options import DEALER_SEEDS, MAX_HANDS, Command, Finite, all_of, seed_option
from kibitz.files import locked, plain
from kibitz.parallel import EXECUTORS

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
        seed_option("Seed for the cards and the agents.", DEALER_SEEDS),
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
            help="Play each agent from a file in its own process, which sees only the cards of its seat.",
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


def run_series(series: Series, executor: str, out: Path | None, resume: bool) -> Standings:
    """Play `series` with a progress bar on stderr, keeping the ledger in `out` where one is given."""
    if resume and out is None:
        raise click.UsageError("--resume needs --out, the folder of the series to continue")
    with guests():
        return _play(series, executor, out, resume)


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

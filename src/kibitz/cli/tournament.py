"""`kibitz tournament`: a round-robin and its rankings."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from kibitz.arena.series import Series
from kibitz.cli._files import write_whole
from kibitz.cli._games import game_of_agents
from kibitz.cli._options import given_command
from kibitz.cli._output import print_json
from kibitz.cli._series import chosen_seed, forfeits_told, hosting_of, results, run_series, series_options, tell_before

DEFAULT_ROSTER = (
    "random",
    "always-call",
    "always-raise",
    "always-fold",
    "tight-passive",
    "tight-aggressive",
    "tight-aggressive-bluffing",
    "loose-passive",
    "loose-aggressive",
    "loose-aggressive-bluffing",
)


@click.command()
@click.argument("agents", nargs=-1)
@click.option("--with", "guests", multiple=True, help="Agent that joins the built-in ones; may be repeated.")
@click.option(
    "--trace",
    "traces",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Match of a portfolio, written by `kibitz portfolio trace --out`, whose weights the report shows; may be "
    "repeated.",
)
@click.option(
    "--full",
    is_flag=True,
    help="Also print the win rate of every pair, and why another rule has another winner.",
)
@series_options(hands=100, matches=20)
def tournament(
    agents: tuple[str, ...],
    guests: tuple[str, ...],
    traces: tuple[Path, ...],
    full: bool,
    game: str | None,
    hands: int,
    matches: int,
    seed: int | None,
    cards: str,
    commit: bool,
    verify: str | None,
    out: Path | None,
    resume: bool,
    executor: str,
    isolate: bool,
    time_limit: float | None,
    memory_limit: float,
    process_limit: int,
    as_json: bool,
) -> None:
    """Play a duplicate round-robin of AGENTS (by default the built-in ones) and rank them.

    Ranks by instant run-off, and names the winners by total and capped bankroll. Prints mbb/hand with 95 % intervals;
    --full adds the cross-table.

    With --out, saves results.json, a report with a plot and the cross-table (report.html), and a ledger that --resume
    continues.
    """
    rules, game = game_of_agents(game, (*agents, *guests))
    if rules.players > 3:
        raise click.UsageError(
            f"{game} has {rules.players} seats: a round-robin needs two or three; use `kibitz match`"
        )
    if agents and guests:
        raise click.UsageError("AGENTS replaces the built-in agents and --with adds to them: give only one")
    section = _adapting(traces, out)
    hosting = hosting_of(isolate, time_limit, memory_limit, process_limit, out)
    players = agents or (*DEFAULT_ROSTER, *guests)
    seed = chosen_seed(seed, cards, commit, hosting.isolates_any(players), out, resume)
    series = Series(rules, players, hands, matches, seed, hosting, cards)
    tell_before(series, commit, verify, as_json)
    standings = run_series(series, executor, out, resume)
    if out is not None:
        from kibitz.arena.report import render_report

        page = render_report(standings, given_command(), datetime.now(UTC), section)
        write_whole(out / "report.html", page)
    if as_json:
        print_json(results(standings, commit or verify is not None))
    else:
        from kibitz.cli._tables import print_standings

        print_standings(standings, full)
        for line in forfeits_told(standings.forfeits, time_limit):
            click.echo(line)
        if out is not None:
            click.echo(f"Open {out / 'report.html'} in a browser: why, every pair, and how sure it is.")
        elif not full:
            click.echo("--full prints the win rate of every pair; --out saves a report.")


def _adapting(traces: tuple[Path, ...], out: Path | None) -> str:
    """The section of the report about watched matches; damaged files are refused before anything is played."""
    if not traces:
        return ""
    if out is None:
        raise click.UsageError("--trace adds to the report: it needs --out, the folder of the report")
    from kibitz.portfolios.report import read_trace, render_traces

    return render_traces([read_trace(path) for path in traces])

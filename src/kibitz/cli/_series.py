"""What `match` and `tournament` share: seeds, hashes told before, the results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import click

from kibitz.amounts import counted
from kibitz.arena.confinement import missing
from kibitz.arena.hosted import Hosting
from kibitz.arena.match import AgentSpec
from kibitz.arena.playing import RESULTS, SeriesPlan
from kibitz.arena.series import Series, commitment
from kibitz.arena.standings import Standings
from kibitz.cli._guests import guests
from kibitz.cli._options import is_given
from kibitz.cli._output import print_json
from kibitz.cli._plans import Work
from kibitz.cli._streams import tell
from kibitz.files import read_json
from kibitz.random import draw_seed, is_secret, seed_text

PlanT = TypeVar("PlanT", bound=SeriesPlan)

COMMIT = click.Option(
    ["--commit"], is_flag=True, help="Print a hash of the series before it is played, the seed after."
)
VERIFY = click.Option(["--verify"], metavar="HASH", help="Play only if this is the series whose hash --commit printed.")


def seeded(work: Work[PlanT], commit: bool = False) -> Work[PlanT]:
    """The work with the seed that was given; otherwise that of the series to resume, or one for `commit`."""
    plan = work.plan
    if is_given("seed") or plan.cards != "keyed":
        return work
    if work.resume and work.out is not None:
        from kibitz.arena.played import Played

        kept = Played(work.out).series.seed  # of those that can be found by trying, only 0 need not be given again
        return replace(work, plan=replace(plan, seed=seed_text(kept))) if is_secret(kept) else work
    return replace(work, plan=replace(plan, seed=seed_text(draw_seed()))) if commit else work


def play(work: Work[PlanT], commit: bool, verify: str | None) -> Standings:
    """Play a series, and print it as JSON if that was asked for.

    What the system does not keep from its agents is said before, and with `commit` the hash of the series, which
    `verify` checks.
    """
    work = seeded(work, commit)
    told = {}
    with guests():
        series = work.plan.series
        tell_missing(series.hosting, series.agents)
        if commit or verify is not None:
            told["commitment"] = commitment(series)
    _check_hash(series, told.get("commitment", ""), commit, verify)
    if commit:
        click.echo(f"commitment {told['commitment']}", err=work.as_json)
    with guests():
        made = work.made()
    standings: Standings = made.content
    if standings is None:
        from kibitz.arena.played import read_series

        assert work.out is not None
        standings = Standings(series, read_series(work.out)[1])
    if work.as_json:
        print_json({**told, **standings.to_dict()})
    return standings


def _check_hash(series: Series, found: str, commit: bool, verify: str | None) -> None:
    """Refuse a series with another hash than `verify`, and a hash that hides nothing."""
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


def tell_missing(hosting: Hosting, agents: Iterable[AgentSpec]) -> None:
    """Say, where agents are isolated, what this system does not keep from them."""
    if hosting.isolates_any(agents) and (text := missing()):
        tell(f"Note: {text}")


def forfeits_told(forfeits: Mapping[str, int], time_limit: float | None) -> Iterator[str]:
    """Lines that say who forfeited hands, and how many."""
    for name, hands in forfeits.items():
        yield f"{name} forfeited {counted(hands, 'hand')} (time limit {time_limit:g} s)"


def show_series(folder: Path, _node: str, as_json: bool) -> None:
    """The results of a series: what every agent of a match has won, the ranking of a tournament."""
    if as_json:
        print_json(read_json(folder / RESULTS))
        return
    from kibitz.arena.played import read_standings

    print_results(read_standings(folder))


def print_results(standings: Standings, full: bool = False) -> None:
    """Print win rates of one table, or the ranking where there are more."""
    if standings.is_tournament:
        from kibitz.cli._tables import print_standings

        print_standings(standings, full)
        return
    (estimates,) = standings.estimates.values()
    names = standings.series.names
    for name, estimate in zip(names, estimates, strict=True):
        click.echo(f"{name:<{max(map(len, names))}}  {estimate}")

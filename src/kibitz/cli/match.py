"""`kibitz match` and `kibitz tournament`: seeds, hashes told before, the results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import click

from kibitz.amounts import counted
from kibitz.arena.confinement import missing
from kibitz.arena.duplicate import DuplicateMatch, describe_seatings, unused
from kibitz.arena.hosted import HostedAgent, Hosting
from kibitz.arena.match import AgentSpec
from kibitz.arena.playing import REPORT, RESULTS, DuplicatePlan, SeriesPlan, TournamentPlan
from kibitz.arena.series import Series, commitment
from kibitz.arena.standings import Standings
from kibitz.cli._bars import progress
from kibitz.cli._files import folder_for, replacing
from kibitz.cli._guests import guests
from kibitz.cli._options import is_given
from kibitz.cli._output import print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.cli._streams import tell
from kibitz.files import read_json
from kibitz.random import SECRET_BITS, draw_seed, is_secret, seed_text

LOG = click.Option(
    ["--log"],
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for an ACPC log; the deals are then played once, in the given seating.",
)
FULL = click.Option(
    ["--full"], is_flag=True, help="Also print the win rate of every pair, and why another rule has another winner."
)
PlanT = TypeVar("PlanT", bound=SeriesPlan)

COMMIT = click.Option(
    ["--commit"], is_flag=True, help="Print a hash of the series before it is played, the seed after."
)
VERIFY = click.Option(["--verify"], metavar="HASH", help="Play only if this is the series whose hash --commit printed.")


@plan_command(DuplicatePlan, "Print the results as JSON.", LOG, COMMIT, VERIFY)
def match(work: Work[DuplicatePlan], log: Path | None, commit: bool, verify: str | None) -> None:
    """Print what every agent has won, and how to play the same match again."""
    if log is not None:
        if work.out is not None or work.as_json or work.plan.matches > 1 or commit or verify:
            raise click.UsageError(
                "--log plays one match in one seating: omit --out, --resume, --matches, --json, --commit and --verify"
            )
        plan = work.plan
        with guests():
            series = plan.series
            tell_missing(series.hosting, series.agents)
            lines = _write_log(series.match((series.tables[0], 0)), plan.rules[1], log)
        for line in lines:
            click.echo(line)
        return
    standings = play(work, commit, verify)
    if work.as_json:
        return
    print_results(standings)
    plan, series = work.plan, standings.series
    for line in forfeits_told(standings.forfeits, plan.time_limit):
        click.echo(line)
    played, deals = counted(standings.hands_played, "hand"), counted(plan.hands * plan.matches, "deal")
    seatings = describe_seatings(series.game.players, plan.matches)
    click.echo(f"{played} ({deals} {seatings}), {_seeded(series.seed, plan.rules[1])}")


def _seeded(seed: int, *rest: object) -> str:
    """The seed and what else there is to say, the seed on a line of its own where it is long."""
    text = seed_text(seed)
    told = ", ".join(map(str, rest))
    return f"seed {text}, {told}" if len(text) < SECRET_BITS // 4 else f"{told}\nseed {text}"


def _write_log(match: DuplicateMatch, game: str, log: Path) -> list[str]:
    """Play one match in one seating; what there is to say about it, line by line."""
    from kibitz.agents.human import signed_chips
    from kibitz.arena.local import play_locally
    from kibitz.arena.plan import MatchPlan

    names: list[str] = []
    hands, hosting = match.hands, match.hosting
    with ExitStack() as table:
        players = [table.enter_context(hosting.made(agent)) for agent in match.agents]
        for player in players:  # a log tells its players by name alone
            names.append(unused(player.name, names, "-"))
        seeds = [match.chance.seat(seat) for seat in range(len(players))]
        plan = MatchPlan(match.game, hands, match.seed, tuple(names), game_name=game, cards=match.cards)
        with folder_for(log.parent, log), replacing(log) as file, progress("hands", hands) as advance:

            def record(line: str) -> None:
                file.write(line + "\n")
                advance(line.startswith("STATE:"))

            score = play_locally(plan, players, seeds, record)
    forfeits = {
        name: player.forfeits
        for name, player in zip(names, players, strict=True)
        if isinstance(player, HostedAgent) and player.forfeits
    }
    chips = [signed_chips(value) for value in score.values]
    return [
        *(
            f"{name:<{max(map(len, names))}}  {won:>{max(map(len, chips))}} chips"
            for name, won in zip(names, chips, strict=True)
        ),
        *forfeits_told(forfeits, hosting.time_limit),
        f"{counted(hands, 'hand')}, {_seeded(match.seed, f'{game}: {log}')}",
    ]


@plan_command(TournamentPlan, "Print the results as JSON.", FULL, COMMIT, VERIFY)
def tournament(work: Work[TournamentPlan], full: bool, commit: bool, verify: str | None) -> None:
    """Print the ranking, and where there is more."""
    standings = play(work, commit, verify)
    if work.as_json:
        return
    from kibitz.cli._tables import print_standings

    print_standings(standings, full)
    for line in forfeits_told(standings.forfeits, work.plan.time_limit):
        click.echo(line)
    if work.out is not None:
        click.echo(f"Open {work.out / REPORT} in a browser: why, every pair, and how sure it is.")
    elif not full:
        click.echo("--full prints the win rate of every pair; --out saves a report.")


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

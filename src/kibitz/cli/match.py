"""`kibitz match`: one table of agents."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from kibitz.amounts import counted
from kibitz.arena.duplicate import DuplicateMatch, describe_seatings, unused
from kibitz.arena.hosted import HostedAgent
from kibitz.arena.series import Series
from kibitz.cli._bars import progress
from kibitz.cli._files import folder_for, replacing
from kibitz.cli._games import game_of_agents
from kibitz.cli._guests import guests
from kibitz.cli._output import print_json
from kibitz.cli._series import (
    chosen_seed,
    forfeits_told,
    hosting_of,
    results,
    run_series,
    series_options,
    tell_before,
    tell_missing,
)
from kibitz.random import SECRET_BITS, seed_text


@click.command()
@click.argument("agents", nargs=-1, required=True)
@click.option(
    "--log",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for an ACPC log; the deals are then played once, in the given seating.",
)
@series_options(hands=1000, matches=1)
def match(
    agents: tuple[str, ...],
    log: Path | None,
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
    """Play a duplicate match between AGENTS and print their win rates in mbb/hand with 95 % intervals.

    Every deal is played in every seat permutation. With more than four players a match plays the rotations of one
    random seat order; --matches plays more orders.

    An agent is a built-in name (random, always-call, always-raise, always-fold, tight-aggressive, ...),
    rules:tightness=0.8,aggression=0.3,bluffing=0.1, the folder of a strategy, a file of cases, or
    path/to/file.py:Class.
    """
    rules, game = game_of_agents(game, agents)
    if len(agents) != rules.players:
        raise click.UsageError(f"{counted(len(agents), 'agent')} for the {rules.players} seats of {game}")
    hosting = hosting_of(isolate, time_limit, memory_limit, process_limit, out)
    seed = chosen_seed(seed, cards, commit, hosting.isolates_any(agents), out, resume)
    if log is not None:
        if out is not None or resume or as_json or matches > 1 or commit or verify:
            raise click.UsageError(
                "--log plays one match in one seating: omit --out, --resume, --matches, --json, --commit and --verify"
            )
        tell_missing(hosting, agents)
        with guests():
            lines = _write_log(DuplicateMatch(rules, agents, hands, seed, hosting=hosting, cards=cards), game, log)
        for line in lines:
            click.echo(line)
        return
    series = Series(rules, agents, hands, matches, seed, hosting, cards)
    tell_before(series, commit, verify, as_json)
    standings = run_series(series, executor, out, resume)
    if as_json:
        print_json(results(standings, commit or verify is not None))
        return
    (estimates,) = standings.estimates.values()
    names = standings.series.names
    for name, estimate in zip(names, estimates, strict=True):
        click.echo(f"{name:<{max(map(len, names))}}  {estimate}")
    for line in forfeits_told(standings.forfeits, time_limit):
        click.echo(line)
    played, deals = counted(standings.hands_played, "hand"), counted(hands * matches, "deal")
    click.echo(f"{played} ({deals} {describe_seatings(rules.players, matches)}), {_seeded(seed, game)}")


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

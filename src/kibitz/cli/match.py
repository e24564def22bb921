"""`kibitz match`: one table of agents."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from kibitz.amounts import counted
from kibitz.arena.duplicate import DuplicateMatch, describe_seatings, unused
from kibitz.arena.hosted import HostedAgent
from kibitz.arena.playing import DuplicatePlan
from kibitz.cli._bars import progress
from kibitz.cli._files import folder_for, replacing
from kibitz.cli._guests import guests
from kibitz.cli._plans import Work, plan_command
from kibitz.cli._series import COMMIT, VERIFY, forfeits_told, play, print_results, tell_missing
from kibitz.random import SECRET_BITS, seed_text

LOG = click.Option(
    ["--log"],
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for an ACPC log; the deals are then played once, in the given seating.",
)


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

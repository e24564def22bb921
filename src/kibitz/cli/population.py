"""`kibitz opponents population`: bots to learn from and to play against."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.amounts import counted
from kibitz.cli._bars import progress, stages
from kibitz.cli._files import replacing
from kibitz.cli._options import seed_option
from kibitz.cli._output import folded, number, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.cli.population_measure import measure
from kibitz.learning.population.calibration import CALIBRATED, PopulationPlan
from kibitz.plans.history import plan_of

if TYPE_CHECKING:
    import numpy as np

    from kibitz.learning.population import Matches, Play, Population
    from kibitz.learning.population.matches import Style

TOLD = (
    "out", "inside", "command", "seed", "rounds", "samples", "loss", "statistics", "means", "deviations", "distribution"
)  # fmt: skip
MOST_MATCHES = 1_000_000
_KINDS = click.Choice(["match", "seat"])
_WORKERS = click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Number of threads.")
_POPULATION = click.argument("population", default=CALIBRATED)


@click.group()
def population() -> None:
    """Make, show and play populations of limit hold'em bots (Sweeney 2012, section 6.5).

    POPULATION is a file, or one that is shipped: calibrated (43 bots in place of those of Poker Academy) or
    switchable (stations, timid players and maniacs). `kibitz match` and `play` take a bot as population:NAME.
    """


population.add_command(measure)


@plan_command(PopulationPlan, "Print {out, inside, loss, means, deviations, ...} as JSON.")
def make(work: Work[PopulationPlan]) -> None:
    """Print how near a population is to the printed one."""
    *_, last = work.reports()
    assert last.artefact is not None
    plan, made = work.plan, last.artefact.made
    if work.as_json:
        figures = {"out": str(work.out), **made, "command": plan.command()}
        print_json({name: figures[name] for name in TOLD if name in figures})
        return
    if plan.preset != CALIBRATED:
        click.echo(f"{work.out}: stations, timid players and maniacs")
        return
    if last.done > plan.goal:
        told = f"{work.out} is at {counted(int(last.done), 'round')} already, more than --rounds {plan.goal}"
        click.echo(folded(f"{told}: the population is that of {counted(int(last.done), 'round')}."), err=True)
    _print_between(made)
    where = "inside" if made["inside"] else "outside"
    click.echo(f"{work.out}: {made['bots']} bots, {where} the box of table 6-1")


population.add_command(make)


def _print_between(made: Mapping[str, Any]) -> None:
    import numpy as np

    from kibitz.learning.population.calibration import DEVIATIONS, MEANS
    from kibitz.learning.population.matches import STATISTICS

    click.echo(f"{'':<26}" + "".join(f"{name:>8}" for name in STATISTICS))
    for name, values in (
        ("average bot", made["means"]), ("  in table 6-1", MEANS),
        ("s.d. between bots", made["deviations"]), ("  in table 6-1", DEVIATIONS),
    ):  # fmt: skip
        click.echo(f"{name:<26}" + _numbers(np.array(values, dtype=float)))


def _numbers(values: np.ndarray[Any, Any]) -> str:
    return "".join(f"{'∞' if value == inf else number(value, 2):>8}" for value in values.round(2) + 0.0)  # no -0.00


@population.command(short_help="Show the bots of a population.")
@_POPULATION
@click.option("--bot", "chosen", multiple=True, help="Bot to show with its parameters; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print {title, kinds, made, bots: [...]} as JSON.")
def show(population: str, chosen: tuple[str, ...], as_json: bool) -> None:
    """Show kinds and names of POPULATION, or all parameters of some of its bots."""
    _show(population, chosen, as_json)


def _show(population: str, chosen: tuple[str, ...], as_json: bool) -> None:
    from kibitz.learning.population import load_population
    from kibitz.learning.population.records import POSTFLOP, PREFLOP, SIMULATION

    found = load_population(population)
    document = {"title": found.title, **found.describe(), "made": found.made}
    for name in chosen:
        found.index(name)
    if chosen:
        document["bots"] = [each for each in document["bots"] if each["name"] in chosen]
    if as_json:
        print_json(document)
        return
    meanings = PREFLOP | POSTFLOP | SIMULATION
    for each in document["bots"] if chosen else ():
        click.echo(f"{each['name']}: {each['family']}, kind {each['kind']}")
        for name, value in each.items():
            if name in meanings:
                click.echo(folded(meanings[name], 23, f"  {name:<11}{value:>8.3f}  "))
    if not chosen:
        plan = plan_of(found.made)
        how = f"; made by {plan.command()}" if plan is not None else ""
        click.echo(folded(f"{found.title}: {counted(len(found), 'bot')}{how}"))
        for number, (kind, weight) in enumerate(zip(found.kinds, found.weights, strict=True)):
            names = " ".join(found.names[bot] for bot in found.members(number))
            click.echo(folded(names, 12, f"{kind:<10}{weight:>3g}  "))


def show_population(place: Path, bot: str, as_json: bool) -> None:
    """The same for `kibitz show`."""
    _show(str(place), (bot,) if bot else (), as_json)


@population.command(short_help="Play matches between bots and print their styles.")
@_POPULATION
@click.option("--matches", "count", default=375, show_default=True, type=click.IntRange(1, MOST_MATCHES),
              help="Number of matches.")  # fmt: skip
@click.option("--deals", default=120, show_default=True, type=click.IntRange(1, 100_000), help="Deals of a match.")
@click.option("--players", default=6, show_default=True, type=click.IntRange(2, 10), help="Players at the table.")
@click.option("--kind-by", default="match", show_default=True, type=_KINDS,
              help="Draw the kind of bots once a match, or for every seat.")  # fmt: skip
@click.option("--bots", is_flag=True, help="Print every bot too.")
@click.option("--log", type=click.Path(path_type=Path), help="ACPC log of all hands; a folder gets one file a match.")
@seed_option("Seed for seating, cards and actions.")
@_WORKERS
@click.option("--json", "as_json", is_flag=True, help="Print {matches, deals, styles, between, ...} as JSON.")
def play(
    population: str, count: int, bots: bool, log: Path | None, workers: int, as_json: bool, **options: Any
) -> None:
    """Play matches between the bots of POPULATION and print how each kind plays, with 95 % intervals by match.

    All bots forget everything at the start of a match. Means and standard deviations are in small blinds a deal; the
    other columns are those of `kibitz hands stats`.
    """
    from kibitz.learning.population import Play, between_bots, load_population, play_matches, style_of

    found, settings = load_population(population), Play(**options)
    if log is not None:
        _write_log(found, count, settings, workers, log)
    with stages("matches") as tell:
        matches = play_matches(found, count, settings, workers, tell)
    styles = {kind: style_of(matches, found.members(number)) for number, kind in enumerate(found.kinds)}
    styles["all"] = style_of(matches, range(len(found)))
    if bots:
        styles |= {name: style_of(matches, [number]) for number, name in enumerate(found.names)}
    between = between_bots(found, matches)
    if as_json:
        print_json(_document(found, settings, matches, styles, between))
        return
    from kibitz.learning.population.matches import STATISTICS

    click.echo(f"{'':<12}{'hands':>10}" + "".join(f"{name:>8}" for name in STATISTICS))
    for name, style in styles.items():
        if style.hands:
            click.echo(f"{name:<12}{style.hands:>10,}{_numbers(style.values)}")
            click.echo(f"{'  ±':<22}{_numbers(style.halves)}")
    click.echo(f"{'average bot':<22}{_numbers(between.means)}")
    click.echo(f"{'s.d. between bots':<22}{_numbers(between.deviations)}")
    hands = len(matches.seating) * settings.deals
    click.echo(
        f"{counted(count, 'match')}, {counted(hands, 'deal')}, kinds drawn by {settings.kind_by}, seed {settings.seed}"
    )


def _document(
    population: Population, settings: Play, matches: Matches, styles: dict[str, Style], between: Any
) -> dict[str, Any]:
    from kibitz.learning.population.matches import STATISTICS

    def named(values: np.ndarray[Any, Any]) -> dict[str, float]:
        return dict(zip(STATISTICS, values.tolist(), strict=True))

    return {
        "population": population.title,
        "matches": len(matches.seating),
        "deals": settings.deals,
        "players": settings.players,
        "kind_by": settings.kind_by,
        "seed": settings.seed,
        "styles": {
            name: {"hands": style.hands, "values": named(style.values), "half_widths": named(style.halves)}
            for name, style in styles.items()
        },
        "between": {"means": named(between.means), "deviations": named(between.deviations)},
    }


def _write_log(population: Population, count: int, settings: Play, workers: int, log: Path) -> None:
    """One log of all matches, or one file each in a folder."""
    import numpy as np

    from kibitz.io.acpc.log import write_log
    from kibitz.learning.histories import to_records
    from kibitz.learning.population import play_hands

    is_folder = log.is_dir()
    paths = [log / f"match-{match:06}.log" for match in range(count)] if is_folder else [log]
    with replacing(paths[0]) as file:  # before matches are played: what cannot be written is told at once
        with stages("matches") as tell:
            hands = play_hands(population, count, settings, workers, tell)
        parts = np.arange(len(hands)).reshape(len(paths), -1)
        write_log(to_records(hands, parts[0]), file)
    if is_folder:
        with progress("logs", count - 1) as advance:
            for path, part in zip(paths[1:], parts[1:], strict=True):
                with replacing(path) as file:
                    write_log(to_records(hands, part), file)
                advance(1)

"""`kibitz opponents population measure`: a learned agent among bots, or among the players of its model."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.amounts import counted
from kibitz.cli._bars import stages
from kibitz.cli._options import is_given, seed_option
from kibitz.cli._output import folded, number, print_json
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.learning.exploiters import Guest
    from kibitz.learning.exploiters.measuring import Adaptation, Performance, Rate
    from kibitz.progress import Progress

MODEL = "model"  # in place of a population
FEWEST = 2  # matches from which a standard error can be told
LATE = 30  # deals after which types are told (Sweeney 2012, section 6.7)


@click.command(short_help="Measure a learned agent among the bots of a population.")
@click.argument("agent", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("population", default="calibrated")
@click.option("--matches", "count", default=375, show_default=True, type=click.IntRange(1, 10**7),
              help="Number of matches.")  # fmt: skip
@click.option("--deals", default=120, show_default=True, type=click.IntRange(1, 100_000), help="Deals of a match.")
@click.option("--players", default=6, show_default=True, type=click.IntRange(2, 10), help="Players at the table.")
@click.option("--kind-by", default="match", show_default=True, type=click.Choice(["match", "seat"]),
              help="Draw the kind of bots once a match, or for every seat.")  # fmt: skip
@click.option("--control", is_flag=True, help="Compare with the same agent forgetting everything after each deal.")
@seed_option("Seed for seating, cards and actions.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Number of threads.")
@click.option("--json", "as_json", is_flag=True, help="Print {matches, mean, error, deviation, style, ...} as JSON.")
def measure(agent: Path, population: str, count: int, control: bool, as_json: bool, **options: Any) -> None:
    """Play matches of AGENT in one seat against bots of POPULATION, and print what it wins and how it plays.

    AGENT is a folder from `kibitz train self-play`, `best-response` or `exploiter`. POPULATION is a file, calibrated,
    switchable, or `model` for the players of the model that AGENT learned against. The same seed gives the same bots
    and cards to every agent. Results are in small blinds per deal, ± 95 % intervals by match.
    """
    from kibitz.learning.exploiters import load_exploiter
    from kibitz.learning.exploiters.measuring import compare

    guest = load_exploiter(agent)
    if control and guest.opponents.count == 1:
        raise KibitzError(f"--control: {agent} knows no player types, and has nothing to forget")
    if control and count < FEWEST:
        raise KibitzError(
            f"--control: {counted(count, 'match')} cannot be compared: at least {FEWEST} are needed (--matches)"
        )
    if population == MODEL and is_given("kind_by"):
        raise KibitzError(
            "--kind-by: the players of a model have no kinds: leave it out, or name a population in place of {MODEL}"
        )

    def play(each: Guest) -> Performance:
        with stages("matches, forgetting" if each.forgetful else "matches") as tell:
            return _play(each, population, count, options, tell)

    found = compare(guest, play) if control else None
    played = found.adaptive if found is not None else play(guest)
    settings = {"agent": str(agent), "population": population, **options}
    if as_json:
        print_json(settings | _document(played) | ({"control": found.describe()} if found is not None else {}))
        return
    _print(played, settings)
    if found is not None:
        _print_control(found)


def _play(guest: Guest, population: str, count: int, options: dict[str, Any], tell: Progress) -> Performance:
    from kibitz.learning.exploiters import Contest
    from kibitz.learning.exploiters.measuring import measure_modelled, measure_real
    from kibitz.learning.population import Play, load_population

    seed, workers = options["seed"], options["workers"]
    if population == MODEL:
        contest = Contest(players=options["players"], length=options["deals"])
        return measure_modelled(guest, contest, count, seed, workers, tell)
    play = Play(seed, options["deals"], options["players"], options["kind_by"])
    return measure_real(guest, load_population(population), count, play, workers, tell)


def _document(played: Performance) -> dict[str, Any]:
    from kibitz.learning.exploiters.measuring import entropy_by_name
    from kibitz.learning.population import STATISTICS

    style = played.style
    found = played.describe() | {
        "style": dict(zip(STATISTICS, style.values.tolist(), strict=True)),
        "half_widths": dict(zip(STATISTICS, style.halves.tolist(), strict=True)),
    }
    if played.is_real and played.believed.shape[2] > 1:
        found["entropy"] = {
            "agent": played.entropy[:, :, 0].mean(axis=0).tolist(),
            "bots": played.entropy[:, :, 1].mean(axis=0).tolist(),
            "given_name": entropy_by_name(played.believed, played.seating),
        }
    return found


def _print(played: Performance, settings: dict[str, Any]) -> None:
    from kibitz.learning.population import STATISTICS

    style, found = played.style, _document(played)
    click.echo(f"{'':<8}" + "".join(f"{name:>9}" for name in STATISTICS))
    for name, values in (("agent", style.values), ("  ±", style.halves)):
        click.echo(f"{name:<8}" + "".join(f"{'∞' if value == inf else number(value, 3):>9}" for value in values))
    entropy = found.get("entropy")
    if entropy is not None:
        bots = entropy["bots"]
        click.echo(
            folded(
                f"Uncertainty about a bot's type: {bots[0]:.2f} bits after one deal, "
                f"{bots[min(LATE, len(bots)) - 1]:.2f} after {min(LATE, len(bots))}, {bots[-1]:.2f} in the end; "
                f"{entropy['given_name']:.2f} given its name."
            )
        )
    click.echo(
        folded(
            f"{counted(len(played.chips), 'match')}, {counted(played.chips.size, 'deal')} against "
            f"{settings['population']}, seed {settings['seed']}."
        )
    )


def _print_control(found: Adaptation) -> None:
    from kibitz.learning.exploiters.measuring import WIDTH
    from kibitz.statistics import Z_95

    def cell(rate: Rate) -> str:
        return f"{rate.mean:>+9.3f} ±{Z_95 * rate.error:<7.3f}"

    click.echo(f"{'deals':<10}{'remembering':>17}{'forgetting':>17}{'difference':>17}")
    rows = zip(found.adaptive.by_deal(), found.control.by_deal(), found.by_deal(), strict=True)
    for row, (with_memory, without, gain) in enumerate(rows):
        first, last = WIDTH * row + 1, min(WIDTH * (row + 1), found.adaptive.chips.shape[1])
        click.echo(f"{f'{first}-{last}':<10}{cell(with_memory)}{cell(without)}{cell(gain)}")
    for name, rate in (("all", found.gain), ("2nd half", found.late)):
        click.echo(f"{name:<44}{cell(rate)}")
    needed = found.needed()
    are = "is" if needed == 1 else "are"
    click.echo(folded(f"For intervals of ±0.09 in every row, {counted(needed, 'match')} {are} needed."))

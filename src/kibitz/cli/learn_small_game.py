"""`kibitz learn small-game`: self-play by policy gradient where everything can be measured exactly."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import stages
from kibitz.cli._files import replacing
from kibitz.cli._options import Finite, seed_option
from kibitz.cli._output import folded, print_json

if TYPE_CHECKING:
    from kibitz.learning.small_games import GradientPlay, Point

ROWS = 10  # of the printed curve


@click.command("small-game", short_help="Follow self-play in Kuhn, Leduc or U[0,1].")
@click.argument("game")
@click.option("--steps", default=10_000, show_default=True, type=click.IntRange(1, 10**9), help="Gradient steps.")
@click.option(
    "--method",
    default="exact",
    show_default=True,
    type=click.Choice(["exact", "reinforce"]),
    help="Gradient by enumeration of all deals, or by REINFORCE on sampled hands.",
)
@click.option(
    "--anchor",
    default="none",
    show_default=True,
    type=click.Choice(["none", "strategy", "parameters"]),
    help="Lagging anchor: none, a distance of strategies, or of parameters.",
)
@click.option("--rate", default=1.0, show_default=True, type=Finite(0, min_open=True), help="Learning rate.")
@click.option("--pull", default=0.1, show_default=True, type=Finite(0, min_open=True), help="Strength of the anchor.")
@click.option(
    "--lag", default=0.01, show_default=True, type=Finite(0, min_open=True), help="Rate at which the anchor follows."
)
@click.option(
    "--batch", default=256, show_default=True, type=click.IntRange(1, 10**7), help="Hands per step of REINFORCE."
)
@click.option(
    "--baseline",
    default="fold",
    show_default=True,
    type=click.Choice(["none", "fold"]),
    help="What returns are compared with.",
)
@click.option(
    "--tiles", default=18, show_default=True, type=click.IntRange(1, 1000), help="Intervals of the numbers in U[0,1]."
)
@seed_option("Seed for first weights and sampled hands.")
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="File for the curve as SVG.")
@click.option("--json", "as_json", is_flag=True, help="Print {game, settings, curve: [...]} as JSON.")
def small_game(game: str, steps: int, tiles: int, plot: Path | None, as_json: bool, **settings: Any) -> None:
    """Follow two players who learn GAME against each other by policy gradient, with exact exploitability.

    GAME is kuhn, leduc, uniform for U[0,1], or another small game for two players. Plain self-play cycles round mixed
    equilibria; a lagging anchor damps the cycles. The columns are the exploitability of the players' strategies, of
    their anchor and of the average strategy so far, and what the first player wins, in chips per hand.
    """
    from kibitz.learning.small_games import GradientPlay, Settings, SmallGame, follow

    learner = GradientPlay(SmallGame.named(game, tiles), Settings(**settings))
    points: list[Point] = []
    with replacing(plot) if plot is not None else nullcontext() as file:  # what cannot be written is told at once
        with stages("learning") as tell:
            for point in follow(learner, steps, 100 if plot or as_json else ROWS):
                points.append(point)
                tell("learning", point.iteration, steps)
        if as_json:
            curve = [{name: value for name, value in each._asdict().items() if name != "watched"} for each in points]
            print_json({**learner.parameters(), "steps": steps, "unit": "chips/hand", "curve": curve})
        else:
            _print(points)
        if file is not None:
            file.write(draw(learner, points))


def _print(points: list[Point]) -> None:
    """The curve as a table."""
    click.echo("     steps    strategy      anchor     average      return")
    shown = points if len(points) <= ROWS + 1 else [*points[:: len(points) // ROWS]]
    for each in shown:
        anchor = f"{each.anchor:12.6f}" if each.anchor == each.anchor else f"{'–':>12}"
        click.echo(f"{each.iteration:>10,}{each.current:12.6f}{anchor}{each.average:12.6f}{each.value:+12.6f}")
    click.echo(folded("Exploitability and the first player's return, chips per hand."))


def draw(learner: GradientPlay, points: list[Point]) -> str:
    """The curve of a run as SVG text."""
    from kibitz.experiments.pictures import COLOURS, picture

    with picture(3.4) as (axes, text):
        steps = [each.iteration for each in points]
        lines = {"strategy": "current", "average": "average", "anchor": "anchor"}
        for colour, (label, name) in zip(COLOURS, lines.items(), strict=False):
            values = [getattr(each, name) for each in points]
            if values[0] == values[0]:
                axes.plot(steps, values, color=colour, lw=1.3, label=label)
        axes.set(title=f"Self-play in {learner.game.name}", xlabel="steps", ylabel="exploitability, chips per hand")
        axes.set_yscale("log")
        axes.legend(frameon=False)
    return text[0]

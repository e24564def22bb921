"""`kibitz hands model`: models of players from their hand histories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.amounts import counted
from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.modelling.building import ModelPlan

if TYPE_CHECKING:
    from kibitz.strategy import FrequentistModel


@click.group()
def model() -> None:
    """Build frequentist models of players: how often they took which action where.

    The folder of a model is an agent that plays the frequencies: `kibitz match`, `exploit` and `show` accept it. Where
    it has no observations, it calls.
    """


@plan_command(ModelPlan, "Print {folder, made, coverage, ...} as JSON.")
def build(work: Work[ModelPlan]) -> None:
    """Tell what was counted, and what was passed over."""
    found = work.made()
    built, made = found.content, found.made
    if work.as_json:
        first = [each._asdict() for each in built.first]
        print_json({**_summary(work.out, made, built.model), "first_bad": first})
        return
    for each in built.first:
        click.echo(f"skipped: {each}", err=True)
    where = f"{work.out}: " if work.out is not None else ""
    click.echo(f"{where}{made['decisions']:,} decisions in {made['hands']:,} hands of {' and '.join(made['players'])}")
    for count, hand, which in (
        (made["bad"], "broken hand", ""),
        (made["hidden"], "hand", " with hidden cards"),
        (made["others"], "hand", " without the player"),
        (made["unplayed"], "hand", f" of other games: {built.counts.reason}"),
    ):
        if count:
            click.echo(f"skipped {counted(count, hand)}{which}")
    _print_coverage(built.model)


model.add_command(build)


@model.command(short_help="Show what a model has seen.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print {made, coverage, ...} as JSON.")
def show(folder: Path, as_json: bool) -> None:
    """Show what the model in FOLDER has seen: decisions and information sets, round by round.

    For the frequencies at one decision, use `kibitz show`.
    """
    from kibitz.strategy import load_model

    loaded = load_model(folder)
    if as_json:
        print_json(_summary(folder, loaded.manifest, loaded))
        return
    made, tree = loaded.manifest, loaded.layout.tree
    click.echo(f"{folder}: {' and '.join(made['players'])} in {tree.game.name or 'a game'}, {made['hands']:,} hands")
    menus = " and ".join(dict.fromkeys(map(str, tree.menus)))
    how = made["translation"]
    translated = f", bets translated by {how['mapping']} ({how['counts']} counts)" * (tree.game.betting == "nolimit")
    known = f"cards {made.get('cards', 'all distinct')}, menu {menus or '(betting that was seen)'}{translated}"
    click.echo(folded(known))
    click.echo(
        f"{counted(len(made['logs']), 'log')}, hands by seat {' '.join(f'{hands:,}' for hands in made['seats'])}"
    )
    _print_coverage(loaded)


def _summary(folder: Path | None, made: Any, found: FrequentistModel) -> dict[str, Any]:
    """A model as JSON says it."""
    from kibitz.modelling.frequentist import coverage

    return {"folder": str(folder or ""), "made": dict(made), "coverage": coverage(found)}


def _print_coverage(found: FrequentistModel) -> None:
    """The table of coverage; infosets are those of all seats."""
    from kibitz.games import round_label
    from kibitz.modelling.frequentist import coverage

    heading = f"{'round':<7}{'infosets':>11}{'unseen':>10}{'1-10 times':>11}{'> 10 times':>11}{'decisions':>10}"
    click.echo(f"\n{heading}  fold  call raise %")
    game = found.layout.tree.game
    for row in coverage(found):
        name = row["round"] if row["round"] == "all" else round_label(game, row["round"])
        shares = "".join(f"{100 * row[kind]:6.1f}" for kind in ("fold", "call", "raise"))
        click.echo(
            f"{name:<7}{row['infosets']:>11,}{row['unseen']:>10,}{row['few']:>11,}{row['many']:>11,}"
            f"{row['decisions']:>10,.0f}{shares}"
        )
    lost = found.manifest.get("lost", 0)
    if lost:
        click.echo(f"{lost:,.1f} decisions have no place in the betting tree")

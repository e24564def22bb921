"""`kibitz model`: models of players from their hand histories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.amounts import counted
from kibitz.cli._bars import counting
from kibitz.cli._files import folder_for, writing
from kibitz.cli._options import Seed
from kibitz.cli._output import folded, print_json
from kibitz.errors import KibitzError
from kibitz.files import locked
from kibitz.games import Game, load_game
from kibitz.tree.menus import choose_menus

if TYPE_CHECKING:
    from kibitz.modelling.frequentist import Built, Observation
    from kibitz.solvers.problem import Problem
    from kibitz.strategy import FrequentistModel

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group()
def model() -> None:
    """Build frequentist models of players: how often they took which action where.

    The folder of a model is an agent that plays the frequencies: `kibitz match`, `exploit` and `show` accept it. Where
    it has no observations, it calls.
    """


@model.command(short_help="Count a player's decisions in logs.")
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--player", "players", multiple=True, required=True, help="Name of the player; several are pooled.")
@click.option("--out", required=True, type=_FOLDER, help="Folder for the model.")
@click.option("--game", help="Game of the model and of ACPC logs that name none.  [default: that of the first hand]")
@click.option(
    "--cards",
    default="",
    help="Card abstraction of hold'em, such as 5-bucket or one-bucket.  [default: none, all hands are distinct]",
)
@click.option("--menu", "menus", multiple=True, help="Menu of bet sizes, such as fcpa; once, or once for each player.")
@click.option(
    "--mapping", default="rand-psharmonic", show_default=True, help="Mapping that translates bets off the menu."
)
@click.option(
    "--sample",
    type=Seed(),
    metavar="SEED",
    help="Draw one translation of each bet with this seed.  [default: count all, weighted by their probability]",
)
@click.option(
    "--seen-tree",
    is_flag=True,
    help="Keep only betting that some hand went through; the rest is checked down. For games with too large a tree.",
)
@click.option("--shown-only", is_flag=True, help="Use only hands that the player showed, even if a log has all cards.")
@click.option("--skip-bad", is_flag=True, help="Skip broken hands and report how many there were.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Number of processes.")
@click.option("--json", "as_json", is_flag=True, help="Print {folder, made, coverage, ...} as JSON.")
def build(logs: tuple[Path, ...], out: Path, workers: int, as_json: bool, **settings: Any) -> None:
    """Count the decisions of a player in LOGS at every betting node and bucket.

    LOGS are ACPC logs and transcripts, PHH or PokerStars files, compressed files, tar archives or folders. Hands in
    which the player's cards are hidden are skipped, unless the card abstraction is one-bucket.
    """
    from kibitz.modelling.frequentist import build_model, save_model
    from kibitz.modelling.frequentist.files import check_replaceable

    check_replaceable(out)
    observation, problem, rules = _plan(logs, settings)
    with folder_for(out.parent, out), locked(out.parent, out.name):
        with counting("reading logs") as progress:
            built = build_model(logs, observation, problem, game=rules, workers=workers, progress=progress)
        with writing(out):
            save_model(built.model, out)
    if as_json:
        first = [each._asdict() for each in built.first]
        print_json({**_summary(out, built.model), "first_bad": first})
        return
    for each in built.first:
        click.echo(f"skipped: {each}", err=True)
    _print_built(out, built)


def _plan(logs: tuple[Path, ...], settings: dict[str, Any]) -> tuple[Observation, Problem, Game | None]:
    """What the options say, and the rules of logs that do not name theirs."""
    from kibitz.modelling.frequentist import Observation, find_game
    from kibitz.modelling.frequentist.seen import seen_histories, seen_tree
    from kibitz.solvers.problem import Problem
    from kibitz.translation import Reading

    players, rules = settings["players"], None
    game = load_game(settings["game"]) if settings["game"] else None
    try:
        named = find_game(logs, players)
    except KibitzError:
        if game is None:
            raise
        named = rules = find_game(logs, players, game)
    game = game or named
    menus, reading, tree = choose_menus(game, settings["menus"]), Reading(settings["mapping"]), None
    if settings["seen_tree"]:
        tree = seen_tree(game, menus, seen_histories(logs, players, rules), reading)
    problem = Problem(game, menus, cards=settings["cards"], betting=tree)
    observation = Observation(players, reading, settings["sample"], settings["shown_only"], settings["skip_bad"])
    return observation, problem, rules


def _print_built(out: Path, built: Built) -> None:
    made = built.model.manifest
    click.echo(f"{out}: {made['decisions']:,} decisions in {made['hands']:,} hands of {' and '.join(made['players'])}")
    for count, hand, which in (
        (made["bad"], "broken hand", ""),
        (made["hidden"], "hand", " with hidden cards"),
        (made["others"], "hand", " without the player"),
        (made["unplayed"], "hand", f" of other games: {built.counts.reason}"),
    ):
        if count:
            click.echo(f"skipped {counted(count, hand)}{which}")
    _print_coverage(built.model)


@model.command(short_help="Show what a model has seen.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print {made, coverage, ...} as JSON.")
def show(folder: Path, as_json: bool) -> None:
    """Show what the model in FOLDER has seen: decisions and information sets, round by round.

    For the frequencies at one decision, use `kibitz show`.
    """
    from kibitz.modelling.frequentist import load_model

    loaded = load_model(folder)
    if as_json:
        print_json(_summary(folder, loaded))
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


def _summary(folder: Path, found: FrequentistModel) -> dict[str, Any]:
    """A model as JSON says it."""
    from kibitz.modelling.frequentist import coverage

    return {"folder": str(folder), "made": found.manifest, "coverage": coverage(found)}


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

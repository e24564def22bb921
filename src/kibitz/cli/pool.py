"""`kibitz pool`: opponents to practise on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import progress
from kibitz.cli._files import folder_for, saving
from kibitz.cli._options import seed_option
from kibitz.cli._output import folded, print_json
from kibitz.cli._problem import of_which_game
from kibitz.files import locked
from kibitz.games import load_game
from kibitz.tree.menus import choose_menus

if TYPE_CHECKING:
    from kibitz.pools.make import PoolMember

NAMES = ("A", "B", "C")
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group()
def pool() -> None:
    """Make pools of opponents with fixed members and seeds.

    Pool A is for training, pool B is held out. Members are equilibria, tilted and noisy ones, simple agents, imitators
    and one that changes its style in mid-match. Pool C has equilibria of three card abstractions.
    """


@pool.command(short_help="Make the members of a pool.")
@click.argument("name", type=click.Choice(NAMES), metavar="{A|B|C}")
@click.option("--game", default="leduc", show_default=True, help="Game with two players, by name or file.")
@click.option("--out", required=True, type=_FOLDER, help="Folder for the pool; members that are there are kept.")
@click.option("--cards", default="", help="Card abstraction of hold'em, such as 5-bucket.")
@click.option("--menu", "menus", multiple=True, help="Menu of bet sizes, such as fcpa; once, or once for each player.")
@click.option(
    "--iterations",
    default=1000,
    show_default=True,
    type=click.IntRange(1),
    help="Number of iterations of CFR+ for each equilibrium.",
)
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1), help="Number of threads.")
@seed_option("Seed of the hands that imitators learn from.")
@click.option("--json", "as_json", is_flag=True, help="Print {members: [{name, agent, kind, ...}]} as JSON.")
def make(name: str, game: str, out: Path, as_json: bool, **settings: Any) -> None:
    """Make the members of a pool for a game.

    To resume an interrupted run, give the same command again.
    """
    from kibitz.pools import PoolPlan, make_pool
    from kibitz.solvers.problem import Problem

    rules = load_game(game)
    problem = Problem(rules, choose_menus(rules, settings["menus"]), cards=settings["cards"])
    plan = PoolPlan(name, problem, settings["iterations"], seed=settings["seed"], threads=settings["threads"])
    members = []
    with folder_for(out), locked(out), progress("members", len(plan.members)) as advance:
        for member in saving(out, make_pool(plan, out)):
            members.append(member)
            advance(1)
    _print(members, as_json)


@pool.command(short_help="List the members of a pool.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print {members: [{name, agent, kind, ...}]} as JSON.")
def show(folder: Path, as_json: bool) -> None:
    """List the members of the pool in FOLDER, each with the agent that `kibitz match` takes."""
    from kibitz.pools import load_pool

    _print(load_pool(folder), as_json)


def _print(members: list[PoolMember], as_json: bool) -> None:
    found = [{**member.made, "agent": member.agent} for member in members]
    if as_json:
        print_json({"members": found})
        return
    width = max(len(member.name) for member in members)
    click.echo(f"{'member':<{width}}  exploitability  agent")
    for each in found:
        value = f"{each['exploitability']:.1f}" if "exploitability" in each else "–"
        click.echo(f"{each['name']:<{width}}{value:>16}  {each['agent']}")
    measured = next(each for each in found if "unit" in each)
    told = f"{measured['unit']}{of_which_game(Path(measured['agent']))}"
    click.echo(folded(f"exploitability in {told}; – where it has not been measured"))

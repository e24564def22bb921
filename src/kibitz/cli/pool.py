"""`kibitz opponents pool`: opponents to practise on."""

from __future__ import annotations

from pathlib import Path

import click

from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.pools.plan import MemberPlan, PoolPlan

_JSON = "Print {members: [{name, agent, kind, ...}]} as JSON."


@click.group()
def pool() -> None:
    """Make pools of opponents with fixed members and seeds.

    Pool A is for training, pool B is held out. Members are equilibria, tilted and noisy ones, simple agents, imitators
    and one that changes its style in mid-match. Pool C has equilibria of three card abstractions.
    """


@plan_command(PoolPlan, _JSON)
def make(work: Work[PoolPlan]) -> None:
    """Print the members as `show_pool` does."""
    made = work.made()
    assert made.path is not None
    show_pool(made.path, "", work.as_json)


@plan_command(MemberPlan, "Print {member, agent, exploitability, unit} as JSON.")
def member(work: Work[MemberPlan]) -> None:
    """Print how exploitable it is."""
    from kibitz.games.stakes import Stake

    made, stake = work.made().made, Stake.of(work.plan.problem.game)
    value = stake.milli_per_chip * made["exploitability"]
    if work.as_json:
        out = None if work.out is None else str(work.out)
        print_json({"member": work.plan.member, "agent": out, "exploitability": value, "unit": stake.unit})
        return
    click.echo(f"{work.plan.member} is exploitable for {value:.1f} {stake.unit}")


@click.command(short_help="List the members of a pool.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--json", "as_json", is_flag=True, help=_JSON)
def show(folder: Path, as_json: bool) -> None:
    """List the members of the pool in FOLDER, each with the agent that `kibitz match` takes."""
    show_pool(folder, "", as_json)


def show_pool(folder: Path, _node: str, as_json: bool) -> None:
    """The members of a pool, as `kibitz show` tells of it."""
    from kibitz.pools import load_pool
    from kibitz.strategy.files import of_which_game

    members = load_pool(folder)
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


for command in (make, member, show):
    pool.add_command(command)

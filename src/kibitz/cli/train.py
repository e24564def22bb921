"""`kibitz train`: agents for hold'em from nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.cli._output import print_json, stages

if TYPE_CHECKING:
    from kibitz.solvers.problem import Problem


@click.command()
@click.argument("preset", default="quick")
@click.option("--only", type=click.Choice(["nolimit", "limit"]), help="Train one of the two agents.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for them. [default: agents]")
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=0, show_default=True, help="Of the boards.")
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in --out.")
@click.option("--json", "as_json", is_flag=True, help="Print {preset, agents: {name: {...}}} as JSON.")
def train(
    preset: str, only: str | None, out: Path | None, threads: int, seed: int, resume: bool, as_json: bool
) -> None:
    """Train the agents of a PRESET (quick, standard or big) and leave them in a folder each.

    Two for heads-up hold'em: nolimit (blinds 50/100, stacks of 20,000) and limit. A folder is an agent: give it to
    `kibitz match`, `tournament`, `play` or `connect`.
    """
    from kibitz.solvers.campaign import Campaign, run_campaign
    from kibitz.solvers.memory import check_memory
    from kibitz.solvers.presets import find_preset
    from kibitz.solvers.problem import Options
    from kibitz.tree.size import format_bytes

    found = find_preset(preset)
    click.echo(f"{preset}, {found.summary}", err=as_json)
    trained = {}
    for name, blueprint in found.blueprints.items():
        if only not in (None, name):
            continue
        folder = (out or Path("agents")) / f"{preset}-{name}"
        problem = blueprint.problem(seed)
        peak = blueprint.peak_bytes(seed, threads)
        click.echo(
            f"{name}: {blueprint.game}, menu {blueprint.menu}, {blueprint.cards}, {problem.size.infosets:,} "
            f"information sets, peak memory about {format_bytes(peak)}",
            err=as_json,
        )
        check_memory(problem, blueprint.algorithm, Options(threads=threads))
        begun = resume and (folder / "checkpoint.npz").exists()
        with stages() as progress:
            problem.prepare(threads, progress)
            campaign = Campaign(problem, blueprint.algorithm, Options(threads=threads), blueprint.iterations)
            last = None
            for last in run_campaign(campaign, folder, begun):
                stage = f"solving {name}, exploitable for {_mbb(last.exploitability, problem)}"
                progress(stage, last.iteration, blueprint.iterations)
        if last is None:
            click.echo(f"  {folder} is done already", err=as_json)
            continue
        click.echo(
            f"  {folder}: exploitable for {_mbb(last.exploitability, problem)} a hand among its own cards and "
            f"bets, {last.seconds:.0f} s of solving",
            err=as_json,
        )
        trained[name] = {"folder": str(folder), **last._asdict(), "peak_bytes": peak}
    if as_json:
        print_json({"preset": preset, "agents": trained})


def _mbb(chips: float, problem: Problem) -> str:
    return f"{1000 * chips / max(problem.game.blinds):.1f} mbb"

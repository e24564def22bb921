"""`kibitz train`: hold'em agents from scratch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.amounts import counted
from kibitz.cli._bars import stages
from kibitz.cli._files import folder_for, saving
from kibitz.cli._options import MAX_DRAWS, seed_option
from kibitz.cli._output import folded, print_json

if TYPE_CHECKING:
    from kibitz.training.presets import Blueprint
    from kibitz.training.run import Progress


@click.command()
@click.argument("preset", default="quick")
@click.option("--only", type=click.Choice(["nolimit", "limit"]), help="Agent to train.  [default: both]")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the agents.  [default: agents]"
)
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1), help="Number of threads.")
@seed_option("Seed for sampling boards.")
@click.option(
    "--lbr-boards",
    default=300,
    show_default=True,
    type=click.IntRange(0, MAX_DRAWS),
    help="Number of sampled boards on which a local best response measures each agent in the real game; 0 for none.",
)
@click.option("--resume", is_flag=True, help="Continue from the last checkpoint in --out.")
@click.option("--json", "as_json", is_flag=True, help="Print {preset, agents: {name: {...}}} as JSON.")
def train(
    preset: str,
    only: str | None,
    out: Path | None,
    threads: int,
    seed: int,
    lbr_boards: int,
    resume: bool,
    as_json: bool,
) -> None:
    """Train the hold'em agents of PRESET (quick, standard or big) and save each in its own folder.

    Each preset has two heads-up agents: nolimit (blinds 50/100, stacks of 20,000) and limit. A folder is an agent:
    `kibitz match`, `tournament`, `play` and `connect` accept it.

    Prints two figures per agent: its exploitability in its abstract game, where opponents have the same buckets and
    bets, and a lower bound in the real game, where they see their cards (see `kibitz lbr`).
    """
    from kibitz.solvers.registry import Options
    from kibitz.training.campaign import check_run
    from kibitz.training.memory import check_memory
    from kibitz.training.presets import find_preset

    found = find_preset(preset)
    out = out or Path("agents")
    chosen = {name: each for name, each in found.blueprints.items() if only in (None, name)}
    for name, blueprint in chosen.items():
        folder = out / f"{preset}-{name}"
        check_run(folder, _has_begun(folder, resume))
        check_memory(blueprint.problem(seed), blueprint.algorithm, Options(threads=threads))
    trained = {}
    with folder_for(out):
        click.echo(f"{preset}, {found.summary}", err=as_json)
        for name, blueprint in chosen.items():
            folder = out / f"{preset}-{name}"
            last = _train(name, blueprint, folder, seed, threads, resume, as_json)
            real = _measure(folder, last, lbr_boards, seed, as_json)
            if last is not None:
                peak = blueprint.peak_bytes(seed, threads)
                trained[name] = {"folder": str(folder), **last._asdict(), "peak_bytes": peak, "real": real}
    if as_json:
        print_json({"preset": preset, "agents": trained})


def _has_begun(folder: Path, resume: bool) -> bool:
    """Whether there is something to go on with; of two agents one may not have begun."""
    return resume and (folder / "checkpoint.npz").exists()


def _train(
    name: str, blueprint: Blueprint, folder: Path, seed: int, threads: int, resume: bool, as_json: bool
) -> Progress | None:
    """One agent, told as it goes; None if it is done already."""
    from kibitz.amounts import format_bytes
    from kibitz.games.stakes import Stake
    from kibitz.solvers.registry import Options
    from kibitz.training.campaign import Campaign, run_campaign

    problem, peak = blueprint.problem(seed), blueprint.peak_bytes(seed, threads)
    sets, stake = counted(problem.size.infosets, "information set"), Stake.of(problem.game)
    click.echo(f"{name}: {blueprint.game}, menu {blueprint.menu}, {blueprint.cards}, {sets},", err=as_json)
    click.echo(f"  peak memory about {format_bytes(peak)}", err=as_json)
    last = None
    with stages() as progress:
        problem.prepare(threads, progress)
        campaign = Campaign(problem, blueprint.algorithm, Options(threads=threads), blueprint.iterations)
        for last in saving(folder, run_campaign(campaign, folder, _has_begun(folder, resume))):
            reached = f"{last.exploitability * stake.milli_per_chip:.1f} {stake.unit}"
            progress(f"{name}: exploitable for {reached} in its abstract game", last.iteration, blueprint.iterations)
    return last


def _measure(folder: Path, last: Progress | None, boards: int, seed: int, as_json: bool) -> Any:
    """Measure a trained agent in the real game, and tell how exploitable it is; what its manifest keeps of that."""
    from kibitz.strategy.core import REAL
    from kibitz.strategy.exploitability import Solved
    from kibitz.training.real import measure_run

    with stages() as progress:
        strategy = measure_run(folder, boards, seed, progress)
    told = Solved.of(strategy).describe(strategy.manifest.get("exploitability"), str(folder))
    begun, ended = (" is already complete", "") if last is None else ("", f"; {last.seconds:.0f} s of solving")
    click.echo(folded(f"{folder}{begun}: exploitable for {told}{ended}", 4, "  "), err=as_json)
    return strategy.manifest.get(REAL)

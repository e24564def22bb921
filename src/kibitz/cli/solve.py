"""`kibitz solve`: equilibria of games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from kibitz.amounts import counted
from kibitz.cli._bars import stages
from kibitz.cli._files import folder_for, saving
from kibitz.cli._options import Finite, seed_option
from kibitz.cli._output import folded, print_json
from kibitz.cli._problem import make_problem, problem_options
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.solvers.problem import Problem
    from kibitz.solvers.registry import Options

NAMES = (
    "cfr",
    "cfr+",
    "linear",
    "dcfr",
    "dcfr-3",
    "pcfr+",
    "chance",
    "external",
    "outcome",
    "pure",
    "pcs",
    "cfr-br",
    "cfr-br-real",
    "lp",
)


@click.command()
@problem_options
@click.option(
    "--algorithm",
    type=click.Choice(NAMES),
    default="cfr+",
    show_default=True,
    metavar="NAME",
    help=f"Algorithm: one of {', '.join(NAMES)}.",
)
@click.option("--iterations", type=click.IntRange(1), help="Number of iterations.  [default: 1000 without --until]")
@click.option("--until", type=Finite(0, min_open=True), help="Exploitability at which to stop, in chips/hand.")
@click.option(
    "--updates",
    type=click.Choice(["alternating", "simultaneous"]),
    default="alternating",
    show_default=True,
    help="Order in which the players update (vector solvers).",
)
@click.option(
    "--threads",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Number of threads. Vector solvers give the same result with any number; sampled solvers are reproducible "
    "only with one.",
)
@click.option(
    "--storage",
    type=click.Choice(["double", "single", "half"]),
    default="double",
    show_default=True,
    help="Precision of the regret and strategy sums of sampled solvers: 16, 8 or 4 bytes per infoset-action pair.",
)
@click.option(
    "--device",
    type=click.Choice(["cpu", "gpu"]),
    default="cpu",
    show_default=True,
    help="Device of the vector solvers; gpu needs the extra gpu and pays off with many buckets.",
)
@click.option(
    "--flops",
    default=0,
    type=click.IntRange(0),
    help="Number of sampled flops that cfr-br-real learns on.  [default: 0, all]",
)
@seed_option("Seed for sampled solvers and, with --cards, for sampling boards and building the card abstraction.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the strategy, checkpoint and exploitability curve.",
)
@click.option("--resume", is_flag=True, help="Continue from the last checkpoint in --out.")
@click.option("--json", "as_json", is_flag=True, help="Print {game, algorithm, iterations, value, ...} as JSON.")
def solve(
    game: str,
    menus: tuple[str, ...],
    suits: str,
    cards: tuple[str, ...],
    boards: int,
    algorithm: str,
    iterations: int | None,
    until: float | None,
    updates: str,
    threads: int,
    storage: str,
    device: str,
    flops: int,
    seed: int,
    out: Path | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Solve GAME and print the exploitability as it falls, in chips/hand.

    Games with more than two players need a sampled algorithm: chance, external, outcome or pure.

    With --out, saves the strategy, a checkpoint that --resume continues, and the exploitability curve as data and plot.
    """
    from kibitz.solvers.registry import Options
    from kibitz.strategy.exploitability import Solved
    from kibitz.training.algorithms import check_suitable
    from kibitz.training.campaign import PLOT, STRATEGY, Campaign, check_run, is_measured, run_campaign

    if iterations is None and until is None:
        iterations = 1 if algorithm == "lp" else 1000
    check_run(out, resume)
    problem = make_problem(game, menus, suits, cards, boards, seed)
    options = Options(updates == "alternating", threads, seed, storage, device, flops)
    _check_given(problem, algorithm, options)
    check_suitable(algorithm, problem, options)
    if cards:
        _announce(problem, algorithm, options, as_json)
    with stages() as progress:
        problem.prepare(threads, progress)
    campaign = Campaign(problem, algorithm, options, iterations, until)
    solved = Solved(problem.game, problem.tree.menus, problem.describe_cards())
    heading, wide, last = ("abstract exploitability", 24, None) if solved.is_abstract else ("exploitability", 15, None)
    with folder_for(out):
        for each in saving(out, run_campaign(campaign, out, resume)):
            if last is None and not as_json:
                click.echo(f"{'iterations':>12} {heading:>{wide}} {'value, seat 0':>15} {'seconds':>9}")
            if not as_json:
                reached, value = (f"{number:z.9f}" if is_measured(each) else "–" for number in each[1:3])
                click.echo(f"{each.iteration:>12,} {reached:>{wide}} {value:>15} {each.seconds:>9.2f}")
            last = each
    if last is None:
        raise click.UsageError(f"nothing left to do: the run in {out} is complete")
    if as_json:
        print_json(
            {
                "game": game,
                "algorithm": algorithm,
                "iterations": last.iteration,
                "value": last.value,
                "exploitability": last.exploitability,
                "abstract": solved.is_abstract,
                "seconds": last.seconds,
            }
        )
        return
    if solved.is_abstract:
        kept = str(out) if out is not None else ""
        click.echo(folded(f"Exploitability: {solved.describe(last.exploitability, kept)}"))
    if out is not None:
        click.echo(f"Strategy: {out / STRATEGY}" + (f", curve: {out / PLOT}" if is_measured(last) else ""))


def _check_given(problem: Problem, algorithm: str, options: Options) -> None:
    """Refuse what was asked for and would do nothing; what is only a default may do nothing."""
    from kibitz.solvers.cfr import WEIGHTINGS

    context = click.get_current_context()
    given = {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    if "boards" in given and not problem.cards:
        raise KibitzError(f"--boards {problem.boards} without --cards: boards are sampled only for a card abstraction")
    if "boards" in given and not problem.is_measurable:
        raise KibitzError(
            f"--boards {problem.boards} with --cards {problem.cards_name}: boards are sampled only for two players, "
            "perfect recall and all four rounds"
        )
    if given.get("suits") == "kept" and problem.cards:
        raise KibitzError(f"--suits kept with --cards {problem.cards_name}: buckets do not distinguish suits")
    if "updates" in given and algorithm not in WEIGHTINGS:
        names = ", ".join(WEIGHTINGS)
        raise KibitzError(f"--updates {given['updates']} with {algorithm}: only {names} have a choice of updates")
    for name in ("iterations", "until"):
        if name in given and algorithm == "lp":
            raise KibitzError(f"--{name} {given[name]:g} with lp: a linear program is solved exactly, in one step")
    alone = "--device gpu" if options.device == "gpu" else algorithm if algorithm in ("lp", "cfr-br", "pcs") else ""
    if options.threads > 1 and alone and not problem.cards:
        raise KibitzError(f"--threads {options.threads} with {alone}: it uses one thread")


def _announce(problem: Problem, algorithm: str, options: Options, as_json: bool) -> None:
    """Say how large it will be, or refuse it, before anything takes long."""
    from kibitz.amounts import format_bytes
    from kibitz.training.memory import check_memory, peak_bytes

    check_memory(problem, algorithm, options)
    size = problem.size
    need = format_bytes(peak_bytes(problem, algorithm, options))
    click.echo(f"{counted(size.nodes, 'betting node')}, {counted(size.infosets, 'information set')},", err=as_json)
    click.echo(f"  {size.pairs:,} infoset-action pairs; peak memory about {need}", err=as_json)

"""`kibitz rollout-error`: how much rollouts would improve a learned policy."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import progress
from kibitz.cli._files import folder_for, write_whole, writing
from kibitz.cli._options import seed_option
from kibitz.cli._output import folded, print_json
from kibitz.errors import KibitzError
from kibitz.files import locked, plain

if TYPE_CHECKING:
    from kibitz.learning.model import Model
    from kibitz.learning.rollouts import RolloutReport, RolloutSettings

LEDGER, RESULTS = "decisions.jsonl", "results.json"


@click.command()
@click.argument("agent", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option(
    "--players",
    default="",
    help="Players at the table, 2 to 10, or irc for a mix with mean 5.2.  [default: as trained]",
)
@click.option(
    "--decisions", default=1000, show_default=True, type=click.IntRange(1, 10_000_000), help="Number of decisions."
)
@click.option(
    "--samples", default=1000, show_default=True, type=click.IntRange(2, 1_000_000), help="Samples of a decision."
)
@click.option("--folds", default=10, show_default=True, type=click.IntRange(2, 1000), help="Folds of the samples.")
@click.option(
    "--common/--independent",
    default=True,
    show_default=True,
    help="Draw later actions by the same random numbers for all options of a sample, or by their own.",
)
@seed_option("Seed for deals and samples.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the errors of each decision.")
@click.option("--resume", is_flag=True, help="Continue the measurement begun in --out.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Number of processes.")
@click.option("--json", "as_json", is_flag=True, help="Print {agent, players, stages: {pre-flop: ...}} as JSON.")
def rollout_error(
    agent: Path, players: str, out: Path | None, resume: bool, workers: int, as_json: bool, **options: Any
) -> None:
    """Estimate how much rollouts would improve the policy of AGENT, the folder of an agent from self-play.

    Decisions are drawn from deals that the agent plays against itself. Unseen cards are drawn again and again, weighted
    by how likely the others' actions are with them, and every option is played out. The RI error is what the option
    chosen on nine folds of the samples gains on the tenth over the policy; it is unbiased. The sample error is what the
    best option on all samples seems to gain, and the LFO error their difference. In small blinds per decision.

    With --out, saves results.json and the errors of each decision as they are measured, which --resume continues to the
    same numbers.
    """
    from kibitz.learning.files import load_model
    from kibitz.learning.rollouts import RolloutSettings

    if resume and out is None:
        raise KibitzError("--resume needs the folder of the run: --out")
    model = load_model(agent)
    settings = RolloutSettings(seats=choose_seats(players, model), **options)
    with folder_for(out), locked(out):
        report = _measure(model, settings, out, resume, workers)
        document = {"agent": str(agent), **report.to_dict()}
        if out is not None:
            write_whole(out / RESULTS, json.dumps(plain(document), indent=2) + "\n")
    if as_json:
        print_json(document)
        return
    _print(report)


def _measure(model: Model, settings: RolloutSettings, out: Path | None, resume: bool, workers: int) -> RolloutReport:
    from kibitz.learning.rollouts import RolloutLedger, describe_run, measure_rollout_errors
    from kibitz.learning.tables import rules_of_model

    rules, ledger, done = rules_of_model(model), None, 0
    with writing(out) if out is not None else nullcontext():
        if out is not None:
            ledger = RolloutLedger(out / LEDGER, describe_run(model, rules, settings), resume)
        with progress("decisions", settings.decisions) as advance:

            def count(number: int) -> None:
                nonlocal done
                advance(number - done)
                done = number

            return measure_rollout_errors(model, rules, settings, workers, count, ledger)


def choose_seats(players: str, model: Model) -> int | str:
    """The number of players that was asked for, or those that the agent was trained with."""
    chosen = players or model.made.get("players", 6)
    if chosen == "irc" or (isinstance(chosen, int) and 2 <= chosen <= 10):
        return chosen
    if isinstance(chosen, str) and chosen.isascii() and chosen.isdecimal() and 2 <= int(chosen) <= 10:
        return int(chosen)
    raise KibitzError(f"--players {chosen}: a number from 2 to 10 is needed, or irc")


def _print(report: RolloutReport) -> None:
    from kibitz.learning.rollouts import STAGES

    heading = f"{'stage':<9}{'decisions':>15}{'sample':>16}{'LFO':>16}{'RI':>16}{'size':>7}"
    click.echo(heading)
    for stage, name in enumerate((*STAGES, "overall")):
        found = report.of_stage(stage if stage < len(STAGES) else None)
        if not found.decisions:
            click.echo(f"{name:<9}{0:>8,}")
            continue
        cells = "".join(
            f"{value:>+8.3f} ±{error:<6.3f}" if error == error else f"{value:>+8.3f}{'':8}"
            for value, error in (
                (found.sample, found.sample_error),
                (found.lfo, found.lfo_error),
                (found.improvement, found.improvement_error),
            )
        )
        click.echo(f"{name:<9}{found.decisions:>8,} {found.share:>5.0%} {cells}{found.size:>8,.0f}")
    settings = report.settings
    seats = "the IRC mix of players" if settings.seats == "irc" else f"{settings.seats} players"
    click.echo(
        folded(
            f"Small blinds per decision, ± standard errors; {settings.samples:,} samples in {settings.folds} folds, "
            f"{seats}, seed {settings.seed}. size: effective number of samples."
        )
    )

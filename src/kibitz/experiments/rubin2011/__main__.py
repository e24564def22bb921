"""`python -m kibitz.experiments.rubin2011 PRESET`: the substitutes for table 5, learnt from a trained strategy."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from kibitz.errors import KibitzError
from kibitz.experiments.rubin2011.imitation import run
from kibitz.experiments.rubin2011.plots import draw_curve
from kibitz.experiments.rubin2011.pluribus import imitate
from kibitz.experiments.rubin2011.presets import PRESETS
from kibitz.experiments.rubin2011.report import render


@click.command(help=__doc__)
@click.argument("preset", type=click.Choice(list(PRESETS)))
@click.option("--expert", default="", help="An agent by name or the folder of a strategy. [default: the preset's]")
@click.option("--rival", "rivals", multiple=True, help="One more opponent, such as the folder of another strategy.")
@click.option(
    "--pluribus", multiple=True, type=click.Path(path_type=Path), help="Hands of Pluribus, to imitate it too."
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option("--seed", default=0, show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for results.json, report.txt, curve.svg and curve.png, and for all that was made on the way: the "
    "same command goes on there.",
)
def main(
    preset: str,
    expert: str,
    rivals: tuple[str, ...],
    pluribus: tuple[Path, ...],
    workers: int,
    seed: int,
    out: Path | None,
) -> None:
    document: dict[str, Any] = {"preset": preset, "seed": seed}
    text = ""
    try:
        for part, found in run(
            preset, expert=expert, rivals=rivals, folder=out, seed=seed, workers=workers, tell=_tell
        ):
            document[part] = found
            text += render(part, found) + "\n"
            click.echo(render(part, found))
        if pluribus:
            document["pluribus"] = imitate(pluribus, PRESETS[preset].strength)
            click.echo(json.dumps(document["pluribus"], indent=2))
    except KibitzError as error:
        raise click.UsageError(str(error)) from None
    if out is not None:
        (out / "results.json").write_text(json.dumps(document, indent=2) + "\n")
        (out / "report.txt").write_text(text)
        for form in ("svg", "png"):
            (out / f"curve.{form}").write_bytes(draw_curve(document["fidelity"], document["loss"], form))


def _tell(stage: str, done: int, total: int) -> None:
    """A line that is written over, on a terminal; elsewhere every twentieth part a line."""
    if sys.stderr.isatty():
        click.echo(f"\r{stage}: {done:,} of {total:,}    " + "\n" * (done >= total), err=True, nl=False)
    elif done == total or done % max(total // 20, 1) == 0:
        click.echo(f"{stage}: {done:,} of {total:,}", err=True)


if __name__ == "__main__":
    main()

"""`python -m kibitz.experiments.rubin2011 PRESET`: the substitutes for table 5, learnt from a trained strategy."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from kibitz.errors import KibitzError
from kibitz.experiments.published import Effort
from kibitz.experiments.rubin2011.imitation import run
from kibitz.experiments.rubin2011.pluribus import Hands, imitate, read_hands
from kibitz.experiments.rubin2011.presets import PRESETS
from kibitz.experiments.rubin2011.report import draw_curve, render
from kibitz.files import locked, write_text

FIRST_BROKEN = 10  # places in logs that are told one by one


@click.command(help=__doc__)
@click.argument("preset", type=click.Choice(list(PRESETS)))
@click.option("--expert", default="", help="An agent by name or the folder of a strategy. [default: the preset's]")
@click.option("--rival", "rivals", multiple=True, help="One more opponent, such as the folder of another strategy.")
@click.option(
    "--pluribus",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="Hands of Pluribus, to imitate it too.",
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), metavar="INTEGER")
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
    with _in_one_sentence(), locked(out):
        hands = read_hands(pluribus) if pluribus else None  # what cannot be used is found before the long work
        for part, found in run(Effort(preset, workers, seed, out, _tell), expert, rivals):
            document[part] = found
            text += render(part, found) + "\n"
            click.echo(render(part, found))
        if hands:
            document["pluribus"] = imitate(hands, PRESETS[preset].strength)
            click.echo(json.dumps(document["pluribus"], indent=2))
            _tell_broken(hands)
        if out is not None:
            _write(out, document, text)


@contextmanager
def _in_one_sentence() -> Iterator[None]:
    """Bad input, and what the system refuses, as errors that are printed as a sentence."""
    try:
        yield
    except KibitzError as error:
        raise click.UsageError(str(error)) from None
    except BrokenPipeError:  # whoever read the output has seen enough
        raise
    except OSError as error:
        about = f"{error.filename}: " if error.filename else ""
        raise click.UsageError(f"{about}{error.strerror or error}") from None


def _write(out: Path, document: dict[str, Any], text: str) -> None:
    write_text(out / "results.json", json.dumps(document, indent=2) + "\n")
    write_text(out / "report.txt", text)
    for form in ("svg", "png"):
        (out / f"curve.{form}").write_bytes(draw_curve(document["fidelity"], document["loss"], form))


def _tell_broken(hands: Hands) -> None:
    for each in hands.bad[:FIRST_BROKEN]:
        click.echo(f"passed over: {each}", err=True)
    if hands.bad:
        click.echo(f"{len(hands.bad):,} broken places were passed over", err=True)


def _tell(stage: str, done: int, total: int) -> None:
    """A line that is written over, on a terminal; elsewhere every twentieth part a line."""
    if sys.stderr.isatty():
        click.echo(f"\r{stage}: {done:,} of {total:,}    " + "\n" * (done >= total), err=True, nl=False)
    elif done == total or done % max(total // 20, 1) == 0:
        click.echo(f"{stage}: {done:,} of {total:,}", err=True)


if __name__ == "__main__":
    main()

"""`python -m kibitz.experiments.rubin2011 PRESET`: the substitutes for table 5, learnt from a trained strategy."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kibitz.arena.executors import load_executor
from kibitz.experiments.rubin2011.imitation import PRESETS, run_preset
from kibitz.experiments.rubin2011.pluribus import imitate


@click.command(help=__doc__)
@click.argument("preset", type=click.Choice(list(PRESETS)))
@click.option("--expert", default="", help="An agent by name or the folder of a strategy. [default: the preset's]")
@click.option(
    "--pluribus", multiple=True, type=click.Path(path_type=Path), help="Hands of Pluribus, to imitate it too."
)
@click.option("--executor", default="in-process", show_default=True, help="Where matches are played.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Processes that build cases.")
@click.option("--seed", default=0, show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Also write the document here.")
def main(
    preset: str, expert: str, pluribus: tuple[Path, ...], executor: str, workers: int, seed: int, out: Path | None
) -> None:
    document: dict[str, object] = {"preset": preset, "seed": seed}
    for part, found in run_preset(preset, expert=expert, seed=seed, executor=load_executor(executor), workers=workers):
        click.echo(f"{part}: {json.dumps(found, indent=2)}")
        document[part] = found
    if pluribus:
        document["pluribus"] = imitate(pluribus, PRESETS[preset].strength)
        click.echo(f"pluribus: {json.dumps(document['pluribus'], indent=2)}")
    if out is not None:
        out.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()

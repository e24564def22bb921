"""`kibitz learn types`: types among recorded players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import stages
from kibitz.cli._files import saving
from kibitz.cli._options import Finite
from kibitz.cli._output import folded, print_json
from kibitz.cli._records import (
    measure_all,
    print_epoch,
    print_epoch_heading,
    print_fits,
    print_records,
    read_records,
    record_options,
)

if TYPE_CHECKING:
    from kibitz.learning import Model
    from kibitz.learning.histories import Hands
    from kibitz.learning.opponents import FitProgress
    from kibitz.learning.opponents.types import TypeFit, TypesFit

_AGENT = click.Path(path_type=Path, exists=True, file_okay=False)
SHOWN_DEALS = (1, 3, 10, 30, 60, 120)  # of which the entropy is printed


@click.command(short_help="Fit player types to recorded matches.")
@record_options(epochs=20)
@click.option(
    "--from",
    "start",
    type=_AGENT,
    help="Opponent model or agent from self-play to begin with.  [default: random weights]",
)
@click.option("--types", default=8, show_default=True, type=click.IntRange(2, 16), help="Number of player types.")
@click.option("--own-rate", type=Finite(0), help="Learning rate of the weights of types, divided by each type's share.")
@click.option("--compare", multiple=True, type=_AGENT, help="Another agent to measure the fit of; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print {out, hands, types, fits: {...}, curve: [...]} as JSON.")
def types(
    out: Path, start: Path | None, compare: tuple[Path, ...], resume: bool, as_json: bool, **options: Any
) -> None:
    """Fit a model with player types to the matches in LOGS, and save it in --out.

    A match is a file. Every player has one type for a match. It is drawn from what a joint filter of cards and types
    believes after the last deal, and learned from as if it had been seen; so are hidden cards (stochastic EM in two
    passes). `filtered` predicts a deal from the deals before it; `smoothed` knows the whole match. LOGS, hold-out and
    broken hands are as for `kibitz learn opponent`, whose model is a good one to begin with.
    """
    from kibitz.learning import load_model
    from kibitz.learning.opponents import run_fit

    hands, broken = read_records(options)
    begun = load_model(start) if start else None
    others = {str(path): load_model(path) for path in compare}
    fit = _make(hands, begun, options)
    curve: list[FitProgress] = []
    if not as_json:
        print_records(fit)
        print_epoch_heading()
    with stages("fitting types") as progress:
        for each in saving(out, run_fit(fit, out, resume)):
            curve.append(each)
            progress(f"{each.rate:,.0f} decisions/s", each.epoch, fit.fitting.epochs)
            if not as_json:
                print_epoch(each)
    models = others | ({str(start): begun} if begun is not None else {})
    fits = measure_all(models, fit.measure)
    with stages("measuring the fit of types"):
        found = fit.measure_typed(fit.typed)
    shares = fit.typed.weights.initial[: fit.typed.count].tolist()
    if not as_json:
        print_fits(fits | {"types, filtered": found.filtered, "types, smoothed": found.smoothed})
        _print_entropy(found, shares)
        return
    print_json(
        {
            "out": str(out),
            "hands": len(hands),
            "decisions": hands.decisions,
            "skipped": broken,
            "epochs": fit.epochs,
            "seconds": fit.seconds,
            "types": shares,
            "fits": {name: each.describe() for name, each in fits.items()} | found.describe(),
            "curve": [each.describe() for each in curve],
        }
    )


def _make(hands: Hands, start: Model | None, options: dict[str, Any]) -> TypeFit:
    from kibitz.learning import Model, Structure
    from kibitz.learning.opponents.types import TypeFit, TypeFitting
    from kibitz.learning.player_types import TypedModel

    fitting = TypeFitting(options["epochs"], options["patience"], options["hold_out"])
    given = {name: options[name] for name in ("rate", "card_rate") if options[name] is not None}
    fitting = replace(fitting, learning=replace(fitting.learning, **given))
    if options["own_rate"] is not None:
        fitting = replace(fitting, own_rate=options["own_rate"])
    if start is None:
        start = Model.random(Structure(), options["seed"], fitting.learning.scale, fitting.learning.value_scale)
    typed = TypedModel.random(start, options["types"], options["seed"], fitting.spread)
    return TypeFit(typed, hands, fitting, options["seed"])


def _print_entropy(found: TypesFit, shares: list[float]) -> None:
    """How soon types are known."""
    deals = [each for each in SHOWN_DEALS if each <= len(found.entropy)]
    click.echo(f"\nentropy of a player's type, bits\nbefore{found.initial:>9.3f}")
    for deal in deals:
        click.echo(f"{deal:>6}{found.entropy[deal - 1]:>9.3f} ± {found.error[deal - 1]:.3f}")
    click.echo(
        folded(
            f"After so many deals of a match, ± standard error; given the name {found.by_name:.3f}. Shares of the "
            f"types: {', '.join(f'{each:.3f}' for each in shares)}."
        )
    )

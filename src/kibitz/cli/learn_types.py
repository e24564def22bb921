"""`kibitz learn types`: types among recorded players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import stages
from kibitz.cli._learning import check_run
from kibitz.cli._options import Finite
from kibitz.cli._output import folded, print_json
from kibitz.cli._records import (
    describe_run,
    first_model,
    fitting_of,
    follow_fit,
    load_others,
    measure_all,
    print_fits,
    read_records,
    record_options,
)

if TYPE_CHECKING:
    from kibitz.learning.opponents.types import TypesFit

SHOWN_DEALS = (1, 3, 10, 30, 60, 120)  # of which the entropy is printed


@click.command(short_help="Fit player types to recorded matches.")
@record_options(epochs=20, start="Opponent model or agent from self-play")
@click.option("--types", default=8, show_default=True, type=click.IntRange(2, 16), help="Number of player types.")
@click.option("--own-rate", type=Finite(0), help="Learning rate of the weights of types, divided by each type's share.")
@click.option("--json", "as_json", is_flag=True, help="Print {out, hands, types, fits: {...}, curve: [...]} as JSON.")
def types(out: Path, resume: bool, as_json: bool, **options: Any) -> None:
    """Fit a model with player types to the matches in LOGS, and save it in --out.

    A match is a file. Every player has one type for a match. It is drawn from what a joint filter of cards and types
    believes after the last deal, and learned from as if it had been seen; so are hidden cards (stochastic EM in two
    passes). `filtered` predicts a deal from the deals before it; `smoothed` knows the whole match. LOGS, hold-out and
    broken hands are as for `kibitz learn opponent`, whose model is a good one to begin with.
    """
    from kibitz.learning.opponents.types import TypeFit, TypeFitting
    from kibitz.learning.player_types import TypedModel

    check_run(out, resume)
    begun, others = load_others(options)
    hands, broken = read_records(options)
    fitting, seed = fitting_of(TypeFitting(), options), options["seed"]
    if options["own_rate"] is not None:
        fitting = replace(fitting, own_rate=options["own_rate"])
    start = TypedModel.random(begun or first_model(fitting, seed), options["types"], seed, fitting.spread)
    fit = TypeFit(start, hands, fitting, seed)
    curve = follow_fit(fit, out, resume, as_json, "fitting types")
    fits = measure_all(others, fit.measure)
    with stages("measuring the fit of types"):
        found = fit.measure_typed(fit.typed)
    shares = fit.typed.weights.initial[: fit.typed.count].tolist()
    if not as_json:
        print_fits(fits | {"types, filtered": found.filtered, "types, smoothed": found.smoothed})
        _print_entropy(found, shares)
        return
    told = {"types": shares, "fits": {name: each.describe() for name, each in fits.items()} | found.describe()}
    print_json(describe_run(fit, out, broken) | told | {"curve": [each.describe() for each in curve]})


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

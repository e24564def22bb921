"""`kibitz learn opponent`: the mean strategy of recorded players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import stages
from kibitz.cli._files import saving
from kibitz.cli._output import print_json
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
    from kibitz.learning.opponents import FitProgress, OpponentFit

_AGENT = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command(short_help="Fit a model to recorded hands.")
@record_options(epochs=30)
@click.option("--from", "start", type=_AGENT, help="Agent from self-play to begin with.  [default: random weights]")
@click.option("--compare", multiple=True, type=_AGENT, help="Another agent to measure the fit of; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print {out, hands, fits: {...}, curve: [...]} as JSON.")
def opponent(
    out: Path, start: Path | None, compare: tuple[Path, ...], resume: bool, as_json: bool, **options: Any
) -> None:
    """Fit a model to the players of LOGS, most of whose cards were never seen, and save it in --out as an agent.

    LOGS are ACPC logs, PHH or PokerStars files, compressed files, tar archives or folders, of limit hold'em for 2 to 10
    players. Hidden cards are drawn from what the model makes of the betting, anew at every visit to a deal (stochastic
    EM). A share of the matches is held out; the epoch that fits them best is kept. A broken hand is an error unless
    --skip-bad is given.
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
    with stages("fitting") as progress:
        for each in saving(out, run_fit(fit, out, resume)):
            curve.append(each)
            progress(f"{each.rate:,.0f} decisions/s", each.epoch, fit.fitting.epochs)
            if not as_json:
                print_epoch(each)
    models = others | ({str(start): begun} if begun is not None else {}) | {"model": fit.model}
    fits = measure_all(models, fit.measure)
    if not as_json:
        print_fits(fits)
        return
    print_json(
        {
            "out": str(out),
            "hands": len(hands),
            "decisions": hands.decisions,
            "skipped": broken,
            "epochs": fit.epochs,
            "seconds": fit.seconds,
            "fits": {name: each.describe() for name, each in fits.items()},
            "curve": [each.describe() for each in curve],
        }
    )


def _make(hands: Hands, start: Model | None, options: dict[str, Any]) -> OpponentFit:
    from kibitz.learning import Model, Structure
    from kibitz.learning.opponents import Fitting, OpponentFit

    fitting = Fitting(options["epochs"], options["patience"], options["hold_out"])
    given = {name: options[name] for name in ("rate", "card_rate") if options[name] is not None}
    fitting = replace(fitting, learning=replace(fitting.learning, **given))
    if start is None:
        start = Model.random(Structure(), options["seed"], fitting.learning.scale, fitting.learning.value_scale)
    return OpponentFit(start, hands, fitting, options["seed"])

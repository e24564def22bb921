"""`kibitz learn opponent`: the mean strategy of recorded players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kibitz.cli._learning import check_run
from kibitz.cli._output import print_json
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


@click.command(short_help="Fit a model to recorded hands.")
@record_options(epochs=30, start="Agent from self-play")
@click.option("--json", "as_json", is_flag=True, help="Print {out, hands, fits: {...}, curve: [...]} as JSON.")
def opponent(out: Path, resume: bool, as_json: bool, **options: Any) -> None:
    """Fit a model to the players of LOGS, most of whose cards were never seen, and save it in --out as an agent.

    LOGS are ACPC logs, PHH or PokerStars files, compressed files, tar archives or folders, of limit hold'em for 2 to 10
    players. Hidden cards are drawn from what the model makes of the betting, anew at every visit to a deal (stochastic
    EM). A share of the matches is held out; the epoch that fits them best is kept. A broken hand is an error unless
    --skip-bad is given.
    """
    from kibitz.learning.opponents import Fitting, OpponentFit

    check_run(out, resume)
    begun, others = load_others(options)
    hands, broken = read_records(options)
    fitting, seed = fitting_of(Fitting(), options), options["seed"]
    fit = OpponentFit(begun or first_model(fitting, seed), hands, fitting, seed)
    curve = follow_fit(fit, out, resume, as_json, "fitting")
    fits = measure_all(others | {"model": fit.model}, fit.measure)
    if not as_json:
        print_fits(fits)
        return
    told = {"fits": {name: each.describe() for name, each in fits.items()}}
    print_json(describe_run(fit, out, broken) | told | {"curve": [each.describe() for each in curve]})

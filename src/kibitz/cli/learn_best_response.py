"""`kibitz train best-response`: a learner against opponents that stay as they are."""

from __future__ import annotations

from math import nan
from typing import Any

import click

from kibitz.amounts import counted
from kibitz.cli._guests import guests
from kibitz.cli._learned import seconds_of
from kibitz.cli._output import folded, number, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.learning.responses.learner import LAST, LEARNED
from kibitz.learning.responses.plan import BestResponsePlan, gain_of
from kibitz.plans import Row

SMALL_BLINDS_TO_MBB = 500


@plan_command(BestResponsePlan, "Print {out, hands, gain, curve: [...]} as JSON.")
def best_response(work: Work[BestResponsePlan]) -> None:
    """Print what is won as it goes, and in the end what was measured."""
    curve: list[Row] = []
    with guests():
        for report in work.reports():
            if (row := report.row) is None:
                continue
            if not work.as_json:
                heading = "" if curve else "     hands  hands/s  won per hand\n"
                click.echo(f"{heading}{row['deals']:>10,}{row['rate']:>9,.0f}  {_told(row['winnings'])}")
            curve.append(row)
    assert report.artefact is not None
    gain = gain_of(report.artefact.made)
    if work.as_json:
        hands, seconds = int(report.done), seconds_of(work, curve)
        print_json({"out": str(work.out), "hands": hands, "seconds": seconds, "gain": gain, "curve": curve})
        return
    if not curve:
        click.echo(f"{work.out} is already complete")
    if gain is not None:
        _tell(gain)


def _tell(gain: dict[str, Any]) -> None:
    """What the response wins when it does not learn."""
    if (chosen := gain.get("chosen", LEARNED)) not in (LEARNED, LAST):
        click.echo(folded(f"Warning: what was learned wins less than {chosen}, which was kept instead."), err=True)
    mean, error = (
        number(each * SMALL_BLINDS_TO_MBB, 0, form)
        for each, form in ((gain["mean"], "+,"), (1.96 * _known(gain["error"]), ","))
    )
    click.echo(
        folded(
            f"It wins {_told(gain)} small blinds per hand ({mean} ± {error} mbb/hand), s.d. "
            f"{number(_known(gain['deviation']), 2)}, in {counted(gain['hands'], 'hand')} without learning; ± standard "
            "error (mbb: 95 %)."
        )
    )


def _told(winnings: dict[str, Any]) -> str:
    return f"{winnings['mean']:+8.3f} ± {number(_known(winnings['error']), 3)}"


def _known(value: float | None) -> float:
    """A figure; nan for one that is not known."""
    return nan if value is None else value

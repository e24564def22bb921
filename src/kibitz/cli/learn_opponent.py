"""`kibitz train opponent` and `types`: models of recorded players, without types and with them."""

from __future__ import annotations

from typing import Any

import click

from kibitz.cli._learned import print_fits, seconds_of, told
from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.learning.opponents.plan import OpponentPlan, TypesPlan
from kibitz.plans import Row

SHOWN_DEALS = (1, 3, 10, 30, 60, 120)  # of which the entropy is printed


@plan_command(OpponentPlan, "Print {out, hands, fits: {...}, curve: [...]} as JSON.")
def opponent(work: Work[OpponentPlan]) -> None:
    """Print every epoch, and in the end how well the model fits."""
    made, curve = _follow(work)
    if work.as_json:
        print_json(_run(work, made, curve) | {"fits": made["fits"], "curve": curve})
    else:
        print_fits(made)


@plan_command(TypesPlan, "Print {out, hands, types, fits: {...}, curve: [...]} as JSON.")
def types(work: Work[TypesPlan]) -> None:
    """Print every epoch, and in the end how well types fit and how soon they are known."""
    made, curve = _follow(work)
    if work.as_json:
        fits = {"types": made["types"], "fits": {**made["fits"], "entropy": made["entropy"]}}
        print_json(_run(work, made, curve) | fits | {"curve": curve})
        return
    names = {"filtered": "types, filtered", "smoothed": "types, smoothed"}
    print_fits({**made, "fits": {names.get(name, name): fit for name, fit in made["fits"].items()}})
    _print_entropy(made["entropy"], made["types"])


def _follow(work: Work[Any]) -> tuple[dict[str, Any], list[Row]]:
    """Carry out a fit, printing every epoch; what its manifest says, and the epochs."""
    curve: list[Row] = []
    for report in work.reports():
        if report.row is not None:
            if not work.as_json:
                heading = "" if curve else "epoch  decisions/s   fitted  held out, drawn   held out, all\n"
                click.echo(heading + _epoch(report.row))
                for warning in report.row["warnings"]:
                    click.echo(folded(f"Warning: {warning}."), err=True)
            curve.append(report.row)
    assert report.artefact is not None
    return dict(report.artefact.made), curve


def _run(work: Work[Any], made: dict[str, Any], curve: list[Row]) -> dict[str, Any]:
    """What the JSON of a fit begins with."""
    return {
        "out": str(work.out),
        "hands": made["hands"],
        "decisions": made["decisions"],
        "skipped": work.plan.records[1],
        "epochs": made["epochs"],
        "seconds": seconds_of(work, curve),
    }


def _epoch(each: Row) -> str:
    """A line of the curve."""
    drawn, all_ = told(each["imputed"]), told(each["marginal"])
    best = "  best" if each["best"] else ""
    return f"{each['epoch']:>5}{each['rate']:>13,.0f}{each['fitted']:>9.4f}{drawn:>18}{all_:>18}{best}"


def _print_entropy(found: dict[str, Any], shares: list[float]) -> None:
    """How soon types are known."""
    click.echo(f"\nentropy of a player's type, bits\nbefore{found['initial']:>9.3f}")
    for deal in SHOWN_DEALS:
        if deal <= len(found["by_deal"]):
            click.echo(f"{deal:>6}{found['by_deal'][deal - 1]:>9.3f} ± {found['error'][deal - 1]:.3f}")
    click.echo(
        folded(
            f"After so many deals of a match, ± standard error; given the name {found['by_name']:.3f}. Shares of the "
            f"types: {', '.join(f'{each:.3f}' for each in shares)}."
        )
    )

"""What `kibitz respond` prints of a response or of a front of them."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from kibitz.cli._output import folded, print_json
from kibitz.statistics import Estimate
from kibitz.strategy.models import FEW

if TYPE_CHECKING:
    from kibitz.responses.imputation import Imputation
    from kibitz.responses.multiplayer import Response as SampledResponse
    from kibitz.responses.robust import Method, Response
    from kibitz.responses.robust.fronts import Point
    from kibitz.responses.robust.runs import Campaign

AMOUNTS = {"rnr": "p", "dbr": "p_max", "eps-safe": "epsilon"}  # the option that says how far a model is believed
BELIEVED = 0.5  # p and p_max where neither they nor a target are given


class Told(NamedTuple):
    source: dict[str, Any]
    campaign: Campaign
    method: Method
    seconds: float


def _figures(told: Told, point: Point | Response) -> dict[str, Any]:
    """What a response wins and risks, in thousandths of the stake."""
    from kibitz.games.stakes import Stake

    milli = Stake.of(told.campaign.problem.game).milli_per_chip
    names = ("objective", "exploitation", "exploitability", "gap")
    return {name: milli * getattr(point, name) for name in names}


def _described(told: Told) -> dict[str, Any]:
    from kibitz.games.stakes import Stake

    game = told.campaign.problem.game
    return {
        **told.source,
        "game": game.name,
        "unit": Stake.of(game).unit,
        "cards": told.campaign.roles.describe(),
        "seconds": told.seconds,
    }


def tell(told: Told, response: Response, as_json: bool) -> None:
    figures = _figures(told, response)
    described = _described(told)
    made = {name: value for name, value in response.strategy.manifest.items() if name in ("algorithm", "iterations")}
    if as_json:
        print_json({**described, **_amount(response.method, told), **made, **figures, **described_imputation(response)})
        return
    unit = described["unit"]
    click.echo(f"{response.method.name} to {told.source['opponent']} in {described['game'] or 'this game'}, {unit}")
    for name, value in _amount(response.method, told).items():
        if name != "method":
            click.echo(f"{name:<15} {value:>10}" if isinstance(value, str) else f"{name:<15} {value:>10.4f}")
    for name, value in figures.items():
        if name == "exploitation":
            tell_exploitation(Estimate(value, 0.0, 0, unit), response.imputation)
        elif not (name == "gap" and value == 0):
            line = f"{name:<15} {'–' if isnan(value) else f'{value:z.2f}':>10}"
            of_which = _of_which(told) if name == "exploitability" else ""
            click.echo(folded(of_which, before=line) if of_which else line)
    warn(response.imputation)
    if told.campaign.out is not None:
        click.echo(f"Agent: {told.campaign.out / 'strategy'}")


def tell_exploitation(won: Estimate, imputation: Imputation | None) -> None:
    """What is won from the opponent, and from a model where it was observed and where it was not."""
    if imputation is None:
        click.echo(figure("exploitation", won))
        return
    share = imputation.imputed_hands
    click.echo(figure("against model" if share else "exploitation", won))
    if share:
        click.echo(f"{figure('  observed', imputation.observed)}  in {100 * (1 - share):.1f} % of the hands")
        click.echo(f"{figure('  imputed', imputation.imputed)}  in {100 * share:.1f} %, where the model has no data")
    unseen, _rare, often = (100 * imputation.shares).tolist()
    click.echo(f"{'decisions seen':<15} {100 - unseen:>8.1f} %  ({often:.1f} % more than {FEW} times)")


def figure(name: str, value: Estimate) -> str:
    """A line of the result; intervals are left out where a value is exact."""
    interval = f" ± {value.half_width:.2f}" if value.half_width else ""
    return f"{name:<15} {value.mean:>z10.2f}{interval}"


def described_imputation(response: Response | SampledResponse) -> dict[str, Any]:
    """How far a response to a model rests on observations, for JSON; nothing where it is to a known strategy."""
    return {} if response.imputation is None else {"imputation": response.imputation.to_dict()}


def warn(imputation: Imputation | None) -> None:
    """Name the risk of a response to a model that says nothing of much of what it is asked."""
    if imputation is not None and imputation.warning:
        click.echo(folded(f"Warning: {imputation.warning}."))


def _of_which(told: Told) -> str:
    """What is said of an exploitability after its figure; nothing where the game is exact."""
    from kibitz.strategy.exploitability import Solved

    problem, out = told.campaign.problem, told.campaign.out
    solved = Solved(problem.game, problem.tree.menus, problem.describe_cards())
    return solved.of_which(str(out) if out is not None else "")


def _amount(method: Method, told: Told) -> dict[str, Any]:
    """The method by the names of its options."""
    from kibitz.games.stakes import Stake

    found: dict[str, Any] = {"method": method.name}
    if method.name in AMOUNTS:
        milli = Stake.of(told.campaign.problem.game).milli_per_chip if method.name == "eps-safe" else 1.0
        found[AMOUNTS[method.name]] = method.amount * milli
    return found | ({"confidence": method.confidence} if method.name == "dbr" else {})


def tell_curve(told: Told, points: list[Point], as_json: bool) -> None:
    name = AMOUNTS[told.method.name]
    imputed = any(point.imputed for point in points)
    rows = [
        {name: point.amount, **_figures(told, point), **({"hands_imputed": point.imputed} if imputed else {})}
        for point in points
    ]
    if as_json:
        print_json({**_described(told), "method": told.method.name, "points": rows})
        return
    won, last = ("against model", f"{'imputed %':>11}") if imputed else ("exploitation", "")
    click.echo(f"{name:>6} {'objective':>12} {won:>13} {'exploitability':>15}{last}")
    for row in rows:
        share = f"{100 * row['hands_imputed']:>11.1f}" if imputed else ""
        figures = f"{row['objective']:>z12.2f} {row['exploitation']:>z13.2f} {row['exploitability']:>z15.2f}"
        click.echo(f"{row[name]:>6g} {figures}{share}")
    of_which = _of_which(told)
    unit = f"{_described(told)['unit']}, means of both seats"
    click.echo(folded(f"{unit}; exploitability{of_which}" if of_which else unit))
    if imputed:
        click.echo("imputed %: hands in which the model has no data for some decision, and calls")
    if told.campaign.out is not None:
        click.echo(f"Plot: {told.campaign.out / 'front.png'}")

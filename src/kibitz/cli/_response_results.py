"""What `kibitz respond` prints of a response or of a front of them."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from kibitz.cli._output import folded, print_json

if TYPE_CHECKING:
    from kibitz.responses.robust import Method, Response
    from kibitz.responses.robust.fronts import Point
    from kibitz.responses.robust.runs import Campaign

AMOUNTS = {"rnr": "p", "dbr": "p_max", "eps-safe": "epsilon"}  # the option that says how far a model is believed


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
        print_json({**described, **_amount(response.method, told), **made, **figures})
        return
    unit = described["unit"]
    click.echo(f"{response.method.name} to {told.source['opponent']} in {described['game'] or 'this game'}, {unit}")
    for name, value in _amount(response.method, told).items():
        if name != "method":
            click.echo(f"{name:<15} {value:>10}" if isinstance(value, str) else f"{name:<15} {value:>10.4f}")
    for name, value in figures.items():
        if not (name == "gap" and value == 0):
            line = f"{name:<15} {'–' if isnan(value) else f'{value:z.2f}':>10}"
            of_which = _of_which(told) if name == "exploitability" else ""
            click.echo(folded(of_which, before=line) if of_which else line)
    if told.campaign.out is not None:
        click.echo(f"Agent: {told.campaign.out / 'strategy'}")


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
    rows = [{name: point.amount, **_figures(told, point)} for point in points]
    if as_json:
        print_json({**_described(told), "method": told.method.name, "points": rows})
        return
    click.echo(f"{name:>6} {'objective':>12} {'exploitation':>13} {'exploitability':>15}")
    for row in rows:
        click.echo(
            f"{row[name]:>6g} {row['objective']:>z12.2f} {row['exploitation']:>z13.2f} {row['exploitability']:>z15.2f}"
        )
    of_which = _of_which(told)
    unit = f"{_described(told)['unit']}, means of both seats"
    click.echo(folded(f"{unit}; exploitability{of_which}" if of_which else unit))
    if told.campaign.out is not None:
        click.echo(f"Plot: {told.campaign.out / 'front.png'}")

"""`kibitz exploit`: what beats an opponent, and how safely."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from kibitz.cli._guests import guests
from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.plans import Artefact
from kibitz.training.responding import AMOUNTS, RespondPlan

FIGURES = ("objective", "exploitation", "exploitability", "gap")
ROLES = ("ours", "free", "model")


@plan_command(RespondPlan, "Print {objective, exploitation, exploitability, ...} as JSON.")
def respond(work: Work[RespondPlan]) -> None:
    """Print what the response wins and risks, or the front."""
    start = perf_counter()
    with guests():
        made = work.made()
    told = _described(work, made, perf_counter() - start)
    if work.plan.curve:
        _tell_curve(work, made, told)
    elif "seats" in made.made:
        _tell_sampled(work, made, told)
    else:
        _tell(work, made, told)


def _described(work: Work[RespondPlan], found: Artefact, seconds: float) -> dict[str, Any]:
    """What was responded to, in which game and with which cards."""
    from kibitz.games.stakes import Stake
    from kibitz.strategy.files import solved_in

    plan, game = work.plan, solved_in(found).game
    observed = {} if plan.observe is None else {"observed_hands": plan.observe, "seed": plan.seed}
    told: dict[str, Any] = {"opponent": plan.opponent, **observed, "game": game.name}
    if game.players == 2:
        told["unit"] = Stake.of(game).unit
    told["cards"] = {role: found.made[role] for role in ROLES if role in found.made}
    told["seconds"] = seconds
    return told if game.players == 2 else {**told, "unit": Stake.of(game).unit}


def _method(made: Mapping[str, Any], milli: float) -> dict[str, Any]:
    """The method by the names of its settings."""
    found: dict[str, Any] = {"method": made["method"]}
    amount = AMOUNTS.get(made["method"], "")
    if amount:
        key = amount.replace("p_max", "P_max")
        found[amount] = made[key] * (milli if amount == "epsilon" else 1.0)
    return found | ({"confidence": made["confidence"]} if "confidence" in made else {})


def _imputation(made: Mapping[str, Any]) -> dict[str, Any]:
    """How far a response to a model rests on observations; nothing where it is to a known strategy."""
    return {"imputation": made["imputation"]} if "imputation" in made else {}


def _tell(work: Work[RespondPlan], found: Artefact, told: dict[str, Any]) -> None:
    """The response of two players."""
    made, milli = found.made, work.plan.milli
    figures = {name: None if made[name] is None else milli * made[name] for name in FIGURES}
    method = _method(made, milli)
    if work.as_json:
        how = {name: made[name] for name in ("algorithm", "iterations") if name in made}
        print_json({**told, **method, **how, **figures, **_imputation(made)})
        return
    _head(told, method)
    for name, value in figures.items():
        if name == "exploitation":
            _tell_exploitation({"mean": value, "half_width": 0.0}, made)
        elif not (name == "gap" and value == 0):
            line = f"{name:<15} {'–' if value is None else f'{value:z.2f}':>10}"
            of_which = _of_which(work, found) if name == "exploitability" else ""
            click.echo(folded(of_which, before=line) if of_which else line)
    _end(work, made)


def _tell_sampled(work: Work[RespondPlan], found: Artefact, told: dict[str, Any]) -> None:
    """The response of three and more."""
    from kibitz.responses.multiplayer.respond import NO_EXPLOITABILITY

    made, hands = found.made, work.plan.sampling.hands
    method = _method(made, 1.0)
    if work.as_json:
        settings = {name: made[name] for name in ("algorithm", "iterations", "seed", "deterministic", "profile")}
        told |= {**method, **settings, "hands": hands}
        told |= {name: made[name] for name in ("objective", "exploitation")}
        told |= {**_imputation(made), "exploitability": None, "why_no_exploitability": NO_EXPLOITABILITY}
        print_json({**told, "seats": made["seats"]})
        return
    _head(told, method)
    click.echo(_figure("objective", made["objective"]))
    _tell_exploitation(made["exploitation"], made)
    click.echo(f"{'exploitability':<15} {'–':>10}  (defined for two players only)")
    click.echo(f"means of {len(made['seats'])} seats, {hands:,} sampled hands each, 95 % intervals")
    _end(work, made)


def _head(told: Mapping[str, Any], method: Mapping[str, Any]) -> None:
    click.echo(f"{method['method']} to {told['opponent']} in {told['game'] or 'this game'}, {told['unit']}")
    for name, value in method.items():
        if name != "method":
            click.echo(f"{name:<15} {value:>10}" if isinstance(value, str) else f"{name:<15} {value:>10.4f}")


def _tell_exploitation(won: Mapping[str, Any], made: Mapping[str, Any]) -> None:
    """What is won from the opponent, and from a model where it was observed and where it was not."""
    from kibitz.strategy.models import FEW

    told = made.get("imputation")
    if told is None:
        click.echo(_figure("exploitation", won))
        return
    share = told["hands_imputed"]["mean"]
    click.echo(_figure("against model" if share else "exploitation", won))
    if share:
        click.echo(f"{_figure('  observed', told['observed'])}  in {100 * (1 - share):.1f} % of the hands")
        click.echo(f"{_figure('  imputed', told['imputed'])}  in {100 * share:.1f} %, where the model has no data")
    seen, often = (100 * told[name] for name in ("decisions_observed", f"decisions_over_{FEW}"))
    click.echo(f"{'decisions seen':<15} {seen:>8.1f} %  ({often:.1f} % more than {FEW} times)")


def _figure(name: str, value: Mapping[str, Any]) -> str:
    """A line of the result; intervals are left out where a value is exact."""
    interval = f" ± {value['half_width']:.2f}" if value["half_width"] else ""
    return f"{name:<15} {value['mean']:>z10.2f}{interval}"


def _end(work: Work[RespondPlan], made: Mapping[str, Any]) -> None:
    """The risk of a response to a model that says nothing of much of what it is asked, and where the agent is."""
    if "imputation" in made and made["imputation"]["warning"]:
        click.echo(folded(f"Warning: {made['imputation']['warning']}."))
    if work.out is not None:
        click.echo(f"Agent: {work.out}")


def _of_which(work: Work[RespondPlan], found: Artefact) -> str:
    """What is said of an exploitability after its figure; nothing where the game is exact."""
    from kibitz.strategy.files import solved_in

    return solved_in(found).of_which(str(work.out) if work.out is not None and not work.plan.curve else "")


def _tell_curve(work: Work[RespondPlan], found: Artefact, told: dict[str, Any]) -> None:
    """The front, with its plot."""
    rows = _front_rows(found)
    if work.as_json:
        print_json({**told, "method": work.plan.method, "points": rows})
        return
    _print_front(rows)
    of_which = _of_which(work, found)
    unit = f"{told['unit']}, means of both seats"
    click.echo(folded(f"{unit}; exploitability{of_which}" if of_which else unit))
    if "hands_imputed" in rows[0]:
        click.echo("imputed %: hands in which the model has no data for some decision, and calls")
    if work.out is not None:
        click.echo(f"Plot: {work.out / 'front.png'}")


def _front_rows(found: Artefact) -> list[dict[str, Any]]:
    """The points of a front in thousandths of the stake, by the names of their settings."""
    from kibitz.games.stakes import Stake
    from kibitz.responses.robust.fronts import points_of
    from kibitz.strategy.files import solved_in

    points, milli = points_of(found), Stake.of(solved_in(found).game).milli_per_chip
    imputed = any(point.imputed for point in points)
    return [
        {
            AMOUNTS[found.made["method"]]: point.amount,
            **{name: milli * getattr(point, name) for name in FIGURES},
            **({"hands_imputed": point.imputed} if imputed else {}),
        }
        for point in points
    ]


def _print_front(rows: list[dict[str, Any]]) -> None:
    amount, imputed = next(iter(rows[0])), "hands_imputed" in rows[0]
    won, last = ("against model", f"{'imputed %':>11}") if imputed else ("exploitation", "")
    click.echo(f"{amount:>6} {'objective':>12} {won:>13} {'exploitability':>15}{last}")
    for row in rows:
        share = f"{100 * row['hands_imputed']:>11.1f}" if imputed else ""
        figures = f"{row['objective']:>z12.2f} {row['exploitation']:>z13.2f} {row['exploitability']:>z15.2f}"
        click.echo(f"{row[amount]:>6g} {figures}{share}")


def show_front(folder: Path, _node: str, as_json: bool) -> None:
    """A front, for `kibitz show`."""
    from kibitz.plans import open_artefact

    rows = _front_rows(open_artefact(folder, "front"))
    if as_json:
        print_json({"points": rows})
        return
    _print_front(rows)

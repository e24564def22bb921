"""What commands that learn from recorded hands have in common: logs, hold-out, and tables of fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite, log
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kibitz.amounts import counted
from kibitz.cli._bars import stages
from kibitz.cli._files import saving
from kibitz.cli._learning import AGENT, rate_options, run_options
from kibitz.cli._options import Command, Finite, all_of
from kibitz.cli._output import folded
from kibitz.games import load_game

if TYPE_CHECKING:
    from kibitz.learning import Model
    from kibitz.learning.histories import Hands
    from kibitz.learning.opponents import Fit, FitProgress, Fitting, OpponentFit
    from kibitz.statistics import Estimate

AnyFitting = TypeVar("AnyFitting", bound="Fitting")
FIRST_BROKEN = 5  # of those that are named


def record_options(epochs: int, start: str) -> Callable[[Command], Command]:
    """Logs and how they are read, the model to begin with (`start` says which), and how the run goes on."""
    return all_of(
        click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path)),
        run_options("Seed for the hold-out, the order of deals, drawn cards and first weights.", "model"),
        click.option(
            "--hold-out",
            default=0.2,
            show_default=True,
            type=Finite(0, 1, min_open=True, max_open=True),
            help="Share of the matches to measure the fit with.",
        ),
        click.option(
            "--epochs",
            default=epochs,
            show_default=True,
            type=click.IntRange(1, 10**6),
            help="Largest number of epochs; fewer if the fit to the hold-out stops improving.",
        ),
        click.option(
            "--patience",
            default=4,
            show_default=True,
            type=click.IntRange(1, 10**6),
            help="Epochs without improvement after which fitting stops.",
        ),
        rate_options(),
        click.option(
            "--hide-folded", is_flag=True, help="Use only cards that came to a showdown, even if the logs show all."
        ),
        click.option("--skip-bad", is_flag=True, help="Skip broken hands and report how many there were."),
        click.option("--game", help="Game of ACPC logs that name none, by name or file."),
        click.option("--from", "start", type=AGENT, help=f"{start} to begin with.  [default: random weights]"),
        click.option("--compare", multiple=True, type=AGENT, help="Another agent to measure the fit of; repeatable."),
    )


def read_records(options: dict[str, Any]) -> tuple[Hands, list[str]]:
    """The hands of the logs, and what is wrong with those that were skipped; the first of them are named."""
    from kibitz.learning.histories import hide_folded, read_hands

    game = load_game(options["game"]) if options["game"] else None
    hands, broken = read_hands(_each_once(options["logs"]), game, options["skip_bad"])
    told = [str(each) for each in broken]
    for each in told[:FIRST_BROKEN]:
        click.echo(folded(f"Skipped: {each}"), err=True)
    if len(told) > FIRST_BROKEN:
        click.echo(f"Skipped {len(told):,} broken hands in all.", err=True)
    return (hide_folded(hands) if options["hide_folded"] else hands), told


def _each_once(logs: Sequence[Path]) -> list[Path]:
    """The logs without those that come again, by themselves or in a folder; which are told.

    A hand that is read twice could be fitted and held out.
    """
    places = [path.resolve() for path in logs]
    kept = []
    for number, (path, place) in enumerate(zip(logs, places, strict=True)):
        if place in places[:number] or any(folder in places for folder in place.parents):
            click.echo(folded(f"{path} is given twice: it is read once."), err=True)
        else:
            kept.append(path)
    return kept


def load_others(options: dict[str, Any]) -> tuple[Model | None, dict[str, Model]]:
    """The model to begin with, if any, and all whose fit is measured beside the result, by folder."""
    from kibitz.learning import load_model

    begun = load_model(options["start"]) if options["start"] else None
    others = {str(path): load_model(path) for path in options["compare"]}
    return begun, others | ({str(options["start"]): begun} if begun is not None else {})


def fitting_of(fitting: AnyFitting, options: dict[str, Any]) -> AnyFitting:
    """The settings of a fit with what the options say."""
    rates = {name: options[name] for name in ("rate", "card_rate") if options[name] is not None}
    given = {name: options[name] for name in ("epochs", "patience", "hold_out")}
    return replace(fitting, **given, learning=replace(fitting.learning, **rates))


def first_model(fitting: Fitting, seed: int) -> Model:
    """Random weights to begin with."""
    from kibitz.learning import Model, Structure

    return Model.random(Structure(), seed, fitting.learning.scale, fitting.learning.value_scale)


def follow_fit(fit: OpponentFit, out: Path, resume: bool, quiet: bool, doing: str) -> list[FitProgress]:
    """Run a fit to its end, and print what there is to fit to and every epoch."""
    from kibitz.learning.opponents import run_fit

    curve: list[FitProgress] = []
    if not quiet:
        _print_records(fit)
        click.echo("epoch  decisions/s   fitted  held out, drawn   held out, all")
    with stages(doing) as progress:
        for each in saving(out, run_fit(fit, out, resume)):
            curve.append(each)
            progress(f"{each.rate:,.0f} decisions/s", each.epoch, fit.fitting.epochs)
            if not quiet:
                _print_epoch(each)
    return curve


def describe_run(fit: OpponentFit, out: Path, skipped: list[str]) -> dict[str, Any]:
    """What the JSON of a fit begins with."""
    return {
        "out": str(out),
        "hands": len(fit.hands),
        "decisions": fit.hands.decisions,
        "skipped": skipped,
        "epochs": fit.epochs,
        "seconds": fit.seconds,
    }


def _print_records(fit: OpponentFit) -> None:
    """What there is to fit to."""
    from kibitz.learning.histories import SHOWN

    hands, parts, held = fit.hands, fit.parts, len(fit.parts.held_out)
    seats = int(hands.players.sum())
    hidden = 1.0 - float((hands.seen == SHOWN).sum()) / seats
    click.echo(
        folded(
            f"{counted(len(hands), 'hand')} with {counted(hands.decisions, 'decision')}; {100 * hidden:.0f} % of the "
            f"hole cards are hidden. {counted(held, 'hand')} {'is' if held == 1 else 'are'} held out, as {parts.unit}."
        )
    )


def measure_all(models: dict[str, Model], measure: Callable[[Model], Fit]) -> dict[str, Fit]:
    """The fit of every model to the hold-out."""
    found = {}
    with stages("measuring the fit") as progress:
        for done, (name, model) in enumerate(models.items()):
            progress(f"measuring the fit of {name}", done, len(models))
            found[name] = measure(model)
    return found


def _print_epoch(each: FitProgress) -> None:
    """A line of the curve."""
    click.echo(
        f"{each.epoch:>5}{each.rate:>13,.0f}{each.fitted:>9.4f}{_told(each.imputed):>18}{_told(each.marginal):>18}"
        f"{'  best' if each.best else ''}"
    )
    for warning in each.warnings:
        click.echo(folded(f"Warning: {warning}."), err=True)


def print_fits(fits: dict[str, Fit]) -> None:
    """A table of fits: nats, bits and share of the uniform entropy, with drawn cards and with all pairs."""
    from kibitz.learning.opponents.measures import IMPUTED, MARGINAL, UNIFORM

    first = next(iter(fits.values()))
    width = max(9, *(len(name) + 2 for name in fits))
    click.echo(f"\n{'model':<{width}}{'cards':<8}{'nats':>16}{'bits':>16}{'of uniform':>16}")
    uniform = first.mean(UNIFORM)
    click.echo(f"{'uniform':<{width}}{'':<8}{_row(uniform)}{'100.0 %':>11}")
    for name, fit in fits.items():
        for cards, kind in (("drawn", IMPUTED), ("all", MARGINAL)):
            share = fit.mean(kind, fit.nats[UNIFORM])
            click.echo(f"{name:<{width}}{cards:<8}{_row(fit.mean(kind))}{_percent(share):>16}")
    click.echo(
        folded(
            f"Negative log-likelihood per decision on {int(first.decisions.sum()):,} held-out decisions, ± 95 % over "
            f"{len(first.decisions):,} {first.unit}. drawn: hidden cards drawn given the actions, which flatters the "
            "fit; all: the mean over all pairs of each hidden hand."
        )
    )


def _row(nats: Estimate) -> str:
    bits = type(nats)(nats.mean / log(2), nats.half_width / log(2), nats.samples, "bits")
    return f"{_told(nats):>16}{_told(bits):>16}"


def _told(each: Estimate) -> str:
    return f"{each.mean:.4f}" + (f" ±{each.half_width:.4f}" if isfinite(each.half_width) else "")


def _percent(each: Estimate) -> str:
    return f"{100 * each.mean:.1f}" + (f" ±{100 * each.half_width:.1f}" if isfinite(each.half_width) else "") + " %"

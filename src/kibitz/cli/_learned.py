"""What commands that learn have in common, and `kibitz show` of what they leave."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import log
from pathlib import Path
from typing import Any

import click

from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import PlanT, Work
from kibitz.plans import Row, read_curve, read_manifest

AGENT = click.Path(path_type=Path, exists=True, file_okay=False)  # a folder that is there


def seconds_of(work: Work[PlanT], curve: list[Row]) -> float:
    """How long the run has learned, after rows that were just reported or those of an earlier call."""
    rows = curve or (read_curve(work.out) if work.out is not None else [])
    return float(rows[-1]["seconds"]) if rows else 0.0


def warn(warnings: list[str], told: set[str]) -> None:
    """Print the warnings of a report but for those that differ from an older one, in `told`, in numbers alone."""
    for warning in warnings:
        kind = re.sub(r"\d\S*", "", warning)
        if kind not in told:
            told.add(kind)
            click.echo(folded(f"Warning: {warning}."), err=True)


def show_learned(folder: Path, node: str, as_json: bool) -> None:
    """What is known of a learned model, a response, an exploiter or player types, and how well it fits its records."""
    manifest = read_manifest(folder)
    about = {name: value for name, value in manifest["about"].items() if name != "features"}
    if as_json:
        print_json({"kind": manifest["kind"], **about, "parts": list(manifest["parts"])})
        return
    for name, value in about.items():
        click.echo(folded(_said(value), 12, f"{name:<12}"))
    for part in manifest["parts"]:
        click.echo(f"{part:<12}{folder / part}")
    if "fits" in manifest["made"]:
        print_fits(manifest["made"])


def _said(value: Any) -> str:
    """A value of a manifest in words."""
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_said(each)}" for name, each in value.items())
    if isinstance(value, list):
        return " ".join(map(_said, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def print_fits(made: Mapping[str, Any]) -> None:
    """A table of fits: nats, bits and share of the uniform entropy, with drawn cards and with all pairs."""
    fits = made["fits"]
    first = next(iter(fits.values()))
    width = max(9, *(len(name) + 2 for name in fits))
    click.echo(f"\n{'model':<{width}}{'cards':<8}{'nats':>16}{'bits':>16}{'of uniform':>16}")
    uniform, bits = made["uniform"], {name: value and value / log(2) for name, value in made["uniform"].items()}
    click.echo(f"{'uniform':<{width}}{'':<8}{told(uniform):>16}{told(bits):>16}{'100.0 %':>11}")
    for name, fit in fits.items():
        for cards, kind in (("drawn", "imputed"), ("all", "marginal")):
            nats, bits, share = (fit[kind][unit] for unit in ("nats", "bits", "share"))
            click.echo(f"{name:<{width}}{cards:<8}{told(nats):>16}{told(bits):>16}{_percent(share):>16}")
    click.echo(
        folded(
            f"Negative log-likelihood per decision on {first['decisions']:,} held-out decisions, ± 95 % over "
            f"{first['units']:,} {first['of']}. drawn: hidden cards drawn given the actions, which flatters the "
            "fit; all: the mean over all pairs of each hidden hand."
        )
    )


def told(each: Mapping[str, Any]) -> str:
    """An estimate, with its half-width if there is one."""
    return f"{each['mean']:.4f}" + (f" ±{each['half_width']:.4f}" if each["half_width"] is not None else "")


def _percent(each: Mapping[str, Any]) -> str:
    half = f" ±{100 * each['half_width']:.1f}" if each["half_width"] is not None else ""
    return f"{100 * each['mean']:.1f}{half} %"

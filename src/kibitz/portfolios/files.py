"""The manifest of a portfolio: its experts, what each wins from each opponent, and which of them play."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.agents.portfolios import MANIFEST, read_manifest
from kibitz.errors import KibitzError
from kibitz.files import write_text
from kibitz.policy.base import Floats
from kibitz.strategy import load_strategy

FIGURES = ("exploitation", "exploitability")  # of an expert; None where one is not defined


@dataclass(frozen=True, eq=False)
class Portfolio:
    """What a manifest says.

    identity   all that decides what the experts are
    experts    name, opponent, folder, exploitation and exploitability of each, in thousandths of the stake;
               exploitability is None with three or more players
    utilities  : float64[opponents, experts], what each expert wins from the mimic of each opponent, mean of all seats
    unit       of all that is won
    playing    names of the experts that play, in the order in which they were chosen
    half_widths : the same shape as utilities: half of the 95 % interval of each, 0 where it is exact
    """

    folder: Path
    identity: dict[str, Any]
    experts: tuple[dict[str, Any], ...]
    utilities: Floats
    unit: str
    playing: tuple[str, ...]
    half_widths: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def names(self) -> tuple[str, ...]:
        """Of the experts, and of the opponents they respond to, in the same order."""
        return tuple(each["name"] for each in self.experts)

    def save(self) -> None:
        """Write the manifest."""
        document = {
            "kibitz": __version__,
            "identity": self.identity,
            "experts": list(self.experts),
            "utilities": self.utilities.tolist(),
            "unit": self.unit,
            "playing": list(self.playing),
            **({"half_widths": self.half_widths.tolist()} if self.half_widths.any() else {}),
        }
        write_text(self.folder / MANIFEST, json.dumps(document, indent=2) + "\n")

    def with_playing(self, names: list[str]) -> Portfolio:
        """The same portfolio, of which these play."""
        return replace(self, playing=tuple(names))


def load_portfolio(folder: Path) -> Portfolio:
    """The portfolio in `folder`; KibitzError where it is none, or not complete."""
    document = read_manifest(folder)
    path = folder / MANIFEST
    try:
        experts = tuple(document["experts"])
        table = _table(path, "utilities", document["utilities"])
        half = _table(path, "half_widths", document.get("half_widths", np.zeros_like(table)))
        playing = tuple(map(str, document["playing"]))
        found = Portfolio(folder, document["identity"], experts, table, document["unit"], playing, half)
        figures = [float(each[key]) for each in experts for key in FIGURES if each[key] is not None]
    except (KeyError, TypeError, ValueError) as error:
        raise KibitzError(f"{path} does not describe a portfolio: {error!r}") from None
    if table.shape != (len(experts), len(experts)):
        raise KibitzError(f"{path}: utilities of shape {table.shape} for {len(experts)} experts and as many opponents")
    if half.shape != table.shape:
        raise KibitzError(f"{path}: half-widths of shape {half.shape} for utilities of shape {table.shape}")
    if not (np.isfinite(table).all() and np.isfinite(half).all() and np.isfinite(figures).all()):
        raise KibitzError(f"{path}: some utilities are not finite numbers")
    return found


def _table(path: Path, name: str, cells: Any) -> Floats:
    try:
        return np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        raise KibitzError(f"{path}: {name} are no table of numbers") from None


def check_members(portfolio: Portfolio) -> None:
    """Refuse a portfolio of which a strategy or a mimic is missing or damaged; all of them are read."""
    for each in portfolio.experts:
        for part in ("folder", "mimic"):
            place = portfolio.folder / str(each.get(part))
            try:
                load_strategy(place)
            except KibitzError as error:
                raise KibitzError(
                    f"expert {each['name']} of {portfolio.folder} cannot be used: {error}. To make it again, remove "
                    f"{MANIFEST} and {place.parent}, and build the portfolio as before"
                ) from None

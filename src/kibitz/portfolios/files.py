"""Portfolios as artefacts: experts, what each wins from each opponent, and which of them play."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.agents.portfolios import KIND
from kibitz.errors import KibitzError
from kibitz.plans import Artefact, open_artefact
from kibitz.plans.artefacts import write_artefact
from kibitz.policy.base import Floats
from kibitz.strategy import load_strategy


@dataclass(frozen=True, eq=False)
class Portfolio:
    """What a manifest says.

    experts    name, opponent, folder, mimic, exploitation and exploitability of each, in thousandths of the stake;
               exploitability is None with three or more players
    utilities  : float64[opponents, experts], what each expert wins from the mimic of each opponent, mean of all seats
    unit       of all that is won
    playing    names of the experts that play, in the order in which they were chosen
    half_widths : the same shape as utilities: half of the 95 % interval of each, 0 where it is exact
    path       the folder in which those of the experts lie
    """

    experts: tuple[dict[str, Any], ...]
    utilities: Floats
    unit: str
    playing: tuple[str, ...]
    half_widths: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    path: Path = Path()

    @property
    def names(self) -> tuple[str, ...]:
        """Of the experts, and of the opponents they respond to, in the same order."""
        return tuple(each["name"] for each in self.experts)

    def with_playing(self, names: list[str]) -> Portfolio:
        """The same portfolio, of which these play."""
        return replace(self, playing=tuple(names))


def portfolio_artefact(found: Portfolio) -> Artefact:
    """What is kept of a portfolio, whose experts are there already."""
    about = {"experts": list(found.experts), "unit": found.unit, "playing": list(found.playing)}
    half_widths = found.half_widths if found.half_widths.size else np.zeros_like(found.utilities)
    parts = [each["folder"] for each in found.experts]
    parts += [each["mimic"] for each in found.experts if not each["mimic"].startswith(f"{each['folder']}/")]
    arrays = {"utilities": found.utilities, "half-widths": half_widths}
    return Artefact(KIND, about, {"experts": len(found.experts)}, arrays, parts=parts)


def load_portfolio(folder: Path) -> Portfolio:
    """The portfolio in `folder`."""
    found = open_artefact(folder, KIND)
    try:
        experts, playing = tuple(found.about["experts"]), tuple(found.about["playing"])
        table, half_widths = (np.array(found.arrays[name]) for name in ("utilities", "half-widths"))
        return Portfolio(experts, table, found.about["unit"], playing, half_widths, folder)
    except (KeyError, TypeError) as error:
        raise KibitzError(f"{folder} does not describe a portfolio: {error!r}") from None


def let_play(found: Portfolio) -> None:
    """Write into the folder of a portfolio who plays, and leave the rest as it is."""
    before = open_artefact(found.path, KIND)
    write_artefact(replace(portfolio_artefact(found), made=before.made), found.path)


def check_members(portfolio: Portfolio) -> None:
    """Refuse a portfolio of which a strategy or a mimic is missing or damaged; all of them are read."""
    for each in portfolio.experts:
        for part in ("folder", "mimic"):
            try:
                load_strategy(portfolio.path / each[part])
            except KibitzError as error:
                raise KibitzError(
                    f"expert {each['name']} of {portfolio.path} cannot be used: {error}. To make it again, remove "
                    f"{portfolio.path / each['folder']} and the files of {portfolio.path}, not its other folders, and "
                    "build the portfolio as before"
                ) from None

"""Solved spots as artefacts: the spot, the curve of its solving, and the sums of the average strategy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kibitz.cards import format_cards, parse_cards
from kibitz.equity import Range
from kibitz.errors import KibitzError
from kibitz.plans import CURVE, Artefact, Row, open_artefact, read_curve, write_curve
from kibitz.spots.compiled import SpotGame
from kibitz.spots.solver import Progress, SpotCFR
from kibitz.spots.spot import Rake, Spot

KIND, AVERAGE = "spot", "average"


class SpotFileError(KibitzError):
    """A folder that does not hold a whole solved spot."""


def describe_spot(spot: Spot) -> dict[str, Any]:
    """A spot as JSON keeps it; `read_spot` goes back."""
    return {
        "board": format_cards(spot.board),
        "pot": spot.pot,
        "stacks": list(spot.stacks),
        "ranges": [str(each) for each in spot.ranges],
        "menus": [str(menu) for menu in spot.tree.menus],
        "min_bet": spot.min_bet,
        "rake": spot.rake.share,
        "rake_cap": None if math.isinf(spot.rake.cap) else spot.rake.cap,
        "suits_merged": spot.suits_merged,
    }


def read_spot(described: dict[str, Any]) -> Spot:
    """The spot that `describe_spot` described."""
    first, second = (Range.parse(text) for text in described["ranges"])
    one, two = (int(stack) for stack in described["stacks"])
    menus = tuple(map(str, described["menus"]))
    cap = described["rake_cap"]
    rake = Rake(float(described["rake"]), math.inf if cap is None else float(cap))
    return Spot(
        parse_cards(described["board"]), int(described["pot"]), (one, two), (first, second), (menus[0], menus[1]),
        int(described["min_bet"]), rake, bool(described["suits_merged"]),
    )  # fmt: skip


def spot_artefact(solver: SpotCFR, curve: Sequence[Row]) -> Artefact:
    """What is kept of a solution: the sums of its average strategy, and the curve."""
    spot, last = solver.compiled.spot, Progress.of(curve[-1])
    about = {"spot": describe_spot(spot), **solver.parameters(), "iterations": solver.iteration}
    figures = {name: value for name, value in curve[-1].items() if name != "iteration"}
    percent = 100 * last.measure.exploitability / spot.pot
    made = {"iterations": last.iteration, **figures, "exploitability in % of the pot": percent}
    files = {CURVE: partial(write_curve, curve)}
    return Artefact(KIND, about, made, {AVERAGE: solver.average}, files, content=(solver, last))


def load_spot(folder: Path) -> tuple[SpotCFR, tuple[Progress, ...]]:
    """The solver with its average strategy, to be inspected rather than stepped: its regrets are not kept."""
    found = open_artefact(folder, KIND)
    about = found.about
    try:
        solver = SpotCFR(SpotGame(read_spot(about["spot"])), about["algorithm"], about["numbers"])
        average, curve = found.arrays[AVERAGE], tuple(map(Progress.of, read_curve(folder)))
        solver.iteration = int(about["iterations"])
    except KibitzError:
        raise
    except (ValueError, LookupError, TypeError) as error:
        raise SpotFileError(f"{folder} is not a whole solved spot: {error}") from None
    if average.shape != solver.average.shape or average.dtype != solver.average.dtype or not curve:
        raise SpotFileError(f"{folder}: {AVERAGE}.npy does not belong to its spot")
    solver.average[...] = average
    return solver, curve

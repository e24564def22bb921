"""Solved spots on disk: a folder with the spot, the curve of its solving, and the sums of the average strategy."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.cards import format_cards, parse_cards
from kibitz.equity import Range
from kibitz.errors import KibitzError
from kibitz.files import folder_taking_place, load_array, read_json, save_array
from kibitz.spots.compiled import SpotGame
from kibitz.spots.solver import Measure, Progress, SpotCFR
from kibitz.spots.spot import Rake, Spot

SPOT, AVERAGE = "spot.json", "average.npy"


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


def save_spot(solver: SpotCFR, curve: Sequence[Progress], folder: Path) -> None:
    """Write a solution to `folder`, whole or not at all; what is there must be a solution, and gives way to it."""
    if folder.exists() and not (folder / SPOT).is_file():
        raise SpotFileError(f"{folder} exists and holds no solved spot: it is not replaced")
    document = {
        "kibitz": __version__,
        "spot": describe_spot(solver.compiled.spot),
        **solver.parameters(),
        "iterations": solver.iteration,
        "curve": [
            {"iteration": each.iteration, "seconds": each.seconds, **each.measure._asdict()} for each in curve
        ],
    }  # fmt: skip
    with folder_taking_place(folder.resolve()) as beside:
        save_array(beside / AVERAGE, solver.average)
        (beside / SPOT).write_text(json.dumps(document, indent=2) + "\n")


def load_spot(folder: Path) -> tuple[SpotCFR, tuple[Progress, ...]]:
    """The solver with its average strategy, to be inspected rather than stepped: its regrets are not kept."""
    try:
        found = read_json(folder / SPOT)
        solver = SpotCFR(SpotGame(read_spot(found["spot"])), found["algorithm"], found["numbers"])
        average = load_array(folder / AVERAGE)
        curve = tuple(_read_progress(each) for each in found["curve"])
        solver.iteration = int(found["iterations"])
    except FileNotFoundError:
        raise SpotFileError(f"{folder} holds no solved spot: there is no {SPOT} with its {AVERAGE}") from None
    except KibitzError:
        raise
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise SpotFileError(f"{folder} is not a whole solved spot: {error}") from None
    if average.shape != solver.average.shape or average.dtype != solver.average.dtype or not curve:
        raise SpotFileError(f"{folder}: {AVERAGE} does not belong to its {SPOT}")
    solver.average[...] = average
    return solver, curve


def _read_progress(row: dict[str, Any]) -> Progress:
    values, responses = (tuple(map(float, row[name])) for name in ("values", "responses"))
    measure = Measure((values[0], values[1]), (responses[0], responses[1]))
    return Progress(int(row["iteration"]), measure, float(row["seconds"]))

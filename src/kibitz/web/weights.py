"""The weights of adapting agents over the hands of a match, as charts are drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.arena.chance import Chance
from kibitz.arena.duplicate import seatings
from kibitz.arena.series import Table
from kibitz.arena.weights import WEIGHTS, RecordedWeights, read_weights, record_path
from kibitz.errors import KibitzError

MOST_EXPERTS = 8  # that have a colour of their own


def recorded_tables(place: Path) -> set[Table]:
    """The tables in the folder of a series at which weights have been recorded."""
    names = [path.name.split("-") for path in (place / WEIGHTS).glob("*-*")]
    return {tuple(map(int, parts)) for parts in names if all(part.isascii() and part.isdecimal() for part in parts)}


def recorded_sizes(place: Path, table: Table) -> dict[int, int]:
    """Sizes in bytes of the files of a table, by number of the match, ascending."""
    files = record_path(place, table, 0).parent.glob("*.jsonl")
    sizes = {int(path.stem): path.stat().st_size for path in files if path.stem.isascii() and path.stem.isdecimal()}
    return dict(sorted(sizes.items()))


def weight_charts(place: Path, table: Table, names: Sequence[str], asked: str) -> dict[str, Any] | None:
    """One match of a table: {match, matches, latest, charts}; matches are counted from 1.

    names    of all agents of the series
    asked    number of the match; where it is none of those recorded, the latest of which a hand has been played
    charts   for each adapting agent and seating {agent, opponent, seat, names, points: [[hand, weight of each name]]}
    """
    sizes = recorded_sizes(place, table)
    wanted = int(asked) - 1 if asked.isascii() and asked.isdecimal() and len(asked) < 8 else -1
    for match in [wanted] if wanted in sizes else sorted(sizes, reverse=True):
        if charts := _charts(record_path(place, table, match), sizes[match], table, names):
            numbers = [each + 1 for each in sizes]
            return {"match": match + 1, "matches": numbers, "latest": match != wanted, "charts": charts}
    return None


def _charts(path: Path, size: int, table: Table, names: Sequence[str]) -> list[dict[str, Any]]:
    """The charts of a file; none where it is damaged, or where its match has just begun."""
    try:
        return [_chart(each, table, names) for each in _read(path, size) if each.agent < 2 == len(table)]
    except (KibitzError, OSError):
        return []


@lru_cache(maxsize=64)
def _read(path: Path, _size: int) -> list[RecordedWeights]:
    return read_weights(path)


def _chart(record: RecordedWeights, table: Table, names: Sequence[str]) -> dict[str, Any]:
    order = seatings(len(table), Chance())[record.seating % 2]
    experts, weights = _largest(record)
    rows = zip(record.hands.tolist(), weights.round(4).tolist(), strict=True)
    return {
        "agent": names[table[record.agent]],
        "opponent": names[table[1 - record.agent]],
        "seat": order.index(record.agent) + 1,
        "names": experts,
        "points": [[hand + 1, *row] for hand, row in rows],
    }


def _largest(record: RecordedWeights) -> tuple[list[str], npt.NDArray[np.float64]]:
    """The experts, or of many those whose weight is ever largest, and the others together."""
    names, weights = list(record.experts), record.weights
    if len(names) <= MOST_EXPERTS:
        return names, weights
    chosen = sorted(np.argsort(-weights.max(axis=0), kind="stable")[: MOST_EXPERTS - 1].tolist())
    others = weights.sum(axis=1) - weights[:, chosen].sum(axis=1)
    return [*(names[each] for each in chosen), "all others"], np.column_stack([weights[:, chosen], others])

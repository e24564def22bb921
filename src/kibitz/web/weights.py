"""The weights of adapting agents over the hands of a match, as charts are drawn from them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.portfolios.report import WatchedMatch, read_trace

POINTS = 120
MOST_EXPERTS = 8  # that have a colour of their own


def trace_name(agent: int, opponent: int) -> str:
    """The file in the folder of a series with the match of these two agents."""
    return f"weights-{agent}-{opponent}.jsonl"


def trace_files(place: Path) -> dict[Path, int]:
    """The files of watched matches in the folder of a series, growing ones too, with their sizes."""
    found = [*place.glob("weights-*.jsonl"), *place.glob("weights-*.jsonl.growing")]
    return {path: path.stat().st_size for path in sorted(found)}


def weight_charts(files: dict[Path, int]) -> list[dict[str, Any]]:
    """A chart for each watched match: {agent, opponent, names, points: [[hand, weight of each name]]}."""
    charts = []
    for path, size in files.items():
        try:
            charts.append(_chart(path, size))
        except (KibitzError, OSError):  # it has just been renamed, or nothing is in it yet
            continue
    return charts


@lru_cache(maxsize=64)
def _chart(path: Path, _size: int) -> dict[str, Any]:
    match = read_trace(path)
    names, weights = _largest(match)
    hands = sorted({round(at) for at in np.linspace(0, len(weights) - 1, min(POINTS, len(weights)))})
    points = [[hand + 1, *(round(float(each), 4) for each in weights[hand])] for hand in hands]
    return {"agent": match.agent, "opponent": match.opponent, "names": names, "points": points}


def _largest(match: WatchedMatch) -> tuple[list[str], Any]:
    """The experts, or of many those whose weight is ever largest, and the others together."""
    names, weights = list(match.trace.names), match.trace.weights
    if len(names) <= MOST_EXPERTS:
        return names, weights
    chosen = sorted(np.argsort(-weights.max(axis=0), kind="stable")[: MOST_EXPERTS - 1].tolist())
    others = weights.sum(axis=1) - weights[:, chosen].sum(axis=1)
    return [*(names[each] for each in chosen), "all others"], np.column_stack([weights[:, chosen], others])

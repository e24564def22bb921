"""The substitutes as tables: nothing was printed, ours stand alone. All are of the smallest preset."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import cache
from math import nan
from pathlib import Path
from typing import Any

from kibitz.experiments.published import Experiment, Found, PublishedTable
from kibitz.experiments.rubin2011.fidelity import ABLATIONS
from kibitz.experiments.rubin2011.imitation import MAPPINGS, PARTS, PRESETS, Imitation
from kibitz.modelling.cases import POLICIES

PRESET = PRESETS["smoke"]
NOTES = (
    "The smallest preset, with a rule agent as the expert: it shows that all works, not how well.",
    "python -m kibitz.experiments.rubin2011 short (or full) learns from a trained strategy.",
)
Cells = Iterator[tuple[str, str, Found]]


@cache
def document(part: str) -> dict[str, Any]:
    """One part of the smallest preset; computed once."""
    with tempfile.TemporaryDirectory() as folder:
        return PARTS[part](Imitation(PRESET, Path(folder)))


def _table(title: str, heading: str, rows: tuple[str, ...], columns: tuple[str, ...], decimals: int) -> PublishedTable:
    figures = {row: (nan,) * len(columns) for row in rows}
    return PublishedTable(f"Substitute: {title}", heading, columns, figures, 0.0, decimals)


def _fidelity() -> Cells:
    for point in document("fidelity")["curve"]:
        for row in ("imitation", "strength only"):
            yield row, str(point["hands"]), Found(point[row]["taken"])


def _ablations() -> Cells:
    for row, found in document("fidelity")["ablations"].items():
        yield row, "agreement", Found(found["taken"])
        yield row, "fallbacks", Found(found["fallbacks"])


def _between(found: dict[str, float]) -> Found:
    mean, half = found["mean"], found["half_width"]
    return Found(mean, mean - half, mean + half)


def _loss() -> Cells:
    for row, found in document("loss")["imitation v expert"].items():
        yield row, "mbb/hand", _between(found)


def _mappings() -> Cells:
    for row, others in document("mappings")["imitation v field"].items():
        for column, found in others.items():
            yield row, column, _between(found)


def _run_off() -> Cells:
    for number, each in enumerate(document("run-off")["rounds"]):
        for row, score in each["scores"].items():
            yield row, f"round {number}", Found(score)


_AGENTS = ("imitation", PRESET.expert, *PRESET.field)
_POINTS = tuple(map(str, PRESET.points))
_ROUNDS = tuple(f"round {number}" for number in range(len(_AGENTS) - 1))
SUBSTITUTES: dict[str, Experiment] = {
    "fidelity": Experiment(
        _table("agreement with the expert, by hands learnt from", "hands", ("imitation", "strength only"), _POINTS, 3),
        _fidelity,
        NOTES,
        values=lambda: document("fidelity"),
    ),
    "ablations": Experiment(
        _table("agreement with features left out", "features", tuple(ABLATIONS), ("agreement", "fallbacks"), 3),
        _ablations,
        NOTES,
    ),
    "loss": Experiment(
        _table("what the imitation wins from its expert", "policy", tuple(POLICIES), ("mbb/hand",), 0),
        _loss,
        NOTES,
        values=lambda: document("loss"),
    ),
    "mappings": Experiment(
        _table("what it wins when bets are read so", "mapping", MAPPINGS, (*PRESET.field, "random"), 0),
        _mappings,
        NOTES,
        values=lambda: document("mappings"),
    ),
    "run-off": Experiment(
        _table("a run-off of our own agents", "agent", _AGENTS, _ROUNDS, 0),
        _run_off,
        NOTES,
        values=lambda: document("run-off"),
    ),
}

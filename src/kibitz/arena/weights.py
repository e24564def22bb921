"""Weights of adapting agents in the matches of a series, in small files beside its ledger.

`weights/0-1/12.jsonl` is match 12 of the agents 0 and 1. A line with `experts` begins the record of an agent in a
seating; others hold the weights by which it played a hand. Matches and hands are thinned evenly. A match that was cut
off is played from its beginning when the series is resumed, and its file written anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.agents import Agent
from kibitz.errors import FormatError
from kibitz.files import parse_json

if TYPE_CHECKING:
    from kibitz.agents.implicit import HandReport

WEIGHTS = "weights"  # in the folder of a series
MOST_MATCHES = 25  # of a table
MOST_HANDS = 120  # of a seating
DIGITS = 5


class RecordedWeights(NamedTuple):
    """An agent in a seating of a match.

    agent    its place in the table, from 0
    seating  number of the seat permutation, from 0
    experts  names
    hands    : int64[n], ascending; from 0
    weights  : float64[n, experts], by which it played these hands
    """

    agent: int
    seating: int
    experts: tuple[str, ...]
    hands: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]


def recorded_matches(matches: int) -> range:
    """Numbers of the matches of a table that are recorded, evenly spread."""
    return range(0, matches, -(-matches // MOST_MATCHES))


def record_path(folder: Path, table: Iterable[int], match: int) -> Path:
    """The file of a match in the folder of its series."""
    return folder / WEIGHTS / "-".join(map(str, table)) / f"{match}.jsonl"


class Recorder:
    """Writes a file of `record_path` while its match is played; none where nobody adapts.

    On a machine that does not have the folder of the series nothing is written either.
    """

    def __init__(self, path: Path, hands: int) -> None:
        self._path = path
        self._kept = set(np.linspace(0, hands - 1, min(hands, MOST_HANDS)).round().astype(int).tolist())
        self._begun = False

    def watch(self, seating: int, order: Sequence[int], agents: Sequence[Agent]) -> None:
        """Listen to those of `agents`, by seat, that adapt; order = the agent of the table on each seat."""
        if "kibitz.agents.implicit" not in sys.modules or not self._path.parents[2].is_dir():
            return
        from kibitz.agents.implicit import ImplicitAgent

        for number, agent in zip(order, agents, strict=True):
            if isinstance(agent, ImplicitAgent) and agent.learning.bandit != "static":
                known = {"agent": number, "seating": seating}
                self._write(known | {"experts": agent.experts.names})
                agent.watch = partial(self._tell, known)

    def _tell(self, known: dict[str, int], step: HandReport) -> None:
        if step.hand in self._kept:
            self._write(known | {"hand": step.hand, "weights": step.weights.round(DIGITS).tolist()})

    def _write(self, line: dict[str, Any]) -> None:
        """Add a line at once, for those who read along."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a" if self._begun else "w", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self._begun = True


def read_weights(path: Path) -> list[RecordedWeights]:
    """What a file holds so far, agents without a hand left out; FormatError where it is none of these files."""
    experts: dict[tuple[int, int], tuple[str, ...]] = {}
    found: dict[tuple[int, int], dict[int, list[float]]] = {}
    try:
        for text in path.read_text(encoding="utf-8").split("\n")[:-1]:  # after the last is nothing, or a cut line
            line = parse_json(text)
            key = int(line["agent"]), int(line["seating"])
            if "experts" in line:
                experts[key], found[key] = tuple(map(str, line["experts"])), {}
            else:
                found[key][int(line["hand"])] = line["weights"]
        records = [
            RecordedWeights(*key, experts[key], np.array([*rows], np.int64), np.array([*rows.values()], float))
            for key, rows in found.items()
            if rows
        ]
        if not all(np.isfinite(each.weights).all() and each.weights.shape[1] == len(each.experts) for each in records):
            raise ValueError("each expert of each hand has a weight")
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError, RecursionError) as error:
        raise FormatError(f"{path} holds no weights of a match: {error!r}") from error
    return records

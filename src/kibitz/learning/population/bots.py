"""A population of bots: names, kinds, parameters, and how often each kind is met; a file, or one that is shipped."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.arguments import did_you_mean
from kibitz.errors import KibitzError
from kibitz.files import shown
from kibitz.learning.population.records import BOT, FAMILIES, PARAMETERS
from kibitz.plans import Artefact, read_manifest, save_artefact

Integers = npt.NDArray[np.int64]
KIND = "population"
LINES = "one a line"  # where bots will stand
SHIPPED = ("calibrated", "switchable")
MOST_TRIALS = 10_000
BY = ("match", "seat")  # how often a kind is drawn
DIGITS = {"rules": 4}  # of parameters in files; of others six


class PopulationError(KibitzError):
    """A population that is not one."""


@dataclass(frozen=True, eq=False)
class Population:
    """Bots by name.

    title      the name of its file
    names      n names, each once
    kinds      different kinds; kind : int64[n], the number of the kind of each bot
    weights    how often each kind is drawn, in proportion
    bots       n records BOT
    made       how: settings, statistics
    """

    title: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    kind: Integers
    weights: tuple[float, ...]
    bots: npt.NDArray[np.void]
    made: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.names or len(set(self.names)) != len(self.names):
            raise PopulationError(f"{self.title}: a population has names, each once")
        if any(not (math.isfinite(each) and each > 0) for each in self.weights):
            raise PopulationError(f"{self.title}: weights of kinds {self.weights}: positive numbers are needed")
        for number, kind in enumerate(self.kinds):
            if not (self.kind == number).any():
                raise PopulationError(f"{self.title}: no bot is of the kind {kind!r}")

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """The number of the bot of that name."""
        if name in self.names:
            return self.names.index(name)
        near = did_you_mean(name, self.names)
        raise PopulationError(
            f"no bot {name!r} in the population {self.title}{near}: there are {', '.join(self.names)}"
        )

    def members(self, kind: int) -> Integers:
        """The numbers of the bots of a kind."""
        return np.flatnonzero(self.kind == kind)

    def describe(self) -> dict[str, Any]:
        """Kinds and bots by name, each with the parameters that its family looks at."""
        rows = []
        for name, kind, bot in zip(self.names, self.kind, self.bots, strict=True):
            family = FAMILIES[int(bot["family"])]
            told = {each: np.round(bot[each], DIGITS.get(each, 6)).tolist() for each in PARAMETERS[family]}
            rows.append({"name": name, "kind": self.kinds[kind], "family": family, **told})
        return {"kinds": dict(zip(self.kinds, self.weights, strict=True)), "bots": rows}


def population_artefact(population: Population) -> Artefact:
    """What is kept of a population: a file of JSON."""
    return Artefact(KIND, population.describe(), population.made, alone=_write, content=population)


def _write(path: Path, manifest: Mapping[str, Any]) -> None:
    """A manifest, of which every bot has a line."""
    about = dict(manifest["about"])
    bots = ",\n   ".join(map(json.dumps, about.pop("bots")))
    text = json.dumps({**manifest, "about": {**about, "bots": [LINES]}}, indent=1)
    path.write_text(text.replace(json.dumps(LINES), bots, 1) + "\n", encoding="utf-8", newline="\n")


def save_population(population: Population, file: Path) -> None:
    """Write a population to `file`, whole or not at all; an older one there is replaced, anything else is not."""
    save_artefact(population_artefact(population), file)


def load_population(place: str | Path) -> Population:
    """A population by name (`SHIPPED`) or from a file.

    >>> load_population("calibrated").kinds
    ('hs_bot', 'rule_bot', 'sim_bot')
    """
    return _shipped(str(place)) if str(place) in SHIPPED else _read(Path(place))


@cache
def _shipped(name: str) -> Population:
    return _read(Path(str(files("kibitz.learning.population") / f"{name}.json")))


def _read(place: Path) -> Population:
    """The population in a file; PopulationError names it and the bot that is wrong."""
    if not place.exists():
        raise PopulationError(f"no population {place}: give a file or one of {', '.join(SHIPPED)}")
    manifest = read_manifest(place, KIND)
    kinds, rows = (manifest["about"].get(name) for name in ("kinds", "bots"))
    if not isinstance(kinds, dict) or not isinstance(rows, list) or not rows:
        raise PopulationError(f"{place}: a population has kinds with weights and a list of bots")
    try:
        weights = tuple(float(each) for each in kinds.values())
    except (TypeError, ValueError):
        raise PopulationError(f"{place}: kinds {shown(kinds)}: their weights are numbers") from None
    bots = np.zeros(len(rows), dtype=BOT)
    for number, row in enumerate(rows):
        where = f"{place}: bot {number + 1}"
        if not isinstance(row, dict) or not isinstance(row.get("name"), str) or row.get("kind") not in kinds:
            raise PopulationError(f"{where}: a bot has a name and a kind among {', '.join(kinds)}")
        _fill(bots[number], row, f"{where} ({row['name']})")
    kind = np.array([[*kinds].index(row["kind"]) for row in rows], dtype=np.int64)
    names = tuple(row["name"] for row in rows)
    return Population(place.stem, names, tuple(kinds), kind, weights, bots, manifest["made"] or {})


def _fill(bot: np.void, row: dict[str, Any], where: str) -> None:
    """Fill a record with the parameters of a bot."""
    if row.get("family") not in FAMILIES:
        raise PopulationError(f"{where}: family {shown(row.get('family'))}: there are {', '.join(FAMILIES)}")
    bot["family"] = FAMILIES.index(row["family"])
    bot["soft"], bot["trials"] = 0.01, 1
    for name in [each for each in row if each not in ("name", "kind", "family")]:
        if name not in (BOT.names or ()):
            raise PopulationError(f"{where}: no parameter is called {name!r}")
        shape = BOT[name].shape
        try:
            found = np.array(row[name], dtype=np.float64)
        except (TypeError, ValueError):
            found = np.array(math.nan)
        if found.shape != shape or not np.isfinite(found).all():
            what = f"numbers of the shape {shape}" if shape else "a finite number"
            raise PopulationError(f"{where}: {name} = {shown(row[name])}: {what} is needed")
        bot[name] = found
    if not bot["soft"] > 0 or not 1 <= bot["trials"] <= MOST_TRIALS:
        raise PopulationError(f"{where}: soft must be above 0, and trials from 1 to {MOST_TRIALS:,}")


def draw_seating(population: Population, seed: int, matches: range, players: int, by: str = "match") -> Integers:
    """Numbers of the bots in each chair of these matches: int64[n, players].

    by   "match": a kind is drawn once a match, "seat": one for every chair
    Bots of a kind come once each until all have come; which, follows from the seed and the number of the match.
    """
    if by not in BY:
        raise PopulationError(f"kinds drawn by {by!r}: {' or '.join(BY)}", settings=("kind_by",))
    chances = np.array(population.weights) / sum(population.weights)
    seating = np.empty((len(matches), players), dtype=np.int64)
    for row, match in zip(seating, matches, strict=True):
        rng = np.random.Generator(np.random.Philox(key=np.array([seed, match], dtype=np.uint64)))
        drawn = rng.choice(len(chances), size=players, p=chances)
        left: dict[int, list[int]] = {}
        for chair, kind in enumerate(drawn.tolist() if by == "seat" else [int(drawn[0])] * players):
            if not left.get(kind):
                left[kind] = rng.permutation(population.members(kind)).tolist()
            row[chair] = left[kind].pop()
    return seating

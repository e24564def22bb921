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
from kibitz.learning.population.records import BOT, CLASSES, FAMILIES, MOST_FACED, RULE_BOT, SCALARS, SIM_BOT
from kibitz.plans import Artefact, read_manifest, save_artefact

Integers = npt.NDArray[np.int64]
KIND = "population"
LINES = "one a line"  # where bots will stand
SHIPPED = ("calibrated", "switchable")
MOST_TRIALS = 10_000
BY = ("match", "seat")  # how often a kind is drawn


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
        """Kinds and bots by name."""
        bots = []
        for name, kind, bot in zip(self.names, self.kind, self.bots, strict=True):
            bots.append({"name": name, "kind": self.kinds[kind], **_describe_bot(bot)})
        weights = dict(zip(self.kinds, self.weights, strict=True))
        return {"kinds": weights, "bots": bots}


def _describe_bot(bot: np.void) -> dict[str, Any]:
    """The parameters that its family looks at."""
    from kibitz.learning.population.records import POSTFLOP, PREFLOP, SIMULATION

    family = int(bot["family"])
    names = [*PREFLOP]
    if family == SIM_BOT:
        names += ["share", "adapt", *SIMULATION]
    elif family != RULE_BOT:
        names += POSTFLOP
    found: dict[str, Any] = {"family": FAMILIES[family]}
    found |= {name: round(float(bot[name]), 6) for name in names}
    if family == SIM_BOT:
        found["trials"] = int(bot["trials"])
    if family == RULE_BOT:
        found["rules"] = np.round(bot["rules"], 4).tolist()
    return found


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
    if not place.exists():
        raise PopulationError(f"no population {place}: give a file or one of {', '.join(SHIPPED)}")
    manifest = read_manifest(place, KIND)
    return parse_population(manifest["about"], str(place), manifest["made"])


def parse_population(document: Any, source: str, made: dict[str, Any] | None = None) -> Population:
    """The population that a document describes; PopulationError names the source and the bot that is wrong."""
    kinds, rows = document.get("kinds"), document.get("bots")
    if not isinstance(kinds, dict) or not isinstance(rows, list) or not rows:
        raise PopulationError(f"{source}: a population has kinds with weights and a list of bots")
    bots = np.zeros(len(rows), dtype=BOT)
    names, kind = [], []
    for number, row in enumerate(rows):
        where = f"{source}: bot {number + 1}"
        if not isinstance(row, dict) or not isinstance(row.get("name"), str) or row.get("kind") not in kinds:
            raise PopulationError(f"{where}: a bot has a name and a kind among {', '.join(kinds)}")
        _fill(bots[number], row, f"{where} ({row['name']})")
        names.append(row["name"])
        kind.append([*kinds].index(row["kind"]))
    try:
        weights = tuple(float(each) for each in kinds.values())
    except (TypeError, ValueError):
        raise PopulationError(f"{source}: kinds {shown(kinds)}: their weights are numbers") from None
    return Population(
        Path(source).stem, tuple(names), tuple(kinds), np.array(kind, dtype=np.int64), weights, bots, made or {}
    )


def _fill(bot: np.void, row: dict[str, Any], where: str) -> None:
    """Fill a record with the parameters of a bot."""
    if row.get("family") not in FAMILIES:
        raise PopulationError(f"{where}: family {shown(row.get('family'))}: there are {', '.join(FAMILIES)}")
    bot["family"] = FAMILIES.index(row["family"])
    bot["soft"], bot["trials"] = 0.01, 1
    for name, value in row.items():
        if name in ("name", "kind", "family"):
            continue
        shape = bot.dtype[name].shape if name in (*SCALARS, "trials", "rules") else None
        if shape is None:
            raise PopulationError(f"{where}: no parameter is called {name!r}")
        try:
            found = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            found = np.array(math.nan)
        if found.shape != shape or not np.isfinite(found).all():
            what = f"numbers of the shape {shape}" if shape else "a finite number"
            raise PopulationError(f"{where}: {name} = {shown(value)}: {what} is needed")
        bot[name] = found
    if not bot["soft"] > 0 or not 1 <= bot["trials"] <= MOST_TRIALS:
        raise PopulationError(f"{where}: soft must be above 0, and trials from 1 to {MOST_TRIALS:,}")
    assert bot["rules"].shape == (2, len(CLASSES), MOST_FACED + 1, 2)


def draw_seating(population: Population, seed: int, matches: range, players: int, by: str = "match") -> Integers:
    """Numbers of the bots in each chair of these matches: int64[n, players].

    by   "match": a kind is drawn once a match, "seat": one for every chair
    Bots of a kind come once each until all have come; which, follows from the seed and the number of the match.
    """
    if by not in BY:
        raise PopulationError(f"kinds drawn by {by!r}: {' or '.join(BY)}", settings=("kind_by",))
    chances = np.array(population.weights) / sum(population.weights)
    seating = np.empty((len(matches), players), dtype=np.int64)
    for row, match in enumerate(matches):
        rng = np.random.Generator(np.random.Philox(key=np.array([seed, match], dtype=np.uint64)))
        drawn = rng.choice(len(chances), size=players, p=chances)
        kinds = drawn if by == "seat" else np.repeat(drawn[:1], players)
        left: dict[int, list[int]] = {}
        for chair, kind in enumerate(kinds.tolist()):
            if not left.get(kind):
                left[kind] = rng.permutation(population.members(kind)).tolist()
            seating[row, chair] = left[kind].pop()
    return seating

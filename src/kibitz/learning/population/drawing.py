"""How the bots of a population are drawn: distributions of their parameters, one seed.

A second, small population has types that need different counters, so that an agent that adapts can be seen to gain by
it. The numbers of both stand in `drawing.toml`.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.learning.population.bots import Population
from kibitz.learning.population.records import BOT, CLASSES, FAMILIES, MOST_FACED, RULE_BOT

Floats = npt.NDArray[np.float64]
EACH = 4  # bots of a switchable type
JITTER = 0.05  # standard deviation of thresholds and chances between them
PRESETS = 5  # of rule bots, each of which several play
NAMES = {"hs_bot": "hs-{:02}", "sim_bot": "sim-{}"}


class Draw(NamedTuple):
    """A parameter: normal with this mean and spread, kept between the bounds."""

    mean: float
    spread: float
    low: float
    high: float

    def at(self, z: Floats) -> Floats:
        """Values for standard normal numbers."""
        return np.asarray(np.clip(self.mean + self.spread * z, self.low, self.high))


Distribution = dict[str, dict[str, Draw]]
_TOLD = tomllib.loads((files(__package__) / "drawing.toml").read_text(encoding="utf-8"))
_RAISES, _FOLDS = np.array(_TOLD["rules"]["raises"]), np.array(_TOLD["rules"]["folds"])
COUNTS: dict[str, int] = {family: _TOLD["families"][family]["bots"] for family in FAMILIES}


def read_distribution(told: dict[str, dict[str, list[float]]]) -> Distribution:
    """A distribution from its numbers."""
    return {family: {name: Draw(*each) for name, each in draws.items()} for family, draws in told.items()}


START = read_distribution({family: _TOLD["families"][family]["draws"] for family in FAMILIES})


def make_rules(aggression: float, folding: float, bluffing: float) -> Floats:
    """The rules of a static bot: chances to fold and to raise, before the river and on it, as in the record BOT."""
    rules = np.zeros((2, len(CLASSES), MOST_FACED + 1, 2))
    rules[..., 0] = np.clip(_FOLDS * folding, 0, 1)
    rules[..., 1] = np.clip(_RAISES * aggression, 0, 1)
    rules[:, 0, 0, 1] = bluffing
    rules[1, 2, 1:, 0] = np.clip(1.2 * _FOLDS[2, 1:] * folding, 0, 1)
    return rules


def draw_bots(distribution: Distribution, seed: int) -> npt.NDArray[np.void]:
    """The records of all bots, families one after the other; the same normal numbers whatever the distributions."""
    parts = []
    for number, family in enumerate(FAMILIES):
        each_plays = COUNTS[family] // PRESETS if number == RULE_BOT else 1
        bots = np.zeros(COUNTS[family], dtype=BOT)
        bots["family"], bots["trials"] = number, 1
        drawn = {}
        for place, (name, each) in enumerate(sorted(distribution[family].items())):
            rng = np.random.Generator(np.random.Philox(key=np.array([seed, 100 * number + place], dtype=np.uint64)))
            z = rng.standard_normal(COUNTS[family] // each_plays)
            drawn[name] = each.at(np.repeat((z - z.mean()) / z.std(), each_plays))
        if number == RULE_BOT:
            styles = zip(drawn.pop("aggression"), drawn.pop("folding"), drawn.pop("bluffing"), strict=True)
            bots["rules"] = [make_rules(*style) for style in styles]
        for name, values in drawn.items():
            bots[name] = np.rint(values) if name == "trials" else values
        parts.append(bots)
    return np.concatenate(parts)


def _name(family: str, number: int) -> str:
    """The name of a bot of a family; rule bots of one preset share its letter."""
    each = COUNTS[family] // PRESETS
    return NAMES[family].format(number + 1) if family in NAMES else f"rule-{'abcde'[number // each]}{number % each + 1}"


def draw_population(distribution: Distribution, seed: int) -> Population:
    """43 bots drawn with `seed`."""
    names = tuple(_name(family, number) for family in FAMILIES for number in range(COUNTS[family]))
    kind = np.repeat(np.arange(len(FAMILIES)), [*COUNTS.values()])
    weights = tuple(_TOLD["families"][family]["weight"] for family in FAMILIES)
    return Population("population", names, FAMILIES, kind, weights, draw_bots(distribution, seed), {"seed": seed})


def make_switchable(seed: int = 0) -> Population:
    """Four bots of each switchable type, which differ a little from one another."""
    rng, types = np.random.Generator(np.random.PCG64(seed)), _TOLD["switchable"]
    bots = np.zeros(EACH * len(types), dtype=BOT)
    bots["family"], bots["trials"], bots["soft"], bots["blind"], bots["position"] = RULE_BOT, 1, 0.04, 0.2, 0.05
    for bot, each in zip(bots, np.repeat([*types.values()], EACH), strict=True):
        for name in ("enter", "open", "step", "raise_step"):
            bot[name] = each[name]
        bot["enter"] += JITTER * rng.standard_normal()
        bot["open"] += JITTER * rng.standard_normal()
        shift = JITTER * rng.standard_normal(2)
        folds, raises = np.array(each["folds"]), np.array(each["raises"])
        folds = np.where((folds > 0) & (folds < 1), np.clip(folds + shift[0], 0, 1), folds)
        for faced in range(MOST_FACED + 1):
            lifts = raises * each["harder"] ** max(faced - 1, 0)
            lifts = np.where(lifts > 0.02, np.clip(lifts + shift[1], 0.02, 1), lifts)
            bot["rules"][:, :, faced] = np.column_stack([folds * (faced > 0), lifts])
    names = tuple(f"{kind}-{number + 1}" for kind in types for number in range(EACH))
    kinds = np.repeat(np.arange(len(types)), EACH)
    return Population("switchable", names, tuple(types), kinds, (1.0,) * len(types), bots, {"seed": seed})

"""How the bots of a population are drawn: distributions of their parameters, one seed.

A second, small population has types that need different counters, so that an agent that adapts can be seen to gain by
it: see `SWITCHABLE`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.learning.population.bots import Population
from kibitz.learning.population.records import BOT, CLASSES, FAMILIES, HS_BOT, MOST_FACED, RULE_BOT, SIM_BOT

Floats = npt.NDArray[np.float64]
COUNTS = {"hs_bot": 24, "rule_bot": 15, "sim_bot": 4}
WEIGHTS = {"hs_bot": 5.0, "rule_bot": 3.0, "sim_bot": 2.0}
EACH = 4  # names of a kind
JITTER = 0.05  # standard deviation of thresholds and chances between bots of a kind
PRESETS = 5  # of rule bots, three names each


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
# Where calibration begins: found by earlier searches, and rounded.
START: Distribution = {
    "hs_bot": {
        "adapt": Draw(0.6, 0.2, 0.0, 1.0),
        "bet_at": Draw(0.442, 0.09, 0.1, 1.2),
        "blind": Draw(0.065, 0.039, 0.0, 0.6),
        "bluff": Draw(0.216, 0.049, 0.0, 0.6),
        "call_at": Draw(0.43, 0.13, 0.0, 1.0),
        "draw": Draw(0.256, 0.127, 0.0, 1.0),
        "enter": Draw(0.627, 0.08, 0.0, 0.95),
        "fear": Draw(0.081, 0.032, 0.0, 0.4),
        "growth": Draw(0.143, 0.022, 0.0, 0.5),
        "odds": Draw(1.515, 0.014, 0.2, 4.0),
        "open": Draw(0.713, 0.018, 0.3, 1.3),
        "position": Draw(0.108, 0.036, 0.0, 0.3),
        "raise_at": Draw(0.779, 0.081, 0.3, 1.5),
        "raise_step": Draw(0.22, 0.1, 0.0, 0.5),
        "share": Draw(0.22, 0.122, 0.1, 1.0),
        "soft": Draw(0.035, 0.017, 0.01, 0.2),
        "step": Draw(0.1, 0.085, 0.0, 0.4),
        "trap": Draw(0.185, 0.089, 0.0, 0.6),
    },
    "rule_bot": {
        "aggression": Draw(0.76, 0.175, 0.1, 1.6),
        "blind": Draw(0.162, 0.057, 0.0, 0.6),
        "bluffing": Draw(0.26, 0.1, 0.0, 0.6),
        "enter": Draw(0.61, 0.084, 0.0, 0.95),
        "folding": Draw(0.58, 0.14, 0.1, 1.6),
        "open": Draw(0.776, 0.065, 0.3, 1.3),
        "position": Draw(0.1, 0.029, 0.0, 0.3),
        "raise_step": Draw(0.18, 0.06, 0.0, 0.5),
        "soft": Draw(0.033, 0.0, 0.01, 0.2),
        "step": Draw(0.09, 0.06, 0.0, 0.4),
    },
    "sim_bot": {
        "adapt": Draw(0.6, 0.2, 0.0, 1.0),
        "blind": Draw(0.127, 0.045, 0.0, 0.6),
        "caution": Draw(1.0, 0.3, 0.0, 8.0),
        "enter": Draw(0.68, 0.069, 0.0, 0.95),
        "leads": Draw(0.62, 0.116, 0.1, 1.0),
        "loose": Draw(0.379, 0.0, -2.0, 6.0),
        "margin": Draw(-0.037, 0.037, -2.0, 6.0),
        "open": Draw(0.753, 0.054, 0.3, 1.3),
        "position": Draw(0.14, 0.041, 0.0, 0.3),
        "raise_step": Draw(0.18, 0.0, 0.0, 0.5),
        "respect": Draw(0.7, 0.1, 0.2, 1.0),
        "share": Draw(0.277, 0.071, 0.1, 1.0),
        "soft": Draw(0.039, 0.007, 0.01, 0.2),
        "step": Draw(0.08, 0.031, 0.0, 0.4),
        "trials": Draw(24.0, 0.0, 1.0, 200.0),
        "yields": Draw(0.58, 0.059, 0.0, 0.9),
    },
}
# Chances to raise and to fold by class of hand and bets faced, of a rule bot of aggression and folding 1.
_RAISES = np.array([[0, 0, 0, 0], [0.35, 0.08, 0.02, 0], [0.4, 0.08, 0.03, 0], [0.9, 0.4, 0.15, 0.05],
                    [1, 0.7, 0.4, 0.2], [1, 0.8, 0.6, 0.5]])  # fmt: skip
_FOLDS = np.array([[0, 0.85, 0.95, 1], [0, 0.1, 0.2, 0.3], [0, 0.3, 0.6, 0.75], [0, 0.03, 0.12, 0.25],
                   [0, 0, 0.03, 0.08], [0, 0, 0, 0]])  # fmt: skip


def make_rules(aggression: float, folding: float, bluffing: float) -> Floats:
    """The rules of a static bot: chances to fold and to raise, before the river and on it, as in the record BOT."""
    rules = np.zeros((2, len(CLASSES), MOST_FACED + 1, 2))
    for river in range(2):
        rules[river, :, :, 0] = np.clip(_FOLDS * folding, 0, 1)
        rules[river, :, :, 1] = np.clip(_RAISES * aggression, 0, 1)
        rules[river, 0, 0, 1] = bluffing
    rules[1, 2, 1:, 0] = np.clip(1.2 * _FOLDS[2, 1:] * folding, 0, 1)
    return rules


def draw_bots(distribution: Distribution, seed: int) -> npt.NDArray[np.void]:
    """The records of all bots, families one after the other; the same normal numbers whatever the distributions."""
    parts = []
    for number, family in enumerate(FAMILIES):
        count = COUNTS[family]
        bots = np.zeros(count, dtype=BOT)
        bots["family"], bots["trials"] = number, 1
        drawn = {}
        for place, (name, each) in enumerate(sorted(distribution[family].items())):
            rng = np.random.Generator(np.random.Philox(key=np.array([seed, 100 * number + place], dtype=np.uint64)))
            z = rng.standard_normal(PRESETS if number == RULE_BOT else count)
            z = (z - z.mean()) / z.std()
            drawn[name] = each.at(np.repeat(z, count // PRESETS) if number == RULE_BOT else z)
        if number == RULE_BOT:
            styles = zip(drawn.pop("aggression"), drawn.pop("folding"), drawn.pop("bluffing"), strict=True)
            bots["rules"] = [make_rules(*style) for style in styles]
        for name, values in drawn.items():
            bots[name] = np.rint(values) if name == "trials" else values
        parts.append(bots)
    return np.concatenate(parts)


def bot_names() -> tuple[str, ...]:
    """Names of the 43 bots; rule bots of one preset share its letter."""
    hs = [f"hs-{number + 1:02}" for number in range(COUNTS["hs_bot"])]
    each = COUNTS["rule_bot"] // PRESETS
    rule = [f"rule-{'abcde'[number // each]}{number % each + 1}" for number in range(COUNTS["rule_bot"])]
    return (*hs, *rule, *(f"sim-{number + 1}" for number in range(COUNTS["sim_bot"])))


def draw_population(distribution: Distribution, seed: int, title: str = "population") -> Population:
    """43 bots drawn with `seed`."""
    kind = np.repeat([HS_BOT, RULE_BOT, SIM_BOT], [COUNTS[family] for family in FAMILIES])
    weights = tuple(WEIGHTS[family] for family in FAMILIES)
    bots = draw_bots(distribution, seed)
    return Population(title, bot_names(), FAMILIES, kind.astype(np.int64), weights, bots, {"seed": seed})


class Type(NamedTuple):
    """A type of player: thresholds before the flop; chances to fold and to raise by class of hand, to a first bet.

    harder   factor of the chance to raise for every further bet that is faced
    """

    enter: float
    open: float
    step: float
    raise_step: float
    folds: tuple[float, ...]
    raises: tuple[float, ...]
    harder: float


# station  plays many hands, calls to the end, hardly ever raises: bet good hands, never bluff.
# timid    plays many hands, folds to almost any bet or raise: bet anything.
# maniac   plays many hands, bets and raises almost anything: wait for a hand, then call or raise to the end.
SWITCHABLE = {
    "station": Type(0.25, 1.50, 0.05, 0.3, (0.25, 0.0, 0.05, 0.0, 0.0, 0.0), (0.02, 0.02, 0.02, 0.05, 0.1, 0.3), 0.3),
    "timid": Type(0.35, 1.20, 0.50, 0.3, (1.0, 0.9, 0.95, 0.6, 0.2, 0.0), (0.02, 0.03, 0.03, 0.1, 0.3, 0.5), 0.3),
    "maniac": Type(0.30, 0.35, 0.02, 0.2, (0.3, 0.05, 0.1, 0.0, 0.0, 0.0), (0.75, 0.85, 0.8, 0.9, 0.95, 0.95), 0.4),
}


def make_switchable(seed: int = 0) -> Population:
    """Four bots of each of `SWITCHABLE`, which differ a little from one another."""
    rng = np.random.Generator(np.random.PCG64(seed))
    bots = np.zeros(EACH * len(SWITCHABLE), dtype=BOT)
    bots["family"], bots["trials"], bots["soft"], bots["blind"], bots["position"] = RULE_BOT, 1, 0.04, 0.2, 0.05
    for number, each in enumerate(SWITCHABLE.values()):
        for bot in bots[EACH * number : EACH * (number + 1)]:
            for name in ("enter", "open", "step", "raise_step"):
                bot[name] = getattr(each, name)
            bot["enter"] += JITTER * rng.standard_normal()
            bot["open"] += JITTER * rng.standard_normal()
            shift = JITTER * rng.standard_normal(2)
            for faced in range(MOST_FACED + 1):
                for kind in range(len(CLASSES)):
                    fold, lift = each.folds[kind], each.raises[kind] * each.harder ** max(faced - 1, 0)
                    fold = np.clip(fold + shift[0], 0, 1) if faced and 0 < fold < 1 else fold * (faced > 0)
                    bot["rules"][:, kind, faced] = fold, np.clip(lift + shift[1], 0.02, 1) if lift > 0.02 else lift
    names = tuple(f"{kind}-{number + 1}" for kind in SWITCHABLE for number in range(EACH))
    kinds = np.repeat(np.arange(len(SWITCHABLE)), EACH)
    weights = (1.0,) * len(SWITCHABLE)
    return Population("switchable", names, tuple(SWITCHABLE), kinds, weights, bots, {"seed": seed})

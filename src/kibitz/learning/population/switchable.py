"""A small population whose types need different counters, so that an agent that adapts can be seen to gain by it.

station  plays many hands, calls to the end, hardly ever raises: bet good hands, never bluff.
timid    plays many hands, folds to almost any bet or raise: bet anything.
maniac   plays many hands, bets and raises almost anything: wait for a hand, then call or raise to the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.learning.population.bots import Population
from kibitz.learning.population.records import BOT, CLASSES, MOST_FACED, RULE_BOT

EACH = 4  # names of a kind
JITTER = 0.05  # standard deviation of thresholds and chances between bots of a kind


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


TYPES = {
    "station": Type(0.25, 1.50, 0.05, 0.3, (0.25, 0.0, 0.05, 0.0, 0.0, 0.0), (0.02, 0.02, 0.02, 0.05, 0.1, 0.3), 0.3),
    "timid": Type(0.35, 1.20, 0.50, 0.3, (1.0, 0.9, 0.95, 0.6, 0.2, 0.0), (0.02, 0.03, 0.03, 0.1, 0.3, 0.5), 0.3),
    "maniac": Type(0.30, 0.35, 0.02, 0.2, (0.3, 0.05, 0.1, 0.0, 0.0, 0.0), (0.75, 0.85, 0.8, 0.9, 0.95, 0.95), 0.4),
}


def make_switchable(seed: int = 0) -> Population:
    """Four bots of each of `TYPES`, which differ a little from one another."""
    rng = np.random.Generator(np.random.PCG64(seed))
    bots = np.zeros(EACH * len(TYPES), dtype=BOT)
    bots["family"], bots["trials"], bots["soft"], bots["blind"], bots["position"] = RULE_BOT, 1, 0.04, 0.2, 0.05
    for number, each in enumerate(TYPES.values()):
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
    names = tuple(f"{kind}-{number + 1}" for kind in TYPES for number in range(EACH))
    kinds = np.repeat(np.arange(len(TYPES)), EACH)
    origin = {"command": f"kibitz population make --preset switchable --seed {seed}", "seed": seed}
    return Population("switchable", names, tuple(TYPES), kinds, (1.0,) * len(TYPES), bots, origin)

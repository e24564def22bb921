"""Ways to learn by self-play: what we found to work best, and what the thesis prints.

The thesis (Sweeney 2012, chapters 4 and 5) fixes the rate, updates after each deal, counts rewards in chips, prints its
features, and divides the learning of a card-type by how often it is used. What it does not tell, and what stands in for
it in the preset "thesis": the rates themselves, the size of first weights, the scales of features (`Structure`), the
constant of running averages, and a floor under these averages, without which a type that vanishes divides by nothing.
A bound on the gradient stands in for whatever kept its rates stable.
"""

from __future__ import annotations

from typing import NamedTuple

from kibitz.learning.model import Structure
from kibitz.learning.settings import Learning

RIVALS = "always-raise:0.1,probe:0.05,always-call:0.03,random:0.03,example-player:0.04"


class Preset(NamedTuple):
    """Settings that belong together."""

    structure: Structure
    learning: Learning
    against: str


PRESETS = {
    "default": Preset(
        Structure(chips="saturating"),
        Learning(parts=8, least=0.1, least_entropy=0.1, floor=1e-3, window=4.0),
        RIVALS,
    ),
    "thesis": Preset(
        Structure(profile="listed", public_observer=True),
        Learning(
            rate=3e-5, card_rate=3e-4, type_rate=1e-4, move_rate=1e-5, showdown_rate=1e-3, batch=1, pot_scaling=False,
            baseline="none", entropy=0.0, halving=0.0, floor=1e-6,
        ),
        "none",
    ),
}  # fmt: skip

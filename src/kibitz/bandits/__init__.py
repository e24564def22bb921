"""Bandits: which of several arms to trust, from what they have paid so far. No poker here.

Two kinds. A *mixing* bandit has weights over all arms and learns from a reward of every arm, estimated or seen. A
*choosing* bandit plays one arm and learns from what that arm paid.

>>> bandit = Exp3G(3, rate=0.5, least=0.02)
>>> for _ in range(20):
...     bandit.update([0.0, 1.0, 0.2])
>>> bandit.weights().round(2).tolist()
[0.02, 0.96, 0.02]
"""

from kibitz.bandits.base import BanditError, Choosing, check_weights
from kibitz.bandits.choosing import UCB1, Exp3
from kibitz.bandits.floors import EXPLORATIONS, floored, mixed
from kibitz.bandits.hedge import Exp3G, FixedShare, Hedge

__all__ = [
    "EXPLORATIONS",
    "UCB1",
    "BanditError",
    "Choosing",
    "Exp3",
    "Exp3G",
    "FixedShare",
    "Hedge",
    "check_weights",
    "floored",
    "mixed",
]

"""Others who sit down in self-play: players who never look at their cards, so that an agent has seen such betting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kibitz.arguments import did_you_mean
from kibitz.errors import KibitzError
from kibitz.learning.records import RIVALS


class Rival(NamedTuple):
    """One who is met in a share of all deals, in one seat or more.

    lead   chance to bet where a check is free; fold and lift, to fold and to raise where a bet is faced
    """

    name: str
    share: float
    lead: float
    fold: float
    lift: float

    @property
    def chances(self) -> tuple[float, float, float]:
        """As kernels have them."""
        return self.lead, self.fold, self.lift


Rivals = Sequence[Rival]
KNOWN = {  # as the agents of `kibitz.agents.frequency` act in limit games
    "always-raise": (1.0, 0.0, 1.0),
    "always-call": (0.0, 0.0, 0.0),
    "always-fold": (0.0, 1.0, 0.0),
    "random": (1 / 2, 1 / 3, 1 / 3),
    "probe": (1 / 2, 0.0, 1 / 2),
    "example-player": (1 / 2, 0.06, 0.47),
}


def rival(name: str, share: float = 1.0) -> Rival:
    """A rival by name; KibitzError for one that is not known."""
    if name not in KNOWN:
        raise KibitzError(f"no rival {name!r}{did_you_mean(name, KNOWN)}: there are {', '.join(KNOWN)}")
    if not 0 < share <= 1:
        raise KibitzError(f"a share {share} of {name}: a number above 0, at most 1, is needed")
    return Rival(name, share, *KNOWN[name])


def rivals_of(text: str) -> tuple[Rival, ...]:
    """Rivals and their shares of all deals: NAME:SHARE with commas between; "none" for self-play alone.

    >>> [each.share for each in rivals_of("always-raise:0.05,always-call:0.02")]
    [0.05, 0.02]
    """
    if text == "none":
        return ()
    found = []
    for part in text.split(","):
        name, _, said = part.partition(":")
        try:
            share = float(said)
        except ValueError:
            raise KibitzError(f"{part!r}: NAME:SHARE is needed, such as always-raise:0.05") from None
        found.append(rival(name, share))
    if len(found) > RIVALS:
        raise KibitzError(f"{len(found)} rivals: {RIVALS} at most")
    if (total := sum(each.share for each in found)) > 1:
        raise KibitzError(f"shares of rivals that sum to {total:g}: at most 1")
    return tuple(found)

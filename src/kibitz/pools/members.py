"""Who is in the pools (after Bard 2016, in the place of competitors that are gone): a table of values.

Every member is an agent by name, or is made from an equilibrium of the game.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kibitz.errors import KibitzError
from kibitz.solvers.tilted import Tilt

FIRST, LAST = 0, -1  # betting rounds


@dataclass(frozen=True)
class Named:
    """An agent that needs no folder."""

    agent: str


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium; `iterations` below those of the pool leave it unfinished."""

    iterations: int | None = None


@dataclass(frozen=True)
class Coarse:
    """An equilibrium of the game with percentile cards, so many buckets a round."""

    buckets: int


@dataclass(frozen=True)
class Tilted:
    """The equilibrium of a player who misjudges what results are worth."""

    tilt: Tilt


@dataclass(frozen=True)
class Noisy:
    """The equilibrium with a share of random actions at every information set."""

    share: float


@dataclass(frozen=True)
class FoldHappy:
    """The equilibrium, which in one round gives up a share of what it would play on with against a bet."""

    round: int
    share: float = 0.75


@dataclass(frozen=True)
class Imitator:
    """A frequentist model of the equilibrium from that many hands with the probe, all cards shown."""

    hands: int


FROM_BASE = Noisy | FoldHappy | Imitator  # which are made from an equilibrium
Kind = Named | Equilibrium | Coarse | Tilted | Noisy | FoldHappy | Imitator


@dataclass(frozen=True)
class Member:
    """An opponent and how it is made."""

    name: str
    kind: Kind

    def describe(self) -> dict[str, Any]:
        """For manifests."""
        return {"name": self.name, "kind": type(self.kind).__name__.lower(), **asdict(self.kind)}


POOLS: dict[str, tuple[Member, ...]] = {
    "A": (
        Member("equilibrium", Equilibrium()),
        Member("tilt-win-125", Tilted(Tilt.of(win=1.25))),
        Member("tilt-loss-125", Tilted(Tilt.of(loss=1.25))),
        Member("tilt-fold-win-150", Tilted(Tilt(fold_win=1.5))),
        Member("noise-05", Noisy(0.05)),
        Member("fold-happy-first", FoldHappy(FIRST)),
        Member("imitator-300", Imitator(300)),
        Member("always-call", Named("always-call")),
        Member("tight-passive", Named("tight-passive")),
        Member("switching", Named("switch:tight-passive@1500@loose-aggressive")),
    ),
    "B": (
        Member("unfinished", Equilibrium(iterations=32)),
        Member("tilt-win-107", Tilted(Tilt.of(win=1.07))),
        Member("tilt-win-150", Tilted(Tilt.of(win=1.5))),
        Member("tilt-loss-107", Tilted(Tilt.of(loss=1.07))),
        Member("tilt-loss-150", Tilted(Tilt.of(loss=1.5))),
        Member("tilt-showdown-win-150", Tilted(Tilt(showdown_win=1.5))),
        Member("noise-20", Noisy(0.2)),
        Member("fold-happy-last", FoldHappy(LAST)),
        Member("imitator-1000", Imitator(1000)),
        Member("always-raise", Named("always-raise")),
        Member("loose-aggressive", Named("loose-aggressive")),
        Member("switching", Named("switch:always-call@1000@always-raise")),
    ),
    "C": (
        Member("2-bucket", Coarse(2)),
        Member("3-bucket", Coarse(3)),
        Member("5-bucket", Coarse(5)),
    ),
}


def member(name: str) -> Member:
    """The member of that name, whichever pool it is in; names of those that are made are unique."""
    found = {each.name: each for pool in POOLS.values() for each in pool}
    if name not in found:
        raise KibitzError(f"no pool has a member {name!r}: there are {', '.join(found)}", settings=("member",))
    return found[name]

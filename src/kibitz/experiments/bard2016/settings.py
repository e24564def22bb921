"""In which small games the figures of chapter 4 are computed, with which cards, and how thoroughly."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from kibitz.experiments.published import Effort
from kibitz.responses.robust.fronts import SHARES

UNIT = "milli-antes/hand"
VARIED = ("samples", "shares", "hands", "of_curves")  # what a measure's own name says


@dataclass(frozen=True)
class Setting:
    """A game in the place of limit hold'em.

    game        its name
    coarse, middle, fine   percentile buckets in the place of 5, 8 and 12; the tilted opponent has the middle ones
    hands       observed ones of figure 4.2, in the place of 10^4 to 10^7
    of_curves   observed hands in the place of 10^4 (figure 4.4), 10^5 (figure 4.5) and 10^7 (figure 4.4)
    samples     observations of each length
    shares      p and P_max of the curves
    solutions   algorithms by which restricted Nash responses are solved, one after another
    algorithm   of data-biased responses
    iterations  of data-biased responses, and of restricted Nash responses, that are no linear programs
    tilted      iterations to solve the tilted opponent
    target      exploitability to which figure 4.2 is tuned, milli-antes/hand
    """

    game: str
    coarse: int
    middle: int
    fine: int
    hands: tuple[int, ...]
    of_curves: tuple[int, int, int]
    samples: int
    shares: tuple[float, ...]
    solutions: tuple[str, ...]
    algorithm: str
    iterations: tuple[int, int] = (2_000, 2_000)
    tilted: int = 1_000
    target: float = 100.0

    @property
    def cards(self) -> tuple[int, int, int]:
        """From coarse to fine."""
        return self.coarse, self.middle, self.fine

    @property
    def few(self) -> int:
        """Observed hands of the curves with few."""
        return self.of_curves[0]

    @property
    def many(self) -> int:
        """Of those with many."""
        return self.of_curves[2]

    def describe(self, seed: int) -> dict[str, Any]:
        """What decides the numbers apart from what their names say, so that more may be added."""
        told = {key: each for key, each in asdict(self).items() if key not in VARIED}
        return {"command": "kibitz reproduce bard2016 --preset full", **told, "seed": seed}


TITLES = {"leduc": "Leduc", "rhode-island": "Rhode Island"}
_LEDUC = Setting(
    "leduc", 1, 2, 3, (10, 100, 1_000, 10_000), (10, 100, 10_000), 14, SHARES, ("lp", "dcfr", "pcfr+"), "auto"
)
_RHODE_ISLAND = replace(
    _LEDUC,
    game="rhode-island",
    coarse=2,
    middle=3,
    fine=5,
    hands=(10, 100, 1_000, 10_000, 100_000),
    of_curves=(100, 1_000, 100_000),
    samples=4,
    solutions=("dcfr", "pcfr+"),
    algorithm="dcfr",
    iterations=(200, 600),
)
_SMOKE = replace(
    _LEDUC,
    hands=(10, 100, 1_000),
    samples=2,
    shares=(0.0, 0.5, 0.9, 1.0),
    solutions=("lp",),
    iterations=(200, 200),
    tilted=100,
)
SETTINGS: dict[str, dict[str, Setting]] = {
    "smoke": {"leduc": _SMOKE},
    "short": {"leduc": _LEDUC, "rhode-island": _RHODE_ISLAND},
    "full": {"leduc": _LEDUC, "rhode-island": _RHODE_ISLAND},
}


def is_computed(setting: Setting, effort: Effort) -> bool:
    """Whether the effort computes what is missing of a game; otherwise only what was computed before is shown."""
    return setting.game == "leduc" or effort.preset == "full"

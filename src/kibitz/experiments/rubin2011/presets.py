"""How much is done for the substitutes of table 5."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.agents.rules import STYLES
from kibitz.errors import KibitzError
from kibitz.modelling.cases.strength import MADE_HAND, SARTRE_STRENGTH


@dataclass(frozen=True)
class Preset:
    """The size of the experiment.

    expert    an agent by name or the folder of a strategy, as `kibitz train` leaves it
    field     whom the expert and its imitation play, beside each other
    run_off   those of the field who take part in the run-off
    points    numbers of hands to learn from, ascending, each so many logs
    log       hands of a log, shared out among all opponents
    held_out  hands whose decisions are asked
    deals     of each duplicate match
    piece     deals played at a time
    strength  hand-strength buckets
    """

    expert: str
    field: tuple[str, ...]
    run_off: tuple[str, ...]
    points: tuple[int, ...]
    log: int
    held_out: int
    deals: int
    piece: int
    strength: str = SARTRE_STRENGTH

    def __post_init__(self) -> None:
        if list(self.points) != sorted(set(self.points)) or any(point % self.log for point in self.points):
            raise KibitzError(f"points {self.points}: ascending numbers of hands, each some logs of {self.log}")
        if missing := set(self.run_off) - set(self.field):
            raise KibitzError(f"{', '.join(sorted(missing))} in the run-off but not in the field")


FIELD = (*STYLES, "random", "always-call", "example-player")
RUN_OFF = ("tight-aggressive-bluffing", "loose-aggressive-bluffing", "tight-passive", "loose-passive", "example-player")

PRESETS: dict[str, Preset] = {
    "smoke": Preset(
        expert="tight-aggressive",
        field=("loose-passive", "example-player"),
        run_off=("loose-passive", "example-player"),
        points=(150, 900),
        log=150,
        held_out=150,
        deals=60,
        piece=60,
        strength=MADE_HAND,
    ),
    "short": Preset(
        expert="agents/quick-nolimit",
        field=FIELD,
        run_off=RUN_OFF,
        points=(1_000, 10_000, 100_000),
        log=1_000,
        held_out=5_000,
        deals=2_500,
        piece=500,
    ),
    "full": Preset(
        expert="agents/standard-nolimit",
        field=FIELD,
        run_off=RUN_OFF,
        points=(1_000, 10_000, 100_000, 500_000, 1_000_000),
        log=1_000,
        held_out=50_000,
        deals=100_000,
        piece=1_000,
    ),
}


def find_preset(name: str) -> Preset:
    """The preset called `name`."""
    if name not in PRESETS:
        raise KibitzError(f"no preset {name!r}: there are {', '.join(PRESETS)}")
    return PRESETS[name]

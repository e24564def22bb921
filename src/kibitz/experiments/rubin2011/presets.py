"""How much is done for the substitutes of table 5, and who takes part, by names that tell all players apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kibitz.agents.registry import AGENTS, load_agent
from kibitz.agents.rules import STYLES
from kibitz.errors import KibitzError
from kibitz.modelling.cases.strength import MADE_HAND, SARTRE_STRENGTH


@dataclass(frozen=True)
class Preset:
    """The size of the experiment.

    expert    an agent by name or the folder of a strategy, as `kibitz train blueprint` leaves it
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


IMITATION, EXPERT = "imitation", "expert"  # what matches and tables call them


class Player(NamedTuple):
    """Somebody who takes part.

    role   the expert, the imitation, somebody of the field, or a rival
    name   in logs, matches and tables
    text   what `load_agent` makes it from; none for the imitation, which is yet to be made
    """

    role: str
    name: str
    text: str = ""

    def __str__(self) -> str:
        return f"{self.role} {self.text}".rstrip()

    @property
    def renamed(self) -> str:
        """How to write it with another name; nothing where its text takes none: files of cases and folders do."""
        path = self.text.partition(",")[0]
        return f"{path},name=..." if path and path not in AGENTS and Path(path).exists() else ""


def load_players(role: str, texts: Iterable[str]) -> list[Player]:
    """The players that `texts` stand for; raises at once for one that cannot be made."""
    return [Player(role, load_agent(text).name, text) for text in texts]


def check_names(players: Iterable[Player]) -> None:
    """Refuse two players with one name, whom logs and matches could not tell apart; one player may have several."""
    owners: dict[str, list[Player]] = {}
    for player in players:
        owners.setdefault(player.name, []).append(player)
    clashes = {name: who for name, who in owners.items() if len(who) > 1}
    if not clashes:
        return
    told = "; ".join(f"{name!r} is {' and '.join(map(str, who))}" for name, who in clashes.items())
    ways = [player.renamed for who in clashes.values() for player in reversed(who) if player.renamed]
    advice = f"give another name, as in {ways[0]}" if ways else "choose another, or one that takes FILE,name=..."
    raise KibitzError(f"two players have one name: {told}; {advice}")

"""Who takes part, by names that tell all players apart."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from kibitz.agents.registry import AGENTS, load_agent
from kibitz.errors import KibitzError

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

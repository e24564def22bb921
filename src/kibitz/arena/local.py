"""The dealer's match with all players in this process: the same messages, the same log, no sockets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kibitz.agents import Agent
from kibitz.agents.remote import Player
from kibitz.arena.plan import MatchPlan
from kibitz.arena.referee import Referee, Ruling, conduct
from kibitz.errors import AgentError
from kibitz.io.acpc import Score


class LocalSeat:
    """A seat whose player hears the dealer's lines directly."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._answer: str | None = None

    def tell(self, hand: int, message: str, more: bool) -> None:
        """Pass the line on."""
        self._answer = self._player.hear(message)

    def ask(self, rule: Callable[[str], Ruling]) -> str:
        """What the player said; there is no excuse for an answer that needs a ruling."""
        action, warning = rule(self._answer or "")
        if action is None or warning:
            raise AgentError(warning)
        return action


def play_locally(
    plan: MatchPlan, agents: Sequence[Agent], seeds: Sequence[int], record: Callable[[str], None]
) -> Score:
    """Play `plan` with `agents`, seeded, by seat; `record` gets the lines of the log that a dealer would write."""
    seats = [LocalSeat(Player(agent, plan.game, seed)) for agent, seed in zip(agents, seeds, strict=True)]
    record(str(plan.header))
    return conduct(Referee(plan), seats, record)

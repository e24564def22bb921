"""Agents behind the protocol's text, without sockets."""

from kibitz.agents.remote import Player
from kibitz.arena.referee import Referee, conduct


class TextSeat:
    """A seat whose player hears the dealer's lines at once, and needs no excuse for its answers."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def tell(self, hand, message, more):
        self.answer = self.player.hear(message)

    def ask(self, rule):
        action, warning = rule(self.answer or "")
        assert not warning
        return action


def play_through_text(plan, agents, seeds, record=lambda line: None):
    """As `play_locally`, every state and every answer a line of text."""
    seats = [TextSeat(Player(agent, plan.game, seed)) for agent, seed in zip(agents, seeds, strict=True)]
    record(plan.opening)
    return conduct(Referee(plan), seats, record)

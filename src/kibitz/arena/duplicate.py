"""Duplicate matches: the same cards for every seating, so that luck of the deal cancels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from kibitz.agents.chance import derive_seed
from kibitz.arena.match import AgentSpec, make_agent, play_match
from kibitz.arena.statistics import Moments
from kibitz.errors import KibitzError
from kibitz.games import Game

ALL_SEATINGS_UP_TO = 4  # players; above that n! seatings are too many, and the n rotations are played


@dataclass(frozen=True)
class DuplicateMatch:
    """A match to be played in every seating; a value that can be sent to another process.

    number: which match of a series this is; it selects the cards (`deal_seed`) and the agents' own randomness.
    """

    game: Game
    agents: tuple[AgentSpec, ...]
    hands: int
    seed: int
    number: int = 0

    @property
    def deal_seed(self) -> int:
        """The dealer's seed: `kibitz deal GAME --seed` shows the same cards."""
        return (self.seed + self.number) % 2**32


def seatings(players: int) -> list[tuple[int, ...]]:
    """The seatings of a duplicate match: entry s of a seating is the agent on seat s.

    All permutations up to four players, the rotations above.
    """
    if players <= ALL_SEATINGS_UP_TO:
        return list(permutations(range(players)))
    return [tuple((seat + shift) % players for seat in range(players)) for shift in range(players)]


def play_duplicate(match: DuplicateMatch) -> tuple[Moments, ...]:
    """Moments of each agent's chips per duplicate deal: the sum over all seatings of the same cards.

    Every seating is played by new agents, so nothing is remembered from one to the next.
    """
    game, players = match.game, match.game.players
    if len(match.agents) != players:
        raise KibitzError(f"{len(match.agents)} agents for the {players} seats of {game.name or 'the game'}")
    if match.hands < 1:
        raise KibitzError(f"{match.hands} hands: a match has at least one")
    total = np.zeros((match.hands, players))
    for number, seating in enumerate(seatings(players)):
        agents = [make_agent(match.agents[agent]) for agent in seating]
        seeds = [derive_seed(match.seed, match.number, number, seat) for seat in range(players)]
        total[:, list(seating)] += play_match(game, agents, seeds, match.hands, match.deal_seed)
    return tuple(Moments.of(total[:, agent]) for agent in range(players))


def hands_per_deal(players: int) -> int:
    """How many hands one duplicate deal stands for."""
    return len(seatings(players))


def check_agents(specs: Sequence[AgentSpec]) -> tuple[str, ...]:
    """The names of `specs`, numbered where they repeat; raises at once for one that cannot be made."""
    names: list[str] = []
    for spec in specs:
        name = make_agent(spec).name
        same = sum(other == name or other.startswith(f"{name} #") for other in names)
        names.append(f"{name} #{same + 1}" if same else name)
    return tuple(names)

"""Duplicate matches: the same cards for every seating, so that luck of the deal cancels.

Up to four players all n! seatings are played. Above that they are too many: a match draws one order of the players
around the table, and plays its n rotations. Neighbours stay the same in a match, and change from one to the next.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain, count, permutations
from math import factorial

import numpy as np

from kibitz.agents.chance import derive_seed
from kibitz.arena.match import AgentSpec, make_agent, play_match
from kibitz.arena.statistics import Moments
from kibitz.errors import KibitzError
from kibitz.games import Game

ALL_SEATINGS_UP_TO = 4  # players
_ORDERS = 0x5EA7  # keeps the orders apart from whatever else is drawn from the seed


@dataclass(frozen=True)
class DuplicateMatch:
    """A match to be played in every seating; a value that can be sent to another process.

    number: which match of a series this is; it selects the cards (`deal_seed`), the order around the table if that is
            drawn, and the agents' own randomness.
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


def seatings(players: int, seed: int, number: int = 0) -> list[tuple[int, ...]]:
    """The seatings of match `number` of a series: entry s of a seating is the agent on seat s.

    All permutations up to four players, above that the rotations of an order that is drawn from `seed`.
    """
    if players <= ALL_SEATINGS_UP_TO:
        return list(permutations(range(players)))
    order = np.random.default_rng([_ORDERS, seed % 2**64, number]).permutation(players).tolist()
    return [tuple(order[shift:] + order[:shift]) for shift in range(players)]


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
    for number, seating in enumerate(seatings(players, match.seed, match.number)):
        agents = [make_agent(match.agents[agent]) for agent in seating]
        seeds = [derive_seed(match.seed, match.number, number, seat) for seat in range(players)]
        total[:, list(seating)] += play_match(game, agents, seeds, match.hands, match.deal_seed)
    return tuple(Moments.of(total[:, agent]) for agent in range(players))


def hands_per_deal(players: int) -> int:
    """How many hands one duplicate deal stands for."""
    return factorial(players) if players <= ALL_SEATINGS_UP_TO else players


def describe_seatings(players: int, matches: int) -> str:
    """In which seatings the deals of that many matches are played, in words."""
    if players <= ALL_SEATINGS_UP_TO:
        return "in every seating"
    return f"in {players} rotations of " + ("one order" if matches == 1 else "an order for each match")


def check_agents(specs: Sequence[AgentSpec]) -> tuple[str, ...]:
    """The names of `specs`, numbered where they repeat; raises at once for one that cannot be made."""
    names: list[str] = []
    for spec in specs:
        names.append(unused(make_agent(spec).name, names))
    return tuple(names)


def unused(name: str, names: Collection[str], mark: str = " #") -> str:
    """`name`, with a number behind `mark` if it is among `names` already.

    >>> unused("random", ["random", "random #2"])
    'random #3'
    """
    numbered = chain([name], (f"{name}{mark}{number}" for number in count(2)))
    return next(each for each in numbered if each not in names)

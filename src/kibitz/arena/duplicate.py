"""Duplicate matches: the same cards for every seating, so that luck of the deal cancels.

Up to four players all n! seatings are played. Above that they are too many: a match draws one order of the players
around the table, and plays its n rotations. Neighbours stay the same in a match, and change from one to the next.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, count, permutations
from math import factorial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz.agents import absolute_agent
from kibitz.agents.faults import agent_name, no_threads_left
from kibitz.arena.chance import KEYED, Chance
from kibitz.arena.hosted import TOGETHER, HostedAgent, Hosting
from kibitz.arena.match import AgentSpec, play_match
from kibitz.arena.weights import Recorder
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.statistics import Moments

ALL_SEATINGS_UP_TO = 4  # players


@dataclass(frozen=True)
class DuplicateMatch:
    """A match to be played in every seating; a value that can be sent to another process.

    number: which match of a series this is; it selects the cards, the order around the table if that is drawn, and the
            agents' own randomness.
    hosting: which agents play in processes of their own, and how long they may think
    record: file for the weights of adapting agents, see `arena.weights`; None for none
    cards: what they and all else that is drawn come from, see `arena.chance`

    Names of files and folders are made whole: they are as good in another folder, and on a machine with the same ones.
    """

    game: Game
    agents: tuple[AgentSpec, ...]
    hands: int
    seed: int
    number: int = 0
    hosting: Hosting = TOGETHER
    record: Path | None = None
    cards: str = KEYED

    def __post_init__(self) -> None:
        whole = (absolute_agent(spec) if isinstance(spec, str) else spec for spec in self.agents)
        object.__setattr__(self, "agents", tuple(whole))
        self.hosting.check_seed(self.agents, self.chance)

    @property
    def chance(self) -> Chance:
        """What is drawn for it."""
        return Chance(self.seed, self.cards)


def seatings(players: int, chance: Chance, number: int = 0) -> list[tuple[int, ...]]:
    """The seatings of match `number` of a series: entry s of a seating is the agent on seat s.

    All permutations up to four players, above that the rotations of an order that is drawn.
    """
    if players <= ALL_SEATINGS_UP_TO:
        return list(permutations(range(players)))
    order = chance.order(players, number)
    return [tuple(order[shift:] + order[:shift]) for shift in range(players)]


def play_duplicate(match: DuplicateMatch) -> tuple[Moments, ...]:
    """Moments of each agent's chips per duplicate deal: the sum over all seatings of the same cards.

    Every seating is played by new agents, so nothing is remembered from one to the next. Hands that an agent forfeits
    are counted in its moments.
    """
    game, players = match.game, match.game.players
    if len(match.agents) != players:
        raise KibitzError(f"{len(match.agents)} agents for the {players} seats of {game.name or 'the game'}")
    if match.hands < 1:
        raise KibitzError(f"{match.hands} hands: a match has at least one")
    total = np.zeros((match.hands, players))
    forfeits = [0] * players
    recorder = Recorder(match.record, match.hands) if match.record is not None else None
    for number, seating in enumerate(seatings(players, match.chance, match.number)):
        with no_threads_left():
            chips, given_up = _play_seating(match, number, seating, recorder)
        total[:, list(seating)] += chips
        for agent, hands in zip(seating, given_up, strict=True):
            forfeits[agent] += hands
    return tuple(replace(Moments.of(total[:, agent]), forfeits=forfeits[agent]) for agent in range(players))


def _play_seating(
    match: DuplicateMatch, number: int, seating: tuple[int, ...], recorder: Recorder | None
) -> tuple[npt.NDArray[np.float64], list[int]]:
    """Chips, float64[hands, seats], and forfeited hands by seat."""
    seeds = [match.chance.seat(match.number, number, seat) for seat in range(len(seating))]
    with ExitStack() as table:
        agents = [table.enter_context(match.hosting.made(match.agents[agent])) for agent in seating]
        if recorder is not None:
            recorder.watch(number, seating, agents)
        chips = play_match(match.game, agents, seeds, match.hands, match.chance.cards(match.number))
        return chips, [agent.forfeits if isinstance(agent, HostedAgent) else 0 for agent in agents]


def hands_per_deal(players: int) -> int:
    """How many hands one duplicate deal stands for."""
    return factorial(players) if players <= ALL_SEATINGS_UP_TO else players


def describe_seatings(players: int, matches: int) -> str:
    """In which seatings the deals of that many matches are played, in words."""
    if players <= ALL_SEATINGS_UP_TO:
        return "in every seat permutation"
    return f"in {players} rotations of " + ("one order" if matches == 1 else "an order for each match")


def check_agents(specs: Sequence[AgentSpec], hosting: Hosting = TOGETHER) -> tuple[str, ...]:
    """The names of `specs`, numbered where they repeat; raises at once for one that cannot be made."""
    names: list[str] = []
    for spec in specs:
        with hosting.made(spec) as agent:
            name = agent.name if isinstance(spec, str) else agent_name(agent.name, spec)
            names.append(unused(name, names))
    return tuple(names)


def unused(name: str, names: Collection[str], mark: str = " #") -> str:
    """`name`, with a number behind `mark` if it is among `names` already.

    >>> unused("random", ["random", "random #2"])
    'random #3'
    """
    numbered = chain([name], (f"{name}{mark}{number}" for number in count(2)))
    return next(each for each in numbered if each not in names)

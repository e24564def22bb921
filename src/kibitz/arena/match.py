"""One match: the same agents over many hands, the button moving from hand to hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from kibitz.agents import Agent, load_agent
from kibitz.agents.faults import blame, call, illegal_answer
from kibitz.arena.batch import can_batch, pays_off, play_batch
from kibitz.errors import AgentError
from kibitz.games import Deal, Game, State, deal_hands

AgentSpec = str | Callable[[], Agent]  # a name for `load_agent`, or anything that makes a new agent
Witness = Callable[[int, State], None]  # is told every finished hand: its number and the final state


def make_agent(spec: AgentSpec) -> Agent:
    """A new agent, with no memory shared with any other."""
    return load_agent(spec) if isinstance(spec, str) else spec()


def play_hand(game: Game, deal: Deal, agents: Sequence[Agent], number: int = 0) -> State:
    """Play one hand; `agents` by position. Each agent sees only what its position may see.

    number: of the hand in its match, for the error of an agent that fails
    """
    state = State.start(game, deal)
    agent = agents[0]
    try:
        while not state.finished:
            agent = agents[state.player]
            seen = state.seen_by(state.player)
            action = agent.act(seen)
            if action not in seen.legal():
                raise illegal_answer(agent, action, seen)
            state = state.apply(action)
        for position, agent in enumerate(agents):
            agent.observe(state.seen_by(position), position)
    except BaseException as error:
        blame(error, agent, f"in hand {number}")
        raise
    return state


def play_match(
    game: Game,
    agents: Sequence[Agent],
    seeds: Sequence[int],
    hands: int,
    deal_seed: int,
    witness: Witness | None = None,
) -> npt.NDArray[np.float64]:
    """Net chips of a match: float64[hands, seats]. In hand h, position p is seat (p + h) mod players.

    Agents and their seeds are given by seat. Cards are those the ACPC dealer deals from `deal_seed`. When all
    agents are arrays and nobody watches, the hands are played in compiled batches; the result is the same.
    """
    if len(agents) != game.players:
        raise AgentError(f"{len(agents)} agents for {game.players} seats of {game.name or 'the game'}")
    if witness is None and can_batch(game, agents) and pays_off(agents, hands):
        return play_batch(game, agents, seeds, hands, deal_seed)
    for agent, seed in zip(agents, seeds, strict=True):
        call(agent, "at the start of a match", agent.reset, game, seed)
    players = game.players
    chips = np.empty((hands, players))
    for hand, deal in enumerate(islice(deal_hands(game, deal_seed), hands)):
        shift = hand % players
        seated = [*agents[shift:], *agents[:shift]]
        state = play_hand(game, deal, seated, hand)
        returns = state.returns()
        chips[hand] = returns[players - shift :] + returns[: players - shift]
        if witness is not None:
            witness(hand, state)
    return chips

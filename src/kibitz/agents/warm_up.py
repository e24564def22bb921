"""Playing before it counts: whatever an agent loads or compiles for its first decisions, it has then.

>>> from kibitz.agents import load_agent
>>> from kibitz.games import load_game
>>> agent, game = load_agent("tight-aggressive"), load_game("leduc")
>>> agent.reset(game, 1)
>>> warm_up(agent, game)
>>> agent.reset(game, 1)  # now the match may begin
"""

from __future__ import annotations

import time
from itertools import islice

from kibitz.agents.base import Agent
from kibitz.games import Deal, Game, State, deal_hands

MOST_HANDS = 20  # of an agent that hardly ever sees the last round; twice around the largest table
SLOW = 2.0  # seconds of a hand with nothing new in it: whoever thinks for so long is not made to play another


def warm_up(agent: Agent, game: Game) -> None:
    """Let `agent`, who has been reset for `game`, play hands that count for nothing; it must be reset again afterwards.

    It plays twice in every position, and until it has acted in every round. The others check and call, and every second
    orbit they bet or raise once a round. An agent that fails here is left alone: the match will tell.
    """
    unseen = set(range(game.rounds))
    for hand, deal in enumerate(islice(deal_hands(game, 0), MOST_HANDS)):
        if hand >= 2 * game.players and not unseen:
            return
        begun = time.monotonic()
        try:
            seen = _play(agent, game, deal, hand % game.players, raises=hand // game.players % 2 == 1)
        except (Exception, SystemExit):
            return
        if not seen & unseen and time.monotonic() - begun > SLOW:
            return
        unseen -= seen


def _play(agent: Agent, game: Game, deal: Deal, position: int, raises: bool) -> set[int]:
    """Play one hand in `position`; the rounds in which the agent acted."""
    state, rounds = State.start(game, deal), set()
    while not state.finished:
        if state.player == position:
            rounds.add(state.round)
            state = state.apply(agent.act(state.seen_by(position)))
        else:
            state = state.apply(_answer(state, raises))
    agent.observe(state.seen_by(position), position)
    return rounds


def _answer(state: State, raises: bool) -> str:
    """What the others do: call, or make the smallest raise where nobody has raised in this round."""
    legal = state.legal()
    if not raises or state.raises or not legal.max_raise_to:
        return "c"
    return "r" if legal.limit else f"r{legal.min_raise_to}"

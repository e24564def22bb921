"""Batched play: agents whose behaviour is an array, compiled, millions of hands a second.

The results are those of the engine (`arena.match`) to the bit: same cards, same actions, same chips.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.agents import Agent
from kibitz.games import Game
from kibitz.games.batch import TableDealer, kernel_rules
from kibitz.games.batch import can_batch as has_array_rules
from kibitz.games.dealing import CardSource
from kibitz.policy import known_policy, policy_of

CHUNK = 1 << 16  # hands in memory at a time
SLICE = 1 << 13  # hands that a thread plays at a time
FEW = 1000  # hands of a match in which the engine is done before kernels are loaded
FEW_IN_ALL = 2 * FEW  # of all such matches of a process

_unbatched = 0  # hands that were played by the engine because they were few


def can_batch(game: Game, agents: Sequence[Agent]) -> bool:
    """Whether every seat has an agent that is an array of frequencies, and the rules are known on arrays."""
    return len(agents) == game.players and has_array_rules(game) and all(is_array(agent) for agent in agents)


def is_array(agent: object) -> bool:
    """Whether all that `agent` does is an array of frequencies."""
    policy = known_policy(agent)
    return policy is not None and policy.blind


def can_play_tables(game: Game, agents: Sequence[Agent]) -> bool:
    """Whether one agent is a portfolio and the other a strategy, tables of one small game."""
    if "kibitz.agents.implicit" not in sys.modules:  # then nobody is a portfolio
        return False
    from kibitz.agents.implicit.tables import can_play

    return can_play(game, agents)


def play_tables(
    agents: Sequence[Agent], seeds: Sequence[int], hands: int, cards: CardSource
) -> npt.NDArray[np.float64]:
    """Net chips of such a match: float64[hands, seats]."""
    from kibitz.agents.implicit import tables

    return tables.play_tables(agents, seeds, hands, cards)


def pays_off(agents: Sequence[Agent], hands: int) -> bool:
    """Whether to play a match in batches: not where it has so few hands that loading kernels takes longer.

    An agent on two seats is two players in a batch, and would be one with a single memory elsewhere.
    """
    global _unbatched
    is_twice = len({id(agent) for agent in agents}) < len(agents)
    if "kibitz.arena._kernels" in sys.modules or hands > FEW or _unbatched + hands > FEW_IN_ALL or is_twice:
        return True
    _unbatched += hands
    return False


def play_batch(
    game: Game, agents: Sequence[Agent], seeds: Sequence[int], hands: int, cards: CardSource
) -> npt.NDArray[np.float64]:
    """Net chips of hands 0 .. `hands` of a match: float64[hands, seats].

    agents, seeds : by seat; each agent `is_array` and needs no `reset`
    cards         : where they come from
    """
    import numba

    from kibitz.arena._kernels import play_hands
    from kibitz.evaluator import evaluate_masks
    from kibitz.parallel.threads import run_slices

    policies = np.stack([policy_of(agent).rows(game) for agent in agents])
    keys = np.array([seed % 2**64 for seed in seeds], dtype=np.uint64)
    rules, players, dealer = kernel_rules(game), game.players, TableDealer(game, cards)
    nothing, chips = np.empty((0, 0), dtype=np.uint8), np.empty((hands, players))

    def play_chunk(first: int, count: int) -> None:
        deal, results = dealer.next_hands(count), chips[first : first + count]

        def play(start: int, stop: int) -> None:
            masks = np.empty((stop - start, players), dtype=np.uint64)
            deal(start, nothing, masks)
            strength = evaluate_masks(masks.ravel(), game.hand_ranking).reshape(masks.shape)
            play_hands(first + start, rules, policies, keys, strength, results[start:stop])

        run_slices(play, count, SLICE, numba.get_num_threads())

    for first in range(0, hands, CHUNK):
        play_chunk(first, min(CHUNK, hands - first))
    return chips

"""Batched play: agents whose behaviour is an array, compiled, hundreds of thousands of hands a second and more.

The results are those of the object path (`arena.match`) to the bit: same cards, same actions, same chips.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.agents import Agent
from kibitz.games import Game
from kibitz.policy import known_policy, policy_of

CHUNK = 1 << 16  # hands in memory at a time


def can_batch(game: Game, agents: Sequence[Agent]) -> bool:
    """Whether every agent is an array of frequencies and the kernels know all the rules of `game`."""
    return (
        all(is_array(agent) for agent in agents) and game.rules == "acpc" and not any(game.antes) and all(game.bettors)
    )


def is_array(agent: object) -> bool:
    """Whether all that `agent` does is an array of frequencies."""
    policy = known_policy(agent)
    return policy is not None and policy.blind


def play_batch(
    game: Game, agents: Sequence[Agent], seeds: Sequence[int], hands: int, deal_seed: int
) -> npt.NDArray[np.float64]:
    """Net chips of hands 0 .. `hands` of a match: float64[hands, seats].

    agents, seeds : by seat; each agent `is_array` and needs no `reset`
    deal_seed     : of the ACPC deal
    """
    import numba

    from kibitz.arena import _kernels
    from kibitz.evaluator import evaluate_masks

    threads = numba.get_num_threads()
    policies = np.stack([policy_of(agent).rows(game) for agent in agents])
    keys = np.array([seed % 2**64 for seed in seeds], dtype=np.uint64)
    rounds = game.rounds
    raise_sizes = np.array(game.raise_sizes or (0,) * rounds, dtype=np.int64)
    rules = (
        np.array(game.stacks, dtype=np.int64),
        np.array(game.blinds, dtype=np.int64),
        raise_sizes,
        np.array(game.first_players, dtype=np.int64),
        np.array(game.max_raises, dtype=np.int64),
        game.opening_raise,
        game.smallest_bet,
    )
    players, held = game.players, game.hole_cards
    per_hand = held * players + game.board_ends[-1]
    words = np.random.RandomState(deal_seed % 2**32)
    deck = np.array(game.deck, dtype=np.uint8)
    chips = np.empty((hands, players))
    for start in range(0, hands, CHUNK):
        count = min(CHUNK, hands - start)
        drawn = words.randint(0, 2**32, size=count * per_hand, dtype=np.uint32)
        masks = np.empty((count, players), dtype=np.uint64)
        _kernels.deal_masks(drawn, deck, held, masks)
        played = np.empty((count, players + 1), dtype=np.int64)
        _kernels.play_hands(start, policies, keys, *rules, played)
        strength = evaluate_masks(masks.ravel(), game.hand_ranking, threads).reshape(count, players)
        _kernels.settle(start, played, strength, chips[start : start + count])
    return chips

"""Random legal hands with bets of all sizes, small ones more often than large ones."""

from __future__ import annotations

import random
from dataclasses import replace

from kibitz.games import Game, State, load_game
from kibitz.games.named import leduc_nolimit

SIX = load_game("holdem-nolimit-6p")
THREE = load_game("holdem-nolimit-3p")

TABLES: dict[str, Game] = {
    "2 players": load_game("holdem-nolimit-2p"),
    "3 players": THREE,
    "6 players": SIX,
    "limit, 3 players": load_game("holdem-limit-3p"),
    "leduc": leduc_nolimit(),
    "unequal stacks": replace(THREE, stacks=(380, 20_000, 5_000)),
    "card room": replace(SIX, rules="tda", stacks=(60, 900, 20_000, 5_000, 80, 333), antes=(10,) * 6),
    "short blinds": replace(THREE, rules="tda", stacks=(3_000, 70, 20_000)),
    "antes": replace(SIX, antes=(25,) * 6, stacks=(2_000,) * 6),
    "one raise a round": replace(THREE, max_raises=(1,) * 4),
    "empty pot": replace(leduc_nolimit(), blinds=(0, 0), antes=(0, 0)),
}


def random_action(state: State, rng: random.Random) -> str:
    legal = state.legal()
    throw = rng.random()
    if throw < 0.12 and legal.fold:
        return "f"
    if throw < 0.55 and legal.max_raise_to:
        if legal.limit:
            return "r"
        low, high = legal.min_raise_to, legal.max_raise_to
        return f"r{int(low * (high / low) ** rng.random() ** 2)}" if throw < 0.5 else f"r{rng.choice((low, high))}"
    return "c"

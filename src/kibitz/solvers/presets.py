"""Blueprints by name: what to solve, and how long, for an agent of a given effort.

All of them solve perfect-recall bucket games by vector DCFR. On the same cards and bets that comes within a few
milli big blinds of the equilibrium in minutes, where sampling needs hours.
"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.solvers.problem import Problem

PROCESS_BYTES = 400 << 20  # Python, NumPy, SciPy and Numba with compiled kernels


@dataclass(frozen=True)
class Blueprint:
    """One strategy to solve.

    boards      on which the buckets' meetings are counted
    iterations  of DCFR
    """

    game: str
    menu: str
    cards: str
    boards: int
    iterations: int

    def problem(self, seed: int) -> Problem:
        """The problem, nothing of it built yet."""
        return Problem(load_game(self.game), self.menu, cards=self.cards, boards=self.boards, seed=seed)

    def peak_bytes(self, seed: int) -> int:
        """Memory at the peak of solving it, about."""
        problem = self.problem(seed)
        states = problem.size.rounds[-1].states
        # Weights and signs of the last round: double and single precision, and both again while they are counted.
        matrices = 2 * states[0] * states[1] * (8 + 8 + 4)
        return PROCESS_BYTES + problem.size.bytes["vector"] + matrices


@dataclass(frozen=True)
class Preset:
    """An effort: blueprints by the name of their agent."""

    summary: str
    blueprints: dict[str, Blueprint]


PRESETS: dict[str, Preset] = {
    "quick": Preset(
        "about a minute: 5 buckets a round, pot and all-in",
        {
            "nolimit": Blueprint("holdem-nolimit-2p", "fcpa", "5-bucket", 4_000, 256),
            "limit": Blueprint("holdem-limit-2p", "limit", "5-bucket", 4_000, 64),
        },
    ),
    "standard": Preset(
        "about 20 minutes: 8 buckets a round, half-pot once, pot and all-in",
        {
            "nolimit": Blueprint("holdem-nolimit-2p", "fcpa", "8-bucket", 40_000, 400),
            "limit": Blueprint("holdem-limit-2p", "limit", "8-bucket", 40_000, 60),
        },
    ),
    "big": Preset(
        "hours: 8 buckets a round, ten sizes of bets",
        {
            "nolimit": Blueprint("holdem-nolimit-2p", "h-ftr", "8-bucket", 400_000, 1_000),
            "limit": Blueprint("holdem-limit-2p", "limit", "8-bucket", 400_000, 1_000),
        },
    ),
}


def find_preset(name: str) -> Preset:
    """The preset called `name`."""
    if name not in PRESETS:
        raise KibitzError(f"no preset {name!r}: there are {', '.join(PRESETS)}")
    return PRESETS[name]

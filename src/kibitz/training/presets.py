"""Blueprints by name: what to solve, and how long, for an agent of a given effort.

All of them solve perfect-recall bucket games in vector form. On the same cards and bets that comes within some milli
big blinds of the equilibrium in minutes, where sampling needs hours.
"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.arguments import did_you_mean
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options
from kibitz.training.memory import peak_bytes


@dataclass(frozen=True)
class Blueprint:
    """One strategy to solve.

    boards      on which the joint bucket distribution is counted
    algorithm   of vector CFR: in no-limit linear is ahead for some hundred iterations, dcfr-3 from a thousand on
    """

    game: str
    menu: str
    cards: str
    boards: int
    algorithm: str
    iterations: int

    def problem(self, seed: int) -> Problem:
        """The problem, nothing of it built yet."""
        return Problem(load_game(self.game), self.menu, cards=self.cards, boards=self.boards, seed=seed)

    def peak_bytes(self, seed: int, threads: int) -> int:
        """Memory at the peak of solving it, about."""
        return peak_bytes(self.problem(seed), self.algorithm, Options(threads=threads))


@dataclass(frozen=True)
class Preset:
    """An effort: blueprints by the name of their agent."""

    summary: str
    blueprints: dict[str, Blueprint]


PRESETS: dict[str, Preset] = {
    "quick": Preset(
        "about a minute: 5 buckets a round, pot and all-in",
        {
            "nolimit": Blueprint("holdem-nolimit-2p", "fcpa", "5-bucket", 4_000, "linear", 320),
            "limit": Blueprint("holdem-limit-2p", "limit", "5-bucket", 4_000, "dcfr", 80),
        },
    ),
    "standard": Preset(
        "about 20 minutes: 8 buckets a round, pot and all-in",
        {
            # With more iterations it fits its own buckets better and the real cards worse: the local best responses of
            # docs/background/holdem.md win 290 to 530 mbb from it at 160, 860 to 1,220 at 500.
            "nolimit": Blueprint("holdem-nolimit-2p", "fcpa", "8-bucket", 40_000, "linear", 160),
            "limit": Blueprint("holdem-limit-2p", "limit", "8-bucket", 40_000, "dcfr", 80),
        },
    ),
    "big": Preset(
        "hours: 8 buckets a round, half-pot once on the flop, pot and all-in",
        {
            "nolimit": Blueprint("holdem-nolimit-2p", "h-f", "8-bucket", 200_000, "dcfr-3", 2_000),
            "limit": Blueprint("holdem-limit-2p", "limit", "8-bucket", 200_000, "dcfr", 1_000),
        },
    ),
}


def find_preset(name: str) -> Preset:
    """The preset called `name`."""
    if not isinstance(name, str) or name not in PRESETS:
        raise KibitzError(f"no preset {name!r}{did_you_mean(name, PRESETS)}: there are {', '.join(PRESETS)}")
    return PRESETS[name]

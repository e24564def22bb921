"""The case study of section 6.1 in limit hold'em: what is solved, who plays whom, and how often.

In the place of agents of the ACPC 2010 stand the members of pool A (`kibitz.pools`), in the place of those of 2011,
which nobody had responded to, the members of pool B. U, R and M are the same buckets: all strategies are of one game.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kibitz.agents.implicit.learning import Learning
from kibitz.games import load_game
from kibitz.solvers.problem import Problem

GAME, ALGORITHM = "holdem-limit-2p", "dcfr"
TARGET = 100.0  # mbb/hand that responses may lose to best responses in their buckets, about (L1255)
HALF = 1500  # hand of a match after which opponents change
NAME = "case-study"


@dataclass(frozen=True)
class CaseSetting:
    """How much is done.

    cards      buckets of everybody
    boards     on which the joint distribution of buckets is counted
    members    iterations of the pools' equilibria
    responses  iterations of data-biased responses
    tuning     iterations of those by which P_max is chosen, and how often one is tried
    observed   hands that are observed of each opponent; the thesis has at least 8.4 million (L1251)
    averaged   boards on which agents that tell apart more than the buckets are averaged over the hands of a bucket
    small      responses in the small portfolio
    matches    of each pairing; of each candidate while bandits are tuned; the same against opponents that change
    hands      of a match
    """

    cards: str = "5-bucket"
    boards: int = 100_000
    members: int = 200
    responses: int = 260
    tuning: tuple[int, int] = (100, 2)
    observed: int = 8_400_000
    averaged: int = 100
    small: int = 4
    matches: tuple[int, int, int] = (60, 20, 12)
    hands: int = 3_000
    seed: int = 0

    def problem(self) -> Problem:
        """The game of all."""
        return Problem(load_game(GAME), cards=self.cards, boards=self.boards, seed=self.seed)

    def describe(self) -> dict[str, Any]:
        """What decides the numbers."""
        return {"command": "kibitz reproduce bard2016 figure-6.2-limit --preset full", **asdict(self)}


SMOKE = CaseSetting("2-bucket", 30, 12, 12, (8, 1), 2_000, 2, 2, (2, 2, 2), 60)
FULL = CaseSetting()

# Opponents on which bandits are tuned: neither of pool A nor of pool B. Name -> agent, or change of the equilibrium.
TUNING: dict[str, tuple[str, Any]] = {
    "noise-10": ("noise", 0.1),
    "fold-happy-flop": ("fold-happy", 1),
    "loose-passive": ("agent", "loose-passive"),
    "tight-aggressive": ("agent", "tight-aggressive"),
}
# The one of pool A that changes, as two opponents.
PARTS = ("tight-passive", "loose-aggressive")

RATES = (0.0025, 0.008, 0.025, 0.08, 0.25)
SCALES = (0.5, 1.0, 2.0, 5.0, 13.0)  # the last is the range of rewards in Leduc
SHARES = (0.0003, 0.001, 0.003, 0.01, 0.03)
DISCOUNTS = (0.9995, 0.999, 0.998, 0.995, 0.99)
THESIS = Learning()
TEXTBOOK = Learning(bandit="ucb1", scale=48.0)  # from -24 to 24 big blinds in limit hold'em
# What is tried of each kind of bandit, as many settings of each.
CANDIDATES: dict[str, list[Learning]] = {
    "Exp3G": [Learning(rate=rate) for rate in RATES],
    "UCB1": [Learning(bandit="ucb1", scale=scale) for scale in SCALES],
    "UCB1 by imaginary observations": [Learning(bandit="ucb1", scale=scale, estimator="imaginary") for scale in SCALES],
}
CHANGING: dict[str, list[Learning]] = {
    "Exp3G": [Learning(rate=rate) for rate in (*RATES, 0.0044, 0.014, 0.044, 0.14, 0.44)],
    "fixed share": [Learning(rate=rate, share=share) for rate in RATES[2:4] for share in SHARES],
    "discounted": [Learning(rate=rate, discount=each) for rate in RATES[2:4] for each in DISCOUNTS],
}


def label_of(learning: Learning) -> str:
    """A bandit by its settings."""
    if learning.bandit == "ucb1":
        return f"UCB1 {learning.scale:g}" + (" imaginary" if learning.estimator == "imaginary" else "")
    parts = [f"Exp3G {learning.rate:g}"]
    parts += [f"share {learning.share:g}"] if learning.share else []
    parts += [f"discount {learning.discount:g}"] if learning.discount != 1 else []
    parts += [learning.estimator] if learning.estimator else []
    return " ".join(parts)

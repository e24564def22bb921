"""What to do with what the most similar cases say (the re-use policies of Rubin and Watson's agents)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kibitz.errors import AgentError, KibitzError
from kibitz.modelling.cases.retrieval import Ints, Solution
from kibitz.translation import Reading

Weigh = Callable[[Solution], Ints]  # how much each letter of the alphabet counts


def probabilistic(solution: Solution) -> Ints:
    """Every action as often as the expert took it."""
    return solution.actions


def majority(solution: Solution) -> Ints:
    """The action taken most often; of equals the first of the alphabet."""
    return only(int(solution.actions.argmax()), len(solution.actions))


def best_outcome(solution: Solution) -> Ints:
    """The action that won most on average; of equals the first of the alphabet."""
    return only(int(solution.outcomes.argmax()), len(solution.actions))


def only(number: int, letters: int) -> Ints:
    """One letter, and no other."""
    weights: Ints = (np.arange(letters) == number).astype(np.int64)
    return weights


POLICIES: dict[str, Weigh] = {"probabilistic": probabilistic, "majority": majority, "best-outcome": best_outcome}


def find_policy(name: str) -> Weigh:
    """The re-use policy called `name`."""
    if name not in POLICIES:
        raise KibitzError(f"no policy {name!r}: there are {', '.join(POLICIES)}")
    return POLICIES[name]


def draw(weights: Ints, uniform: float) -> int:
    """The place of a letter, drawn by `weights` with a random number from 0 to 1."""
    counts = weights.tolist()  # ten numbers: faster one by one than through NumPy
    target, reached = uniform * sum(counts), 0
    for number, count in enumerate(counts):
        reached += count
        if target < reached:
            return number
    raise AssertionError("random numbers are below 1, and some letter counts")


@dataclass(frozen=True)
class Reuse:
    """How cases are re-used.

    policy   probabilistic, majority or best-outcome
    mapping  how bets are translated at play, own ones too, as `Reading` understands it; rand-geo-1 is the paper's soft
             translation, equations 2 and 3
    spread   the reverse translation, equation 4: bets are up to this share smaller or larger than their letter says
    floor    the similarity below which a case is not re-used: then the player checks or calls
    """

    policy: str = "probabilistic"
    mapping: str = "rand-geo-1"
    spread: float = 0.3
    floor: float = 0.0

    def __post_init__(self) -> None:
        find_policy(self.policy)
        Reading(self.mapping)
        if not 0 <= self.spread <= 1 or not 0 <= self.floor <= 1:
            raise AgentError(f"spread={self.spread}, floor={self.floor}: both are from 0 to 1")

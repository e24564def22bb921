"""What to do with the solution of the most similar cases (the re-use policies of Rubin and Watson's agents)."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.errors import KibitzError
from kibitz.modelling.cases.retrieval import Solution

Policy = Callable[[Solution, float], int]  # a solution and a random number from 0 to 1 give a place in the alphabet


def probabilistic(solution: Solution, uniform: float) -> int:
    """An action drawn as often as the expert took it."""
    counts = solution.actions.tolist()  # ten numbers: faster one by one than through NumPy
    target, reached = uniform * sum(counts), 0
    for number, count in enumerate(counts):
        reached += count
        if target < reached:
            return number
    raise AssertionError("random numbers are below 1, and solutions have counts")


def majority(solution: Solution, uniform: float = 0.0) -> int:
    """The action taken most often; of equals the first of the alphabet."""
    return int(solution.actions.argmax())


def best_outcome(solution: Solution, uniform: float = 0.0) -> int:
    """The action that won most on average; of equals the first of the alphabet."""
    return int(solution.outcomes.argmax())


POLICIES: dict[str, Policy] = {"probabilistic": probabilistic, "majority": majority, "best-outcome": best_outcome}


def find_policy(name: str) -> Policy:
    """The policy called `name`."""
    if name not in POLICIES:
        raise KibitzError(f"no policy {name!r}: there are {', '.join(POLICIES)}")
    return POLICIES[name]

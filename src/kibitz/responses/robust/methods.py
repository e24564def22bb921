"""Kinds of responses, how far each of them believes a model, and how it is solved.

Confidence functions are those of Johanson and Bowling 2009. Bard 2016 uses the linear one throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.solvers.cfr import WEIGHTINGS
from kibitz.strategy import Layout

Floats = npt.NDArray[np.float64]

# Name -> what `Method.amount` is of it.
METHODS = {"fbr": "", "rnr": "p", "dbr": "P_max", "eps-safe": "epsilon"}
MOST_EXACT = 20_000  # infoset-action pairs up to which a linear program takes less time than iterations
MOST_LINEAR = 200_000  # and up to which it is solved at all
AUTO = "auto"
SAMPLED = "pcs"  # public chance sampling
MANY = 10.0  # observations that are believed in full
PRIOR = 10.0  # observations that count as much as the doubt: s in n / (n + s)

# Name -> share of P_max after n observations.
CONFIDENCES: dict[str, Callable[[Floats], Floats]] = {
    "linear": lambda n: np.minimum(1.0, n / MANY),
    "1-step": lambda n: np.where(n >= 1, 1.0, 0.0),
    "10-step": lambda n: np.where(n >= MANY, 1.0, 0.0),
    "bayes": lambda n: np.asarray(n / (n + PRIOR)),
}


def confidence(visits: Floats, function: str, p_max: float) -> Floats:
    """P_conf of information sets that were seen `visits` times, in the same shape.

    >>> confidence(np.array([0.0, 4.0, 25.0]), "linear", 0.5).tolist()
    [0.0, 0.2, 0.5]
    """
    if function not in CONFIDENCES:
        raise KibitzError(f"no confidence function {function!r}: one of {', '.join(CONFIDENCES)}")
    check_share(p_max, "P_max")
    return np.asarray(p_max * CONFIDENCES[function](visits))


def check_share(value: float, name: str) -> None:
    """Refuse what is no probability."""
    if not 0 <= value <= 1:
        raise KibitzError(f"{name} = {value:g}: it is a probability, from 0 to 1")


@dataclass(frozen=True)
class Method:
    """Which response.

    name        fbr: best response to the model; rnr: restricted Nash response; dbr: data-biased response; eps-safe:
                best response among strategies that lose at most epsilon more than an equilibrium
    amount      p or P_max, from 0 (an equilibrium) to 1; epsilon in chips per hand; fbr takes none
    confidence  dbr: how observations become confidence, a name of `CONFIDENCES`
    """

    name: str
    amount: float = 1.0
    confidence: str = "linear"

    def __post_init__(self) -> None:
        if self.name not in METHODS:
            raise KibitzError(f"no method {self.name!r}: one of {', '.join(METHODS)}")
        if self.name in ("rnr", "dbr"):
            check_share(self.amount, METHODS[self.name])
        if self.name == "eps-safe" and not (self.amount >= 0 and isfinite(self.amount)):
            raise KibitzError(f"epsilon = {self.amount:g}: chips per hand, not negative")
        if self.confidence not in CONFIDENCES:
            raise KibitzError(f"no confidence function {self.confidence!r}: one of {', '.join(CONFIDENCES)}")

    @property
    def bytes_per_pair(self) -> int:
        """Memory for each infoset-action pair that it takes beyond one solver: the second seat's regrets and average,
        and for dbr what the opponents of both seats are held to.
        """
        return {"fbr": 0, "dbr": 6 * 8}.get(self.name, 2 * 8)

    def describe(self) -> dict[str, object]:
        """What identifies it in a file."""
        amount = METHODS[self.name]
        told: dict[str, object] = {"method": self.name} | ({amount: self.amount} if amount else {})
        return told | ({"confidence": self.confidence} if self.name == "dbr" else {})


@dataclass(frozen=True)
class Solving:
    """How to solve it.

    algorithm   lp (exact, small games), a weighting of CFR such as pcfr+, pcs (data-biased responses of hold'em), or
                auto: lp up to 20,000 pairs, dcfr above, pcs where the cards of the roles leave nothing else
    iterations  of CFR at most
    until       stop CFR when the value of the restricted game is known to this many chips per hand
    seed        of the boards of pcs
    """

    algorithm: str = AUTO
    iterations: int = 2_000
    until: float = 0.0
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        known = (AUTO, "lp", *WEIGHTINGS, SAMPLED)
        if self.algorithm not in known:
            raise KibitzError(f"no algorithm {self.algorithm!r}: one of {', '.join(known)}")
        if self.iterations < 1 or not self.until >= 0:
            raise KibitzError(f"{self.iterations} iterations until {self.until:g}: at least one, until 0 or more")

    def describe(self) -> dict[str, object]:
        """What decides the result, for files."""
        told: dict[str, object] = {"algorithm": self.algorithm, "iterations": self.iterations, "until": self.until}
        return told | ({"seed": self.seed} if self.seed else {})

    def is_sampled(self, method: Method, needs_boards: bool) -> bool:
        """Whether it is solved on sampled boards; KibitzError where it cannot be as it is wanted.

        needs_boards   see `Roles`: data-biased responses can be solved in no other way
        """
        biased = method.name == "dbr"
        if self.algorithm == SAMPLED and not biased:
            raise KibitzError(f"{method.name} by {SAMPLED}: only dbr is solved on sampled boards")
        if biased and needs_boards and self.algorithm not in (AUTO, SAMPLED):
            raise KibitzError(
                f"dbr by {self.algorithm} with a model and an adversary of different cards: in hold'em these are "
                f"solved on sampled boards, by {SAMPLED}"
            )
        sampled = self.algorithm == SAMPLED or (biased and needs_boards)
        if sampled and self.until:
            raise KibitzError(f"until {self.until:g} chips with {SAMPLED}: its gap is not known, so give iterations")
        return sampled

    def chosen(self, method: Method, layout: Layout, tied: bool) -> str:
        """The algorithm for a game of that layout; KibitzError where it cannot solve it."""
        if method.name == "fbr":
            return "best response"
        if layout.size > MOST_LINEAR and "lp" in (self.algorithm, "lp" if method.name == "eps-safe" else ""):
            raise KibitzError(f"{layout.size:,} infoset-action pairs: linear programs have {MOST_LINEAR:,} at most")
        if method.name == "eps-safe":
            if self.algorithm not in (AUTO, "lp"):
                raise KibitzError(f"epsilon-safe responses by {self.algorithm}: they are linear programs only")
            return "lp"
        if self.algorithm == "lp" and tied:
            raise KibitzError(
                "a data-biased response by lp whose free opponent sees less than its model: that has no linear program"
            )
        if self.algorithm != AUTO:
            return self.algorithm
        if layout.size > MOST_EXACT:
            return "dcfr"  # in games of buckets it closes the gap about three times as far as pcfr+
        return "pcfr+" if tied else "lp"

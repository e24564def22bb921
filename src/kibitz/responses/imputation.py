"""How far what is won from a model rests on observations, and how far on what the model does where it has none.

A frequentist model calls at information sets that it never observed, and a betting tree of what was seen is checked
down where no hand went on. A response finds such places out: what it wins there is won from the assumption, not from
the player. So every hand against a model is either *observed*, all of the model's decisions having been observed, or
*imputed*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.policy.hands import decisions
from kibitz.statistics import Estimate, Moments, average
from kibitz.strategy.models import FEW, OFTEN, UNSEEN
from kibitz.tree import SHOWDOWN, Tree

MUCH = 0.1  # imputed share of the hands, or of what is won, above which there is a warning
NONE = 1e-9  # imputed share of the hands up to which it may come from rounding
SHARE = "of hands"  # unit of a share


@dataclass(frozen=True, eq=False)
class Imputation:
    """What a response wins from a model, in two parts that add up to it: thousandths of the stake per hand played.

    decided            : float64[3], decisions of the model per hand, by level of observation
    hands              share of the hands in which nothing is imputed
    observed, imputed  what is won in these hands, and in the others
    """

    decided: npt.NDArray[np.float64]
    hands: Estimate
    observed: Estimate
    imputed: Estimate

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The share of the model's decisions by level of observation: float64[3]."""
        total = float(self.decided.sum())
        return self.decided / total if total else np.array([0.0, 0.0, 1.0])

    @property
    def imputed_hands(self) -> float:
        """The share of the hands in which something is imputed."""
        share = 1 - self.hands.mean
        return share if share > NONE else 0.0

    @property
    def warning(self) -> str | None:
        """The risk in a sentence, where much is imputed."""
        won = self.observed.mean + self.imputed.mean
        if self.imputed_hands <= MUCH and not self.imputed.low > MUCH * won > 0:
            return None
        return (
            f"in {100 * self.imputed_hands:.1f} % of the hands the model acts where its player was never observed, and "
            f"is assumed to call. The response wins {self.imputed.mean:+,.1f} {self.imputed.unit} there and "
            f"{self.observed.mean:+,.1f} elsewhere; the player may act otherwise, and the response may lose to it"
        )

    def to_dict(self) -> dict[str, Any]:
        """As results are written."""
        unseen, _rare, often = self.shares.tolist()
        return {
            "decisions_observed": 1 - unseen,
            f"decisions_over_{FEW}": often,
            "hands_imputed": {"mean": self.imputed_hands, "half_width": self.hands.half_width},
            "observed": self.observed.to_dict(),
            "imputed": self.imputed.to_dict(),
            "unit": self.imputed.unit,
            "warning": self.warning,
        }


def of_hands(won: npt.NDArray[np.float64], decided: npt.NDArray[np.int16], milli: float, unit: str) -> Imputation:
    """That of sampled hands: `won` and `decided` as in `kibitz.solvers.sampled.restricted.Played`."""
    is_imputed = (decided[:, UNSEEN] > 0) | (decided[:, OFTEN + 1] > 0)
    parts = (np.where(each, won, 0.0) for each in (~is_imputed, is_imputed))
    share = Moments.of(~is_imputed).estimate(1.0, SHARE, few=True)
    won_there = (Moments.of(part).estimate(milli, unit, few=True) for part in parts)
    return Imputation(decided[:, : OFTEN + 1].mean(axis=0), share, *won_there)


def mean_of_seats(seats: Iterable[Imputation]) -> Imputation:
    """The mean of all seats."""
    found = tuple(seats)
    parts = (average(getattr(each, part) for each in found) for part in ("hands", "observed", "imputed"))
    return Imputation(np.mean([each.decided for each in found], axis=0), *parts)


def checked_down(tree: Tree) -> npt.NDArray[np.bool_]:
    """The showdowns of a tree at which betting would have gone on, as where a tree of what was seen ends: bool[n]."""
    found = np.zeros(len(tree), dtype=np.bool_)
    if tree.menus:
        return found  # it was built to the end
    for node, state in decisions(tree):
        for child in range(int(tree.first_child[node]), int(tree.first_child[node] + tree.children[node])):
            if tree.kind[child] == SHOWDOWN:
                found[child] = not state.apply(tree.actions[child]).finished
    return found

"""How much of each correction to add: coefficients fitted to earlier hands, so that estimates stay unbiased.

The correction x of an event has mean zero given all that came before it, and so has c x for any coefficient c that was
fixed by then. AIVAT has c = 1, which is best for a value function that is right. One that is wrong by a factor in some
game, or against some opponents, adds variance instead. Here the coefficients of hand t are those that would have left
the least variance in the hands before t (control variates by ridge regression), one for each kind k of event:

    minimise over c:  sum of (result + c . x - mean of the seat)^2 over hands + sum of r_k (c_k - c_0)^2 over kinds

c_0 is found first in the same way, from 0 to 1, as if all kinds had one coefficient, and is held near 1 itself. The
ridge r_k has the weight of a prior for c_k with standard deviation `SPREAD`, and of `STEADY` more events of the usual
size, so that a single huge pot decides nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np

from kibitz.modelling.estimators.holdings import Floats

SPREAD = 0.3
STEADY = 10.0
FEWEST = 4  # hands before which every coefficient is 1
_ROUNDING = 1e-9  # of the mean square, below which a variance is taken for rounding


class Coefficients:
    """Learns from hands one by one, and gives the coefficients for the next."""

    def __init__(self) -> None:
        self._kinds: dict[str, int] = {}
        self._seats: dict[Hashable, _Sums] = {}
        self._hands = 0
        self._products = np.zeros((0, 0))  # sum of x x'
        self._fourths = np.zeros(0)  # sum of x^4
        self._with_estimates = np.zeros(0)  # sum of x z, where z = result + sum of x
        self._squares = np.zeros(2)  # sum of squares of results, of z

    def now(self) -> dict[str, float]:
        """The coefficients by kind of event; a kind that is missing has 1."""
        if self._hands < FEWEST or not self._kinds:
            return {}
        products, with_estimates, unexplained = self._products.copy(), self._with_estimates.copy(), self._squares.copy()
        for sums in self._seats.values():  # from sums to those of distances from the means of each seat
            products -= np.outer(sums.corrections, sums.corrections) / sums.hands
            with_estimates -= sums.corrections * sums.totals[1] / sums.hands
            unexplained -= sums.totals**2 / sums.hands
        squares = np.diag(self._products)
        usual = np.divide(self._fourths, squares, out=np.zeros_like(squares), where=squares > 0)
        nothing = _ROUNDING * float(max(self._squares.max(), squares.max())) or 1.0
        prior = max(float(unexplained.min()), nothing) / self._hands / SPREAD**2
        together = min(max(-float(with_estimates.sum() / (products.sum() + prior)), -1.0), 0.0)
        apart = np.linalg.solve(
            products + np.diag(prior + STEADY * usual), -with_estimates - products.sum(axis=1) * together
        )
        return {kind: 1.0 + together + float(apart[number]) for kind, number in self._kinds.items()}

    def learn(self, seat: Hashable, result: float, corrections: Mapping[str, float]) -> None:
        """Take a hand: what was won from `seat` before corrections, and those by kind, all in one unit."""
        self._make_room(corrections)
        terms = np.zeros(len(self._kinds))
        for kind, correction in corrections.items():
            terms[self._kinds[kind]] = correction
        values = np.array([result, result + terms.sum()])
        self._hands += 1
        self._products += np.outer(terms, terms)
        self._fourths += terms**4
        self._with_estimates += terms * values[1]
        self._squares += values**2
        self._seats.setdefault(seat, _Sums(len(terms))).add(values, terms)

    def _make_room(self, corrections: Mapping[str, float]) -> None:
        more = [kind for kind in corrections if kind not in self._kinds]
        if not more:
            return
        for kind in more:
            self._kinds[kind] = len(self._kinds)
        after = (0, len(more))
        self._products = np.pad(self._products, (after, after))
        self._fourths, self._with_estimates = np.pad(self._fourths, after), np.pad(self._with_estimates, after)
        for sums in self._seats.values():
            sums.corrections = np.pad(sums.corrections, after)


class _Sums:
    """The hands of one seat: how many, and the sums of (result, z) and of x."""

    def __init__(self, kinds: int) -> None:
        self.hands = 0
        self.totals = np.zeros(2)
        self.corrections: Floats = np.zeros(kinds)

    def add(self, values: Floats, terms: Floats) -> None:
        """Take one hand."""
        self.hands += 1
        self.totals += values
        self.corrections += terms


def combine(result: float, corrections: Mapping[str, float], coefficients: Mapping[str, float]) -> float:
    """The estimate: `result` and each of `corrections` times its coefficient."""
    return result + sum(coefficients.get(kind, 1.0) * correction for kind, correction in corrections.items())

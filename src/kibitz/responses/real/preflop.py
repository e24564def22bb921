"""The first betting round of a best response, from what the flops below it are worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.strength import pair_classes
from kibitz.policy.base import Floats
from kibitz.policy.hands import HOLES
from kibitz.responses.real.compiled import RoundGame

PAIRS = 1326 * 1225  # ways to deal two players their hands
OPEN = 17296 / 22100  # of the flops, those without the four cards of two hands


@lru_cache(maxsize=1)
def starting_classes() -> npt.NDArray[np.int64]:
    """The class of isomorphic starting hands, 0 to 168, of each of `HOLES`: int64[1326]."""
    return pair_classes()


def rivals(reach: Floats, cards: npt.NDArray[np.uint8] = HOLES) -> Floats:
    """The opponent's hands that go with each hand: float64[..., hands], sums of `reach` without those that share cards.

    reach : [..., hands], of the hands uint8[hands, 2]
    """
    holds = np.zeros((len(cards), 52))
    holds[np.arange(len(cards))[:, None], cards] = 1.0
    by_card = reach @ holds
    return np.asarray(reach.sum(axis=-1, keepdims=True) - by_card @ holds.T + reach)


def class_means(values: Floats) -> Floats:
    """float64[..., 169] of values of all of `HOLES`, [..., 1326]."""
    kinds = starting_classes()
    member = np.zeros((len(kinds), 169))
    member[np.arange(len(kinds)), kinds] = 1.0
    return np.asarray(values @ (member / member.sum(axis=0)))


def expected_mass(compiled: RoundGame, reach: Floats) -> Floats:
    """The mean of `FlopValues.mass` over all flops, float64[trees, 169]: two hands leave the same number of flops open.

    compiled, reach : as in `choose`
    """
    return OPEN * class_means(rivals(reach[compiled.rows.end >= 0]))


@dataclass(frozen=True, eq=False)
class FlopValues:
    """What trees of the second round are worth on some flops, for every class of starting hands.

    worth, mass : float64[flops, trees, 169]; sums over the opponent's hands that go with the flop and the hand, with
                  the probability that he plays to the tree: of what the tree is worth to the responder, and of 1
    expected    : float64[trees, 169]; the mean of `mass` over all flops there are
    """

    worth: Floats
    mass: Floats
    expected: Floats

    def ratios(self, weights: Floats) -> Floats:
        """Chips per unit of mass on the flops there are, float64[trees, 169]: exact on all flops.

        On some, flops that share a rank with a hand leave it less mass and win it more, so that this is too high.
        """
        total = np.einsum("f,ftk->tk", weights, self.mass)
        return np.asarray(np.einsum("f,ftk->tk", weights, self.worth) * _inverse(total))

    def rates(self, slopes: Floats) -> Floats:
        """Each flop's estimate of the chips per unit of mass, corrected for its mass: float64[flops, trees, 169],

            (worth - slope * (mass - expected)) / expected

        Since `expected` is the mean of `mass`, the correction is 0 on average and the mean over flops drawn at random
        is unbiased, whatever slopes float64[trees, 169] come from elsewhere; near `ratios` it varies least.
        """
        return np.asarray((self.worth - slopes * (self.mass - self.expected)) * _inverse(self.expected))


def _inverse(values: Floats) -> Floats:
    """1 / values, 0 where there is nothing."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


@dataclass(frozen=True, eq=False)
class Chosen:
    """A best response before the flop, and what it wins.

    value      chips per hand by the flops that were `asked`, where the choices were made
    told       chips per hand of the same choices by other flops, `told`: unbiased, if these were drawn independently
    deviation  standard deviation of `told` over the choice of its flops; infinite where one class is all there is
    draws      flops that told, those drawn again counted again
    parts      float64[flops]: what each flop says of what the choices win after it; folds before it come on top
    """

    value: float
    told: float
    deviation: float
    draws: int
    parts: Floats


class _Option(NamedTuple):
    """Something the responder may do after a row: values float64[1326] by both sets of flops, and what comes then."""

    asked: Floats
    told: Floats
    tree: int = -1  # of the second round
    answers: range = range(0)  # rows


def choose(compiled: RoundGame, reach: Floats, flops: FlopValues, asked: Floats, told: Floats) -> Chosen:
    """Best choices of the responder in the first round by the flops weighted `asked`, valued by those weighted `told`.

    compiled : of the first round, with whole chips
    reach    : float64[rows, 1326], the opponent's probability to play to each row

    Folds are exact. What follows a flop is chips per unit of mass, times the exact mass. To choose, these are the
    ratios of the flops asked. To value the choices, they are the mean rates of the flops told, which know nothing of
    the choices or of the slopes: their mean over samples is what the choices truly win.
    """
    rows, mass = compiled.rows, rivals(reach)
    by_asked = flops.ratios(asked)
    rates = flops.rates(by_asked)
    by_told = np.einsum("f,ftk->tk", told / told.sum(), rates)
    kinds = starting_classes()
    options: list[list[_Option]] = [[] for _ in range(len(rows))]
    for row in np.flatnonzero(rows.fold >= 0).tolist():
        fold = float(compiled.chips[0, compiled.lane[row]]) * mass[row]
        options[row].append(_Option(fold, fold))
    closing = np.flatnonzero(rows.end >= 0)
    for tree, row in enumerate(closing.tolist()):
        options[row].append(_Option(mass[row] * by_asked[tree, kinds], mass[row] * by_told[tree, kinds], tree))
    best = np.zeros((2, len(rows), len(HOLES)))
    picked = np.zeros((len(rows), len(HOLES)), dtype=np.int64)
    for row in range(len(rows) - 1, -1, -1):  # answers come after the rows they answer to
        for _target, first, count in rows.answers[rows.answers[:, 0] == row].tolist():
            sums = best[:, first : first + count].sum(axis=1)
            options[row].append(_Option(sums[0], sums[1], answers=range(first, first + count)))
        picked[row] = np.argmax([option.asked for option in options[row]], axis=0)
        best[0, row] = np.choose(picked[row], [option.asked for option in options[row]])
        best[1, row] = np.choose(picked[row], [option.told for option in options[row]])
    stakes = _stakes(options, picked, mass[closing], closing)
    value, paid = (best[:, 0].sum(axis=1) / PAIRS).tolist()
    parts = np.einsum("ftk,tk->f", rates, stakes) / PAIRS
    return Chosen(value, paid, deviation_of_mean(parts, told), int(told.sum()), parts)


def deviation_of_mean(parts: Floats, told: Floats) -> float:
    """Of the mean of `parts`, float64[flops], each drawn `told` times: sqrt(sum told (part - mean)^2 / (n (n - 1)))."""
    if np.count_nonzero(told) < 2:
        return inf  # a single flop does not tell how others differ
    draws = told.sum()
    mean = told @ parts / draws
    return float(np.sqrt(told @ (parts - mean) ** 2 / (draws * (draws - 1))))


def _stakes(
    options: list[list[_Option]], picked: npt.NDArray[np.int64], mass: Floats, closing: npt.NDArray[np.int64]
) -> Floats:
    """How much each rate counts in the value of the choices: float64[trees, 169]."""
    used = np.zeros(picked.shape)
    used[0] = 1.0
    stakes = np.zeros((len(closing), 169))
    for row, offered in enumerate(options):
        for number, option in enumerate(offered):
            taken = used[row] * (picked[row] == number)
            if option.tree >= 0:
                np.add.at(stakes[option.tree], starting_classes(), taken * mass[option.tree])
            for answer in option.answers:
                used[answer] = taken
    return stakes

"""Figures 4.3 to 4.5: curves of gain by risk, from all samples, and what the thesis says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from math import nan
from typing import NamedTuple

import numpy as np

from kibitz.experiments.bard2016 import asymmetric
from kibitz.experiments.bard2016.drawing import Line
from kibitz.experiments.bard2016.settings import TITLES, Setting
from kibitz.experiments.bard2016.studies import Study, Task, curves_4_3, curves_4_4, curves_4_5, tasks_of
from kibitz.experiments.claims import Claim, Claims, Interval, of_samples, of_solutions, strongest, weakest
from kibitz.experiments.published import Cells, Found
from kibitz.policy.base import Floats

CURVES: dict[str, Callable[[Setting], dict[str, Task]]] = {
    "figure-4.3": curves_4_3,
    "figure-4.4": curves_4_4,
    "figure-4.5": curves_4_5,
}
TOP = 0.95  # P_max from which "nearly dominant" is not held to account


class Curve(NamedTuple):
    """A curve of one game: risk and gain, float64[samples, shares], and whether the samples are exact solutions."""

    shares: tuple[float, ...]
    risk: Floats
    gain: Floats
    is_exact: bool

    def interval(self, values: Floats) -> Interval:
        """Of one number per sample."""
        return of_solutions(values) if self.is_exact else of_samples(values)

    @property
    def best_gain(self) -> Interval:
        """At the share that wins the most on the mean: choosing it sample by sample would choose luck."""
        return self.interval(self.gain[:, self.gain.mean(axis=0).argmax()])

    @property
    def least_risk(self) -> Interval:
        """At the share that risks the least on the mean, likewise."""
        return self.interval(self.risk[:, self.risk.mean(axis=0).argmin()])

    @property
    def least_with_belief(self) -> Interval:
        """The least risk of responses that believe something."""
        return self.interval(self.risk[:, self._safest])

    @property
    def without_belief(self) -> Interval:
        return self.interval(self.risk[:, 0])

    @property
    def drop(self) -> Interval:
        """By how much believing something makes a response safer at best."""
        return self.interval(self.risk[:, 0] - self.risk[:, self._safest])

    @property
    def _safest(self) -> int:
        return 1 + int(self.risk[:, 1:].mean(axis=0).argmin())


def load_curve(study: Study, task: Task) -> Curve | None:
    """A curve from all samples that are complete; None where there is none."""
    found = [list(study.samples(task._replace(amount=amount))) for amount in study.setting.shares]
    # The equilibrium of data-biased responses is one and the same for all samples.
    count = min(len(each) for each in found)
    if not count:
        return None
    risk, gain = (
        np.array([[getattr(each[sample], name) for each in found] for sample in range(count)])
        for name in ("risk", "gain")
    )
    return Curve(study.setting.shares, risk, gain, task.method == "rnr")


def load_curves(name: str, study: Study) -> dict[str, Curve]:
    """The curves of a figure that are known, computed where they are to be."""
    tasks = CURVES[name](study.setting)
    study.run(tasks_of(study, tasks))
    found = {label: load_curve(study, task) for label, task in tasks.items()}
    return {label: curve for label, curve in found.items() if curve is not None}


def gain_at(risk: Floats, gain: Floats, level: float) -> tuple[float, float]:
    """What a curve of responses, float64[points] each, wins at a level of risk: at least and at most.

    Mixtures of two neighbours win at least what lies on the line between them; the next riskier response wins at least
    as much as any that the curve has in between. nan below the curve's least risk.
    """
    order = np.argsort(risk, kind="stable")
    sorted_risk, best = risk[order], np.maximum.accumulate(gain[order])
    if level < sorted_risk[0]:
        return nan, nan
    following = min(int(np.searchsorted(sorted_risk, level)), len(best) - 1)
    return float(np.interp(level, sorted_risk, best)), float(best[following])


def safer(curve: Curve) -> Claim:
    """Some belief is less exploitable than none."""
    return Claim(curve.without_belief, curve.least_with_belief)


def dominates(one: Curve, other: Curve, top: float = 1.0) -> Claim | None:
    """At the risk of every point of the other, with shares below `top`, this one wins more; the weakest of them.

    Samples of the same number are compared: they saw the same hands. None where no point lies within this one.
    """
    claims, count = [], min(len(one.risk), len(other.risk))
    for place, share in enumerate(other.shares):
        levels = other.risk[:count, place]
        bounds = np.array([gain_at(one.risk[s], one.gain[s], level) for s, level in enumerate(levels)])
        if share < top and not np.isnan(bounds).any():
            least, most = one.interval(bounds[:, 0]), one.interval(bounds[:, 1])
            first = Interval(least.value, least.low, most.high)
            claims.append(Claim(first, other.interval(other.gain[:count, place])))
    return weakest(claims) if claims else None


def claims_4_3(study: Study) -> Claims:
    curves = load_curves("figure-4.3", study)
    if len(curves) < 4:
        return {}
    small, large = study.setting.middle, study.setting.fine
    at = {(u, r): curves[f"U{u}-R{r}"] for u, r in product((small, large), repeat=2)}
    sizes = (small, large)
    return {
        "larger U wins more": lambda: weakest(Claim(at[large, r].best_gain, at[small, r].best_gain) for r in sizes),
        "larger U is more exploitable": lambda: weakest(
            Claim(at[large, r].least_risk, at[small, r].least_risk) for r in sizes
        ),
        "larger R is less exploitable": lambda: weakest(
            Claim(at[u, small].least_risk, at[u, large].least_risk) for u in sizes
        ),
        "larger R dominates, small U": lambda: dominates(at[small, large], at[small, small]),
        "larger R dominates, large U": lambda: dominates(at[large, large], at[large, small]),
        "some p > 0 is safer than p = 0": lambda: strongest(map(safer, at.values())),
    }


def claims_4_4(study: Study) -> Claims:
    curves, beside = load_curves("figure-4.4", study), load_curves("figure-4.3", study)
    if len(curves) < 4 or len(beside) < 4:
        return {}
    few, many = study.setting.few, study.setting.many
    small, large = study.setting.middle, study.setting.fine
    at = {(r, hands): curves[f"R{r}, {hands:,} hands"] for r, hands in product((small, large), (few, many))}
    exact = [beside[f"U{large}-R{r}"] for r in (small, large)]
    return {
        "many hands: larger R nearly dominates": lambda: dominates(at[large, many], at[small, many], TOP),
        "many hands: larger R loses some gain": lambda: Claim(at[small, many].best_gain, at[large, many].best_gain),
        "few hands: larger R wins less": lambda: Claim(at[small, few].best_gain, at[large, few].best_gain),
        "few hands: larger R is safer": lambda: Claim(at[small, few].least_risk, at[large, few].least_risk),
        "some P_max > 0 is safer than P_max = 0": lambda: strongest(map(safer, at.values())),
        "data make it safer than knowledge does": lambda: _compare_drops(at.values(), exact),
    }


def claims_4_5(study: Study) -> Claims:
    curves = load_curves("figure-4.5", study)
    if len(curves) < 4:
        return {}
    models = [curves[f"M{cards}"] for cards in study.setting.cards]
    lowest = min((each.least_risk for each in curves.values()), key=lambda each: each.low)
    return {
        **{
            f"M {name}: some P_max > 0 is safer than P_max = 0": partial(safer, curve)
            for name, curve in zip(("coarse", "middle", "fine"), models, strict=True)
        },
        "RNR: some p > 0 is safer than p = 0": lambda: safer(curves["RNR"]),
        "data make it safer than knowledge does": lambda: _compare_drops(models, [curves["RNR"]]),
        "none is safer than U-FULL": lambda: _against_full(study, lowest),
    }


def _compare_drops(data: Iterable[Curve], exact: Iterable[Curve]) -> Claim:
    """That belief in data makes responses safer by more than knowledge does, of the curves where it does most."""
    first, second = (max((each.drop for each in curves), key=lambda each: each.value) for curves in (data, exact))
    return Claim(first, second)


def _against_full(study: Study, lowest: Interval) -> Claim | None:
    least = asymmetric.full_exploitability(study.setting.game, study.setting.fine, study.effort)
    return None if least is None else Claim(lowest, least)


CLAIMS: dict[str, Callable[[Study], Claims]] = {
    "figure-4.3": claims_4_3,
    "figure-4.4": claims_4_4,
    "figure-4.5": claims_4_5,
}


def cells(name: str, study: Study) -> Cells:
    """Risk and gain of every curve by share."""
    for label, curve in load_curves(name, study).items():
        for place, share in enumerate(curve.shares):
            for what, values in (("risk", curve.risk), ("gain", curve.gain)):
                yield f"{share:g}", f"{label}: {what}", Found(*curve.interval(values[:, place]))


def lines(name: str, study: Study) -> list[Line]:
    """Gain by risk."""
    return [
        Line(label, list(map(curve.interval, curve.risk.T)), list(map(curve.interval, curve.gain.T)))
        for label, curve in load_curves(name, study).items()
    ]


def notes_on(studies: list[Study]) -> tuple[str, ...]:
    """How the numbers of some games are found."""
    return (
        "Risk is the exploitability in the real game, exactly; gain is what is won from the tilted opponent, exactly.",
        *(
            f"In {TITLES[each.setting.game]}: percentile cards with {each.setting.coarse}, {each.setting.middle} and "
            f"{each.setting.fine} buckets a round stand for 5, 8 and 12, the opponent has the middle ones; observed "
            f"hands {', '.join(f'{hands:,}' for hands in each.setting.of_curves)} stand for 10^4, 10^5 and 10^7."
            for each in studies
        ),
        "Data-biased responses: means over observations with 95 % intervals (Student's t). Restricted Nash responses "
        "know the opponent: their intervals are the range over several algorithms.",
    )

"""Figure 4.2: how many hands of an opponent, and how its model generalises them."""

from __future__ import annotations

from functools import partial

import numpy as np

from kibitz.experiments.bard2016.drawing import Line
from kibitz.experiments.bard2016.settings import TITLES, UNIT
from kibitz.experiments.bard2016.studies import Study, tuned_4_2
from kibitz.experiments.claims import Claim, Claims, Interval, of_samples, weakest
from kibitz.experiments.published import Cells, Found
from kibitz.policy.base import Floats

Won = dict[str, list[Floats]]  # model's cards -> per number of hands, float64[samples]


def load_won(study: Study) -> Won:
    """What tuned responses win, of all samples that are known, computed where they are to be."""
    lines = tuned_4_2(study.setting)
    tasks = [task for line in lines.values() for task in line]
    study.run([task._replace(sample=sample) for task in tasks for sample in range(study.setting.samples)])
    found = {
        label: [np.array([each.gain for each in study.samples(task)]) for task in line] for label, line in lines.items()
    }
    count = min(len(each) for line in found.values() for each in line)
    return {label: [each[:count] for each in line] for label, line in found.items()} if count else {}


def claims(study: Study) -> Claims:
    """What the thesis says, by row."""
    won = load_won(study)
    if not won:
        return {}
    coarse, middle, fine = won.values()
    last = len(coarse) - 1

    def more(one: list[Floats], other: list[Floats], place: int) -> Claim:
        return Claim(of_samples(one[place]), of_samples(other[place]))

    def lead(place: int) -> Floats:
        return np.asarray(coarse[place] - middle[place])

    def fine_is_poor() -> Claim:
        best = [max((coarse[place], middle[place]), key=lambda each: float(each.mean())) for place in range(last + 1)]
        return weakest(Claim(of_samples(best[place]), of_samples(fine[place])) for place in range(last + 1))

    return {
        "fewest hands: coarse M beats fine M": partial(more, coarse, fine, 0),
        "few hands: coarse M beats fine M": partial(more, coarse, fine, 1),
        "fewest hands: coarse M beats middle M": partial(more, coarse, middle, 0),
        "few hands: coarse M beats middle M": partial(more, coarse, middle, 1),
        "coarse M's lead over middle M falls": lambda: Claim(of_samples(lead(0)), of_samples(lead(last - 1))),
        "most hands: middle M beats coarse M": partial(more, middle, coarse, last),
        "fine M is never the best": fine_is_poor,
    }


def cells(study: Study) -> Cells:
    """What is won by the model's cards and observed hands."""
    for label, line in load_won(study).items():
        for hands, values in zip(study.setting.hands, line, strict=True):
            yield label, f"{hands:,}", Found(*of_samples(values))


def notes_on(studies: list[Study]) -> tuple[str, ...]:
    """How the numbers of some games are found."""
    return tuple(
        f"In {TITLES[each.setting.game]}: U = R = {each.setting.fine} buckets, the tilted opponent has "
        f"{each.setting.middle}; "
        f"P_max is tuned so that responses lose {each.setting.target:g} {UNIT} to best responses with R's cards, or "
        "is 1 where even that loses less (exact responses change by jumps, and may lose less too). Means over "
        "observations by the probe with 95 % intervals (Student's t)."
        for each in studies
    )


def lines(study: Study) -> list[Line]:
    """What is won by observed hands."""
    hands = [Interval.exactly(each) for each in study.setting.hands]
    return [Line(label, hands, list(map(of_samples, line))) for label, line in load_won(study).items()]

"""Scores of starting hands: percentiles of what they win when all stay to the showdown, simulated once and shipped.

Poki's pre-flop play rests on such off-line simulations (Billings et al. 2002; Sweeney 2012, section 3.2.2).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import product

import numpy as np
import numpy.typing as npt

from kibitz.learning.population.records import FIELDS
from kibitz.progress import Progress, silent

Floats = npt.NDArray[np.float64]
FILE = "starting_hands.csv"
SAMPLES = 1_000_000  # of every class, in the shipped file
SEED = 2012
RANKS = "23456789TJQKA"
CLASSES = 169


def class_name(high: int, low: int, suited: bool) -> str:
    """The name of a class of starting hands, such as AKs; ranks from 0 for the two.

    >>> class_name(12, 11, True), class_name(3, 3, False)
    ('AKs', '55')
    """
    return RANKS[high] + RANKS[low] + ("" if high == low else "s" if suited else "o")


def all_classes() -> list[tuple[int, int, bool]]:
    """The 169 classes: high rank, low rank, suited."""
    return [(max(a, b), min(a, b), a > b) for a, b in product(range(13), repeat=2)]


def simulate_equities(samples: int = SAMPLES, seed: int = SEED, progress: Progress = silent) -> Floats:
    """Share of the pot that each class wins against FIELDS opponents who stay to the end: float64[169, 4]."""
    from kibitz.learning.population._kernels.strength import simulate_starting_hands

    won = np.zeros((CLASSES, len(FIELDS)))
    for number, (high, low, suited) in enumerate(all_classes()):
        simulate_starting_hands(seed, 4 * high, 4 * low + (not suited), samples, won[number])
        progress("starting hands", number + 1, CLASSES)
    return won / samples


@cache
def load_equities() -> dict[str, tuple[float, ...]]:
    """The shipped shares by name of the class, one for each of FIELDS."""
    text = (files(__package__) / FILE).read_text()
    rows = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    return {name: tuple(map(float, shares)) for name, *shares in rows[1:]}


@cache
def load_scores() -> npt.NDArray[np.float32]:
    """Percentiles of all starting hands by their two cards, 0 for the worst and 1 for the best: float32[4, 52, 52].

    Row f is for FIELDS[f] opponents. Half of the hands of the same class count as worse. The diagonal is 0.
    """
    equities = np.array([load_equities()[class_name(*each)] for each in all_classes()])
    numbers = np.full((52, 52), -1)
    for first, second in product(range(52), repeat=2):
        if first != second:
            high, low = max(first >> 2, second >> 2), min(first >> 2, second >> 2)
            suited = first & 3 == second & 3
            numbers[first, second] = 13 * (high if suited else low) + (low if suited else high)
    hands = np.bincount(numbers[numbers >= 0], minlength=CLASSES)
    scores = np.zeros((len(FIELDS), 52, 52), dtype=np.float32)
    for row in range(len(FIELDS)):
        order = np.argsort(equities[:, row], kind="stable")
        below = np.empty(CLASSES)
        below[order] = np.cumsum(hands[order]) - hands[order] / 2
        scores[row] = np.where(numbers >= 0, (below / hands.sum())[numbers], 0.0)
    scores.setflags(write=False)
    return scores

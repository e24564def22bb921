"""Section 2.7: bias and variance of the estimators of experts in Leduc, by going through every hand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kibitz.experiments.bard2016 import styles
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.bard2016.styles import MORE, TEST
from kibitz.experiments.published import Effort, Experiment, Found
from kibitz.modelling.estimators import TECHNIQUES, Accuracy, Experts, accuracy

OPPONENTS = {"smoke": 1, "short": 4, "full": 8}
NAMES = {
    "importance": "importance sampling",
    "folds": "early folds",
    "cards": "all cards",
    "imaginary": "folds and cards",
}


def section_2_7(effort: Effort) -> Experiment:
    """Each technique in both seats, with the opponent's cards seen always or at showdowns only."""
    others = MORE[: OPPONENTS[effort.preset]]

    def find() -> Iterator[tuple[str, str, Found]]:
        experts = styles.experts(TEST)
        plain = None
        for name, row in NAMES.items():
            full = [each for style in others for each in _both_seats(experts, style, name, "full")]
            partial = [each for style in others for each in _both_seats(experts, style, name, "partial")]
            spread = np.array([each.deviation for each in partial])
            plain = spread if plain is None else plain
            yield row, "bias, full", Found(1000 * max(float(abs(each.bias).max()) for each in full))
            yield row, "bias, partial", Found(1000 * max(float(abs(each.bias).max()) for each in partial))
            yield row, "variance ratio", Found(float(np.mean(plain**2 / spread**2)))

    notes = (
        f"Four experts with equal weights in both seats, opponents: {', '.join(style.name for style in others)}. Every "
        "deal and every betting sequence counts by its chance. The largest bias of any expert, when the opponent's "
        "cards are seen always (full) or at showdowns only (partial), and how many times smaller than that of plain "
        "importance sampling the variance of a hand is, on average over experts, seats and opponents.",
    )
    return Experiment(TABLES["section-2.7"], find, notes)


def _both_seats(experts: Experts, style: styles.Style, technique: str, information: str) -> list[Accuracy]:
    weights, opponent = np.full(len(experts), 1 / len(experts)), styles.agent_of(style).policy
    chosen = TECHNIQUES[technique]
    return [accuracy(experts, weights, opponent, seat, chosen, information) for seat in range(2)]

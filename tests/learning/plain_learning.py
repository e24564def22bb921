"""How weights are learned, computed plainly: returns, baselines, steps of a batch, and averages."""

from __future__ import annotations

import numpy as np

from kibitz.learning import Learning
from kibitz.learning.model import BEGINNINGS, Floats, views
from kibitz.learning.records import CONSTANT, MOVE_ROWS

POLICY, OBSERVER = slice(0, int(BEGINNINGS[2])), slice(int(BEGINNINGS[2]), int(BEGINNINGS[-1]))


def stages_of_moves() -> np.ndarray:
    """The stage that every row of the transitions leads into."""
    found, stage = np.zeros(MOVE_ROWS, np.int64), 1
    for row in range(MOVE_ROWS):
        found[row] = stage
        stage += row == CONSTANT[stage]  # the constant is the last row of its stage
    return found


def advantages(decisions, returns, learning: Learning) -> list[float]:
    """What the return of every decision is beyond its baseline, in rewards."""
    found = []
    for each in decisions:
        won = returns[each.player]
        if learning.baseline == "fold":
            won += each.paid
        found.append(won / (each.pot if learning.pot_scaling else learning.reward_scale))
    return found


def rescaled(flat: Floats, usage: Floats, floor: float) -> Floats:
    """A gradient of the observer, divided by the running averages of the card-types that its weights belong to."""
    found, shares = flat.copy(), np.maximum(usage, floor)
    weights = views(found)
    weights.types[:] /= shares[:, None, :]
    weights.showdown[:] /= shares[3]
    for row, stage in enumerate(stages_of_moves()):
        weights.transitions[row] /= np.outer(shares[stage - 1], shares[stage]).ravel()
    return found


def averaged(average: Floats, sums: Floats, constant: float) -> Floats:
    """A running average after as many players as `sums` sum up to, each of whom moves it by `constant` of the way."""
    players = sums.sum()
    if players == 0:
        return average
    kept = np.exp(players * np.log1p(-constant))
    return kept * average + (1 - kept) * sums / players


def clipped(gradient: Floats, deals: int, clip: float) -> tuple[Floats, float]:
    """A gradient that is not longer than `clip` a deal, and how long it was."""
    norm = float(np.linalg.norm(gradient)) / deals
    return (gradient * clip / norm if norm > clip > 0 else gradient), norm


def fallen(begun: int, learning: Learning, least: float) -> float:
    """What rates have fallen to after so many deals, as a share of the first ones."""
    return max(1 / (1 + begun / learning.halving), least) if learning.halving else 1.0


def step(flat: Floats, gradient: Floats, learning: Learning, begun: int) -> tuple[Floats, Floats]:
    """Weights and the two norms after one batch, whose gradient is given.

    begun   deals before the batch: rates fall with them
    """
    rates = fallen(begun, learning, learning.least) * np.repeat(
        [learning.rate, learning.card_rate, learning.type_rate, learning.move_rate, learning.showdown_rate],
        np.diff(BEGINNINGS),
    )
    new, norms = flat.copy(), []
    for part in (POLICY, OBSERVER):
        short, norm = clipped(gradient[part], learning.batch, learning.clip)
        norms.append(norm)
        new[part] += rates[part] * short
    sums, old, weights = views(gradient), views(flat), views(new)
    for stage in range(4):
        weights.usage[stage] = averaged(old.usage[stage], sums.usage[stage], learning.averaging)
    weights.initial[:] = averaged(old.initial, sums.initial, learning.averaging)
    return new, np.array(norms)


def followed(average: Floats, learned: Floats, looks: int, window: float) -> Floats:
    """Averaged weights after one more look at what is learned, `looks` having gone before.

    The first look counts for all; then each moves the average by `window` times its share of all deals.
    """
    near = min(1.0, window / (1 + looks))
    return average + near * (learned - average)

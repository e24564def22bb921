"""How weights are learned, computed plainly: returns, baselines, running averages, and one step of a batch."""

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


def advantages(decisions, returns, learning: Learning, linear: Floats, bet_scales) -> tuple[list[float], Floats]:
    """What the return of every decision is beyond its baseline, in rewards; and the gradient of that baseline.

    linear : float64[stages, bet features and a constant]
    """
    found, gradient = [], np.zeros_like(linear)
    for each in decisions:
        after_call = np.append(each.bets[0][:9], 1.0)
        won = returns[each.player]
        if learning.baseline != "none":
            won += each.paid
        if learning.baseline == "mean":
            won -= linear[each.stage, 9]
            gradient[each.stage, 9] += won
        if learning.baseline == "linear":
            won -= linear[each.stage] @ after_call
            gradient[each.stage] += won * after_call / (after_call @ after_call)
        pot = each.bets[0][2] * bet_scales[2]
        found.append(won / (pot if learning.pot_scaling else learning.reward_scale))
    return found, gradient


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


def step(flat: Floats, gradient: Floats, anchor: Floats, learning: Learning, begun: int) -> tuple[Floats, ...]:
    """Weights, anchor and the two norms after one batch, whose gradient is given.

    begun   deals before the batch: rates fall with them
    """
    slower = 1 / (1 + begun / learning.halving) if learning.halving else 1.0
    rates = slower * np.repeat(
        [learning.rate, learning.card_rate, learning.type_rate, learning.move_rate, learning.showdown_rate],
        np.diff(BEGINNINGS),
    )
    new, followed, norms = flat.copy(), anchor.copy(), []
    for part in (POLICY, OBSERVER):
        short, norm = clipped(gradient[part], learning.batch, learning.clip)
        norms.append(norm)
        new[part] += rates[part] * short
    if learning.anchor_pull:
        distance = flat[POLICY] - anchor[POLICY]
        new[POLICY] -= rates[POLICY] * learning.batch * learning.anchor_pull * distance
        part = min(learning.anchor_rate * learning.batch, 1.0)
        followed[POLICY] = part * new[POLICY] + (1 - part) * anchor[POLICY]
    sums, old, weights = views(gradient), views(flat), views(new)
    for stage in range(4):
        weights.usage[stage] = averaged(old.usage[stage], sums.usage[stage], learning.averaging)
    weights.initial[:] = averaged(old.initial, sums.initial, learning.averaging)
    return new, followed, np.array(norms)

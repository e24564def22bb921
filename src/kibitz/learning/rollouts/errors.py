"""Sample, left-fold-out and rollout-improvement errors of one decision (Sweeney 2012, section 5.1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError

Floats = npt.NDArray[np.float64]
FOLDS = 10


class Errors(NamedTuple):
    """How much better a decision could have been, in chips: sample = lfo + improvement.

    sample       best option on all samples, less what the policy is worth
    lfo          best option on all samples, less what the best on the other folds is worth on each fold
    improvement  the latter less what the policy is worth: an unbiased estimate of what a rollout would gain
    size         effective number of samples, (sum p)^2 / sum p^2
    """

    sample: float
    lfo: float
    improvement: float
    size: float


def weights_of(logs: Floats) -> Floats:
    """p from ln p, float64[n], up to a factor: the largest is 1."""
    return np.asarray(np.exp(logs - logs.max()))


def option_values(values: Floats, logs: Floats) -> Floats:
    """The weighted mean of each option's values: float64[options], v_d = sum p v_d / sum p."""
    weights = weights_of(logs)
    return np.asarray(weights @ values / weights.sum())


def decision_errors(values: Floats, logs: Floats, chances: Floats, folds: int = FOLDS) -> Errors:
    """The errors of a decision from its rollouts.

    values  : float64[n, options]   what the actor won after each option, with the same cards
    logs    : float64[n]            ln p of each sample
    chances : float64[options]      the policy's probabilities

    With t, b the sums of p v_d and p over all samples and t_i, b_i those over fold i of contiguous samples,
    d*_-i = argmax (t_d - t_id) / (b - b_i), and what it is worth is sum_i (b_i / b) v_id for d = d*_-i. Where all
    weight lies in one fold, the others say nothing, and the policy's likeliest option stands for d*_-i.
    """
    count = len(values)
    if not 2 <= folds <= count:
        raise KibitzError(f"{folds} folds of {count} samples: 2 to {count} are possible")
    weights = weights_of(logs)
    starts = np.arange(folds) * count // folds
    totals = np.add.reduceat(weights[:, None] * values, starts)
    sums = np.add.reduceat(weights, starts)
    total, whole = totals.sum(axis=0), sums.sum()
    means = total / whole
    rest = whole - sums
    with np.errstate(divide="ignore", invalid="ignore"):
        others = np.where(rest[:, None] > 1e-12 * whole, (total - totals) / rest[:, None], chances)
    chosen = np.argmax(others, axis=1)
    left_out = float(totals[np.arange(folds), chosen].sum() / whole)
    best, policy = float(means.max()), float(chances @ means)
    return Errors(best - policy, best - left_out, left_out - policy, float(whole**2 / (weights @ weights)))

"""The gradient step of all learners: clipped by the norm of the mean gradient, with a rate for each group."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import DIVIDING
from kibitz.learning.records import STAGES, TYPES


@njit(error_model=DIVIDING)
def squares(gradient, begin, end):
    """The sum of squares of gradient[begin:end]."""
    total = 0.0
    for i in range(begin, end):
        total += gradient[i] * gradient[i]
    return total


@njit(error_model=DIVIDING)
def shrink(norm, clip):
    """What a gradient of this norm is multiplied by, so that it is no longer than `clip`; 0 for no bound."""
    return clip / norm if norm > clip > 0.0 else 1.0


@njit(error_model=DIVIDING)
def move(flat, gradient, begin, end, rate):
    """Move flat[begin:end] along the gradient, and clear that."""
    for i in range(begin, end):
        flat[i] += rate * gradient[i]
        gradient[i] = 0.0


@njit(cache=True, nogil=True, error_model=DIVIDING)
def step(flat, gradient, groups, rates, clip, deals):
    """Move the weights by the gradient of `deals` deals, and clear it; the norm of its mean, or nan and no change.

    flat, gradient : float64[n]   groups : int64[g + 1], where groups begin and the last ends
    rates : float64[g]            of the sum over deals; clip bounds the norm
    """
    norm = squares(gradient, groups[0], groups[-1]) ** 0.5 / deals
    if not np.isfinite(norm):
        return np.nan
    scale = shrink(norm, clip)
    for g in range(len(rates)):
        move(flat, gradient, groups[g], groups[g + 1], scale * rates[g])
    return norm


@njit(error_model=DIVIDING)
def fallen(deals, halving, least):
    """What rates have fallen to after so many deals, as a share of the first ones: never below `least`."""
    return max(1.0 / (1.0 + deals / halving), least) if halving > 0.0 else 1.0


@njit(cache=True, nogil=True, error_model=DIVIDING)
def average(weights, gradient, constant):
    """Move running averages towards the sums of adjusted posteriors in the gradient, and clear those."""
    for stage in range(STAGES):
        approach(weights.usage[stage], gradient.usage[stage], constant)
    approach(weights.initial, gradient.initial, constant)


@njit(error_model=DIVIDING)
def approach(shares, sums, constant):
    """Move shares : float64[c] towards those of sums, by as much as there is of them, and clear the sums."""
    total = 0.0
    for c in range(TYPES):
        total += sums[c]
    if total > 0.0:
        part = 1.0 - (1.0 - constant) ** total
        for c in range(TYPES):
            shares[c] += part * (sums[c] / total - shares[c])
            sums[c] = 0.0

"""Best choices in trees of decisions, and Lloyd's algorithm on inner products."""

import numpy as np

from kibitz.compiling import njit

MOST_ROUNDS = 300


@njit(cache=True, nogil=True)
def best_values(sums, start, parent, out):
    """Write the value of the best plan for each row of float64[n, d] `sums` to float64[n] `out`."""
    worth = np.empty(sums.shape[1])
    for i in range(len(sums)):
        worth[:] = sums[i]
        for h in range(len(parent) - 1, -1, -1):
            best = worth[start[h]]
            for s in range(start[h] + 1, start[h + 1]):
                best = max(best, worth[s])
            worth[parent[h]] += best
        out[i] = worth[0]


@njit(cache=True, nogil=True)
def best_plans(sums, start, parent, out):
    """Write the best pure plan for each row of `sums` to float64[n, d] `out`; of equal actions the first is taken."""
    worth = np.empty(sums.shape[1])
    choice = np.empty(len(parent), np.int64)
    for i in range(len(sums)):
        worth[:] = sums[i]
        for h in range(len(parent) - 1, -1, -1):
            choice[h] = start[h]
            for s in range(start[h] + 1, start[h + 1]):
                if worth[s] > worth[choice[h]]:
                    choice[h] = s
            worth[parent[h]] += worth[choice[h]]
        out[i] = 0.0
        out[i, 0] = 1.0
        for h in range(len(parent)):
            out[i, choice[h]] = out[i, parent[h]]


@njit(cache=True, nogil=True)
def lloyd(gram, draws, labels):
    """Lloyd's algorithm from centres by k-means++; returns the sum of squared distances to the centroids.

    gram   : float64[m, m]   inner products of the points
    draws  : float64[k]      uniform in [0, 1): one for each first centre
    labels : int64[m]        written: the cluster of each point

    The distance of point i from the centroid of C is g_ii - 2/|C| sum_j g_ij + 1/|C|^2 sum_jl g_jl, so a round costs
    m^2 additions, however many coordinates the points have.
    """
    points, clusters = len(gram), len(draws)
    nearest = np.full(points, np.inf)
    for c in range(clusters):
        centre = _draw(nearest, draws[c], c == 0)
        for i in range(points):
            apart = gram[i, i] - 2.0 * gram[i, centre] + gram[centre, centre]
            if apart < nearest[i]:
                nearest[i] = max(apart, 0.0)
                labels[i] = c
    sums, count = np.empty((clusters, points)), np.empty(clusters, np.int64)
    spread, within = np.empty(clusters), np.empty(points)
    for _ in range(MOST_ROUNDS):
        _centre(gram, labels, sums, count, spread)
        if not _assign(gram, labels, sums, count, spread, within):
            break
        _fill_empty(labels, count, within)
    _centre(gram, labels, sums, count, spread)
    total = 0.0
    for i in range(points):
        total += _distance(gram, sums, count, spread, i, labels[i])
    return total


@njit(inline="always")
def _draw(nearest, draw, is_first):
    """A point with a chance in proportion to its squared distance from the centres so far."""
    if is_first:
        return int(draw * len(nearest))
    left = draw * nearest.sum()
    chosen = len(nearest) - 1
    for i in range(len(nearest)):
        left -= nearest[i]
        if left < 0.0:
            chosen = i
            break
    return chosen


@njit(inline="always")
def _centre(gram, labels, sums, count, spread):
    """Sums of inner products with the members of each cluster, float64[k, m], and among them, float64[k]."""
    sums[:] = 0.0
    count[:] = 0
    spread[:] = 0.0
    for i in range(len(labels)):
        sums[labels[i]] += gram[i]
        count[labels[i]] += 1
    for i in range(len(labels)):
        spread[labels[i]] += sums[labels[i], i]


@njit(inline="always")
def _distance(gram, sums, count, spread, i, c):
    return gram[i, i] - 2.0 * sums[c, i] / count[c] + spread[c] / (count[c] * count[c])


@njit(inline="always")
def _assign(gram, labels, sums, count, spread, within):
    """Move every point to the nearest centroid; whether one moved. `within` are the distances from there."""
    moved = False
    for i in range(len(labels)):
        best, where = _distance(gram, sums, count, spread, i, labels[i]), labels[i]
        for c in range(len(count)):
            if count[c] > 0:
                apart = _distance(gram, sums, count, spread, i, c)
                if apart < best:
                    best, where = apart, c
        moved = moved or where != labels[i]
        labels[i] = where
        within[i] = best
    return moved


@njit(inline="always")
def _fill_empty(labels, count, within):
    """A cluster that lost all its points gets the one that is farthest from the centroid of its own."""
    count[:] = 0
    for i in range(len(labels)):
        count[labels[i]] += 1
    for c in range(len(count)):
        if count[c] == 0:
            farthest, far = -1, 0.0
            for i in range(len(labels)):
                if within[i] > far and count[labels[i]] > 1:
                    farthest, far = i, within[i]
            if farthest >= 0:
                count[labels[farthest]] -= 1
                labels[farthest] = c
                within[farthest] = 0.0
                count[c] = 1

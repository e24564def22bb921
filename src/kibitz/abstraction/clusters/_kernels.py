"""Clusters by nearest centre: distribution functions by earth mover's distance, vectors by Euclidean distance.

Centres stand in order of the sum of their entries. The difference of two sums bounds the distance from below, so a
search goes outwards from the nearest sum and ends where sums alone are too far apart. Of centres as near as each other
the first is taken.
"""

import numpy as np
from numba import types
from numba.extending import overload

from kibitz.compiling import njit

CARDS = 52
PAIRS = 1326
SYMMETRIES = 24
WIDTH = 64  # of a distribution function
VECTOR = 8
VALUES = 256
FAR = 1 << 30


@njit(inline="always")
def _first_not_below(sums, value):
    """The first place of increasing `sums` that is not below `value`."""
    low, high = 0, len(sums)
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def _nearest_cdf(point, centres, sums):
    """The nearest of uint8[k, 64] `centres` to a distribution function, and its distance: sum |difference|."""
    total = np.int32(0)
    for b in range(WIDTH):
        total += np.int32(point[b])
    right = _first_not_below(sums, total)
    left = right - 1
    best, nearest = np.int32(FAR), -1
    while True:
        from_left = total - sums[left] if left >= 0 else np.int32(FAR)
        from_right = sums[right] - total if right < len(sums) else np.int32(FAR)
        if min(from_left, from_right) > best or (left < 0 and right >= len(sums)):
            return nearest, best
        if from_left <= from_right:
            which = left
            left -= 1
        else:
            which = right
            right += 1
        distance = np.int32(0)
        for b in range(WIDTH):
            distance += abs(np.int32(point[b]) - np.int32(centres[which, b]))
        if distance < best or (distance == best and which < nearest):
            best, nearest = distance, which


def _nearest_vector(point, centres, sums):
    """The nearest of int16[k, 8] `centres` to a vector, and the squared distance.

    The square of the difference of sums is at most 8 times the squared distance.
    """
    total = np.int32(0)
    for b in range(VECTOR):
        total += np.int32(point[b])
    right = _first_not_below(sums, total)
    left = right - 1
    best, nearest = np.int64(FAR), -1
    while True:
        from_left = np.int64(total - sums[left]) if left >= 0 else np.int64(FAR)
        from_right = np.int64(sums[right] - total) if right < len(sums) else np.int64(FAR)
        gap = min(from_left, from_right)
        if gap * gap > VECTOR * best or (left < 0 and right >= len(sums)):
            return nearest, best
        if from_left <= from_right:
            which = left
            left -= 1
        else:
            which = right
            right += 1
        distance = np.int32(0)
        for b in range(VECTOR):
            apart = np.int32(point[b]) - np.int32(centres[which, b])
            distance += apart * apart
        if distance < best or (distance == best and which < nearest):
            best, nearest = np.int64(distance), which


def _nearest(point, centres, sums):
    """The nearest centre to a point of either kind, and how far it is."""


@overload(_nearest)
def _nearest_typed(point, centres, sums):
    return _nearest_cdf if point.dtype == types.uint8 else _nearest_vector


def _apart(one, other):
    """How far two entries are apart, as distances add it up."""


@overload(_apart)
def _apart_typed(one, other):
    if one == types.uint8:
        return lambda one, other: abs(np.int32(one) - np.int32(other))
    return lambda one, other: (np.int32(one) - np.int32(other)) ** 2


@njit(cache=True, nogil=True)
def assign(points, centres, sums, labels, distances):
    """Write the nearest centre of each of `points`, int32[n], and how far it is (vectors: squared), int32[n].

    points : uint8[n, 64] distribution functions, or int16[n, 8] vectors
    """
    for i in range(len(points)):
        labels[i], distances[i] = _nearest(points[i], centres, sums)


@njit(cache=True, nogil=True)
def approach(points, centre, distances):
    """Lower int32[n] `distances` to those from `centre`, where that is nearer."""
    for i in range(len(points)):
        distance = np.int32(0)
        for b in range(points.shape[1]):
            distance += np.int32(_apart(points[i, b], centre[b]))
        distances[i] = min(distances[i], distance)


@njit(cache=True, nogil=True)
def take_medians(points, order, starts, centres):
    """Write to uint8[k, 64] `centres` the lower medians of points order[starts[k]:starts[k + 1]], entry by entry."""
    counts = np.empty((WIDTH, VALUES), np.int32)
    for k in range(len(starts) - 1):
        members = starts[k + 1] - starts[k]
        if members == 0:
            continue
        counts[:] = 0
        for place in range(starts[k], starts[k + 1]):
            for b in range(WIDTH):
                counts[b, points[order[place], b]] += 1
        for b in range(WIDTH):
            below, value = counts[b, 0], 0
            while 2 * below < members:
                value += 1
                below += counts[b, value]
            centres[k, b] = value


@njit(cache=True, nogil=True)
def take_means(points, order, starts, centres):
    """Write the mean, rounded, of the points order[starts[k]:starts[k + 1]] to int16[k, 8] `centres`."""
    total = np.empty(VECTOR, np.int64)
    for k in range(len(starts) - 1):
        members = starts[k + 1] - starts[k]
        if members == 0:
            continue
        total[:] = 0
        for place in range(starts[k], starts[k + 1]):
            for b in range(VECTOR):
                total[b] += points[order[place], b]
        for b in range(VECTOR):
            centres[k, b] = (2 * total[b] + members) // (2 * members)


@njit(inline="always")
def _lowest_image(pair, symmetries, images):
    """The lowest pair that a symmetry of the board exchanges `pair` with."""
    lowest = pair
    if symmetries == np.uint32(1):
        return lowest
    for p in range(1, SYMMETRIES):
        if symmetries >> np.uint32(p) & np.uint32(1):
            lowest = min(lowest, np.int64(images[p, pair]))
    return lowest


@njit(cache=True, nogil=True)
def _mark_free(board, free):
    free[:] = True
    for card in board:
        free[card] = False


@njit(cache=True, nogil=True)
def label(points, boards, symmetries, images, centres, sums, out):
    """Write the nearest centre of each pair on each board to out[n, 1326], 0 for pairs that are not there.

    points : uint8[n, 1326, 64] or int16[n, 1326, 8]    boards : uint8[n, k]
    symmetries : uint32[n]    images : int16[24, 1326]
    """
    free = np.empty(CARDS, np.bool_)
    for i in range(len(boards)):
        _mark_free(boards[i], free)
        pair = 0
        for b in range(CARDS):
            for a in range(b):
                if free[a] and free[b]:
                    lowest = _lowest_image(pair, symmetries[i], images)
                    if lowest < pair:
                        out[i, pair] = out[i, lowest]
                    else:
                        out[i, pair] = _nearest(points[i, pair], centres, sums)[0]
                else:
                    out[i, pair] = 0
                pair += 1

"""Clusters: the nearest centre, centres that make the distances least, and the same ones every time."""

import numpy as np
import pytest

from kibitz.abstraction.clusters import _kernels
from kibitz.abstraction.clusters.streets import Training, _weakest_first, assign, in_order, train
from kibitz.abstraction.features._kernels import PAIR
from kibitz.abstraction.features.boards import get_boards, pair_cards


def cdfs(count, seed):
    """Random distribution functions of hands of all strengths."""
    random = np.random.default_rng(seed)
    mass = np.zeros((count, 50))
    for row, centre in zip(mass, random.uniform(0, 50, count), strict=True):
        row += np.exp(-(((np.arange(50) - centre) / random.uniform(1, 15)) ** 2))
    out = np.zeros((count, 64), dtype=np.uint8)
    out[:, :49] = np.rint(255 * (mass / mass.sum(axis=1, keepdims=True)).cumsum(axis=1)[:, :49])
    return out


def vectors(count, seed):
    random = np.random.default_rng(seed)
    return np.clip(random.uniform(0, 4095, (count, 1)) + random.normal(0, 400, (count, 8)), 0, 4095).astype(np.int16)


def plain_distances(points, centres):
    apart = np.abs(points[:, None].astype(int) - centres[None].astype(int))
    return apart.sum(axis=2) if points.dtype == np.uint8 else (apart**2).sum(axis=2)


@pytest.mark.parametrize("make", [cdfs, vectors])
@pytest.mark.parametrize("clusters", [1, 2, 40])
def test_the_nearest_centre(make, clusters):
    """The search that skips centres by their sums finds what going through all finds, the first of equals."""
    points, (centres, sums) = make(500, 0), in_order(make(clusters, 1))
    labels, distances = assign(points, centres, sums)
    wanted = plain_distances(points, centres)
    assert (distances == wanted.min(axis=1)).all()
    assert (labels == wanted.argmin(axis=1)).all()
    assert (assign(points, centres, sums, threads=2)[0] == labels).all()


def test_equal_centres_fill_the_first():
    centres = cdfs(3, 0)[[0, 1, 1, 2]]
    centres, sums = in_order(centres)
    labels, _ = assign(centres, centres, sums)
    assert len(set(labels.tolist())) == 3
    assert (centres[labels] == centres).all()


def test_medians():
    points = cdfs(101, 2)
    labels = np.random.default_rng(0).integers(4, size=101)
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(6))
    centres = np.full((5, 64), 7, dtype=np.uint8)
    _kernels.take_medians(points, order, starts, centres)
    for k in range(4):
        members = np.sort(points[labels == k], axis=0)
        assert (centres[k] == members[(len(members) - 1) // 2]).all()
    assert (centres[4] == 7).all()  # nobody's centre stays
    assert (np.diff(centres[:4, :49].astype(int), axis=1) >= 0).all()  # medians of distributions are distributions


def test_means():
    points = vectors(101, 2)
    order = np.arange(101)
    centres = np.zeros((2, 8), dtype=np.int16)
    _kernels.take_means(points, order, np.array([0, 60, 101]), centres)
    for k, members in enumerate((points[:60], points[60:])):
        assert np.abs(centres[k] - members.mean(axis=0)).max() <= 0.5


@pytest.mark.parametrize("make", [cdfs, vectors])
def test_training(make):
    """The same seed gives the same centres on any number of threads, better than where it started."""
    points = make(2000, 5)
    found = train(points, 12, seed=3)
    again = train(points, 12, seed=3, threads=2)
    assert (found.points == again.points).all()
    assert found.cost == again.cost
    assert found.cost < train(points, 12, seed=3, training=Training(starts=1, iterations=1)).cost
    assert found.cost == plain_distances(points, found.points).min(axis=1).mean()
    assert (train(points, 12, seed=4).points != found.points).any()


@pytest.mark.parametrize("make", [cdfs, vectors])
def test_planted_clusters_are_found(make):
    middles = make(200, 1)[np.argsort(make(200, 1).sum(axis=1))[[5, 70, 130, 195]]]
    points = np.repeat(middles, 50, axis=0)
    found = train(points, 4, seed=0)
    assert found.cost == 0
    assert sorted(map(tuple, found.points.tolist())) == sorted(map(tuple, middles.tolist()))


def test_more_clusters_than_points():
    """Centres that nobody is nearest to are moved, and in the end left empty."""
    points = cdfs(5, 0).repeat(3, axis=0)
    found = train(points, 9, seed=0)
    assert found.cost == 0
    assert len(found.points) == 9


def test_labels_of_whole_boards():
    """Free pairs get their nearest centre; those that a symmetry exchanges get one, whatever their points say."""
    boards = get_boards(3)
    rows = np.array([0, 500, 1700])
    points = cdfs(3 * 1326, 0).reshape(3, 1326, 64)
    centres, sums = in_order(cdfs(20, 1))
    labels = np.full((3, 1326), -1, dtype=np.int32)
    _kernels.label(points, boards.cards[rows], boards.symmetries[rows], PAIR, centres, sums, labels)
    for row, board in enumerate(rows):
        free = ~np.isin(pair_cards(), boards.cards[board]).any(axis=1)
        assert not labels[row, ~free].any()
        kept = [p for p in range(24) if boards.symmetries[board] >> p & 1]
        lowest = PAIR[kept].min(axis=0)
        wanted = plain_distances(points[row], centres).argmin(axis=1)
        assert (labels[row, free] == wanted[lowest][free]).all()


def test_weak_hands_come_first():
    weak, strong = np.zeros((2, 64), dtype=np.uint8)
    weak[:49], strong[40:49] = 255, 255
    found = train(np.stack((strong, weak, weak)), 2, seed=0)
    labels, _ = assign(np.stack((strong, weak)), found.points, found.sums)
    assert _weakest_first(labels, found).tolist() == [1, 0]

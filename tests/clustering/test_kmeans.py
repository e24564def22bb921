"""k-means on inner products: the same as on the points themselves."""

import numpy as np
import pytest

from clustering import naive
from kibitz.clustering import _kernels, inner_products, k_means
from kibitz.errors import KibitzError


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("k", [1, 2, 5])
def test_a_run_is_lloyds_algorithm(seed, k):
    rng = np.random.default_rng(seed)
    points, draws = rng.normal(size=(40, 3)), rng.random(k)
    labels = np.zeros(40, dtype=np.int64)
    objective = _kernels.lloyd(inner_products(points), draws, labels)
    expected, least = naive.k_means(points, draws)
    assert objective == pytest.approx(least)
    assert (labels == expected).all()


def test_more_clusters_and_more_restarts_are_never_worse_at_what_it_minimises():
    gram = inner_products(np.random.default_rng(5).random((60, 4)))
    objectives = [k_means(gram, k, 0).objective for k in (1, 2, 4, 8, 16, 60)]
    assert objectives == sorted(objectives, reverse=True)
    assert objectives[-1] == pytest.approx(0, abs=1e-9)
    assert k_means(gram, 7, 3, 50).objective <= k_means(gram, 7, 3, 1).objective
    assert (k_means(gram, 7, 3).labels == k_means(gram, 7, 3).labels).all()


def test_a_cluster_that_loses_its_points_gets_another():
    """With many points in one place k-means++ draws centres there twice, once all others have one."""
    points = np.array([[0.0]] * 10 + [[1.0], [2.0], [9.0]])
    for seed in range(30):
        found = k_means(inner_products(points), 4, seed, restarts=1)
        assert len(set(found.labels.tolist())) == 4
    found = k_means(inner_products(np.zeros((5, 2))), 3, 0)  # nothing to tell apart
    assert found.objective == 0


def test_what_is_no_clustering_is_refused():
    with pytest.raises(KibitzError, match="6 clusters of 5 points"):
        k_means(np.eye(5), 6, 0)
    with pytest.raises(KibitzError, match="0 restarts"):
        k_means(np.eye(5), 2, 0, 0)
    with pytest.raises(KibitzError, match="need finite"):
        inner_products([[np.inf]])

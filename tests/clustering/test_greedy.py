"""Greedy merging: as the definition has it, with its bounds, and with a hard example."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from clustering import naive
from clustering.covers import partition_loss
from kibitz.clustering import (
    TreeOracle,
    cluster_greedily,
    hard_example,
    individual_utility,
    numbered,
    partition_utility,
)
from kibitz.errors import KibitzError

tables = st.tuples(st.integers(1, 6), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 50).map(float))
)


def labels_of(partition, count):
    labels = np.empty(count, dtype=np.int64)
    for number, cluster in enumerate(partition):
        labels[list(cluster)] = number
    return numbered(labels)


@settings(deadline=None)
@given(tables)
def test_theorem_1_holds_for_every_number_of_clusters(table):
    found = cluster_greedily(TreeOracle.of_matrix(table))
    for k in range(1, len(table) + 1):
        best = naive.optimum(table, k)
        assert max(1 / k, k / len(table)) * best - 1e-9 <= found.utility(k) <= best + 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_the_same_as_without_memory(seed):
    table = np.random.default_rng(seed).normal(size=(9, 5))
    kinds = len(set(table.argmax(axis=1)))  # entities with the same best response tie, others do not
    found = cluster_greedily(TreeOracle.of_matrix(table))
    for k in range(1, 10):
        partition = naive.greedy(table, k)
        assert found.utility(k) == pytest.approx(naive.utility(table, partition))
        assert (found.labels(k) == labels_of(partition, 9)).all() or k > kinds
        assert found.utility(k) == pytest.approx(partition_utility(TreeOracle.of_matrix(table), found.labels(k)))


@given(tables)
def test_losses_are_not_negative_and_grow_as_clusters_are_merged(table):
    oracle = TreeOracle.of_matrix(table - 20)
    found = cluster_greedily(oracle)
    losses = [found.loss(k) for k in range(1, len(table) + 1)]
    assert losses[-1] == 0
    assert all(more >= less - 1e-9 for more, less in pairwise(losses))
    assert losses[0] == pytest.approx(partition_loss(oracle, np.zeros(len(table), dtype=np.int64)))
    assert individual_utility(oracle) == pytest.approx(found.utility(len(table)))


def test_zero_losses_are_taken_without_looking_at_all_pairs():
    """Two kinds of entities: while a pair that costs nothing is known, no others are looked at."""

    class Counting(TreeOracle):
        asked = 0

        def values(self, sums):
            Counting.asked += len(sums)
            return super().values(sums)

    whole = TreeOracle.of_matrix(np.eye(2)[np.arange(60) % 2])
    found = cluster_greedily(Counting(whole.statistics, whole.tree), 2)
    assert found.loss(2) == 0
    assert found.labels(2).tolist() == [0, 1] * 30
    everything = 60 + 60 * 59 / 2 + 58 + sum(left - 1 for left in range(2, 60))
    assert Counting.asked < 0.6 * everything


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_theorem_2s_example(k):
    epsilon = 0.001
    table = hard_example(k, epsilon)
    assert table.shape == (k * k, k * k + k)
    found = cluster_greedily(TreeOracle.of_matrix(table), k)
    assert found.labels(k).tolist() == np.repeat(np.arange(k), k).tolist()
    assert found.utility(k) == pytest.approx(k * (2 + k * epsilon), rel=1e-12)
    better = partition_utility(TreeOracle.of_matrix(table), np.tile(np.arange(k), k))
    assert better == (k * k if k > 2 else 4 + 2 * epsilon)
    assert found.utility(k) - k * k * epsilon <= 2 / k * better + 1e-9
    if k < 4:  # where all partitions can be tried: at k = 2 the blocks are the best themselves
        assert naive.optimum(table, k) == pytest.approx(max(better, found.utility(k)))


def test_what_cannot_be_clustered_is_refused():
    oracle = TreeOracle.of_matrix(np.ones((3, 2)))
    with pytest.raises(KibitzError, match="4 clusters of 3 entities"):
        cluster_greedily(oracle, 4)
    with pytest.raises(KibitzError, match="1 clusters: this clustering of 3 has 2 to 3"):
        cluster_greedily(oracle, 2).labels(1)
    with pytest.raises(KibitzError, match="epsilon above 0"):
        hard_example(2, 0)

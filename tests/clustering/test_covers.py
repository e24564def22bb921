"""Partitions and covers: lemmas 1 to 3."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from clustering import naive
from clustering.covers import cover_of, cover_utility
from kibitz.clustering import (
    TreeOracle,
    cluster_sums,
    numbered,
    partition_of,
    partition_utility,
)
from kibitz.coverage import best_cover
from kibitz.errors import KibitzError

tables = st.tuples(st.integers(1, 6), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-20, 20).map(float))
)


@given(tables, st.integers(0, 2**32 - 1))
def test_lemma_1_a_partition_induces_a_cover_that_is_no_worse(table, seed):
    oracle = TreeOracle.of_matrix(table)
    labels = numbered(np.random.default_rng(seed).integers(3, size=len(table)))
    cover = cover_of(oracle, labels)
    assert len(cover) <= labels.max() + 1
    assert cover_utility(oracle.utilities(cover)) >= partition_utility(oracle, labels) - 1e-9


@given(tables, st.integers(1, 4))
def test_lemma_2_a_cover_induces_a_partition_that_is_no_worse(table, k):
    chosen = table[:, :k]
    labels = partition_of(chosen)
    assert sorted(set(labels.tolist())) == list(range(labels.max() + 1))  # empty clusters are gone
    assert labels.max() < k
    assert partition_utility(TreeOracle.of_matrix(table), labels) >= cover_utility(chosen) - 1e-9


@settings(deadline=None)
@given(tables, st.integers(1, 5))
def test_lemma_3_the_optima_are_the_same(table, k):
    assert cover_utility(table[:, best_cover(table, k)]) == pytest.approx(naive.optimum(table, k))


def test_clusters_are_numbered_by_their_first_entity():
    assert numbered(["b", "a", "b", "c"]).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: partition_of(np.zeros((3, 0))), "at least one of each"),
        (lambda: cluster_sums(np.zeros((3, 1)), np.zeros(2, dtype=np.int64)), "2 labels for 3 entities"),
    ],
)
def test_what_is_no_cover_is_refused(make, words):
    with pytest.raises(KibitzError, match=words):
        make()

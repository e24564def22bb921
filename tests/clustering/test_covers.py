"""Partitions and covers: lemmas 1 to 3, greedy and best covers."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from clustering import naive
from kibitz.clustering import (
    TreeOracle,
    best_cover,
    cluster_sums,
    cover_greedily,
    cover_of,
    cover_utility,
    numbered,
    partition_of,
    partition_utility,
)
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
    assert best_cover(table, k).utilities[-1] == pytest.approx(naive.optimum(table, k))


@given(tables, st.integers(1, 5))
def test_the_greedy_cover_is_greedy(table, k):
    found = cover_greedily(table, k)
    covered = table.min(axis=1)
    for number, response in enumerate(found.chosen):
        gains = np.maximum(table - covered[:, None], 0).sum(axis=0)
        assert gains[response] == pytest.approx(gains.max())
        covered = np.maximum(covered, table[:, response])
        assert found.utilities[number] == pytest.approx(covered.sum())
    if len(found.chosen) < k:
        assert covered.sum() == pytest.approx(table.max(axis=1).sum())
    best = best_cover(table, len(found.chosen)).utilities[-1]
    floor = table.min(axis=1).sum()
    assert found.utilities[-1] - floor >= (1 - 1 / np.e) * (best - floor) - 1e-9


def test_the_best_cover_is_the_best_of_all_sets():
    table = np.random.default_rng(1).normal(size=(12, 7))
    found = best_cover(table, 3)
    assert found.utilities[-1] == pytest.approx(
        max(table[:, each].max(axis=1).sum() for each in combinations(range(7), 3))
    )
    assert cover_utility(table[:, found.chosen]) == pytest.approx(found.utilities[-1])


def test_clusters_are_numbered_by_their_first_entity():
    assert numbered(["b", "a", "b", "c"]).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: cover_greedily([[1.0]], 0), "0 responses: at least 1"),
        (lambda: cover_greedily(np.zeros((0, 2)), 1), "at least one entity"),
        (lambda: best_cover(np.zeros((2, 60)), 30), "sets of 30 of 60 responses"),
        (lambda: partition_of(np.zeros((3, 0))), "at least one of each"),
        (lambda: cluster_sums(np.zeros((3, 1)), np.zeros(2, dtype=np.int64)), "2 labels for 3 entities"),
    ],
)
def test_what_is_no_cover_is_refused(make, words):
    with pytest.raises(KibitzError, match=words):
        make()

"""Coarser private states of small games: percentile buckets, and deals made of them."""

from functools import cache

import numpy as np
import pytest

from kibitz.deals import MatrixDeal, matrix_deal
from kibitz.deals.classes import StateClasses, merged_deal, percentile_classes
from kibitz.errors import KibitzError
from kibitz.games import load_game


@cache
def deal(name: str) -> MatrixDeal:
    return matrix_deal(load_game(name))


@pytest.mark.parametrize("buckets", [1, 2, 3, 5])
@pytest.mark.parametrize("player", [0, 1])
def test_classes_remember_the_round_before(buckets, player):
    classes = percentile_classes(deal("leduc"), player, buckets)
    for r in range(1, 2):
        parent = deal("leduc").rounds[r].parent[player]
        for each in range(int(classes.counts[r])):
            assert len(set(classes.of[r - 1][parent[classes.of[r] == each]].tolist())) == 1
    assert classes.counts[0] == min(buckets, 3)
    assert classes.counts[1] <= classes.counts[0] * buckets


def test_stronger_hands_are_in_higher_buckets():
    first = percentile_classes(deal("leduc"), 0, 3).of[0]
    ranks = ["QKA".index(label[0]) for label in deal("leduc").rounds[0].labels[0]]
    assert first.tolist() == ranks
    pairs = [label[0] == label[2] for label in deal("leduc").rounds[1].labels[0]]
    second = percentile_classes(deal("leduc"), 0, 3).of[1]
    for mine in range(3):  # within each first bucket the pair is the best
        members = [i for i, label in enumerate(deal("leduc").rounds[1].labels[0]) if "QKA".index(label[0]) == mine]
        assert pairs[max(members, key=lambda i: second[i])]


@pytest.mark.parametrize("buckets", [(1, 3), (2, 2), (3, 1)])
def test_merged_deals_are_sums(buckets):
    whole = deal("leduc")
    classes = tuple(percentile_classes(whole, p, count) for p, count in enumerate(buckets))
    merged = merged_deal(whole, classes, "test")
    assert merged.fingerprint == "test"
    for r, (fine, coarse) in enumerate(zip(whole.rounds, merged.rounds, strict=True)):
        one, two = (np.eye(int(each.counts[r]))[each.of[r]] for each in classes)
        for name in ("weight", "sign"):
            wanted = one.T @ fine.dense(getattr(fine, name)) @ two
            assert coarse.dense(getattr(coarse, name)) == pytest.approx(wanted, abs=1e-12)
        for p in range(2):
            assert coarse.margin(coarse.weight, p) == pytest.approx(coarse.dense(coarse.weight).sum(axis=1 - p))


def test_joined_classes_tell_apart_what_either_does():
    one, two = (percentile_classes(deal("leduc"), 0, count) for count in (2, 3))
    both = one.joined(two)
    for r in range(2):
        pairs = set(zip(one.of[r].tolist(), two.of[r].tolist(), strict=True))
        assert both.counts[r] == len(pairs)
        assert one.within(both)[r][both.of[r]].tolist() == one.of[r].tolist()
    with pytest.raises(KibitzError, match="not unions"):
        StateClasses.all(deal("leduc"), 0).within(one)


def test_no_buckets_are_refused():
    with pytest.raises(KibitzError, match="at least one"):
        percentile_classes(deal("kuhn"), 0, 0)

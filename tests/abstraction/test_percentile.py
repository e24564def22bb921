"""Percentile cuts: counts against plain ones, equal masses, ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.abstraction import _kernels, percentiles
from kibitz.abstraction.features._kernels import PAIR
from kibitz.abstraction.features.boards import get_boards, get_extensions, pair_cards
from kibitz.abstraction.percentiles import Counter, Cut, Stream, cut_points, ordered_turns, split_counts
from kibitz.progress import silent

STATES = 3


def quiet(threads=1):
    return Counter(threads, "", silent)


def free_pairs(board):
    return ~np.isin(pair_cards(), board).any(axis=1)


@pytest.fixture(scope="module")
def stream():
    """Thirty flops of different weights with random parents."""
    boards, random = get_boards(3), np.random.default_rng(3)
    rows = random.choice(len(boards), 30, replace=False)
    parents = random.integers(STATES, size=(30, 1326), dtype=np.int32)
    weights = boards.weights[rows].astype(np.int64)
    return Stream(boards, rows, weights, STATES, lambda start, stop: parents[start:stop].copy())


def all_hands(stream, table):
    """(parent, value, weight) of every hand of a stream."""
    parents = stream.parents(0, len(stream.rows))
    columns = []
    for row, parent, weight in zip(stream.rows, parents, stream.weights, strict=True):
        free = free_pairs(stream.boards.cards[row])
        columns.append((parent[free], table[row, free].astype(np.int64), np.full(free.sum(), weight)))
    return map(np.concatenate, zip(*columns, strict=True))


def plain_thresholds(parents, values, weights, parts):
    """The least values with j / parts of the mass of each parent up to them."""
    found = np.zeros((STATES, parts - 1), dtype=np.int64)
    for parent in range(STATES):
        mine = parents == parent
        order = np.argsort(values[mine], kind="stable")
        ordered, below = values[mine][order], weights[mine][order].cumsum()
        for cut in range(1, parts):
            # The mass up to a value is that at its last hand.
            last = np.searchsorted(ordered, ordered, side="right") - 1
            found[parent, cut - 1] = ordered[np.argmax(parts * below[last] >= cut * below[-1])]
    return found


@pytest.mark.parametrize("parts", [2, 5])
@pytest.mark.parametrize("most", [7, 1981, 1 << 20, 1 << 32])
def test_thresholds(stream, parts, most):
    """Narrow features are counted at once, wide ones in two passes; few values make many ties."""
    random = np.random.default_rng(most)
    table = random.integers(most, size=(len(stream.boards), 1326), dtype=np.int64).astype(np.uint32)
    found = percentiles._thresholds(stream, table, most, parts, quiet())
    assert found.tolist() == plain_thresholds(*all_hands(stream, table), parts).tolist()
    assert (percentiles._thresholds(stream, table, most, parts, quiet(threads=2)) == found).all()


def test_refining_follows_the_thresholds(stream):
    table = np.random.default_rng(0).integers(100, size=(len(stream.boards), 1326)).astype(np.uint32)
    thresholds = np.array([[10, 50], [20, 20], [99, 99]])
    parents = stream.parents(0, len(stream.rows))
    found = parents.copy()
    _kernels.refine(parents, stream.rows, table, thresholds, found)
    values = table[stream.rows].astype(int)
    part = (values[..., None] > thresholds[parents]).sum(axis=2)
    assert (found == parents * 3 + part).all()
    assert Cut("EHS", thresholds).parts == 3


@given(st.lists(st.integers(0, 20), min_size=1, max_size=30), st.integers(1, 7))
def test_masses_are_equal_but_for_ties(counts, parts):
    """Up to each cut lies its share, and no more than the hands that tie with it beyond that; none with less."""
    row = np.array([counts])
    cuts = cut_points(row, parts)[0] if parts > 1 else np.empty(0, dtype=int)
    assert (np.diff(cuts) >= 0).all()
    for number, cut in enumerate(cuts, 1):
        up_to, before = sum(counts[: cut + 1]), sum(counts[:cut])
        assert parts * up_to >= number * sum(counts)
        assert cut == 0 or parts * before < number * sum(counts)


def test_splitting_keeps_every_hand():
    counts = np.random.default_rng(0).integers(9, size=(4, 20))
    thresholds = np.sort(np.random.default_rng(1).integers(20, size=(4, 2)), axis=1)
    split = split_counts(counts, thresholds).reshape(4, 3, 20)
    assert (split.sum(axis=1) == counts).all()
    for row in range(4):
        for value in range(20):
            assert split[row, (value > thresholds[row]).sum(), value] == counts[row, value]


def test_turns_after_flops():
    """63,193 boards of flop and turn card up to suits, standing for all."""
    flops, codes, weights = ordered_turns()
    assert len(flops) == 63_193
    assert weights.sum() == 22_100 * 49
    turns = np.bincount(codes >> 5, weights, minlength=16_432)
    assert (turns == 4 * get_boards(4).weights).all()  # any of the four cards may have come last


def test_parents_move_with_their_cards():
    """What a pair was on the flop, it is on the turn, under the name it has there."""
    flops, codes, _weights = ordered_turns()
    parents = np.random.default_rng(0).integers(1000, size=(len(get_boards(3)), 1326), dtype=np.int32)
    some = np.arange(0, len(flops), 7001)
    out = np.empty((len(some), 1326), dtype=np.int32)
    _kernels.move_parents(flops[some], codes[some], PAIR, parents, out)
    for row, flop, code in zip(out, flops[some], codes[some], strict=True):
        assert (row[PAIR[code & 31]] == parents[flop]).all()


def test_rivers_are_counted(rivers, turns):
    """Against the strengths looked up river by river."""
    boards, extensions = get_boards(4), get_extensions(4)
    rows = turns[::20]
    parents = np.random.default_rng(0).integers(STATES, size=(len(rows), 1326), dtype=np.int32)
    weights = np.arange(1, len(rows) + 1)
    counts = np.zeros((STATES, 1981), dtype=np.int64)
    _kernels.tally_rivers(parents, rows, boards.cards, extensions, PAIR, weights, rivers, counts)
    wanted = np.zeros_like(counts)
    for row, parent, weight in zip(rows, parents, weights, strict=True):
        for card in range(52):
            code = extensions[row, card]
            if code >= 0:
                free = free_pairs([*boards.cards[row], card])
                np.add.at(wanted, (parent[free], rivers[code >> 5, PAIR[code & 31]][free]), weight)
    assert (counts == wanted).all()


def test_rivers_that_are_not_cut_weigh_what_the_turns_do(monkeypatch):
    """Which is why they need not be counted."""
    boards, random = get_boards(4), np.random.default_rng(5)
    rows = random.choice(len(boards), 40, replace=False)
    parents = random.integers(STATES, size=(40, 1326), dtype=np.int32)
    turns = Stream(
        boards, rows, boards.weights[rows].astype(np.int64), STATES, lambda start, stop: parents[start:stop].copy()
    )
    _stream, _cuts, masses = percentiles._cut_stream(turns, [("EHS2", 1)], quiet())
    monkeypatch.setattr(percentiles, "feature_table", lambda *_arguments: np.zeros((134_459, 1326), dtype=np.uint16))
    made, counted = percentiles._cut_rivers(turns, [("EHS2", 1)], quiet())
    np.testing.assert_array_equal(counted, masses)
    assert made == ()
    monkeypatch.setattr(percentiles, "next_stream", lambda before, size: turns)
    monkeypatch.setattr(percentiles, "_cut_rivers", None)
    found = percentiles.cut_perfect_recall([[("EHS2", 1)]] * 4)
    np.testing.assert_array_equal(found.masses[3], masses)

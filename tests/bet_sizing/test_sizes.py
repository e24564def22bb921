"""Ranges, letters, transformed trees and sizes: what must hold of any of them, and plain twins of what is summed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bet_sizing.gradient_ascent import ascend, grid, random_sizes, same_sizes, size_slopes
from kibitz.bet_sizing import SizeRange, Transformation, default_ranges, parse_ranges
from kibitz.bet_sizing.compiled import Walk, equivalent_game
from kibitz.bet_sizing.ranges import adjust_range, centre_growth, centre_width, fits, join
from kibitz.bet_sizing.sizing import RULES, Sizing
from kibitz.bet_sizing.tree import FIXED_LETTERS, SIZED_LETTERS, count_actions, count_pairs, name_sizes
from kibitz.bet_sizing.value import bound_value, gain
from kibitz.deals import matrix_deal
from kibitz.errors import KibitzError
from kibitz.games.named import leduc_nolimit, nolimit_kuhn
from kibitz.responses.best_response import expected_values
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy
from kibitz.tree import DECISION, FOLD, build_tree, parse_menu, size_report

GAME = leduc_nolimit(20, 2)
pots = st.floats(0.05, 5)


def made(*ranges, menus=("all-in", "fcpa"), game=GAME, other=()):
    return Transformation(game, (ranges, other), menus)


TREE = made(SizeRange(0.5, 0.9), SizeRange(1.1, 1.6), other=(SizeRange(0.4, 0.8),)).build()


@st.composite
def ranges(draw):
    low = draw(st.integers(0, 4000)) / 1000
    return SizeRange(low, low + draw(st.integers(10, 2000)) / 1000)


@given(st.lists(ranges(), min_size=1, max_size=4))
def test_ranges_are_read_as_they_are_written(given_ranges):
    read = parse_ranges(join(given_ranges))
    assert [str(each) for each in read] == [str(each) for each in given_ranges]


@given(ranges(), pots, st.floats(0.1, 6))
def test_an_adjusted_range_is_legal_and_keeps_half_its_width(given_range, least, room):
    most = least + room
    found = adjust_range(given_range, least, most)
    if found is None:
        assert room - 0.02 < given_range.width + 1e-9 or given_range.high > most
        return
    assert found.low >= min(given_range.low, least + 0.01) - 1e-9
    assert found.low >= least + 0.01 - 1e-9 or found.low == given_range.low
    assert found.high <= most - 0.01 + 1e-9
    assert given_range.width / 2 - 1e-9 <= found.width <= given_range.width + 1e-9


@given(ranges(), st.floats(0, 1), st.floats(0, 3))
def test_what_fits_is_left_as_it_is(given_range, share, room):
    moved = SizeRange(given_range.low + 0.1, given_range.high + 0.1)
    least, most = share * (moved.low - 0.02), moved.high + 0.02 + room
    assert adjust_range(moved, least, most) == moved


@given(st.floats(0.3, 5), st.floats(1.1, 2))
def test_a_range_by_its_growth_makes_pots_of_that_ratio(size, growth):
    found = centre_growth(size, growth, decimals=None)
    assert found.growth == pytest.approx(growth)
    assert found.middle == pytest.approx(size)
    rounded = centre_growth(size, growth)
    assert abs(rounded.low - found.low) <= 0.0051
    assert centre_width(size, found.width).low == pytest.approx(found.low)


@given(st.lists(ranges(), max_size=4), pots, st.floats(0.5, 6))
def test_ranges_that_fit_stay_below_all_in(given_ranges, least, room):
    most = least + room
    found = fits(given_ranges, least, most)
    assert [number for number, _each in found] == sorted(number for number, _each in found)
    for number, each in found:
        assert given_ranges[number].high < most - 0.01
        assert each.high <= most - 0.01 + 1e-9
        assert each.low >= least - 1e-9


@pytest.mark.parametrize("stack", [20, 50, 100, 200, 500])
def test_default_ranges_nearly_use_up_the_stack(stack):
    """Five bets of the high end, all called, stay within the stack; six of the low end are more (section 6.3)."""
    (found,) = default_ranges(stack)
    assert (1 + 2 * found.high) ** 5 <= stack * (1 + 1e-9)
    assert (1 + 2 * found.low) ** 6 >= stack * (1 - 1e-9)


@pytest.mark.parametrize("has_ranges", [True, False])
def test_every_size_has_a_letter_of_its_own(has_ranges):
    menu = parse_menu("0.25, 0.5, 1 once, 1 @2, 2, min, all-in")
    named = name_sizes(menu, has_ranges)
    assert len(set(named.values())) == len(named) == 6
    taken = set(SIZED_LETTERS if has_ranges else "") | set("fca")
    assert not taken & set(named.values())
    if has_ranges:
        assert set(named.values()) <= set(FIXED_LETTERS)


def test_too_many_sizes_for_the_letters_are_refused():
    menu = parse_menu(", ".join(str(size / 10) for size in range(1, 40)))
    with pytest.raises(KibitzError, match="more fixed sizes than there are letters"):
        name_sizes(menu, True)


def test_bet_sizing_players_stand_where_their_bets_are():
    """Keys are the public actions, seats are those who bet, and the tree follows its own arrays."""
    shape = TREE.shape
    assert [each.node for each in TREE.sizers] == sorted(each.node for each in TREE.sizers)
    for number, each in enumerate(TREE.sizers):
        assert TREE.sizer[each.node] == number
        assert shape.player[shape.parent[each.node]] == each.seat
        assert shape.history(each.node) == each.key
        assert shape.actions[each.node] == each.key[-1] == SIZED_LETTERS[each.number]
        assert TREE.keys[each.key] == number
        assert TREE.ranges[each.key] == each.range
    assert (TREE.sizer >= 0).sum() == len(TREE.sizers)
    decisions = {int(shape.parent[each.node]) for each in TREE.sizers}
    assert TREE.extras == len(TREE.sizers) - len(decisions)


def test_the_arrays_of_the_tree_fit_together():
    shape = TREE.shape
    for node in range(1, len(shape)):
        above = int(shape.parent[node])
        first, count = int(shape.first_child[above]), int(shape.children[above])
        assert first <= node < first + count
        assert above < node
        if shape.kind[node] == FOLD:
            assert shape.player[node] == 1 - shape.player[above]
            assert int(shape.folded[node]) == 1 << int(shape.player[above])
        assert shape.round[node] >= shape.round[above]
    facing = {node for node in range(len(shape)) if TREE.facing[node]}
    for node in shape.decisions.tolist():
        chips = shape.spent[node]
        assert (node in facing) == (chips[0] != chips[1])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_chips_are_those_of_the_kernels(seed):
    """Plain chips by the rules of `BetTree`, against the kernel that moves stakes in every iteration."""
    from kibitz.bet_sizing import _kernels

    sizes = random_sizes(TREE, np.random.default_rng(seed))
    deal = DEAL
    walk = Walk(TREE, equivalent_game(TREE, sizes, deal).layout)
    stake = np.empty(len(TREE.shape))
    _kernels.stakes(
        walk.nodes, walk.fraction, Sizing(TREE, "every", 1, "last", sizes).table, walk.stack, walk.chips, stake
    )
    np.testing.assert_allclose(walk.chips, TREE.chips(sizes), atol=1e-9)
    ends = TREE.shape.kind != DECISION
    np.testing.assert_allclose(stake[ends], TREE.stakes(sizes)[ends], atol=1e-9)
    assert (walk.chips <= TREE.stack + 1e-9).all()


DEAL = matrix_deal(GAME)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_values_are_affine_in_each_size(seed):
    """Theorem 1: with all strategies fixed, what a player wins is affine in every effective size."""
    generator = np.random.default_rng(seed)
    low, middle, high = (random_sizes(TREE, generator) for _ in range(3))
    which = int(generator.integers(len(TREE.sizers)))
    each = TREE.sizers[which].range
    values = []
    game = equivalent_game(TREE, middle, DEAL)
    strategy = Strategy.from_sums(game.layout, generator.random(game.layout.size))
    for size in (each.low, (each.low + each.high) / 2, each.high):
        sizes = middle.copy()
        sizes[which] = size
        values.append(expected_values(equivalent_game(TREE, sizes, DEAL), strategy)[0])
    assert values[1] == pytest.approx((values[0] + values[2]) / 2, abs=1e-9)
    assert low.shape == high.shape


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_slopes_are_differences(seed):
    """The exact derivative against a difference; values are affine, so that any step will do."""
    generator = np.random.default_rng(seed)
    sizes = random_sizes(TREE, generator)
    game = equivalent_game(TREE, sizes, DEAL)
    strategy = Strategy.from_sums(game.layout, generator.random(game.layout.size))
    found = size_slopes(TREE, DEAL, strategy, sizes)
    which = int(generator.integers(len(TREE.sizers)))
    each = TREE.sizers[which]
    ends = []
    for size in (each.range.low, each.range.high):
        moved = sizes.copy()
        moved[which] = size
        ends.append(expected_values(equivalent_game(TREE, moved, DEAL), strategy)[each.seat])
    assert found.slope[which] == pytest.approx((ends[1] - ends[0]) / each.range.width, abs=1e-9)
    assert 0 <= found.reach[which] <= 1


class PlainSizes:
    """The means of a run as one would add them up: one size, iteration by iteration."""

    def __init__(self):
        self.sizes, self.reaches = [], []

    def mean(self, kind, warmup):
        sizes, numbers = np.array(self.sizes), np.arange(1, len(self.sizes) + 1) + warmup
        if kind == "last":
            return sizes[-1]
        if kind == "iterations":
            return sizes.mean(axis=0)
        if kind == "linear":
            return (numbers[:, None] * sizes).sum(axis=0) / numbers.sum()
        weights = np.array(self.reaches)
        return (weights * sizes).sum(axis=0) / weights.sum(axis=0)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("mean", ["iterations", "linear", "reach", "last"])
@pytest.mark.parametrize("warmup", [0, 3])
def test_means_are_those_of_plain_sums(rule, mean, warmup):
    from kibitz.bet_sizing import _kernels

    sizing, plain = Sizing(TREE, rule, 20, mean, None, warmup), PlainSizes()
    generator = np.random.default_rng(5)
    assert np.array_equal(sizing.sizes(warmup), TREE.middles)  # before sizes move
    for t in range(warmup + 1, warmup + 13):
        slope, reach = generator.normal(size=len(TREE.sizers)), generator.uniform(0.1, 1.0, len(TREE.sizers))
        _kernels.move_all(t, float(t), sizing.horizon, RULES[rule], sizing.table, slope, reach)
        plain.sizes.append(sizing.current)
        plain.reaches.append(reach)
        low, high = (np.array([getattr(each.range, end) for each in TREE.sizers]) for end in ("low", "high"))
        assert (sizing.current >= low - 1e-12).all()
        assert (sizing.current <= high + 1e-12).all()
    np.testing.assert_allclose(sizing.sizes(warmup + 12), plain.mean(mean, warmup), rtol=1e-9)


def test_marks_are_kept_one_behind():
    sizing = Sizing(TREE, "every", 10, "last")
    sizing.mark(1)
    first = sizing.sizes(1)
    sizing.table[:, 2] = same_sizes(TREE, 10.0)  # all at their upper bounds
    sizing.mark(2)
    np.testing.assert_array_equal(sizing.marked, first)
    assert (sizing.at_bound(2) == 1).all()
    sizing.table[:, 2] = same_sizes(TREE, 0.0)
    assert (sizing.at_bound(3) == -1).all()
    sizing.table[:, 2] = TREE.middles
    assert not sizing.at_bound(3).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": "sometimes"}, "update rule 'sometimes': one of"),
        ({"mean": "median"}, "mean 'median': one of"),
        ({"horizon": 0.5}, "a horizon of 0.5"),
        ({"start": np.zeros(3)}, "sizes for"),
        ({"start": np.full(len(TREE.sizers), 9.0)}, "outside its range"),
    ],
)
def test_sizings_that_cannot_be(change, message):
    settings_ = {"rule": "every", "horizon": 10.0, "mean": "last", "start": None, **change}
    with pytest.raises(KibitzError, match=message):
        Sizing(TREE, settings_["rule"], settings_["horizon"], settings_["mean"], settings_["start"])


def test_counts_are_those_of_the_size_report():
    """A tree of fixed sizes only, but for one range, has the actions that `size_report` counts in Hawkin's way."""
    game = leduc_nolimit(20, 2)
    tree = made(SizeRange(0.9999, 1.0001), menus=("all-in", "fcpa"), game=game).build()
    report = size_report(game, "fcpa", states=(3, 9), convention="hawkin")
    assert count_actions(tree) == tuple(sum(each.actions) for each in report.rounds)
    assert count_pairs(tree, (3, 9)) == report.pairs
    with pytest.raises(KibitzError, match="3 numbers of buckets for 2 rounds"):
        count_pairs(tree, (3, 9, 27))


def test_random_sizes_are_everywhere_in_their_ranges():
    drawn = np.array([random_sizes(TREE, np.random.default_rng(seed)) for seed in range(400)])
    low, high = (np.array([getattr(each.range, end) for each in TREE.sizers]) for end in ("low", "high"))
    place = (drawn - low) / (high - low)
    assert place.min() >= 0
    assert place.max() <= 1
    assert np.abs(place.mean(axis=0) - 0.5).max() < 5 * np.sqrt(1 / 12 / 400)


SMALL = Problem(nolimit_kuhn(max_raises=1), "full")
ONE_BET = Transformation(SMALL.game, ((SizeRange(0.2, 1.4),), (SizeRange(0.2, 1.4),)), ("", "")).build()


def test_gradient_ascent_and_a_grid_look_for_the_same():
    """Sizes climb the value that the grid sees, and never leave their ranges."""
    values = [each.value for each in grid(ONE_BET, SMALL, 5)]
    assert len(values) == 5
    first, *_, last = list(ascend(ONE_BET, SMALL, 8))
    np.testing.assert_array_equal(first.sizes, ONE_BET.middles)
    assert (last.sizes >= 0.2 - 1e-12).all()
    assert (last.sizes <= 1.4 + 1e-12).all()
    bounds, strategy = bound_value(ONE_BET, last.sizes, SMALL)
    assert bounds.value == pytest.approx(last.value)
    assert bounds.error == 0
    assert strategy.layout.tree is ONE_BET.shape


def test_gains():
    assert gain(-90.0, -100.0, 1) == pytest.approx(0.1)
    assert gain(-90.0, -100.0, 0) == pytest.approx(-0.1)


def test_the_tree_of_fixed_bets_is_that_of_the_rules():
    """Where one range is the pot bet that everybody else has, the shape is the tree of the rules engine."""
    tree = made(SizeRange(0.9999, 1.0001), menus=("all-in", "fcpa")).build()
    rules = build_tree(GAME, "fcpa")
    assert len(tree.shape) == len(rules)
    for name in ("kind", "player", "round", "parent", "children", "folded"):
        assert np.array_equal(getattr(tree.shape, name), getattr(rules, name)), name
    assert np.abs(tree.chips(np.ones(len(tree.sizers))) - tree.shape.game.antes_paid[0] - rules.spent).max() < 0.5


def test_trees_that_are_too_large_are_refused(monkeypatch):
    monkeypatch.setattr("kibitz.bet_sizing.build.MAX_NODES", 20)
    with pytest.raises(KibitzError, match="more than 20 nodes"):
        made(SizeRange(0.5, 0.9)).build()


def test_unequal_stacks_have_no_sizes_to_learn():
    with pytest.raises(KibitzError, match="bet sizes need equal ones"):
        made(SizeRange(0.5, 0.9), game=replace(GAME, stacks=(20, 30))).build()

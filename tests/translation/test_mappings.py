"""The seven mappings: formulas, medians, the paper's table, and the plain loops behind the arrays."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chisquare

from kibitz.translation import MAPPINGS, TranslationError, find_mapping, probabilities, translate

MENU = [0.0, 0.25, 1.0, 3.0, 50.0]

# Ganzfried and Sandholm 2013, table 1: B = 1, x = 0.25, and A as above the columns.
TABLE_1 = {
    "rand-arith": (0.75, 0.751, 0.758, 0.789, 0.833),
    "rand-geo-1": (0.0, 0.012, 0.111, 0.429, 0.667),
    "rand-geo-2": (0.0, 0.015, 0.131, 0.439, 0.641),
    "rand-psharmonic": (0.6, 0.601, 0.612, 0.663, 0.733),
}
MEDIANS = {
    "arith": lambda a, b: (a + b) / 2,
    "geo": lambda a, b: math.sqrt(a * b),
    "psharmonic": lambda a, b: (a + b + 2 * a * b) / (a + b + 2),
}
SISTERS = [
    ("rand-arith", "det-arith", "arith"),
    ("rand-geo-1", "det-geo", "geo"),
    ("rand-geo-2", "det-geo", "geo"),
    ("rand-psharmonic", "det-psharmonic", "psharmonic"),
]

intervals = st.tuples(st.floats(0.01, 10), st.floats(0.01, 90)).map(lambda pair: (pair[0], pair[0] + pair[1]))
menus = st.lists(st.floats(0, 100), min_size=1, max_size=6, unique=True).map(sorted)
names = st.sampled_from(list(MAPPINGS))


@pytest.mark.parametrize("name", TABLE_1)
def test_table_1_of_the_paper(name):
    ours = [MAPPINGS[name](0.25, a, 1.0) for a in (0, 0.001, 0.01, 0.05, 0.1)]
    assert ours == pytest.approx(TABLE_1[name], abs=5.01e-4)


@pytest.mark.parametrize(("randomised", "deterministic", "mean"), SISTERS)
@given(interval=intervals)
def test_the_threshold_of_a_deterministic_mapping_is_the_median_of_its_sister(
    randomised, deterministic, mean, interval
):
    a, b = interval
    median = MEDIANS[mean](a, b)
    assert MAPPINGS[randomised](median, a, b) == pytest.approx(0.5)
    below, above = median - (median - a) * 1e-6, median + (b - median) * 1e-6
    assume(a < below < median < above < b)
    assert (MAPPINGS[deterministic](below, a, b), MAPPINGS[deterministic](above, a, b)) == (1.0, 0.0)


def test_medians_of_the_figures():
    assert MEDIANS["geo"](0.01, 1) == pytest.approx(0.1)
    assert MEDIANS["arith"](0.01, 1) == pytest.approx(0.505)
    assert MEDIANS["psharmonic"](0.01, 1) == pytest.approx(0.342, abs=5e-4)
    assert MEDIANS["psharmonic"](0, 1) == pytest.approx(1 / 3)


def test_the_first_geometric_mapping_is_two_similarities_normalised():
    a, b, x = 0.5, 3.0, 1.2
    to_a, to_b = (a / x - a / b) / (1 - a / b), (x / b - a / b) / (1 - a / b)
    assert MAPPINGS["rand-geo-1"](x, a, b) == pytest.approx(to_a / (to_a + to_b))


@given(interval=intervals, part=st.floats(0, 1), other=st.floats(0, 1), from_check=st.booleans())
def test_only_the_pseudo_harmonic_mapping_calls_as_often_as_the_pot_odds_ask(interval, part, other, from_check):
    a, b = (0.0, interval[1]) if from_check else interval
    x = min(a + part * (b - a), b)

    def calls(share):
        """How often x is called by one who calls a and b as often as makes a bluff worth nothing."""
        return share / (1 + a) + (1 - share) / (1 + b)

    share = MAPPINGS["rand-psharmonic"](x, a, b)
    assert calls(share) == pytest.approx(1 / (1 + x), rel=1e-9)
    # The frequency is linear in the share and not constant, so no other share will do.
    assert abs(calls(other) - 1 / (1 + x)) == pytest.approx(
        abs(other - share) * (b - a) / ((1 + a) * (1 + b)), abs=1e-9
    )


def test_names_are_understood_as_the_paper_writes_them():
    assert find_mapping("Rand-psHar") is MAPPINGS["rand-psharmonic"]
    assert find_mapping("Det_Geo") is MAPPINGS["det-geo"]
    with pytest.raises(TranslationError, match=r"no mapping 'harmonic' \(did you mean det-psharmonic\?\): there are "):
        find_mapping("harmonic")


def plain_probabilities(x, sizes, f):
    """The definition, one bet at a time."""
    result = [0.0] * len(sizes)
    if x in sizes:
        result[sizes.index(x)] = 1.0
    elif x < sizes[0] or x > sizes[-1]:
        result[0 if x < sizes[0] else -1] = 1.0
    else:
        above = next(i for i, size in enumerate(sizes) if size > x)
        share = float(f(x, sizes[above - 1], sizes[above]))
        result[above - 1], result[above] = share, 1.0 - share
    return result


@given(name=names, sizes=menus, bets=st.lists(st.floats(0, 150), max_size=8))
def test_arrays_are_loops(name, sizes, bets):
    bets = [*bets, *sizes]
    shares = probabilities(bets, sizes, name)
    np.testing.assert_allclose(shares, [plain_probabilities(x, sizes, MAPPINGS[name]) for x in bets], atol=1e-12)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-12)
    assert shares.min() >= -1e-12
    np.testing.assert_array_equal(shares[len(bets) - len(sizes) :], np.eye(len(sizes)))  # menu sizes are themselves


@given(name=names, sizes=menus, bet=st.floats(0, 150))
def test_at_most_two_neighbours_are_taken(name, sizes, bet):
    taken = np.flatnonzero(probabilities(bet, sizes, name))
    assert 1 <= len(taken) <= 2
    assert taken[-1] - taken[0] == len(taken) - 1


@pytest.mark.parametrize("name", MAPPINGS)
def test_any_shape_and_both_ends(name):
    bets = np.array([[0.0, 0.1, 0.6], [2.0, 50.0, 999.0]])
    shares = probabilities(bets, MENU, name)
    assert shares.shape == (2, 3, 5)
    assert probabilities(0.6, MENU, name).tolist() == shares[0, 2].tolist()
    assert shares[1, 2].tolist() == [0, 0, 0, 0, 1]  # more than all-in is all-in
    assert probabilities(0.01, [0.5, 2.0], name).tolist() == [1, 0]  # there is nothing smaller
    assert probabilities([0, 7], [2.0], name).tolist() == [[1], [1]]
    assert probabilities([], MENU, name).shape == (0, 5)


@pytest.mark.parametrize("name", MAPPINGS)
@pytest.mark.parametrize("bet", [1e-3, 1e-160, 1e-170, 1e-300, 5e-324])
def test_the_smallest_bets_are_numbers_too(name, bet):
    assert np.isfinite(probabilities(bet, MENU, name)).all()


@pytest.mark.parametrize("name", MAPPINGS)
def test_draws_follow_the_probabilities(name):
    draws = 20_000
    for bet in (0.1, 0.7, 2.0, 30.0):
        expected = probabilities(bet, MENU, name)
        drawn = translate(np.full(draws, bet), MENU, name, np.random.default_rng(7))
        counts = np.bincount(drawn, minlength=len(MENU))
        assert (counts[expected == 0] == 0).all()
        if (expected > 0).sum() > 1:
            assert chisquare(counts[expected > 0], draws * expected[expected > 0]).pvalue > 1e-4


def test_a_chi_square_would_notice():
    drawn = translate(np.full(20_000, 0.7), MENU, "rand-arith", np.random.default_rng(7))
    counts = np.bincount(drawn, minlength=len(MENU))[1:3]
    assert chisquare(counts, 20_000 * probabilities(0.7, MENU, "rand-psharmonic")[1:3]).pvalue < 1e-9


def test_a_seed_repeats_and_a_number_gives_a_number():
    bets = np.linspace(0, 60, 999)
    first, second = (translate(bets, MENU, "rand-arith", np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert translate(1.0, MENU, "rand-arith", np.random.default_rng(0)).shape == ()
    assert int(translate(1.0, MENU, "rand-arith", np.random.default_rng(0))) == 2


def test_a_mapping_of_ones_own():
    assert probabilities(0.5, [0.0, 1.0], lambda x, a, b: 0.125 + 0 * x).tolist() == [0.125, 0.875]


@pytest.mark.parametrize("sizes", [[], [1.0, 0.5], [0.5, 0.5], [-0.5, 1.0], [0.0, math.nan], [0.0, math.inf], [[1.0]]])
def test_sizes_that_make_no_sense(sizes):
    with pytest.raises(TranslationError, match="pot fractions in ascending order"):
        probabilities(0.5, sizes, "rand-arith")


@pytest.mark.parametrize("bet", [-0.1, math.nan, math.inf, [0.5, -1.0]])
def test_bets_that_make_no_sense(bet):
    with pytest.raises(TranslationError, match="a bet is at least 0"):
        translate(bet, MENU, "rand-arith", np.random.default_rng(0))

"""Dunnett's C on the printed table 6-2 of Sweeney 2012, and intervals of shares and ratios."""

from math import inf, isnan, sqrt

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.statistics import Group, PairSums, dunnett_c, wilson_95

# Deals, mean and standard deviation per deal against Poker Academy; 53,670 deals are printed for PT-EL, read 53,760.
TABLE_6_2 = {
    "Self-play": (63_960, 0.008, 7.004),
    "OM": (92_640, 0.209, 11.842),
    "OM-SR": (66_960, 0.285, 9.276),
    "OM-GR": (66_840, 0.200, 6.733),
    "PT": (113_160, 0.201, 10.256),
    "PT-SR": (51_120, 0.244, 8.891),
    "PT-GR": (32_160, 0.238, 7.197),
    "PT-EL": (53_760, 0.362, 12.16),
    "PT-EL-SR": (52_320, 0.412, 9.848),
    "PT-EL-GR": (52_920, 0.363, 7.667),
}
SIGNIFICANT = {("OM", "PT-EL-SR"), ("OM-GR", "PT-EL-SR"), ("PT", "PT-EL-SR"), ("OM-GR", "PT-EL-GR"), ("PT", "PT-EL-GR")}


def significant(names):
    groups = [Group(mean, deviation, deals) for deals, mean, deviation in map(TABLE_6_2.get, names)]
    return {(names[each.first], names[each.second]) for each in dunnett_c(groups) if each.significant}


def test_the_printed_pattern():
    """Self-play loses to all nine; five of the 36 other pairs differ, with ten groups or with nine."""
    names = [*TABLE_6_2]
    assert significant(names) == SIGNIFICANT | {("Self-play", name) for name in names[1:]}
    assert significant(names[1:]) == SIGNIFICANT


def test_equal_groups_need_the_studentised_range():
    """With equal sizes and variances it is Tukey's test: q(0.05; 3, 10) = 3.877 times s / sqrt n."""
    first, *_ = dunnett_c([Group(0, 2, 11)] * 3)
    assert first.critical == pytest.approx(3.877 * 2 / sqrt(11), rel=1e-3)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(KibitzError, match="group 1 has 1 samples"):
        dunnett_c([Group(0, 1, 5), Group(0, inf, 1)])
    with pytest.raises(KibitzError, match="level of 5"):
        dunnett_c([Group(0, 1, 5)] * 2, level=5)


def test_wilson_stays_within_0_and_1_and_covers():
    assert wilson_95(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson_95(0, 10).low == 0
    assert wilson_95(10, 10).high == 1
    assert isnan(wilson_95(0, 0).low)
    drawn = np.random.default_rng(0).binomial(40, 0.1, 2000)
    covered = np.mean([low <= 0.1 <= high for low, high in (wilson_95(int(count), 40) for count in drawn)])
    assert 0.92 < covered < 0.98


def test_a_ratio_of_sums_has_the_interval_of_the_delta_method():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        x, y = rng.poisson(2, 200), rng.poisson(1, 200)
        sums = PairSums()
        for each in zip(x.tolist(), y.tolist(), strict=True):
            sums = sums.plus(*each)
        assert sums.ratio == x.sum() / y.sum()
        residual = x - sums.ratio * y
        assert sums.interval.high - sums.ratio == pytest.approx(1.96 * sqrt((residual**2).sum()) / y.sum(), rel=1e-4)
        covered += sums.interval.low <= 2 <= sums.interval.high
    assert 0.92 < covered / 400 < 0.98
    assert PairSums(3, 0, 9, 0, 0).ratio == inf
    assert isnan(PairSums().interval.low)
    assert isnan(PairSums().plus(2, 3).interval.low)  # one sample does not tell how it spreads
    assert isnan(PairSums().plus(0, 0).plus(2, 3).interval.low)
    assert PairSums().plus(2, 3).plus(2, 3).interval == (2 / 3, 2 / 3)

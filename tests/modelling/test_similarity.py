"""The formulas of section 7, the matrix of figure 1, and the paper's worked example."""

from __future__ import annotations

from math import exp, inf, isnan, nan

import pytest

from kibitz.errors import KibitzError
from kibitz.modelling.cases.betting import LIMIT, SARTRE
from kibitz.modelling.cases.features import TEXTURES, Features
from kibitz.modelling.cases.similarity import (
    TEXTURE_MATRIX,
    Similarity,
    betting_similarity,
    commitment_similarity,
    strength_similarity,
    texture_similarity,
)

# What is not 0 beside the diagonal of figure 1.
PRINTED = {
    "BC": 0.8, "BD": 0.7, "CD": 0.7, "EF": 0.8, "EG": 0.7, "EI": 0.6, "FG": 0.7, "FI": 0.5, "GH": 0.8, "GI": 0.8,
    "HI": 0.8,
}  # fmt: skip


def test_the_worked_example():
    assert betting_similarity("ihpc", "dqpc") == pytest.approx(0.85)


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("", "", 1.0),
        ("h", "i", 0.95),
        ("q", "t", 0.7),
        ("cc-q", "cc-t", 0.7),
        ("qq", "tt", 0.4),
        ("qqqq", "tttt", 0.0),  # 1 - 24 x 0.05 would be less than nothing
        ("pc-", "pc-c", 0.0),  # lengths
        ("pcp", "ppc", 0.0),  # a call elsewhere
        ("c", "p", 0.0),
        ("p", "c", 0.0),
        ("t", "a", 0.0),  # all-in is all-in
        ("a", "a", 1.0),
        ("pc-cp", "p-ccp", 0.0),  # rounds end elsewhere
        ("fp", "pf", 0.0),
        ("pc-cqc-c", "dc-chc-c", 0.9),
    ],
)
def test_betting(one, other, wanted):
    assert betting_similarity(one, other) == pytest.approx(wanted)
    assert betting_similarity(other, one) == pytest.approx(wanted)


def test_betting_of_limit_games_is_the_same_or_not():
    assert betting_similarity("rrc-r", "rrc-r", LIMIT) == 1
    assert betting_similarity("rrc-r", "rc-r", LIMIT) == 0


def test_another_decay():
    assert betting_similarity("ihpc", "dqpc", decay=0.1) == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("one", "other", "wanted"), [(1, 1, 1.0), (1, 2, 0.96), (10, 15, 0.8), (1, 25, 0.04), (1, 26, 0.0), (1, 50, 0.0)]
)
def test_strength(one, other, wanted):
    assert strength_similarity(one, other) == pytest.approx(wanted)
    assert strength_similarity(other, one) == pytest.approx(wanted)


def test_strength_with_other_constants():
    assert strength_similarity(1, 11, total=100, slope=1) == pytest.approx(0.9)


@pytest.mark.parametrize(("one", "other"), [(1, 1), (1, 2), (1, 4), (4, 2)])
def test_commitment(one, other):
    assert commitment_similarity(one, other) == pytest.approx(exp(-abs(one - other)))


@pytest.mark.parametrize("one", TEXTURES)
@pytest.mark.parametrize("other", TEXTURES)
def test_texture(one, other):
    wanted = 1.0 if one == other else PRINTED.get(one + other, PRINTED.get(other + one, 0.0))
    assert texture_similarity(one, other) == wanted


ONE = Features(10, "pc-h", 1, "B")
OTHER = Features(15, "dc-h", 2, "C")


def test_the_mean_of_all_features():
    similarity = Similarity()
    local = similarity.local(ONE, OTHER, 50, SARTRE)
    assert local == pytest.approx((0.8, 0.95, exp(-1), 0.8))
    assert similarity.overall(local, 1) == pytest.approx((0.8 + 0.95 + exp(-1) + 0.8) / 4)


def test_there_is_no_texture_before_the_flop():
    similarity = Similarity()
    local = similarity.local(Features(1, "p", 1, "A"), Features(2, "p", 1, "A"), 50, SARTRE)
    assert isnan(local.texture)
    assert similarity.overall(local, 0) == pytest.approx((0.96 + 1 + 1) / 3)


def test_weights():
    similarity = Similarity(weights=(2, 0, 1, 0))
    local = similarity.local(ONE, OTHER, 50, SARTRE)
    assert similarity.overall(local, 1) == pytest.approx((2 * 0.8 + exp(-1)) / 3)


@pytest.mark.parametrize("round_", [0, 1])
def test_the_table_has_what_the_features_give(round_):
    similarity = Similarity(slope=1.5, weights=(1, 2, 3, 0.5))
    target = Features(7, "pc-h" if round_ else "p", 2, "G" if round_ else "A")
    table = similarity.table(target, 10, 4)
    assert table.shape == (10, 4, 9)
    for strength, commitment, texture in [(1, 1, "A"), (7, 2, "G"), (10, 4, "I"), (3, 3, "E")]:
        other = Features(strength, target.sequence, commitment, texture)
        local = similarity.local(target, other, 10, SARTRE)
        whole = similarity.overall(local, round_) * sum(similarity.weights_of(round_))
        entry = table[strength - 1, commitment - 1, TEXTURES.index(texture)]
        assert entry + 2 * local.betting == pytest.approx(whole)


def test_bad_constants_are_refused():
    with pytest.raises(KibitzError, match="weights"):
        Similarity(weights=(1, 1, -1, 1))
    with pytest.raises(KibitzError, match="weights"):
        Similarity(weights=(0, 0, 0, 1))
    with pytest.raises(KibitzError, match="matrix"):
        Similarity(matrix=TEXTURE_MATRIX[:3])


@pytest.mark.parametrize(
    "settings",
    [
        {"slope": nan},
        {"slope": -1},
        {"decay": inf},
        {"decay": -0.1},
        {"weights": (1, nan, 1, 1)},
        {"weights": (1, 1, 1, inf)},
    ],
)
def test_numbers_that_are_none(settings):
    with pytest.raises(KibitzError, match=r"at least 0|not negative"):
        Similarity(**settings)

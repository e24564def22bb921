"""Winner determination of the ACPC, recomputed from the tables that were printed.

Cells and averages are printed as whole numbers, so a mean recomputed from cells may be off by half a unit for
the cells and half for the average: 1 in all. The bootstrap frequencies of Bard's appendix need the matches
themselves, which nobody has published; they are not claimed here.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from math import erf, sqrt

import numpy as np
import pytest

from kibitz.arena.bankroll import (
    ALWAYS_FOLD_CAP,
    cap_crossings,
    cap_sweep,
    clip_to_cap,
    instant_runoff,
    total_bankroll,
)
from kibitz.arena.bootstrap import bootstrap_rankings
from kibitz.experiments.bard2016.crosstables import published_table
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.statistics import Z_95, Estimate
from published import acpc_tables as acpc

ROUNDING = 1.0

HEADS_UP = [
    (acpc.LIMIT_2012, acpc.BANKROLLS_LIMIT_2012, "uncapped"),
    (acpc.LIMIT_2013, acpc.BANKROLLS_LIMIT_2013, "capped"),
    (acpc.LIMIT_2013, acpc.BANKROLLS_LIMIT_2013, "uncapped"),
    (acpc.LIMIT_2014, acpc.BANKROLLS_LIMIT_2014, "capped"),
    (acpc.LIMIT_2014, acpc.BANKROLLS_LIMIT_2014, "uncapped"),
    (acpc.NOLIMIT_2013, acpc.BANKROLLS_NOLIMIT_2013, "capped"),
    (acpc.NOLIMIT_2013, acpc.BANKROLLS_NOLIMIT_2013, "uncapped"),
    (acpc.NOLIMIT_2014, acpc.BANKROLLS_NOLIMIT_2014, "capped"),
    (acpc.NOLIMIT_2014, acpc.BANKROLLS_NOLIMIT_2014, "uncapped"),
]


def bankrolls(table, cap=None):
    """Recomputed bankrolls by name."""
    return dict(zip(table.names, total_bankroll(table.array(), cap).tolist(), strict=True))


def runoff_order(names, rates):
    """Names in the order of the final ranking."""
    return [names[agent] for agent in instant_runoff(rates).ranking]


def field_of(table, names):
    """The part of a cross table that these agents play among themselves."""
    index = [table.names.index(name) for name in names]
    return table.array()[np.ix_(index, index)]


def with_entry(table, absent, entry, results):
    """The field of `results` with the agent `entry` in the place of `absent`."""
    names = [name for name in table.names if name == absent or name in results]
    rates = field_of(table, names)
    at = names.index(absent)
    row = np.array([results.get(name, np.nan) for name in names])
    rates[at], rates[:, at] = row, -row
    names[at] = entry
    return names, rates


@pytest.mark.parametrize(("table", "printed", "column"), HEADS_UP)
def test_printed_bankrolls_follow_from_the_cross_tables(table, printed, column):
    ours = bankrolls(table, ALWAYS_FOLD_CAP if column == "capped" else None)
    expected = printed.column(column)
    assert ours.keys() == expected.keys()
    assert {name: round(ours[name] - value, 2) for name, value in expected.items()} == pytest.approx(
        dict.fromkeys(expected, 0), abs=ROUNDING
    )


@pytest.mark.parametrize(("table", "printed", "column"), HEADS_UP)
def test_printed_rankings_follow_from_the_cross_tables(table, printed, column):
    ours = bankrolls(table, ALWAYS_FOLD_CAP if column == "capped" else None)
    expected = printed.column(column)
    by_ours = sorted(ours, key=ours.__getitem__, reverse=True)
    for better, worse in pairwise(by_ours):
        assert expected[better] >= expected[worse] - ROUNDING


@pytest.mark.parametrize("table", [*(row[0] for row in HEADS_UP[::2]), acpc.NOLIMIT_2010, acpc.HAWKIN_CROSSTABLE])
def test_cross_tables_are_zero_sum(table):
    rates = table.array()
    assert np.nanmax(np.abs(rates + rates.T)) <= ROUNDING


def test_claims_made_from_the_capped_and_uncapped_tables():
    uncapped = bankrolls(acpc.NOLIMIT_2013)
    assert uncapped["hyperborean_tbr"] / uncapped["neo_poker_lab"] == pytest.approx(1.966, abs=0.003)
    uncapped = bankrolls(acpc.NOLIMIT_2014)
    assert uncapped["Hyperborean_tbr"] / uncapped["SartreNLExp"] == pytest.approx(1.362, abs=0.003)
    assert uncapped["Hyperborean_tbr"] / uncapped["Tartanian7"] == pytest.approx(1.895, abs=0.003)
    # The share of what the cap lets one win from the bottom four (section 6.2.3, 2014).
    bottom = ("Rembrant3", "KEmpfer", "HITSZ_CS_14", "Lucifer")
    for name, share in {"HibiscusBiscuit": 0.908, "Tartanian7": 0.922}.items():
        won = field_of(acpc.NOLIMIT_2014, [name, *bottom])[0, 1:]
        assert clip_to_cap(won, ALWAYS_FOLD_CAP).mean() / ALWAYS_FOLD_CAP == pytest.approx(share, abs=0.001)


@pytest.mark.parametrize(
    ("table", "a", "b", "printed", "tolerance"),
    [
        (acpc.NOLIMIT_2013, "hyperborean_tbr", "slumbot", [796], 1.0),  # 796.5 from the rounded cells
        (acpc.NOLIMIT_2014, "Hyperborean_tbr", "Tartanian7", [2035], 1.0),
        (acpc.NOLIMIT_2014, "Hyperborean_tbr", "Nyx", [2180], 1.0),
        (acpc.NOLIMIT_2013, "hyperborean_tbr", "neo_poker_lab", [], 0.0),  # "dominates"
    ],
)
def test_caps_at_which_the_lead_changes_hands(table, a, b, printed, tolerance):
    crossings = cap_crossings(table.array(), table.names.index(a), table.names.index(b))
    assert crossings.tolist() == pytest.approx(printed, abs=tolerance)


def test_other_claims_about_the_cap():
    names = acpc.NOLIMIT_2013.names
    sweep = cap_sweep(acpc.NOLIMIT_2013.array())
    slumbot = sweep.bankrolls[:, names.index("slumbot")]
    assert sweep.knots[np.argmax(slumbot == slumbot[-1])] == 2701  # where its curve flattens
    neo = cap_crossings(acpc.NOLIMIT_2013.array(), names.index("neo_poker_lab"), names.index("slumbot"))
    assert neo.size == 1  # it "outperforms slumbot across a wide range of possible values"
    names = acpc.NOLIMIT_2014.names
    sartre = cap_crossings(acpc.NOLIMIT_2014.array(), names.index("Hyperborean_tbr"), names.index("SartreNLExp"))
    assert sartre.max() < ALWAYS_FOLD_CAP  # ahead of SartreNLExp "prior to the official cap"


@pytest.mark.parametrize(
    ("entry", "capped", "uncapped"),
    [
        (acpc.IRO_ENTRY_LIMIT_2013, {}, {"tbr": 149, "iro": 131}),
        (acpc.IRO_ENTRY_NOLIMIT_2013, {"tbr": 297, "iro": 268}, {"tbr": 1474, "iro": 472}),
        (acpc.IRO_ENTRY_NOLIMIT_2014, {"tbr": 181.6}, {"tbr": 1029.09}),  # its iro column is partly inferred
    ],
)
def test_the_two_hyperboreans_on_common_opponents(entry, capped, uncapped):
    rates = entry.array()
    for column, value in uncapped.items():
        assert rates[:, entry.columns.index(column)].mean() == pytest.approx(value, abs=ROUNDING)
    for column, value in capped.items():
        clipped = clip_to_cap(rates[:, entry.columns.index(column)], ALWAYS_FOLD_CAP)
        assert clipped.mean() == pytest.approx(value, abs=ROUNDING)


def test_the_run_off_of_2013_no_limit_is_the_published_one():
    """Bard 2016, section 6.2.3 names places one to six; the whole field is known from Tables A.16 and 6.11."""
    names, rates = with_entry(
        acpc.NOLIMIT_2013, "hyperborean_tbr", "hyperborean_iro", acpc.IRO_ENTRY_NOLIMIT_2013.column("iro")
    )
    assert len(names) == 13
    assert runoff_order(names, rates)[:6] == [
        "hyperborean_iro",
        "slumbot",
        "tartanian6",
        "nyx",
        "koypetition",
        "littlerock",
    ]


def test_the_run_off_of_2014_no_limit_has_the_published_places():
    """Tartanian7 first, Hyperborean_iro third, the same six on top; Feste_iro, seventh, is not in the table."""
    names, rates = with_entry(
        acpc.NOLIMIT_2014, "Hyperborean_tbr", "Hyperborean_iro", acpc.IRO_ENTRY_NOLIMIT_2014.column("iro")
    )
    order = runoff_order(names, rates)
    assert (order[0], order[2]) == ("Tartanian7", "Hyperborean_iro")
    assert set(order[:6]) == {
        "Tartanian7",
        "Hyperborean_iro",
        "Nyx",
        "Prelude",
        "Slumbot",
        "HibiscusBiscuit",
    }


def test_the_run_off_of_2013_limit_has_the_published_places():
    """hyperborean_iro second, zbot third (tied); the feste and unamur entries are not in the table."""
    names, rates = with_entry(
        acpc.LIMIT_2013, "hyperborean_tbr", "hyperborean_iro", acpc.IRO_ENTRY_LIMIT_2013.column("iro")
    )
    assert runoff_order(names, rates)[1:3] == ["hyperborean_iro", "zbot"]


def test_three_player_bankrolls_of_2014():
    table = published_table("acpc-2014-limit-3p")
    ours = dict(zip(table.names, total_bankroll(table.rates, ALWAYS_FOLD_CAP).tolist(), strict=True))
    printed = {name: row[0] for name, row in TABLES["table-6.8"].rows.items()}
    assert ours == pytest.approx(printed, abs=ROUNDING)
    rates = table.rates
    assert (total_bankroll(rates) == total_bankroll(rates, ALWAYS_FOLD_CAP)).all()  # "did not impact any"
    for a, b, c in combinations(range(5), 3):
        assert abs(rates[a, b, c] + rates[b, a, c] + rates[c, a, b]) <= 1.5, [table.names[each] for each in (a, b, c)]


def test_three_player_bankrolls_of_2013_where_all_pairs_survive():
    table = published_table("acpc-2013-limit-3p")
    ours = dict(zip(table.names, total_bankroll(table.rates).tolist(), strict=True))
    for name in ("hyperborean_tbr", "littlerock"):
        assert ours[name] == pytest.approx(TABLES["table-6.6"].rows[name][0], abs=ROUNDING)
    entry = published_table("acpc-2013-limit-3p-iro")
    assert np.nanmean(entry.rates[entry.index("hyperborean_iro")]) == pytest.approx(221, abs=ROUNDING)


def test_the_run_off_of_2010_round_by_round():
    printed = acpc.RUNOFF_2010
    names = printed.names
    result = instant_runoff(field_of(acpc.NOLIMIT_2010, names))
    assert [names[each.dropped] for each in result.rounds] == [
        "c4tw.iro",
        "PokerBotSLO",
        "Tartanian4.iro",
        "SartreNL",
    ]
    for number, each in enumerate(result.rounds):
        ours = {names[agent]: score for agent, score in zip(each.alive, each.scores, strict=True)}
        assert ours == pytest.approx(printed.column(str(number)), abs=ROUNDING)


def rates_behind(runoff, opponents):
    """The cross table that the columns of a run-off imply.

    A bankroll times the number of opponents is a sum of rates; between two rounds only the rate against the
    agent that left disappears. `opponents(k)` is that number in a round of k opponents (1 if cells are totals).
    """
    scores = runoff.array()  # best first, so the last row leaves after round 0
    count = len(scores)
    rates = np.full((count, count), np.nan)
    for number in range(count - 1):
        gone = count - 1 - number  # who leaves, and also how many opponents each agent has in this round
        now = scores[:gone, number] * opponents(gone)
        afterwards = scores[:gone, number + 1] * opponents(gone - 1) if gone > 1 else 0.0
        rates[:gone, gone] = now - afterwards
        rates[gone, :gone] = -rates[:gone, gone]
    return rates


def test_each_column_of_the_2012_run_off_drops_its_smallest():
    runoff = acpc.RUNOFF_2012
    for number, column in enumerate(runoff.columns):
        scores = runoff.column(column)
        assert min(scores, key=scores.__getitem__) == runoff.names[-1 - number]
        assert abs(sum(scores.values())) <= len(scores) / 2  # a zero-sum field, rounded


def test_the_2012_run_off_again_from_the_cross_table_it_implies():
    runoff = acpc.RUNOFF_2012
    result = instant_runoff(rates_behind(runoff, opponents=lambda left: left))
    assert result.ranking == tuple(range(11))
    for number, each in enumerate(result.rounds):
        ours = {runoff.names[agent]: score for agent, score in zip(each.alive, each.scores, strict=True)}
        assert ours == pytest.approx(runoff.column(str(number)), abs=2.0)  # zero sum adds up roundings


def test_the_2012_cells_are_averages_not_totals():
    """Hawkin calls them totals, and says that hyperborean beat every other agent; only averages allow it."""
    as_averages = rates_behind(acpc.RUNOFF_2012, opponents=lambda left: left)[0, 1:]
    as_totals = rates_behind(acpc.RUNOFF_2012, opponents=lambda left: 1)[0, 1:]
    assert (as_averages > 0).all()
    assert (as_totals < 0).any()


def test_hawkins_cross_table_does_not_give_its_printed_averages():
    ours = bankrolls(acpc.HAWKIN_CROSSTABLE)
    assert list(ours.values()) == pytest.approx([-43.6, -19.2, 23.8, 7.0, 16.2, 15.8])
    wrong = {name for name, value in acpc.HAWKIN_PRINTED_AVERAGES.items() if abs(ours[name] - value) > ROUNDING}
    assert wrong == set(ours) - {"Hawkin_1"}
    assert max(ours, key=ours.__getitem__) == "Hawkin_2"  # "performs the best", printed or recomputed


def test_hawkins_difference_of_two_seats():
    """Section 7.6: player two's 162.54 ± 1.12 less player one's 155.11 ± 1.14 is printed as 7.43 ± 1.60."""
    advantage = Estimate(162.54, 1.12, 600_000_000) - Estimate(155.11, 1.14, 600_000_000)
    assert (advantage.mean, advantage.half_width) == pytest.approx((7.43, 1.60), abs=0.005)


def test_bootstrap_of_invented_matches_with_the_printed_intervals_follows_the_normal_law():
    """A check of the method, not of Table A.17: matches with the printed mean and interval are made up."""
    rates, widths = acpc.NOLIMIT_2013.array(), acpc.NOLIMIT_2013_HALF_WIDTHS.array() / Z_95
    count = 60
    luck = np.random.default_rng(0).standard_normal(count)
    luck = (luck - luck.mean()) / luck.std()
    matches = {(i, j): rates[i, j] + widths[i, j] * sqrt(count) * luck for i, j in combinations(range(13), 2)}
    result = bootstrap_rankings(matches, resamples=4000, seed=1)
    for a, b in combinations(range(13), 2):
        others = [c for c in range(13) if c not in (a, b)]
        # r_ab enters a's bankroll with + and b's with -, the rest once each; all over twelve opponents.
        spread = 4 * widths[a, b] ** 2 + (widths[a, others] ** 2 + widths[b, others] ** 2).sum()
        lead = np.nanmean(rates[a]) - np.nanmean(rates[b])
        expected = (1 + erf(12 * lead / sqrt(2 * spread))) / 2
        assert result.frequency[a, b] == pytest.approx(expected, abs=0.04)

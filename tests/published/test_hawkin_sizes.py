"""Sizes of action abstractions in J. Hawkin's PhD thesis, University of Alberta 2014.

The thesis counts pairs of information sets and actions but does not say how; the convention was inferred from the first
row of table 5.3 and must give all the others.
"""

import pytest

from kibitz.games.named import nolimit_holdem
from kibitz.tree.size import size_report

GAME = nolimit_holdem()  # blinds 50 and 100, stacks 20,000
FIVE_BUCKETS = (5, 25, 125, 625)

# Main player and opponent; actions before the flop, on flop, turn and river (not printed in the thesis); pairs with
# five buckets and perfect recall, table 5.3.
TABLE_5_3 = [
    ("fcpa", "fcpa", (58, 284, 976, 2_644), 1_781_890),
    ("h-pf", "fcpa", (148, 674, 2_186, 5_722), 3_867_090),
    ("h-f", "fcpa", (58, 614, 2_126, 5_662), 3_820_140),
    ("h-t", "fcpa", (58, 284, 1_906, 5_442), 3_646_890),
    ("h-r", "fcpa", (58, 284, 976, 4_822), 3_143_140),
    ("h-ftr", "fcpa", (58, 614, 3_518, 13_856), 9_115_390),
    ("acpc-2011", "fcpa", (142, 1_900, 11_546, 47_430), 31_135_210),
]

# Imperfect recall with N buckets from the flop on: 169, N, N, N.
IMPERFECT_RECALL = [
    ("acpc-2011", "acpc-2011", 100, 72_630_334),  # table 7.7
    ("acpc-2011", "acpc-2011", 3700, 2_685_582_334),  # section 5.9
    # Not printed, but counted by another program under the same convention.
    ("fcpa", "fcpa", 100, 400_202),
    ("fcpa", "fcpa", 570, 2_235_082),  # "about 25 % larger" than with five buckets, section 7.3
    ("acpc-2011", "fcpa", 100, 6_111_598),
]


def actions(report):
    return tuple(sum(each.actions) for each in report.rounds)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("main", "opponent", "per_round", "pairs"), TABLE_5_3)
def test_table_5_3(main, opponent, per_round, pairs, seat):
    """The counts do not depend on which player has the added bets (section 5.8)."""
    menus = (main, opponent) if seat == 0 else (opponent, main)
    report = size_report(GAME, menus, FIVE_BUCKETS, convention="hawkin")
    assert actions(report) == per_round
    assert report.pairs == pairs
    assert report.nodes == 1 + report.actions


@pytest.mark.parametrize(("main", "opponent", "buckets", "pairs"), IMPERFECT_RECALL)
def test_imperfect_recall(main, opponent, buckets, pairs):
    states = (169, buckets, buckets, buckets)
    assert size_report(GAME, (main, opponent), states, convention="hawkin").pairs == pairs


def test_the_symmetric_entry_of_2011():
    report = size_report(GAME, "acpc-2011", (169, 3700, 3700, 3700), convention="hawkin")
    assert actions(report) == (286, 10_888, 107_516, 607_416)
    assert round(report.bytes["sampled"] / 2**30, 1) == 40.0  # "40 GB", section 5.9


def test_nodes_without_a_choice_are_not_in_the_plain_count():
    report = size_report(GAME, "fcpa", FIVE_BUCKETS)
    assert [sum(each.decisions) for each in report.rounds] == [20, 100, 340, 900]
    assert actions(report) == (57, 264, 856, 2184)
    hawkin = size_report(GAME, "fcpa", FIVE_BUCKETS, convention="hawkin")
    folds_of_nothing = 1  # the big blind's, after a limp
    assert actions(hawkin)[0] - actions(report)[0] == folds_of_nothing
    # Two one-action nodes in every round after an all-in that is called.
    all_ins = [each.showdowns for each in report.rounds]
    for round_ in range(1, 4):
        assert actions(hawkin)[round_] - actions(report)[round_] == 2 * sum(all_ins[:round_])


@pytest.mark.parametrize("menu", ["big2011", "minbet-c", "minbet-b"])
def test_the_larger_menus_of_table_7_10_contain_the_entry_of_2011(menu):
    """No size of these is published; each offers all of ACPC_2011 and more."""
    small = actions(size_report(GAME, "acpc-2011", FIVE_BUCKETS))
    large = actions(size_report(GAME, menu, FIVE_BUCKETS))
    assert all(a < b for a, b in zip(small, large, strict=True))

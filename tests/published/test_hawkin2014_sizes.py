"""Trees and ranges of J. Hawkin's PhD thesis, University of Alberta 2014: whatever needs no learning."""

import numpy as np
import pytest

from kibitz.bet_sizing.abstraction import BetAbstraction
from kibitz.bet_sizing.build import Transformation
from kibitz.bet_sizing.plan import SizingPlan
from kibitz.bet_sizing.ranges import SizeRange, centre_growth, default_ranges, range_of_bets
from kibitz.bet_sizing.runs import moved_ranges, next_tree
from kibitz.bet_sizing.tree import count_pairs
from kibitz.games.game import UNLIMITED_RAISES, Game
from kibitz.games.named import nolimit_holdem
from kibitz.solvers.problem import Problem

GAME = nolimit_holdem()
FIVE_BUCKETS, IR_100 = (5, 25, 125, 625), (169, 100, 100, 100)
ONE, TWO, THREE = (default_ranges(200, 5, count) for count in (1, 2, 3))

# Default ranges, opponent; bet-sizing players per round, extras, pairs with five buckets and with 169-100-100-100. The
# thesis prints the 160 of the first row (table 5.1, in every line); the others were counted by another program.
INITIAL_TREES = [
    ((SizeRange(0.8, 1),), "fcpa", (4, 16, 44, 96), 0, 1_781_890, 400_202),
    (ONE, "fcpa", (4, 16, 44, 96), 0, 1_781_890, 400_202),
    ((SizeRange(0.4, 0.6),), "fcpa", (5, 25, 85, 229), 0, 3_547_650, 753_030),
    ((SizeRange(1.2, 1.4),), "fcpa", (4, 16, 44, 95), 0, 1_778_140, 399_602),
    (TWO, "fcpa", (16, 94, 334, 894), 504, 10_967_030, 2_303_254),
    (THREE, "fcpa", (27, 161, 557, 1_447), 1_092, 17_500_040, 3_696_092),
    ((SizeRange(0.5, 0.7),), "acpc-2011", (11, 125, 681, 2_547), 0, None, 9_013_668),
    (ONE, "acpc-2011", (10, 105, 503, 1_658), 0, None, 6_911_840),
    (TWO, "acpc-2011", (31, 414, 2_168, 7_537), 3_450, None, 22_920_344),
    (THREE, "acpc-2011", (48, 632, 3_148, 10_457), 6_197, None, 31_086_322),
]


def transform(ranges, opponent, seat):
    if seat == 0:
        return Transformation(GAME, (tuple(ranges), ()), ("all-in", opponent))
    return Transformation(GAME, ((), tuple(ranges)), (opponent, "all-in"))


@pytest.mark.parametrize("number", range(len(INITIAL_TREES)))
def test_initial_trees(number):
    ranges, opponent, per_round, extras, five_buckets, ir_100 = INITIAL_TREES[number]
    large = opponent != "fcpa"
    for seat in (number % 2,) if large else (0, 1):  # the same for either seat
        tree = transform(ranges, opponent, seat).build()
        rounds = [int(tree.shape.round[tree.shape.parent[each.node]]) for each in tree.sizers]
        assert tuple(map(rounds.count, range(tree.shape.game.rounds))) == per_round
        assert tree.extras == extras
        assert count_pairs(tree, IR_100) == ir_100
        assert five_buckets is None or count_pairs(tree, FIVE_BUCKETS) == five_buckets
        assert {each.seat for each in tree.sizers} == {seat}


def test_default_ranges():
    """Table 6.1 and section 6.3."""
    assert ONE == ((0.71, 0.94),)
    assert TWO == ((0.5, 0.69), (1.08, 1.38))
    assert THREE == ((0.5, 0.69), (1.08, 1.38), (1.95, 2.42))
    assert range_of_bets(200, 3) == (1.39, 2.42)
    assert range_of_bets(200, 7) == (0.47, 0.56)
    assert [round(range_of_bets(200, n).growth, 2) for n in (3, 5, 7)] == [1.54, 1.19, 1.09]  # 1.1 in print
    assert ONE[0].growth == pytest.approx(2.88 / 2.42)


@pytest.mark.parametrize("bets", range(3, 8))
def test_the_pot_ratio_theorem(bets):
    """After n bets of ratio x / y the largest pot is y times the smallest (second theorem 1, section 6.2)."""
    x, y = 200 ** (1 / bets), 200 ** (1 / (bets + 1))
    assert (x / y) ** bets == pytest.approx(y)


@pytest.mark.parametrize(
    ("low", "pinned"),
    [
        (0.5, [0.41, 0.33, 0.26, 0.19]),
        (1.08, [0.94, 0.82, 0.71, 0.60]),
        (1.95, [1.74, 1.55, 1.37, 1.21]),
    ],
)
def test_bets_pinned_at_the_low_end(low, pinned):
    """0.19, 0.60 and 1.21 occur again and again in tables 7.3 and 7.4: five runs at the low end, ends rounded."""
    found = [low]
    for _ in range(4):
        found.append(centre_growth(found[-1], 2.88 / 2.42).low)
    assert found[1:] == pinned


def test_how_long_a_range_travels():
    """From [0.71, 0.94] to 2.5 pots in ten runs (section 6.4)."""
    high, runs = 0.94, 1
    while high < 2.5:
        high, runs = centre_growth(high, 2.88 / 2.42, None).high, runs + 1
    assert runs == 10


def teaching_game():
    """Three rounds, 15 big blinds, a pot of two big blinds to begin with (section 5.6)."""
    return Game(
        betting="nolimit",
        stacks=(1500, 1500),
        blinds=(100, 100),
        raise_sizes=(),
        first_players=(0, 0, 0),
        max_raises=(UNLIMITED_RAISES,) * 3,
        suits=2,
        ranks=4,
        hole_cards=1,
        board_cards=(0, 1, 1),
        name="teaching",
    )


def pot(tree, key):
    """The pot in big blinds at a node, bet-sizing players high."""
    return tree.shape.spent[node_of(tree, key)].sum() / 100


def test_the_teaching_example():
    """Figures 5.1 to 5.3: pots, and the run in which a third bet fits."""
    game = teaching_game()
    fixed = Transformation(game, ((SizeRange(0.4, 0.49),), ()), ("0.5, 1, all-in", "fcpa"), minimum=False).build()
    half, whole = (next(a for a, text in fixed.letters[0].items() if text == size) for size in ("0.5", "1"))
    assert [pot(fixed, key) for key in (f"{half}c", f"{half}c/{half}c", f"{half}c/{half}c/{half}c")] == [4, 8, 16]
    assert [pot(fixed, key) for key in (f"{whole}c", f"{whole}c/{whole}c")] == [6, 18]
    assert whole not in actions(fixed, f"{whole}c/{whole}c/")  # 27 big blinds each

    made = Transformation(game, ((SizeRange(0.8, 1),), ()), ("all-in", "fcpa"), minimum=False)
    plan = SizingPlan(made, Problem(game, "fcpa"), algorithm="re", runs=5)
    tree = made.build()
    for run in range(1, 6):
        assert tree.ranges["d"] == pytest.approx((0.9 - 0.1 * run, 1.1 - 0.1 * run))
        assert ("d" in actions(tree, "dc/dc/")) == (run == 5)
        assert ("d" in actions(tree, "dc/dc/c")) == (run == 5)  # the opponent's pot bet
        if run == 5:
            assert pot(tree, "dc/dc") == pytest.approx(9.68, abs=0.01)
            assert 9.68 * 3 <= 30 < 11.52 * 3  # 2 x 2.4 x 2.4 in the run before
            assert tree.ranges["dc/dc/d"] == (0.8, 1)
        low = lowest(made, tree)
        tree = next_tree(plan, low)


def lowest(made, tree):
    """A run in which every bet-sizing player chose the low end."""
    sizes = np.array([each.range.low for each in tree.sizers])
    return BetAbstraction(made, tree, sizes, np.ones(len(sizes)), {"run": 1})


def node_of(tree, key):
    node = 0
    for letter in key.replace("/", ""):
        node = tree.shape.child(node, letter)
    return node


def actions(tree, key):
    node = node_of(tree, key)
    first = tree.shape.first_child[node]
    return "".join(tree.shape.actions[first : first + tree.shape.children[node]])


def test_a_bet_keeps_its_letter_for_life():
    made = transform(TWO, "fcpa", 1)
    tree = made.build()
    plan = SizingPlan(made, Problem(GAME, "fcpa", cards="5-bucket"), algorithm="redm")
    moved = next_tree(plan, lowest(made, tree))
    assert tree.ranges["e"] == (1.08, 1.38)
    assert moved_ranges(plan, lowest(made, tree))["e"] == (0.94, 1.22)
    assert moved.ranges["e"] == (0.94, 1.22)
    assert moved.sizers[moved.keys["e"]].number == 1
    assert moved.letters[0] == {"d": "1"}

"""Ranges, growing and pruned trees, the family of algorithms, files, and trees in whole chips."""

import json
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

from bet_sizing.gradient_ascent import ascend, grid, random_sizes
from kibitz.bet_sizing import (
    SizeRange,
    SizeRangeError,
    SizingPlan,
    Transformation,
    default_ranges,
    learn,
    parse_ranges,
    playing_tree,
)
from kibitz.bet_sizing.abstraction import BetAbstraction, bets_document, read_bets
from kibitz.bet_sizing.ranges import adjust_range, centre_growth, centre_width
from kibitz.bet_sizing.runs import find_important, next_tree
from kibitz.bet_sizing.value import bound_value, gain, weigh
from kibitz.errors import FormatError, KibitzError
from kibitz.games import deal_hands
from kibitz.games.named import leduc_nolimit, limit_holdem, nolimit_holdem, nolimit_kuhn
from kibitz.solvers.problem import Problem
from kibitz.tree import build_tree

GAME = leduc_nolimit(100, 2)
PROBLEM = Problem(GAME, "fcpa")
ONE = (SizeRange(0.8, 1.0),)
TWO = (SizeRange(0.5, 0.69), SizeRange(1.08, 1.38))


def transformation(ranges=ONE, seat=0, game=GAME):
    if seat == 0:
        return Transformation(game, (ranges, ()), ("all-in", "fcpa"))
    return Transformation(game, ((), ranges), ("fcpa", "all-in"))


def results(plan, before=None):
    return [report.result for report in learn(plan, before) if report.result is not None]


def learnt(made, sizes=None, run=1):
    tree = made.build()
    sizes = tree.middles if sizes is None else sizes
    return BetAbstraction(made, tree, sizes, np.arange(len(sizes), 0, -1.0), {"run": run})


@pytest.mark.parametrize(
    ("given", "least", "most", "found"),
    [
        ((0.8, 1.0), 0.3, 2.0, (0.8, 1.0)),  # fits
        ((0.2, 0.4), 0.3, 2.0, (0.31, 0.51)),  # below the smallest bet: moved up
        ((0.2, 0.4), 0.3, 0.45, (0.31, 0.44)),  # and cut at all-in, more than half is left
        ((0.2, 0.4), 0.3, 0.4, None),  # less than half is left
        ((0.8, 1.0), 0.3, 0.95, (0.74, 0.94)),  # beyond all-in: moved down
        ((0.8, 1.0), 0.75, 0.95, (0.76, 0.94)),  # and cut at the smallest bet
        ((0.8, 1.0), 0.85, 0.95, None),
    ],
)
def test_every_branch_of_adjust_range(given, least, most, found):
    adjusted = adjust_range(SizeRange(*given), least, most)
    assert adjusted == (None if found is None else pytest.approx(found))


def test_ranges_follow_sizes():
    assert centre_width(0.8, 0.2) == pytest.approx((0.7, 0.9))
    moved = centre_growth(1.3, 1.19, None)
    assert moved.growth == pytest.approx(1.19)
    assert moved.middle == pytest.approx(1.3)
    # The factor by which a pot grows changes by at most 2P / (P + 1) or 2 / (P + 1) a run (section 6.4).
    ratio = 2.88 / 2.42
    moved = centre_growth(0.94, ratio, None)
    assert (1 + 2 * moved.high) / (1 + 2 * 0.94) == pytest.approx(1.0868, abs=1e-4)
    assert (1 + 2 * moved.low) / (1 + 2 * 0.94) == pytest.approx(0.9132, abs=1e-4)


@pytest.mark.parametrize("text", ["", "0.8", "1-0.8", "0.8-0.8", "-0.1-1", "a-b", "0.8-1, 2-inf"])
def test_ranges_that_cannot_be(text):
    with pytest.raises(SizeRangeError, match="range"):
        parse_ranges(text)


def test_wrong_input_says_what_is_wrong():
    with pytest.raises(SizeRangeError, match="lies between"):
        transformation((SizeRange(300, 400),)).build()
    with pytest.raises(SizeRangeError, match="no range for either seat"):
        Transformation(GAME, ((), ()))
    with pytest.raises(SizeRangeError, match=r"'d': bets there are 0\.5 to"):
        Transformation(GAME, ((), ()), special={"d": SizeRange(0.2, 1.0)}).build()
    with pytest.raises(KibitzError, match="only fractions"):
        Transformation(GAME, (ONE, ()), ("all-in", "full"))
    with pytest.raises(KibitzError, match="where the smaller blind does"):
        Transformation(
            replace(GAME, blinds=(1, 2), antes=(0, 0), first_players=(1, 0)), ((SizeRange(0.5, 1),), ())
        ).build()
    with pytest.raises(SizeRangeError, match="no bet is ever made"):
        Transformation(GAME, ((SizeRange(0.5, 1),), ())).build({}, "as-given")
    with pytest.raises(KibitzError, match="two players and no-limit"):
        Transformation(limit_holdem(), (ONE, ())).build()
    with pytest.raises(KibitzError, match="bets of this game are at least"):
        transformation((SizeRange(0.001, 0.002),)).build()
    tree = transformation().build()
    with pytest.raises(KibitzError, match="outside its range"):
        tree.stakes(np.full(len(tree.sizers), 0.1))
    with pytest.raises(KibitzError, match="sizes for"):
        tree.stakes(np.ones(1))
    with pytest.raises(KibitzError, match="one range per decision"):
        SizingPlan(transformation(TWO), PROBLEM, algorithm="re")
    with pytest.raises(KibitzError, match="algorithm is best: one of bets, re, red, redm, refined is needed"):
        SizingPlan(transformation(), PROBLEM, algorithm="best")
    imperfect = Problem(nolimit_holdem(), "fcpa", cards="IR-100")
    with pytest.raises(KibitzError, match="no vector form"):
        SizingPlan(transformation(game=nolimit_holdem()), imperfect)
    made = transformation(game=nolimit_holdem())
    with pytest.raises(KibitzError, match="need perfect recall"):
        bound_value(made.build(), made.build().middles, imperfect)


def test_a_range_below_the_smallest_bet_is_moved_up():
    """After a limp the smallest bet is half the pot, 0.4 is not legal; after a raise to 200 the pot is large enough."""
    tree = transformation((SizeRange(0.4, 0.6),), game=nolimit_holdem()).build()
    assert tree.ranges["cd"] == pytest.approx((0.51, 0.71))
    assert tree.ranges["dd"] == (0.4, 0.6)


def test_trees_grow_and_shrink_with_their_ranges():
    made = transformation()
    plan = SizingPlan(made, PROBLEM, algorithm="re")
    tree = made.build()
    small = next_tree(plan, learnt(made, np.array([each.range.low for each in tree.sizers])))
    assert small.ranges["d"] == pytest.approx((0.7, 0.9))
    assert set(tree.keys) <= set(small.keys)
    far = learnt(made).transformation.build({key: SizeRange(40.0, 40.2) for key in tree.keys})
    assert far.ranges["d"] == pytest.approx((40.0, 40.2))
    assert "dc/d" in tree.keys
    assert "dc/d" not in far.keys  # nothing is left to bet with


def test_pruned_trees_grow_only_the_bottom_range():
    made = transformation(TWO)
    whole = learnt(made)
    assert "ec/d" in whole.tree.keys
    pruned = whole.restricted(["d", "dc/e"])
    assert sorted(pruned.tree.keys) == ["d", "dc/e"]
    grown = next_tree(SizingPlan(made, PROBLEM, algorithm="refined"), pruned)
    assert "e" not in grown.keys
    assert "dc/e" in grown.keys
    assert "dc/d" not in grown.keys
    assert "cc/d" in grown.keys  # had no bet at all
    assert "cc/e" not in grown.keys
    every = next_tree(SizingPlan(made, PROBLEM, algorithm="redm"), pruned)
    assert {"e", "dc/d", "cc/e"} <= set(every.keys)


@pytest.mark.parametrize("extras", [0, 1, 3, 1000])
def test_important_bets(extras):
    tree = transformation(TWO).build()
    importance = np.random.default_rng(extras).exponential(size=len(tree.sizers))
    kept = find_important(tree, importance, extras)
    made = transformation(TWO)
    pruned = BetAbstraction(made, tree, tree.middles, importance, {}).restricted(kept)
    assert set(pruned.tree.keys) == kept  # nothing kept falls with another bet
    assert pruned.tree.extras == min(extras, tree.extras)
    for each in pruned.tree.sizers:  # of every decision the most important one is there
        siblings = [i for i, other in enumerate(tree.sizers) if other.key[:-1] == each.key[:-1]]
        assert tree.sizers[max(siblings, key=lambda i: importance[i])].key in kept


def test_a_bet_of_no_importance_goes():
    tree = transformation(TWO).build()
    importance = np.where([each.key == "d" for each in tree.sizers], 1.0, 0.0)
    assert find_important(tree, importance, 5) == {"d"}
    with pytest.raises(KibitzError, match="at least 0"):
        find_important(tree, importance, -1)


@pytest.mark.parametrize("form", ["vector", "sampled"])
def test_redm_with_one_range_is_red(form):
    red, redm = (
        results(SizingPlan(transformation(), PROBLEM, algorithm=name, iterations=200, runs=3, form=form))
        for name in ("red", "redm")
    )
    assert [each.sizes.tolist() for each in red] == [each.sizes.tolist() for each in redm]
    assert [each.tree.keys for each in red] == [each.tree.keys for each in redm]
    assert red[2].tree.sizers[0].range.growth == pytest.approx(3.0 / 2.6, abs=0.01)


def test_refined_keeps_its_extras():
    plan = SizingPlan(transformation(TWO, seat=1), PROBLEM, algorithm="refined", iterations=200, runs=3, extras=2)
    reports = [report for report in learn(plan) if report.result is not None]
    assert reports[0].unpruned.tree.extras > 2
    assert [report.tree.extras <= 2 for report in reports] == [True] * 3
    assert reports[0].tree.extras == 2
    assert [report.run for report in reports] == [1, 2, 3]
    bare = SizingPlan(transformation(TWO, seat=1), PROBLEM, algorithm="refined", iterations=100, runs=2, extras=0)
    assert [each.tree.extras for each in results(bare)] == [0, 0]


def there_and_back(found):
    return read_bets(json.loads(json.dumps(bets_document(found))), "sizes")


def test_a_plan_goes_on_from_its_last_run():
    plan = SizingPlan(transformation(), PROBLEM, algorithm="re", iterations=200, runs=3)
    whole = results(plan)
    later = results(plan, there_and_back(whole[0]))
    assert [each.sizes.tolist() for each in later] == [each.sizes.tolist() for each in whole[1:]]
    assert [each.made["run"] for each in later] == [2, 3]


def test_stopping_when_nothing_is_pinned():
    wide = transformation((SizeRange(0.2, 3.0),))
    long = SizingPlan(wide, PROBLEM, algorithm="re", iterations=2000, runs=6, stop=True)
    assert len(results(long)) < 6


def test_a_run_ends_when_its_sizes_have_settled():
    plan = SizingPlan(transformation(), PROBLEM, algorithm="bets", iterations=20_000, settle=True)
    reports = list(learn(plan))
    assert len(reports) < 9
    assert reports[-1].result is not None
    assert reports[-1].iteration < 20_000


def test_sizes_that_may_not_move_yet_have_not_settled():
    plan = SizingPlan(transformation((SizeRange(0.8, 1.5),)), PROBLEM, algorithm="bets", iterations=150, settle=True)
    [found] = results(plan)
    assert found.made["iteration"] > 75
    assert (found.sizes != found.tree.middles).any()


def test_several_ranges_move_by_their_own_ratio():
    defaults = default_ranges(200, 5, 3)
    assert (
        SizingPlan(transformation(defaults, game=nolimit_holdem()), PROBLEM, algorithm="redm").pot_ratio == 2.88 / 2.42
    )
    mixed = SizingPlan(transformation((SizeRange(0.6, 0.9), SizeRange(1.2, 1.5))), PROBLEM, algorithm="redm")
    assert mixed.pot_ratio == pytest.approx(((2.8 / 2.2) * (4.0 / 3.4)) ** 0.5)
    special = Transformation(GAME, ((), ()), special={"d": SizeRange(0.6, 0.9)})
    assert SizingPlan(special, PROBLEM, algorithm="redm").pot_ratio == pytest.approx(2.8 / 2.2)


def test_narrow_ranges_are_not_rounded_away():
    moved = centre_growth(0.602, (1 + 2 * 0.604) / (1 + 2 * 0.6))
    assert moved.low < 0.602 < moved.high
    assert moved.width == pytest.approx(0.004, rel=0.01)


@pytest.mark.parametrize("stack", [10, 12, 20, 50, 100, 200])
@pytest.mark.parametrize("count", [2, 3])
def test_default_ranges_follow_each_other(stack, count):
    ranges = default_ranges(stack, count=count)
    assert len(ranges) == count
    assert all(earlier.high < later.low for earlier, later in pairwise(ranges))
    assert ranges[0].low == 0.5
    with pytest.raises(SizeRangeError, match="overlap"):
        default_ranges(12, 5, 2)
    with pytest.raises(SizeRangeError, match="a stack of 4 big blinds has no 3 default ranges"):
        default_ranges(4, count=3)


def test_learnt_sizes_beat_the_middle_and_random_ones():
    made = transformation((SizeRange(0.8, 1.5),))
    [found] = results(SizingPlan(made, PROBLEM, algorithm="bets", iterations=3000))
    tree = found.tree
    learnt_value = bound_value(tree, found.sizes, PROBLEM)[0].value
    rng = np.random.default_rng(0)
    others = [tree.middles, *(random_sizes(tree, rng) for _ in range(5))]
    assert learnt_value < min(bound_value(tree, sizes, PROBLEM)[0].value for sizes in others)
    assert learnt_value < min(each.value for each in grid(tree, PROBLEM, 5)) + 1e-3
    climbed = list(ascend(tree, PROBLEM, 12))
    assert climbed[-1].value < climbed[0].value
    assert learnt_value == pytest.approx(climbed[-1].value, abs=2e-3)


def test_values_on_deals_agree_with_exact_ones():
    [found] = results(SizingPlan(transformation(), PROBLEM, algorithm="bets", iterations=300))
    bounds, strategy = bound_value(found.tree, found.sizes, PROBLEM)
    weighed = weigh(found.tree, PROBLEM.sampled_deal, strategy, found.sizes, 20_000)
    assert abs(-weighed.value - bounds.value) < 2 * weighed.interval
    assert bounds.error == 0
    assert gain(0.060, 0.072, seat=0) == pytest.approx(1 / 6)
    assert gain(0.078, 0.072, seat=1) == pytest.approx(1 / 12)


def test_documents_round_trip():
    plan = SizingPlan(transformation(TWO), PROBLEM, algorithm="refined", iterations=100, runs=2, extras=1)
    found = results(plan)[-1]
    again = there_and_back(found)
    assert again.tree.shape.fingerprint == found.tree.shape.fingerprint
    assert again.sizes.tolist() == found.sizes.tolist()
    assert again.importance.tolist() == found.importance.tolist()
    assert again.made == json.loads(json.dumps(found.made))
    assert again.transformation == found.transformation
    document = bets_document(found)
    assert document["letters"][1]["d"] == "1"
    assert document["letters"][0]["e"] == "learnt, from 1.08-1.38"


@pytest.mark.parametrize("change", ["bets", "size", "unknown", "list"])
def test_documents_that_cannot_be_are_refused(change):
    document = bets_document(learnt(transformation()))
    if change == "bets":
        del document["bets"]
    elif change == "size":
        document["bets"][0]["size"] = 9.0
    elif change == "unknown":
        document["bets"].append({**document["bets"][0], "bet": "cfd"})
    with pytest.raises(FormatError, match="sizes is not whole"):
        read_bets([] if change == "list" else document, "sizes")


def test_a_tree_in_whole_chips_is_one_of_the_rules():
    """Pot bets for both: the tree of the abstraction FCPA."""
    both = Transformation(GAME, (ONE, ONE), ("all-in", "all-in"))
    whole = learnt(both, np.ones(len(both.build().sizers)))
    ours, rules = playing_tree(whole), build_tree(GAME, "fcpa")
    for name in ("kind", "player", "round", "parent", "first_child", "children", "spent", "folded", "actions"):
        assert list(map(str, getattr(ours, name))) == list(map(str, getattr(rules, name))), name


def test_sizes_that_round_to_the_same_chips_are_one_bet():
    game = nolimit_kuhn(max_raises=1)  # ten chips a pot
    made = Transformation(game, ((SizeRange(0.4, 0.5), SizeRange(0.41, 0.6)), ()), ("all-in", "all-in"), minimum=False)
    tree = made.build()
    found = BetAbstraction(made, tree, np.array([0.44, 0.42]), np.ones(2), {})
    assert [playing_tree(found).actions[i] for i in (1, 2, 3)] == ["c", "r9", "r55"]
    found = BetAbstraction(made, tree, np.array([0.44, 0.52]), np.ones(2), {})
    assert [playing_tree(found).actions[i] for i in (1, 2, 3, 4)] == ["c", "r9", "r10", "r55"]


def test_solvers_and_agents_take_the_tree():
    from kibitz.agents.strategic import StrategyAgent
    from kibitz.arena.match import play_hand
    from kibitz.responses.best_response import exploitability
    from kibitz.solvers.cfr import CFR
    from kibitz.solvers.compiled.vector import VectorGame

    found = results(
        SizingPlan(transformation(default_ranges(50, 3, 1)), PROBLEM, algorithm="red", iterations=200, runs=2)
    )[-1]
    form = VectorGame(playing_tree(found), PROBLEM.deal)
    solver = CFR(form)
    solver.step(300)
    assert exploitability(form, solver.average_strategy()).exploitability < 0.1
    agents = [StrategyAgent(solver.average_strategy(), PROBLEM.sampled_deal, name=name) for name in ("one", "two")]
    for agent in agents:
        agent.reset(GAME, 1)
    for deal in islice(deal_hands(GAME, 3), 20):
        assert play_hand(GAME, deal, agents).finished

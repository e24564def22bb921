"""The multiplayer betting transformation: trees, theorem 1, slopes, and the two forms of BETS against plain twins."""

from itertools import product

import numpy as np
import pytest

import bet_sizing.plain_bets as plain
from bet_sizing.gradient_ascent import random_sizes, size_slopes
from kibitz.bet_sizing.build import Transformation
from kibitz.bet_sizing.compiled import equivalent_game
from kibitz.bet_sizing.ranges import SizeRange
from kibitz.bet_sizing.sampled import SampledBets
from kibitz.bet_sizing.value import weigh
from kibitz.bet_sizing.vector import VectorBets
from kibitz.deals import matrix_deal
from kibitz.games.named import leduc_nolimit, nolimit_kuhn
from kibitz.responses.best_response import expected_values
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.strategy import Strategy
from kibitz.tree import build_tree

GAME = leduc_nolimit(60, 2)
DEAL = matrix_deal(GAME)
LOW, HIGH, SIZE, REGRET_LOW, REGRET_HIGH = 0, 1, 2, 6, 7  # columns of the sizers' table


def both_seats():
    """Ranges for both players, two for the first, fixed and minimum bets besides."""
    ranges = ((SizeRange(0.4, 0.6), SizeRange(0.9, 1.3)), (SizeRange(0.7, 1.1),))
    return Transformation(GAME, ranges, ("all-in", "min once, all-in")).build()


def one_seat():
    return Transformation(GAME, ((SizeRange(0.5, 0.9),), ()), ("all-in", "fcpa")).build()


def test_a_smallest_bet_that_takes_the_stack_is_all_in():
    tree = Transformation(leduc_nolimit(5), ((SizeRange(0.6, 0.9),), ()), ("min", "fcpa")).build().shape
    answers = {tree.history(int(tree.parent[node])): tree.actions[node] for node in range(1, len(tree))}
    assert answers["cd"] == "a"  # the last of them, after a bet to 3 of 5 chips


def random_profile(tree, rng):
    compiled = equivalent_game(tree, tree.middles, DEAL)
    return Strategy.from_sums(compiled.layout, rng.exponential(size=compiled.layout.size) ** 2)


@pytest.fixture(scope="module")
def every_deal():
    return plain.EveryDeal(GAME)


def mean_terms(tree, strategy, every_deal):
    found = [plain.terms(tree, strategy, every_deal.deals, deal) for deal in range(len(every_deal))]
    return np.mean([signed for signed, _reached in found], axis=0), np.mean([r for _s, r in found], axis=0)


def test_a_tree_of_pot_bets_is_the_tree_of_the_rules():
    """With every size at one pot, which is the high end, the transformed game is the abstraction FCPA."""
    tree = Transformation(GAME, ((SizeRange(0.8, 1),), (SizeRange(0.8, 1),)), ("all-in", "all-in")).build()
    rules = build_tree(GAME, "fcpa")
    for name in ("kind", "player", "round", "parent", "first_child", "children", "spent", "folded"):
        assert getattr(tree.shape, name).tolist() == getattr(rules, name).tolist(), name
    ends = rules.kind != 0
    stakes = tree.stakes(np.ones(len(tree.sizers)))
    assert stakes[ends] == pytest.approx(VectorGame(rules, DEAL).stake[ends])


@pytest.mark.parametrize("make", [one_seat, both_seats])
def test_equivalent_games_are_worth_what_enumeration_finds(make, every_deal):
    rng = np.random.default_rng(1)
    tree = make()
    strategy, sizes = random_profile(tree, rng), random_sizes(tree, rng)
    signed, _reached = mean_terms(tree, strategy, every_deal)
    found = expected_values(equivalent_game(tree, sizes, DEAL), strategy)
    assert found[0] == pytest.approx(plain.value(tree, signed, sizes), abs=1e-9)
    assert found[0] == pytest.approx(-found[1], abs=1e-9)


def test_theorem_1(every_deal):
    """Hidden choices of low and high, all of them expanded, are worth what effective sizes are."""
    rng = np.random.default_rng(2)
    tree = one_seat()
    assert 5 <= len(tree.sizers) <= 10
    strategy = random_profile(tree, rng)
    signed, _reached = mean_terms(tree, strategy, every_deal)
    high = rng.uniform(size=len(tree.sizers))
    ends = np.array([each.range for each in tree.sizers])
    hidden = 0.0
    for choice in product((0, 1), repeat=len(tree.sizers)):
        chance = np.prod(np.where(choice, high, 1 - high))
        hidden += chance * plain.value(tree, signed, ends[np.arange(len(ends)), choice])
    effective = ends[:, 0] + high * (ends[:, 1] - ends[:, 0])
    compiled = equivalent_game(tree, effective, DEAL)
    assert expected_values(compiled, strategy)[0] == pytest.approx(hidden, abs=1e-9)


@pytest.mark.parametrize("make", [one_seat, both_seats])
def test_slopes_give_the_value_of_both_ends(make, every_deal):
    """The two-part recursion: u(low) and u(high) by formula and by replacing the size."""
    rng = np.random.default_rng(3)
    tree = make()
    strategy, sizes = random_profile(tree, rng), random_sizes(tree, rng)
    signed, reached = mean_terms(tree, strategy, every_deal)
    found = size_slopes(tree, DEAL, strategy, sizes)
    for i, each in enumerate(tree.sizers):
        sign = 1 - 2 * each.seat
        here = expected_values(equivalent_game(tree, sizes, DEAL), strategy)[each.seat]
        for end in each.range:
            moved = sizes.copy()
            moved[i] = end
            by_formula = here + (end - sizes[i]) * found.slope[i]
            assert by_formula == pytest.approx(sign * plain.value(tree, signed, moved), abs=1e-9)
        assert found.reach[i] == pytest.approx(reached[each.node], abs=1e-12)


def test_importance_and_value_on_deals(every_deal):
    rng = np.random.default_rng(4)
    tree = both_seats()
    strategy, sizes = random_profile(tree, rng), random_sizes(tree, rng)
    absolute, values = np.zeros(len(tree.sizers)), []
    stakes, slopes = tree.stakes(sizes), plain.stake_slopes(tree, sizes)
    for deal in range(len(every_deal)):
        signed, _reached = plain.terms(tree, strategy, every_deal.deals, deal)
        values.append(signed @ stakes)
        absolute += np.abs(slopes @ signed)
    found = weigh(tree, every_deal, strategy, sizes, len(every_deal))
    assert found.importance == pytest.approx(absolute / (2 * len(every_deal)), abs=1e-9)
    assert found.value == pytest.approx(np.mean(values), abs=1e-9)
    assert found.interval == pytest.approx(1.96 * np.std(values, ddof=1) / np.sqrt(len(values)), rel=1e-3)


def test_importance_does_not_depend_on_the_range(every_deal):
    """Equation 5.15: a wider range around the same size leaves it as it is."""
    narrow = Transformation(GAME, ((SizeRange(0.6, 0.8),), ()), ("all-in", "")).build()
    wide = Transformation(GAME, ((SizeRange(0.4, 0.8),), ()), ("all-in", "")).build()
    assert narrow.shape.fingerprint == wide.shape.fingerprint
    strategy = random_profile(narrow, np.random.default_rng(5))
    sizes = np.full(len(narrow.sizers), 0.7)
    found = [weigh(tree, every_deal, strategy, sizes, len(every_deal)).importance for tree in (narrow, wide)]
    assert found[0] == pytest.approx(found[1], abs=1e-12)


@pytest.mark.parametrize("make", [one_seat, both_seats])
def test_sampled_and_vector_updates_agree_in_expectation(make, every_deal):
    """One iteration from the same memory on each of all deals, averaged, is one full-width iteration."""
    rng = np.random.default_rng(6)
    tree = make()
    vector = VectorBets(tree, DEAL, weighting="cfr", alternating=False, warmup=0, start=random_sizes(tree, rng))
    regret = rng.normal(size=vector.compiled.layout.size)
    vector.restore(0, {**vector.arrays(), "regret": regret})
    before = {name: array.copy() for name, array in vector.arrays().items()}
    vector.step(1)
    totals = None
    for deal in range(len(every_deal)):
        sampled = SampledBets(tree, _From(every_deal, deal), start=before["sizers"][:, SIZE])
        sampled.regret[sampled.layout.by_infoset] = regret
        sampled.step(1)
        gained = (
            sampled.regret[sampled.layout.by_infoset] - regret,
            sampled.average[sampled.layout.by_infoset],
            sampled.sizing.table[:, REGRET_LOW],
            sampled.sizing.table[:, REGRET_HIGH],
        )
        totals = (
            [np.array(each) for each in gained]
            if totals is None
            else [a + b for a, b in zip(totals, gained, strict=True)]
        )
    means = [each / len(every_deal) for each in totals]
    assert vector.regret - regret == pytest.approx(means[0], abs=1e-12)
    assert vector.sizing.table[:, REGRET_LOW] == pytest.approx(means[2], abs=1e-9)
    assert vector.sizing.table[:, REGRET_HIGH] == pytest.approx(means[3], abs=1e-9)
    # Averages weight states by how often they are dealt; within an information set they are proportional.
    ours = Strategy.from_sums(vector.compiled.layout, vector.average).values
    theirs = Strategy.from_sums(vector.compiled.layout, means[1]).values
    assert ours == pytest.approx(theirs, abs=1e-12)


class _From:
    """Deals of another deal, from a number on."""

    def __init__(self, deal, first):
        self.deal, self.first = deal, first
        self.game, self.counts, self.fingerprint = deal.game, deal.counts, deal.fingerprint

    def draw(self, seed, first, count):
        return self.deal.draw(seed, self.first + first, count)


@pytest.mark.parametrize("rule", ["every", "reach", "matching"])
def test_a_size_moves_by_its_rule(rule, every_deal):
    """Equations 4.10 and 4.11, step by step, from the regrets that the run itself keeps."""
    tree = one_seat()
    solver = SampledBets(tree, every_deal, rule=rule, horizon=4)
    for t in range(1, 8):
        before = solver.sizing.table.copy()
        solver.step(1)
        after = solver.sizing.table
        reach = after[:, 5] - before[:, 5]
        down, up = np.maximum(after[:, REGRET_LOW], 0), np.maximum(after[:, REGRET_HIGH], 0)
        share = np.where(down + up > 0, up / np.where(down + up > 0, down + up, 1), 0.5)
        wanted = after[:, LOW] + share * (after[:, HIGH] - after[:, LOW])
        factor = {"every": 1, "reach": reach, "matching": 0}[rule]
        moved = before[:, SIZE] + factor * (wanted - before[:, SIZE]) / min(t, 4)
        if rule == "matching":
            moved = np.where(reach > 0, wanted, before[:, SIZE])
        assert after[:, SIZE] == pytest.approx(moved, abs=1e-12)
    assert solver.sizing.sizes(7) == pytest.approx(after[:, 3] / 7)


def test_a_restored_run_goes_on_bit_for_bit(every_deal):
    tree = one_seat()
    for make in (lambda: SampledBets(tree, every_deal), lambda: VectorBets(tree, DEAL)):
        whole, first, second = make(), make(), make()
        whole.step(120)
        first.step(70)
        second.restore(70, {name: array.copy() for name, array in first.arrays().items()})
        second.step(50)
        for name, array in whole.arrays().items():
            assert (second.arrays()[name] == array).all(), name


def test_wide_deals_go_through_blas(monkeypatch, every_deal):
    """The same run by matrix products, in single precision as iterations of wide games are."""
    from kibitz.bet_sizing.compiled import BetSizingGame

    tree = Transformation(
        nolimit_kuhn(max_raises=1), ((SizeRange(0.3, 0.6),), (SizeRange(0.3, 0.6),)), ("", "")
    ).build()
    deal = matrix_deal(tree.shape.game)
    narrow = VectorBets(tree, deal)
    narrow.step(200)
    monkeypatch.setattr(BetSizingGame, "is_dense", True)
    wide = VectorBets(tree, deal)
    assert wide.compiled.game[7].size == 0
    wide.step(200)
    assert wide.sizes() == pytest.approx(narrow.sizes(), abs=1e-3)
    strategy = narrow.average_strategy()
    exact = size_slopes(tree, deal, strategy, narrow.sizes())
    monkeypatch.undo()
    assert exact.slope == pytest.approx(size_slopes(tree, deal, strategy, narrow.sizes()).slope, abs=1e-12)

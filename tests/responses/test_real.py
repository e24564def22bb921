"""Real-game values and best responses against plain matrices, analytic values, and themselves."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.deals.board import SUITS, NextCard, next_cards
from kibitz.deals.joint import Boards
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.policy.hands import HOLES, HandPolicy, blind_layout
from kibitz.responses.real.boards import BoardHands, Flops, kept_by
from kibitz.responses.real.compiled import compile_rounds, list_rows
from kibitz.responses.real.preflop import (
    FlopValues,
    choose,
    class_means,
    expected_mass,
    rivals,
    starting_classes,
)
from kibitz.responses.real.response import Responder, half_width_of_halves, real_exploitability, respond_by_flop
from kibitz.responses.real.value import ExpectedValue, expected_value
from kibitz.strategy import Strategy
from kibitz.tree import build_tree
from responses.plain_real import apart, plain_preflop, plain_response, plain_value, toy_policy, toy_tree

TREE = toy_tree()
TINY = toy_tree(200)  # all-in or nothing
SYMMETRIC = (0, 4, 8)  # three cards of one suit: six suit changes keep it


def blind(tree, action: str) -> HandPolicy:
    layout, abstraction = blind_layout(tree)
    strategy = Strategy.always(layout, action) if action else Strategy.uniform(layout)
    return HandPolicy.of(strategy, abstraction)


@pytest.mark.parametrize(("game", "menu"), [("holdem-limit-2p", "full"), ("holdem-nolimit-2p", "fcpa")])
@pytest.mark.parametrize("player", [0, 1])
def test_rows_hold_every_end_of_the_betting(game, menu, player):
    tree = build_tree(load_game(game), menu)
    rounds = list_rows(tree, player)
    folds = np.concatenate([rows.fold[rows.fold >= 0] for rows in rounds])
    assert sorted(folds.tolist()) == np.flatnonzero(tree.kind == 1).tolist()
    assert sorted(rounds[3].end[rounds[3].end >= 0].tolist()) == np.flatnonzero(tree.kind == 2).tolist()
    if game == "holdem-limit-2p":  # betting sequences that go on, 17 ends each on the river
        assert [len(rows.roots) for rows in rounds] == [1, 7, 63, 567]


@pytest.mark.parametrize("many", [0, 3])
def test_rows_stand_in_lanes_without_gaps_inside_a_unit(many):
    compiled = compile_rounds(toy_policy(TREE, 1), 0, (1.0,) * 4)[many]
    for begin, end, first, last, _a, _b in compiled.units.tolist():
        inside = (compiled.rows.tree >= first) & (compiled.rows.tree < last)
        assert compiled.lane[inside].tolist() == list(range(begin, begin + int(inside.sum())))
        assert end % 16 == 0
        assert not compiled.table.transpose(0, 2, 1).reshape(-1, 24)[begin + int(inside.sum()) : end].any()


def test_policies_know_all_hands():
    policy = toy_policy(TREE, 2)
    board = (3, 17, 40, 41, 50)
    for node in (0, int(TREE.decisions[-1])):
        size = TREE.game.board_ends[int(TREE.round[node])]
        found = policy.at(node, board)
        blocked = np.isin(HOLES, board[:size]).any(axis=1)
        assert found[:, ~blocked].sum(axis=0) == pytest.approx(1)
        assert not found[:, blocked].any()
        hand = int(np.flatnonzero(~blocked)[77])
        state = policy.abstractions[0].bucket(HOLES[hand].tolist(), board[:size])
        assert found[:, hand].tolist() == policy.strategy.at(node)[:, state].tolist()


def test_rivals_are_counted_without_common_cards():
    reach = np.random.default_rng(0).random((3, len(HOLES)))
    assert rivals(reach) == pytest.approx(reach @ apart(HOLES))


def test_values_are_those_of_plain_matrices():
    one, two = toy_policy(TREE, 3), toy_policy(TREE, 4)
    boards = Boards.sampled(2, seed=5)
    found = expected_value(one, two, boards)
    for board, sample in zip(boards.cards.tolist(), found.samples, strict=True):
        wanted = plain_value((one, two), tuple(board)), -plain_value((two, one), tuple(board))
        assert sample == pytest.approx(wanted, rel=1e-4, abs=1e-3)
    assert found.chips == pytest.approx(found.samples.mean())
    assert found.half_width == pytest.approx(12.706205 * found.samples.mean(axis=1).std(ddof=1) / np.sqrt(2))


def test_intervals_of_values_are_by_students_t():
    found = ExpectedValue(np.array([[1.0, 3.0], [2.0, 6.0], [6.0, 0.0]]), np.ones(3), 100)
    assert found.half_width == pytest.approx(4.302653 * np.std([2, 4, 3], ddof=1) / np.sqrt(3))
    assert found.seat_half_widths[0] == pytest.approx(4.302653 * np.std([1, 2, 6], ddof=1) / np.sqrt(3))


def test_nothing_won_is_written_without_a_sign_of_loss():
    assert str(ExpectedValue(np.full((2, 2), -1e-9), np.ones(2), 100)) == "+0.00 ± 0.00 mbb/hand, 2 boards"


def test_values_do_not_depend_on_threads():
    one, two = toy_policy(TREE, 3), toy_policy(TREE, 4)
    several = expected_value(one, two, 20, seed=1, threads=3)
    assert np.array_equal(expected_value(one, two, 20, seed=1).samples, several.samples)


def test_a_strategy_wins_nothing_from_itself():
    policy = toy_policy(TREE, 6)
    result = expected_value(policy, policy, 4)
    assert result.chips == 0
    assert result.half_width == 0
    again = expected_value(policy, toy_policy(TREE, 6), 4)  # the same strategy, walked for both seatings
    assert again.samples == pytest.approx(result.samples)
    assert result.seat_half_widths[0] > 0


def test_values_of_those_who_never_look():
    fold, call, anything = blind(TREE, "f"), blind(TREE, "c"), blind(TREE, "")
    assert expected_value(fold, call, 2).seats == pytest.approx((0, -50), abs=1e-2)
    assert expected_value(fold, blind(TREE, "r"), 2).seats == pytest.approx((-100, -50), abs=1e-2)
    assert expected_value(call, anything, 2).seats[0] == pytest.approx(50 / 4, abs=1e-2)  # a fold, a call, two raises
    assert expected_value(fold, call, 2).mbb(50) == 500


def test_strategies_of_different_trees_are_refused():
    with pytest.raises(KibitzError, match="same tree can be compared"):
        expected_value(blind(TREE, "c"), blind(TINY, "c"), 1)


def test_policies_refuse_what_does_not_fit():
    layout, abstraction = blind_layout(TREE)
    with pytest.raises(KibitzError, match="names no card abstraction"):
        HandPolicy.of(Strategy.uniform(layout))
    with pytest.raises(KibitzError, match="has buckets"):
        HandPolicy.of(toy_policy(TREE, 1).strategy, abstraction)
    leduc = build_tree(replace(load_game("leduc")), "full")
    with pytest.raises(KibitzError, match="two players of hold'em"):
        HandPolicy.of(Strategy.uniform(blind_layout(leduc)[0]), abstraction)


def test_next_cards_stand_for_all():
    kept = kept_by(SYMMETRIC)
    assert len(kept) == 6
    turns = list(next_cards(SYMMETRIC, kept))
    assert sum(len(each.copies) for each in turns) == 49
    assert len(turns) == 10 + 13  # of the suit of the flop, and of one other suit
    rivers = [len(each.copies) for turn in turns for each in next_cards((*SYMMETRIC, turn.card), turn.kept)]
    assert sum(rivers) == 48 * len(turns)


@pytest.mark.parametrize("seat", [0, 1])
def test_turns_are_those_of_plain_matrices(seat):
    policy = toy_policy(TREE, 7)
    responder = Responder(policy, seat)
    hands = BoardHands(SYMMETRIC)
    turn = list(next_cards(SYMMETRIC, kept_by(SYMMETRIC)))[-1]
    assert len(turn.kept) == 2  # so that rivers are merged too
    roots = responder.rounds[2].rows.roots.tolist()
    reach = np.random.default_rng(8).random((len(roots), 1, 13, 13))
    ranks = np.sort(hands.cards >> 2, axis=1).T
    suited = np.zeros((len(roots), hands.width), dtype=np.float32)
    suited[:, : len(hands.cards)] = reach[:, 0, ranks[0], ranks[1]]  # does not know suits, as merging needs
    found = responder._turn(hands, turn, suited.reshape(-1))[:, : len(hands.cards)]
    board = (*SYMMETRIC, turn.card)
    tree = (len(roots) // 2, 0)[seat]
    entering = suited[tree, : len(hands.cards)].astype(np.float64)
    wanted = plain_response(policy, seat, roots[tree], 2, entering, board, hands.numbers) / 45
    assert found[tree] == pytest.approx(wanted, rel=1e-4, abs=float(1e-4 * np.abs(wanted).max()))


@pytest.mark.parametrize("seat", [0, 1])
def test_flops_are_those_of_plain_matrices(seat, monkeypatch):
    policy = toy_policy(TINY, 9)
    responder = Responder(policy, seat)
    worth, mass = responder.flop(SYMMETRIC)
    hands = BoardHands(SYMMETRIC)
    count = len(hands.cards)
    seen = {}

    def turns(hands, entering):
        """Every turn card by itself, and every river: nothing merged."""
        cards = [NextCard(card, SUITS[:1], SUITS[:1]) for card in range(52) if card not in SYMMETRIC]
        total = np.sum([responder._turn(hands, card, entering) for card in cards], axis=0)
        for node, reach, value in zip(
            responder.rounds[2].rows.roots.tolist(), entering.reshape(total.shape), total, strict=True
        ):
            seen[node] = reach[:count].astype(np.float64), value[:count].astype(np.float64)
        return total

    monkeypatch.setattr(responder, "_turns", turns)
    plain, _mass = responder.flop(SYMMETRIC)
    close = float(1e-4 * np.abs(plain).max())
    assert worth == pytest.approx(plain, rel=1e-4, abs=close)

    def next_round(node, reach):
        assert reach == pytest.approx(seen[node][0], abs=1e-6)
        return seen[node][1]

    reach = responder.reach()[responder.rounds[0].rows.end >= 0]
    for tree, root in enumerate(responder.rounds[1].rows.roots.tolist()):
        entering = reach[tree, hands.numbers]
        wanted = plain_response(policy, seat, root, 1, entering, SYMMETRIC, hands.numbers, next_round)
        assert worth[tree, hands.numbers] == pytest.approx(wanted, rel=1e-4, abs=close)
        assert mass[tree, hands.numbers] == pytest.approx(apart(hands.cards) @ entering, rel=1e-5)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_round_is_that_of_a_plain_loop(seat):
    policy = toy_policy(TREE, 10)
    responder = Responder(policy, seat)
    trees = len(responder.rounds[1].first)
    generator = np.random.default_rng(11)
    mass = generator.random((5, trees, 169)) + 0.5
    values = FlopValues(generator.normal(0, 300, mass.shape), mass, np.ones((trees, 169)))
    asked, told = np.array([1.0, 2, 0, 0, 0]), np.array([0, 0, 3.0, 1, 1])
    ratio = np.tensordot(asked, values.worth, 1) / np.tensordot(asked, mass, 1)
    rate = np.tensordot(told / 5, values.worth - ratio * (mass - 1), 1)
    wanted = plain_preflop(policy, seat, [ratio, rate], starting_classes())(responder.rounds[1].rows.roots).sum(axis=1)
    found = choose(responder.rounds[0], responder.reach(), values, asked, told)
    assert (found.value, found.told) == pytest.approx(tuple(wanted / (1326 * 1225)), rel=1e-5)
    assert found.deviation > 0


def test_what_is_told_is_unbiased_and_its_deviation_that_of_repeated_samples():
    """Where a flop leaves a hand less mass it wins more, as flops do that pair it: ratios would flatter it."""
    responder = Responder(toy_policy(TINY, 10), 0)
    trees, draws = len(responder.rounds[1].first), 5
    generator = np.random.default_rng(12)
    lucky = generator.random((300, 1, 1)) < 0.3  # flops are good or bad for all hands
    mass = np.where(lucky, 0.5, 1.2) * (generator.random((300, trees, 169)) / 10 + 1)
    population = FlopValues(mass * np.where(lucky, 150.0, -50.0), mass, mass.mean(axis=0))
    asked = np.ones(300)
    first, reach = responder.rounds[0], responder.reach()
    truth = choose(first, reach, population, asked, asked)
    assert truth.told == pytest.approx(truth.value)
    found = []
    for _ in range(400):
        told = np.bincount(generator.integers(0, 300, draws), minlength=300).astype(np.float64)
        found.append(choose(first, reach, population, asked, told))
    deviation = np.std([each.told for each in found])
    assert abs(np.mean([each.told for each in found]) - truth.value) < 3 * deviation / np.sqrt(len(found))
    said = np.sqrt(np.mean([each.deviation**2 for each in found if np.isfinite(each.deviation)]))
    assert said == pytest.approx(deviation, rel=0.15)


def test_the_expected_mass_is_the_mean_over_all_flops():
    responder = Responder(toy_policy(TINY, 10), 0)
    compiled, reach = responder.rounds[0], responder.reach()
    closing = reach[compiled.rows.end >= 0]
    flops = Flops.all()
    total = np.zeros((len(closing), 169))
    for cards, weight in zip(flops.cards, flops.weights, strict=True):
        there = ~np.isin(HOLES, cards).any(axis=1)
        total += weight * class_means(np.where(there, rivals(closing * there), 0.0))
    assert total / 22100 == pytest.approx(expected_mass(compiled, reach), rel=1e-9)


def test_the_lower_bound_does_not_flatter():
    """One blind is all-in and the other calls: nothing can be won."""
    game = replace(load_game("holdem-nolimit-2p"), stacks=(100, 200))
    policy = blind(build_tree(game, "fcpa"), "c")
    found = [real_exploitability(policy, Flops.sampled(4, seed)) for seed in range(3)]
    assert all(each.lower - each.half_width <= 0 for each in found)
    assert min(each.lower for each in found) < 0
    assert all(each.exploitability >= -1e-6 for each in found)


def test_few_flops_have_wide_intervals():
    assert half_width_of_halves([1.0, 1.0], [2, 2]) == pytest.approx(4.302653 / np.sqrt(2), rel=1e-6)


def test_tables_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr("kibitz.responses.real.compiled.available_bytes", lambda: 1)
    with pytest.raises(KibitzError, match="fewer buckets or bets"):
        Responder(toy_policy(TINY, 1), 0)


def test_class_means_are_means():
    values = np.random.default_rng(0).random((2, len(HOLES)))
    kinds = starting_classes()
    assert np.bincount(kinds).tolist().count(6) == 13
    assert class_means(values)[1, kinds[9]] == pytest.approx(values[1, kinds == kinds[9]].mean())


@pytest.mark.parametrize(("game", "menu"), [("holdem-limit-2p", "full"), ("holdem-nolimit-2p", "fcpa")])
def test_always_folding_loses_three_quarters_of_a_blind(game, menu):
    tree = build_tree(load_game(game), menu)
    result = real_exploitability(blind(tree, "f"), Flops.sampled(4, seed=1))
    assert result.mbb(result.exploitability) == pytest.approx(750, abs=1e-9)
    assert result.mbb(result.lower) == pytest.approx(750, abs=1e-9)
    assert result.half_width == pytest.approx(0, abs=1e-9)
    assert result.responses == pytest.approx((tree.game.big_blind / 2, tree.game.big_blind))


def test_a_half_of_one_flop_gives_no_interval():
    result = real_exploitability(toy_policy(TINY, 12), Flops.sampled(3, seed=1))
    assert result.half_width == float("inf")
    assert np.isfinite(result.lower)


def test_one_class_drawn_twice_gives_no_interval():
    responder = Responder(toy_policy(TINY, 10), 0)
    shape = (2, len(responder.rounds[1].first), 169)
    values = FlopValues(np.ones(shape), np.ones(shape), np.ones(shape[1:]))
    told = choose(responder.rounds[0], responder.reach(), values, np.array([1.0, 0]), np.array([0, 2.0]))
    assert told.deviation == float("inf")


def test_best_responses_do_not_depend_on_threads_and_beat_the_strategy_itself():
    policy = toy_policy(TINY, 12)
    flops = Flops.sampled(2, seed=2)
    *steps, result = respond_by_flop(policy, flops)
    assert steps == list(range(1, len(flops) + 1))
    assert real_exploitability(policy, flops, threads=2) == result
    itself = expected_value(policy, policy, 50)
    assert result.responses[0] > itself.seats[0]
    assert result.responses[1] > itself.seats[1]
    assert result.exploitability >= result.lower > 0
    assert not result.exact


def test_samples_of_flops():
    every = Flops.all()
    assert (len(every), every.weights.sum()) == (1755, 22100)
    some = Flops.sampled(9, seed=3)
    assert some.halves.sum(axis=1).tolist() == [5, 4]
    assert np.array_equal(some.cards, Flops.sampled(9, seed=3).cards)
    with pytest.raises(KibitzError, match="at least two"):
        Flops.sampled(1, seed=0)

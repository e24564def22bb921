"""The parts of a spot solver: forests, layouts, payoffs, discounts, grids, and sizes counted beforehand."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.cards import RANKS, parse_cards
from kibitz.deals.board import LANES
from kibitz.errors import KibitzError
from kibitz.lanes import aligned_zeros
from kibitz.solvers.cfr import WEIGHTINGS
from kibitz.spots import Rake, Spot, SpotCFR, SpotGame, measure_strategy
from kibitz.spots.compiled import CHANCE, UNIT_SLOTS, make_units
from kibitz.spots.grid import SIZE, choices, class_names, class_shares, plot_decision
from kibitz.spots.report import find_decision, inspect
from kibitz.spots.solver import ALGORITHMS, discounts
from kibitz.spots.spot import spot_bytes, spot_size
from kibitz.strategy import Strategy
from kibitz.tree import DECISION, FOLD, SHOWDOWN, build_tree

SPOTS = {
    "river": Spot.parse("Qs Jh 2h 8d 3c", 20, 60, "AA:0.5,QJs,T9s,7h6h", "QQ,AQs,KTs,9h8h", "0.5, 1, all-in"),
    "turn": Spot.parse("Qs Jh 2h 8d", 10, 15, "AsAd,QhJc,Th9h", "QdQc,AhKh,9s9c:0.5", "1, all-in"),
    "flop": Spot.parse("Qs Jh 2h", 10, 12, "AsAd,Th9h", "QdQc,AhKh", "all-in"),
}


@cache
def compiled(name):
    return SpotGame(SPOTS[name])


@pytest.mark.parametrize("name", SPOTS)
def test_every_betting_node_is_a_line_of_its_round(name):
    """Decisions and ends stand in their own round; what plays on is a chance node there and a root in the next."""
    tree = SPOTS[name].tree
    units = list(make_units(tree))
    last = tree.game.rounds - 1
    for round_ in range(last + 1):
        lines = [line for unit in units if unit.round == round_ for line in unit.lines]
        decided = sorted(line.node for line in lines if line.kind == DECISION)
        assert decided == [node for node in tree.decisions.tolist() if tree.round[node] == round_]
        for line in lines:
            if line.kind == FOLD:
                assert tree.kind[line.node] == FOLD
            if line.kind == SHOWDOWN:
                assert round_ == last
            if line.kind == CHANCE:
                assert round_ < last
                assert tree.kind[line.node] == SHOWDOWN or tree.round[line.node] > round_
    folds = [line.node for unit in units for line in unit.lines if line.kind == FOLD]
    assert sorted(folds) == np.flatnonzero(tree.kind == FOLD).tolist()
    showdowns = [line.node for unit in units for line in unit.lines if line.kind == SHOWDOWN]
    assert sorted(showdowns) == np.flatnonzero(tree.kind == SHOWDOWN).tolist()


@pytest.mark.parametrize("name", SPOTS)
def test_reach_rows_change_where_a_player_acts(name):
    tree = SPOTS[name].tree
    for unit in make_units(tree):
        for line in unit.lines:
            if line.kind != DECISION:
                continue
            actor = int(tree.player[line.node])
            below = unit.lines[line.first : line.first + line.children]
            assert [child.node for child in below] == list(
                range(int(tree.first_child[line.node]), int(tree.first_child[line.node] + tree.children[line.node]))
            )
            assert len({child.slot[actor] for child in below} | {line.slot[actor]}) == len(below) + 1
            assert {child.slot[1 - actor] for child in below} == {line.slot[1 - actor]}
        assert max(max(line.slot[p] for line in unit.lines) + 1 for p in range(2)) == max(unit.slots)


def test_units_of_the_last_round_are_cut_where_they_are_large():
    spot = replace(SPOTS["turn"], stacks=(400, 400), menus="0.5, 1, 2, all-in")
    units = [unit for unit in make_units(build_tree(spot.game, spot.menus)) if unit.round == 1]
    assert len(units) > 1
    for unit in units:
        alone = len(unit.roots) == 1
        before_last = max(line.slot[p] for p in range(2) for line in unit.lines[: unit.roots[-1][0]] or unit.lines[:1])
        assert alone or before_last < UNIT_SLOTS


@pytest.mark.parametrize("name", SPOTS)
def test_gathered_sums_come_back(name):
    """`spread` and `gather` are inverses, and empty states stay empty."""
    game = compiled(name)
    values = np.random.default_rng(1).random(game.layout.size)
    sums = game.spread(values)
    np.testing.assert_array_equal(game.gather(sums), values)
    assert np.count_nonzero(sums) == game.layout.size
    strategy = Strategy.from_sums(game.layout, values)
    for node in game.tree.decisions[:5].tolist():
        block = game.sums_at(sums, node)
        assert block.shape[1] == game.tree.children[node]
        played = block / np.maximum(block.sum(axis=1, keepdims=True), 1e-300)
        states = game.deal.states[game.tree.round[node]]
        player = int(game.tree.player[node])
        first = states.count[0, player]
        np.testing.assert_allclose(played[0][:, :first], strategy.at(node)[:, :first])


@pytest.mark.parametrize("name", SPOTS)
def test_weights_are_the_ranges_in_the_order_of_states(name):
    game = compiled(name)
    states = game.deal.states[0]
    for player, held in enumerate(SPOTS[name].ranges):
        weights = dict(zip(held.hands, held.weights, strict=True))
        count = int(states.count[0, player])
        found = game.weights(player)
        wanted = [weights[max(hand), min(hand)] for hand in states.hands[player][0, :count].tolist()]
        assert found[:count].tolist() == wanted
        assert not found[count:].any()


chips = st.integers(0, 400)


@given(st.integers(1, 500), chips, chips, st.floats(0, 0.2), st.floats(0, 50))
def test_both_players_win_the_pot_less_the_rake(pot, one, two, share, cap):
    spot = replace(SPOTS["river"], pot=pot, rake=Rake(share, cap))
    taken = spot.rake.of(pot + 2 * min(one, two))
    assert 0 <= taken <= cap
    first, second = (spot.payoffs((one, two), player) for player in range(2))
    for mine, theirs in ((0, 2), (1, 1), (2, 0)):  # win and loss, two halves, loss and win
        assert first[mine] + second[theirs] == pytest.approx(pot - taken)
    assert first[0] >= first[1] >= first[2]
    assert spot.is_zero_sum == (spot.rake.of(pot) == 0)


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(list(SPOTS)), st.integers(0, 2**32 - 1))
def test_random_strategies_share_the_pot_and_lose_to_responses(name, seed):
    game = compiled(name)
    generator = np.random.default_rng(seed)
    strategy = Strategy.from_sums(game.layout, generator.random(game.layout.size))
    measured = measure_strategy(game, strategy)
    assert sum(measured.values) == pytest.approx(SPOTS[name].pot, abs=1e-9)
    assert min(measured.gains) >= -1e-9
    assert measured.exploitability == pytest.approx(sum(measured.gains) / 2)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_discounts_are_those_of_the_matrix_solver(algorithm):
    """The table of spots against the rule that the vector kernels use, iteration by iteration."""
    from kibitz.solvers.vector import rule_at

    weighting = WEIGHTINGS[algorithm]
    table = discounts(weighting, 1, 30)
    np.testing.assert_array_equal(table[6:12], discounts(weighting, 7, 6))
    for t, (positive, negative, weight, least) in enumerate(table.tolist(), 1):
        rule = rule_at(t, weighting.discounts)
        assert positive == pytest.approx(float(rule[0]))
        if weighting.beta != -np.inf:  # else nothing below 0 is left to be scaled
            assert negative == pytest.approx(float(rule[1]))
        assert weight == pytest.approx(t**weighting.gamma)
        assert least == (0 if algorithm == "cfr+" else -np.inf)


def test_predictions_have_no_spots():
    assert "pcfr+" not in ALGORITHMS
    with pytest.raises(KibitzError, match=r"no algorithm 'pcfr\+' for spots"):
        SpotCFR(compiled("river"), "pcfr+")


@pytest.mark.parametrize("name", SPOTS)
def test_sizes_are_counted_before_they_are_built(name):
    """The report holds the layout's pairs and the empty states that fill up vectors; bytes grow with the numbers."""
    spot, game = SPOTS[name], compiled(name)
    report = spot_size(spot)
    assert report.nodes == len(game.tree)
    assert report.pairs == game.size >= game.layout.size
    assert spot_bytes(spot, 8) - spot_bytes(spot, 4) == 8 * report.pairs
    for width in game.deal.widths:
        assert all(each % LANES == 0 for each in width)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_vectors_begin_at_a_cache_line(dtype):
    for size in (1, 7, 1000):
        array = aligned_zeros(size, dtype)
        assert array.shape == (size,)
        assert array.dtype == dtype
        assert array.ctypes.data % 64 == 0
        assert not array.any()


def solved(name, iterations=30):
    solver = SpotCFR(compiled(name), "dcfr", "float64")
    solver.step(iterations)
    return solver


def test_the_grid_names_every_class_once():
    names = class_names()
    flat = [name for row in names for name in row]
    assert len(set(flat)) == len(flat) == 169
    assert names[0][:3] == ["AA", "AKs", "AQs"]
    assert names[1][:2] == ["AKo", "KK"]
    assert {name[2:] for name in flat} == {"", "s", "o"}
    assert [names[i][i][0] for i in range(SIZE)] == list(RANKS[::-1])


def test_cells_are_means_over_their_hands():
    """Every cell against a plain loop over the hands that it holds."""
    decision = inspect(solved("river"))
    hands, shares, names = decision.hands[decision.player], class_shares(decision), class_names()
    sums = {}
    for (one, two), weight, row in zip(hands.cards.tolist(), hands.weights, decision.strategy.T, strict=True):
        high, low = max(one, two), min(one, two)
        kind = "" if high >> 2 == low >> 2 else "s" if high & 3 == low & 3 else "o"
        name = RANKS[high >> 2] + RANKS[low >> 2] + kind
        sums[name] = sums.get(name, 0) + weight * row
    for row in range(SIZE):
        for column in range(SIZE):
            name = names[row][column]
            if name in sums and sums[name].sum() > 0:
                np.testing.assert_allclose(shares[row, column], sums[name] / sums[name].sum())
            else:
                assert np.isnan(shares[row, column]).all()


def test_actions_have_letters_and_colours_of_their_own():
    decision = inspect(solved("river"))
    shown = choices(decision)
    assert [each.words for each in shown] == list(decision.words)
    assert len({each.letter for each in shown}) == len(shown)
    assert shown[0].letter == "C"
    assert shown[-1].letter == "A"
    assert sum(each.frequency for each in shown) == pytest.approx(1)
    facing = inspect(solved("river"), "r10")
    assert [each.letter for each in choices(facing)][:2] == ["F", "C"]


def test_a_decision_is_drawn(tmp_path):
    path = tmp_path / "decision.svg"
    plot_decision(inspect(solved("river", 5)), path)
    text = path.read_text()
    assert text.startswith("<?xml")
    assert len(text) > 10_000


@pytest.mark.parametrize(
    ("name", "history", "dealt", "message"),
    [
        ("river", "r10f", "", "the hand is over"),
        ("turn", "cc", "", "1 cards have been dealt to the board: 0 are given"),
        ("turn", "", "2c", "0 cards have been dealt to the board: 1 are given"),
        ("turn", "cc", "Qs", "it is on the table already"),
        ("river", "r7", "", "the tree has"),
    ],
)
def test_decisions_that_are_not_there(name, history, dealt, message):
    with pytest.raises(KibitzError, match=message):
        find_decision(compiled(name), history, dealt)


def test_decisions_are_found_with_their_boards():
    node, boards, board = find_decision(compiled("turn"), "cc", "2c")
    game = compiled("turn")
    assert game.tree.history(node) == "cc/"
    assert board == parse_cards("QsJh2h8d2c")
    assert game.deal.boards[1][boards[0]].cards == board


def test_hands_at_a_decision_add_up():
    """At the root: reach is the range, equities of both players share the pot, values add up to it."""
    decision = inspect(solved("river", 200))
    first, second = decision.hands
    assert first.mean(first.equities) + second.mean(second.equities) == pytest.approx(1, abs=1e-6)
    assert first.mean(first.values) + second.mean(second.values) == pytest.approx(20, abs=1e-6)
    assert decision.frequencies == pytest.approx(
        [float(first.weights @ row / first.weights.sum()) for row in decision.strategy]
    )
    assert decision.pot == 20
    assert decision.to_call == 0
    assert len(first.labels) == len(first.cards)


@pytest.mark.parametrize("change", [{"share": 1.0}, {"share": -0.1}, {"share": 0.1, "cap": -1}])
def test_rakes_that_cannot_be(change):
    with pytest.raises(KibitzError, match="a share from 0 to below 1"):
        Rake(**change)

"""Deals of any small game: matrices, samples and enumeration say the same of whatever deck there is."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.cards import format_cards, parse_cards
from kibitz.deals import matrix_deal
from kibitz.deals.board import BoardDeal
from kibitz.deals.matrix import count_deals
from kibitz.deals.naming import Namer, list_boards, list_states
from kibitz.deals.sampled import sampled_deal
from kibitz.equity import Range, compute_equity
from kibitz.evaluator import evaluate
from kibitz.games import load_game
from kibitz.responses.best_response import expected_values
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy
from kibitz.testing import check_deal
from kibitz.tree.count import count_private_states

LEDUC = load_game("leduc")


@st.composite
def small_games(draw):
    """Leduc with another deck, one or two hole cards, one or two board cards, and players who may not look."""
    suits, ranks = draw(st.sampled_from([(1, 4), (1, 5), (2, 3), (2, 4), (3, 3)]))
    hole = draw(st.integers(1, 2)) if suits * ranks >= 6 else 1
    board = draw(st.integers(0, 2 if hole == 1 else 1))
    sighted = draw(st.sampled_from([(True, True), (True, False)]))
    return replace(
        LEDUC, suits=suits, ranks=ranks, hole_cards=hole, board_cards=(0, board), sighted=sighted, name="small"
    )


@settings(max_examples=8, deadline=None)
@given(small_games(), st.booleans())
def test_any_small_deal_keeps_the_contract(game, suits_merged):
    check_deal(matrix_deal(game, suits_merged))
    check_deal(sampled_deal(game, suits_merged))


@settings(max_examples=12, deadline=None)
@given(small_games(), st.booleans())
def test_states_are_as_many_as_are_counted_without_dealing(game, suits_merged):
    deal = matrix_deal(game, suits_merged)
    assert tuple(map(tuple, deal.counts.tolist())) == count_private_states(game, suits_merged)
    listed = sampled_deal(game, suits_merged)
    assert np.array_equal(listed.counts, deal.counts)
    assert listed.fingerprint == deal.fingerprint
    assert listed.labels == list_states(game, suits_merged)


@settings(max_examples=10, deadline=None)
@given(small_games(), st.integers(0, 2**32 - 1))
def test_merging_suits_loses_nothing(game, seed):
    """Strategies that know nothing of suits win the same in the merged deal as in the whole one."""
    merged, kept = (Problem(game, "full", suits_merged).vector for suits_merged in (True, False))
    generator = np.random.default_rng(seed)
    by_node = {node: generator.random(int(merged.tree.children[node])) for node in merged.tree.decisions.tolist()}
    values = []
    for compiled in (merged, kept):
        strategy = Strategy.uniform(compiled.layout)
        for node, sums in by_node.items():
            strategy.at(node)[...] = (sums / sums.sum())[:, None]
        values.append(expected_values(compiled, strategy)[0])
    assert values[0] == pytest.approx(values[1], abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(small_games())
def test_boards_stand_for_all_boards(game):
    """The boards that are dealt, as often as each stands for others, are all that there are."""
    kept, merged = list(list_boards(game, False)), list(list_boards(game, True))
    assert sum(count for _board, count in kept) == sum(count for _board, count in merged)
    assert len({board for board, _count in kept}) == len(kept)
    namer = Namer(game, True)
    names = {namer.board(board, game.rounds - 1) for board, _count in kept}
    assert names == {namer.board(board, game.rounds - 1) for board, _count in merged}


@settings(max_examples=20, deadline=None)
@given(small_games(), st.integers(0, 2**32 - 1))
def test_what_a_player_sees_has_one_name_whatever_the_order(game, seed):
    """Hole cards in any order, and suits under any names, are one state where suits are merged."""
    generator = np.random.default_rng(seed)
    cards = generator.permutation(game.deck).tolist()
    hole, board = tuple(cards[: game.hole_cards]), tuple(cards[game.hole_cards :][: game.board_ends[-1]])
    last = game.rounds - 1
    namer = Namer(game, True)
    name = namer.hand(hole, board, last)
    assert namer.hand(hole[::-1], board, last) == name
    shift = 4 - game.suits  # small decks use some suits only
    suits = generator.permutation(game.suits)
    lowest = min(card & 3 for card in game.deck)

    def renamed(card):
        return card & ~3 | int(suits[(card & 3) - lowest]) + lowest

    assert shift >= 0
    assert namer.hand(tuple(map(renamed, hole)), tuple(map(renamed, board)), last) == name


def test_deals_are_counted():
    assert count_deals(load_game("kuhn")) == 6
    assert count_deals(LEDUC) == 6 * 5 * 4


hands = st.sampled_from(["AA", "KQs", "T9s", "77", "AhKh", "5s4s", "QJo", "A2s:0.5"])


@settings(max_examples=12, deadline=None)
@given(
    st.lists(hands, min_size=1, max_size=3),
    st.lists(hands, min_size=1, max_size=3),
    st.sampled_from(["QsJh2h8d3c", "KsKdKh2c2d", "Th9h8h7h2s"]),
)
def test_shares_of_a_river_are_equities(one, two, board):
    """Groups of equal strength, added up over all pairs of hands, are the all-in equity on the board."""
    cards = parse_cards(board)
    ranges = tuple(Range.parse(",".join(each)) for each in (one, two))
    try:
        deal = BoardDeal(cards, ranges)
    except ValueError:
        return  # they cannot be dealt together
    states = deal.states[0]
    share = total = 0.0
    strengths = []
    for p in range(2):
        count = int(states.count[0, p])
        strengths.append([evaluate((*hand, *cards)) for hand in states.hands[p][0, :count].tolist()])
    for i, mine in enumerate(strengths[0]):
        for j, theirs in enumerate(strengths[1]):
            first, second = states.hands[0][0, i], states.hands[1][0, j]
            if set(first.tolist()) & set(second.tolist()):
                continue
            weight = deal.weights[0][tuple(first)] * deal.weights[1][tuple(second)]
            total += weight
            share += weight * (0.5 if mine == theirs else float(mine > theirs))
    assert total == pytest.approx(deal.mass)
    found = compute_equity([",".join(one), ",".join(two)], format_cards(cards), method="exact")
    assert share / total == pytest.approx(found.equities[0], abs=1e-9)


@cache
def turn(suits_merged):
    return BoardDeal(parse_cards("QsJh2h8d"), (Range.parse("AA,KQs,T9s"), Range.parse("QQ,A5s,98s")), suits_merged)


def test_merged_boards_weigh_as_much_as_all_of_them():
    merged, kept = turn(True), turn(False)
    assert len(kept.boards[1]) == 48
    assert sum(len(board.copies) for board in merged.boards[1]) == 48
    assert merged.mass == kept.mass
    assert merged.chances == kept.chances
    assert merged.counts[1].sum() <= kept.counts[1].sum()


def test_same_hands_find_each_other():
    """`same` leads to the opponent's state of the same cards and back."""
    deal = BoardDeal(parse_cards("QsJh2h8d"), (Range.parse("AA,KQs,T9s"), Range.parse("AA,T9s,98s")))
    for states in deal.states:
        for board in range(len(states.count)):
            for player in range(2):
                count, other = states.count[board, player], states.count[board, 1 - player]
                mine, theirs = states.hands[player][board], states.hands[1 - player][board]
                listed = {tuple(hand) for hand in theirs[:other].tolist()}
                for state in range(count):
                    place = states.same[player][board, state]
                    if tuple(mine[state].tolist()) in listed:
                        assert mine[state].tolist() == theirs[place].tolist()
                        assert states.same[1 - player][board, place] == state
                    else:
                        assert place == states.width[1 - player] - 1

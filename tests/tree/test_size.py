"""Sizes counted without building, against trees that are built, closed forms, and each other."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kibitz.amounts import format_count
from kibitz.deals import matrix_deal
from kibitz.errors import KibitzError
from kibitz.games import Game, State, load_game
from kibitz.games.named import leduc_nolimit, limit_holdem, nolimit_holdem, nolimit_kuhn, rhode_island
from kibitz.strategy import Layout
from kibitz.tree import DECISION, FOLD, SHOWDOWN, Tree, build_tree
from kibitz.tree import count as count_module
from kibitz.tree.count import Tally, count_private_states, count_tree
from kibitz.tree.size import check_fits, size_report


def plain_tallies(tree: Tree) -> list[Tally]:
    """What `count_tree` should say, node by node."""
    players = tree.game.players
    tallies = [Tally([0] * players, [0] * players, [0] * players, [0] * players) for _ in range(tree.game.rounds)]
    for node in range(len(tree)):
        tally, player, parent = tallies[tree.round[node]], int(tree.player[node]), int(tree.parent[node])
        if tree.kind[node] == DECISION:
            actions = tree.actions[tree.first_child[node] : tree.first_child[node] + tree.children[node]]
            tally.decisions[player] += 1
            tally.actions[player] += len(actions)
            tally.checks[player] += "f" not in actions
            if parent >= 0 and tree.round[parent] != tree.round[node]:
                tally.openings += 1
                tallies[tree.round[parent]].closings[tree.player[parent]] += 1
        tally.folds += int(tree.kind[node] == FOLD)
        tally.showdowns += int(tree.kind[node] == SHOWDOWN)
    return tallies


def check(game: Game, menus) -> None:
    tree = build_tree(game, menus)
    assert count_tree(game, tree.menus) == plain_tallies(tree)


@pytest.mark.parametrize(
    ("game", "menus"),
    [
        (load_game("kuhn"), "full"),
        (load_game("kuhn-3p"), "full"),
        (load_game("kuhn-half-street"), "full"),
        (nolimit_kuhn(2), "full"),
        (load_game("leduc"), "full"),
        (leduc_nolimit(7), "full"),
        (limit_holdem(), "full"),
        (nolimit_holdem(), "fcpa"),
        (nolimit_holdem(), ("h-f", "fcpa")),
        (nolimit_holdem(2, 3000), "acpc-2011"),
        (nolimit_holdem(2, 2000), ("minbet-b", "big2011")),
        (nolimit_holdem(3, 1000), "fchpa"),
        (nolimit_holdem(3, 1000), ("1", "0.5 once-for-all, 2 @2-", "min once-for-all, all-in @1")),
        (replace(nolimit_holdem(3), stacks=(400, 150, 900)), "fcpa"),
        (replace(nolimit_holdem(3, 700), rules="tda", antes=(5, 5, 5)), "0.5 once, 1, all-in"),
    ],
)
def test_counts_are_those_of_the_tree(game, menus):
    check(game, menus)


PIECES = [
    "0.5",
    "1",
    "2.5",
    "min",
    "all-in",
    "0.5 once",
    "1 once",
    "min once",
    "min once-for-all",
    "1 @1",
    "2 @2-3",
    "min @2-",
]
MENUS = st.lists(st.lists(st.sampled_from(PIECES), max_size=3).map(", ".join), min_size=1, max_size=2).map(" | ".join)


@st.composite
def games(draw, players=(2, 3)):
    """Small games of every kind, some of them odd."""
    count = draw(st.sampled_from(players))
    rounds = draw(st.integers(1, 2))
    limit = draw(st.booleans())
    stack = st.integers(1, 14)
    stacks = draw(st.one_of(st.tuples(*[stack] * count), stack.map(lambda chips: (chips,) * count)))
    return Game(
        betting="limit" if limit else "nolimit",
        stacks=stacks,
        blinds=draw(st.tuples(*[st.integers(0, 2)] * count)),
        raise_sizes=draw(st.tuples(*[st.integers(1, 3)] * rounds)) if limit else (),
        first_players=draw(st.tuples(*[st.integers(0, count - 1)] * rounds)),
        max_raises=draw(st.tuples(*[st.sampled_from([0, 1, 2, 255])] * rounds)),
        suits=2,
        ranks=4,
        hole_cards=1,
        board_cards=(0, 1)[:rounds],
        antes=draw(st.tuples(*[st.integers(0, 1)] * count)),
        min_bet=draw(st.sampled_from([None, 1, 2])),
        rules=draw(st.sampled_from(["acpc", "tda"])),
        bettors=draw(st.tuples(*[st.sampled_from([True, True, False])] * count)),
    )


@settings(max_examples=400, deadline=None)
@given(games(), st.data())
def test_counts_are_those_of_the_tree_whatever_the_game(game, data):
    assume(not State.start(game).finished)
    menus = data.draw(st.one_of(MENUS, st.tuples(*[MENUS] * game.players)))
    if game.betting == "limit":
        assume(game.players == 2 or max(game.stacks) < 8)
    check(game, menus)


@settings(max_examples=100, deadline=None)
@given(games(players=(2,)))
def test_every_amount_is_counted_alike(game):
    """The closed form, where it applies, a walk, and the tree itself."""
    assume(not State.start(game).finished)
    game = replace(game, stacks=tuple(min(chips, 9) for chips in game.stacks))
    assume(not State.start(game).finished)
    tree = build_tree(game, "full")
    tallies = plain_tallies(tree)
    assert count_tree(game, tree.menus) == tallies
    assert count_module._walk(game, tree.menus) == tallies


@pytest.mark.parametrize("rules", ["acpc", "tda"])
@pytest.mark.parametrize("min_bet", [None, 1, 2, 4])
@pytest.mark.parametrize("stack", [3, 8, 12])
def test_the_closed_form_is_the_walk(stack, min_bet, rules):
    game = replace(nolimit_holdem(2, stack, 1, 2), min_bet=min_bet, rules=rules)
    menus = build_tree(nolimit_holdem(2, 3, 1, 2), "full").menus
    assert count_tree(game, menus) == count_module._walk(game, menus)


def test_the_largest_game():
    report = size_report(nolimit_holdem(), "full", suits_merged=False)
    assert f"{report.infosets:.7e}" == "6.3751907e+161"
    assert f"{report.pairs:.7e}" == "1.9125572e+162"
    assert format_count(report.infosets) == "6.375e161"
    assert isinstance(report.bytes["vector"], int)
    merged = size_report(nolimit_holdem(), "full")
    assert f"{merged.infosets:.7e}" == "2.7551039e+160"


@pytest.mark.parametrize("menus", ["min", "min, 1", "min @20-", ("min", "min, 0.5 once")])
def test_the_dealers_limit_of_actions_is_observed(menus):
    """A round of 64 actions ends the raising: minimum raises with deep stacks get there."""
    game = replace(nolimit_holdem(), first_players=(1,), max_raises=(255,), board_cards=(0,))
    tree = build_tree(game, menus)
    if menus == "min":
        assert max(tree.history(node).count("r") for node in range(len(tree))) == 63
    check(game, menus)


def test_a_walk_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(count_module, "MOST_STEPS", 1000)
    with pytest.raises(KibitzError, match="too large even to count"):
        size_report(nolimit_holdem(2, 2000), "fcqhipdvta")
    with pytest.raises(KibitzError, match="over before anybody acts"):
        size_report(replace(nolimit_holdem(), stacks=(50, 50)), "fcpa")


# Card states.

SMALL_DECKS = [
    load_game("kuhn"),
    load_game("leduc"),
    load_game("clairvoyance"),
    leduc_nolimit(),
    replace(rhode_island(), ranks=4, suits=3),
    replace(rhode_island(), ranks=4, suits=2, sighted=(True, False)),
    replace(rhode_island(), ranks=4, suits=2, hole_cards=2, board_cards=(0, 1, 1), hand_ranking="standard"),
    replace(rhode_island(), ranks=3, suits=3, hole_cards=1, board_cards=(0, 2, 1), hand_ranking="standard"),
    replace(rhode_island(), ranks=4, suits=2, hole_cards=2, board_cards=(1, 0, 2), hand_ranking="standard"),
    replace(leduc_nolimit(), ranks=4, suits=2, hole_cards=2, board_cards=(0, 1), sighted=(False, True)),
]


@pytest.mark.parametrize("suits_merged", [True, False])
@pytest.mark.parametrize("game", SMALL_DECKS, ids=range(len(SMALL_DECKS)))
def test_card_states_are_those_of_the_matrix_deal(game, suits_merged):
    assert np.array_equal(count_private_states(game, suits_merged), matrix_deal(game, suits_merged).counts)


def test_card_states_of_known_games():
    assert count_private_states(nolimit_holdem())[0] == (169, 169)
    assert [states for states, _ in count_private_states(nolimit_holdem())] == [
        169,
        1_286_792,
        55_190_538,
        2_428_287_420,
    ]
    assert [states for states, _ in count_private_states(nolimit_holdem(), suits_merged=False)][:2] == [
        1326,
        25_989_600,
    ]
    assert [states for states, _ in count_private_states(rhode_island())] == [13, 325, 9997]
    assert count_private_states(load_game("kuhn-3p")) == ((4, 4, 4),)


def test_card_states_given():
    game = load_game("leduc")
    report = size_report(game, states=(2, 7))
    assert [each.states for each in report.rounds] == [(2, 2), (7, 7)]
    assert report.infosets == 6 * 2 + 30 * 7
    assert size_report(game, states=[(2, 2), (7, 7)]) == report
    assert size_report(game, states=np.array([[2, 2], [7, 7]])) == report
    uneven = size_report(game, states=[(3, 1), (9, 2)])
    tree = build_tree(game)
    layout = Layout(tree, np.array([[3, 1], [9, 2]]), "")
    assert (uneven.infosets, uneven.pairs) == (layout.infosets, layout.size)


@pytest.mark.parametrize("states", [(5,), (5, 25, 125), [(5, 5), (25,)], (5, 0), [(1, 1, 1), (2, 2, 2)]])
def test_card_states_that_do_not_fit_are_refused(states):
    with pytest.raises(KibitzError, match="per round"):
        size_report(load_game("leduc"), states=states)


# Totals and memory.


@pytest.mark.parametrize(
    ("game", "menus"),
    [(load_game("leduc"), "full"), (leduc_nolimit(6), ("1, all-in", "full")), (load_game("clairvoyance"), "1")],
)
@pytest.mark.parametrize("suits_merged", [True, False])
def test_totals_and_memory_are_those_of_a_solver(game, menus, suits_merged):
    solvers = pytest.importorskip("kibitz.solvers.cfr")
    form_module = pytest.importorskip("kibitz.solvers.compiled.vector")
    compiled = form_module.VectorGame(build_tree(game, menus), matrix_deal(game, suits_merged))
    report = size_report(game, menus, suits_merged=suits_merged)
    assert report.nodes == len(compiled.tree)
    assert report.nodes == 1 + report.actions
    assert (report.decisions, report.infosets, report.pairs) == (
        len(compiled.tree.decisions),
        compiled.layout.infosets,
        compiled.layout.size,
    )
    solver = solvers.CFR(compiled, "cfr+")
    arrays = (solver.regret, solver.average, solver._sigma, *compiled.scratch(), compiled.game[0])
    needed = sum(array.nbytes for array in arrays)
    assert needed <= report.bytes["vector"] <= needed + 256 * report.nodes
    assert report.bytes["sampled"] == solver.regret.nbytes + solver.average.nbytes


def test_leduc():
    assert size_report(load_game("leduc")).infosets == 288
    assert size_report(load_game("leduc"), suits_merged=False).infosets == 936


def test_three_players_have_no_vector_solver():
    report = size_report(load_game("kuhn-3p"))
    assert set(report.bytes) == {"sampled"}
    with pytest.raises(KibitzError, match="there are sampled"):
        check_fits(report, 10**9)
    check_fits(report, 10**9, "sampled")


def test_what_does_not_fit_is_refused_with_the_numbers():
    report = size_report(nolimit_holdem(), "fcpa", states=(169, 100, 100, 100))
    check_fits(report, report.bytes["vector"])
    with pytest.raises(KibitzError) as caught:
        check_fits(report, report.bytes["vector"] - 1)
    for number in ("3,362 nodes", "137,380 information sets", "340,033", "with the menus 1, all-in has", "MiB"):
        assert number in str(caught.value)
    check_fits(report, report.bytes["sampled"], "sampled")


def test_an_unknown_convention_is_refused():
    with pytest.raises(KibitzError, match="one of plain, hawkin"):
        size_report(load_game("leduc"), convention="own")
    with pytest.raises(KibitzError, match="two players"):
        size_report(load_game("kuhn-3p"), convention="hawkin")

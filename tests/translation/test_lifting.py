"""A strategy with its reading as one strategy of the finer game."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.games.named import clairvoyance, leduc_nolimit, nolimit_kuhn
from kibitz.strategy import Layout, Strategy
from kibitz.translation import MAPPINGS, Reading, lift_translated
from kibitz.tree import build_tree
from translation.plain_lift import behaviour

# Ganzfried and Sandholm 2013, table 2: what player 1 of the clairvoyance game loses, by stack. The rows of the
# deterministic mappings hang on bets that lie on a threshold, and on rounding; those are left to the experiment.
STACKS = (1, 3, 5, 10, 20, 50, 100)
TABLE_2 = {
    "rand-arith": (0.00, 0.02, 0.09, 0.36, 0.96, 2.82, 5.94),
    "rand-geo-1": (0.23, 0.23, 0.23, 0.24, 0.36, 0.66, 1.01),
    "rand-geo-2": (0.23, 0.23, 0.23, 0.25, 0.36, 0.65, 1.00),
    "rand-psharmonic": (0.00,) * 7,
}
READINGS = [
    *(Reading(name) for name in MAPPINGS),
    Reading("rand-arith", tiny="bet"),
    Reading(measure="chips"),
    Reading(all_in="size"),
    Reading("det-geo under 1, rand-psharmonic | rand-arith"),
]
GAMES = {
    "leduc": leduc_nolimit(stack=6),
    "kuhn": nolimit_kuhn(stack_pots=1),
    "unequal stacks": replace(leduc_nolimit(), stacks=(4, 7)),
    "card room": replace(leduc_nolimit(), stacks=(6, 4), rules="tda"),
    "short blind": replace(leduc_nolimit(), blinds=(3, 1), stacks=(2, 8), rules="tda", first_players=(1, 0)),
    "antes": replace(leduc_nolimit(stack=7), antes=(1, 1)),
    "blinds": replace(leduc_nolimit(stack=7), blinds=(2, 1), first_players=(1, 0)),
}


def layout_of(game, menu):
    deal = matrix_deal(game)
    counts = np.array([[len(parents) for parents in each.parent] for each in deal.rounds])
    return Layout(build_tree(game, menu), counts, deal.fingerprint), deal


def any_strategy(layout, seed=1):
    return Strategy.from_sums(layout, np.random.default_rng(seed).exponential(size=layout.size))


def assert_same(strategy, deal, fine, reading):
    """The lifted strategy does what one does who follows every fine hand with a Tracker."""
    lifted = lift_translated(strategy, deal, fine, reading)
    for player in range(2):
        for node, expected in behaviour(strategy, deal, fine, reading, player).items():
            reached = ~np.isnan(expected)
            np.testing.assert_allclose(lifted.at(node)[reached], expected[reached], atol=1e-12)


@pytest.mark.parametrize("reading", READINGS, ids=str)
@pytest.mark.parametrize("menu", ["fcpa", "1", "0.5, 1", "passive"])
def test_it_does_what_a_tracker_does_whatever_the_dice_say(menu, reading):
    coarse, deal = layout_of(GAMES["leduc"], menu)
    assert_same(any_strategy(coarse), deal, layout_of(GAMES["leduc"], "full")[0], reading)


@pytest.mark.parametrize("name", GAMES)
def test_in_games_of_all_kinds(name):
    coarse, deal = layout_of(GAMES[name], "fcpa")
    assert_same(any_strategy(coarse), deal, layout_of(GAMES[name], "full")[0], Reading())


def test_with_a_limit_on_raises():
    game = leduc_nolimit(stack=6, max_raises=1)
    coarse, deal = layout_of(game, "fcpa")
    assert_same(any_strategy(coarse), deal, layout_of(game, "full")[0], Reading())


@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_into_its_own_tree_nothing_changes(reading):
    layout, deal = layout_of(GAMES["leduc"], "fchpa")
    strategy = any_strategy(layout)
    np.testing.assert_allclose(lift_translated(strategy, deal, layout, reading).values, strategy.values, atol=1e-12)


@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_two_who_keep_to_the_menu_play_the_coarse_game(reading):
    game = leduc_nolimit(stack=9)
    (coarse, deal), (fine, _) = layout_of(game, "fcpa"), layout_of(game, "full")
    strategy = any_strategy(coarse)
    lifted = lift_translated(strategy, deal, fine, reading)
    for node in map(int, coarse.tree.decisions):
        there = fine.tree.find(coarse.tree.history(node))
        first, same = int(coarse.tree.first_child[node]), strategy.at(node)
        rows = [
            fine.tree.child(there, coarse.tree.actions[first + number]) - int(fine.tree.first_child[there])
            for number in range(len(same))
        ]
        np.testing.assert_allclose(lifted.at(there)[rows], same, atol=1e-12)


def calling(stack, mapping):
    """How often player 1 of the clairvoyance game calls bets of 0.1, 0.2, ... pots; in fcpa as often as is right."""
    game = clairvoyance(stack)
    (coarse, deal), (fine, _) = layout_of(game, "fcpa"), layout_of(game, "full")
    strategy = Strategy.uniform(coarse)
    for node in np.flatnonzero((coarse.tree.player == 1) & (coarse.tree.kind == 0)):
        pots = (int(coarse.tree.spent[node, 0]) - 5) / 10
        strategy.at(int(node))[:] = [[pots / (1 + pots)], [1 / (1 + pots)]]
    lifted = lift_translated(strategy, deal, fine, Reading(mapping))
    nodes = [fine.tree.find(f"r{5 + tenth}") for tenth in range(1, 10 * stack + 1)]
    return np.arange(1, 10 * stack + 1) / 10, np.array([lifted.at(node)[1, 0] for node in nodes])


def loss(stack, mapping):
    """What player 1 loses against the best bets of each hand, more than the game is worth; in pots."""
    x, called = calling(stack, mapping)
    winner = max((0.5 + x * called).max(), 0.5)
    loser = max((0.5 - called * (1 + x)).max(), -0.5)
    return (winner + loser) / 2 - stack / (2 * (1 + stack))


@pytest.mark.parametrize("stack", [1, 2, 3, 4, 5, 7, 10, 16, 20, 35, 50, 75, 100])
def test_the_pseudo_harmonic_mapping_loses_nothing_to_a_clairvoyant(stack):
    assert loss(stack, "rand-psharmonic") == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("mapping", TABLE_2)
def test_table_2_of_the_paper(mapping):
    assert [loss(stack, mapping) for stack in STACKS] == pytest.approx(TABLE_2[mapping], abs=0.0051)


def test_deterministic_mappings_lose_more():
    for word in ("arith", "geo-1", "psharmonic"):
        assert loss(20, f"det-{word.removesuffix('-1')}") > loss(20, f"rand-{word}") + 0.2


def test_the_best_response_of_the_solvers_agrees():
    from kibitz.responses.best_response import exploitability
    from kibitz.solvers.problem import Problem

    game = clairvoyance(5)
    coarse, fine = Problem(game, "fcpa"), Problem(game, "full")
    strategy = Strategy.uniform(coarse.vector.layout)
    for node in np.flatnonzero((coarse.tree.player == 1) & (coarse.tree.kind == 0)):
        pots = (int(coarse.tree.spent[node, 0]) - 5) / 10
        strategy.at(int(node))[:] = [[pots / (1 + pots)], [1 / (1 + pots)]]
    for mapping in MAPPINGS:
        lifted = lift_translated(strategy, coarse.deal, fine.vector.layout, Reading(mapping))
        won = exploitability(fine.vector, lifted).responses[0] / 10
        assert won - 5 / 12 == pytest.approx(loss(5, mapping), abs=1e-12)

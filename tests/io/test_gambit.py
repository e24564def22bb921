"""Games written for Gambit: it must read them, and agree on values."""

import io
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.errors import FormatError
from kibitz.games import Game, load_game
from kibitz.games.named import leduc_nolimit
from kibitz.io.gambit import format_efg, write_efg
from kibitz.responses.best_response import expected_values
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.strategy import Strategy
from kibitz.tree import build_tree


def make_form(game: Game, menus="full", suits_merged=True) -> VectorGame:
    return VectorGame(build_tree(game, menus), matrix_deal(game, suits_merged))


def read(compiled: VectorGame):
    pygambit = pytest.importorskip("pygambit")
    return pygambit.read_efg(io.StringIO(format_efg(compiled.tree, compiled.deal)))


def test_gambit_solves_kuhn():
    pygambit = pytest.importorskip("pygambit")
    game = read(make_form(load_game("kuhn")))
    assert len(game.infosets) == 12
    equilibrium = pygambit.nash.lp_solve(game).equilibria[0]
    assert equilibrium.payoff("Player 0") == Fraction(-1, 18)


def gambit_value(compiled: VectorGame, strategy: Strategy) -> float:
    """What Gambit says player 0 wins; it knows information sets by the names that we gave them."""
    game = read(compiled)
    profile = game.mixed_behavior_profile(rational=False)
    for infoset in game.infosets:
        label, _, history = infoset.label.partition(" ")
        node = compiled.tree.find(history)
        player = int(compiled.tree.player[node])
        assert infoset.player.label == f"Player {player}"
        state = compiled.deal.rounds[compiled.tree.round[node]].labels[player].index(label)
        profile[infoset] = strategy.at(node)[:, state].tolist()
    return float(profile.payoff("Player 0"))


BLINDS = replace(leduc_nolimit(4), blinds=(1, 2), first_players=(0, 1))
FORMS = {
    "leduc": lambda: make_form(load_game("leduc")),
    "all-in before the board": lambda: make_form(leduc_nolimit(4)),
    "all-in, suits kept": lambda: make_form(leduc_nolimit(3), suits_merged=False),
    "blinds": lambda: make_form(BLINDS),
    "antes": lambda: make_form(replace(leduc_nolimit(5), antes=(1, 1), blinds=(0, 0))),
    "one stack covers the other": lambda: make_form(replace(leduc_nolimit(4), stacks=(3, 5))),
    "unsighted": lambda: make_form(load_game("clairvoyance"), "fcpa"),
}


@pytest.mark.parametrize("name", FORMS)
def test_gambit_values_a_strategy_alike(name):
    compiled = FORMS[name]()
    strategy = Strategy.from_sums(compiled.layout, np.random.default_rng(1).random(compiled.layout.size))
    assert gambit_value(compiled, strategy) == pytest.approx(expected_values(compiled, strategy)[0], abs=1e-9)


def test_gambit_values_a_solution_of_leduc_alike():
    compiled = FORMS["leduc"]()
    solver = CFR(compiled, "cfr+")
    solver.step(100)
    strategy = solver.average_strategy()
    assert gambit_value(compiled, strategy) == pytest.approx(expected_values(compiled, strategy)[0], abs=1e-9)


def test_sizes_of_leduc_with_suits_kept():
    game = read(make_form(load_game("leduc"), suits_merged=False))
    assert (len(game.infosets), len(game.nodes)) == (936, 151 + 3_780 + 5_520)


def test_the_text_of_kuhn():
    compiled = make_form(load_game("kuhn"))
    lines = format_efg(compiled.tree, compiled.deal).splitlines()
    assert lines[:4] == [
        'EFG 2 R "kuhn" { "Player 0" "Player 1" }',
        'c "" 1 "" { "Q, K" 1/6 "Q, A" 1/6 "K, Q" 1/6 "K, A" 1/6 "A, Q" 1/6 "A, K" 1/6 } 0',
        'p "" 1 1 "Q" { "c" "r" } 0',
        'p "" 2 5 "K c" { "c" "r" } 0',
    ]
    assert sum(line.startswith("t") for line in lines) == 30


def test_chances_are_exact_with_merged_suits():
    compiled = FORMS["leduc"]()
    text = format_efg(compiled.tree, compiled.deal)
    # Equal cards 1/15, unequal ones 2/15; the board then comes from four cards.
    assert '"Q, Q" 1/15 "Q, K" 2/15' in text
    assert '"Q|K, Q|K" 1/2 "Q|A, Q|A" 1/2' in text
    deals = [line.partition("{")[2] for line in text.splitlines() if line.startswith("c")]
    assert len(deals) == 1 + 9 * 5  # once at the start, then for nine pairs and five ways of betting
    for deal in deals:
        assert sum(Fraction(chance) for chance in re.findall(r'" ([\d/]+)', deal)) == 1
    assert "." not in text


def test_a_file_is_written_whole(tmp_path):
    compiled = make_form(load_game("kuhn"))
    path = tmp_path / "kuhn.efg"
    write_efg(compiled.tree, compiled.deal, path)
    assert path.read_text() == format_efg(compiled.tree, compiled.deal)
    assert [item.name for item in tmp_path.iterdir()] == ["kuhn.efg"]


def test_large_games_are_refused():
    game = leduc_nolimit(12)
    with pytest.raises(FormatError, match="endings"):
        format_efg(build_tree(game), matrix_deal(game, suits_merged=False))

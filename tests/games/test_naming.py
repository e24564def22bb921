"""Rounds and positions as players call them."""

from dataclasses import replace

import pytest

from kibitz.games import load_game, position_name, round_label, round_name
from kibitz.games.named import nolimit_holdem

EARLY = ["small blind", "big blind", "under the gun"]


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (2, ["big blind", "button"]),
        (3, ["small blind", "big blind", "button"]),
        (4, ["small blind", "big blind", "cutoff", "button"]),
        (5, [*EARLY, "cutoff", "button"]),
        (6, [*EARLY, "hijack", "cutoff", "button"]),
        (8, [*EARLY, "under the gun + 1", "under the gun + 2", "hijack", "cutoff", "button"]),
    ],
)
def test_positions_have_the_names_of_the_field(players, names):
    assert [position_name(nolimit_holdem(players), player) for player in range(players)] == names


def test_heads_up_the_button_is_who_acts_last_after_the_flop():
    game = replace(load_game("holdem-nolimit-2p"), blinds=(50, 100))
    assert [position_name(game, player) for player in range(2)] == ["small blind", "big blind"]


def test_other_games_have_numbers():
    for game in (load_game("leduc"), load_game("kuhn-3p"), replace(nolimit_holdem(3), blinds=(50, 100, 200))):
        assert position_name(game, 1) == "player 1"
    assert [round_name(load_game("leduc"), each) for each in range(2)] == ["round 1", "round 2"]
    assert [round_label(load_game("leduc"), each) for each in range(2)] == ["1", "2"]
    assert round_label(nolimit_holdem(2), 2) == "turn"
    assert [round_name(nolimit_holdem(2), each) for each in range(4)] == ["preflop", "flop", "turn", "river"]

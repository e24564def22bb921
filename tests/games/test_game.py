"""Games as values: what they refuse, what they derive."""

import copy
import pickle
import subprocess
import sys
from dataclasses import replace

import pytest

from kibitz.errors import GameError
from kibitz.games import GAMES, Game, load_game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.games.named import nolimit_holdem

LEDUC = load_game("leduc")
NOLIMIT = load_game("holdem-nolimit-2p")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"blinds": (1,)}, "1 players"),
        ({"blinds": (1,) * 11}, "11 players"),
        ({"board_cards": ()}, "at least one round"),
        ({"betting": "potlimit"}, "'potlimit': limit or nolimit"),
        ({"stacks": (5,)}, "2 values are needed, one per player"),
        ({"antes": (5,)}, "2 values are needed, one per player"),
        ({"bettors": (True,) * 3}, "2 values are needed, one per player"),
        ({"sighted": (True,) * 3}, "2 values are needed, one per player"),
        ({"raise_sizes": (2,)}, "2 values are needed, one per round"),
        ({"first_players": (0,)}, "2 values are needed, one per round"),
        ({"max_raises": (2, 2, 2)}, "2 values are needed, one per round"),
        ({"rules": "home"}, "one of acpc, tda"),
        ({"hand_ranking": "badugi"}, "one of standard, three-card"),
        ({"first_players": (0, 2)}, "numbered 0 to 1"),
        ({"first_players": (-1, 0)}, "numbered 0 to 1"),
        ({"blinds": (-1, 1)}, "blinds = .* whole numbers from 0"),
        ({"antes": (-1, 1)}, "antes = .* whole numbers from 0"),
        ({"blinds": (1, 10**20)}, "blinds = .* whole numbers from 0"),
        ({"stacks": (100.5, 100)}, "stacks = .* whole numbers from 0"),
        ({"stacks": (float("nan"), 100)}, "stacks = .* whole numbers from 0"),
        ({"min_bet": 2**63 - 1}, "min_bet = .* whole numbers from 0"),
        ({"raise_sizes": (2, 2**40)}, "raise_sizes = .* whole numbers from 0"),
        ({"max_raises": (-1, 2)}, "max_raises = .* from 0 to 255"),
        ({"betting": "nolimit"}, "a no-limit game has none"),
        ({"stacks": (-1, 1)}, "stacks lie between"),
        ({"stacks": (1, UNLIMITED_STACK + 1)}, "stacks lie between"),
        ({"raise_sizes": (2, 0)}, "at least 1 chip"),
        ({"min_bet": 0}, "smallest bet 0"),
        ({"hole_cards": 0}, "at least one hole card"),
        ({"board_cards": (0, -1)}, "at least one hole card"),
        ({"hole_cards": 3}, "7 cards are dealt"),
        ({"suits": 4, "ranks": 13, "hole_cards": 4, "board_cards": (2, 2)}, "8 cards: at most 7"),
        ({"hand_ranking": "three-card"}, "showdown hands of 2 cards"),
    ],
)
def test_a_game_that_does_not_hang_together_is_refused(change, says):
    with pytest.raises(GameError, match=says):
        replace(LEDUC, **change)


@pytest.mark.parametrize("change", [{"suits": 0}, {"suits": 5}, {"ranks": 0}, {"ranks": 14}])
def test_an_impossible_deck_is_the_games_error(change):
    with pytest.raises(GameError, match="1-4 suits and 1-13 ranks"):
        replace(LEDUC, **change)


def test_defaults_per_player_are_filled_in():
    assert NOLIMIT.antes == (0, 0)
    assert NOLIMIT.bettors == NOLIMIT.sighted == (True, True)
    assert NOLIMIT.board_ends == (0, 3, 4, 5)
    assert (NOLIMIT.players, NOLIMIT.rounds, len(NOLIMIT.deck)) == (2, 4, 52)


def test_the_smallest_bet_is_the_largest_blind_unless_given():
    assert NOLIMIT.smallest_bet == NOLIMIT.big_blind == 100
    assert replace(NOLIMIT, min_bet=25).smallest_bet == 25
    assert replace(NOLIMIT, blinds=(0, 0)).smallest_bet == 1
    assert replace(NOLIMIT, blinds=(0, 0), antes=(7, 7)).big_blind == 7


def test_games_are_values():
    assert nolimit_holdem() == nolimit_holdem()
    assert hash(nolimit_holdem()) == hash(nolimit_holdem())
    assert nolimit_holdem(stack=300) != nolimit_holdem()
    assert len({load() for load in GAMES.values()} | {load() for load in GAMES.values()}) == len(GAMES)
    with pytest.raises(AttributeError):
        NOLIMIT.stacks = (1, 1)  # type: ignore[misc]


@pytest.mark.parametrize("name", GAMES)
def test_copies_and_pickles_are_equal(name):
    game = load_game(name)
    assert hash(game) == hash(copy.deepcopy(game))
    assert pickle.loads(pickle.dumps(game)) == copy.deepcopy(game) == game


def test_a_game_from_another_process_is_found_in_a_dictionary():
    """Text hashes differently in every process, so a remembered hash must not travel."""
    program = (
        "import pickle, sys; from kibitz.games import load_game; game = load_game('leduc'); hash(game);"
        "sys.stdout.buffer.write(pickle.dumps(game))"
    )
    environment = {"PYTHONHASHSEED": "12345", "PYTHONPATH": ":".join(sys.path)}
    output = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
    assert pickle.loads(output.stdout) in {LEDUC}


def test_every_field_takes_part_in_equality():
    other_values = {"name": "mine", "rules": "tda", "ante_trimming": False, "min_bet": 3, "bettors": (True, False)}
    for field, value in other_values.items():
        assert replace(NOLIMIT, **{field: value}) != NOLIMIT  # type: ignore[arg-type]
    assert isinstance(NOLIMIT, Game)


def test_other_stacks_make_another_game() -> None:
    before = (NOLIMIT.limits, NOLIMIT.antes_paid, hash(NOLIMIT))  # what is kept of the old stacks must not be
    game = NOLIMIT.with_stacks((300, 200))
    assert game == replace(NOLIMIT, stacks=(300, 200))
    assert hash(game) == hash(replace(NOLIMIT, stacks=(300, 200)))
    assert game.limits == (300, 200)
    assert pickle.loads(pickle.dumps(game)) == game
    assert (NOLIMIT.limits, NOLIMIT.antes_paid, hash(NOLIMIT)) == before
    with pytest.raises(GameError, match="2 values are needed"):
        NOLIMIT.with_stacks((300, 200, 100))
    with pytest.raises(GameError, match="stacks lie between"):
        NOLIMIT.with_stacks((300, -1))

"""The games known by name, and where a name may lead."""

import pytest

from kibitz.errors import GameError
from kibitz.games import GAMES, State, load_game
from kibitz.games.named import GAME_FILES, MOST_PLAYERS, kuhn, limit_holdem, nolimit_holdem


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_called_what_it_is_listed_as(name):
    assert load_game(name).name == name


def test_holdem_has_a_name_for_every_number_of_players():
    for players in range(2, MOST_PLAYERS + 1):
        for game in (limit_holdem(players), nolimit_holdem(players)):
            assert load_game(game.name) == game
    for name in ("holdem-limit-11p", "holdem-limit-1p", "holdem-limit-02p", "holdem-limit-p", "holdem-pot-3p"):
        with pytest.raises(GameError, match=f"no game '{name}'"):
            load_game(name)


def test_the_builders_make_other_sizes():
    assert kuhn(4).deck[-1] == 51
    assert (kuhn(4).players, kuhn(4).ranks) == (4, 5)
    assert limit_holdem(10).blinds == (5, 10, *(0,) * 8)
    assert nolimit_holdem(2, 1000, 1, 2).blinds == (2, 1)
    assert nolimit_holdem(3, 1000, 1, 2).blinds == (1, 2, 0)


@pytest.mark.parametrize(
    ("name", "player", "legal"),
    [
        ("kuhn", 0, "c, r"),
        ("kuhn-3p", 0, "c, r"),
        ("kuhn-half-street", 0, "c, r6..r55"),
        ("kuhn-nolimit-one-bet", 0, "c, r6..r55"),
        ("kuhn-nolimit", 0, "c, r6..r55"),
        ("clairvoyance", 0, "c, r6..r55"),
        ("leduc", 0, "c, r"),
        ("leduc-nolimit", 0, "c, r2..r12"),
        ("rhode-island", 0, "c, r"),
        ("holdem-limit-2p", 1, "f, c, r"),
        ("holdem-limit-3p", 2, "f, c, r"),
        ("holdem-nolimit-2p", 1, "f, c, r200..r20000"),
        ("holdem-nolimit-3p", 2, "f, c, r200..r20000"),
        ("holdem-nolimit-6p", 2, "f, c, r200..r20000"),
    ],
)
def test_who_opens_and_with_what(name, player, legal):
    state = State.start(load_game(name))
    assert state.player == player
    assert str(state.legal()) == legal


def test_a_log_finds_its_game_whatever_folder_it_names():
    for file, name in GAME_FILES.items():
        assert load_game(f"/some/where/{file}") == load_game(name)


def test_a_file_is_read_and_gives_its_name(tmp_path):
    path = tmp_path / "mine.game"
    path.write_text("GAMEDEF\nnolimit\nnumPlayers 2\nnumRounds 1\nblind 1 1\nnumSuits 1\nnumRanks 3\n")
    with pytest.raises(GameError, match=r"mine\.game: no line 'END GAMEDEF'"):
        load_game(path)
    path.write_text(path.read_text() + "numHoleCards 1\nnumBoardCards 0\nEND GAMEDEF\n")
    assert load_game(path).name == "mine.game"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GameError, match=r"mine\.game"):
        load_game(path)


def test_a_bad_deck_in_a_file_names_the_file(tmp_path):
    path = tmp_path / "deck.game"
    path.write_text(
        "GAMEDEF\nnolimit\nnumPlayers 2\nnumRounds 1\nblind 1 1\nnumSuits 9\nnumRanks 3\n"
        "numHoleCards 1\nnumBoardCards 0\nEND GAMEDEF\n"
    )
    with pytest.raises(GameError, match=r"deck\.game"):
        load_game(path)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(GameError, match="no game 'omaha': it is neither a file nor one of kuhn, kuhn-3p"):
        load_game("omaha")


def test_names_that_no_file_can_have():
    with pytest.raises(GameError, match="no game 'aaa"):
        load_game("a" * 300)


def test_a_name_that_is_nearly_right():
    with pytest.raises(GameError, match=r"no game 'kuhm' \(did you mean kuhn\?\)"):
        load_game("kuhm")

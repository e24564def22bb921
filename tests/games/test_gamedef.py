"""ACPC game definitions: byte for byte back, and errors that name the line."""

from dataclasses import replace

import pytest

from kibitz.errors import GameError
from kibitz.games import GAMES, format_gamedef, load_game, parse_gamedef
from kibitz.games.game import UNLIMITED_RAISES, UNLIMITED_STACK
from kibitz.games.named import GAME_FILES

LEDUC = """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""


def test_the_files_of_the_competition_print_back_byte_for_byte(data):
    files = sorted((data / "acpc" / "gamedefs").glob("*.game"))
    assert len(files) >= 10
    for file in files:
        text = file.read_bytes().decode()
        assert format_gamedef(parse_gamedef(text)) == text, file.name


def test_the_files_define_the_named_games(data):
    for file in sorted((data / "acpc" / "gamedefs").glob("*.game")):
        if file.name in GAME_FILES:
            named = load_game(GAME_FILES[file.name])
            assert replace(load_game(file), name=named.name) == named, file.name


@pytest.mark.parametrize("name", GAMES)
def test_every_named_game_can_be_written_down(name):
    game = load_game(name)
    assert parse_gamedef(format_gamedef(game), name=game.name) == game


def test_what_acpc_cannot_say_is_written_as_further_keys():
    game = replace(
        load_game("holdem-nolimit-3p"),
        antes=(0, 100, 0),
        min_bet=100,
        rules="tda",
        bettors=(True, False, True),
        sighted=(True, True, False),
        ante_trimming=False,
    )
    text = format_gamedef(game)
    for line in ("ante = 0 100 0", "minBet = 100", "rules = tda", "bettors = 1 0 1", "anteTrimming = no"):
        assert line in text.splitlines()
    assert parse_gamedef(text, name=game.name) == game


def test_spelling_order_comments_and_signs_are_free():
    text = "# before\nsomething\ngameDef\n\n# a comment\nLIMIT\n" + "\n".join(
        line.replace(" = ", "  ").upper() + "  \r" for line in reversed(LEDUC.splitlines()[2:-1])
    )
    assert parse_gamedef(text + "\nEnd GameDef\nanything") == parse_gamedef(LEDUC)


def test_further_values_on_a_line_are_passed_over_as_the_original_does():
    assert parse_gamedef(LEDUC.replace("blind = 1 1", "blind = 1 1 1 1")) == parse_gamedef(LEDUC)


def test_defaults_are_those_of_the_original():
    lines = [line for line in LEDUC.splitlines() if not line.startswith(("firstPlayer", "maxRaises"))]
    game = parse_gamedef("\n".join(lines))
    assert game.first_players == (0, 0)
    assert game.max_raises == (UNLIMITED_RAISES,) * 2
    assert game.stacks == (UNLIMITED_STACK,) * 2


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("GAMEDEF\nlimit", "limit", "no line 'GAMEDEF'"),
        ("END GAMEDEF\n", "", "cut off"),
        ("limit\n", "", "neither 'limit' nor 'nolimit'"),
        ("limit\n", "potlimit\n", "line 2: 'potlimit'"),
        ("blind = 1 1", "blnd = 1 1", "line 5: 'blnd = 1 1' is not a known key"),
        ("blind = 1 1", "blind = 1 one", "line 5: 'blind = 1 one': whole numbers"),
        ("numSuits = 2", "numSuits = 2.5", "line 9: .* whole numbers"),
        ("blind = 1 1\n", "", "does not give blind$"),
        ("raiseSize = 2 4\n", "", "does not give raiseSize$"),
        ("blind = 1 1", "blind = 1 " + 5000 * "9", "line 5: 'blind = 1 9+.*: numbers of at most 18 digits"),
        ("END GAMEDEF", "bettors = 2 -1\nEND GAMEDEF", "'bettors = 2 -1': 0 or 1 is expected"),
        ("numBoardCards = 0 1", "numBoardCards = -1 1", "none below 0"),
        ("numPlayers = 2", "numPlayers = 0", "0 players"),
        ("numRounds = 2", "numRounds = 0", "0 rounds"),
        ("numPlayers = 2", "numPlayers = 99", "99 values are needed|99 players"),
        ("END GAMEDEF", "rules = home\nEND GAMEDEF", "one of acpc, tda"),
        ("blind = 1 1", "blind = -1 1", "blinds = .* whole numbers from 0"),
        ("raiseSize = 2 4", "raiseSize = 0 4", "raise sizes .* at least 1 chip"),
        ("firstPlayer = 1 1", "firstPlayer = 0 1", "line 7: 'firstPlayer = 0 1': players are numbered 1 to 2"),
        ("firstPlayer = 1 1", "firstPlayer = 1 3", "line 7: 'firstPlayer = 1 3': players are numbered 1 to 2"),
        ("numSuits = 2", "numSuits = 5", "5 suits"),
        ("numRanks = 3", "numRanks = 0", "0 ranks"),
    ],
)
def test_a_broken_definition_says_what_is_wrong(old, new, says):
    with pytest.raises(GameError, match=says):
        parse_gamedef(LEDUC.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("blind = 1 1", "blind = 1", 5),
        ("blind = 1 1", "blind =", 5),
        ("blind = 1 1", "=", 5),
        ("raiseSize = 2 4", "raiseSize = 2", 6),
        ("numBoardCards = 0 1", "numBoardCards = 0", 12),
    ],
)
def test_a_line_with_too_few_values_is_named(old, new, line):
    with pytest.raises(GameError, match=f"line {line}\\b"):
        parse_gamedef(LEDUC.replace(old, new))


def test_ante_trimming_is_yes_or_no():
    assert parse_gamedef(LEDUC.replace("END", "anteTrimming = YES\nEND")).ante_trimming
    assert not parse_gamedef(LEDUC.replace("END", "anteTrimming = no\nEND")).ante_trimming
    with pytest.raises(GameError, match="maybe"):
        parse_gamedef(LEDUC.replace("END", "anteTrimming = maybe\nEND"))


@pytest.mark.parametrize(
    ("line", "again", "message"),
    [
        ("blind = 1 1", "blind = 1 1\nBLIND 2 2", r"lines 5 and 6: blind is given twice"),
        ("numRanks = 3", "numRanks = 3\n# more\nnumranks = 3", r"lines 10 and 12: numRanks is given twice"),
        ("limit", "limit\nnolimit", r"lines 2 and 3: limit or nolimit is given twice, as limit and nolimit"),
        ("maxRaises = 2 2", "maxRaises = 2 2\nrules = tda\nrules = acpc", r"lines 9 and 10: rules is given twice"),
    ],
)
def test_a_key_given_twice_is_refused(line, again, message):
    with pytest.raises(GameError, match=message):
        parse_gamedef(LEDUC.replace(line, again))

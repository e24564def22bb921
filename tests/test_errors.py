"""Messages: what they quote is cut."""

import pickle

import pytest

from kibitz.errors import FormatError, KibitzError, cut
from kibitz.games import load_game, parse_gamedef
from kibitz.io.acpc import MatchState, parse_response


@pytest.mark.parametrize("text", ["a" * 201, "a'b" * 100, "a'\"b\n" * 100, "\x1b" * 100, "\\" * 1_000_000])
def test_long_quotations_are_cut(text):
    message = str(FormatError(f"x.log:1: {text!r} is no line; hold'em's lines, it's said, are others"))
    assert message.startswith("x.log:1: " + repr(text)[:200])
    assert message.endswith(" characters) is no line; hold'em's lines, it's said, are others")
    assert len(message) < 320


def test_short_ones_and_apostrophes_stay():
    message = f"the hold'em player's hand 'x' {'of a very long sentence ' * 8}and the dealer's 'y' {'a' * 200!r}"
    assert str(KibitzError(message)) == message
    assert str(KibitzError()) == ""
    assert str(pickle.loads(pickle.dumps(FormatError(message)))) == message


def test_endless_messages_lose_their_middle():
    message = str(KibitzError("a b " * 10**6 + "end"))
    assert len(message) < 2_100
    assert message.startswith("a b a b")
    assert message.endswith("end")


def test_cut_says_how_long_it_was():
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "abc… (4 characters)"


@pytest.mark.parametrize(
    "read",
    [
        MatchState.parse,
        parse_response,
        load_game,
        lambda text: parse_gamedef(f"GAMEDEF\n{text}\nEND GAMEDEF"),
        lambda text: parse_gamedef(f"GAMEDEF\nstack = {text}\nEND GAMEDEF"),
    ],
)
@pytest.mark.parametrize("text", ["x" * 10**6, "MATCHSTATE:" + "0" * 10**6 + ":0::|:c", "1 " * 10**6])
def test_input_is_echoed_in_short(read, text):
    with pytest.raises(KibitzError) as error:
        read(text)
    assert len(str(error.value)) < 2_100

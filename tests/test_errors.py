"""Messages: what they quote is cut."""

import ast
import pickle
import re
from pathlib import Path

import pytest

import kibitz
from kibitz.cli._errors import with_options
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


def test_settings_travel_with_an_error_and_only_the_command_line_makes_options_of_them():
    error = FormatError("hands are broken: skip them", settings=("skip_bad", "out"))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.settings) == ("hands are broken: skip them", ("skip_bad", "out"))
    assert with_options(again) == "hands are broken: skip them (--skip-bad, --out)"
    assert with_options(KibitzError("nothing helps")) == "nothing helps"


FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def raised_texts(tree):
    """The texts in `raise` statements and in returned errors: (line, text)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Error")):
            for each in ast.walk(node):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield each.lineno, each.value


def test_only_the_command_line_speaks_of_flags():
    root = Path(kibitz.__file__).parent
    found = [
        f"{path.relative_to(root)}:{line}: {said}"
        for path in sorted(root.rglob("*.py"))
        if path.relative_to(root).parts[0] not in ("cli", "web")
        and path.name != "__main__.py"
        and not re.search(r"^class \w+Plan\(", text := path.read_text(), re.MULTILINE)  # whose settings are options
        for line, said in raised_texts(ast.parse(text))
        if FLAG.search(said)
    ]
    assert not found, "these errors of the library speak of command-line flags:\n  " + "\n  ".join(found)
    assert set(raised_texts(ast.parse("raise KeyError(f'give --out {x}')"))) == {(1, "give --out ")}


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

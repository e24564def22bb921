"""An exploitability of an abstract game is printed as that, with what is known of the real game."""

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.strategy import Strategy, load_strategy, save_strategy

SAID = "in its abstract game; in the real one not measured"
GAMES = {"abstract": ("leduc-nolimit", "--menu", "all-in"), "exact": ("leduc",)}


def run(*words):
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


@pytest.fixture(scope="module", params=GAMES)
def solved(request, tmp_path_factory):
    """A run of a few iterations: what was printed, its folder, the words for its game, and whether that is abstract."""
    folder = tmp_path_factory.mktemp(request.param) / "run"
    words = GAMES[request.param]
    return run("solve", *words, "--iterations", 3, "--out", folder), folder, words, request.param == "abstract"


def test_solving_says_so_in_heading_and_result(solved):
    text, _folder, _words, is_abstract = solved
    assert ("abstract exploitability value, seat 0" in text) is is_abstract
    assert (SAID in text) is is_abstract


def test_measuring_says_so_with_what_training_has_stored(solved, tmp_path):
    _text, folder, _words, is_abstract = solved
    text = run("measure", "exploitability", folder)
    assert (SAID in text) is ("abstract exploitability" in text) is is_abstract
    known = load_strategy(folder)
    real = {"lower": 889.0, "half_width": 67.0}
    save_strategy(Strategy(known.layout, known.values, {**known.manifest, "real": real}), tmp_path / "measured")
    told = run("measure", "exploitability", tmp_path / "measured")
    assert ("in its abstract game, at least 889 ± 67 mbb/hand in the real one (LBR)" in told) is is_abstract
    document = json.loads(
        CliRunner().invoke(main, ["measure", "exploitability", str(tmp_path / "measured"), "--json"]).stdout
    )
    assert (document["abstract"], document["real"]) == (is_abstract, real)


@pytest.mark.parametrize("more", [("--p", 0.5), ("--curve",)])
def test_responses_say_so(solved, more):
    _text, _folder, (game, *menu), is_abstract = solved
    text = run("exploit", "always-call", "--game", game, *menu, "--method", "rnr", *more)
    assert (SAID in text) is is_abstract


def test_portfolios_and_pools_say_so(solved, tmp_path):
    _text, _folder, (game, *menu), is_abstract = solved
    built = run("adapt", "build", "always-call", "--game", game, *menu, "--out", tmp_path / "portfolio")
    made = run("opponents", "pool", "make", "A", "--game", game, *menu, "--iterations", 2, "--out", tmp_path / "pool")
    assert (SAID in built) is (SAID in made) is is_abstract

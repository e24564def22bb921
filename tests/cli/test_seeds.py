"""Seeds of matches at the command line: drawn for isolated agents, kept for a resumed series, told to be checked."""

import json
import re

import pytest
from click.testing import CliRunner

from kibitz.arena.played import Played
from kibitz.cli import main
from kibitz.games import load_game
from kibitz.io.files import read_records
from kibitz.random import is_secret, parse_seed

SECRET = "f0e1d2c3b4a5968778695a4b3c2d1e0f"
HEX = "[0-9a-f]{32}"
KUHN = ("random", "always-call", "--game", "kuhn", "--hands", "20")
PLAIN = """
class Agent:
    name = "plain"
    def reset(self, game, seed): print("seed", seed)
    def act(self, state): return "c"
    def observe(self, state, position): pass
"""


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def plain(tmp_path):
    path = tmp_path / "plain.py"
    path.write_text(PLAIN)
    return f"{path}:Agent"


def test_isolated_agents_get_a_drawn_seed_with_which_the_match_can_be_repeated(plain):
    words = ("match", plain, "random", "--game", "kuhn", "--hands", 20, "--isolate")
    first, other = run(*words), run(*words)
    assert first.exit_code == other.exit_code == 0, first.output
    seed, another = (re.search(rf"^seed ({HEX})$", each.stdout, re.MULTILINE)[1] for each in (first, other))
    assert seed != another
    assert run(*words, "--seed", seed).stdout == first.stdout
    assert run(*words[:-1], "--seed", seed).stdout == first.stdout
    assert json.loads(run(*words, "--seed", seed, "--json").stdout)["seed"] == seed


def test_isolated_agents_get_no_seed_that_can_be_found_by_trying(plain):
    words = ("match", plain, "random", "--game", "kuhn", "--hands", 5, "--isolate")
    refused = run(*words, "--seed", 5)
    assert refused.exit_code == 2
    assert "can find seed 5 by trying" in refused.stderr
    assert "(--seed, --cards)" in refused.stderr
    asked = run(*words, "--seed", 5, "--cards", "acpc")
    assert asked.exit_code == 0, asked.output
    assert "seed 5, kuhn" in asked.stdout


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_a_series_goes_on_with_the_seed_it_was_begun_with(plain, tmp_path, command):
    words = (
        command,
        plain,
        "random",
        "--game",
        "kuhn",
        "--hands",
        5,
        "--matches",
        2,
        "--isolate",
        "--out",
        tmp_path / "out",
    )
    assert run(*words).exit_code == 0
    again = run(*words, "--resume", "--json")
    seed = Played(tmp_path / "out").series.seed
    assert is_secret(seed)
    assert parse_seed(json.loads(again.stdout)["seed"]) == seed


def test_a_hash_told_before_the_match_is_that_of_its_seed_and_of_no_other():
    committed = run("match", *KUHN, "--commit")
    found, seed = re.fullmatch(
        rf"commitment ([0-9a-f]{{64}})\n.*^seed ({HEX})\n", committed.stdout, re.DOTALL | re.MULTILINE
    ).groups()
    checked = run("match", *KUHN, "--seed", seed, "--verify", found)
    assert checked.exit_code == 0
    assert f"commitment {found}\n{checked.stdout}" == committed.stdout
    for others in (
        ("--seed", SECRET),
        ("--seed", seed, "--hands", 21),
        ("--seed", seed, "--matches", 2),
        ("--seed", 0),
    ):
        refused = run("match", *KUHN, *others, "--verify", found)
        assert refused.exit_code == 2
        assert "another series" in refused.stderr
        assert refused.stdout == ""
    assert json.loads(run("match", *KUHN, "--seed", seed, "--verify", found, "--json").stdout)["commitment"] == found


def test_a_hash_that_hides_nothing_is_not_told(tmp_path):
    for words in (("--seed", 7), ("--cards", "acpc")):
        refused = run("match", *KUHN, "--commit", *words)
        assert refused.exit_code == 2
        assert "--commit hides nothing" in refused.stderr
    assert "--commit" in run("match", *KUHN, "--commit", "--log", tmp_path / "x.log").stderr


def test_a_log_of_keyed_cards_tells_its_game_and_no_seed(tmp_path):
    log = tmp_path / "match.log"
    assert run("match", *KUHN, "--seed", SECRET, "--log", log).exit_code == 0
    assert SECRET not in log.read_text()
    hands = list(read_records(log))
    assert len(hands) == 20
    assert {hand.game.players for hand in hands} == {2}
    dealt = run("deal", "kuhn", "--cards", "keyed", "--seed", SECRET, "--hands", 20).stdout.splitlines()
    assert [line.split(":")[3] for line in log.read_text().splitlines() if line.startswith("STATE")] == dealt


def test_cards_of_a_match_of_a_series():
    first, second = (run("deal", "leduc", "--cards", "keyed", "--match", number).stdout for number in (0, 1))
    assert first != second
    assert run("deal", "leduc", "--seed", 3, "--match", 1).stdout == run("deal", "leduc", "--seed", 4).stdout
    assert load_game("leduc").players == 2

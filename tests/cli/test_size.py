"""`kibitz size`."""

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.games import format_gamedef, load_game

HOLDEM = "holdem-nolimit-2p"


def run(*arguments: str):
    return CliRunner().invoke(main, ("size", *arguments))


def document(*arguments: str):
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_text():
    assert run("leduc").output == (
        "leduc, plain count\n"
        "round  buckets  decisions  actions  infosets  infoset-actions\n"
        "    1        3          6       14        18               42\n"
        "    2        9         30       70       270              630\n"
        "  all                  36       84       288              672\n"
        "betting tree: 85 nodes, including terminal nodes\n"
        "memory for vector solvers:  54.2 KiB plus the matrices of the deal\n"
        "memory for sampled solvers: 10.5 KiB\n"
    )


def test_the_document():
    assert document("leduc", "--suits", "kept") == {
        "game": "leduc",
        "menus": ["r", "r"],
        "convention": "plain",
        "rounds": [
            {
                "round": 0,
                "states": [6, 6],
                "decision_nodes": 6,
                "actions": 14,
                "fold_ends": 4,
                "showdown_ends": 0,
                "infosets": 36,
                "pairs": 84,
            },
            {
                "round": 1,
                "states": [30, 30],
                "decision_nodes": 30,
                "actions": 70,
                "fold_ends": 20,
                "showdown_ends": 25,
                "infosets": 900,
                "pairs": 2100,
            },
        ],
        "totals": {"nodes": 85, "decision_nodes": 36, "actions": 84, "infosets": 936, "pairs": 2184},
        "bytes": {"vector": 131_392, "sampled": 34_944},
    }


def test_published_pairs():
    assert (
        document(HOLDEM, "--menu", "h-pf", "--menu", "fcpa", "--states", "5,25,125,625", "--convention", "hawkin")[
            "totals"
        ]["pairs"]
        == 3_867_090
    )


def test_one_menu_for_all_or_one_each():
    one = document(HOLDEM, "--menu", "fcpa")
    assert one["menus"] == ["1, all-in"] * 2
    assert document(HOLDEM, "--menu", "1, all-in", "--menu", "fcpa") == one
    uneven = run(HOLDEM, "--menu", "fcpa", "--menu", "passive").output
    assert "menu 0: 1, all-in\n  menu 1: no bets\n" in uneven


def test_every_amount_of_the_largest_game():
    assert "6.375e161" in run(HOLDEM, "--menu", "full", "--suits", "kept").output
    total = document(HOLDEM, "--suits", "kept")["totals"]["infosets"]  # full is the default
    assert isinstance(total, int)
    assert f"{total:.7e}" == "6.3751907e+161"


def test_a_game_file(tmp_path):
    path = tmp_path / "mine.game"
    path.write_text(format_gamedef(load_game(HOLDEM)))
    mine = document(str(path), "--menu", "fcpa")
    assert mine.pop("game") == "mine.game"
    named = document(HOLDEM, "--menu", "fcpa")
    assert named.pop("game") == HOLDEM
    assert mine == named


def test_states_of_players_who_see_different_things():
    assert "2 / 1" in run("clairvoyance", "--menu", "1").output


def test_three_players_have_no_vector_solver():
    assert "vector" not in run("kuhn-3p").output
    assert set(document("kuhn-3p")["bytes"]) == {"sampled"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("kuhn",),
        ("holdem-limit-2p",),
        ("holdem-limit-3p",),
        (HOLDEM,),
        (HOLDEM, "--menu", "acpc-2011", "--menu", "h-pf"),
        (HOLDEM, "--menu", "fcqhipdvta"),
        ("holdem-nolimit-3p", "--menu", "fcpa", "--suits", "kept"),
        ("leduc-nolimit", "--menu", ", ".join(f"{pots / 10}" for pots in range(1, 25))),
    ],
)
def test_it_fits_eighty_columns(arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((HOLDEM, "--states", "5,x"), "--states '5,x'"),
        ((HOLDEM, "--states", "5"), "1 numbers of buckets for 4 rounds"),
        ((HOLDEM, "--menu", "pot"), "'pot' in the menu 'pot'"),
        ((HOLDEM, *["--menu", "fcpa"] * 3), "3 menus for 2 players"),
        (("kuhn-3p", "--convention", "hawkin"), "two players"),
        (("chess",), "no game 'chess'"),
        (("leduc", "--cards", "5-bucket"), "the cards 5-bucket in leduc: card abstractions are for hold'em"),
    ],
)
def test_bad_input_is_one_sentence(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.output.startswith("Error: ")
    assert message in result.output


def test_imperfect_recall_has_no_vector_form():
    result = CliRunner().invoke(main, ["size", "holdem-nolimit-2p", "--menu", "fcpa", "--cards", "IR-100", "--json"])
    assert json.loads(result.stdout)["bytes"].keys() == {"sampled"}
    result = CliRunner().invoke(main, ["size", "holdem-nolimit-2p", "--menu", "fcpa", "--cards", "5-bucket", "--json"])
    assert json.loads(result.stdout)["bytes"].keys() == {"sampled", "vector"}


def test_a_small_game_is_written_for_gambit(tmp_path):
    assert run("kuhn", "--efg", str(tmp_path / "kuhn.efg")).exit_code == 0
    text = (tmp_path / "kuhn.efg").read_text()
    assert text.startswith('EFG 2 R "kuhn" { "Player 0" "Player 1" }')
    assert text.count('\nt "" ') == 6 * 5  # deals and endings of the betting
    assert run(HOLDEM, "--menu", "fcpa", "--efg", str(tmp_path / "large.efg")).exit_code != 0
    assert not (tmp_path / "large.efg").exists()

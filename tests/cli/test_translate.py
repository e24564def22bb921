"""`kibitz translate`."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.games import format_gamedef, load_game
from kibitz.translation import MAPPINGS, probabilities
from kibitz.translation import translate as draw

SIZES = ("--sizes", "0.5, 1, all-in", "--stack", "20")
HOLDEM = ("--game", "holdem-nolimit-2p")


def run(*arguments: str):
    return CliRunner().invoke(main, ("translate", *arguments))


def document(*arguments: str):
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_one_mapping():
    assert run("0.7", *SIZES, "--mapping", "rand-psharmonic").output == (
        "bet  mapping          check    0.5      1  all-in\n0.7  rand-psharmonic      ·  0.529  0.471       ·\n"
    )
    percent = run("70%", "--sizes", "50%, 1, all-in", "--stack", "20", "--mapping", "rand-psharmonic").output
    assert percent == run("0.7", *SIZES, "--mapping", "rand-psharmonic").output
    assert "'x%' is not a valid float or percentage" in run("x%", *SIZES).output


def test_all_of_them_are_compared_by_default():
    lines = run("0.7", *SIZES).output.splitlines()
    assert sorted(line[5:].split()[0] for line in lines[1:]) == sorted(MAPPINGS)
    assert lines[1].startswith("0.7  rand-psharmonic")
    assert run("0.7", *SIZES, "--mapping", "all").output.splitlines() == lines


def test_the_document_has_the_probabilities():
    found = document("0.7", "3", *SIZES, "--mapping", "Rand-psHar", "--mapping", "det-geo")
    assert found["sizes"] == [0, 0.5, 1, 20]
    assert found["names"] == ["check", "0.5", "1", "all-in"]
    assert [(each["bet"], each["mapping"]) for each in found["bets"]] == [
        (bet, name) for bet in (0.7, 3) for name in ("rand-psharmonic", "det-geo")
    ]
    for each in found["bets"]:
        assert each["chances"] == pytest.approx(probabilities(each["bet"], found["sizes"], each["mapping"]).tolist())
        assert "drawn" not in each


def test_a_check_can_be_taken_off_the_menu():
    assert document("0.1", "--sizes", "0.5, 1", "--mapping", "rand-arith")["bets"][0]["chances"] == pytest.approx(
        [0.8, 0.2, 0]
    )
    without = document("0.1", "--sizes", "0.5, 1", "--mapping", "rand-arith", "--no-check")
    assert (without["sizes"], without["bets"][0]["chances"]) == ([0.5, 1], [1, 0])


def test_named_menus_are_sizes_too():
    assert document("0.7", "--sizes", "fcpa", "--stack", "1")["sizes"] == [0, 1]
    assert document("0.7", "--sizes", "fcqhipdvta", "--stack", "50")["sizes"][-1] == 50


def test_draws_repeat_by_seed():
    arguments = ("0.7", *SIZES, "--mapping", "rand-arith", "--draws", "500")
    first = document(*arguments, "--seed", "3")["bets"][0]["drawn"]
    assert len(first) == 500
    assert set(first) == {1, 2}
    assert 0.5 < first.count(1) / 500 < 0.7
    assert document(*arguments, "--seed", "3")["bets"][0]["drawn"] == first
    assert document(*arguments, "--seed", "4")["bets"][0]["drawn"] != first
    assert "Drawn 500 times with seed 3:" in run(*arguments, "--seed", "3").output


@pytest.mark.parametrize("at_once", [7, 1000, 1 << 20])
def test_draws_are_those_of_the_library_however_many_at_once(monkeypatch, at_once):
    monkeypatch.setattr("kibitz.cli.translate.DRAWS_AT_ONCE", at_once)
    generator, expected = np.random.default_rng(9), {}
    for bet in (0.7, 3.0):
        for name in ("rand-arith", "det-geo", "rand-psharmonic"):
            expected[bet, name] = draw(np.full(1000, bet), [0, 0.5, 1, 20], name, generator).tolist()
    arguments = ("0.7", "3", *SIZES, "--draws", "1000", "--seed", "9")
    arguments += ("--mapping", "rand-arith", "--mapping", "det-geo", "--mapping", "rand-psharmonic")
    found = document(*arguments)["bets"]
    assert {(each["bet"], each["mapping"]): each["drawn"] for each in found} == expected
    lines = run(*arguments).output.partition("Drawn")[2].splitlines()[2:]
    counted = [[int(cell.replace("·", "0")) for cell in line.split()[-4:]] for line in lines]
    assert counted == [[Counter(each)[i] for i in range(4)] for each in expected.values()]


def test_a_tiny_bet_is_never_a_check_if_so_asked():
    arguments = ("0.1", "0.7", "--sizes", "0.5, 1", "--mapping", "rand-arith")
    asked = document(*arguments, "--tiny", "bet")
    assert asked == document(*arguments, "--no-check")
    assert (asked["sizes"], asked["bets"][0]["chances"]) == ([0.5, 1], [1, 0])
    assert document(*arguments, "--tiny", "check", "--measure", "pots", "--all-in", "size") == document(*arguments)
    hand = (*HOLDEM, "--history", "r200", "--mapping", "det-arith", "--menu", "2")
    assert document(*hand)["actions"][0]["read"] == "c"
    assert document(*hand, "--no-check") == document(*hand, "--tiny", "bet")
    assert document(*hand, "--no-check")["actions"][0]["read"] == "r500"


def test_the_plot(tmp_path):
    path = tmp_path / "mappings.png"
    result = run("0.7", *SIZES, "--plot", str(path))
    assert result.exit_code == 0, result.output
    assert result.output.endswith(f"Plot: {path}\n")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [each.name for each in tmp_path.iterdir()] == ["mappings.png"]
    assert run("--sizes", "0.01, 1", "--no-check", "--plot", str(tmp_path / "alone.svg")).exit_code == 0


def test_a_hand_action_by_action():
    result = run(*HOLDEM, "--history", "r250c/r600r1200c/cr9000c/cr15000c", "--mapping", "det-arith")
    assert result.output == (
        "  round     player  action   pots  translated to  chance     pot  abstract pot\n"
        "preflop     button    r250  0.750           r300   1.000     350           400\n"
        "preflop  big blind       c                     c             500           600\n"
        "   flop  big blind    r600  0.700           r900   1.000     850         1,200\n"
        "   flop     button   r1200  0.500          r2700   1.000   1,800         3,600\n"
        "   flop  big blind       c                     c           2,400         5,400\n"
        "   turn  big blind       c                     c           2,400         5,400\n"
        "   turn     button   r9000  3.250         r20000   1.000  10,200        22,700\n"
        "   turn  big blind       c                     c          18,000        40,000\n"
        "  river  big blind       c               nothing          18,000        40,000\n"
        "  river     button  r15000  0.333        nothing          24,000        40,000\n"
        "  river  big blind       c               nothing          30,000        40,000\n"
    )


def test_a_hand_as_a_document():
    found = document(*HOLDEM, "--history", "r250c/r600", "--menu", "0.5, 1", "--seed", "5", "--measure", "chips")
    assert found["menus"] == ["0.5, 1"]
    assert (found["mapping"], found["measure"], found["seed"]) == ("rand-psharmonic", "chips", 5)
    assert [each["action"] for each in found["actions"]] == ["r250", "c", "r600"]
    assert found["actions"][0]["pots"] == 0.75
    assert found["actions"][0]["read"] in ("r200", "r300")
    assert found["actions"][1]["pots"] is None
    again = document(*HOLDEM, "--history", "r250c/r600", "--menu", "0.5, 1", "--seed", "5", "--measure", "chips")
    assert again == found


def test_seeds_give_the_chances():
    read = [document(*HOLDEM, "--history", "r250", "--seed", str(seed))["actions"][0] for seed in range(200)]
    # 0.75 pots between a call and a pot: a quarter over 1.75 is 1/7 for the call.
    share = sum(each["read"] == "c" for each in read) / 200
    assert 0.07 < share < 0.23
    assert {round(each["chance"], 6) for each in read} == {round(1 / 7, 6), round(6 / 7, 6)}


def test_what_was_translated_to_a_check_is_revised():
    output = run("--game", "holdem-nolimit-3p", "--history", "ccc/ccr200r800cc/", "--mapping", "det-arith").output
    assert "r800  1.200  r400c (revised)   1.000  1,100           900\n" in output


def test_menus_for_each_player_and_limit_games():
    assert document(*HOLDEM, "--history", "r250", "--menu", "1", "--menu", "2")["actions"][0]["read"] in ("c", "r500")
    limit = document("--game", "leduc", "--history", "rrc/cr")["actions"]
    assert [each["read"] for each in limit] == ["r", "r", "c", "c", "r"]


def test_a_game_without_blinds(tmp_path):
    path = tmp_path / "zero.game"
    path.write_text(format_gamedef(replace(load_game("holdem-nolimit-2p"), blinds=(0, 0), stacks=(500, 500))))
    actions = document("--game", str(path), "--history", "cr2c", "--mapping", "det-arith", "--menu", "min, all-in")
    assert [each["read"] for each in actions["actions"]] == ["c", "r1", "c"]
    assert actions["actions"][1]["pots"] == 2  # smallest bets


@pytest.mark.parametrize(
    "arguments",
    [
        ("0.7", "3", "30", "--sizes", "fcqhipdvta", "--stack", "200", "--draws", "10000"),
        ("0.123456", "--sizes", "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1,2,3"),
        (*HOLDEM, "--history", "r250r900r3000r20000c"),
    ],
)
def test_it_fits_eighty_columns(arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nothing to translate"),
        (("0.7",), "--sizes is missing"),
        (("0.7", "--sizes", "min, 1"), "min in --sizes"),
        (("0.7", "--sizes", "h-pf", "--stack", "9"), "has 2 rounds"),
        (("0.7", "--sizes", "half"), "'half' in the menu"),
        (("0.7", "--sizes", "1, 2", "--stack", "1.5"), "a size of 2 pots: the stack is 1.5"),
        (("3", "--sizes", "1", "--stack", "1.5"), "a bet of 3 pots: the stack is 1.5"),
        (("0.7", "--sizes", "1", "--stack", "0"), "--stack 0:"),
        (("3", "--sizes", "1, all-in", "--stack", "1e308"), "at most 1e+12"),
        (("nan", "--sizes", "1"), "a bet is at least 0"),
        (("0.7", "--sizes", "", "--no-check"), "at least one"),
        (("x", "--sizes", "1"), "'x' is not a valid float"),
        (("0.7", "--sizes", "1", "--mapping", "nearest"), "no mapping 'nearest'"),
        (("0.7", "--sizes", "1", "--plot", "nowhere/plot.png"), "there is no folder nowhere"),
        (("0.7", "--sizes", "1", "--plot", "plot.doc"), "plot.doc ends in .doc: call a picture plot.png"),
        (("0.7", "--sizes", "1", "--plot", "x3"), "x3 has no ending: call a picture x3.png"),
        (("0.7", "--sizes", "1", "--measure", "chips"), "--measure chips without --game"),
        (("0.7", "--sizes", "1", "--all-in", "exact"), "--all-in exact without --game"),
        (("--game", "leduc-nolimit", "--history", "c/r4"), "in the wrong place; the betting is 'cr4'"),
        (("0.7", "--sizes", "1", "--seed", "3"), "--seed 3 without --draws: nothing is sampled"),
        (("0.7", "--sizes", "1", "--no-check", "--tiny", "check"), "--no-check contradicts --tiny check"),
        ((*HOLDEM, "--history", "r250", "--stack", "100"), "--stack 100 with --game holdem-nolimit-2p"),
        (("--sizes", "1", "--no-check", "--plot", "plot.png"), "at least two are needed"),
        (("--history", "r250"), "give its --game"),
        (("0.7", *HOLDEM), "are for single bets"),
        ((*HOLDEM, "--mapping", "all"), "a hand takes one --mapping"),
        ((*HOLDEM, "--mapping", "rand-arith under 1"), "must serve for all sizes"),
        ((*HOLDEM, "--history", "r150"), "'r150'"),
        ((*HOLDEM, "--history", "cx"), "'x' at character 2"),
        ((*HOLDEM, *["--menu", "fcpa"] * 3), "3 menus for 2 players"),
        (("--game", "chess"), "no game 'chess'"),
    ],
)
def test_bad_input_is_one_sentence(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.output
    assert message in result.output
    assert not list(tmp_path.iterdir())

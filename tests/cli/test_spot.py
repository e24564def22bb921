"""`kibitz spot`."""

import json
import re

import pytest
from click.testing import CliRunner

from kibitz.cli import main

RIVER = ("--board", "Qs Jh 2h 8d 3c", "--pot", "20", "--stack", "60", "--oop", "AA,QJs,T9s,7h6h", "--ip", "QQ,AQs,KTs")


def run(*arguments: str):
    return CliRunner().invoke(main, ("spot", *arguments))


def output(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.stdout


def test_the_text_fits_and_says_it_all():
    text = output(*RIVER)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("69 betting nodes")
    exploitable = r"exploitable by these bets: \S+ chips, [\d.]+% of the pot"
    assert re.fullmatch(rf"[\d,]+ iterations, [\d.]+ s; {exploitable}", lines[1])
    assert "Qs Jh 2h 8d 3c: out of position, first to act, pot 20" in lines
    rows = [line for line in lines if line[:1] == " " and line[2:3] == " " and line[1] in "AKQJT98765432"]
    grid = {line[1]: line for line in reversed(rows)}  # " A  all-in" comes after
    assert len(grid["A"]) <= 70
    assert grid["A"][3] in "CBDA"  # aces do something
    assert grid["2"].split()[1:] == ["."] * 13
    assert any(line.startswith(" C  check") for line in lines)
    assert any(line.startswith("in position") and line.endswith("%") for line in lines)


def test_nothing_won_is_written_without_a_sign_of_loss():
    hopeless = dict(zip(RIVER[::2], RIVER[1::2], strict=True)) | {"--oop": "77,66", "--ip": "QQ,JJ", "--sizes": "0.5"}
    text = output(*(word for pair in hopeless.items() for word in pair), "--iterations", "400", "--accuracy", "0")
    assert text.splitlines()[-2].split() == ["out", "of", "position", "0.00", "0.0%"]


def test_a_decision_and_its_picture(tmp_path):
    picture = tmp_path / "spot.png"
    text = output(*RIVER, "--node", "r10", "--image", str(picture), "--accuracy", "2")
    assert "in position, after r10, pot 30, 10 to call" in text
    assert " F  fold" in text
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [picture]


def test_the_document():
    document = json.loads(output(*RIVER, "--json", "--iterations", "50", "--accuracy", "0", "--rake", "5%"))
    assert document["iterations"] == 50
    assert document["board"] == "QsJh2h8d3c"
    assert document["menus"] == ["0.5, 1, all-in"] * 2
    assert sum(document["values"]) < 20
    decision = document["decision"]
    assert decision["actions"] == ["c", "r10", "r20", "r60"]
    assert sum(decision["frequencies"]) == pytest.approx(1)
    hands = {row["hand"]: row for row in decision["oop"]["hands"]}
    assert len(hands) == 6 + 2 + 4 + 1  # QJs without the two queens and jacks on the board
    assert sum(hands["AsAh"]["strategy"]) == pytest.approx(1)
    assert "strategy" not in decision["ip"]["hands"][0]


def test_sizes_of_one_player_and_a_later_round():
    document = json.loads(
        output(
            *("--board", "Qs Jh 2h 8d", "--pot", "20", "--stack", "60,30", "--oop", "AA,QJs", "--ip", "QQ,AQs"),
            *("--sizes", "1", "--ip-sizes", "", "--node", "r20c/", "--dealt", "5h", "--json", "--threads", "1"),
        )
    )
    assert document["menus"] == ["1", ""]
    assert document["stacks"] == [60, 30]
    assert document["decision"]["board"] == "QsJh2h8d5h"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"--board": "Qs Qs 2h"}, "names a card twice"),
        ({"--board": "Qs Jh"}, "three, four or five"),
        ({"--oop": "QsJh"}, "player 0's range QsJh: none of its hands is possible"),
        ({"--oop": "AsAh", "--ip": "AsKs"}, "cannot be dealt together"),
        ({"--oop": "AAs"}, "'AAs' in the range"),
        ({"--stack": "a lot"}, "stack 'a lot': give whole chips"),
        ({"--stack": "40.5"}, "count pot, stacks and blinds in smaller chips"),
        ({"--pot": "6.5"}, "pot is 6.5: a whole number of chips at least 1 is needed"),
        ({"--sizes": "half"}, "'half' in the menu"),
        ({"--sizes": "r"}, "'r' in the menu 'r': no-limit games have no fixed raise"),
        ({"--sizes": "1", "--oop-sizes": "1", "--ip-sizes": "1"}, "it would have no effect"),
        ({"--rake-cap": "5"}, "--rake-cap 5 without --rake: give the rake"),
        ({"--rake": "five"}, "a percentage of the pot, as in 5%"),
        ({"--rake": "0.05"}, "as in 5%"),
        ({"--node": "r11"}, "'r11' after 'the start': the tree has c, r10"),
        ({"--node": "cc"}, "the hand is over"),
        ({"--node": "c/"}, "the betting 'c/': a / is missing or in the wrong place; it is 'c'"),
        ({"--dealt": "Th"}, "1 are given"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(changes, message):
    options = dict(zip(RIVER[::2], RIVER[1::2], strict=True)) | changes
    result = run(*(word for pair in options.items() for word in pair))
    assert result.exit_code == 2
    assert message in result.output
    assert "betting nodes" not in result.output  # refused before the work


def test_percentages_are_understood_where_people_write_them():
    plain, percent = (
        json.loads(output(*RIVER, "--json", "--threads", "1", "--sizes", sizes, "--accuracy", accuracy))
        for sizes, accuracy in (("0.33, 0.75 once", "1"), ("33%, 75% once", "1%"))
    )
    assert percent | {"seconds": 0} == plain | {"seconds": 0}
    assert percent["menus"] == ["0.33, 0.75 once"] * 2

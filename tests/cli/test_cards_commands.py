"""`kibitz acpc deal` and `kibitz equity`."""

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import COMMANDS, main


def run(*arguments: str):
    return CliRunner().invoke(main, arguments)


def test_deal_prints_the_dealers_cards():
    # The first hands of the original dealer's matches with seed 0.
    assert run("acpc", "deal", "holdem-nolimit-2p", "--seed", "0", "--hands", "2").output == (
        "5d5c|9hQd/8dAs8s/4h/6d\n6sKs|5dJd/2sTh2h/Qh/8h\n"
    )
    assert run("acpc", "deal", "holdem-limit-3p").output == "5d5c|9hQd|8dAs/8s4h6d/5s/Js\n"
    assert json.loads(run("acpc", "deal", "kuhn", "--json").output) == [{"hand": 0, "cards": "As|Ks"}]


def test_deal_takes_a_game_file(tmp_path):
    from kibitz.games import format_gamedef, load_game

    path = tmp_path / "mine.game"
    path.write_text(format_gamedef(load_game("leduc")))
    assert run("acpc", "deal", str(path), "--seed", "5").output == run("acpc", "deal", "leduc", "--seed", "5").output
    path.write_text(format_gamedef(load_game("leduc")).replace("numPlayers = 2", "numPlayers = x"))
    broken = run("acpc", "deal", str(path))
    assert broken.exit_code == 2
    assert "line 3" in broken.output


def test_equity_counts_every_board():
    document = json.loads(run("equity", "AsAh", "KdKc", "--json").stdout)
    assert document["boards"] == 1_712_304
    assert document["wins"][0] == 1_388_072
    assert document["ties"] == [6538, 6538]
    assert document["equities"][0] == pytest.approx(0.8125548968, abs=1e-10)


def test_equity_with_a_board_and_by_sampling():
    exact = json.loads(run("equity", "AhKs", "8d8c", "--board", "2h7d9s", "--json").stdout)
    assert exact["boards"] == 990
    sampled = json.loads(run("equity", "AhKs", "8d8c", "--board", "2h7d9s", "--sample", "--seed", "4", "--json").stdout)
    low, high = sampled["intervals"][0]
    assert low - 0.002 < exact["equities"][0] < high + 0.002
    assert not sampled["exact"]


def test_equity_stands_in_columns():
    certain = run("equity", "AhAd", "KsKd", "--board", "AsAc2d").stdout.splitlines()
    assert certain == [
        "AhAd  100.0000%  wins 100.000%  ties  0.000%",
        "KsKd    0.0000%  wins   0.000%  ties  0.000%",
        "990 boards, all of them",
    ]
    one, other, _ = run("equity", "AhAd", "KsKd", "--board", "2s2c3d", "--sample").stdout.splitlines()
    assert [one.index(sign) for sign in ("%", " to ", "wins")] == [other.index(sign) for sign in ("%", " to ", "wins")]
    assert run("equity", "AhAd", "KsKd", "--board", "AsAc2d3c4c").stdout.splitlines()[-1] == "1 board, the only one"


def test_equity_says_how_to_draw_boards():
    result = run("equity", "random", "random", "random", "--exact")
    assert result.exit_code == 2
    assert "or give narrower ranges or more board (--sample)" in result.stderr


@pytest.mark.parametrize("hands", [("AA",), ("AhKs", "AhQs"), ("Ahkx", "KK"), ("AhKs", "8d8c", "--board", "Ah")])
def test_equity_refuses_what_cannot_be_dealt(hands):
    result = run("equity", *hands)
    assert result.exit_code == 2
    assert result.output.startswith("Error: ")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    result = run(name, "--help")
    assert result.exit_code == 0, result.output
    assert "Usage: " in result.output
    assert max(map(len, result.output.splitlines())) <= 100

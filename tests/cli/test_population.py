"""`kibitz population`: bots are made, shown and played; what is refused."""

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.learning.histories import read_hands
from kibitz.learning.population import calibration, load_population


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


def test_play_prints_styles_and_writes_logs(tmp_path):
    log = tmp_path / "hands.log"
    result = run("population", "play", "--matches", 8, "--deals", 15, "--seed", 3, "--log", log)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0].split() == ["hands", "mean", "s.d.", "VP$IP", "Fold%", "Ww/oSD", "W$SD", "AF"]
    assert max(map(len, lines)) <= 80
    assert "8 matches, 120 deals, kinds drawn by match, seed 3" in lines[-1]
    assert len(read_hands([log])[0]) == 120
    document = json.loads(run("population", "play", "--matches", 8, "--deals", 15, "--seed", 3, "--json").output)
    assert document["styles"]["all"]["hands"] == 8 * 15 * 6
    assert f"{document['styles']['all']['values']['VP$IP']:.2f}" in result.output
    assert abs(document["styles"]["all"]["values"]["mean"]) < 1e-9


def test_a_folder_gets_one_log_a_match(tmp_path):
    args = ("population", "play", "switchable", "--matches", 3, "--deals", 10, "--kind-by", "seat", "--bots")
    result = run(*args, "--log", tmp_path, "--workers", 2)
    assert result.exit_code == 0, result.output
    assert "maniac-2" in result.output
    hands, broken = read_hands([tmp_path])
    assert not broken
    assert hands.matches.tolist() == [0] * 10 + [1] * 10 + [2] * 10
    assert run(*args).output == result.output


def test_show_names_bots_and_parameters():
    result = run("population", "show")
    assert result.exit_code == 0
    assert "43 bots" in result.output
    assert "sim-4" in result.output
    assert "score needed to call the big blind" in run("population", "show", "--bot", "sim-1").output
    document = json.loads(run("population", "show", "switchable", "--json").output)
    assert len(document["bots"]) == 12
    assert document["kinds"] == {"station": 1, "timid": 1, "maniac": 1}


def test_make_can_be_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr(calibration, "SAMPLE", 4)
    once, twice = tmp_path / "once.json", tmp_path / "twice.json"
    assert run("population", "make", "--rounds", 3, "--seed", 2, "--out", once).exit_code == 0
    result = run("population", "make", "--rounds", 1, "--seed", 2, "--out", twice)
    assert "average bot" in result.output
    assert "--resume" in run("population", "make", "--rounds", 3, "--seed", 2, "--out", twice).output
    assert run("population", "make", "--rounds", 3, "--seed", 2, "--out", twice, "--resume").exit_code == 0
    first, second = load_population(once), load_population(twice)
    assert (first.bots == second.bots).all()
    assert first.origin["rounds"] == second.origin["rounds"] == 3
    assert first.origin["command"] == "kibitz population make --seed 2 --rounds 3 --samples 1"
    assert run("population", "make", "--preset", "switchable", "--out", tmp_path / "s.json").exit_code == 0
    assert load_population(tmp_path / "s.json").names == load_population("switchable").names


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("play", "nowhere"), "no population nowhere"),
        (("show", "--bot", "hs-99"), "did you mean"),
        (("play", "--kind-by", "table"), "'table' is not one of"),
        (("play", "--matches", 1, "--log", "no/such/folder/a.log"), "cannot write"),
    ],
)
def test_mistakes_are_told(arguments, said):
    result = run("population", *arguments)
    assert result.exit_code != 0
    assert said in result.output
    assert "Traceback" not in result.output

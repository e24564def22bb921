"""`kibitz population`: bots are made, shown and played; what is refused."""

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.learning import Model, Structure
from kibitz.learning.histories import read_hands
from kibitz.learning.player_types import TypedModel, save_typed
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


def test_made_populations_are_artefacts(tmp_path, monkeypatch):
    monkeypatch.setattr(calibration, "SAMPLE", 4)
    made = run("population", "make", "--rounds", 1, "--seed", 2, "--out", tmp_path / "mine.json")
    assert made.exit_code == 0, made.output
    assert "average bot" in made.output
    assert "43 bots" in made.output
    more = run("population", "make", "--rounds", 3, "--seed", 2, "--out", tmp_path / "mine.json", "--resume", "--json")
    assert json.loads(more.stdout)["rounds"] == 3
    shown = run("show", tmp_path / "mine.json", "sim-1")
    assert "`kibitz population make --out FILE --rounds 3 --seed 2`" in " ".join(shown.output.split())
    assert "score needed to call the big blind" in shown.output
    assert run("match", "population:sim-1,from=" + str(tmp_path / "mine.json"), "random", "--hands", 2, "--game",
               "holdem-limit-2p").exit_code == 0  # fmt: skip
    assert run("population", "make", "--preset", "switchable", "--out", tmp_path / "s.json").exit_code == 0
    assert load_population(tmp_path / "s.json").names == load_population("switchable").names
    played = run("match", tmp_path / "s.json", "random", "--hands", 2)
    assert "is a population of bots, which does not play" in " ".join(played.output.split())


def strict(text):
    """A JSON document without numbers that are none."""
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


@pytest.mark.filterwarnings("error")
def test_what_is_not_known_is_a_dash(population_agent):
    words = ("--matches", 1, "--deals", 1)
    played = run("population", "play", *words, "--players", 2)
    measured = run("population", "measure", population_agent, "model", *words)
    for result in (played, measured):
        assert result.exit_code == 0, result.output
        assert "nan" not in result.output
        assert "inf" not in result.output
        assert "–" in result.output
        assert "1 match, 1 deal" in result.output
    played = run("population", "play", *words, "--players", 2, "--json")
    measured = run("population", "measure", population_agent, "model", *words, "--json")
    assert strict(played.stdout)["between"]["deviations"]["W$SD"] is None
    assert strict(measured.stdout)["error"] is None


def test_bots_fit_eighty_columns():
    lines = run("population", "show", *(word for bot in ("hs-01", "sim-1") for word in ("--bot", bot))).output
    assert max(map(len, lines.splitlines())) <= 80


def test_what_cannot_be_written_is_told_before_matches_are_played(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.learning.population.play_hands", lambda *_: pytest.fail("played"))
    result = run("population", "play", "--log", tmp_path / "no" / "x.log")
    assert result.exit_code == 2
    assert f"cannot write {tmp_path / 'no' / 'x.log'}" in result.output


def test_a_search_that_is_further_on_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(calibration, "SAMPLE", 4)
    words = ("population", "make", "--seed", 2, "--out", tmp_path / "p.json")
    assert run(*words, "--rounds", 2).exit_code == 0
    result = run(*words, "--rounds", 1, "--resume")
    assert result.exit_code == 0, result.output
    assert "is at 2 rounds already, more than --rounds 1" in " ".join(result.stderr.split())
    assert load_population(tmp_path / "p.json").made["rounds"] == 2


@pytest.fixture(scope="module")
def population_agent(tmp_path_factory):
    """An agent that reads types."""
    folder = tmp_path_factory.mktemp("agents")
    save_typed(TypedModel.random(Model.random(Structure(), 2, 0.3), 2), folder / "types")
    words = ("--players", 3, "--hands", 64, "--match-length", 8, "--evaluate", 0, "--out", folder / "agent")
    assert run("learn", "exploiter", folder / "types", *words).exit_code == 0
    return folder / "agent"


def test_a_control_needs_two_matches(population_agent):
    words = ("population", "measure", population_agent, "switchable", "--players", 3, "--deals", 4, "--control")
    result = run(*words, "--matches", 1)
    assert result.exit_code == 2
    assert "--control: 1 match cannot be compared: at least 2 are needed (--matches)" in result.output
    result = run(*words, "--matches", 2)
    assert result.exit_code == 0, result.output
    assert "in every row" in result.output


def test_players_of_a_model_have_no_kinds(population_agent):
    result = run("population", "measure", population_agent, "model", "--matches", 1, "--kind-by", "seat")
    assert result.exit_code == 2
    assert "--kind-by: the players of a model have no kinds" in result.output


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

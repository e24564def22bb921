"""`kibitz exploit`: what beats an opponent, from the terminal."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.games import load_game
from kibitz.plans import read_curve
from kibitz.responses.robust.observing import observe
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy, load_strategy, save_model, save_strategy

THREE = "PR EHS2 3-3-3-1"  # buckets of hold'em that are found in a moment: those of the river would take half a minute


def run(*arguments):
    result = CliRunner().invoke(main, [str(each) for each in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def respond(*arguments):
    return json.loads(run("exploit", *arguments, "--json"))


def refusal(*arguments):
    result = CliRunner().invoke(main, ["exploit", *map(str, arguments)])
    assert result.exit_code == 2, result.output
    return " ".join(result.output.split())


def test_leduc_against_uniform():
    found = respond("uniform", "--game", "leduc", "--method", "rnr", "--p", 0.5)
    assert found["unit"] == "milli-antes/hand"
    assert [found["objective"], found["exploitation"], found["exploitability"]] == pytest.approx(
        [696.29, 1844.95, 452.36], abs=0.01
    )


@pytest.mark.parametrize("method", ["rnr", "dbr"])
def test_half_is_believed_unless_another_share_or_a_target_is_given(method):
    options = ("tight-passive", "--game", "kuhn", "--method", method, *(("--observe", 50) if method == "dbr" else ()))
    amount = {"rnr": "--p", "dbr": "--p-max"}[method]
    assert {**respond(*options), "seconds": 0} == {**respond(*options, amount, 0.5), "seconds": 0}


def test_what_is_won_from_a_model_is_told_apart_from_what_it_assumes(tmp_path):
    problem = Problem(load_game("leduc"))
    for name, hands in (("little", 60), ("much", 60_000)):
        save_model(observe(problem.deal, Strategy.uniform(problem.vector.layout), hands), tmp_path / name)
    found = respond(tmp_path / "little", "--out", tmp_path / "out")
    told = found["imputation"]
    assert told["observed"]["mean"] + told["imputed"]["mean"] == pytest.approx(found["exploitation"])
    assert told["hands_imputed"]["mean"] > 0.1
    assert "is assumed to call" in told["warning"]
    assert load_strategy(tmp_path / "out").manifest["imputation"] == told
    text = run("exploit", tmp_path / "little")
    assert [line.split()[0] for line in text.splitlines()[3:7]] == ["against", "observed", "imputed", "decisions"]
    assert "exploitation " not in text
    assert f"Warning: {told['warning']}." == " ".join(text[text.index("Warning:") :].split())
    assert max(map(len, text.splitlines()[1:])) <= 80
    front = run("exploit", tmp_path / "little", "--curve").splitlines()
    assert front[0].endswith("against model  exploitability  imputed %")
    assert float(front[6].split()[-1]) == pytest.approx(100 * told["hands_imputed"]["mean"], abs=0.06)
    assert "hands in which the model has no data" in front[-1]
    text = run("exploit", tmp_path / "much")
    assert "exploitation " in text
    assert "decisions seen     100.0 %" in text
    assert "imputed" not in text
    assert "Warning" not in text


def test_the_folder_plays_everywhere(tmp_path):
    out = tmp_path / "out"
    found = respond("always-call", "--game", "leduc", "--method", "rnr", "--p", 0.7, "--out", out)
    measured = json.loads(run("measure", "exploitability", out, "--json"))
    assert 1000 * measured["exploitability"] == pytest.approx(found["exploitability"], abs=1e-6)
    match = json.loads(run("match", out, "always-call", "--game", "leduc", "--hands", 2000, "--json"))
    rate = match["tables"][0]["rates"][0]
    assert abs(rate["mean"] - found["exploitation"]) < 4 * rate["half_width"]
    assert "player 1 to act, round 1, after 'c'" in run("show", out, "c")


@pytest.mark.parametrize("method", [("fbr",), ("eps-safe", "--epsilon", 100), ("rnr", "--target", 200)])
def test_a_folder_brings_its_own_game(method, tmp_path):
    layout = Problem(load_game("kuhn")).vector.layout
    save_strategy(Strategy.uniform(layout), tmp_path / "uniform")
    found = respond(tmp_path / "uniform", "--method", *method)
    assert found["game"] == "kuhn"
    if method[0] != "fbr":
        assert found["exploitability"] <= float(method[2]) + 1e-6


def test_a_model_is_responded_to_by_its_data(tmp_path):
    problem = Problem(load_game("leduc"))
    save_model(observe(problem.deal, Strategy.uniform(problem.vector.layout), 3_000), tmp_path / "model")
    found = respond(tmp_path / "model", "--method", "dbr", "--p-max", 0.9, "--confidence", "bayes")
    greedy = respond(tmp_path / "model", "--method", "fbr")
    assert 0 < found["exploitation"] <= greedy["exploitation"]
    assert found["exploitability"] < greedy["exploitability"]


def test_observed_hands_and_mimics(tmp_path):
    options = ("tight-passive", "--game", "kuhn", "--method", "dbr", "--p-max", 0.9, "--observe", 200, "--seed", 3)
    first = respond(*options, "--algorithm", "cfr+", "--iterations", 64, "--out", tmp_path / "a")
    again = respond(*options, "--algorithm", "cfr+", "--iterations", 64, "--out", tmp_path / "b")
    assert {**first, "seconds": 0} == {**again, "seconds": 0}
    assert (first["opponent"], first["observed_hands"], first["seed"]) == ("tight-passive", 200, 3)
    assert np.array_equal(*(load_strategy(tmp_path / each / "mimic").values for each in "ab"))


def test_a_resumed_run_ends_as_a_straight_one(tmp_path):
    options = ("always-raise", "--game", "leduc", "--method", "rnr", "--p", 0.4, "--algorithm", "dcfr")
    straight = respond(*options, "--iterations", 100, "--out", tmp_path / "straight")
    respond(*options, "--iterations", 30, "--out", tmp_path / "halves")
    resumed = respond(*options, "--iterations", 100, "--out", tmp_path / "halves", "--resume")
    assert resumed["objective"] == straight["objective"]
    assert np.array_equal(*(load_strategy(tmp_path / each).values for each in ("straight", "halves")))


def test_the_front_as_table_json_and_plot(tmp_path):
    text = run("exploit", "uniform", "--game", "kuhn", "--curve", "--out", tmp_path / "front")
    assert text.splitlines()[0].split() == ["p", "objective", "exploitation", "exploitability"]
    assert (tmp_path / "front" / "front.png").read_bytes().startswith(b"\x89PNG")
    found = respond("uniform", "--game", "kuhn", "--curve", "--out", tmp_path / "front", "--resume")
    assert len(found["points"]) == 13
    gains = [each["exploitation"] for each in found["points"]]
    assert gains == sorted(gains) or np.allclose(gains, sorted(gains))


def test_a_front_is_not_resumed_from_points_that_were_solved_otherwise(tmp_path):
    options = ("uniform", "--game", "kuhn", "--curve", "--algorithm", "cfr+", "--out", tmp_path / "front")
    respond(*options, "--iterations", 2)
    assert "its run has iterations = 2, this plan has 64" in refusal(*options, "--iterations", 64, "--resume")


def test_a_run_is_not_resumed_as_another(tmp_path):
    options = ("--game", "kuhn", "--algorithm", "cfr", "--iterations", 4, "--out", tmp_path / "out")
    respond("uniform", "--p", 0.3, *options)
    before = (tmp_path / "out" / "values.npy").read_bytes()
    assert "its run has p = 0.3, this plan has 0.4" in refusal("uniform", "--p", 0.4, *options, "--resume")
    text = refusal("always-call", "--p", 0.3, *options, "--resume")
    assert "its run has opponent = 'uniform', this plan has 'always-call'" in text
    assert (tmp_path / "out" / "values.npy").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("uniform", "--game", "leduc", "--p", 1.5), "p is 1.5: a number from 0 to 1 is needed"),
        (
            ("uniform", "--game", "leduc", "--method", "dbr", "--p-max", -1),
            "p_max is -1: a number from 0 to 1 is needed",
        ),
        (("uniform", "--game", "leduc", "--p", 0.5, "--method", "dbr"), "--p is for rnr, not dbr"),
        (("uniform", "--game", "leduc", "--method", "eps-safe"), "eps-safe needs --epsilon"),
        (("uniform", "--game", "leduc", "--p", 0.5, "--target", 5), "--target tunes --p: give one of them"),
        (("uniform",), "give a game: an agent by name can play several (kuhn, kuhn-3p,"),
        (
            ("uniform", "--game", "leduc", "--target", 1e6),
            "an exploitability of 1e+06 milli-antes/hand cannot be reached: with p = 1 it is 3416.67",
        ),
        (("uniform", "--game", "leduc", "--target", -5), "target is -5: a number at least 0 is needed"),
        (
            ("uniform", "--game", "leduc", "--method", "eps-safe", "--epsilon", "inf"),
            "epsilon is inf: a number at least 0 is needed",
        ),
        (("uniform", "--game", "holdem-limit-2p", "--cards", "IR-10", "--p", 0.5), "perfect recall"),
        (("uniform", "--game", "leduc", "--method", "dbr", "--p-max", 0.5), "needs observations"),
        (("uniform", "--game", "leduc", "--p", 0.5, "--hands", 100), "--hands is for three or more players, not 2"),
        (("nobody", "--game", "leduc", "--p", 0.5), "no agent 'nobody'"),
        (("random", "--game", "leduc-nolimit", "--menu", "fcpa", "--p", 0.5), "give menus with all its bets"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(arguments, words, tmp_path):
    assert words in refusal(*arguments, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_opponent_of_another_game_is_refused(tmp_path):
    layout = Problem(load_game("kuhn")).vector.layout
    save_strategy(Strategy.uniform(layout), tmp_path / "kuhn")
    for option, value in (("--cards", "5-bucket"), ("--menu", "r"), ("--boards", 5)):
        assert f"{option.removeprefix('--')} without a game" in refusal(tmp_path / "kuhn", option, value, "--p", 0.5)
    assert "kuhn plays kuhn, not leduc" in refusal(tmp_path / "kuhn", "--game", "leduc", "--p", 0.5)
    model = observe(Problem(load_game("kuhn")).deal, Strategy.uniform(layout), 10)
    save_model(model, tmp_path / "model")
    assert "model plays kuhn, not leduc" in refusal(tmp_path / "model", "--game", "leduc", "--p", 0.5)
    nolimit = Problem(load_game("leduc-nolimit"), "fcpa").vector.layout
    save_strategy(Strategy.uniform(nolimit), tmp_path / "fcpa")
    text = refusal(tmp_path / "fcpa", "--game", "leduc-nolimit", "--menu", "0.5, all-in", "--p", 0.5)
    assert "has the menu 1, all-in, not 0.5, all-in: a response needs the opponent's own bets" in text


def test_what_does_not_fit_is_refused_before_it_starts(monkeypatch, tmp_path):
    monkeypatch.setattr("kibitz.training.memory.available_bytes", lambda: 500 << 20)
    options = ("uniform", "--game", "holdem-limit-2p", "--method", "rnr", "--p", 0.5, "--out", tmp_path / "out")
    for cards in (("--cards", "8-bucket"), ("--cards", "2-bucket", "--free-cards", "12-bucket")):
        assert "a vector solver needs" in refusal(*options, *cards)
    assert not (tmp_path / "out").exists()


def test_a_tuned_response_is_the_one_by_its_share(tmp_path):
    found = respond("uniform", "--game", "kuhn", "--method", "rnr", "--target", 200, "--out", tmp_path / "out")
    tried = [row["p"] for row in read_curve(tmp_path / "out")]
    assert len(tried) == len(set(tried)) > 2
    assert found["p"] in tried
    again = respond("uniform", "--game", "kuhn", "--method", "rnr", "--p", found["p"])
    assert {**again, "seconds": 0} == {**found, "seconds": 0}


def test_a_model_of_other_cards_in_holdem_is_answered_on_boards_and_resumed(tmp_path):
    options = ("always-call", "--game", "holdem-nolimit-2p", "--menu", "all-in", "--cards", THREE, "--boards", 20)
    options += ("--model-cards", "2-bucket", "--method", "dbr", "--p-max", 0.8, "--observe", 500, "--seed", 2)
    whole = respond(*options, "--iterations", 30, "--out", tmp_path / "whole")
    respond(*options, "--iterations", 20, "--out", tmp_path / "parts")
    resumed = respond(*options, "--iterations", 30, "--out", tmp_path / "parts", "--resume")
    assert (whole["algorithm"], whole["objective"], whole["gap"]) == ("pcs", None, None)
    assert whole["cards"] == {"ours": THREE, "free": THREE, "model": "2-bucket"}
    assert resumed["exploitation"] == whole["exploitation"]
    values = [(tmp_path / run / "values.npy").read_bytes() for run in ("whole", "parts")]
    assert values[0] == values[1]
    text = refusal(*options[:-1], 3, "--iterations", 40, "--out", tmp_path / "parts", "--resume")
    assert "its run has seed = 2, this plan has 3" in text
    run("match", tmp_path / "whole", "always-call", "--game", "holdem-nolimit-2p", "--hands", 20)

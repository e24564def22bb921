"""`kibitz train` best-response, exploiter and small-game, and `rollout-error`: results, resuming, what they refuse."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.agents import load_agent
from kibitz.cli import main
from kibitz.learning import Model, Structure, save_model
from kibitz.learning.exploiters import DEFAULT_LEARNING
from kibitz.learning.player_types import TypedModel, save_typed
from kibitz.learning.responses import AGAINST_COPIES, load_response
from kibitz.learning.responses.plan import BestResponsePlan, gain_of
from kibitz.plans import carry_out, fingerprint_of, read_curve


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model"
    save_model(Model.random(Structure(), 2, 0.3), path)
    return path


def run(*words: object):
    return CliRunner().invoke(main, [*map(str, words)], prog_name="kibitz")


def test_a_best_response_is_an_agent(model, tmp_path):
    out = tmp_path / "response"
    result = run("train", "best-response", model, "--players", 2, "--hands", 6400, "--evaluate", 2000, "--out", out)
    assert result.exit_code == 0, result.output
    assert "It wins" in result.output
    assert max(map(len, result.output.splitlines())) <= 80
    made = load_response(out)[0].made
    assert made["algorithm"] == "best response"
    assert made["against"]["players"] == 2
    assert made["learning"] == AGAINST_COPIES.describe()
    shown = run("show", out, "--made")
    assert "kibitz train best-response" in shown.output
    assert f"agents {model}: a learned model, {fingerprint_of(model)}" in shown.output
    played = run("match", out, "always-call", "--game", "holdem-limit-2p", "--hands", 10)
    assert played.exit_code == 0, played.output
    assert "response" in played.output


def test_a_response_to_one_who_never_looks_is_simulated(tmp_path):
    """In kernels; from random weights that stay in, by the rules of the ACPC."""
    out = tmp_path / "response"
    words = ("train", "best-response", "always-raise", "--players", 2, "--hands", 64_000, "--evaluate", 8000)
    result = run(*words, "--threads", 2, "--out", out)
    assert result.exit_code == 0, result.output
    assert "Warning" not in result.output
    found, observer = load_response(out)
    assert gain_of(found.made)["mean"] > 0.5
    assert found.made["against"] == {"agents": ["always-raise"], "players": 2}
    assert found.structure == observer.structure
    played = run("match", out, "always-raise", "--game", "holdem-limit-2p", "--hands", 2000, "--json")
    assert json.loads(played.stdout)["tables"][0]["rates"][0]["mean"] > 0


def test_a_collapse_is_told_and_not_kept(model, tmp_path):
    """Wild rates; what wins more is kept in place of what was learned."""
    words = ("best-response", "always-raise", "--players", 3, "--hands", 6400, "--start", model, "--entropy", 0)
    result = run("train", *words, "--rate", 1, "--card-rate", 1, "--evaluate", 8000, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    gain = gain_of(load_response(tmp_path / "out")[0].made)
    said = f"Warning: what was learned wins less than {gain['chosen']}, which was kept instead."
    assert said in " ".join(result.stderr.split())
    assert gain["chosen"] not in ("learned", "its last weights")


def test_a_response_that_is_left_goes_on_to_the_same_bits(model, tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.learning.runs.PIECE_SECONDS", 0.0)
    plan = BestResponsePlan((str(model),), players=3, hands=2560, evaluate=200)
    *_, whole = carry_out(plan, tmp_path / "whole")
    reports = carry_out(plan, tmp_path / "part")
    for _ in range(25):
        next(reports)
    reports.close()
    *_, last = carry_out(plan, tmp_path / "part", resume=True)
    assert np.array_equal(*(load_response(tmp_path / name)[0].flat for name in ("whole", "part")))
    rows = [[row["winnings"] for row in read_curve(tmp_path / name)] for name in ("whole", "part")]
    assert rows[0] == rows[1]
    assert gain_of(last.artefact.made) == gain_of(whole.artefact.made)


def test_an_exploiter_learns_with_the_settings_of_the_library(model, tmp_path):
    out = tmp_path / "exploiter"
    result = run("train", "exploiter", model, "--players", 3, "--hands", 640, "--evaluate", 0, "--out", out)
    assert result.exit_code == 0, result.output
    made = load_response(out)[0].made
    assert made["learning"] == DEFAULT_LEARNING.describe()


@pytest.fixture(scope="module")
def exploiter(model, tmp_path_factory):
    """An agent that reads types."""
    folder = tmp_path_factory.mktemp("exploiters")
    save_typed(TypedModel.random(Model.random(Structure(), 2, 0.3), 2), folder / "types")
    words = ("--players", 3, "--hands", 64, "--match-length", 8, "--evaluate", 0, "--out", folder / "exploiter")
    result = run("train", "exploiter", folder / "types", *words)
    assert result.exit_code == 0, result.output
    return folder / "exploiter"


@pytest.mark.parametrize(
    "words",
    [
        ("train", "exploiter", "{}", "--out", "{out}"),
        ("train", "best-response", "{}", "--out", "{out}"),
        ("train", "best-response", "random", "{},name=mine", "--out", "{out}"),
        ("train", "best-response", "random", "--players", 2, "--start", "{}", "--out", "{out}"),
        ("train", "opponent", "nothing.log", "--compare", "{}", "--out", "{out}"),
        ("train", "types", "nothing.log", "--from", "{}", "--out", "{out}"),
        ("train", "explain", "{}", "--hole", "AhAd"),
        ("measure", "rollouts", "{}"),
        ("match", "rollout:{}", "random", "--game", "holdem-limit-2p", "--hands", 2),
    ],
)
def test_an_exploiter_is_no_model_of_players(exploiter, tmp_path, words):
    out = tmp_path / "out"
    result = run(*(str(word).format(exploiter, out=out) for word in words))
    assert result.exit_code == 2, result.output
    assert "is an exploiter" in result.output
    assert not out.exists()


def test_player_types_are_no_agent(exploiter):
    types = exploiter.parent / "types"
    result = run("match", types, "random", "--game", "holdem-limit-2p", "--hands", 2)
    assert result.exit_code == 2
    assert f"{types} is a model of player types" in result.output


def test_an_exploiter_plays_and_is_begun_with(exploiter, tmp_path):
    played = run("match", exploiter, "random", "--game", "holdem-limit-2p", "--hands", 2)
    assert played.exit_code == 0, played.output
    words = (exploiter.parent / "types", "--from", exploiter, "--extra-layer", "--players", 3, "--hands", 64)
    begun = run("train", "exploiter", *words, "--evaluate", 1, "--out", tmp_path / "layer")
    assert begun.exit_code == 0, begun.output
    said = " ".join(begun.output.split())
    assert "nan" not in said
    assert "in 120 deals without learning; one match has no standard error." in said


@pytest.mark.parametrize("command", ["self-play", "best-response random", "exploiter {}"])
def test_a_folder_that_is_taken_is_refused_before_anything_is_printed(model, command):
    result = run("train", *command.format(model).split(), "--hands", 64, "--out", model)
    assert result.exit_code == 2
    assert result.output.startswith("Error: ")
    assert "holds manifest.json" in result.output


def test_a_single_hand_has_no_standard_error(tmp_path):
    words = ("--players", 2, "--hands", 1, "--batch", 1, "--evaluate", 1, "--out", tmp_path / "out")
    result = run("train", "best-response", "always-call", *words)
    assert result.exit_code == 0, result.output
    assert "nan" not in result.output
    assert "in 1 hand without" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("random", "random", "--players", "2"), "2 opponents for 1 other seat:"),
        (("random", "--game", "leduc"), "limit hold'em is needed"),
        (("random", "--game", "holdem-limit-2p", "--players", "3"), "--players 3: holdem-limit-2p has 2"),
        (("nobody",), "no agent 'nobody'"),
        (("random", "--start", "nowhere"), "there is no folder nowhere"),
    ],
)
def test_responses_that_are_refused_leave_nothing(tmp_path, words, reason):
    result = run("train", "best-response", *words, "--hands", 64, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert reason in result.output
    assert not (tmp_path / "out").exists()


def test_rollout_errors_by_stage(model):
    words = ("measure", "rollouts", model, "--decisions", 40, "--samples", 30, "--players", 3)
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[1].startswith("pre-flop")
    assert max(map(len, result.output.splitlines())) <= 80
    document = json.loads(run(*words, "--json").output)
    overall = document["stages"]["overall"]
    assert overall["decisions"] == 40
    assert overall["sample"] == pytest.approx(overall["lfo"] + overall["improvement"])
    for wrong in (("--players", "11"), ("--folds", "31"), ("--players", "x"), ("--resume",)):
        refused = run(*words, *wrong)
        assert refused.exit_code == 2, wrong
        assert refused.output.startswith("Error")


def test_small_games_are_followed(tmp_path):
    words = ("train", "small-game", "kuhn", "--steps", 50, "--anchor", "strategy")
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert len(result.output.splitlines()) == 13
    kept = run(*words, "--out", tmp_path / "kuhn")
    assert kept.output.startswith(result.output)
    assert (tmp_path / "kuhn" / "curve.png").exists()
    assert load_agent(str(tmp_path / "kuhn")).name == "kuhn"
    document = json.loads(run("train", "small-game", "uniform", "--steps", 20, "--json").output)
    assert document["curve"][0]["current"] > document["curve"][-1]["current"] > 0
    assert "small games are for two" in run("train", "small-game", "kuhn-3p").output

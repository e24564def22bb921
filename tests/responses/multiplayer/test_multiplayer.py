"""Responses in games of three players: their values, their folders, and the command."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.games import format_gamedef, load_game
from kibitz.plans import carry_out
from kibitz.responses.multiplayer import Sampling, respond
from kibitz.responses.robust import Method
from kibitz.solvers.problem import Problem
from kibitz.solvers.restricted import owner_mask
from kibitz.strategy import FrequentistModel, Strategy, load_strategy
from kibitz.training import memory
from kibitz.training.responding import RespondPlan

KUHN = Problem(load_game("kuhn-3p"))
LAYOUT = KUHN.sampled.layout
QUICK = Sampling(iterations=3_000, hands=20_000)
FEW_RAISES = replace(load_game("holdem-limit-3p"), max_raises=(1, 1, 1, 1), name="few-raises")


def random_model(seed, most=30):
    return FrequentistModel(LAYOUT, np.random.default_rng(seed).integers(0, most, LAYOUT.size).astype(float))


def exact(response, opponent, seat):
    """What a seat of the response wins from the opponent, chips per hand."""
    values = np.where(owner_mask(LAYOUT, seat), response.values, opponent.values)
    return KUHN.enumeration.values(Strategy(LAYOUT, values))[seat]


def run(*arguments, code=0):
    result = CliRunner().invoke(main, [str(each) for each in arguments])
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else " ".join(result.output.split())


def respond_by(*arguments):
    return json.loads(run("exploit", *arguments, "--json"))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["rnr", "dbr"]), st.floats(0, 1), st.sampled_from(["average", "current"]))
def test_sampled_values_hold_the_exact_ones(seed, name, amount, profile):
    model = random_model(seed)
    found = respond(KUHN, model, Method(name, amount), replace(QUICK, seed=seed, profile=profile))
    best = KUHN.enumeration.best_values(model.strategy)
    for seat, value in enumerate(found.seats):
        true = 1000 * exact(found.strategy, model.strategy, seat)
        assert abs(value.exploitation.mean - true) < 3 * value.exploitation.half_width
        assert true <= 1000 * best[seat] + 1e-9
    for node in LAYOUT.tree.decisions:
        np.testing.assert_allclose(found.strategy.at(node).sum(axis=0), 1)


def test_unseen_players_call():
    counts = np.zeros(LAYOUT.size)
    found = respond(KUHN, FrequentistModel(LAYOUT, counts), Method("fbr"), replace(QUICK, iterations=20_000))
    best = KUHN.enumeration.best_values(Strategy.always(LAYOUT, "c"))
    for seat, most in enumerate(best):
        assert exact(found.strategy, Strategy.always(LAYOUT, "c"), seat) > most - 0.02


def test_more_trust_wins_more_from_the_model():
    model = random_model(1)
    found = [respond(KUHN, model, Method("rnr", p), replace(QUICK, iterations=20_000)) for p in (0.0, 0.5, 1.0)]
    won = [each.exploitation.mean for each in found]
    assert won == sorted(won)
    assert found[2].objective == found[2].exploitation
    assert all(seat.objective.mean < seat.exploitation.mean for seat in found[1].seats)


def test_data_biased_responses_need_data_and_nothing_is_held_without_it():
    model = FrequentistModel(LAYOUT, np.zeros(LAYOUT.size))
    plain = respond(KUHN, model, Method("rnr", 0.0), QUICK)
    assert np.array_equal(respond(KUHN, model, Method("dbr", 0.9), QUICK).strategy.values, plain.strategy.values)
    with pytest.raises(KibitzError, match="needs observations"):
        respond(KUHN, model.strategy, Method("dbr", 0.9), QUICK)
    with pytest.raises(KibitzError, match="eps-safe with 3 players"):
        respond(KUHN, model, Method("eps-safe", 0.1), QUICK)


def test_the_folder_plays_and_exploitability_is_said_to_be_undefined(tmp_path):
    out = tmp_path / "out"
    options = ("tight-passive", "--game", "kuhn-3p", "--method", "rnr", "--p", 0.8, "--hands", 50_000)
    found = respond_by(*options, "--iterations", 5000, "--out", out)
    assert found["exploitability"] is None
    assert "two players" in found["why_no_exploitability"]
    match = json.loads(run("match", out, "tight-passive", "tight-passive", "--game", "kuhn-3p", "--json"))
    rate = match["tables"][0]["rates"][0]
    assert abs(rate["mean"] - found["exploitation"]["mean"]) < 2 * (
        rate["half_width"] + found["exploitation"]["half_width"]
    )
    text = run("exploit", *options, "--iterations", 100)
    assert "exploitability           –  (defined for two players only)" in text
    assert "means of 3 seats, 50,000 sampled hands each, 95 % intervals" in text


def test_a_resumed_run_ends_as_a_straight_one(tmp_path):
    options = ("always-raise", "--game", "kuhn-3p", "--p", 0.4, "--hands", 1000, "--seed", 7)
    straight = respond_by(*options, "--iterations", 300, "--out", tmp_path / "straight")
    plan = RespondPlan("always-raise", game="kuhn-3p", p=0.4, hands=1000, seed=7, iterations=300)
    reports = carry_out(plan, tmp_path / "halves")
    assert next(report for report in reports if report.done > 450).stage == "seat 1"
    reports.close()
    resumed = respond_by(*options, "--iterations", 300, "--out", tmp_path / "halves", "--resume")
    assert {**resumed, "seconds": 0} == {**straight, "seconds": 0}
    assert np.array_equal(*(load_strategy(tmp_path / each).values for each in ("straight", "halves")))
    other = ("always-raise", "--game", "kuhn-3p", "--p", 0.5, "--hands", 1000, "--seed", 7)
    text = run("exploit", *other, "--iterations", 300, "--out", tmp_path / "halves", "--resume", code=2)
    assert "its run has p = 0.4, this plan has 0.5" in text
    assert "no run to continue" in run("exploit", *other, "--out", tmp_path / "none", "--resume", code=2)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--p", 0.5, "--until", 1), "--until is for two players, not 3"),
        (("--target", 10), "--target is for two players, not 3"),
        (("--curve",), "--curve is for two players, not 3"),
        (("--method", "eps-safe", "--epsilon", 1), "eps-safe is for two players, not 3: take fbr, rnr or dbr"),
        (("--method", "dbr", "--p-max", 0.5), "a data-biased response needs observations: give a model"),
        (("--p", 0.5, "--model-cards", "one-bucket"), "cards of the model (one-bucket) are for hold'em"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(arguments, words, tmp_path):
    assert words in run("exploit", "uniform", "--game", "kuhn-3p", *arguments, "--out", tmp_path / "out", code=2)
    assert not (tmp_path / "out").exists()


def test_holdem_with_other_cards_for_the_model(tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    game = tmp_path / "few-raises.game"
    game.write_text(format_gamedef(FEW_RAISES))
    log, model, out = tmp_path / "log", tmp_path / "model", tmp_path / "out"
    run("match", "tight-passive", "always-call", "probe", "--game", game, "--hands", 300, "--log", log)
    run(
        "hands",
        "model",
        "build",
        log,
        "--game",
        game,
        "--player",
        "tight-passive",
        "--cards",
        "one-bucket",
        "--out",
        model,
    )
    options = ("--p-max", 0.9, "--iterations", 200, "--hands", 2000, "--storage", "single", "--out", out)
    found = respond_by(model, "--method", "dbr", "--game", game, "--cards", "IR EHS2 169-1-1-1", *options)
    assert found["cards"] == {"ours": "IR EHS2 169-1-1-1", "model": "one-bucket"}
    told = found["imputation"]
    assert told["observed"]["mean"] + told["imputed"]["mean"] == pytest.approx(found["exploitation"]["mean"])
    assert min(told[part]["half_width"] for part in ("observed", "imputed")) > 0
    assert load_strategy(out).manifest["imputation"] == told
    run("match", out, "tight-passive", "tight-passive", "--game", game, "--hands", 20)
    refused = run("exploit", "tight-passive", "--game", game, "--cards", "one-bucket", "--p", 0.5, code=2)
    assert "looks at its cards, and has no buckets" in refused
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 20)
    refused = run("exploit", "uniform", "--game", game, "--cards", "one-bucket", "--p", 0.5, code=2)
    assert "there are 1 MiB; take fewer bet sizes or fewer buckets" in refused

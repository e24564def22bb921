"""Responding as a plan: what it leaves, how it was made, and resuming to the same bits."""

import json
from importlib import import_module

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.agents import load_agent
from kibitz.agents.registry import agent_content
from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.plans import carry_out, files_of, fingerprint_of, kind_of, open_artefact, read_curve
from kibitz.plans.history import history_of
from kibitz.responses.robust.fronts import SHARES, load_front
from kibitz.responses.robust.observing import observe
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy, load_strategy, save_model
from kibitz.training.responding import RespondPlan

KUHN = Problem(load_game("kuhn"))
BIASED = {"method": "dbr", "observe": 200, "algorithm": "cfr+"}
PLANS = {
    "one": RespondPlan("always-raise", game="leduc", p=0.4, algorithm="dcfr", iterations=60),
    "front": RespondPlan("tight-passive", game="kuhn", curve=True, iterations=40, **BIASED),
    "target": RespondPlan("uniform", game="kuhn", target=150.0, algorithm="dcfr", iterations=30),
    "exact": RespondPlan("uniform", game="kuhn", target=150.0),
    "best": RespondPlan("tight-passive", game="leduc", method="fbr"),
    "seats": RespondPlan("always-raise", game="kuhn-3p", iterations=200, hands=500),
}


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch):
    for name in ("robust.respond", "multiplayer.runs"):
        monkeypatch.setattr(import_module(f"kibitz.responses.{name}"), "PIECE_SECONDS", 0.0)


def left(folder):
    """Everything in the folder but what has no part in the result."""
    names = {"checkpoint.npz", "manifest.json", "front.png"}
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name not in names}


@pytest.mark.parametrize("name", PLANS)
def test_a_run_that_is_left_resumes_to_the_same_bits(name, tmp_path):
    plan = PLANS[name]
    *_, last = carry_out(plan, tmp_path / "straight")
    for stop in (1, 7, 23):
        out = tmp_path / f"{stop}"
        reports = carry_out(plan, out)
        for _ in zip(range(stop), reports, strict=False):
            pass
        reports.close()
        if not (out / "manifest.json").exists():
            list(carry_out(plan, out, resume=True))
        assert left(out) == left(tmp_path / "straight")
        assert open_artefact(out).made == {**last.artefact.made}


def test_the_mimic_is_a_part(tmp_path):
    plan = RespondPlan("tight-passive", game="kuhn", p_max=0.9, iterations=64, **BIASED)
    list(carry_out(plan, tmp_path / "out"))
    assert open_artefact(tmp_path / "out", "strategy").parts == ("mimic",)
    assert tmp_path / "out" / "mimic" / "values.npy" in files_of(tmp_path / "out")
    held = load_strategy(tmp_path / "out" / "mimic")
    assert (held.manifest["algorithm"], held.manifest["P_max"]) == ("mimic", 0.9)


def test_a_response_goes_on_with_more_iterations_and_a_front_does_not(tmp_path):
    one, more = (RespondPlan("uniform", game="kuhn", algorithm="cfr+", iterations=number) for number in (20, 50))
    list(carry_out(one, tmp_path / "out"))
    list(carry_out(more, tmp_path / "out", resume=True))
    list(carry_out(more, tmp_path / "straight"))
    assert np.array_equal(*(load_strategy(tmp_path / each).values for each in ("out", "straight")))
    for settings in ({"curve": True}, {"target": 100.0}):
        same = {"game": "kuhn", "algorithm": "cfr+", **settings}
        assert RespondPlan("uniform", iterations=20, **same).identity() != RespondPlan("uniform", **same).identity()


def test_a_front_is_kept_and_shown(tmp_path):
    out = tmp_path / "front"
    list(carry_out(RespondPlan("uniform", game="kuhn", curve=True), out))
    points = load_front(out)
    assert [point.amount for point in points] == list(SHARES)
    assert [row["exploitation"] for row in read_curve(out)] == [point.exploitation for point in points]
    shown = CliRunner().invoke(main, ["show", str(out), "--json"])
    assert [row["p"] for row in json.loads(shown.stdout)["points"]] == list(SHARES)
    with pytest.raises(KibitzError, match="is a front of responses, which does not play"):
        load_agent(str(out))


def test_the_opponent_is_in_the_history_and_counts_by_its_content(tmp_path):
    for name in ("one", "same"):
        save_model(observe(KUHN.deal, Strategy.uniform(KUHN.vector.layout), 300, 1), tmp_path / name)
    save_model(observe(KUHN.deal, Strategy.uniform(KUHN.vector.layout), 300, 2), tmp_path / "other")
    plans = [RespondPlan(str(tmp_path / name)) for name in ("one", "same", "other")]
    assert plans[0].inputs() == plans[1].inputs() != plans[2].inputs()
    assert agent_content(f"{tmp_path / 'one'},name=x") == f"{fingerprint_of(tmp_path / 'one')},name=x"
    assert agent_content("switch:always-call@5@probe") == "switch:always-call@5@probe"
    list(carry_out(plans[0], tmp_path / "out"))
    history = history_of(tmp_path / "out")
    assert history.command == f"kibitz exploit {tmp_path / 'one'}"
    found = history.inputs["opponent"]
    assert found is not None
    assert (found.kind, found.fingerprint) == ("model", fingerprint_of(tmp_path / "one"))
    save_model(observe(KUHN.deal, Strategy.uniform(KUHN.vector.layout), 9), tmp_path / "one")
    assert history_of(tmp_path / "out").inputs == {"opponent": None}
    assert kind_of(tmp_path / "out") == "strategy"


def test_a_target_out_of_reach_leaves_nothing(tmp_path):
    result = CliRunner().invoke(
        main, ["exploit", "uniform", "--game", "kuhn", "--target", "9e9", "--out", str(tmp_path / "out")]
    )
    assert result.exit_code == 2
    assert "cannot be reached: with p = 1 it is" in result.output
    assert not (tmp_path / "out").exists()

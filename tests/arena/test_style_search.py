"""Searching for a style: what came from one plan, one run and a line in two tables."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.agents import load_agent
from kibitz.arena.style_search import StylePlan
from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.plans import carry_out, open_artefact, read_curve

PLAN = StylePlan("always-call", game="leduc", styles=6, hands=40)


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def test_the_best_style_is_kept_and_plays(tmp_path):
    list(carry_out(PLAN, tmp_path / "caller-killer"))
    rows, kept = read_curve(tmp_path / "caller-killer"), open_artefact(tmp_path / "caller-killer", "style")
    assert len(rows) == 6
    best = max(rows, key=lambda row: row["won"])
    assert all(kept.about[knob] == best[knob] for knob in kept.about)
    assert kept.made["in the search"] == best["won"]
    agent = load_agent(str(tmp_path / "caller-killer"))
    assert agent.name == "caller-killer"
    assert agent.policy.style.tightness == best["tightness"]
    played = json.loads(
        run("match", tmp_path / "caller-killer", "always-call", "--game", "leduc", "--hands", 400, "--json").stdout
    )
    rate = played["tables"][0]["rates"][0]
    assert abs(rate["mean"] - kept.made["won"]) < 3 * (rate["half_width"] + kept.made["half width"])


def test_more_styles_go_on_from_those_that_were_tried(tmp_path):
    list(carry_out(StylePlan("always-call", game="leduc", styles=3, hands=40), tmp_path / "parts"))
    list(carry_out(PLAN, tmp_path / "parts", resume=True))
    list(carry_out(PLAN, tmp_path / "whole"))
    one, two = (open_artefact(tmp_path / name) for name in ("parts", "whole"))
    assert one.made["won"] == two.made["won"]
    np.testing.assert_array_equal(one.arrays["tried"], two.arrays["tried"])


def test_an_opponent_that_is_not_there():
    with pytest.raises(KibitzError, match="no agent 'nobody'"):
        StylePlan("nobody").begin()


def test_command_sweep_and_show_come_with_it(tmp_path):
    words = ("train", "style", "always-call", "--game", "leduc", "--styles", 2, "--hands", 20)
    assert run(*words, "--out", tmp_path / "one").stdout.startswith("rules:tightness=")
    assert "in the search" in run("show", tmp_path / "one").stdout
    assert (
        "kibitz train style always-call --game leduc --styles 2 --hands 20"
        in run("show", tmp_path / "one", "--made").stdout
    )
    assert run("sweep", *words, "--over", "seed=0..1").stdout.splitlines()[1].split() == ["cell", "won"]

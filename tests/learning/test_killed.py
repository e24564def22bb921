"""Runs that are killed at some moment, as by a machine that goes down, and resumed come to the same bits."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.learning import Model, Structure, load_model, save_model

PATIENCE = 300  # seconds


def run(*words):
    result = CliRunner().invoke(main, [*map(str, words)], prog_name="kibitz")
    assert result.exit_code == 0, result.output
    return result.output


def killed(begun, *words):
    """Start a command in a process of its own, and kill it as soon as `begun` is true."""
    command = [sys.executable, "-m", "kibitz", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + PATIENCE
    try:
        while not begun():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.001)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert process.returncode == -signal.SIGKILL


def test_killed_self_play_goes_on_to_the_same_bits(tmp_path):
    words = ("learn", "self-play", "--players", 3, "--hands", 40_000, "--seed", 5, "--out")
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    run(*words, straight)
    killed((broken / "curve.jsonl").exists, *words, broken)
    assert not (broken / "manifest.json").exists()  # there is no agent yet
    run(*words, broken, "--resume")
    assert (broken / "weights.npy").read_bytes() == (straight / "weights.npy").read_bytes()
    assert load_model(broken).made == load_model(straight).made
    curves = [
        [json.loads(line) | {"seconds": 0, "rate": 0} for line in (each / "curve.jsonl").read_text().splitlines()]
        for each in (straight, broken)
    ]
    assert curves[0] == curves[1]
    assert len(curves[0]) == 20


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model"
    save_model(Model.random(Structure(), 2, 0.3), path)
    return path


def test_killed_rollout_errors_go_on_to_the_same_bits(agent, tmp_path):
    words = ("rollout-error", agent, "--players", 3, "--decisions", 400, "--samples", 200, "--seed", 4, "--json")
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    printed = run(*words, "--out", straight)
    ledger = broken / "decisions.jsonl"
    killed(lambda: ledger.exists() and ledger.read_bytes().count(b"\n") > 2, *words, "--out", broken)
    assert not (broken / "results.json").exists()
    assert 2 < ledger.read_bytes().count(b"\n") < 17
    assert run(*words, "--out", broken, "--resume") == printed
    assert ledger.read_bytes() == (straight / "decisions.jsonl").read_bytes()
    assert (broken / "results.json").read_bytes() == (straight / "results.json").read_bytes()

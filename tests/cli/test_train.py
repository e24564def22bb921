"""`kibitz train blueprint`: a tiny preset from nothing to the table, killed and resumed."""

import json
import re

import pytest
from click.testing import CliRunner

from kibitz.agents import load_agent
from kibitz.cli import main
from kibitz.games import load_game
from kibitz.strategy import load_strategy
from kibitz.testing import check_agent
from kibitz.training import presets
from kibitz.training.presets import PRESETS, Blueprint, Preset

TINY = Preset(
    "seconds: no cards at all",
    {
        "nolimit": Blueprint("holdem-nolimit-2p", "fcpa", "one-bucket", 10, "linear", 8),
        "limit": Blueprint("holdem-limit-2p", "limit", "one-bucket", 10, "dcfr", 4),
    },
)
BOARDS = 3


@pytest.fixture(autouse=True)
def tiny(monkeypatch, tmp_path):
    monkeypatch.setitem(PRESETS, "tiny", TINY)
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))


def run(*arguments):
    return CliRunner().invoke(main, ["train", "blueprint", *map(str, arguments), "--lbr-boards", str(BOARDS)])


def test_from_nothing_to_the_table(tmp_path):
    result = run("tiny", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "nolimit: holdem-nolimit-2p, menu fcpa, one-bucket, 1,360 information sets,\n" in result.output
    assert "\n  peak memory about " in result.output
    assert max(len(line.replace(str(tmp_path), "agents")) for line in result.output.splitlines()) <= 80
    told = " ".join(result.output.split())
    exploitable = r"mbb/hand in its abstract game, at least [\d,]+ ± [\d,]+ mbb/hand in the real one \(LBR\); \d+ s of"
    for name in ("nolimit", "limit"):
        assert re.search(rf"{tmp_path / f'tiny-{name}'}: exploitable for [\d,.]+ {exploitable}", told)
    check_agent(str(tmp_path / "tiny-nolimit"), games=["holdem-nolimit-2p"], hands=60)
    agent = load_agent(str(tmp_path / "tiny-limit"))
    assert agent.name == "tiny-limit"
    assert agent.plays(load_game("holdem-limit-2p"))


def test_as_json_and_again(tmp_path):
    result = run("tiny", "--only", "limit", "--out", tmp_path, "--json")
    document = json.loads(result.stdout)
    assert document["preset"] == "tiny"
    assert document["agents"]["limit"]["iteration"] == 4
    kept = json.loads((tmp_path / "tiny-limit/manifest.json").read_text())["made"]
    assert document["agents"]["limit"]["real"] == kept["real"]
    refused = run("tiny", "--only", "limit", "--out", tmp_path)
    assert refused.exit_code == 2
    assert "holds a run: continue it, or choose another folder (--resume, --out)" in " ".join(refused.output.split())
    assert refused.stdout == ""
    done = run("tiny", "--only", "limit", "--out", tmp_path, "--resume")
    assert done.exit_code == 0
    assert "is already complete" in " ".join(done.output.split())


def test_the_real_game_is_measured_as_lbr_does(tmp_path):
    assert run("tiny", "--only", "limit", "--out", tmp_path, "--seed", 4).exit_code == 0
    folder = tmp_path / "tiny-limit"
    words = ("measure", "lbr", folder, "--boards", BOARDS, "--call-until", 2, "--seed", 4, "--json")
    found = json.loads(CliRunner().invoke(main, [*map(str, words)]).stdout)
    real = load_strategy(folder).manifest["real"]
    assert (real["lower"], real["half_width"]) == (found["mean"], found["half_width"])
    assert (real["boards"], real["sizes"], real["call_until"], real["seed"]) == (BOARDS, "fcpa", 2, 4)


def test_an_agent_without_that_measure_gets_it_once(tmp_path, monkeypatch):
    first = CliRunner().invoke(
        main, ["train", "blueprint", "tiny", "--only", "limit", "--out", str(tmp_path), "--lbr-boards", "0"]
    )
    folder = tmp_path / "tiny-limit"
    not_measured = f"in its abstract game; in the real one not measured (kibitz measure lbr {folder})"
    assert not_measured in " ".join(first.output.split())
    before = load_strategy(folder)
    assert "real" not in before.manifest
    assert "(LBR)" in run("tiny", "--only", "limit", "--out", tmp_path, "--resume").output
    after = load_strategy(folder)
    same = before.manifest.keys() - {"plan"}
    assert {name: after.manifest[name] for name in same} == {name: before.manifest[name] for name in same}
    assert (after.values == before.values).all()
    monkeypatch.setattr("kibitz.training.real.local_samples", None)  # is not asked again
    assert "(LBR)" in run("tiny", "--only", "limit", "--out", tmp_path, "--resume").output


def test_wrong_preset():
    result = run("huge")
    assert result.exit_code == 2
    assert "no preset 'huge': there are quick, standard, big" in result.output


@pytest.mark.parametrize("name", ["quick", "standard", "big"])
def test_presets_are_what_they_say(name):
    for blueprint in presets.PRESETS[name].blueprints.values():
        problem = blueprint.problem(0)
        assert problem.is_measurable
        assert problem.size.bytes["vector"] < blueprint.peak_bytes(0, 2) < 16 << 30

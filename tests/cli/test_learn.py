"""`kibitz train`: from nothing to the table, and what is refused."""

import json
import shutil

import pytest
from click.testing import CliRunner

from kibitz.agents import load_agent
from kibitz.cli import main
from kibitz.learning import load_model


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


def learn(out, *more):
    return run("train", "self-play", "--players", 3, "--hands", 640, "--seed", 5, "--out", out, *more)


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    out = tmp_path_factory.mktemp("learn") / "agent"
    result = learn(out)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0].split() == [
        "hands",
        "hands/s",
        "VP$IP",
        "fold",
        "call",
        "raise",
        "entropy",
        "s.d.",
        "rarest",
        "gradients",
    ]
    assert lines[-1].split()[0] == "640"
    assert [float(norm) > 0.1 for norm in lines[-1].split()[-2:]] == [True, True]
    assert max(map(len, lines)) <= 80
    return out


def test_the_folder_plays(agent):
    result = run("match", agent, "always-call", "--game", "holdem-limit-2p", "--hands", 10, "--json")
    assert result.exit_code == 0, result.output
    assert load_agent(str(agent)).name == "agent"


def test_the_same_seed_gives_the_same_agent(agent, tmp_path):
    result = learn(tmp_path / "again", "--json")
    document = json.loads(result.stdout)
    assert document["hands"] == 640
    assert [row["deals"] for row in document["curve"]] == [320, 640]
    assert (load_model(tmp_path / "again").flat == load_model(agent).flat).all()
    done = learn(tmp_path / "again", "--resume")
    assert done.exit_code == 0
    assert "already complete" in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--players", "1"), "2 to 10"),
        (("--players", "many"), "2 to 10"),
        (("--players", "٣"), "players ٣: a number from 2 to 10 is needed, or irc"),
        (("--players", "3" * 5000), "2 to 10"),
        (("--rate", "nan"), "rate is nan: a number at least 0 is needed"),
        (("--cap", "0"), "from 1 to 100 is needed"),
        (("--preset", "luck"), "luck"),
        (("--parts", "65"), "from 1 to 64 is needed"),
        (("--least", "2"), "from 0 to 1 is needed"),
        (("--reward-scale", "8"), "ask for chip rewards too"),
        (("--against", "always-raise"), "'always-raise': NAME:SHARE is needed"),
        (("--against", "always-rise:0.1"), "no rival 'always-rise' (did you mean always-raise?)"),
        (("--against", "random:0.7,probe:0.4"), "sum to 1.1: at most 1"),
        (("--from", "nowhere"), "nowhere"),
    ],
)
def test_what_is_refused(tmp_path, arguments, words):
    result = learn(tmp_path / "agent", *arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())
    assert "hands/s" not in result.output
    assert not (tmp_path / "agent").exists()


def test_a_folder_with_a_run_is_not_overwritten(agent):
    again = learn(agent)
    assert again.exit_code == 2
    assert "--resume" in again.output
    other = learn(agent, "--resume", "--rate", "0.5")
    assert other.exit_code == 2
    assert "this plan has 0.5" in " ".join(other.output.split())
    assert "hands/s" not in again.output + other.output


def test_warnings_are_told_once(tmp_path):
    """Rates that throw weights far away are told of once, on lines of 80 columns."""
    result = learn(tmp_path / "agent", "--rate", "1e6", "--hands", "2000")
    assert result.stderr.count("Warning: a weight has grown to") == 1
    lines = [line for line in result.output.splitlines() if not line.startswith("Error")]
    assert max(map(len, lines)) <= 80


def test_rates_that_end_a_run_are_told(tmp_path):
    result = learn(tmp_path / "agent", "--rate", "1e308")
    assert result.exit_code == 2
    assert "learning rates are too high for this run" in result.output
    assert not (tmp_path / "agent" / "manifest.json").exists()


def test_an_agent_goes_on_in_another_folder(agent, tmp_path):
    out = tmp_path / "more"
    result = learn(out, "--from", agent, "--against", "none", "--batch", 64)
    assert result.exit_code == 0, result.output
    begun, more = load_model(agent), load_model(out)
    assert more.made["deals"] == 640
    assert more.made["rivals"] == []
    assert more.structure == begun.structure
    assert not (more.flat == begun.flat).all()
    shown = " ".join(run("show", out, "--made").output.split())
    assert f"from {agent}" in shown


def test_the_thesis_learns_deal_by_deal(tmp_path):
    out = tmp_path / "agent"
    result = learn(out, "--preset", "thesis")
    assert result.exit_code == 0, result.output
    found = load_model(out)
    assert (found.structure.profile, found.structure.public_observer) == ("listed", True)
    assert found.made["learning"]["batch"] == 1


def test_threads_do_not_matter(agent, tmp_path):
    assert learn(tmp_path / "agent", "--threads", 2).exit_code == 0
    assert (load_model(tmp_path / "agent").flat == load_model(agent).flat).all()


def test_explain(agent):
    result = run("train", "explain", agent, "--hole", "AhKd", "--history", "rc/c", "--board", "2c7dKh")
    assert result.exit_code == 0, result.output
    for words in ("flop, player 1 to act", "hand: no-pair flop: pair", "outcome states after a raise", "beliefs"):
        assert words in result.output
    assert max(map(len, result.output.splitlines())) <= 80
    document = json.loads(
        run("train", "explain", agent, "--hole", "AhKd", "--game", "holdem-limit-3p", "--json").stdout
    )
    assert sum(document["probabilities"].values()) == pytest.approx(1)
    wrong = run("train", "explain", agent, "--hole", "AhKd", "--game", "leduc")
    assert wrong.exit_code == 2
    assert "limit hold'em" in wrong.output


@pytest.mark.parametrize(
    ("part", "change", "words"),
    [
        ("structure", {"self_aware": "yes"}, "self_aware = 'yes': true or false is needed"),
        ("rules", {"cap": "four"}, "a cap of 'four' bets: 1 to 100"),
    ],
)
def test_a_damaged_manifest_is_refused(agent, tmp_path, part, change, words):
    out = tmp_path / "agent"
    shutil.copytree(agent, out)
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["about"][part].update(change)
    del manifest["crc32"]
    (out / "manifest.json").write_text(json.dumps(manifest))
    commands = [("measure", "rollouts", out, "--decisions", 4, "--samples", 10)]
    if part == "structure":
        commands += [
            ("match", out, "always-call", "--game", "holdem-limit-2p", "--hands", 10),
            ("train", "explain", out, "--hole", "AhKd"),
        ]
    for command in commands:
        result = run(*command)
        assert result.exit_code == 2, command
        assert words in result.output.replace("\n", " ")
        assert "Traceback" not in result.output

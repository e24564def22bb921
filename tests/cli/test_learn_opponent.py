"""`kibitz learn opponent`: records in, an agent out, fits beside each other, and what is refused."""

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.learning import Model, Structure, load_model, save_model

GOOD = "STATE:{}:rfrrc/cc/rrc/rrrrc:5d5c|9hQd|8dAs/8s4h6d/5s/Js:-5|-160|165:p1|p2|p3\n"
OTHER = "STATE:{}:cfc/rrrrc/crc/rrrrc:4h6c|3sQc|TsAd/4s2s4d/Ah/8d:-5|-150|155:p2|p3|p1\n"
HEADS_UP = "STATE:{}:rc/crc/cc/rf:5d5c|9hQd/8s4h6d/5s/Js:30|-30:a|b\n"


def run(*words):
    return CliRunner().invoke(main, ["learn", "opponent", *map(str, words)], prog_name="kibitz")


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Logs of three players and of two, in which fifty deals each differ in nothing but their numbers."""
    folder = tmp_path_factory.mktemp("logs")
    for match in range(6):
        lines = "".join((GOOD, OTHER)[n % 2].format(n) for n in range(20))
        (folder / f"{match}.log").write_text(lines)
    (folder / "two.log").write_text("".join(HEADS_UP.format(n) for n in range(20)))
    return folder


def test_records_become_an_agent(logs, tmp_path):
    """Tables of two and of three in one run; the result plays, and beats its start on the hold-out."""
    start, out = tmp_path / "start", tmp_path / "out"
    save_model(Model.random(Structure(), 2, 0.2), start)
    result = run(logs, "--out", out, "--from", start, "--hide-folded", "--epochs", 3, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["hands"] == 140
    assert told["skipped"] == []
    fits = told["fits"]
    assert fits["model"]["marginal"]["nats"]["mean"] < fits[str(start)]["marginal"]["nats"]["mean"]
    assert 0 < fits["model"]["imputed"]["share"]["mean"] < 1.5
    assert len(told["curve"]) == 3
    made = load_model(out).made
    assert (made["algorithm"], made["players"], made["rules"]["cap"]) == ("opponent model", 3, 4)
    match = ["match", str(out), str(start), "--game", "holdem-limit-2p", "--hands", "20"]
    assert CliRunner().invoke(main, match, prog_name="kibitz").exit_code == 0


def test_the_table_says_what_it_measures(logs, tmp_path):
    result = run(logs, "--out", tmp_path / "out", "--epochs", 1, "--hold-out", 0.4)
    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    for word in ("140 hands with", "uniform", "drawn", "all", "nats", "bits", "± 95 % over 3 matches"):
        assert word in said


def test_broken_records_are_named_and_skipped_only_if_asked(logs, tmp_path):
    bad = tmp_path / "bad.log"
    bad.write_text(GOOD.format(1) + OTHER.format(7).replace("-5|-150|155", "-5|-150|165") + GOOD.format(8))
    result = run(logs, bad, "--out", tmp_path / "out", "--epochs", 1)
    assert result.exit_code == 2
    assert f"{bad}:2: hand 7: returns: expected" in result.output
    assert "--skip-bad" in result.output
    assert not (tmp_path / "out").exists()
    result = run(logs, bad, "--out", tmp_path / "out", "--epochs", 1, "--skip-bad", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["hands"] == 142
    assert len(told["skipped"]) == 1


def test_a_folder_that_is_taken_is_refused_before_logs_are_read(tmp_path):
    save_model(Model.random(Structure(), 2, 0.2), tmp_path / "taken")
    for command in ("opponent", "types"):
        words = ["learn", command, str(tmp_path / "nothing.log"), "--out", str(tmp_path / "taken")]
        result = CliRunner().invoke(main, words, prog_name="kibitz")
        assert result.exit_code == 2
        assert result.output.startswith(f"Error: {tmp_path / 'taken'} holds manifest.json")


def test_logs_that_are_given_twice_are_read_once(logs, tmp_path):
    """Else a hand could be fitted and held out."""
    first, folder = logs / "0.log", tmp_path / "more"
    folder.mkdir()
    (folder / "1.log").write_text((logs / "1.log").read_text())
    given = (first, first, folder, folder / "1.log")
    result = run(*given, "--out", tmp_path / "out", "--epochs", 1, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["hands"] == 40
    told = " ".join(result.stderr.split())
    for path in (first, folder / "1.log"):
        assert told.count(f"{path} is given twice: it is read once.") == 1


def test_a_single_hand_is_told_as_one(tmp_path):
    log = tmp_path / "two.log"
    log.write_text(GOOD.format(0) + OTHER.format(1))
    result = run(log, "--out", tmp_path / "out", "--epochs", 1)
    assert "1 hand is held out" in " ".join(result.output.split())


def test_an_error_names_the_place_once(tmp_path):
    (tmp_path / "logs").mkdir()
    path = tmp_path / "logs" / "razz.phh"
    path.write_text('variant = "FR"\n')
    result = run(tmp_path / "logs", "--out", tmp_path / "out")
    assert result.output.startswith(f"Error: {path}:1: variant 'FR'")
    assert result.output.count("razz.phh") == 1


def test_pluribus_is_refused_with_the_reason(data, tmp_path):
    result = run(data / "phh" / "pluribus-sessions.tar.xz", "--out", tmp_path / "out")
    assert result.exit_code == 2
    said = " ".join(result.output.split())
    assert "a no-limit hand: the model knows fold, call and one size of raise, and cannot say how much was bet" in said


def test_a_real_match_of_three_is_fitted_better_than_uniform(data, tmp_path):
    log = data / "acpc" / "logs" / "3p.limit.h1000.r0.log"
    result = run(log, "--out", tmp_path / "out", "--epochs", 2, "--hide-folded", "--json")
    told = json.loads(result.stdout)
    share = told["fits"]["model"]["marginal"]["share"]
    assert share["mean"] + share["half_width"] < 1

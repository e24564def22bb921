"""`kibitz learn types`: matches in, a model with types out, filtered and smoothed fits, and resuming after a kill."""

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.learning.player_types import load_opponents

GOOD = "STATE:{}:rfrrc/cc/rrc/rrrrc:5d5c|9hQd|8dAs/8s4h6d/5s/Js:-5|-160|165:p1|p2|p3\n"
OTHER = "STATE:{}:cfc/rrrrc/crc/rrrrc:4h6c|3sQc|TsAd/4s2s4d/Ah/8d:-5|-150|155:p2|p3|p1\n"
WORDS = ("--types", 3, "--epochs", 3, "--patience", 3, "--hide-folded", "--hold-out", 0.4)


def run(*words):
    return CliRunner().invoke(main, ["learn", "types", *map(str, words)], prog_name="kibitz")


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    for match in range(6):
        (folder / f"{match}.log").write_text("".join((GOOD, OTHER)[n % 2].format(n) for n in range(12)))
    return folder


def test_matches_become_a_model_with_types(logs, tmp_path):
    out = tmp_path / "out"
    result = run(logs, "--out", out, *WORDS, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert len(told["types"]) == 3
    assert sum(told["types"]) == pytest.approx(1)
    filtered, smoothed = (told["fits"][name]["marginal"]["nats"]["mean"] for name in ("filtered", "smoothed"))
    assert 0 < smoothed <= filtered + 0.01
    assert len(told["fits"]["entropy"]["by_deal"]) == 12
    assert len(told["curve"]) == 3
    model = load_opponents(out)
    assert model.count == 3
    assert model.made["algorithm"] == "player types"


def test_entropies_are_printed_by_deal(logs, tmp_path):
    result = run(logs, "--out", tmp_path / "out", *WORDS, "--epochs", 1)
    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    for word in ("types, filtered", "types, smoothed", "entropy of a player's type, bits", "given the name"):
        assert word in said

"""`kibitz hands convert`: standard output or a whole file, errors with reasons."""

import pytest
from click.testing import CliRunner

from kibitz.cli import main

pytest.importorskip("kibitz.io.phh")

LOG = """# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 4 0
STATE:0:r300c/cr900f:5d5c|9hQd/8dAs8s:-300|300:p1|p2
STATE:1:f:6sKs|5dJd:50|-50:p2|p1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "match.log"
    path.write_text(LOG)
    return path


def convert(*arguments):
    return CliRunner().invoke(main, ["hands", "convert", *map(str, arguments)])


def test_there_and_back(log, tmp_path):
    hands = tmp_path / "hands.phhs"
    result = convert(log, "--to", "phhs", "--out", hands)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "2 hands written" in result.stderr
    back = convert(hands, "--to", "acpc")
    assert back.exit_code == 0
    assert [line for line in back.stdout.splitlines() if line[0] != "#"] == LOG.splitlines()[1:]


def test_one_hand(log):
    log.write_text("".join(LOG.splitlines(keepends=True)[:2]))
    told = "1 hand written\ndropped, since only hands are written: 1 match header\n"
    assert convert(log, "--to", "acpc").stderr == told


def test_a_failed_conversion_leaves_nothing_behind(log, tmp_path):
    out = tmp_path / "out.phh"
    out.write_text("before")
    result = convert(log, "--to", "phh", "--out", out)
    assert result.exit_code == 2
    assert "2 hands: a .phh file holds one" in result.stderr
    assert out.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.log", "out.phh"]


def test_losses_are_errors_unless_allowed(tmp_path):
    path = tmp_path / "timed.log"
    path.write_text("STATE:19:r200c/cr400c/cr850f:9hQc|5dQd/4h4c6c/4s:-400|400:DeepStack|account # 1479132064.3\n")
    refused = convert(path, "--to", "acpc")
    assert refused.exit_code == 2
    assert "no place for time" in refused.stderr
    assert "--lossy" in refused.stderr
    allowed = convert(path, "--to", "acpc", "--lossy")
    assert allowed.exit_code == 0
    assert "STATE:19:r200c/cr400c/cr850f:9hQc|5dQd/4h4c6c/4s:-400|400:DeepStack|account\n" in allowed.stdout
    assert "1 x ACPC has no place for time" in allowed.stderr


def test_standard_output_gets_all_or_nothing(log):
    log.write_text(LOG.replace("# name", "# ") + LOG.splitlines()[1] + " # 1479132064.3\n")
    refused = convert(log, "--to", "acpc")
    assert (refused.exit_code, refused.stdout) == (2, "")
    allowed = convert(log, "--to", "acpc", "--lossy")
    assert allowed.exit_code == 0
    assert allowed.stdout.count("STATE:") == 3


def test_bad_usage(log, tmp_path):
    assert convert(log, "--to", "latin").exit_code == 2
    assert convert(tmp_path / "missing", "--to", "acpc").exit_code == 2
    assert convert(log, "--to", "acpc", "--out", tmp_path / "no" / "folder").exit_code == 2

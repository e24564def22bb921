"""Commands that make something in a folder leave it alone while another process works there."""

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.files import locked

LOG = "# name/game/hands/seed m kuhn 1 0\nSTATE:0:rc:As|Ks:2|-2:ann|bob\n"
COMMANDS = {
    "pool": ("pool", "make", "A", "--game", "kuhn", "--iterations", 2),
    "portfolio": ("portfolio", "build", "always-call", "--game", "kuhn", "--iterations", 2),
    "response": ("respond", "always-call", "--game", "kuhn", "--method", "fbr"),
    "clusters": ("cluster", "always-call", "always-raise", "--game", "kuhn", "--k", 1),
    "model": ("model", "build", "m.log", "--player", "ann", "--game", "kuhn"),
    "population": ("population", "make", "--rounds", 0),
    "switchable": ("population", "make", "--preset", "switchable"),
}


@pytest.mark.parametrize("what", COMMANDS)
def test_a_second_process_is_refused(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.log").write_text(LOG)
    out = tmp_path / "out"
    # What is replaced as a whole has its lock beside it.
    place = (tmp_path, "out") if what in ("population", "switchable") else (out,)
    words = [str(word) for word in (*COMMANDS[what], "--out", out)]
    with locked(*place):
        refused = CliRunner().invoke(main, words)
        assert refused.exit_code == 2
        assert f"{out} is in use by another run" in refused.output
        assert not out.is_file()
        assert not out.is_dir() or [path.name for path in out.iterdir()] == [".lock"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert not list(tmp_path.rglob("*.lock"))

"""`kibitz hands export`: two Parquet tables."""

import polars as pl
from click.testing import CliRunner

from kibitz.cli import main

LOG = """# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 4 0
STATE:0:r300c/cr900f:5d5c|9hQd/8dAs8s:-300|300:p1|p2
STATE:1:f:6sKs|5dJd:50|-50:p2|p1
"""


def test_two_tables_are_written(tmp_path):
    (tmp_path / "a.log").write_text(LOG)
    (tmp_path / "b.log").write_text(LOG)
    out = tmp_path / "new" / "tables"
    result = CliRunner().invoke(
        main, ["hands", "export", str(tmp_path / "a.log"), str(tmp_path / "b.log"), "--out", str(out)]
    )
    assert result.exit_code == 0, result.output
    assert "hands.parquet: 4 hands" in result.stdout
    assert "actions.parquet: 12 actions" in result.stdout
    hands = pl.read_parquet(out / "hands.parquet")
    assert hands["source"].str.contains("b.log").to_list() == [False, False, True, True]
    joined = pl.read_parquet(out / "actions.parquet").join(hands, on="hand_id")
    assert joined.height == 12


def test_bad_input_gives_status_2(tmp_path):
    (tmp_path / "a.log").write_text(LOG.replace("5d5c", "5d5x"))
    result = CliRunner().invoke(main, ["hands", "export", str(tmp_path / "a.log"), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "a.log:2" in result.stderr
    assert CliRunner().invoke(main, ["hands", "export", "--out", str(tmp_path)]).exit_code == 2


def test_a_folder_without_hands_is_refused(tmp_path):
    empty, out = tmp_path / "empty", tmp_path / "out"
    empty.mkdir()
    (empty / "notes.txt").write_text("no hands")
    for words in (("hands", "export", empty, "--out", out), ("hands", "convert", empty, "--to", "phhs", "--out", out)):
        result = CliRunner().invoke(main, [*map(str, words)])
        assert result.exit_code == 2
        assert result.stderr.endswith(f"Error: {empty}: no hand histories found\n")
        assert not out.exists()

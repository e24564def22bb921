"""Tables: rows that add up, constant chunks, the same bytes every time."""

import polars as pl
import pytest

from kibitz.errors import FormatError
from kibitz.io import table
from kibitz.io.files import read_records
from kibitz.io.table import read_hands, write_tables

LOG = """# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 4 0
STATE:0:r300c/cr900f:5d5c|9hQd/8dAs8s:-300|300:p1|p2
STATE:1:f:6sKs|5dJd:50|-50:p2|p1
STATE:2:cc/r20000c//:Ah8s|2h4c/Qd7h6c/4s/Jc:20000|-20000:p1|p2
STATE:3:cr300r900f:4s8s|6hJd:-300|300:p2|p1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "match.log"
    path.write_text(LOG)
    return path


def test_one_row_per_hand(log):
    hands = read_hands(log).hands
    assert hands["hand_id"].to_list() == [0, 1, 2, 3]
    row = hands.row(2, named=True)
    assert row["source"] == f"{log}:4"
    assert (row["game"], row["limit"], row["players"]) == ("holdem-nolimit-2p", "nolimit", 2)
    assert (row["names"], row["hole"], row["board"]) == (["p1", "p2"], ["Ah8s", "2h4c"], "Qd7h6c4sJc")
    assert (row["betting"], row["rounds"], row["showdown"]) == ("cc/r20000c//", 4, True)
    assert (row["returns"], row["pot"]) == ([20000.0, -20000.0], 40000)
    assert hands["showdown"].to_list() == [False, False, True, False]


def test_one_row_per_action(log):
    actions = read_hands(log).actions.filter(pl.col("hand_id") == 0)
    columns = ("index", "round", "player", "name", "kind", "raise_to", "chips", "to_call", "pot", "stack", "all_in")
    assert actions.select(columns).rows() == [
        (0, 0, 1, "p2", "raise", 300, 250, 50, 150, 19950, False),
        (1, 0, 0, "p1", "call", None, 200, 200, 400, 19900, False),
        (2, 1, 0, "p1", "check", None, 0, 0, 600, 19700, False),
        (3, 1, 1, "p2", "bet", 900, 600, 0, 600, 19700, False),
        (4, 1, 0, "p1", "fold", None, 0, 600, 1200, 19700, False),
    ]


def test_chips_of_the_actions_make_the_pot(log):
    hands, actions = read_hands(log)
    put_in = actions.group_by("hand_id").agg(pl.col("chips").sum()).sort("hand_id")
    uncalled = [600, 50, 0, 600]  # what goes back to who bet it
    assert [chips + 150 - back for chips, back in zip(put_in["chips"], uncalled, strict=True)] == hands["pot"].to_list()
    assert actions.filter(pl.col("all_in")).height == 2
    third = actions.filter(pl.col("hand_id") == 3)
    assert third["kind"].to_list() == ["call", "raise", "raise", "fold"]


def test_written_tables_equal_the_frames_and_do_not_change(log, tmp_path, monkeypatch):
    whole = read_hands(log)
    written = write_tables(log, tmp_path / "one")
    monkeypatch.setattr(table, "CHUNK", 3)
    write_tables(log, tmp_path / "two")
    write_tables(log, tmp_path / "three")
    assert written == (4, whole.actions.height)
    for name, frame in zip(("hands", "actions"), whole, strict=True):
        for folder in ("one", "two"):
            assert pl.read_parquet(tmp_path / folder / f"{name}.parquet").equals(frame)
        files = [tmp_path / folder / f"{name}.parquet" for folder in ("two", "three")]
        assert files[0].read_bytes() == files[1].read_bytes()
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["actions.parquet", "hands.parquet"]


def test_hands_that_break_the_rules_are_refused(tmp_path):
    path = tmp_path / "bad.log"
    path.write_text(LOG.replace("r300c/cr900f", "r300c/cr301f"))
    with pytest.raises(FormatError, match=r"hand 0 \(.*bad\.log:2\): action 4 .* got r301"):
        write_tables(path, tmp_path / "out")
    assert not list((tmp_path / "out").glob("*"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [("5d5c|9hQd", "5d5d|9hQd", "5d twice"), ("cr900f", "cr900", "an action of player 0"), ("5d5c|", "5d|", "2 per")],
)
def test_other_hands_that_cannot_be_are_refused(tmp_path, old, new, words):
    path = tmp_path / "bad.log"
    path.write_text(LOG.replace(old, new))
    with pytest.raises(FormatError, match=words):
        read_hands(path)


def test_who_mucks_is_not_paid(tmp_path):
    path = tmp_path / "muck.phh"
    path.write_text("""variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [20000, 20000]
actions = ['d dh p1 AhAs', 'd dh p2 QcQd', 'p2 cc', 'p1 cc', 'd db 2c3d4h', 'p1 cc', 'p2 cc', 'd db 7h', 'p1 cc', \
'p2 cc', 'd db 9h', 'p1 cc', 'p2 cc', 'p1 sm', 'p2 sm QcQd']
""")
    assert read_hands(path).hands["returns"].to_list() == [[-100, 100]]


def test_a_log_without_hands_gives_empty_tables(tmp_path):
    path = tmp_path / "empty.log"
    path.write_text(LOG.splitlines()[0] + "\n")
    assert write_tables(path, tmp_path / "out") == (0, 0)
    hands, actions = read_hands(path)
    assert hands.schema == pl.Schema(table.HANDS_SCHEMA)
    assert actions.schema == pl.Schema(table.ACTIONS_SCHEMA)


def test_real_logs(data):
    path = data / "acpc" / "logs" / "3p.limit.h1000.r0.log"
    hands, actions = read_hands(path)
    assert hands.height == 1000
    assert hands["returns"].list.sum().abs().max() < 1e-9
    letters = sum(len(record.history.replace("/", "")) for record in read_records(path))
    assert actions.height == letters
    scores = hands.explode("names", "returns").group_by("names").agg(pl.col("returns").sum()).sort("names")
    assert scores["returns"].to_list() == [-4330, 625, 3705]

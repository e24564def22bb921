"""What a ledger takes back, and what it refuses."""

import json

import pytest

from kibitz.arena.ledger import Ledger, read_ledger
from kibitz.arena.series import Series, play_series
from kibitz.arena.standings import Standings
from kibitz.errors import KibitzError
from kibitz.games import load_game

SERIES = Series(load_game("kuhn"), ("random", "always-call"), hands=20, matches=3, seed=5)


@pytest.fixture
def path(tmp_path):
    """The ledger of a finished series."""
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(path, SERIES)
    for key, moments in play_series(SERIES):
        ledger.add(key, moments)
    return path


def resume(path):
    return Ledger(path, SERIES, resume=True)


def change(path, **fields):
    """Set fields of the second line; without its checksum, as if none had ever been written."""
    lines = path.read_text().splitlines()
    record = json.loads(lines[1])
    record.pop("crc32", None)
    lines[1] = json.dumps({**record, **fields})
    path.write_text("\n".join(lines) + "\n")


def test_lines_without_a_checksum_are_read(path):
    outcomes = resume(path).outcomes
    change(path)
    assert "crc32" not in path.read_text().splitlines()[1]
    assert resume(path).outcomes == outcomes == dict(play_series(SERIES))


@pytest.mark.parametrize(
    "fields",
    [
        {"moments": [[7, 1, 1], [7, -1, 1]]},
        {"moments": [[0, 0, 0], [0, 0, 0]]},
        {"moments": [[20, 0, -1], [20, 0, 1]]},
        {"moments": [[20, 10, 4], [20, -10, 4]]},  # the mean square is below the square of the mean
        {"moments": [[20, 0.0, 1], [20, 0, 1]]},
        {"moments": [[20, 0, float("inf")], [20, 0, 1]]},
        {"moments": [[20, True, 1], [20, 0, 1]]},
        {"moments": [[20, 0, 1]]},
        {"moments": [[20, 0, 1]] * 3},
        {"moments": [[20, 0], [20, 0, 1]]},
        {"moments": [20, 0]},
        {"moments": None},
        {"match": 0.7},
        {"match": "0"},
        {"match": None},
        {"table": "01"},
        {"table": [0, "1"]},
        {"table": None},
    ],
)
def test_a_record_that_no_match_can_have_left_is_refused(path, fields):
    change(path, **fields)
    with pytest.raises(KibitzError) as caught:
        resume(path)
    assert str(caught.value).startswith(f"{path}:2: not a finished match")


@pytest.mark.parametrize(
    "line",
    [
        *(b"[1]", b"null", b'"x"', b"", b"{}", b"\xff\xfe"),
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(b"9" * 5000, id="long"),
    ],
)
def test_a_line_that_is_no_record_is_refused(path, line):
    header, _first, rest = path.read_bytes().split(b"\n", 2)
    path.write_bytes(b"\n".join([header, line, rest]))
    with pytest.raises(KibitzError, match=r":2: not a finished match of this series"):
        resume(path)


def test_a_changed_digit_does_not_fit_the_checksum(path):
    lines = path.read_text().splitlines()
    (count, total, squares), other = json.loads(lines[1])["moments"]
    lines[1] = lines[1].replace(json.dumps([[count, total, squares], other]), json.dumps([[count, 0, squares], other]))
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(KibitzError, match=r":2: not a finished match of this series: the checksum"):
        resume(path)


def test_a_match_of_another_series_is_refused(path):
    change(path, match=3)
    with pytest.raises(KibitzError, match=r":2: match \(\(0, 1\), 3\) does not belong"):
        resume(path)


def test_a_match_may_be_told_twice_but_not_in_two_ways(path):
    first = path.read_text().splitlines(keepends=True)[1]
    with path.open("a") as file:
        file.write(first)
    assert len(resume(path).outcomes) == 3
    change(path, moments=[[20, 0, 0], [20, 0, 0]])
    with pytest.raises(KibitzError, match=r":5: match \(\(0, 1\), 0\) was finished before"):
        resume(path)


def test_a_line_that_was_cut_off_is_dropped_whatever_its_bytes(path):
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"table": [0, \xff\xc3')
    assert len(resume(path).outcomes) == 3
    assert path.read_bytes() == whole


@pytest.mark.parametrize("line", [b"[1]", b"null", b'"x"', b"\xff", b"", b"what?"])
def test_a_first_line_that_is_no_header_is_refused(path, line):
    path.write_bytes(line + b"\n")
    with pytest.raises(KibitzError, match="the first line does not describe a series"):
        resume(path)


def test_a_header_without_its_end_of_line_is_kept(path):
    header = path.read_bytes().split(b"\n")[0]
    path.write_bytes(header)
    ledger = resume(path)
    assert ledger.outcomes == {}
    for key, moments in play_series(SERIES):
        ledger.add(key, moments)
    assert resume(path).outcomes == ledger.outcomes


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("length", [0, 5, 40])
def test_a_fragment_of_a_header_is_no_ledger(path, length, again):
    header = path.read_bytes().split(b"\n")[0]
    path.write_bytes(header[:length])
    assert Ledger(path, SERIES, resume=again).outcomes == {}
    assert path.read_bytes() == header + b"\n"
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("again", [True, False])
def test_a_file_of_someone_else_is_not_overwritten(tmp_path, again):
    path = tmp_path / "ledger.jsonl"
    path.write_text("my notes")
    with pytest.raises(KibitzError):
        Ledger(path, SERIES, resume=again)
    assert path.read_text() == "my notes"


@pytest.mark.parametrize("again", [True, False])
def test_a_folder_in_the_place_of_the_ledger_is_told(tmp_path, again):
    with pytest.raises(KibitzError, match=r"cannot be read or written: \S"):
        Ledger(tmp_path, SERIES, resume=again)


def test_a_ledger_is_read_without_its_agents(path):
    series, outcomes = read_ledger(path)
    assert series.names == SERIES.names
    assert outcomes == resume(path).outcomes
    ours, theirs = Standings(series, outcomes), Standings(SERIES, outcomes)
    assert (ours.table.rates[0, 1], ours.hands_played) == (theirs.table.rates[0, 1], theirs.hands_played)
    assert ours.table.matches[0, 1].shape == (3, 2)
    assert ours.table.matches[0, 1].mean(axis=0) == pytest.approx(ours.rates[[0, 1], [1, 0]])


def test_a_ledger_that_is_damaged_or_not_complete_is_not_read(path):
    lines = path.read_text().splitlines()
    for text, words in (
        ("\n".join(lines[:-1]) + "\n", "holds 2 of 3 matches"),
        ("\n".join([lines[0], "{}", *lines[1:]]) + "\n", ":2: not a finished match"),
        ("{}\n", "does not describe a series"),
        ("", "does not describe a series"),
    ):
        path.write_text(text)
        with pytest.raises(KibitzError, match=words):
            read_ledger(path)

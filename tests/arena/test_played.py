"""What is read of a series from its folder: finished, while it is played, damaged."""

import json
import shutil

import numpy as np
import pytest

from kibitz.arena.played import Played, read_series, read_standings
from kibitz.arena.playing import DuplicatePlan, TournamentPlan
from kibitz.arena.series import play_series
from kibitz.arena.standings import Standings
from kibitz.errors import KibitzError
from kibitz.files import write_text
from kibitz.plans import Artefact, carry_out, open_artefact, save_artefact

FIELD = ("random", "always-call", "always-raise")
PLAN = TournamentPlan(FIELD, "kuhn", hands=10, matches=7, seed="4")


@pytest.fixture(scope="module")
def outcomes():
    return dict(play_series(PLAN.series))


@pytest.fixture
def folder(tmp_path):
    """Of a series with three matches that has been finished."""
    list(carry_out(DuplicatePlan(FIELD[:2], "kuhn", hands=20, matches=3, seed="5"), tmp_path / "run"))
    return tmp_path / "run"


def change(folder, **fields):
    """Set fields of the checkpoint of a series that is not finished, its results as they would be written."""
    (folder / "manifest.json").unlink(missing_ok=True)
    with np.load(folder / "checkpoint.npz") as file:
        header, results = json.loads(str(file["header"])), json.loads(file["results"].tobytes())
    header["plan"] |= fields.pop("plan", {})
    results |= fields
    text = np.frombuffer(json.dumps(results).encode(), np.uint8)
    np.savez(folder / "checkpoint.npz", header=np.array(json.dumps(header)), results=text)


def test_a_series_is_read_as_it_is_played(tmp_path, outcomes):
    keys, run = [*outcomes], carry_out(PLAN, tmp_path, checkpoint_seconds=0)
    next(run)
    played = Played(tmp_path)
    assert (played.done, played.total, played.series.names) == (1, 21, FIELD)
    for number, _report in enumerate(run, 2):
        if number % 5 == 0:
            assert played.refresh()
            assert played.outcomes == {each: outcomes[each] for each in keys[:number]}
            assert not played.refresh()
        if number == 20:
            with pytest.raises(KibitzError, match="holds 20 of 21 matches: resume"):
                read_series(tmp_path)
    played.refresh()
    assert played.outcomes == outcomes == read_series(tmp_path)[1]
    (tmp_path / "checkpoint.npz").unlink()  # the artefact has all of it
    assert read_series(tmp_path)[1] == outcomes


def test_a_series_is_read_without_its_agents(folder):
    plan = DuplicatePlan(FIELD[:2], "kuhn", hands=20, matches=3, seed="5")
    series, outcomes = read_series(folder)
    assert series.names == plan.series.names
    ours, theirs = read_standings(folder), Standings(plan.series, outcomes)
    assert (ours.table.rates[0, 1], ours.hands_played) == (theirs.table.rates[0, 1], theirs.hands_played)
    assert ours.table.matches[0, 1].shape == (3, 2)
    assert ours.table.matches[0, 1].mean(axis=0) == pytest.approx(ours.rates[[0, 1], [1, 0]])


@pytest.mark.parametrize(
    "sums",
    [
        [[7, 1, 1], [7, -1, 1]],
        [[0, 0, 0], [0, 0, 0]],
        [[20, 0, -1], [20, 0, 1]],
        [[20, 10, 4], [20, -10, 4]],  # the mean square is below the square of the mean
        [[20, 0.0, 1], [20, 0, 1]],
        [[20, 0, None], [20, 0, 1]],
        [[20, True, 1], [20, 0, 1]],
        [[20, 0, 1]],
        [[20, 0, 1]] * 3,
        [[20, 0], [20, 0, 1]],
        [[20, 0, 1, -1], [20, 0, 1]],
        [20, 0],
        None,
    ],
)
def test_what_no_match_can_have_left_is_refused(folder, sums):
    change(folder, **{"0-1/1": sums})
    with pytest.raises(KibitzError, match=r"match 0-1/1: .* are no results of 20 deals"):
        read_series(folder)


@pytest.mark.parametrize("name", ["0-1/3", "1-0/0", "0-2/0", "0/0", "0-1/x", "0-1/-1", "0-1/01", "", "0-1"])
def test_matches_of_another_series_are_refused(folder, name):
    change(folder, **{name: [[20, 0, 1], [20, 0, 1]]})
    with pytest.raises(KibitzError, match=f"match '{name}' does not belong to this series"):
        read_series(folder)


@pytest.mark.parametrize(
    "told", [{"game": "chess"}, {"names": None}, {"hands": None}, {"seed": 4}, {"cards": "marked"}, {"matches": [1]}]
)
def test_what_describes_no_series_is_refused(folder, told):
    change(folder, plan=told)
    with pytest.raises(KibitzError, match="does not describe a series"):
        read_series(folder)


def test_another_series_in_the_same_folder_is_seen(folder):
    played = Played(folder)
    assert played.refresh()
    shutil.rmtree(folder)
    list(carry_out(DuplicatePlan(FIELD[:2], "kuhn", hands=20, matches=3, seed="6"), folder))
    with pytest.raises(KibitzError, match="another series than before"):
        played.refresh()


def test_folders_of_others_are_refused(tmp_path, folder):
    change(folder, plan={"plan": "solve"})
    save_artefact(Artefact("strategy"), tmp_path / "other")
    write_text(tmp_path / "old" / "ledger.jsonl", "{}\n")
    for name, told in (
        ("run", "holds a run of 'solve', not a match"),
        ("other", "is a strategy: the results of a match or tournament is needed"),
        ("old", "was made by an earlier version"),
        ("none", "there is no folder"),
    ):
        with pytest.raises(KibitzError, match=told):
            read_series(tmp_path / name)


@pytest.mark.parametrize("name", ["matches.json", "results.json"])
def test_damaged_files_are_seen(folder, name):
    (folder / name).write_text((folder / name).read_text().replace("2", "3", 1))
    with pytest.raises(KibitzError, match=f"{name} is missing or damaged"):
        read_series(folder)
    with pytest.raises(KibitzError, match=f"{name} is missing or damaged"):
        open_artefact(folder)

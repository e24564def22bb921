"""Sweeney 2012 at the smallest size: every table is computed, work is kept and gone on with, statements are judged."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.experiments import load_paper
from kibitz.experiments.published import ARITHMETIC, CONFIRMED, REFUTED, SUBSTITUTE, UNCONFIRMED, Effort, compute
from kibitz.experiments.sweeney2012 import runs, small_games
from kibitz.experiments.sweeney2012.printed import STATEMENTS, TABLES
from kibitz.experiments.sweeney2012.runs import Size

TINY = Size((640, 1280), (12, 20), (24, 20), (24, 20), 1280, 300)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(runs.SIZES, "smoke", TINY)
    runs.forget()


def cells(table: str, effort: Effort):
    experiment = load_paper("sweeney2012").EXPERIMENTS[table].at(effort)
    return experiment, {(row, cell.column): cell for row, cell in compute(experiment)}


def test_printed_numbers_agree_with_each_other():
    """Sample = LFO + RI, and stages weighted by their shares give the overall errors, as far as they are rounded."""
    table = TABLES["table-5.1"]
    sample, lfo, improvement = (np.array(table.rows[row]) for row in ("sample error", "LFO error", "RI error"))
    assert sample == pytest.approx(lfo + improvement, abs=0.0011)
    shares = np.array(table.rows["share of decisions"][:4])
    for errors in (sample, lfo, improvement):
        assert shares @ errors[:4] == pytest.approx(errors[4], abs=0.004)
    exploiter, against = TABLES["table-5.2"].rows["exploiter"][0], TABLES["table-5.2"].rows["entry against it"][0]
    assert exploiter + 5 * against == pytest.approx(0, abs=0.02)


def test_chapter_5_stands_beside_what_is_printed(tiny, tmp_path):
    effort = Effort("smoke", folder=tmp_path / "work")
    _, found = cells("table-5.1", effort)
    assert len(found) == 25
    assert {cell.verdict for cell in found.values()} == {SUBSTITUTE}
    rows = ("sample error", "LFO error", "RI error")
    sample, lfo, improvement = (found[row, "overall"].ours for row in rows)
    assert sample == pytest.approx(lfo + improvement)
    river = found["RI error", "river"].ours
    experiment, points = cells("figure-5.1", effort)
    sample, lfo, improvement = (points["1,280 deals", error].ours for error in rows)
    assert sample == pytest.approx(lfo + improvement)
    assert "<svg" in experiment.picture()
    experiment, found = cells("table-5.2", effort)
    assert found["exploiter", "mean"].ours == pytest.approx(-5 * found["entry against it", "mean"].ours, abs=1e-4)
    assert found["entry in self-play", "mean"].ours == pytest.approx(0, abs=1e-6)
    assert "<svg" in experiment.picture()
    exploiter = {column: cell.ours for (row, column), cell in found.items() if row == "exploiter"}
    _, found = cells("statements", effort)
    assert [row for row, _ in found] == [*STATEMENTS]
    for cell in found.values():
        assert cell.verdict == (CONFIRMED if cell.low > 0 else REFUTED if cell.high < 0 else UNCONFIRMED)
    said = {row: cell.ours for (row, _column), cell in found.items()}
    assert said["river largest"] == pytest.approx(river)
    assert said["exploited"] == pytest.approx(exploiter["mean"])
    assert said["far exploited"] == pytest.approx(exploiter["mean"] - 1)
    assert said["maniac"] == pytest.approx(exploiter["VP$IP"] / 100 - 0.9)
    assert said["aggressive"] == pytest.approx(exploiter["AF"] - 4)
    # Who has learned for no more than 1,280 deals wins from a table of its like, and is neither maniac nor aggressive.
    verdicts = {row: cell.verdict for (row, _column), cell in found.items()}
    assert [verdicts[row] for row in ("exploited", "maniac", "aggressive")] == [CONFIRMED, REFUTED, REFUTED]


def test_work_is_kept_and_gone_on_with(tiny, tmp_path, monkeypatch):
    folder = tmp_path / "work"
    effort = Effort("smoke", folder=folder)
    whole = runs.snapshots(effort)
    assert sorted(path.name for path in folder.iterdir()) == ["bot-1280", "bot-640", "self-play"]
    shutil.rmtree(folder / "bot-1280")
    runs.forget()
    again = runs.snapshots(effort)
    assert np.array_equal(again[-1][1].flat, whole[-1][1].flat)
    curve = runs.exploited(effort).curve
    runs.forget()
    monkeypatch.setattr(runs, "_exploit", None)  # the run is over, and its curve is read
    assert np.array(runs.exploited(effort).curve) == pytest.approx(np.array(curve))
    runs.rollouts(effort, 1280, TINY.table)
    runs.forget()
    monkeypatch.setattr(runs, "Rollouts", None)
    assert runs.rollouts(effort, 1280, TINY.table).of_stage().decisions == 24


def test_an_agent_that_another_preset_left_is_taken(tiny, tmp_path):
    """Its run has gone on past marks that only this preset has."""
    folder = tmp_path / "work"
    effort = Effort("smoke", folder=folder)
    whole = runs.snapshots(effort)
    runs.forget()
    shutil.rmtree(folder / "bot-640")
    assert np.array_equal(runs.agent_after(effort, 1280).flat, whole[-1][1].flat)
    with pytest.raises(KibitzError, match="past 640 deals"):
        runs.snapshots(effort)


def test_small_games(monkeypatch):
    monkeypatch.setitem(small_games.STEPS, "smoke", 60)
    small_games.runs_of.cache_clear()
    experiment, found = cells("small-games", Effort("smoke"))
    assert found["Kuhn, plain", "start"].ours > found["Kuhn, plain", "strategy"].ours
    assert ("Kuhn, plain", "anchor") not in found
    assert "<svg" in experiment.picture()
    _, claims = cells("small-game-claims", Effort("smoke"))
    assert claims["rationalisable", "Kuhn"].verdict == CONFIRMED
    assert small_games.game_value("kuhn") == pytest.approx(-1 / 18)
    assert small_games.game_value("uniform") == pytest.approx(-1 / 18, abs=1e-3)
    small_games.runs_of.cache_clear()


def test_the_population_stands_beside_table_6_1():
    experiment, found = cells("table-6.1", Effort("smoke"))
    assert len(found) == 28
    assert {cell.verdict for cell in found.values()} == {SUBSTITUTE}
    for kind_by in ("match", "seat"):
        cell = found[f"average bot, kind by {kind_by}", "VP$IP"]
        assert cell.low < cell.ours < cell.high
        assert "its box" in cell.reason
    assert abs(found["average bot, kind by match", "mean"].ours) < 0.17
    assert any("one printed standard deviation" in note for note in experiment.notes)


def test_the_printed_table_6_2_has_the_printed_pattern():
    _, found = cells("table-6.2-significance", Effort("smoke"))
    assert {cell.verdict for cell in found.values()} == {ARITHMETIC}
    rows = TABLES["table-6.2"].rows
    assert [row[3] / 120 for row in rows.values()] == [533, 772, 558, 557, 943, 426, 268, 448, 436, 441]
    assert all(row[1] >= row[4] for name, row in rows.items() if name != "Self-play")  # models are optimistic

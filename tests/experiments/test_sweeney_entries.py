"""Sweeney 2012, sections 5.2 to 5.4: the size of a deal, entries as printed, players who look ahead."""

import numpy as np
import pytest

from kibitz.experiments import load_paper
from kibitz.experiments.published import OURS, QUOTED, SUBSTITUTE, Effort, compute
from kibitz.experiments.sweeney2012 import entries, runs
from kibitz.experiments.sweeney2012.printed import TABLES
from kibitz.learning import load_model

TINY = entries.Size(runs=2, deals=640, decisions=6, samples=10, hands=2)


@pytest.fixture
def effort(monkeypatch, tmp_path):
    monkeypatch.setitem(entries.SIZES, "smoke", TINY)
    return Effort("smoke", folder=tmp_path / "work")


def cells(table: str, effort: Effort):
    experiment = load_paper("sweeney2012").EXPERIMENTS[table].at(effort)
    return dict(compute(experiment))


def test_a_deal_has_the_players_of_the_irc_mix(monkeypatch, tmp_path):
    monkeypatch.setitem(runs.SIZES, "smoke", runs.Size((640,), (4, 10), (4, 10), (4, 10), 640, 20_000))
    runs.forget()
    found = cells("section-5.2", Effort("smoke", folder=tmp_path / "work"))
    assert found["players"].ours == pytest.approx(5.2, abs=0.07)  # four standard errors
    assert found["decisions"].ours == pytest.approx(found["players"].ours * found["decisions of a player"].ours)
    assert found["s.d. of a player's result, small blinds"].ours > 1
    rows = TABLES["section-5.2"].rows
    assert rows["players"][0] * rows["decisions of a player"][0] == pytest.approx(rows["decisions"][0], abs=0.05)


def test_what_cannot_be_had_is_quoted():
    found = cells("table-5.3", Effort("smoke"))
    assert {cell.verdict for cell in found.values()} == {QUOTED}
    assert sum(cell.printed for cell in found.values()) == pytest.approx(0, abs=0.003)  # what one wins others lose


def test_players_who_look_ahead_meet_plain_ones(effort):
    found = cells("section-5.4", effort)
    assert [*found] == [*TABLES["section-5.4"].rows]
    plain, aware, better = (found[row] for row in ("RI error, plain", "RI error, self-aware", "difference"))
    assert plain.verdict == aware.verdict == better.verdict == SUBSTITUTE
    assert plain.ours - aware.ours == pytest.approx(better.ours)
    assert found["self-aware wins from two plain ones"].verdict == OURS
    assert {cell.verdict for cell in [*found.values()][4:]} == {QUOTED}
    for seed in range(TINY.runs):
        structures = [load_model(effort.folder / f"{kind}-640-{seed}").structure for kind in ("plain", "aware")]
        assert [each.self_aware for each in structures] == [False, True]


def test_runs_that_are_there_are_not_made_again(effort, monkeypatch):
    first = entries.pairs(effort)
    assert len({pair.plain for pair in first}) == TINY.runs
    monkeypatch.setitem(entries.SIZES, "smoke", TINY._replace(hands=3))
    with pytest.raises(Exception, match="was made with other settings"):
        entries.pairs(effort)
    monkeypatch.setitem(entries.SIZES, "smoke", TINY)
    monkeypatch.setattr(entries, "_measure", lambda *_: pytest.fail("it is measured again"))
    assert np.allclose(entries.pairs(effort), first)

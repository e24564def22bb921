"""Hold'em curves beside the printed ones, on cards that nobody looks at: that all works, not how well."""

from dataclasses import asdict, replace
from math import isnan, nan
from xml.etree import ElementTree

import pytest

from kibitz.agents import load_agent
from kibitz.experiments import find_experiments
from kibitz.experiments.hawkin2014 import agents, efforts, figures, sizes
from kibitz.experiments.hawkin2014.curves import SERIES, SPECS, TABLES, Curve, CurvePoint, Sized
from kibitz.experiments.hawkin2014.figures import histogram
from kibitz.experiments.hawkin2014.sizes import VECTOR
from kibitz.experiments.ledger import Ledger, load_ledger
from kibitz.experiments.published import Effort, compute, gather
from kibitz.testing import check_agent

BLIND = {"5-bucket": "one-bucket", "IR-100": "IR EHS2 1-1-1-1", "3-bucket": "one-bucket", "4-bucket": "one-bucket"}
TINY = replace(
    efforts.SCALES["smoke"], iterations=3, evaluate=2, boards=5, weighed=20, play=2, dealt=50, sampled=2, cards=BLIND
)
MADE = {
    "form": "vector",
    "cards": "5-bucket",
    "boards": 40_000,
    "seed": 0,
    "seed of boards": 0,
    "iterations": 1000,
    "evaluate iterations": 500,
    "machine": "gpu",
}


@pytest.fixture(autouse=True)
def tiny(monkeypatch, tmp_path):
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(efforts.SCALES, "smoke", TINY)
    for cached in (efforts.find_curve, efforts.prepared, sizes.find_snapshots, agents.play_contest):
        cached.cache_clear()


def run(table, effort):
    experiment = find_experiments("hawkin2014", (table,))[table].at(effort)
    return gather("hawkin2014", table, experiment, compute(experiment))


def point(number, **more):
    counts = {"iterations": 1000, "bets": 10, "extras": 0, "nodes": 100, "pairs": 3_300_000}
    values = {"value": 47.0, "error": 1.0, "low": 46.0, "high": 48.0, "seconds": 60.0, "sizes": ()}
    return CurvePoint(number, **counts | values | more)


def test_a_figure_computes_what_its_preset_says_and_goes_on_in_its_folder(tmp_path):
    effort = Effort("smoke", folder=tmp_path)
    found = run("figure-6.3", effort)
    assert found.counts["not run"] == 18
    red, fixed = found.rows["1"]
    assert (red.printed, red.bound) == (47.26, 2.18)
    assert red.low <= red.ours <= red.high
    assert not isnan(fixed.ours)
    assert "RED 1 range, P1: smoke does 1 run on one-bucket, 5 boards, 3 iterations" in " ".join(found.experiment.notes)
    assert found.values["curves"]["RED 1 range, P1"]["made"]["cards"] == "one-bucket"
    assert (tmp_path / "smoke" / "red-1-range-p1" / "seat-0-run-01.json").exists()
    efforts.find_curve.cache_clear()
    told = []
    again = run("figure-6.3", replace(effort, tell=lambda *stage: told.append(stage)))
    assert again.rows["1"] == found.rows["1"]
    assert told == []
    assert ElementTree.fromstring(found.experiment.picture()).tag.endswith("svg")


def test_self_play_and_bounds_stand_in_one_figure():
    found = run("figure-7.1", Effort("smoke"))
    played, bounds = found.rows["1"]
    assert (played.printed, bounds.printed) == (45.73, 47.26)
    assert played.ours != bounds.ours


def test_imperfect_recall_is_valued_by_self_play():
    found = run("figure-7.3", Effort("smoke"))
    one, two, _three = found.rows["1"]
    assert one.low < one.ours < one.high
    assert two.verdict == "not run"
    assert "Not computed by this preset: IR-100 REDM 2 ranges, P1" in " ".join(found.experiment.notes)


def test_a_curve_that_was_computed_before_is_shown(monkeypatch):
    curve = Curve(SPECS["RED 1 range, P1"], MADE, (point(1), point(2, value=30.0, low=29.0, high=37.0), point(5)))
    monkeypatch.setattr(efforts, "stored_curve", lambda slug: curve if slug == curve.spec.slug else None)
    monkeypatch.setattr(efforts, "is_run", lambda spec, effort: False)
    found = run("figure-6.5", Effort("full"))
    assert [found.rows[row][0].verdict for row in "123"] == ["reproduced", "bounds overlap", "not run"]
    assert found.rows["5"][0].verdict == "differs"
    notes = " ".join(found.experiment.notes)
    assert "RED 1 range, P1: computed before (gpu, 180 s) on 5-bucket, 40,000 boards, 1,000 iterations a run" in notes
    sizes = run("table-6.2", Effort("full")).rows["one range"]
    assert [cell.verdict for cell in sizes] == ["reproduced", "reproduced"]


@pytest.mark.parametrize(
    ("change", "enough"),
    [
        ({}, True),
        ({"boards": 0}, True),
        ({"boards": 39_999}, False),
        ({"iterations": 999}, False),
        ({"evaluate iterations": 499}, False),
        ({"cards": "4-bucket"}, False),
    ],
)
def test_stored_curves_must_be_as_thorough_as_the_preset(change, enough):
    spec = SPECS["RED 1 range, P1"]
    assert efforts.is_enough(Curve(spec, MADE | change), spec, efforts.SCALES["full"]) is enough
    assert not efforts.is_enough(Curve(SPECS["RED 1 range, P2"], MADE), spec, efforts.SCALES["full"])


@pytest.mark.parametrize(
    ("name", "iterations", "evaluated", "enough"),
    [
        ("IR-100 REDM 1 range, P1", 6_000, 12_000, True),
        ("IR-100 REDM 1 range, P1", 5_999, 12_000, False),
        ("IR-100 REDM 1 range, P1", 6_000, 11_999, False),
        ("IR-570 REDM 3 ranges, P2", 2_000, 0, True),  # only its sizes are looked at
        ("IR-570 REDM 3 ranges, P2", 1_999, 0, False),
    ],
)
def test_stored_curves_with_imperfect_recall(name, iterations, evaluated, enough):
    spec = SPECS[name]
    made = {"form": "boards", "cards": spec.cards, "iterations": iterations, "evaluate iterations": evaluated}
    assert efforts.is_enough(Curve(spec, MADE | {"boards": 10} | made), spec, efforts.SCALES["full"]) is enough


def test_snapshots_are_gone_on_with(tmp_path):
    effort = Effort("smoke", folder=tmp_path)
    made = {"curve": asdict(sizes.SPEC), "cards": "one-bucket", "machine": "cpu"}

    def ledger():
        path = tmp_path / "curve.json.gz"
        return load_ledger(path) if path.exists() else Ledger(made, path)

    whole = sizes.compute_snapshots(Ledger(made), (1, 2), effort, million=100)
    sizes.compute_snapshots(ledger(), (1,), effort, million=100)
    later = sizes.compute_snapshots(ledger(), (1, 2), effort, million=100)
    assert [each.iterations for each in later.points] == [100, 200]
    assert [each.sizes for each in later.points] == [each.sizes for each in whole.points]
    assert sum(sizes.counts(later.points[1], 160)) == 160
    assert sum(sizes.counts(later.points[1], 10)) == 10


def test_sizes_by_range():
    learnt = tuple(Sized("d", size, 1.0) for size in (0.8, 0.82, 0.9, 0.98, 1.0))
    assert sizes.counts(point(1, sizes=learnt), 160) == (2, 1, 2)
    assert sizes.counts(point(1, sizes=learnt), 3) == (2, 1, 0)
    assert histogram(point(1, bets=50, sizes=learnt)) == {"0.8": 2, "0.9": 1, "1.0": 2}


def test_table_5_1_has_a_row_for_all_deals_at_once():
    found = run("table-5.1", Effort("smoke"))
    assert sum(cell.ours for cell in found.rows["all deals"]) == 160
    assert found.counts == {"ours alone": 3, "not run": 24}


def test_rankings():
    small = point(5, sizes=tuple(Sized(name, size, 1.0) for name, size in (("dd", 0.8), ("de", 1.2), ("x", 2.0))))
    large = point(5, sizes=tuple(Sized(name, size, 1.0) for name, size in (("de", 1.0), ("dd", 0.8))))
    first, second, third = sizes.compare(small, large)
    assert first == ("dd", 1, 0.8, 2, 0.8)
    assert second == ("de", 2, 1.2, 1, 1.0)
    assert isnan(third.larger_rank)


def test_table_7_3_finds_the_printed_bets(monkeypatch):
    ranked = tuple(Sized(row, each[1], 1.0) for row, each in TABLES["table-7.3"].rows.items())
    curve = Curve(SPECS["REDM 3 ranges, P1"], MADE, (point(5, sizes=ranked[:-1]),))
    monkeypatch.setattr(sizes, "find_curve", lambda name, effort: curve)
    found = run("table-7.3", Effort("short"))
    assert [cell.verdict for cell in found.rows["dd"]] == ["reproduced", "reproduced", "differs", "reproduced"]
    assert {cell.verdict for cell in found.rows["ddc/e"]} == {"differs"}
    assert "not among our 200 most important bets" in " ".join(found.reasons)
    assert len(found.values["ranking"]) == 24
    assert ElementTree.fromstring(found.experiment.picture()).tag.endswith("svg")
    assert run("section-7.3", Effort("short")).rows["player one"][0].ours == 0


@pytest.mark.parametrize(("table", "mean", "left"), [(TABLES["table-7.3"], 0.065, 4), (TABLES["table-7.4"], 0.061, 5)])
def test_the_printed_rankings_are_what_the_text_says_of_them(table, mean, left):
    """A check of our copy: section 7.3.1 states both figures."""
    differences = [abs(small - large) for _rank, small, _place, large in table.rows.values()]
    assert sum(differences) / 25 == pytest.approx(mean, abs=0.0005)
    assert sum(place > 25 for _rank, _small, place, _large in table.rows.values()) == left


def test_printed_curves_are_whole():
    assert len(SERIES) == 40
    assert {len(each.values) for each in SERIES.values()} | {len(each.bounds) for each in SERIES.values()} == {10}
    assert all(sum(figures) == 160 for row, figures in TABLES["table-5.1"].rows.items() if row != VECTOR)
    assert all(sum(figures) == 10 for row, figures in TABLES["table-5.2"].rows.items() if row != VECTOR)


def test_the_same_numbers_give_the_same_picture():
    line = figures.Drawn("one", [50.0, 40.0], [2.0, 2.0], [(1, 48.0, 47.0, 49.0)])
    first = figures.draw_curves([line])
    assert first == figures.draw_curves([line])
    assert first != figures.draw_curves([line._replace(points=[])])
    assert ElementTree.fromstring(sizes.draw_ranking([("d", 0.5, nan)], ("few", "more"))).tag.endswith("svg")


def test_agents_meet(monkeypatch, tmp_path):
    monkeypatch.setitem(agents.CONTESTS, "smoke", agents.Contest("one-bucket", 5, 2, 1, 10, 2, 5))
    effort = Effort("smoke", folder=tmp_path)
    found = run("agents", effort)
    assert found.counts == {"ours alone": 3}
    assert all(cell.low <= cell.ours <= cell.high for (cell,) in found.rows.values())
    folder = tmp_path / "smoke" / "agents"
    assert load_agent(str(folder / "refined")).name == "refined"
    check_agent(str(folder / "refined"), games=["holdem-nolimit-2p"], hands=20)
    agents.play_contest.cache_clear()
    assert repr(run("agents", effort).rows) == repr(found.rows)  # nan is not nan
    monkeypatch.setitem(agents.CONTESTS, "smoke", agents.Contest("one-bucket", 5, 2, 1, 10, 3, 5))
    agents.play_contest.cache_clear()
    with pytest.raises(ValueError, match="other cards or effort"):
        run("agents", effort)


def test_stored_curves_are_of_the_thesis():
    """Whatever was computed and put beside the code."""
    assert efforts.stored_curve("nothing-of-the-kind") is None
    for name, spec in SPECS.items():
        curve = efforts.stored_curve(spec.slug)
        if curve is not None:
            assert curve.spec == spec, name
            assert [each.run for each in curve.points] == list(range(1, len(curve.points) + 1))
            assert {"machine", "boards", "iterations", "evaluate iterations", "seed"} <= curve.made.keys()

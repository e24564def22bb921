"""The shipped population is that of table 6-1, on deals that it was not made with; a search can be resumed."""

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.learning.population import calibration, load_population
from kibitz.learning.population.calibration import DEVIATIONS, MEANS, Search, is_inside, measure, misses
from kibitz.learning.population.drawing import COUNTS, Draw, draw_population, make_switchable
from kibitz.learning.population.plan import PopulationPlan
from kibitz.learning.population.styles import Between
from kibitz.plans import carry_out

FRESH = 555_000  # seed of matches


def test_the_shipped_population_is_inside_the_box_on_fresh_deals():
    found = measure(load_population("calibrated"), Search(seed=FRESH, samples=4))
    assert is_inside(found), misses(found)


def test_the_box_is_one_printed_deviation_and_a_third_of_it():
    assert is_inside(Between(MEANS + 0.99 * DEVIATIONS, 1.29 * DEVIATIONS))
    for place in range(7):
        off = np.zeros(7)
        off[place] = 1.01 * DEVIATIONS[place]
        assert not is_inside(Between(MEANS + off, DEVIATIONS))
        assert not is_inside(Between(MEANS, DEVIATIONS + 0.31 * off))


def test_the_shipped_files_follow_from_what_they_say_of_themselves():
    shipped = load_population("calibrated")
    drawn = {
        family: {name: Draw(*each) for name, each in draws.items()}
        for family, draws in shipped.made["distribution"].items()
    }
    again = draw_population(drawn, shipped.made["seed"])
    assert again.names == shipped.names
    for name in again.bots.dtype.names:
        assert again.bots[name] == pytest.approx(shipped.bots[name], abs=1e-4), name
    assert np.bincount(shipped.kind).tolist() == [*COUNTS.values()]
    assert len({str(bot["rules"]) for bot in shipped.bots[24:39]}) == 5
    made = make_switchable(0)
    assert [each["rules"] for each in made.describe()["bots"]] == [
        each["rules"] for each in load_population("switchable").describe()["bots"]
    ]


def test_a_search_that_is_resumed_is_the_search(tmp_path, monkeypatch):
    monkeypatch.setattr(calibration, "SAMPLE", 4)
    *straight, last = carry_out(PopulationPlan(seed=3, rounds=5), tmp_path / "straight.json")
    losses = [report.row["loss"] for report in straight]
    assert losses == sorted(losses, reverse=True)
    reports = carry_out(PopulationPlan(seed=3, rounds=5), tmp_path / "left.json")
    for _ in range(3):
        next(reports)
    reports.close()
    *rest, again = carry_out(PopulationPlan(seed=3, rounds=5), tmp_path / "left.json", resume=True)
    assert again.artefact.about["bots"] == last.artefact.about["bots"]
    assert [report.row["loss"] for report in rest] == losses[3:]
    with pytest.raises(KibitzError, match="seed = 3, this plan has 4"):
        next(carry_out(PopulationPlan(seed=4, rounds=5), tmp_path / "left.json", resume=True))


@pytest.mark.parametrize("name", ["rounds", "samples"])
def test_what_a_search_needs_is_refused_where_there_is_none(name):
    with pytest.raises(KibitzError, match=f"--{name} 5 with --preset switchable"):
        PopulationPlan("switchable", **{name: 5}).begin()

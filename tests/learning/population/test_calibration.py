"""The shipped population is that of table 6-1, on deals that it was not made with; a search can be resumed."""

import json

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.learning.population import calibration, load_population
from kibitz.learning.population.calibration import DEVIATIONS, MEANS, Search, calibrate, is_inside, measure, misses
from kibitz.learning.population.drawing import COUNTS, Draw, draw_population, make_switchable
from kibitz.learning.population.styles import Between

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
        for family, draws in shipped.origin["distribution"].items()
    }
    again = draw_population(drawn, shipped.origin["seed"])
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
    straight = [*calibrate(Search(seed=3, rounds=5))]
    place = tmp_path / "search"
    first = [*calibrate(Search(seed=3, rounds=2), place)]
    rest = [*calibrate(Search(seed=3, rounds=5), place)]
    assert [point.loss for point in (*first, *rest[1:])] == [point.loss for point in straight]
    assert rest[-1].distribution == straight[-1].distribution
    losses = [point.loss for point in straight]
    assert losses == sorted(losses, reverse=True)
    with pytest.raises(KibitzError, match="another seed"):
        next(calibrate(Search(seed=4), place))
    place.write_text(json.dumps({"seed": 3}))
    with pytest.raises(KibitzError, match="not a checkpoint"):
        next(calibrate(Search(seed=3), place))

"""The shipped population is that of table 6-1, on deals that it was not made with; a search can be resumed."""

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.learning.population import calibration, load_population
from kibitz.learning.population.calibration import (
    DEVIATIONS,
    MEANS,
    PLACES,
    PopulationPlan,
    as_distribution,
    is_inside,
    loss_of,
    measure,
    misses,
)
from kibitz.learning.population.drawing import COUNTS, START, draw_population, make_switchable, read_distribution
from kibitz.learning.population.matches import Between
from kibitz.plans import carry_out

FRESH = 555_000  # seed of matches


def test_the_shipped_population_is_inside_the_box_on_fresh_deals():
    found = measure(load_population("calibrated"), FRESH, samples=4)
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
    drawn = read_distribution(shipped.made["distribution"])
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


def test_parameters_are_drawn_from_their_distributions():
    """The same normal numbers behind all candidates: means and spreads are exact but for the bounds."""
    moved = {
        family: {name: draw._replace(mean=draw.mean * 1.1) for name, draw in each.items()}
        for family, each in START.items()
    }
    once, again = draw_population(START, 4), draw_population(moved, 4)
    for number, (family, draws) in enumerate(START.items()):
        mine = once.members(number)
        assert len(mine) == COUNTS[family]
        for name in set(draws) & set(once.bots.dtype.names) - {"trials"}:
            draw, values = draws[name], once.bots[name][mine]
            assert values.min() >= draw.low
            assert values.max() <= draw.high
            if draw.low < values.min() and values.max() < draw.high:
                assert values.mean() == pytest.approx(draw.mean)
                assert values.std() == pytest.approx(draw.spread, abs=1e-9)
                shift = again.bots[name][mine] - values
                free = again.bots[name][mine] < draw.high
                assert shift[free] == pytest.approx(0.1 * draw.mean)
    assert (once.bots["rules"] != draw_population(START, 5).bots["rules"]).any()


def test_rounds_move_some_parameters_and_keep_the_better(monkeypatch):
    losses = iter([5.0, 4.0, 6.0])
    monkeypatch.setattr(calibration, "loss_of", lambda _found: next(losses))
    monkeypatch.setattr(calibration, "measure", lambda *_settings: Between(MEANS, DEVIATIONS))
    run = PopulationPlan(seed=1, rounds=2).begin()
    begun, better, worse = (run.step() and run.point for _ in range(3))
    assert run.step() is None
    assert (begun.loss, better.loss, worse.loss) == (5.0, 4.0, 4.0)
    assert as_distribution(begun.moments) == START
    assert better.width == pytest.approx(1.5 * begun.width)
    assert worse.width == pytest.approx(better.width * 1.5**-0.25)
    assert (worse.moments == better.moments).all()
    moved = (better.moments != begun.moments).any(axis=1)
    assert 0.2 < moved.mean() < 0.8
    for (family, name), changed, (mean, spread) in zip(PLACES, moved, better.moments.tolist(), strict=True):
        draw = START[family][name]
        assert not (changed and name in calibration.STAYING)
        assert draw.low <= mean <= draw.high
        assert 0 <= spread <= max(draw.spread, (draw.high - draw.low) / 4)


def test_a_population_without_a_statistic_is_far_off():
    nothing = Between(MEANS * np.nan, DEVIATIONS)
    assert loss_of(Between(MEANS, DEVIATIONS)) == 0
    assert loss_of(nothing) > loss_of(Between(MEANS + 10 * DEVIATIONS, DEVIATIONS)) > 7 * 10**4
    assert not is_inside(nothing)

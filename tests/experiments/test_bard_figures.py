"""Figures of Bard 2016 in small games: what is kept, what is compared, and that interrupted runs go on."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import nan

import numpy as np
import pytest

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.experiments.bard2016 import asymmetric, curves, observations, studies
from kibitz.experiments.bard2016.curves import Curve, dominates, gain_at, load_curve, safer
from kibitz.experiments.bard2016.printed import STATEMENTS
from kibitz.experiments.bard2016.settings import SETTINGS
from kibitz.experiments.bard2016.studies import TUNED, Study, Task, bucket_name
from kibitz.experiments.claims import Claim, Interval, of_samples, of_solutions, strongest, weakest
from kibitz.experiments.ledger import Ledger, MissingError, load_ledger, open_ledger
from kibitz.experiments.published import CONFIRMED, REFUTED, UNCONFIRMED, Effort

SMOKE = SETTINGS["smoke"]["leduc"]


def interval(low: float, high: float) -> Interval:
    return Interval((low + high) / 2, low, high)


# What is kept.


def test_numbers_are_computed_once_and_kept(tmp_path):
    effort = Effort("full", seed=1, folder=tmp_path)
    ledger = open_ledger("bard2016", "a", {"game": "leduc"}, effort, is_open=True)
    assert ledger.get("x", lambda: (1.5, nan)) == ledger.get("x", lambda: pytest.fail("computed again"))
    again = open_ledger("bard2016", "a", {"game": "leduc"}, effort, is_open=True)
    assert again.get("x", lambda: pytest.fail("computed again"))[0] == 1.5
    assert np.isnan(again.found["x"][1])
    document = json.loads(gzip.decompress((tmp_path / "full" / "a.json.gz").read_bytes()))
    assert document["plan"] == {"game": "leduc"}
    assert (document["seed"], document["device"], document["version"]) == (0, "cpu", __version__)
    assert document["cells"] == {"x": [1.5, None]}


def test_cells_are_measured_on_an_executor_and_kept_one_by_one(tmp_path):
    effort = Effort("full", seed=1, folder=tmp_path)
    ledger = open_ledger("bard2016", "a", {}, effort, is_open=True)
    ledger.put("one", [0.0])
    told: list[tuple[str, float, float]] = []
    jobs = {name: partial(Fraction, place, 2) for place, name in enumerate(("one", "two", "three"))}
    halves = {name: partial(_half, job) for name, job in jobs.items()}
    found = ledger.measure(halves, replace(effort, tell=lambda *each: told.append(each)), "halves")
    assert found == [(0.0,), (0.5,), (1.0,)]
    assert told == [("halves", 2, 3), ("halves", 3, 3)]
    assert load_ledger(tmp_path / "full" / "a.json.gz").found == ledger.found


def _half(job: Callable[[], Fraction]) -> list[float]:
    return [float(job())]


def test_numbers_of_other_settings_are_refused(tmp_path):
    effort = Effort("full", seed=1, folder=tmp_path)
    open_ledger("bard2016", "a", {"game": "leduc"}, effort, is_open=True).get("x", lambda: (1.0,))
    with pytest.raises(KibitzError, match="other settings"):
        open_ledger("bard2016", "a", {"game": "kuhn"}, effort, is_open=True)


def test_numbers_of_an_earlier_version_are_refused(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a.json").write_text("{}")
    with pytest.raises(KibitzError, match=r"a\.json is of an earlier version"):
        open_ledger("bard2016", "a", {}, Effort("full", folder=tmp_path), is_open=True)


def test_what_is_no_ledger_is_refused(tmp_path):
    path = tmp_path / "a.json.gz"
    path.write_text("{}")
    with pytest.raises(KibitzError, match="holds no measures"):
        load_ledger(path)
    path.write_bytes(gzip.compress(b"{}")[:12] + b"damaged")
    with pytest.raises(KibitzError, match="holds no measures"):
        load_ledger(path)
    for text in ("", "[]", '{"format": "else"}', '{"format": "kibitz measures 2", "plan": {}, "cells": {"x": 1}}'):
        path.write_bytes(gzip.compress(text.encode()))
        with pytest.raises(KibitzError, match="holds no measures"):
            load_ledger(path)


def test_a_closed_ledger_computes_nothing():
    with pytest.raises(MissingError, match="the preset full computes it"):
        Ledger({}, is_open=False).get("x", lambda: pytest.fail("computed"))


def test_numbers_that_come_with_the_package_are_of_the_settings():
    for preset in ("short", "full"):
        for game, setting in SETTINGS[preset].items():
            ledger = open_ledger("bard2016", game, setting.describe(0), Effort(preset), is_open=False)
            tasks = [task for line in studies.tuned_4_2(setting).values() for task in line]
            assert ledger.has(task.name for task in tasks), game
        for game in asymmetric.SETTINGS[preset]:
            assert asymmetric.cross_table(game, Effort(preset)).ledger.found, game


# What is compared.


def test_verdicts_are_by_disjoint_intervals():
    assert Claim(interval(2, 3), interval(0, 1)).verdict == CONFIRMED
    assert Claim(interval(0, 1), interval(2, 3)).verdict == REFUTED
    assert Claim(interval(0, 2), interval(1, 3)).verdict == UNCONFIRMED
    cell = Claim(interval(2, 3), interval(0, 1)).found()
    assert (cell.ours, cell.low, cell.high) == (2, 1, 3)
    assert cell.reason == "2.5 [2.0, 3.0] against 0.5 [0.0, 1.0]"


def test_equal_exact_values_confirm_nothing():
    assert Claim(Interval(1, 1, 1), Interval(1, 1, 1)).verdict == UNCONFIRMED


def test_all_and_some():
    claims = [Claim(interval(2, 3), interval(0, 1)), Claim(interval(0, 2), interval(1, 3))]
    assert weakest(claims).verdict == UNCONFIRMED
    assert strongest(claims).verdict == CONFIRMED
    assert weakest(claims).note == "the weakest of 2, 1 confirmed, 1 not confirmed"


def test_intervals_of_samples_and_of_solutions():
    found = of_samples([1.0, 2.0, 3.0])
    assert (found.value, found.high - found.value) == pytest.approx((2, 4.303 / np.sqrt(3)), abs=1e-3)
    assert of_samples([1.0]).high == np.inf
    assert of_solutions([2.0, 1.0, 4.0]) == (2, 1, 4)


def test_gain_at_a_level_of_risk_is_that_of_mixtures():
    risk, gain = np.array([0.0, 10.0, 5.0]), np.array([1.0, 4.0, 3.0])
    assert gain_at(risk, gain, 7.5) == (3.5, 4)
    assert gain_at(risk, gain, 5.0) == (3, 3)
    assert gain_at(risk, gain, 11.0) == (4, 4)
    assert np.isnan(gain_at(risk, gain, -1.0)).all()
    # A response that risks more and wins less is not taken.
    assert gain_at(np.array([0.0, 1.0, 2.0]), np.array([3.0, 1.0, 4.0]), 1.0) == (3, 3)


def curve(risk: list[float], gain: list[float]) -> Curve:
    """Three samples that hardly differ."""
    noise = np.array([[-0.01], [0.0], [0.01]])
    return Curve((0.0, 0.5, 0.9), np.array([risk]) + noise, np.array([gain]) + noise, False)


def test_curves_dominate_where_they_win_more_at_every_risk():
    upper, lower = curve([1, 4, 8], [1, 5, 9]), curve([2, 3, 7], [1, 2, 3])
    claim, reverse = dominates(upper, lower), dominates(lower, upper)
    assert claim is not None
    assert reverse is not None
    assert (claim.verdict, reverse.verdict) == (CONFIRMED, REFUTED)
    assert claim.first.value == pytest.approx(1 + 4 / 3, abs=0.01)  # of a mixture at the risk of 2
    assert dominates(curve([20, 21, 22], [1, 2, 3]), lower) is None


def test_some_belief_is_safer_than_none():
    assert safer(curve([5, 3, 8], [1, 2, 3])).verdict == CONFIRMED
    assert safer(curve([5, 6, 8], [1, 2, 3])).verdict == REFUTED


def test_every_claim_is_a_statement_of_the_thesis():
    study = studies.study_of(SMOKE, Effort("smoke"))
    assert list(observations.claims(study)) == list(STATEMENTS["figure-4.2"])
    for name, make in curves.CLAIMS.items():
        assert list(make(study)) == list(STATEMENTS[name])


# Runs.


def test_interrupted_runs_go_on_and_find_the_same(tmp_path):
    setting = replace(SMOKE, shares=(0.0, 0.9, 1.0))
    tasks = studies.curves_4_4(setting)
    whole = Study(setting, Effort("full"), Ledger(setting.describe(0)))
    wanted = {label: load_curve(whole, task) for label, task in tasks.items()}

    class StoppedError(Exception):
        pass

    def stop(_stage: str, done: int, _total: int) -> None:
        if done == 3:
            raise StoppedError

    def study(effort: Effort) -> Study:
        return Study(setting, effort, open_ledger("bard2016", "leduc", setting.describe(0), effort, is_open=True))

    effort = Effort("smoke", folder=tmp_path)
    first = study(replace(effort, tell=stop))
    with pytest.raises(StoppedError):
        first.run(studies.tasks_of(first, tasks))
    kept = dict(first.ledger.found)
    second = study(effort)
    assert second.ledger.found.keys() == kept.keys()
    second.run(studies.tasks_of(second, tasks))
    for label, task in tasks.items():
        found, expected = load_curve(second, task), wanted[label]
        assert found is not None
        assert expected is not None
        assert found.risk == pytest.approx(expected.risk, abs=1e-6)
        assert found.gain == pytest.approx(expected.gain, abs=1e-6)


def test_tuned_responses_lose_at_most_the_target_to_their_own_cards():
    study = studies.study_of(SMOKE, Effort("smoke"))
    found = study.measure(Task("dbr", (3, 3, 2), TUNED, 1_000))
    assert 0 < found.amount < 1
    assert found.abstract <= SMOKE.target + 1e-6
    few = study.measure(Task("dbr", (3, 3, 3), TUNED, 10))
    assert few.amount == 1


def test_an_equilibrium_is_the_same_whatever_was_seen():
    one, other = Task("dbr", (3, 3, 2), 0.0, 10, 1), Task("dbr", (3, 3, 1), 0.0, 100, 0)
    assert one.name == other.name == "EQUILIBRIUM-U3-R3"
    assert bucket_name(3) == "3-bucket"


def test_a_curve_of_which_samples_are_missing_has_those_that_are_complete():
    setting = replace(SMOKE, samples=3)
    study = Study(setting, Effort("smoke"), Ledger(setting.describe(0)))
    task = Task("dbr", (3, 3, 2), 0.0, 100)
    for sample in range(2):
        for amount in setting.shares:
            study.measure(task._replace(amount=amount, sample=sample))
    study.measure(task._replace(amount=0.5, sample=2))
    study.ledger.is_open = False
    found = load_curve(study, task)
    assert found is not None
    assert found.risk.shape == (2, len(setting.shares))


# Table 4.2.


def test_cross_tables_are_zero_sum_and_go_on_from_their_folder(tmp_path):
    effort = Effort("smoke", folder=tmp_path)
    table = asymmetric.cross_table("leduc", effort)
    table.run()
    assert table.value((3, 2), (2, 3)).value == pytest.approx(-table.value((2, 3), (3, 2)).value)
    assert table.value((3, 3), (3, 3)).value == 0
    asymmetric.cross_table.cache_clear()
    again = asymmetric.cross_table("leduc", effort)
    assert again.ledger.found.keys() == table.ledger.found.keys()
    assert again.exploitability((3, 2)) == pytest.approx(table.exploitability((3, 2)), abs=1e-8)
    assert again.strategy((3, 2), 0).values == pytest.approx(table.strategy((3, 2), 0).values)


def test_no_strategy_of_some_cards_is_less_exploitable_than_against_all_cards():
    table = asymmetric.cross_table("leduc", Effort("smoke"))
    for ours in table.setting.cards:
        least = table.exploitability((ours, asymmetric.FULL)).value
        assert all(table.exploitability((ours, free)).value >= least - 1e-6 for free in table.setting.cards)

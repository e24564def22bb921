"""Kuhn and Leduc beside the printed figures; that they are found is for `tests/published`."""

import pytest

from kibitz.experiments import find_experiments
from kibitz.experiments.hawkin2014 import small_games
from kibitz.experiments.published import compute, gather
from kibitz.games.game import UNLIMITED_RAISES


@pytest.fixture
def gains(monkeypatch):
    """The table with gains that are given, in place of those that take half a minute."""
    curves = {"capped": ([0.0, 20.5], [5.2, 10.3]), "unlimited": ([0.0, 28.4], [7.7, 41.1, 54.5])}

    def gains_of_re_bets(game, seat):
        return curves["unlimited" if game.max_raises[0] == UNLIMITED_RAISES else "capped"][seat]

    monkeypatch.setattr(small_games, "gains_of_re_bets", gains_of_re_bets)
    monkeypatch.setattr(small_games, "value_of_bets", (0.060, 0.078).__getitem__)
    monkeypatch.setattr(small_games, "baseline", lambda game: 0.072)
    experiment = find_experiments("hawkin2014", ("leduc-gains",))["leduc-gains"]
    return gather("hawkin2014", "leduc-gains", experiment, compute(experiment))


def test_a_curve_that_passes_the_printed_gain_on_its_way_does_not_end_there(gains):
    assert gains.counts == {"reproduced": 5, "differs": 1}
    cell = gains.rows["unlimited, RE-BETS"][1]
    assert (cell.printed, cell.ours, cell.verdict) == (43.0, 54.5, "differs")
    ((reason, places),) = gains.reasons.items()
    assert places == ["unlimited, RE-BETS player two"]
    assert reason.endswith("ours by run: 7.7, 41.1, 54.5")


def test_gains_of_bets_are_shares_of_the_baseline(gains):
    assert [cell.ours for cell in gains.rows["two raises, BETS"]] == pytest.approx([100 / 6, 100 / 12])


def test_the_curves_come_with_the_table(gains):
    assert gains.values["curves"]["unlimited, player two"] == [7.7, 41.1, 54.5]

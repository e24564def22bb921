"""Table 4.2 in limit hold'em, with two and three buckets on a few boards."""

import numpy as np
import pytest

from kibitz.deals.joint import Boards, bucket_matrices
from kibitz.errors import KibitzError
from kibitz.experiments.bard2016.holdem_games import Games, Pairing, Setting
from kibitz.experiments.bard2016.holdem_measures import HoldemMeasures
from kibitz.experiments.bard2016.holdem_table import claims, measures
from kibitz.experiments.ledger import Ledger, load_ledger
from kibitz.experiments.published import Effort
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.responses.best_response import expected_values
from kibitz.responses.real import Flops
from kibitz.responses.real.response import Told, difference

SETTING = Setting((2, 3), 6, 30, 3, 20, 0)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    return Games(SETTING, tmp_path_factory.mktemp("games"))


@pytest.fixture(scope="module")
def found(games, tmp_path_factory):
    path = tmp_path_factory.mktemp("ledger") / "table.json"
    measured = HoldemMeasures(SETTING, Ledger(SETTING.describe(), path), games)
    for one in SETTING.pairings:
        measured.mean(one)
    return measured


def test_what_one_wins_the_other_loses(found):
    for one in SETTING.pairings:
        assert found.value(one, one).value == pytest.approx(0, abs=1e-9)
        for two in SETTING.pairings:
            assert found.value(one, two).value == pytest.approx(-found.value(two, one).value)
    assert found.value(Pairing(2, 3), Pairing(3, 3)).value != 0


def test_values_are_those_of_the_game_of_their_boards(found, games):
    one, two = Pairing(3, 2), Pairing(2, 3)
    problem = games.problem(Pairing(3, 2))
    boards = Boards.sampled(SETTING.batch, SETTING.seed + 1)
    deal = bucket_matrices(problem.game, problem.abstractions, boards)
    compiled = type(problem.vector)(problem.tree, deal)
    chips = expected_values(compiled, games.joined(compiled.layout, one, two))[0]
    name = f"{one} against {two} in seat 1, batch 0"
    assert found.ledger.found[name][0] == pytest.approx(100 * chips)


def test_exchanged_players_have_the_transposed_deal(games):
    one, two = games.problem(Pairing(2, 3)), games.problem(Pairing(3, 2))
    swapped = one.deal.swapped(two.private.fingerprint)
    assert swapped.fingerprint == two.deal.fingerprint
    for ours, theirs in zip(swapped.rounds, two.deal.rounds, strict=True):
        np.testing.assert_allclose(ours.weight, theirs.weight)
        np.testing.assert_allclose(ours.sign, theirs.sign, atol=1e-15)
        assert ours.labels == theirs.labels
        assert all(np.array_equal(*each) for each in zip(ours.parent, theirs.parent, strict=True))


def test_seats_are_joined_from_their_own_games(games):
    problem = games.problem(Pairing(2, 2))
    joined = games.joined(problem.vector.layout, Pairing(2, 3), Pairing(2, 3))
    tree, sources = problem.tree, [games.solved(Pairing(2, 3)), games.solved(Pairing(3, 2))]
    for node in tree.decisions.tolist():
        np.testing.assert_array_equal(joined.at(node), sources[tree.player[node]].at(node))


def test_a_game_that_was_stopped_goes_on(games, tmp_path):
    class StoppedError(Exception):
        pass

    def stop(stage, done, total):
        if stage.startswith("solving"):
            raise StoppedError

    game, folder = Pairing(2, 3), tmp_path / "2x3"
    with pytest.raises(StoppedError):
        Games(SETTING, tmp_path, tell=stop).solved(game)
    assert (folder / CHECKPOINT).exists()
    found = Games(SETTING, tmp_path).solved(game)
    assert not (folder / CHECKPOINT).exists()
    np.testing.assert_array_equal(found.values, games.solved(game).values)


def test_what_is_in_the_ledger_is_not_computed_again(found):
    kept = HoldemMeasures(SETTING, load_ledger(found.ledger.path))
    kept.ledger.is_open = False
    for one in SETTING.pairings:
        assert kept.mean(one) == pytest.approx(found.mean(one))


def test_differences_on_the_same_flops():
    flops = Flops.sampled(12, 3)
    rng = np.random.default_rng(0)
    luck = rng.normal(size=flops.halves.shape) * 50
    one, two = (Told(each, each + luck + rng.normal(size=luck.shape)) for each in (30.0, 10.0))
    mean, half_width = difference(one, two, flops)
    assert mean == pytest.approx(20)
    assert 0.1 < half_width < 5  # and not of the order of 50
    with pytest.raises(KibitzError, match="not found on these 12 flops"):
        difference(one, Told(0.0, np.zeros((2, 3))), flops)


def test_the_table_that_comes_with_the_package():
    table = measures(Effort("short"))
    coarse, fine = Pairing(5, 8), Pairing(8, 8)
    assert table.safer_by(coarse, fine).low > 0
    assert all(
        table.value(one, two).high - table.value(one, two).low <= 2 for one in (coarse, fine) for two in (coarse, fine)
    )
    assert all(table.gap(each) < 1 for each in table.setting.pairings)
    found = claims(table)["5-8 is safer than 8-8"]()
    assert found is not None
    assert found.verdict == "confirmed"

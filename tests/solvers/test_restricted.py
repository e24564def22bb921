"""CFR against held opponents: dense games, threads, and checkpoints."""

import numpy as np
import pytest

from kibitz.solvers.compiled import vector as form_module
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.restricted import RestrictedCFR, held_at_infosets, held_from_the_start
from kibitz.strategy import Strategy
from solvers.test_dense import TREE, bucket_game


def games(monkeypatch) -> tuple[VectorGame, VectorGame]:
    deal = bucket_game(7, 13, 1)
    found = []
    for wide in (1, 10**9):
        monkeypatch.setattr(form_module, "WIDE", wide)
        game = VectorGame(TREE, deal)
        assert game.is_dense == (wide == 1)
        found.append(game)
    return found[0], found[1]


def holdings(game: VectorGame, seat: int):
    generator = np.random.default_rng(5)
    model = Strategy.from_sums(game.layout, generator.random(game.layout.size))
    trust = np.zeros(game.layout.size)
    for node in game.tree.decisions.tolist():  # one for all actions of an information set
        begin, end = game.layout.offset[node], game.layout.offset[node + 1]
        trust[begin:end] = np.tile(generator.random(int(game.layout.states[node])), int(game.tree.children[node]))
    return {
        "rnr": held_from_the_start(game, seat, model, 0.6),
        "dbr": held_at_infosets(game, seat, model.values, trust),
    }


@pytest.mark.parametrize("kind", ["rnr", "dbr"])
@pytest.mark.parametrize("seat", [0, 1])
def test_dense_games_come_to_the_same(kind, seat, monkeypatch):
    found = []
    for game in games(monkeypatch):
        solver = RestrictedCFR(game, holdings(game, seat)[kind], "cfr+")
        solver.step(6)
        found.append((solver.bounds(), solver.regret))
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-3)
    lower, upper = found[0][0]
    assert lower <= upper
    np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-3 * np.abs(found[1][1]).max())


@pytest.mark.parametrize("kind", ["rnr", "dbr"])
def test_threads_change_nothing(kind, monkeypatch):
    from kibitz.solvers.vector import passes

    monkeypatch.setattr(passes, "PAIRS_PER_THREAD", 1)
    for game in games(monkeypatch):
        solvers = [RestrictedCFR(game, holdings(game, 0)[kind], "dcfr", threads) for threads in (1, 3)]
        for solver in solvers:
            solver.step(5)
        assert np.array_equal(solvers[0].regret, solvers[1].regret)
        assert np.array_equal(solvers[0].average, solvers[1].average)


@pytest.mark.parametrize("kind", ["rnr", "dbr"])
def test_bounds_close(kind, monkeypatch):
    game = games(monkeypatch)[1]
    gaps = []
    solver = RestrictedCFR(game, holdings(game, 1)[kind], "pcfr+")
    for _ in range(3):
        solver.step(100)
        lower, upper = solver.bounds()
        gaps.append(upper - lower)
    assert 0 <= gaps[-1] < gaps[0]
    before = solver.regret.copy()
    solver.bounds()
    solver.step(1)
    again = RestrictedCFR(game, holdings(game, 1)[kind], "pcfr+")
    again.step(301)
    assert not np.array_equal(before, solver.regret)
    assert np.array_equal(again.regret, solver.regret)  # to measure leaves no trace

"""A batch of self-play moves weights, anchor, baseline and running averages as the plain formulas say."""

import numpy as np
import pytest

from kibitz.learning import Learning, SelfPlay, seat_chances
from kibitz.learning.model import Floats, views
from kibitz.learning.records import RUN, WEIGHTS, make_record, make_work
from kibitz.learning.settings import BASELINES
from learning import plain_learning

BEGUN, BATCH = 6400, 64
CLIP = 0.05  # which binds
SETTINGS = {
    "as trained": {},
    "constant rates": {"halving": 0.0},
    "rates that have fallen": {"halving": 6400.0},
    "not clipped": {"clip": 0.0},
    "clipped": {"clip": CLIP},
    "anchor": {"anchor_pull": 0.3, "anchor_rate": 2e-3},
    "anchor, clipped": {"anchor_pull": 0.3, "anchor_rate": 2e-3, "clip": CLIP},
    "anchor that follows at once": {"anchor_pull": 0.3, "anchor_rate": 1.0},
    "no entropy": {"entropy": 0.0},
    "chips": {"pot_scaling": False},
    "mean": {"baseline": "mean", "baseline_rate": 0.01},
    "linear": {"baseline": "linear", "baseline_rate": 0.01},
    "fast averages": {"averaging": 0.02, "floor": 0.1},
}


def trainer(settings) -> SelfPlay:
    """A run that has gone on for a while: nothing in its memory is 0, and nothing like another."""
    found = SelfPlay(3, 5, learning=Learning(batch=BATCH, **settings))
    noise = np.random.default_rng(1)
    memory = {name: array.copy() for name, array in found.arrays().items()}
    memory["anchor"] += noise.normal(0, 0.1, memory["anchor"].shape)
    memory["baseline"] += noise.normal(0, 1.0, (4, 10))
    weights = views(memory["weights"])
    weights.usage[:] = noise.dirichlet(np.ones(8), 4)
    weights.initial[:] = noise.dirichlet(np.ones(8))
    found.restore(BEGUN, 0.0, memory)
    return found


def sums_of_batch(run: SelfPlay) -> tuple[Floats, Floats]:
    """The gradients of the weights and of the baseline over the deals that come next."""
    from kibitz.learning import _kernels

    learning, memory = run.learning, run.arrays()
    slower = 1 / (1 + BEGUN / learning.halving) if learning.halving else 1.0
    settings = make_record(
        RUN, seats=np.cumsum(seat_chances(3)), learn_policy=True, learn_observer=True,
        baseline=BASELINES.index(learning.baseline), reward_scale=learning.reward_scale,
        pot_scaling=learning.pot_scaling, entropy=slower * learning.entropy, floor=learning.floor,
    )  # fmt: skip
    weights, gradient = memory["weights"].copy().view(WEIGHTS), np.zeros_like(memory["weights"])
    of_baseline = np.zeros((4, 10))
    _kernels.run_deals(
        5, BEGUN, BATCH, weights, weights, settings, run.rules.table, run.structure.mode, make_work(),
        memory["baseline"].copy(), gradient.view(WEIGHTS), of_baseline, np.zeros(_kernels.TOLD),
    )  # fmt: skip
    return gradient, of_baseline


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_batch_is_the_plain_step(settings):
    run = trainer(SETTINGS[settings])
    before = {name: array.copy() for name, array in run.arrays().items()}
    gradient, of_baseline = sums_of_batch(run)
    weights, anchor, norms = plain_learning.step(before["weights"], gradient, before["anchor"], run.learning, BEGUN)
    report = run.train(BATCH)
    after = run.arrays()
    np.testing.assert_allclose(after["weights"], weights, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(after["anchor"], anchor, rtol=1e-12, atol=1e-13)
    baseline = before["baseline"] + run.learning.baseline_rate * of_baseline
    np.testing.assert_allclose(after["baseline"], baseline, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(report.norms, norms, rtol=1e-12)
    assert (after["weights"] != before["weights"]).mean() > 0.5
    assert (abs(of_baseline) > 0).any() == (run.learning.baseline in ("mean", "linear"))
    assert (norms > CLIP).all()


def test_running_averages_move_by_their_constant_for_every_player():
    """Ten players with the same mean move an average as ten steps of one player would."""
    noise = np.random.default_rng(0)
    average, mean = noise.dirichlet(np.ones(8)), noise.dirichlet(np.ones(8))
    wanted = average.copy()
    for _ in range(10):
        wanted += 0.03 * (mean - wanted)
    np.testing.assert_allclose(plain_learning.averaged(average, 10 * mean, 0.03), wanted, rtol=1e-12)
    assert plain_learning.averaged(average, 0 * mean, 0.03) is average

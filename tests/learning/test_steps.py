"""Batches of self-play move weights, running averages and averaged weights as the plain formulas say, in any pieces."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.learning import Learning, Model, ModelError, SelfPlay, Structure
from kibitz.learning.model import BEGINNINGS, SIZE, Floats, views
from kibitz.learning.rivals import rivals_of
from kibitz.learning.training import GRADIENT, TOLD
from learning import plain_learning

BEGUN, BATCH = 6400, 64
CLIP = 0.05  # which binds
LOOK = 16  # batches between two looks at the weights for their average
SETTINGS = {
    "as trained": {},
    "four parts": {"parts": 4},
    "eight parts": {"parts": 8},
    "constant rates": {"halving": 0.0},
    "rates that have fallen": {"halving": 6400.0},
    "rates that hold": {"halving": 100.0, "least": 0.2},
    "entropy that holds": {"halving": 100.0, "least_entropy": 0.3},
    "not clipped": {"clip": 0.0},
    "clipped": {"clip": CLIP, "parts": 4},
    "no entropy": {"entropy": 0.0},
    "chips": {"pot_scaling": False},
    "no baseline": {"baseline": "none"},
    "fast averages": {"averaging": 0.02, "floor": 0.1},
}


def trainer(settings, begun=BEGUN, **more) -> SelfPlay:
    """A run that has gone on for a while: nothing in its memory is 0, and nothing like another."""
    found = SelfPlay(3, 5, learning=Learning(**({"batch": BATCH} | settings)), **more)
    noise = np.random.default_rng(1)
    memory = {name: array.copy() for name, array in found.arrays().items()}
    memory["averaged"] += noise.normal(0, 0.1, SIZE)
    weights = views(memory["weights"])
    weights.usage[:] = noise.dirichlet(np.ones(8), 4)
    weights.initial[:] = noise.dirichlet(np.ones(8))
    found.restore(begun, 0.0, memory)
    return found


def gradient_of_batch(run: SelfPlay) -> Floats:
    """The sum over the deals that come next, in one part."""
    from kibitz.learning._kernels import running

    learning = run.learning
    slower = plain_learning.fallen(BEGUN, learning, learning.least_entropy)
    twin = SelfPlay(3, 5, learning=replace(learning, parts=1, halving=0.0, entropy=slower * learning.entropy))
    lesson = twin.seated(twin.make_run(), np.zeros((1, TOLD)), run.arrays()["weights"])
    running.play(BEGUN, BATCH, lesson)
    return np.array(lesson.flats[GRADIENT])


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_batch_is_the_plain_step(settings):
    run = trainer(SETTINGS[settings])
    before = run.arrays()["weights"].copy()
    weights, norms = plain_learning.step(before, gradient_of_batch(run), run.learning, BEGUN)
    report = run.train(BATCH)
    after = run.arrays()["weights"]
    np.testing.assert_allclose(after, weights, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(report.norms, norms, rtol=1e-11)
    assert (after != before).mean() > 0.5
    assert (norms > CLIP).all()
    assert run.deals == BEGUN + BATCH


def test_averaged_weights_forget_the_first_deals():
    """A look at the weights every few batches; those of the last 1 / window of all deals count most."""
    run = SelfPlay(2, 5, learning=Learning(batch=4, parts=2, window=2.0))
    wanted, looks, learned = run.model.flat.copy(), 0, slice(0, int(BEGINNINGS[-1]))
    for batch in range(3 * LOOK + 2):
        run.advance(1)
        if batch % LOOK == 0:
            wanted = plain_learning.followed(wanted, run.arrays()["weights"], looks, 2.0)
            looks += 1
        np.testing.assert_allclose(run.arrays()["averaged"][learned], wanted[learned], rtol=1e-12)
    assert looks == 4
    last = run.arrays()["weights"]
    assert (run.model.flat[learned] != last[learned]).any()
    np.testing.assert_allclose(run.model.flat[learned], wanted[learned], rtol=1e-12)
    assert np.array_equal(run.model.flat[BEGINNINGS[-1] :], last[BEGINNINGS[-1] :])  # averages as they are
    assert np.array_equal(
        SelfPlay(2, 5, learning=Learning(batch=4)).model.flat, Model.random(Structure(), 5, 0.05, 1).flat
    )


def memory_of(run: SelfPlay) -> dict[str, Floats]:
    return {name: array.copy() for name, array in run.arrays().items()}


def assert_same(one: SelfPlay, two: SelfPlay) -> None:
    for name, array in one.arrays().items():
        assert np.array_equal(array, two.arrays()[name]), name
    assert one.deals == two.deals


PARTS = {"batch": 16, "parts": 4, "window": 4.0, "halving": 300.0}


def runs(count: int, threads: int = 1):
    return [trainer(PARTS, 64, threads=threads, rivals=rivals_of("always-raise:0.2,random:0.1")) for _ in range(count)]


def test_threads_and_pieces_do_not_matter():
    """The same bits in all that is kept, and the same sums, but for the order of what is told."""
    (whole,) = runs(1)
    whole.advance(40)
    told = whole.report()
    for threads in (1, 2, 3):
        (other,) = runs(1, threads)
        for piece in (1, 16, 2, 21):
            other.advance(piece)
        assert_same(whole, other)
        found = other.report()
        assert (found.seen, found.norms, found.usage) == (told.seen, told.norms, told.usage)


def test_parts_change_rounding_alone():
    """Of one batch; later deals may be played otherwise."""
    found = []
    for parts in (1, 2, 8):
        run = trainer({"parts": parts})
        run.advance(1)
        found.append(run.arrays()["weights"].copy())
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-11, atol=1e-13)


def test_a_run_goes_on_to_the_bit():
    whole, part, again = runs(3, threads=2)
    whole.advance(20)
    part.advance(9)
    again.advance(5)  # of no avail
    again.restore(part.deals, 1.0, memory_of(part))
    again.advance(11)
    assert_same(whole, again)


def test_a_gradient_that_is_not_finite_changes_nothing():
    run = trainer(PARTS, 64)
    memory = memory_of(run)
    memory["weights"][3] = np.nan
    run.restore(64, 0.0, memory)
    with pytest.raises(ModelError, match="not finite after 64 deals"):
        run.advance(1)
    for name, array in run.arrays().items():
        assert np.array_equal(array, memory[name], equal_nan=True)
    sound, other = trainer(PARTS, 64), trainer(PARTS, 64)
    run.restore(64, 0.0, memory_of(sound))  # nothing of what failed is left
    run.advance(1)
    other.advance(1)
    assert_same(run, other)


def test_running_averages_move_by_their_constant_for_every_player():
    """Ten players with the same mean move an average as ten steps of one player would."""
    noise = np.random.default_rng(0)
    average, mean = noise.dirichlet(np.ones(8)), noise.dirichlet(np.ones(8))
    wanted = average.copy()
    for _ in range(10):
        wanted += 0.03 * (mean - wanted)
    np.testing.assert_allclose(plain_learning.averaged(average, 10 * mean, 0.03), wanted, rtol=1e-12)
    assert plain_learning.averaged(average, 0 * mean, 0.03) is average

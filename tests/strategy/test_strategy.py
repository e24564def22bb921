"""Strategies: processing, sequence form, mixtures, and the way to disk and back."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.plans import save_artefact
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.strategy import Mixture, Strategy, StrategyError, load_strategy, realisation, save_strategy
from kibitz.strategy.files import strategy_artefact

PROBLEM = Problem(load_game("leduc"))
FORM = PROBLEM.vector


def random_strategy(seed):
    return Strategy.from_sums(FORM.layout, np.random.default_rng(seed).random(FORM.layout.size))


def joined(first, second):
    """Seat 0 of one strategy and seat 1 of another."""
    seat = np.repeat((PROBLEM.tree.player == 0) & (PROBLEM.tree.kind == 0), np.diff(FORM.layout.offset))
    return Strategy(FORM.layout, np.where(seat, first.values, second.values))


def test_probabilities_of_a_set_add_up():
    for strategy in (random_strategy(1), Strategy.uniform(FORM.layout), Strategy.always(FORM.layout, "r")):
        for node in PROBLEM.tree.decisions:
            np.testing.assert_allclose(strategy.at(node).sum(axis=0), 1)


def test_purified_takes_the_likeliest_action():
    strategy = random_strategy(2)
    pure = strategy.purified()
    assert set(np.unique(pure.values)) == {0.0, 1.0}
    for node in PROBLEM.tree.decisions:
        np.testing.assert_array_equal(pure.at(node).argmax(axis=0), strategy.at(node).argmax(axis=0))


def test_thresholding_drops_small_chances_and_keeps_the_rest_in_proportion():
    strategy = random_strategy(3)
    cut = strategy.thresholded(0.2)
    for node in PROBLEM.tree.decisions:
        before, after = strategy.at(node), cut.at(node)
        kept = before >= 0.2
        assert (after[~kept] == 0).all()
        np.testing.assert_allclose(after, np.where(kept, before, 0) / np.where(kept, before, 0).sum(axis=0))
    np.testing.assert_array_equal(strategy.thresholded(1.0).values, strategy.purified().values)
    np.testing.assert_allclose(strategy.thresholded(0.0).values, strategy.values)
    with pytest.raises(StrategyError, match="between 0 and 1"):
        strategy.thresholded(1.5)


def test_realisation_weights_give_the_strategy_back():
    strategy = random_strategy(4)
    weights = realisation(strategy, PROBLEM.deal)
    np.testing.assert_allclose(Strategy.from_sums(FORM.layout, weights).values, strategy.values)
    root = int(FORM.layout.offset[1])
    np.testing.assert_allclose(weights[:root], strategy.values[:root])


def test_a_mixture_wins_the_mixture_of_what_its_parts_win():
    parts = [random_strategy(seed) for seed in (5, 6, 7)]
    chances = [0.5, 0.3, 0.2]
    opponent = random_strategy(8)
    mixture = Mixture(parts, chances).strategy(PROBLEM.deal)
    ours = [expected_values(FORM, joined(part, opponent))[0] for part in parts]
    assert expected_values(FORM, joined(mixture, opponent))[0] == pytest.approx(np.dot(chances, ours), abs=1e-12)
    # ... which averaging the behaviour does not.
    behaviour = Strategy(FORM.layout, sum(c * part.values for c, part in zip(chances, parts, strict=True)))
    assert abs(expected_values(FORM, joined(behaviour, opponent))[0] - np.dot(chances, ours)) > 1e-3


@pytest.mark.parametrize(("count", "chances"), [(2, [1.0]), (2, [0.6, 0.6]), (2, [1.5, -0.5]), (0, [])])
def test_bad_mixtures_are_refused(count, chances):
    with pytest.raises(StrategyError):
        Mixture([random_strategy(i) for i in range(count)], chances)


def test_to_disk_and_back(tmp_path):
    solver = CFR(FORM, "cfr+")
    solver.step(50)
    strategy = solver.average_strategy()
    save_strategy(strategy, tmp_path / "leduc")
    loaded = load_strategy(tmp_path / "leduc")
    np.testing.assert_array_equal(loaded.values, strategy.values)
    assert isinstance(loaded.values.base, np.memmap)
    assert loaded.manifest == {"algorithm": "cfr+", "updates": "alternating", "iterations": 50}
    assert exploitability(FORM, loaded) == exploitability(FORM, strategy)
    save_strategy(random_strategy(1), tmp_path / "leduc")  # replaced whole
    np.testing.assert_array_equal(load_strategy(tmp_path / "leduc", FORM.layout).values, random_strategy(1).values)
    assert [path.name for path in tmp_path.iterdir()] == ["leduc"]


def test_strategies_of_other_games_are_refused(tmp_path):
    save_strategy(random_strategy(1), tmp_path / "merged")
    kept = Problem(load_game("leduc"), "full", suits_merged=False).vector
    with pytest.raises(StrategyError, match="private states"):
        load_strategy(tmp_path / "merged", kept.layout)
    with pytest.raises(StrategyError, match="betting tree"):
        load_strategy(tmp_path / "merged", Problem(load_game("kuhn")).vector.layout)
    with pytest.raises(StrategyError, match="private states"):
        exploitability(kept, random_strategy(1))


def test_broken_folders_give_one_sentence(tmp_path):
    with pytest.raises(KibitzError, match=r"no manifest\.json"):
        load_strategy(tmp_path)
    whole, folder = strategy_artefact(random_strategy(1)), tmp_path / "s"

    def expect(message, **changes):
        save_artefact(replace(whole, **changes), folder)
        with pytest.raises(StrategyError, match=message):
            load_strategy(folder)

    values = whole.arrays["values"]
    for wrong in (values * 5, values - 1, np.full_like(values, np.nan), values.astype(str)):
        expect("contains values that are not probabilities", arrays={"values": wrong})
    for wrong in (values * 0, values * 0.5, values[::-1]):
        expect("do not add up to 1", arrays={"values": wrong})
    expect(r"need \(672,\)", arrays={"values": values[1:]})
    expect(r"lacks values\.npy", arrays={})
    for change in ({"states": [[1]]}, {"game": 3}, {"menus": 5}):
        expect("not a complete strategy", about={**whole.about, **change})
    expect("betting tree", about={**whole.about, "tree": "0" * 16})
    save_artefact(whole, folder)
    load_strategy(folder)
    (folder / "values.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(KibitzError, match="is not complete"):
        load_strategy(folder)
    (tmp_path / "mine").mkdir()
    with pytest.raises(KibitzError, match="not replaced"):
        save_strategy(random_strategy(1), tmp_path / "mine")


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_small_damage_is_seen_by_the_checksum(tmp_path, dtype):
    """As small as it may be: the probabilities still look like such, and add up to 1 within what rounding explains."""
    save_strategy(random_strategy(7), tmp_path / "s", dtype)
    values = np.load(tmp_path / "s" / "values.npy")
    assert values.dtype == dtype
    values[len(values) // 2] += values.dtype.type(0.008)
    np.save(tmp_path / "s" / "values.npy", values)
    with pytest.raises(KibitzError, match=r"values.npy is damaged: its checksum is \w{8}, the manifest says \w{8}"):
        load_strategy(tmp_path / "s")


def test_strategies_of_earlier_versions_are_refused_in_a_sentence(tmp_path):
    (tmp_path / "run" / "strategy").mkdir(parents=True)
    (tmp_path / "run" / "strategy" / "manifest.json").write_text('{"kibitz": "0.1.0", "tree": "", "made": {}}')
    for folder in (tmp_path / "run", tmp_path / "run" / "strategy"):
        with pytest.raises(KibitzError, match="was made by an earlier version of Kibitz, or by something else"):
            load_strategy(folder)


def test_nothing_but_a_strategy_is_replaced(tmp_path):
    folder = tmp_path / "s"
    save_strategy(random_strategy(1), folder)
    save_strategy(random_strategy(2), folder)
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(KibitzError, match=r"more than a strategy \(thesis.txt\): it is not replaced"):
        save_strategy(random_strategy(1), folder)
    other = tmp_path / "buckets"
    other.mkdir()
    (other / "manifest.json").write_text('{"notation": "5-bucket"}')
    with pytest.raises(KibitzError, match="does not hold a strategy: it is not replaced"):
        save_strategy(random_strategy(1), other)
    assert (folder / "thesis.txt").exists()
    assert (other / "manifest.json").exists()
    assert not list(tmp_path.glob("*.partial"))

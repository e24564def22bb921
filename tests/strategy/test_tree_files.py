"""Trees that come from no menus go to disk with their strategy."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.games import load_game
from kibitz.plans import save_artefact
from kibitz.strategy import Layout, Strategy, StrategyError, load_strategy, save_strategy
from kibitz.strategy.files import strategy_artefact, tree_arrays
from kibitz.tree import build_tree

GAME = load_game("leduc-nolimit")


@pytest.fixture
def saved(tmp_path):
    """A strategy for a tree without menus, and its folder."""
    tree = replace(build_tree(GAME, "0.37, all-in"), menus=())
    layout = Layout(tree, np.full((2, 2), 3), "cards")
    strategy = Strategy.from_sums(layout, np.random.default_rng(1).random(layout.size), {"algorithm": "none"})
    save_strategy(strategy, tmp_path / "mine")
    return strategy, tmp_path / "mine"


def test_the_tree_comes_back_with_the_strategy(saved):
    strategy, folder = saved
    loaded = load_strategy(folder)
    ours, theirs = strategy.layout.tree, loaded.layout.tree
    assert theirs.fingerprint == ours.fingerprint
    assert theirs.actions == ours.actions
    assert theirs.menus == ()
    for name in ("kind", "player", "round", "parent", "first_child", "children", "spent", "folded"):
        np.testing.assert_array_equal(getattr(theirs, name), getattr(ours, name))
        assert getattr(theirs, name).dtype == getattr(ours, name).dtype
    np.testing.assert_array_equal(loaded.values, strategy.values)


def test_a_tree_that_is_lost_or_another_is_refused(saved, tmp_path):
    strategy, _folder = saved
    whole = strategy_artefact(strategy)
    other = tree_arrays(replace(build_tree(GAME, "0.5, all-in"), menus=()))
    for arrays, message in (
        ({**whole.arrays, **other}, "its betting tree is"),
        ({"values": strategy.values}, "not a complete strategy"),
    ):
        save_artefact(replace(whole, arrays=arrays), tmp_path / "wrong")
        with pytest.raises(StrategyError, match=message):
            load_strategy(tmp_path / "wrong")


def test_trees_of_menus_are_built_again(tmp_path):
    layout = Layout(build_tree(GAME, "fcpa"), np.full((2, 2), 3), "cards")
    save_strategy(Strategy.uniform(layout), tmp_path / "fcpa")
    assert {path.name for path in (tmp_path / "fcpa").iterdir()} == {"manifest.json", "values.npy"}
    assert load_strategy(tmp_path / "fcpa").layout.tree.fingerprint == layout.tree.fingerprint

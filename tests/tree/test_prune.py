"""Trees with actions taken out."""

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.tree import DECISION, build_tree
from kibitz.tree.prune import pruned

TREE = build_tree(load_game("leduc-nolimit"), "0.5, 1, all-in")


def test_what_is_left_is_the_tree_of_a_smaller_menu():
    smaller = build_tree(load_game("leduc-nolimit"), "1, all-in")
    kept = {smaller.history(node) for node in range(len(smaller))}
    dropped = np.array([TREE.history(node) not in kept for node in range(len(TREE))])
    found = pruned(TREE, dropped)
    assert [found.history(node) for node in range(len(found))] == [smaller.history(n) for n in range(len(smaller))]
    for name in ("kind", "player", "round", "parent", "children", "spent", "folded"):
        np.testing.assert_array_equal(getattr(found, name), getattr(smaller, name))
    inner = found.kind == DECISION
    np.testing.assert_array_equal(found.first_child[inner], smaller.first_child[inner])


def test_everything_below_goes_too_and_nobody_is_left_without_an_action():
    check = TREE.child(0, "c")
    dropped = np.zeros(len(TREE), dtype=bool)
    dropped[check] = True
    assert not any(history.startswith("c") for history in map(pruned(TREE, dropped).history, range(5)))
    dropped[TREE.parent == 0] = True
    with pytest.raises(KibitzError, match="nothing is left to do after 'the start'"):
        pruned(TREE, dropped)

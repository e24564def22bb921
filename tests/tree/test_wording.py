"""Actions of a tree as players say them: a bet is what goes in, a raise what is in then, both of this round."""

from dataclasses import replace

import pytest

from kibitz.games import load_game
from kibitz.tree import action_words, build_tree

HOLDEM = build_tree(replace(load_game("holdem-nolimit-2p"), stacks=(2000, 2000)), "1, all-in")
SAID = {
    (HOLDEM, ""): ["fold", "call 50", "raise to 300", "all-in 2,000"],
    (HOLDEM, "r300c/"): ["check", "bet 600", "all-in 1,700"],
    (HOLDEM, "r300c/r900"): ["fold", "call 600", "all-in 1,700"],
    (build_tree(load_game("leduc")), "rc/"): ["check", "bet 4"],
    (build_tree(load_game("leduc")), "r"): ["fold", "call 2", "raise to 4"],
    (build_tree(load_game("holdem-limit-2p")), ""): ["fold", "call 5", "raise to 20"],
}


@pytest.mark.parametrize(("where", "words"), SAID.items(), ids=[history for _tree, history in SAID])
def test_words(where, words):
    tree, history = where
    node = tree.find(history)
    assert [action_words(tree, node, action) for action in tree.offered(node)] == words

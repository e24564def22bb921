"""Where probabilities stand, and the strategies that need no solver."""

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.games import load_game
from kibitz.games.named import nolimit_holdem
from kibitz.strategy import Layout, Strategy, StrategyError
from kibitz.tree import DECISION, build_tree


def make_layout(name: str, suits_merged: bool = True) -> Layout:
    deal = matrix_deal(load_game(name), suits_merged)
    return Layout(build_tree(deal.game), deal.counts, deal.fingerprint)


LAYOUTS = {
    "leduc": lambda: make_layout("leduc"),
    "leduc kept": lambda: make_layout("leduc", suits_merged=False),
    "blind player": lambda: make_layout("clairvoyance"),
    # Buckets that differ by round and player.
    "uneven": lambda: Layout(
        build_tree(nolimit_holdem(2, 800), ("fchpa", "fcpa")), np.array([[5, 2], [3, 4], [1, 7], [2, 6]]), ""
    ),
    "three players": lambda: Layout(build_tree(load_game("kuhn-3p")), np.array([[4, 4, 4]]), ""),
}


@pytest.fixture(scope="module", params=LAYOUTS)
def layout(request):
    return LAYOUTS[request.param]()


@pytest.mark.parametrize(
    ("name", "suits_merged", "infosets", "pairs"),
    [("leduc", True, 288, 672), ("leduc", False, 936, 2184), ("kuhn", True, 12, 24), ("clairvoyance", True, 52, 202)],
)
def test_sizes(name, suits_merged, infosets, pairs):
    layout = make_layout(name, suits_merged)
    assert (layout.infosets, layout.size) == (infosets, pairs)


def test_nodes_follow_each_other_without_gaps(layout):
    tree = layout.tree
    place = 0
    for node in range(len(tree)):
        states = layout.counts[tree.round[node], tree.player[node]] if tree.kind[node] == DECISION else 0
        assert layout.states[node] == states
        assert layout.offset[node] == place
        place += states * tree.children[node]
    assert layout.offset[len(tree)] == layout.size == place


def test_an_entry_stands_where_the_layout_says(layout):
    strategy = Strategy(layout, np.arange(layout.size, dtype=float))
    for node in layout.tree.decisions:
        block = strategy.at(int(node))
        assert block.shape == (layout.tree.children[node], layout.states[node])
        for action in range(block.shape[0]):
            for state in range(block.shape[1]):
                assert block[action, state] == layout.offset[node] + action * layout.states[node] + state


def test_a_block_is_a_view(layout):
    strategy = Strategy.uniform(layout)
    node = int(layout.tree.decisions[-1])
    strategy.at(node)[0] = 7
    assert (strategy.values == 7).sum() == layout.states[node]


def assert_probabilities(strategy: Strategy) -> None:
    assert strategy.values.shape == (strategy.layout.size,)
    for node in strategy.layout.tree.decisions:
        assert strategy.at(int(node)).sum(axis=0) == pytest.approx(1)


def test_uniform(layout):
    strategy = Strategy.uniform(layout)
    assert_probabilities(strategy)
    for node in layout.tree.decisions:
        assert np.ptp(strategy.at(int(node))) == 0


@pytest.mark.parametrize("letter", "fcr")
def test_always(layout, letter):
    strategy = Strategy.always(layout, letter)
    assert_probabilities(strategy)
    tree = layout.tree
    for node in tree.decisions:
        actions = tree.actions[tree.first_child[node] : tree.first_child[node] + tree.children[node]]
        [chosen] = {actions[choice] for choice in strategy.at(int(node)).argmax(axis=0)}
        wanted = [action for action in actions if action[0] == letter] or ["c"]
        assert chosen == wanted[-1]  # of the raises, the largest


def test_sums_are_normalised_and_nothing_is_uniform(layout):
    random = np.random.default_rng(0)
    sums = random.random(layout.size)
    node = int(layout.tree.decisions[1])
    Strategy(layout, sums).at(node)[:] = 0
    strategy = Strategy.from_sums(layout, sums, {"algorithm": "random"})
    assert_probabilities(strategy)
    assert strategy.manifest == {"algorithm": "random"}
    assert strategy.at(node) == pytest.approx(1 / layout.tree.children[node])
    for other in layout.tree.decisions[2:]:
        block = Strategy(layout, sums).at(int(other))
        assert strategy.at(int(other)) == pytest.approx(block / block.sum(axis=0))


def test_layouts_of_other_trees_or_cards_do_not_mix():
    merged, kept, kuhn = make_layout("leduc"), make_layout("leduc", suits_merged=False), make_layout("kuhn")
    merged.check_same(make_layout("leduc"))
    with pytest.raises(StrategyError, match="private states"):
        merged.check_same(kept)
    with pytest.raises(StrategyError, match="betting tree"):
        merged.check_same(kuhn)

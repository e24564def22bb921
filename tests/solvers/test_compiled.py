"""Compiled games: every array against the tree and the deal that it was made from."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.games.named import leduc_nolimit, rhode_island
from kibitz.games.pots import payoffs
from kibitz.solvers.compiled.boards import FOLDING, BoardGame
from kibitz.solvers.compiled.gpu import tree_levels
from kibitz.solvers.compiled.leaves import DenseLeaves, leaf_groups
from kibitz.solvers.compiled.public import public_game
from kibitz.solvers.compiled.sampled import SampledGame, divide
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy
from kibitz.tree import DECISION, FOLD, SHOWDOWN, build_tree
from solvers.test_board_sampling import LIMIT, PERFECT, bucketed_deal

GAMES = ("kuhn", "leduc", "leduc-nolimit", "kuhn-half-street")


@cache
def problem(name):
    return Problem(load_game(name), "fcpa")


@pytest.mark.parametrize("name", GAMES)
def test_stakes_are_what_the_rules_pay(name):
    """Node by node: what the rules pay is the stake, won or lost."""
    tree = problem(name).tree
    game = tree.game
    for node in np.flatnonzero(tree.kind != DECISION):
        out = [bool(int(tree.folded[node]) >> p & 1) for p in range(2)]
        for strengths in ((2, 1), (1, 2), (1, 1)):
            order = [-1 if folded else value for folded, value in zip(out, strengths, strict=True)]
            won = payoffs(tree.spent[node].tolist(), game.antes_paid, order, whole_chips=False)
            if tree.kind[node] == FOLD:
                sign = 1 if tree.player[node] == 0 else -1
            else:
                sign = np.sign(strengths[0] - strengths[1])
            assert won[0] == sign * tree.stakes[node] == -won[1]


@pytest.mark.parametrize("name", GAMES)
def test_nodes_are_walked_parents_first_round_by_round(name):
    game = problem(name).vector
    order, tree = game.order, game.tree
    assert sorted(order.tolist()) == list(range(len(tree)))
    place = np.empty(len(tree), dtype=np.int64)
    place[order] = np.arange(len(tree))
    assert all(place[tree.parent[node]] < place[node] for node in range(1, len(tree)))
    assert (np.diff(tree.round[order]) >= 0).all()
    for begin, end in zip(game.units[:-1], game.units[1:], strict=True):
        unit = order[begin:end]
        first = unit[0]
        assert first == 0 or tree.round[tree.parent[first]] < tree.round[first]
        assert set(tree.parent[unit[1:]].tolist()) <= set(unit.tolist())  # one subtree of the round
    for round_ in range(tree.game.rounds):
        units = game.units[game.levels[round_] : game.levels[round_ + 1] + 1]
        assert (tree.round[order[units[0] : units[-1]]] == round_).all()


@pytest.mark.parametrize("name", GAMES)
def test_levels_are_distances_from_the_root(name):
    game = problem(name).vector
    levels = tree_levels(game)
    assert sorted(np.concatenate(levels).tolist()) == list(range(len(game.tree)))
    for depth, nodes in enumerate(levels):
        for node in nodes.tolist():
            above, steps = node, 0
            while above:
                above, steps = int(game.tree.parent[above]), steps + 1
            assert steps == depth


def one_block(name):
    """A game whose deal is one block a round, as bucket games have: public cards are told by nobody."""
    deal = problem(name).deal
    rounds = tuple(
        replace(
            each,
            edges=tuple(np.array([0, len(labels)]) for labels in each.labels),
            start=np.array([0, len(each.labels[0]) * len(each.labels[1])]),
            weight=each.dense(each.weight).ravel(),
            sign=each.dense(each.sign).ravel(),
        )
        for each in deal.rounds
    )
    return VectorGame(problem(name).tree, replace(deal, rounds=rounds))


@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc-nolimit"])
def test_batches_hold_every_leaf_once_a_player(name):
    game = one_block(name)
    leaves = DenseLeaves(game)
    _batches, _first, pieces, slots, listed = leaves.tables
    wanted = np.flatnonzero(game.tree.kind != DECISION).tolist()
    for player in range(2):
        found = []
        for batch in pieces[:, player]:
            for kind, (slot, stop, begin, end) in enumerate(batch.tolist()):
                nodes = listed[begin:end, 2]
                assert ((game.tree.kind[nodes] == SHOWDOWN) == kind).all()
                assert end == begin or listed[begin:end, 0].max() < stop - slot
                assert len(set(slots[slot:stop].tolist())) == stop - slot  # a vector is multiplied once
                found += nodes.tolist()
        assert sorted(found) == wanted


@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc-nolimit"])
def test_groups_of_leaves_are_worth_what_matrices_say(name):
    """Every group's product, placed as it says, is the value of its leaves, for random reach vectors."""
    game = one_block(name)
    from kibitz.solvers.vector import _kernels

    nodes = game.game[0].astype(np.int64)
    generator = np.random.default_rng(2)
    for player, groups in enumerate(leaf_groups(game, nodes)):
        seen = []
        for group in groups:
            states = group.matrix.shape[0]
            vectors = generator.random((len(group.slots), states))
            products = vectors @ group.matrix
            for place, vector, leaf, sign in zip(group.places, group.vector, group.leaves, group.signs, strict=True):
                seen.append(int(leaf))
                round_ = game.deal.rounds[game.tree.round[leaf]]
                showdown = game.tree.kind[leaf] == SHOWDOWN
                matrix = round_.dense(round_.sign if showdown else round_.weight)
                own = matrix @ vectors[vector] if player == 0 else matrix.T @ vectors[vector]
                winner = 0 if showdown else int(game.tree.player[leaf])
                np.testing.assert_allclose(sign * products[vector], own * (1 if winner == player else -1))
                assert place == nodes[leaf, _kernels.PLACE + player]
        assert sorted(seen) == np.flatnonzero(game.tree.kind != DECISION).tolist()


@pytest.mark.parametrize("game", [load_game("leduc"), replace(rhode_island(), ranks=3, suits=2)], ids=lambda g: g.name)
def test_boards_lead_to_their_blocks(game):
    deal = matrix_deal(game)
    compiled = public_game(VectorGame(build_tree(game), deal))
    begins = np.cumsum([0] + [len(each.start) - 1 for each in deal.rounds])
    assert len(compiled.chains) == len(deal.rounds[-1].start) - 1
    assert compiled.cumulative[-1] == pytest.approx(1)
    chances = np.diff(compiled.cumulative, prepend=0)
    for chain, chance in zip(compiled.chains.tolist(), chances, strict=True):
        last = deal.rounds[-1]
        number = chain[-1] - begins[-2]
        assert chance == pytest.approx(last.weight[last.start[number] : last.start[number + 1]].sum())
        for r in range(len(chain) - 1, 0, -1):
            for player in range(2):
                own, above = compiled.blocks[chain[r]], compiled.blocks[chain[r - 1]]
                states = range(own[2 * player], own[2 * player + 1])
                for state in states:
                    parent = deal.rounds[r].parent[player][state]
                    assert above[2 * player] <= parent < above[2 * player + 1]
                    assert compiled.parents[r, player, state] == parent - above[2 * player]


def test_entries_of_a_board_are_chances_given_the_board():
    compiled = public_game(problem("leduc").vector)
    for begin, end, left, right, at in compiled.blocks.tolist():
        size = (end - begin) * (right - left)
        for player in range(2):
            weight, sign = compiled.entries[:, player, at : at + size]
            assert weight.sum() == pytest.approx(1)
            assert (np.abs(sign) <= weight + 1e-12).all()
        one = compiled.entries[1, 0, at : at + size].reshape(right - left, end - begin)
        two = compiled.entries[1, 1, at : at + size].reshape(end - begin, right - left)
        np.testing.assert_allclose(one, -two.T)  # what one wins the other loses


@pytest.mark.parametrize("name", ["kuhn-3p", "leduc", "holdem-limit-3p"])
def test_what_is_sure_and_what_cards_decide_is_all_there_is(name):
    game = load_game(name)
    generator = np.random.default_rng(1)
    for _ in range(40):
        spent = tuple(generator.integers(1, 20, game.players).tolist())
        folded = int(generator.integers(0, (1 << game.players) - 1))
        most = max(chips for player, chips in enumerate(spent) if not folded >> player & 1)
        spent = tuple(min(chips, most) for chips in spent)  # nobody folds to less than he has put in
        sure, contested = divide(game, spent, folded)
        assert sum(sure) + sum(chips for chips, _mask in contested) == sum(spent) + sum(game.antes_paid)
        for _chips, mask in contested:
            assert mask.bit_count() > 1
            assert not mask & folded


@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn-3p"])
def test_sums_by_information_set_are_those_of_strategies(name):
    game = load_game(name)
    compiled = Problem(game).sampled
    layout: Layout = compiled.layout
    order = layout.by_infoset
    assert sorted(order.tolist()) == list(range(layout.size))
    for node in layout.tree.decisions:
        actions, states = int(layout.tree.children[node]), int(layout.states[node])
        for action in range(actions):
            for state in range(states):
                entry = layout.offset[node] + action * states + state
                assert order[entry] == layout.offset[node] + state * actions + action
    sums = np.random.default_rng(3).normal(size=layout.size)
    wanted = Strategy.from_sums(layout, np.maximum(sums[order], 0)).values
    np.testing.assert_allclose(compiled.match(sums), wanted)


def test_a_walk_of_boards_enters_and_leaves_every_decision():
    compiled = BoardGame(SampledGame(build_tree(LIMIT), bucketed_deal(LIMIT, PERFECT)))
    tree = compiled.sampled.tree
    nodes, chips, visits, after = compiled.tree
    open_, seen = [], []
    leaving = {-1 - visit: number for number, visit in enumerate(visits.tolist()) if visit < 0}
    for number, visit in enumerate(visits.tolist()):
        if visit >= 0:
            assert visit == 0 or tree.parent[visit] == open_[-1]
            open_.append(visit)
            seen.append(visit)
        else:
            assert open_.pop() == -1 - visit
        if visit >= 0:
            assert after[number] == leaving[visit] + 1
    assert not open_
    assert sorted(seen) == tree.decisions.tolist()
    for node in tree.decisions.tolist():
        for end, kind in enumerate((FOLD, SHOWDOWN)):
            children = range(int(tree.first_child[node]), int(tree.first_child[node] + tree.children[node]))
            found = [child for child in children if tree.kind[child] == kind]
            assert (nodes[node, FOLDING + end] >= 0) == bool(found)
            if found:
                assert found == [int(tree.first_child[node]) + nodes[node, FOLDING + end]]
                assert chips[node, end] == tree.stakes[found[0]]


def test_ranked_boards_stand_in_order_of_strength():
    from kibitz.evaluator import evaluate

    compiled = BoardGame(SampledGame(build_tree(LIMIT), bucketed_deal(LIMIT, PERFECT)))
    boards = compiled.boards(5, 0, 2)
    ranked = compiled.rank(boards)
    assert np.array_equal(boards[1:], compiled.boards(5, 1, 1))  # by number
    for board, cards, ends, groups in zip(boards.tolist(), ranked.cards, ranked.ends, ranked.groups, strict=True):
        strengths = [evaluate((*hand, *board)) for hand in cards.tolist()]
        assert strengths == sorted(strengths)
        wanted = [
            at + 1 for at in range(len(strengths)) if at + 1 == len(strengths) or strengths[at] < strengths[at + 1]
        ]
        assert ends[:groups].tolist() == wanted


def test_games_that_kernels_cannot_take_are_refused():
    leduc = load_game("leduc")
    with pytest.raises(KibitzError, match="for two players, not 3"):
        VectorGame(build_tree(load_game("kuhn-3p")), matrix_deal(leduc))
    with pytest.raises(KibitzError, match="different numbers of rounds"):
        VectorGame(build_tree(leduc), matrix_deal(load_game("kuhn")))
    unequal = replace(leduc_nolimit(6), antes=(1, 2), name="unequal")
    with pytest.raises(KibitzError, match="with unequal antes a showdown is not symmetric"):
        VectorGame(build_tree(unequal, "1"), matrix_deal(leduc))
    with pytest.raises(KibitzError, match="a deal of 2 rounds and 2 players for a tree of 1 rounds"):
        SampledGame(build_tree(load_game("kuhn")), Problem(leduc).sampled_deal)
    with pytest.raises(KibitzError, match="boards are sampled for two players of hold'em"):
        BoardGame(Problem(leduc).sampled)

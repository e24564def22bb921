"""Tilted equilibria: no tilt is the equilibrium, and a tilt is seen by the tilted player alone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.abstraction import load_abstraction
from kibitz.deals.joint import Boards, tied_showdowns
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate
from kibitz.games import load_game
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.solvers.tilted import Tilt, TiltedCFR, decided_weights, solve_tilted, tilted_game
from kibitz.solvers.vector.passes import root_values
from kibitz.strategy import Strategy
from kibitz.tree import FOLD, SHOWDOWN

LEDUC = Problem(load_game("leduc"))


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr"])
def test_multipliers_of_one_give_the_equilibrium(algorithm):
    plain = CFR(LEDUC.vector, algorithm)
    plain.step(100)
    tilted = solve_tilted(LEDUC.vector, Tilt(), 100, algorithm=algorithm)
    assert np.abs(tilted.values - plain.average_strategy().values).max() < 1e-9
    assert exploitability(LEDUC.vector, tilted).exploitability < 0.05


@given(st.integers(0, 1), st.tuples(*[st.sampled_from([0.0, 0.5, 1.0, 1.25])] * 4))
@settings(max_examples=20)
def test_the_tilted_player_sees_tilted_results(player, multipliers):
    """Under random strategies, against sums over all deals and terminal nodes."""
    tilt, compiled = Tilt(*multipliers), LEDUC.vector
    strategy = Strategy.from_sums(compiled.layout, np.random.default_rng(3).random(compiled.layout.size))
    seen = root_values(tilted_game(compiled, tilt, player), strategy.values, np.empty(0), best=False)[player]
    assert seen == pytest.approx(plain_value(tilt, player, strategy))


def plain_value(tilt: Tilt, player: int, strategy: Strategy) -> float:
    compiled = LEDUC.vector
    tree, total = compiled.tree, 0.0
    for node in np.flatnonzero(tree.kind != 0).tolist():
        deal = compiled.deal.rounds[tree.round[node]]
        weight, sign = deal.dense(deal.weight), deal.dense(deal.sign)
        reach = [own_reach(strategy, node, seat) for seat in range(2)]
        joint = np.outer(*reach)
        stake = float(min(tree.spent[node]))  # antes are blinds here
        if tree.kind[node] == FOLD:
            won = tree.player[node] == player
            total += (tilt.fold_win if won else -tilt.fold_loss) * stake * (joint * weight).sum()
        else:
            assert tree.kind[node] == SHOWDOWN
            side = sign if player == 0 else -sign
            total += stake * (joint * np.where(side > 0, tilt.showdown_win, tilt.showdown_loss) * side).sum()
    return total


def own_reach(strategy: Strategy, node: int, seat: int):
    """One player's share in the probability of a node, by private state of the node's round."""
    tree, deal = strategy.layout.tree, LEDUC.vector.deal
    reach = np.ones(deal.counts[tree.round[node], seat])
    states, round_ = np.arange(len(reach)), int(tree.round[node])
    while node > 0:
        above = int(tree.parent[node])
        if tree.round[above] != round_:
            states, round_ = deal.rounds[round_].parent[seat][states], int(tree.round[above])
        if tree.player[above] == seat:
            reach *= strategy.at(above)[node - tree.first_child[above], states]
        node = above
    return reach


def test_one_who_overrates_wins_plays_another_style():
    """And is exploited for it, while ties and the other seat's game stay what they are."""
    styles = {tilt: solve_tilted(LEDUC.vector, tilt, 150) for tilt in (Tilt(), Tilt.of(win=1.5), Tilt.of(loss=1.5))}
    losses = [exploitability(LEDUC.vector, style).exploitability for style in styles.values()]
    assert losses[0] < 0.01 < min(losses[1:])
    folds = [fold_share(style) for style in styles.values()]
    assert folds[1] < folds[0] < folds[2]
    values = expected_values(LEDUC.vector, styles[Tilt.of(win=1.5)])
    assert sum(values) == pytest.approx(0)
    doubled = solve_tilted(LEDUC.vector, Tilt.of(2.0, 2.0), 50)  # the same game in half the currency
    assert np.allclose(doubled.values, solve_tilted(LEDUC.vector, Tilt(), 50).values, atol=1e-6)


def fold_share(strategy: Strategy) -> float:
    """The mean probability of folding over all information sets that face a bet."""
    tree = strategy.layout.tree
    facing = [node for node in tree.decisions.tolist() if tree.actions[tree.first_child[node]] == "f"]
    return float(np.mean([strategy.at(node)[0].mean() for node in facing]))


def test_weights_of_decided_showdowns():
    """Of a no-limit game, whose showdowns may come before the last card."""
    problem = Problem(load_game("leduc-nolimit"), "all-in")
    weights = decided_weights(problem.vector)
    for round_, weight in enumerate(weights):
        each = problem.deal.rounds[round_]
        assert (np.abs(each.sign) <= weight + 1e-12).all()
        assert (weight <= each.weight + 1e-12).all()
        assert weight.sum() == pytest.approx(1 - 1 / 5)  # of two hands from six cards one in five pairs up


def test_refused():
    with pytest.raises(KibitzError, match="fold win -1"):
        Tilt(fold_win=-1)
    other = Problem(load_game("kuhn")).vector
    with pytest.raises(KibitzError, match="is needed here"):
        TiltedCFR((LEDUC.vector, other))


def test_ties_between_buckets():
    """On a few boards, against pairs of hands one by one."""
    abstraction = load_abstraction("one-bucket")
    boards = Boards.sampled(3, 1)
    tied = tied_showdowns((abstraction, abstraction), boards)
    assert tied.shape == (1, 1)
    assert tied[0, 0] == pytest.approx(np.mean([plain_ties(board) for board in boards.cards.tolist()]))
    problem = Problem(load_game("holdem-limit-2p"), cards="one-bucket", boards=3, seed=1)
    assert decided_weights(problem.vector, tied)[0] == pytest.approx(1 - tied[0, 0])
    with pytest.raises(KibitzError, match="give the weight of ties"):
        decided_weights(problem.vector)


def plain_ties(board):
    """The share of ties among all pairs of hands on a board."""
    left = [card for card in range(52) if card not in board]
    holes = list(combinations(left, 2))
    strengths = np.array([evaluate((*hole, *board)) for hole in holes])
    held = np.array([sum(1 << card for card in hole) for hole in holes])
    disjoint = held[:, None] & held == 0
    return (disjoint & (strengths[:, None] == strengths)).sum() / disjoint.sum()


def test_tilts_of_bucket_games():
    """All hands alike and no tilt: the same as CFR; with a tilt of wins it folds less."""
    problem = Problem(load_game("holdem-limit-2p"), cards="one-bucket", boards=20, seed=1)
    abstraction = problem.abstractions[0]
    weights = decided_weights(problem.vector, tied_showdowns((abstraction, abstraction), Boards.sampled(20, 1)))
    plain = CFR(problem.vector, "cfr+")
    plain.step(4)
    same = solve_tilted(problem.vector, Tilt(), 4, decided=weights)
    assert np.allclose(same.values, plain.average_strategy().values)
    bold = solve_tilted(problem.vector, Tilt.of(win=2.0), 4, decided=weights)
    assert fold_share(bold) < fold_share(same)

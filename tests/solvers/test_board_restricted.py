"""Held opponents on sampled boards: walks against a plain twin, against the exact game, and against plain sampling."""

import numpy as np
import pytest

from kibitz.deals.bucketed import bucketed_deal
from kibitz.deals.joint import Boards, bucket_matrices
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.board_sampling.restricted import BoardHolding, RestrictedBoardSampled
from kibitz.solvers.compiled import vector as form_module
from kibitz.solvers.compiled.boards import BoardGame
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.restricted import NO_TIES, RestrictedCFR, held_at_infosets, owner_mask
from kibitz.strategy import Layout, Strategy
from kibitz.tree import DECISION, build_tree
from solvers.test_board_sampling import GAMES, NOLIMIT, Twin, abstraction, any_regrets

OURS, TWO, THREE, SIX = (abstraction(parts) for parts in (2, 2, 3, 6))
COARSE = {"2": TWO, "3": THREE, "6": SIX}


def in_seats(seat, ours, theirs):
    """The responder's and the other's in the order of seats."""
    return (ours, theirs) if seat == 0 else (theirs, ours)


def game_of(name, seat, free):
    """Our cards against those of a free opponent."""
    game, menu, _cards = GAMES[name]
    return SampledGame(build_tree(game, menu), bucketed_deal(game, in_seats(seat, OURS, free)))


def any_holding(compiled, seat, cards, share=1.0):
    """A model at random that is trusted differently from bucket to bucket, in some not at all, in some wholly."""
    generator = np.random.default_rng(2)
    layout = Layout(compiled.tree, bucketed_deal(compiled.tree.game, cards).counts, cards.fingerprint)
    fixed = Strategy.from_sums(layout, generator.random(layout.size)).values
    for node in compiled.tree.decisions:
        trust = share * np.clip(generator.normal(0.5, 0.5, layout.states[node]), 0, 1)
        fixed[layout.offset[node] : layout.offset[node + 1]] *= np.tile(trust, compiled.tree.children[node])
    return BoardHolding(seat, cards, layout, fixed)


def added(compiled, holding, boards, regrets):
    """What one iteration on each of the boards adds to regrets and average, summed over boards."""
    from kibitz.solvers.board_sampling.restricted import _kernels

    sums = np.zeros((2, compiled.layout.size))
    solver = RestrictedBoardSampled(compiled, holding)
    for board in boards:
        regret, average = regrets.copy(), np.zeros(compiled.layout.size)
        ranked = tuple(solver.boards.rank(board[None], holding.cards))
        settings = (0, False, holding.responder, solver.boards.tree, ranked, holding.arrays)
        _kernels.iterate(*settings, regret, average, *solver._scratch())
        sums += regret - regrets, average
    return sums[:, compiled.layout.by_infoset]


class HeldTwin(Twin):
    """The walk of `Twin` with an opponent who plays a model in part: every hand has a strategy of its own."""

    def __init__(self, compiled, board, player, regrets, holding):
        super().__init__(compiled, board, player, regrets)
        self.holding = holding
        on = np.broadcast_to(board, (len(self.holes), 5))
        self.model = Strategy(holding.layout, holding.fixed)
        self.model_states = [holding.cards.buckets(self.holes, on, r) for r in range(4)]

    def values(self, node, reach):
        tree, p, responder = self.tree, self.player, self.holding.responder
        if tree.kind[node] != DECISION:
            return self.leaf(node, reach[1 - p])
        actor, first, round_ = int(tree.player[node]), int(tree.first_child[node]), int(tree.round[node])
        states = self.states[round_][actor]
        choice = sigma = self.strategy.at(node)[:, states]
        left = np.ones(len(self.holes))
        if actor != responder:
            held = self.model.at(node)[:, self.model_states[round_]]
            left = 1 - held.sum(axis=0)
            sigma = held + left * choice
        below = np.array(
            [
                self.values(first + a, [reach[q] * sigma[a] if q == actor else reach[q] for q in range(2)])
                for a in range(len(sigma))
            ]
        )
        if actor != p:
            return below.sum(axis=0)
        begin, count = int(self.compiled.layout.offset[node]), int(self.compiled.layout.states[node])
        for a in range(len(sigma)):
            part = slice(begin + a * count, begin + (a + 1) * count)
            gained = left * (below[a] - (choice * below).sum(axis=0))
            self.regret[part] += np.bincount(states, gained, minlength=count)
            self.average[part] += np.bincount(states, left * reach[p] * choice[a], minlength=count) / 1081
        return (sigma * below).sum(axis=0)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("name", "free", "model"), [("all-in", "2", "3"), ("limit", "3", "2"), ("all-in", "3", "3")])
def test_a_walk_equals_its_plain_twin(name, free, model, seat):
    compiled = game_of(name, seat, COARSE[free])
    holding = any_holding(compiled, seat, COARSE[model])
    regrets = any_regrets(compiled)
    board = Boards.sampled(1, seed=4).cards[0]
    regret, average = added(compiled, holding, [board], regrets)
    twins = [HeldTwin(compiled, board, player, regrets, holding) for player in range(2)]
    for twin in twins:
        twin.values(0, [np.ones(1081)] * 2)
    np.testing.assert_allclose(regret, sum(twin.regret for twin in twins), atol=1e-9)
    np.testing.assert_allclose(average, sum(twin.average for twin in twins), atol=1e-12)
    assert np.abs(regret).max() > 1


def digits(parts, finer, rounds=4):
    """Per round, the bucket of `parts` a round that each bucket of `finer` a round is part of."""
    found, of = [], np.zeros(1, dtype=np.int64)
    for _ in range(rounds):
        of = (of[:, None] * parts + np.arange(finer) % parts).ravel()
        found.append(of)
    return found


def lift(values, coarse, fine, player, classes):
    """A player's entries over finer buckets."""
    from kibitz.strategy.classes import lifted

    into = np.zeros(fine.size)
    lifted(values, coarse, fine, player, classes, into)
    return into


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("free", "model"), [(2, 3), (3, 2), (6, 2), (2, 6), (6, 6)])
def test_the_mean_over_boards_is_that_of_the_exact_solver(free, model, seat, monkeypatch):
    """A rank modulo six is one modulo two and one modulo three: the exact game has a state for each pair."""
    monkeypatch.setattr(form_module, "WIDE", 10**9)  # in double precision
    boards, theirs = Boards.sampled(6, seed=8), 1 - seat
    compiled = game_of("all-in", seat, COARSE[str(free)])
    holding = any_holding(compiled, seat, COARSE[str(model)], share=0.9)
    joint = VectorGame(compiled.tree, bucket_matrices(NOLIMIT, in_seats(seat, OURS, SIX), boards))
    trust = 1 - share_left(holding)
    shares = holding.fixed / np.where(trust > 0, trust, 1)
    fine = [lift(each, holding.layout, joint.layout, theirs, digits(model, 6)) for each in (shares, trust)]
    ties = NO_TIES if free == 6 else np.concatenate(digits(free, 6)).astype(np.uint32)
    exact = RestrictedCFR(joint, held_at_infosets(joint, seat, *fine, ties), "cfr")

    start = any_regrets(compiled)
    exact.regret[:] = in_joint(start[compiled.layout.by_infoset], compiled, joint, seat, free)
    exact.step(1)
    for player in range(2):  # who comes second learns from what the first has learnt already
        regret = added(compiled, holding, boards.cards, start)[0] / len(boards.cards)
        if free == 6:  # the weight is one for all of an information set: the exact solver omits it
            regret /= np.where(owner_mask(joint.layout, theirs), 1 - fine[1], 1)
        found = in_joint(start[compiled.layout.by_infoset] + regret, compiled, joint, seat, free)
        mine = owner_mask(joint.layout, player)
        np.testing.assert_allclose(found[mine], exact.regret[mine], atol=1e-8)
        moved = start[compiled.layout.by_infoset] + np.where(owner_mask(compiled.layout, player), regret, 0)
        start = np.empty_like(moved)
        start[compiled.layout.by_infoset] = moved


def share_left(holding):
    """1 - P_conf of the information set of each entry."""
    layout, left = holding.layout, np.empty(holding.layout.size)
    for node in layout.tree.decisions:
        part = slice(layout.offset[node], layout.offset[node + 1])
        block = holding.fixed[part].reshape(layout.tree.children[node], -1)
        left[part] = np.tile(1 - block.sum(axis=0), len(block))
    return left


def in_joint(values, compiled, joint, seat, free):
    """Values over U and R in the game whose opponent has six buckets a round."""
    ours = [np.arange(count) for count in compiled.layout.counts[:, seat]]
    found = lift(values, compiled.layout, joint.layout, seat, ours)
    return found + lift(values, compiled.layout, joint.layout, 1 - seat, digits(free, 6))


@pytest.mark.parametrize("seat", [0, 1])
def test_without_trust_it_is_plain_sampling_to_the_bit(seat):
    compiled = game_of("limit", seat, THREE)
    plain = BoardSampled(compiled, seed=3)
    held = RestrictedBoardSampled(compiled, any_holding(compiled, seat, TWO, share=0.0), seed=3)
    for solver in (plain, held):
        solver.step(5)
    np.testing.assert_array_equal(held.regret, plain.regret)
    np.testing.assert_array_equal(held.average, plain.average)


def test_with_full_trust_the_opponent_learns_nothing():
    compiled = game_of("all-in", 0, THREE)
    layout = Layout(compiled.tree, bucketed_deal(NOLIMIT, TWO).counts, TWO.fingerprint)
    held = RestrictedBoardSampled(compiled, BoardHolding(0, TWO, layout, Strategy.always(layout, "c").values))
    held.step(8)
    theirs = np.zeros(compiled.layout.size, dtype=bool)
    theirs[compiled.layout.by_infoset] = owner_mask(compiled.layout, 1)
    assert not held.regret[theirs].any()
    assert held.regret[~theirs].any()


def test_runs_can_be_had_again_and_go_on():
    compiled = game_of("all-in", 1, THREE)
    holding = any_holding(compiled, 1, TWO)
    whole, parts, resumed, other = (RestrictedBoardSampled(compiled, holding, seed) for seed in (7, 7, 7, 8))
    whole.step(9)
    other.step(9)
    parts.step(0)
    parts.step(5)
    resumed.restore(5, {name: array.copy() for name, array in parts.arrays().items()})
    resumed.step(4)
    np.testing.assert_array_equal(resumed.regret, whole.regret)
    np.testing.assert_array_equal(resumed.average, whole.average)
    assert not np.array_equal(other.regret, whole.regret)
    assert whole.parameters()["responder"] == 1


def test_further_buckets_come_after_those_of_the_players():
    compiled = game_of("all-in", 0, THREE)
    boards = Boards.sampled(2, seed=1).cards
    plain, more = BoardGame(compiled).rank(boards), BoardGame(compiled).rank(boards, SIX)
    np.testing.assert_array_equal(more.states[:, :, :2], plain.states)
    np.testing.assert_array_equal(more.states[:, 0, 2] % 3, plain.states[:, 0, 1])

"""Bucketed deals: states are the buckets of the cards dealt, by number, on any number of threads."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.abstraction import build_abstraction, load_abstraction, parse_notation
from kibitz.abstraction.core import CardAbstraction, TableMap
from kibitz.abstraction.features.boards import CANONICAL, STREETS
from kibitz.deals.bucketed import bucketed_deal
from kibitz.errors import CardError, KibitzError
from kibitz.evaluator import evaluate
from kibitz.games import load_game
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.sampled import ExternalSampling
from kibitz.tree import build_tree

GAMES = {players: load_game(f"holdem-limit-{players}p") for players in (2, 3)}


def invented(buckets, seed):
    """An abstraction with nothing true in it."""
    values = np.random.default_rng(seed).integers(buckets, size=1_000_003).astype(np.uint8)
    rounds = tuple(TableMap(size, np.resize(values, (CANONICAL[size], 1326))) for size in STREETS)
    notation = parse_notation(f"IR KE-KO {buckets}-{buckets}-{buckets}-{buckets}")
    return CardAbstraction(notation, rounds, np.full(4, buckets), (None,) * 4, f"invented {seed}")


@pytest.fixture(scope="module")
def two():
    return invented(50, 1), invented(70, 2)


def test_states_are_the_buckets_of_the_cards(two):
    deal = bucketed_deal(GAMES[2], two)
    draws, hands = deal.draw(7, 100, 300), deal.deal(7, 100, 300)
    assert deal.counts.tolist() == [[50, 70]] * 4
    for row in range(300):
        board = hands[row, 0, 2:].tolist()
        assert hands[row, 1, 2:].tolist() == board
        assert len({*hands[row, :, :2].ravel().tolist(), *board}) == 9
        holes = hands[row, :, :2].tolist()
        for player, abstraction in enumerate(two):
            found = [abstraction.bucket(holes[player], board[:size]) for size in STREETS]
            assert draws.states[row, :, player].tolist() == found
            assert draws.strengths[row, player] == evaluate(hands[row, player].tolist())
        one = deal.look_up(holes, board)
        assert (one.states[0] == draws.states[row]).all()
        assert (one.strengths[0] == draws.strengths[row]).all()


def test_a_deal_depends_on_its_number_alone(two):
    deal, threaded = bucketed_deal(GAMES[2], two), bucketed_deal(GAMES[2], two, threads=2)
    whole = deal.draw(3, 0, 50_000)
    for other in (threaded.draw(3, 0, 50_000), deal.draw(3, 0, 50_000)):
        assert (other.states == whole.states).all()
        assert (other.strengths == whole.strengths).all()
    assert (deal.draw(3, 40_000, 7).states == whole.states[40_000:40_007]).all()
    assert (deal.draw(4, 0, 100).states != whole.states[:100]).any()
    assert deal.draw(3, 0, 0).states.shape == (0, 4, 2)


def test_every_card_everywhere(two):
    """Each place gets each card as often, and no two places go together."""
    hands = bucketed_deal(load_game("holdem-limit-2p"), two[0]).deal(1, 0, 52_000).astype(int)
    cards = np.concatenate((hands[:, :, :2].reshape(-1, 4), hands[:, 0, 2:]), axis=1)
    for place in range(9):
        counts = np.bincount(cards[:, place], minlength=52)
        assert abs(counts - 1000).max() < 170  # more than five standard deviations
    pairs = np.bincount(cards[:, 0] * 52 + cards[:, 8], minlength=52 * 52).reshape(52, 52)
    assert not pairs.diagonal().any()
    off = pairs[~np.eye(52, dtype=bool)]
    assert ((off - off.mean()) ** 2).sum() / off.mean() < 52 * 51 * 1.15  # chi squared


def test_ten_players(two):
    game = GAMES[2]
    ten = replace(
        game,
        stacks=(10_000,) * 10,
        blinds=(5, 10) + (0,) * 8,
        first_players=(2, 0, 0, 0),
        antes=(),
        bettors=(),
        sighted=(),
    )
    deal = bucketed_deal(ten, two[0])
    hands = deal.deal(0, 0, 50)
    assert all(len({*row[:, :2].ravel().tolist(), *row[0, 2:].tolist()}) == 25 for row in hands)
    assert deal.draw(0, 0, 50).states.shape == (50, 4, 10)
    assert deal.fingerprint == two[0].fingerprint


def test_fingerprints(two):
    ours, theirs = two
    prints = [bucketed_deal(GAMES[2], which).fingerprint for which in ((ours, ours), (ours, theirs), (theirs, ours))]
    assert prints[0] == ours.fingerprint
    assert len(set(prints)) == 3


def test_what_does_not_go_together(two):
    with pytest.raises(KibitzError, match="2 card abstractions for 3 players"):
        bucketed_deal(GAMES[3], two)
    with pytest.raises(KibitzError, match="buckets are for hold'em"):
        bucketed_deal(load_game("leduc"), two[0])
    with pytest.raises(KibitzError, match="states in a round"):
        bucketed_deal(GAMES[2], build_abstraction("lossless"))


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        (((0, 1), (2, 3)), (10, 11, 12)),
        (((0, 1), (1, 3)), (10, 11, 12, 13, 14)),
        (((0, 1), (2, 3)), (3, 11, 12, 13, 14)),
        (((0, 1), (2, 3)), (10, 11, 12, 13, 60)),
        (((0, 1), (2, -3)), (10, 11, 12, 13, 14)),
        (((0, 1),), (10, 11, 12, 13, 14)),
        (((0, 1), (2, 3, 4)), (10, 11, 12, 13, 14)),
    ],
)
def test_what_is_no_deal(two, hole, board):
    with pytest.raises(CardError, match="two hole cards for each of 2 players and 5 on the board"):
        bucketed_deal(GAMES[2], two).look_up(hole, board)


def test_a_sampled_solver_takes_it():
    """Betting on no cards at all: every state is 0, and regrets come out finite."""
    game = GAMES[2]
    solver = ExternalSampling(
        SampledGame(build_tree(game), bucketed_deal(game, load_abstraction("one-bucket"))), seed=1
    )
    solver.step(50)
    strategy = solver.average_strategy()
    assert strategy.layout.counts.tolist() == [[1, 1]] * 4
    assert np.isfinite(strategy.values).all()

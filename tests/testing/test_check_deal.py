"""Every kind of deal keeps the contract that the package ships, and the contract sees what breaks it."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.cards import parse_cards
from kibitz.deals import matrix_deal
from kibitz.deals.board import BoardDeal
from kibitz.deals.bucketed import bucketed_deal
from kibitz.deals.joint import Boards, bucket_matrices
from kibitz.deals.sampled import Draws, sampled_deal
from kibitz.equity import Range
from kibitz.games import load_game
from kibitz.games.named import rhode_island
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.strategy import Layout
from kibitz.testing import check_deal
from kibitz.tree import build_tree
from solvers.test_board_sampling import IMPERFECT, PERFECT, SumOfRanks, abstraction

SMALL = ("kuhn", "kuhn-half-street", "leduc", "leduc-nolimit")
HOLDEM = load_game("holdem-limit-2p")


@pytest.mark.parametrize("suits_merged", [True, False], ids=["merged", "kept"])
@pytest.mark.parametrize("name", SMALL)
def test_matrices_of_small_games(name, suits_merged):
    game = load_game(name)
    deal = matrix_deal(game, suits_merged)
    check_deal(deal, VectorGame(build_tree(game, "fcpa"), deal).layout)


def test_matrices_of_two_board_cards():
    check_deal(matrix_deal(replace(rhode_island(), ranks=3, suits=2)))


def test_matrices_of_buckets():
    boards = Boards.sampled(6, seed=1)
    check_deal(bucket_matrices(HOLDEM, PERFECT, boards))
    check_deal(bucket_matrices(HOLDEM, (PERFECT, abstraction(1)), boards))  # a rectangle


@pytest.mark.parametrize("name", [*SMALL, "kuhn-3p"])
def test_deals_of_small_games(name):
    game = load_game(name)
    deal = sampled_deal(game)
    check_deal(deal, SampledGame(build_tree(game, "fcpa"), deal).layout)


@pytest.mark.parametrize("abstractions", [PERFECT, IMPERFECT, (PERFECT, IMPERFECT)], ids=["PR", "IR", "both"])
def test_deals_of_buckets(abstractions):
    check_deal(bucketed_deal(HOLDEM, abstractions))


BOARDS = {
    "river": ("Qs Jh 2h 8d 3c", "AA:0.5,QJs,T9s,7h6h", "QQ,AQs,KTs,9h8h"),
    "turn": ("Qs Jh 2h 8d", "AA,QJs,9h8h", "QQ,AQs:0.25,5s4s"),
    "flop": ("Qs Js 2s", "AA,KTs", "QQ,98s"),
}


@pytest.mark.parametrize("suits_merged", [True, False], ids=["merged", "kept"])
@pytest.mark.parametrize("name", BOARDS)
def test_boards(name, suits_merged):
    board, one, two = BOARDS[name]
    check_deal(BoardDeal(parse_cards(board), (Range.parse(one), Range.parse(two)), suits_merged))


LEDUC = matrix_deal(load_game("leduc"))


def with_round(number, **changes):
    """The deal of Leduc with something else in one round."""
    rounds = list(LEDUC.rounds)
    rounds[number] = replace(rounds[number], **changes)
    return replace(LEDUC, rounds=tuple(rounds))


def tampered(array, place, value):
    changed = np.array(array)
    changed[place] = value
    return changed


LAST = LEDUC.rounds[1]
BROKEN = {
    "not all the weight": (with_round(1, weight=LAST.weight * 0.9), "a sign is larger|weights add up to 0.9"),
    "a weight below 0": (with_round(0, weight=tampered(LEDUC.rounds[0].weight, 0, -0.1)), "a weight below 0"),
    "winning more than there is": (with_round(0, sign=LEDUC.rounds[0].weight * 2), "a sign is larger than its weight"),
    "both win": (with_round(0, sign=np.abs(LEDUC.rounds[0].sign)), "the other does not lose"),
    "nobody wins": (with_round(1, sign=LAST.sign * 0), "states win other than those they refine"),
    "weights of one seat": (
        with_round(0, weight=tampered(tampered(LEDUC.rounds[0].weight, 1, 0.2), 3, 0.0)),
        "a weight below|other weights|add up",
    ),
    "a parent that is not there": (with_round(1, parent=(LAST.parent[0] + 1, LAST.parent[1])), "a parent beyond"),
    "another parent": (
        with_round(1, parent=(np.roll(LAST.parent[0], 1), LAST.parent[1])),
        "other than those they refine",
    ),
    "a block too few": (with_round(1, edges=(LAST.edges[0][:-1], LAST.edges[1][:-1])), "blocks end at 6 of 9"),
    "an empty block": (with_round(1, edges=(np.array([0, 3, 3, 9]), LAST.edges[1])), "a block without states"),
    "a matrix too small": (with_round(1, start=tampered(LAST.start, 1, 8)), "other sizes than their blocks"),
    "one name for two": (
        with_round(1, labels=((LAST.labels[0][0], *LAST.labels[0][:-1]), LAST.labels[1])),
        "two states of player 0 have one name",
    ),
    "a round too many": (replace(LEDUC, rounds=(*LEDUC.rounds, LAST)), "a deal of 3 rounds"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_matrices_are_seen(name):
    deal, sentence = BROKEN[name]
    with pytest.raises(AssertionError, match=sentence):
        check_deal(deal)


def test_matrices_of_another_game_are_seen():
    """All is well in itself, but these are not the deals of the game: jacks and kings have changed places."""
    first, last = LEDUC.rounds
    turned = [replace(each, sign=-each.sign) for each in (first, last)]
    with pytest.raises(AssertionError, match=r"a sign is .* away from what all deals come to"):
        check_deal(replace(LEDUC, rounds=tuple(turned)))


def test_another_layout_is_seen():
    tree = build_tree(load_game("leduc"))
    with pytest.raises(AssertionError, match="the layout has others"):
        check_deal(LEDUC, Layout(tree, LEDUC.counts + 1, LEDUC.fingerprint))
    with pytest.raises(AssertionError, match="the layout is for other cards"):
        check_deal(LEDUC, Layout(tree, LEDUC.counts, "other cards"))


class Dealer:
    """A sampled deal of Leduc that can be spoilt."""

    def __init__(self, spoil):
        self._deal = sampled_deal(load_game("leduc"))
        self.game, self.counts, self.fingerprint = self._deal.game, self._deal.counts, self._deal.fingerprint
        self.spoil = spoil

    def draw(self, seed, first, count):
        draws = self._deal.draw(seed, first, count)
        return Draws(*self.spoil(draws.states.copy(), draws.strengths.copy(), seed, first))


def beyond(states, strengths, seed, first):
    states[5, 1, 0] = 9
    return states, strengths


def by_call(states, strengths, seed, first):
    return (np.roll(states, 1, axis=0) if first else states), strengths


def forgetting(states, strengths, seed, first):
    states[:, 1] = states[:, 1] // 3  # the board is left, the own card is not
    return states, strengths


def always(states, strengths, seed, first):
    return states * 0, strengths * 0


def one_seat(states, strengths, seed, first):
    return states[:, :, :1], strengths


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (beyond, "a state beyond the counts"),
        (by_call, "depends on more than the seed and its number"),
        (forgetting, "comes after two of the round before"),
        (always, "another seed deals the same cards"),
        (one_seat, "states of shape"),
    ],
)
def test_broken_samples_are_seen(spoil, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_deal(Dealer(spoil))


def test_a_deck_that_is_not_fair_is_seen():
    deal = sampled_deal(load_game("kuhn"))
    unfair = replace(deal, tables=np.where(deal.tables == 2, 0, deal.tables))  # a king is taken for a jack
    with pytest.raises(AssertionError, match="odd frequencies"):
        check_deal(unfair)


class Unlike(SumOfRanks):
    """Buckets that depend on how many hands are asked for together."""

    def find(self, holes, boards, codes, states):
        super().find(holes, boards, codes, states)
        states[:] = (states + len(states)) % 2


def test_buckets_that_cannot_be_looked_up_are_seen():
    cards = abstraction(3, "IR")
    rounds = tuple(Unlike(size, 2) for size in (0, 3, 4, 5))
    odd = replace(cards, rounds=rounds, counts=np.full(4, 2), fingerprint="odd")
    with pytest.raises(AssertionError, match=r"depends on more than|other states"):
        check_deal(bucketed_deal(HOLDEM, odd))


def test_broken_boards_are_seen():
    board, one, two = BOARDS["turn"]
    deal = BoardDeal(parse_cards(board), (Range.parse(one), Range.parse(two)))
    spoilt = replace(deal)
    first, last = deal.boards
    spoilt.__dict__["boards"] = (first, last[1:])
    with pytest.raises(AssertionError, match="cards follow a board: 48 are due"):
        check_deal(spoilt)
    spoilt = replace(deal)
    states = deal.states[1]
    hands = (states.hands[0][:, ::-1], states.hands[1])
    spoilt.__dict__["states"] = (deal.states[0], replace(states, hands=hands))
    with pytest.raises(AssertionError, match=r"other hands of player 0|comes from one of other cards"):
        check_deal(spoilt)
    spoilt = replace(deal)
    groups = tuple(each[::-1] for each in states.groups)
    spoilt.__dict__["states"] = (deal.states[0], replace(states, groups=groups))
    with pytest.raises(AssertionError, match="in the order of their strength"):
        check_deal(spoilt)
    spoilt = replace(deal)
    spoilt.__dict__["mass"] = deal.mass + 0.5
    with pytest.raises(AssertionError, match="a mass of"):
        check_deal(spoilt)

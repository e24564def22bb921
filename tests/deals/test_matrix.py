"""Matrix deals against plain enumeration of all deals, and against themselves."""

from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from kibitz.cards import RANKS, parse_cards
from kibitz.deals import matrix_deal
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate
from kibitz.games import load_game
from kibitz.games.named import leduc_nolimit, limit_holdem, rhode_island
from kibitz.isomorphism import IsomorphismIndex

SMALL_RHODE_ISLAND = replace(rhode_island(), ranks=4, suits=3)
GAMES = {
    "kuhn": load_game("kuhn"),
    "leduc": load_game("leduc"),
    "clairvoyance": load_game("clairvoyance"),
    "small rhode island": SMALL_RHODE_ISLAND,
    "one sighted": replace(SMALL_RHODE_ISLAND, sighted=(True, False)),
    "two hole cards": replace(leduc_nolimit(), ranks=3, suits=3, hole_cards=2),
    "flushes": replace(leduc_nolimit(), ranks=5, suits=2, hole_cards=2, board_cards=(0, 3)),
}


@pytest.fixture(scope="module", params=[(name, merged) for name in GAMES for merged in (True, False)], ids=str)
def deal(request):
    name, suits_merged = request.param
    return matrix_deal(GAMES[name], suits_merged)


@pytest.fixture(scope="session")
def rhode_island_deal():
    return matrix_deal(rhode_island())


# A twin that deals every hand one by one. A view is a tuple of streets, the hole cards first (none if unseen).


def make_view(game, hole, board, round_):
    streets, begin = [hole], 0
    for count in game.board_cards[: round_ + 1]:
        streets.append(board[begin : begin + count])
        begin += count
    return tuple(tuple(sorted(street)) for street in streets)


def essence(game, view, suits_merged):
    """Equal for views that play alike: ranks where suits mean nothing, else the least of all renamings of the suits."""
    if not suits_merged:
        return view
    if game.hand_ranking == "standard" and game.hole_cards + sum(game.board_cards) < 5:
        return tuple(tuple(sorted(card >> 2 for card in street)) for street in view)
    suits = range(4 - game.suits, 4)
    return min(
        tuple(tuple(sorted(card & ~3 | renamed[(card & 3) - suits[0]] for card in street)) for street in view)
        for renamed in permutations(suits)
    )


def read_label(game, label, round_):
    """The view that a label names; any suit where it names none."""
    text = label.replace("|", "").replace("?", "")
    shown = game.board_ends[round_]
    hole_cards = 0 if "?" in label else game.hole_cards
    if len(text) == hole_cards + shown:  # ranks alone
        cards = tuple(4 * RANKS.index(letter) + 3 for letter in text)
    else:
        cards = tuple(parse_cards(text))
    return make_view(game, cards[:hole_cards], cards[hole_cards:], round_)


def list_deals(game):
    """Every (hole cards of 0, hole cards of 1, board), the board in every order."""
    for first in combinations(game.deck, game.hole_cards):
        rest = [card for card in game.deck if card not in first]
        for second in combinations(rest, game.hole_cards):
            left = [card for card in rest if card not in second]
            for board in permutations(left, sum(game.board_cards)):
                yield first, second, board


def twin(game, suits_merged):
    """Per round, {(state of 0, state of 1): (probability, signed probability)}."""
    tables = [defaultdict(lambda: np.zeros(2)) for _ in range(game.rounds)]
    strength = cache(lambda cards: evaluate(cards, game.hand_ranking))
    name = cache(lambda hole, board, round_: essence(game, make_view(game, hole, board, round_), suits_merged))
    total = 0
    for first, second, board in list_deals(game):
        total += 1
        mine, theirs = strength(first + board), strength(second + board)
        holes = [hole if looks else () for hole, looks in zip((first, second), game.sighted, strict=True)]
        for round_, table in enumerate(tables):
            shown = board[: game.board_ends[round_]]
            pair = tuple(name(hole, shown, round_) for hole in holes)
            table[pair] += (1, (mine > theirs) - (mine < theirs))
    return [{pair: tuple(entry / total) for pair, entry in table.items()} for table in tables]


def test_every_entry_is_that_of_plain_enumeration(deal):
    game = deal.game
    for round_, (each, expected) in enumerate(zip(deal.rounds, twin(game, deal.suits_merged), strict=True)):
        rows, columns = (
            [essence(game, read_label(game, label, round_), deal.suits_merged) for label in labels]
            for labels in each.labels
        )
        assert len(set(rows)) == len(rows)
        assert len(set(columns)) == len(columns)
        weight, sign = each.dense(each.weight), each.dense(each.sign)
        found = {(rows[i], columns[j]): (weight[i, j], sign[i, j]) for i, j in np.argwhere(weight)}
        assert found.keys() == expected.keys()
        for pair, entry in expected.items():
            assert found[pair] == pytest.approx(entry, abs=1e-15)
        assert not sign[weight == 0].any()


def test_a_state_refines_the_state_it_comes_from(deal):
    """Its parent is what was known a round earlier: the view less the new street, up to the names of suits."""
    game, merged = deal.game, deal.suits_merged
    for round_ in range(1, game.rounds):
        each, before = deal.rounds[round_], deal.rounds[round_ - 1]
        for player in range(2):
            for label, above in zip(each.labels[player], each.parent[player], strict=True):
                view = read_label(game, label, round_)
                known = read_label(game, before.labels[player][above], round_ - 1)
                assert essence(game, view[:-1], merged) == essence(game, known, merged)


# What any deal keeps.


def aggregate(deal, round_, entries):
    """The matrix of a round summed over the states that refine the same states of the round before."""
    each, before = deal.rounds[round_], deal.rounds[round_ - 1]
    rows, columns = each.edges
    matrix = np.zeros([len(labels) for labels in before.labels])
    for b in range(len(each.start) - 1):
        block = entries[each.start[b] : each.start[b + 1]].reshape(rows[b + 1] - rows[b], columns[b + 1] - columns[b])
        above = np.ix_(each.parent[0][rows[b] : rows[b + 1]], each.parent[1][columns[b] : columns[b + 1]])
        np.add.at(matrix, above, block)
    return matrix


def check_consistency(deal):
    for round_, each in enumerate(deal.rounds):
        assert each.weight.min() >= 0
        assert each.weight.sum() == pytest.approx(1, abs=1e-12)
        assert (np.abs(each.sign) <= each.weight + 1e-15).all()
        for player in range(2):
            assert each.edges[player][-1] == len(each.labels[player]) == deal.counts[round_, player]
            assert len(set(each.labels[player])) == len(each.labels[player])
        sizes = np.diff(each.edges[0]) * np.diff(each.edges[1])
        assert np.array_equal(np.diff(each.start), sizes)
        if round_:
            before = deal.rounds[round_ - 1]
            assert aggregate(deal, round_, each.weight) == pytest.approx(before.dense(before.weight), abs=1e-14)
            assert aggregate(deal, round_, each.sign) == pytest.approx(before.dense(before.sign), abs=1e-14)


def check_symmetry(deal):
    """Both look at their cards, so exchanging them exchanges who wins."""
    for each in deal.rounds:
        assert each.labels[0] == each.labels[1]
        width = np.diff(each.edges[0])
        for b, (start, end) in enumerate(pairwise(each.start)):
            weight, sign = (entries[start:end].reshape(width[b], width[b]) for entries in (each.weight, each.sign))
            assert np.array_equal(weight, weight.T)
            assert np.array_equal(sign, -sign.T)


def test_rounds_are_consistent(deal):
    check_consistency(deal)
    assert (deal.rounds[0].parent[0] == 0).all()


def test_seats_are_alike(deal):
    if all(deal.game.sighted):
        check_symmetry(deal)
    else:
        assert deal.counts[0].min() == 1


# Known deals.


def test_kuhn():
    deal = matrix_deal(load_game("kuhn"))
    each = deal.rounds[0]
    assert each.dense(each.weight) == pytest.approx((1 - np.eye(3)) / 6)
    assert each.dense(each.sign) == pytest.approx((np.tri(3, k=-1) - np.tri(3, k=-1).T) / 6)


@pytest.mark.parametrize(("suits_merged", "counts"), [(True, [[3, 3], [9, 9]]), (False, [[6, 6], [30, 30]])])
def test_leduc(suits_merged, counts):
    assert matrix_deal(load_game("leduc"), suits_merged).counts.tolist() == counts


def test_a_player_who_does_not_look_has_one_state():
    deal = matrix_deal(load_game("clairvoyance"))
    each = deal.rounds[0]
    assert each.labels == (("K", "A"), ("?",))
    assert each.dense(each.weight).tolist() == [[0.5], [0.5]]
    assert each.dense(each.sign).tolist() == [[-0.5], [0.5]]


def test_rhode_island(rhode_island_deal):
    deal = rhode_island_deal
    assert deal.counts.tolist() == [[13, 13], [325, 325], [9997, 9997]]
    assert [len(each.start) - 1 for each in deal.rounds] == [1, 13, 325]
    check_consistency(deal)
    check_symmetry(deal)


def test_rhode_island_states_are_as_frequent_as_their_hands(rhode_island_deal):
    """The probability of a state is the number of hands it stands for over the number of all hands."""
    index = IsomorphismIndex((1, 1, 1))
    hands = 1
    for round_, each in enumerate(rhode_island_deal.rounds):
        hands *= 52 - round_
        classes = [index.index(parse_cards(label.replace("|", "")), round_) for label in each.labels[0]]
        assert sorted(classes) == list(range(index.sizes[round_]))
        marginal = np.concatenate(
            [
                each.weight[start:end].reshape(rows, -1).sum(axis=1)
                for (start, end), rows in zip(pairwise(each.start), np.diff(each.edges[0]), strict=True)
            ]
        )
        expected = [index.orbit_size(i, round_) / hands for i in classes]
        assert marginal == pytest.approx(expected, rel=1e-12)


def test_fingerprints():
    deals = [matrix_deal(GAMES[name], merged) for name in ("kuhn", "clairvoyance") for merged in (True,)]
    deals += [matrix_deal(GAMES[name], merged) for name in ("leduc", "small rhode island") for merged in (True, False)]
    assert len({each.fingerprint for each in deals}) == len(deals)
    assert matrix_deal(load_game("leduc")).fingerprint == matrix_deal(leduc_nolimit()).fingerprint


def test_what_cannot_be_listed_is_refused():
    with pytest.raises(KibitzError, match="two players, not 3"):
        matrix_deal(load_game("kuhn-3p"))
    with pytest.raises(KibitzError, match=r"[0-9,]+ deals are too many to list \(at most 50,000,000\)"):
        matrix_deal(limit_holdem())

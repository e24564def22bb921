"""Sampled deals: the states of matrix deals, drawn by number, every deal equally likely."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import perm

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.deals.naming import list_states
from kibitz.deals.sampled import sampled_deal
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.games.named import clairvoyance, kuhn, leduc, leduc_nolimit, limit_holdem, rhode_island
from solvers.plain_mccfr import GAMMA, WORD, mix

SMALL = {
    "kuhn": kuhn(),
    "clairvoyance": clairvoyance(),
    "leduc": leduc(),
    "leduc-nolimit": leduc_nolimit(),
    "small rhode island": replace(rhode_island(), suits=2, ranks=4),
    "two hole cards": replace(leduc(), hole_cards=2, ranks=4),
    "nobody looks": replace(leduc(), sighted=(True, False)),
}


def dealt(game, cards):
    """Hole cards and board from the first cards of a shuffled deck."""
    count = game.hole_cards
    hole = tuple(cards[p * count : (p + 1) * count] for p in range(game.players))
    return hole, cards[game.players * count : game.players * count + game.board_ends[-1]]


def cards_dealt(game):
    return game.players * game.hole_cards + game.board_ends[-1]


@pytest.mark.parametrize("suits_merged", [True, False])
@pytest.mark.parametrize("name", SMALL)
def test_all_deals_together_are_the_matrix_deal(name, suits_merged):
    game = SMALL[name]
    deal, matrix = sampled_deal(game, suits_merged), matrix_deal(game, suits_merged)
    assert deal.labels == tuple(each.labels for each in matrix.rounds) == list_states(game, suits_merged)
    assert deal.fingerprint == matrix.fingerprint
    np.testing.assert_array_equal(deal.counts, matrix.counts)
    weight = [np.zeros(tuple(counts)) for counts in deal.counts]
    sign = [np.zeros(tuple(counts)) for counts in deal.counts]
    total = perm(len(game.deck), cards_dealt(game))
    for cards in permutations(game.deck, cards_dealt(game)):
        draws = deal.look_up(*dealt(game, cards))
        for r, (mine, theirs) in enumerate(draws.states[0]):
            weight[r][mine, theirs] += 1 / total
            sign[r][mine, theirs] += np.sign(draws.strengths[0, 0] - draws.strengths[0, 1]) / total
    for r, each in enumerate(matrix.rounds):
        np.testing.assert_allclose(weight[r], each.dense(each.weight), atol=1e-12)
        np.testing.assert_allclose(sign[r], each.dense(each.sign), atol=1e-12)


@pytest.mark.parametrize("game", [*SMALL.values(), kuhn(3), kuhn(10)], ids=lambda game: f"{game.name} {game.players}")
def test_draws_equal_their_plain_twin(game):
    """Shuffle the front of the deck with the numbers of the deal's own stream, then look the cards up."""
    deal = sampled_deal(game)
    draws = deal.draw(seed=7, first=1000, count=30)
    key = int(np.random.SeedSequence((7, 0)).generate_state(1, np.uint64)[0])
    for row, number in enumerate(range(1000, 1030)):
        deck, stream = list(game.deck), mix((key + number * GAMMA) & WORD)
        for place in range(cards_dealt(game)):
            stream = (stream + GAMMA) & WORD
            other = place + int((mix(stream) >> 11) / 2**53 * (len(deck) - place))
            deck[place], deck[other] = deck[other], deck[place]
        expected = deal.look_up(*dealt(game, tuple(deck)))
        np.testing.assert_array_equal(draws.states[row], expected.states[0])
        np.testing.assert_array_equal(draws.strengths[row], expected.strengths[0])


def test_a_deal_depends_on_its_number_and_the_seed_alone():
    deal = sampled_deal(leduc())
    whole, part, other = deal.draw(3, 0, 100), deal.draw(3, 40, 20), deal.draw(4, 0, 100)
    np.testing.assert_array_equal(whole.states[40:60], part.states)
    np.testing.assert_array_equal(whole.strengths[40:60], part.strengths)
    assert (whole.states != other.states).any()


def test_every_deal_is_equally_likely():
    """Chi-square over the 120 deals of Leduc: 119 degrees of freedom, so above 190 for one seed in 26,000."""
    game = leduc()
    deal = sampled_deal(game, suits_merged=False)
    count = 60_000
    draws = deal.draw(1, 0, count)
    seen = Counter((row.tobytes(), strengths.tobytes()) for row, strengths in zip(*draws, strict=True))
    assert len(seen) == 120
    expected = count / 120
    assert sum((number - expected) ** 2 / expected for number in seen.values()) < 190


def test_three_players_share_the_names_of_two():
    """A player's states do not depend on how many others there are, but for the deck."""
    two, three = sampled_deal(replace(kuhn(), ranks=4)), sampled_deal(load_game("kuhn-3p"))
    assert three.labels[0] == (two.labels[0][0],) * 3
    assert three.fingerprint != two.fingerprint
    assert three.fingerprint == sampled_deal(kuhn(3)).fingerprint


def test_large_games_need_buckets():
    with pytest.raises(KibitzError, match="buckets"):
        sampled_deal(limit_holdem())

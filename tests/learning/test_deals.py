"""Simulated deals against `State` and the plain formulas: rules, features, probabilities, beliefs, chips."""

import numpy as np
import pytest

from kibitz.games import Deal, State
from kibitz.learning import Model, Structure, TableRules, seat_chances
from learning.dealing import Deals, dealt
from learning.plain_structure import Plain

RULES = {
    "as trained": TableRules(),
    "ACPC": TableRules(uncapped_heads_up=False, decision_cap=1000),
    "forward blinds, free folds": TableRules(forward_blinds=True, fold_when_free=True),
    "few decisions": TableRules(cap=3, decision_cap=9),
}
SEATED = (2, 3, 6, 10)
STRUCTURES = {
    "public observer": Structure(public_observer=True, profile="listed"),
    "self-aware": Structure(self_aware=True),
    "saturating": Structure(chips="saturating"),
    "logarithm": Structure(chips="logarithm"),
}


@pytest.mark.parametrize("rules", RULES)
def test_deals_are_those_of_states(bench, rules):
    table = bench(Structure(), RULES[rules], seed=1)
    for number in range(60):
        count = table.deal(SEATED[number % 4], number)
        work, plain = table.work, Plain(table.model)
        actions = work.action[:count].copy()
        game = RULES[rules].game(table.seats)
        decisions, chances, beliefs, state = plain.walk(game, table.holes, table.board, actions)
        assert work.player[:count].tolist() == [each.player for each in decisions]
        assert work.stage[:count].tolist() == [each.stage for each in decisions]
        np.testing.assert_allclose(work.net[: table.seats], state.returns())
        for d, each in enumerate(decisions):
            for option, found in each.bets.items():
                np.testing.assert_allclose(work.features[d, option], found, atol=1e-12)
            np.testing.assert_allclose(work.chance[d], chances[d], atol=1e-12)
            np.testing.assert_allclose(work.opponents[d], each.opponents, atol=1e-12)
        left = work.active
        for p in range(table.seats):
            if left >> p & 1:
                np.testing.assert_allclose(work.belief[p], beliefs[p], atol=1e-12)


@pytest.mark.parametrize("rules", ["as trained", "ACPC"])
@pytest.mark.parametrize("players", SEATED)
def test_ties_are_paid_as_states_pay_them(players, rules):
    """With cards of few ranks, a royal flush on some boards, and folds by those who have called."""
    noise, ties, shared = np.random.default_rng(players), 0, 0
    deals, game = Deals(Model.random(Structure(), 1, 0.5), RULES[rules], players), RULES[rules].game(players)
    ranks = max(6, -(-(2 * players + 5) // 4))
    for number in range(80):
        cards = dealt(noise, players)
        few = noise.permutation(4 * ranks)  # of the lowest ranks, all suits
        cards[: 2 * players], cards[20:] = few[: 2 * players], few[2 * players : 2 * players + 5]
        if number % 4 == 0:
            cards[20:] = 4 * np.arange(8, 13)
        count = deals.play(cards, [1] * int(noise.integers(0, 4 * players)), key=number)
        holes = tuple(map(tuple, cards[: 2 * players].reshape(-1, 2).tolist()))
        state = State.start(game, Deal(holes, tuple(cards[20:].tolist())))
        for action in deals.work.action[:count]:
            state = state.apply("fcr"[action])
        while not state.finished:  # after the cap on decisions
            state = state.apply("c")
        np.testing.assert_allclose(deals.work.net[:players], state.returns(), atol=1e-12)
        won = int(deals.work.winners).bit_count()
        ties, shared = ties + (won > 1), shared + (1 < won < int(deals.work.active).bit_count())
    assert ties > 10
    assert shared > 0 or players == 2


@pytest.mark.parametrize("structure", STRUCTURES)
def test_variants_of_the_structure(bench, structure):
    table = bench(STRUCTURES[structure], TableRules(), seed=2)
    for number in range(20):
        count = table.deal(3, number)
        work, plain = table.work, Plain(table.model)
        actions = work.action[:count].copy()
        decisions, chances, _, _ = plain.walk(TableRules().game(3), table.holes, table.board, actions)
        for d, each in enumerate(decisions):
            np.testing.assert_allclose(work.chance[d], chances[d], atol=1e-12)
            for option, found in each.bets.items():
                np.testing.assert_allclose(work.features[d, option], found, atol=1e-12)
            if table.model.structure.self_aware:
                for option, ahead in each.ahead.items():
                    np.testing.assert_allclose(work.ahead[d, option], ahead, atol=1e-12)


def test_look_ahead_is_the_later_update(bench):
    """S8: what a player expects others to believe after an option is what they believe once it has taken it."""
    table = bench(Structure(self_aware=True), TableRules(), seed=3)
    seen = 0
    for number in range(30):
        count = table.deal(2, number)
        work = table.work
        for d in range(count - 1):
            if work.player[d] != work.player[d + 1] and work.stage[d] == work.stage[d + 1] and work.action[d]:
                expected = work.ahead[d, work.action[d] - 1]
                np.testing.assert_allclose(work.opponents[d + 1], expected, atol=1e-13)
                seen += 1
    assert seen > 20


def test_a_deal_depends_on_its_number_alone(bench):
    table = bench(Structure(), TableRules())
    table.deal("irc", 7)
    first = table.work.cards.copy(), table.work.action[: table.work.decisions].copy(), table.flat.copy()
    table.deal("irc", 8)
    table.deal("irc", 7)
    assert (table.work.cards == first[0]).all()
    assert (table.work.action[: table.work.decisions] == first[1]).all()
    assert (table.flat == first[2]).all()


def test_cards_are_dealt_evenly(bench):
    table = bench(Structure(), TableRules())
    counts = np.zeros(52)
    for number in range(600):
        table.deal(10, number)
        cards = table.work.cards
        assert len(set(cards.tolist())) == 25
        np.add.at(counts, cards, 1)
    expected = 600 * 25 / 52
    chi_square = ((counts - expected) ** 2 / expected).sum() / (1 - 25 / 52)
    assert chi_square < 51 + 5 * (2 * 51) ** 0.5


def test_the_mix_of_seats_has_its_mean():
    chances = seat_chances("irc")
    assert chances[:2].sum() == 0
    assert chances @ np.arange(11) == pytest.approx(5.2, abs=1e-3)
    np.testing.assert_allclose(chances[2:5], [0.1726, 0.1527, 0.1351], atol=1e-4)

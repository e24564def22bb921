"""Simulated deals against `State` and the plain formulas: rules, features, probabilities, beliefs, chips."""

import numpy as np
import pytest

from kibitz.learning import Structure, TableRules, seat_chances
from learning.plain_structure import Plain

RULES = {
    "as trained": TableRules(),
    "ACPC": TableRules(uncapped_heads_up=False, decision_cap=1000),
    "forward blinds, free folds": TableRules(forward_blinds=True, fold_when_free=True),
    "few decisions": TableRules(cap=3, decision_cap=9),
}
STRUCTURES = {
    "as trained": Structure(),
    "public observer": Structure(public_observer=True, profile="listed"),
    "self-aware": Structure(self_aware=True),
}


@pytest.mark.parametrize("rules", RULES)
def test_deals_are_those_of_states(bench, rules):
    table = bench(Structure(), RULES[rules], seed=1)
    for number in range(60):
        count = table.deal("irc", number)
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
        left = work.counts[1]
        for p in range(table.seats):
            if left >> p & 1:
                np.testing.assert_allclose(work.belief[p], beliefs[p], atol=1e-12)


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
    first = table.work.cards.copy(), table.work.action[: table.work.counts[0]].copy(), table.flat.copy()
    table.deal("irc", 8)
    table.deal("irc", 7)
    assert (table.work.cards == first[0]).all()
    assert (table.work.action[: table.work.counts[0]] == first[1]).all()
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

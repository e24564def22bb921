"""Others who sit down in self-play: how often, how many, and that they act as the agents of their names."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.games import Deal, State
from kibitz.learning import Learning, Model, Structure, TableRules, simulate
from kibitz.learning.presets import RIVALS
from kibitz.learning.responses.learner import constants
from kibitz.learning.rivals import KNOWN, rival, rivals_of

UNLIKELY = 1e-3
PLAYERS = 6
RULES = {
    "as trained": TableRules(),
    "capped": TableRules(cap=2, uncapped_heads_up=False),
    "free folds": TableRules(fold_when_free=True),
}


@pytest.fixture(scope="module")
def met():
    """Of deals of a run: who came, in which seats, and the first card of the first seat."""
    from learning.dealing import Table

    table, rivals, found = Table(Structure(), TableRules(decision_cap=1)), rivals_of(RIVALS), []
    for number in range(4000):
        table.deal(PLAYERS, number, policy=False, observer=False, rivals=rivals)
        seats = int(table.work.rivals)
        found.append((tuple(table.work.rival.tolist()) if seats else None, seats, int(table.work.cards[0])))
    return found


def test_every_rival_has_its_share_of_deals(met):
    counts = Counter(chances for chances, _, _ in met)
    for each in rivals_of(RIVALS):
        assert binomtest(counts.pop(each.chances), len(met), each.share).pvalue > UNLIKELY, each.name
    assert counts.keys() == {None}


def test_half_of_the_rivals_leave_the_agent_alone(met):
    """In the other half any number of them comes; in any seats."""
    seats = [seats for chances, seats, _ in met if chances]
    counts = Counter(map(int.bit_count, seats))
    assert counts.keys() == {1, 2, 3, 4, 5}
    for count, each in counts.items():
        share = 0.1 + 0.5 * (count == PLAYERS - 1)
        assert binomtest(each, len(seats), share).pvalue > UNLIKELY, count
    empty = Counter(seat for each in seats for seat in range(PLAYERS) if not each >> seat & 1)
    assert chisquare([empty[seat] for seat in range(PLAYERS)]).pvalue > UNLIKELY


def test_cards_do_not_tell_who_has_come(met):
    """Neither low nor high ones: they are drawn apart."""
    for is_met in (True, False):
        cards = [card for chances, _, card in met if (chances is not None) == is_met]
        assert chisquare(np.bincount(np.array(cards) // 4, minlength=13)).pvalue > UNLIKELY


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", KNOWN)
def test_rivals_act_as_the_agents_of_their_names(bench, name, rules):
    table, policy, letters = bench(Structure(), RULES[rules]), load_agent(name).policy, set()
    for number in range(25):
        players = (2, 3, 6)[number % 3]
        count = table.deal(players, number, policy=False, observer=False, rivals=[rival(name)])
        state = State.start(table.rules.game(players), Deal(tuple(map(tuple, table.holes)), tuple(table.board)))
        for d in range(count):
            seat = state.player
            if table.work.rivals >> seat & 1:
                wanted = dict.fromkeys("fcr", 0.0)
                hands = np.array([state.hole[seat]], dtype=np.uint8)
                shares = policy.probabilities(state, hands, state.board)[:, 0]
                for action, share in zip(policy.actions(state), shares, strict=True):
                    wanted[action.text[0]] += share
                np.testing.assert_allclose(table.work.chance[d], list(wanted.values()), atol=1e-12)
                letters |= {letter for letter, share in wanted.items() if share}
            state = state.apply("fcr"[table.work.action[d]])
    assert len(letters) > 1 or name == "always-call"


def test_figures_are_those_of_the_agent_alone():
    """One who always calls against those who always raise: he neither folds nor raises, whatever they do."""
    model = constants(Model.random(Structure()))["always call"]
    seen = simulate(model, 3, 300, rivals=[rival("always-raise")])
    assert seen.winnings.hands == seen.deals == 300
    assert seen.voluntary == 1.0
    assert [round(shares[1], 6) for shares in seen.actions] == [1.0] * 4
    assert seen.mean_entropy == pytest.approx(0, abs=1e-9)
    assert seen.chips == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("always-raise", "'always-raise': NAME:SHARE is needed, such as always-raise:0.05"),
        ("always-raise:much", "'always-raise:much': NAME:SHARE is needed"),
        ("", "'': NAME:SHARE is needed"),
        ("always-rise:0.1", "no rival 'always-rise' \\(did you mean always-raise\\?\\): there are always-raise, "),
        ("random:0", "a share 0.0 of random: a number above 0, at most 1"),
        ("random:-0.1", "a share -0.1 of random"),
        ("random:nan", "a share nan of random"),
        ("random:1.5", "a share 1.5 of random"),
        ("random:0.7,probe:0.4", "shares of rivals that sum to 1.1: at most 1"),
        (",".join(["random:0.01"] * 17), "17 rivals: 16 at most"),
    ],
)
def test_what_is_no_list_of_rivals_is_refused(text, words):
    with pytest.raises(KibitzError, match=words):
        rivals_of(text)


def test_none_is_self_play_alone():
    assert rivals_of("none") == ()
    assert not Learning().run(np.ones(11) / 11)["rivals"].any()
    assert [(each.name, each.share) for each in rivals_of("probe:0.1,random:0.2")] == [("probe", 0.1), ("random", 0.2)]

"""Jam or fold: the exact tables, the equilibrium, the agent."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.cards import format_cards, parse_cards
from kibitz.equity import compute_equity
from kibitz.equity.matchups import BOARDS, class_matchups
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Deal, State, load_game
from kibitz.games.named import nolimit_holdem
from kibitz.isomorphism import IsomorphismIndex
from kibitz.solvers.jam_fold import solve_jam_fold
from kibitz.testing import check_agent

INDEX = IsomorphismIndex("2")
MEMBERS = INDEX.orbit_size_batch(np.arange(169))


@pytest.mark.parametrize(("one", "other"), [("AcAd", "KhKs"), ("7c2d", "AhKh"), ("JsTs", "2h2d")])
def test_matchups_are_equities(one, other):
    """Suits that the classes leave open matter a little: the table holds the mean over all of them."""
    pairs, lead = class_matchups()
    first, second = INDEX.index(parse_cards(one)), INDEX.index(parse_cards(other))
    hands = {number: [] for number in (first, second)}
    for low in range(52):
        for high in range(low + 1, 52):
            if INDEX.index((low, high)) in hands:
                hands[INDEX.index((low, high))].append((low, high))
    met = [(a, b) for a in hands[first] for b in hands[second] if not {*a} & {*b}]
    assert pairs[first, second] == len(met)
    equal = {}  # many pairs are the same up to the names of suits
    both = IsomorphismIndex("2|2")
    for a, b in met:
        equal.setdefault(both.index(a + b), []).append((a, b))
    shares = (
        len(same) * compute_equity([format_cards(hand) for hand in same[0]]).equities[0] for same in equal.values()
    )
    mean = sum(shares) / len(met)
    assert 0.5 + lead[first, second] / (2 * len(met) * BOARDS) == pytest.approx(mean, abs=1e-12)


def test_the_whole_table():
    pairs, lead = class_matchups()
    assert pairs.sum() == 1326 * 1225
    assert (pairs.sum(axis=1) == 1225 * MEMBERS).all()
    assert (lead == -lead.T).all()
    assert (np.abs(lead) <= pairs * BOARDS).all()


@pytest.mark.parametrize(("stack", "jam", "call"), [(10, 0.583, 0.374), (20, 0.402, 0.217)])
def test_the_equilibrium_is_the_known_one(stack, jam, call):
    """The shares of hands jammed and called at 10 and 20 big blinds, as push-or-fold charts print them."""
    found = solve_jam_fold(nolimit_holdem(stack=100 * stack))
    assert found.jam @ MEMBERS / 1326 == pytest.approx(jam, abs=0.001)
    assert found.call @ MEMBERS / 1326 == pytest.approx(call, abs=0.001)
    assert -50 < found.value < 100


def test_no_answer_does_better():
    """Each seat's best reply, worked out hand by hand, wins no more than the value."""
    game = nolimit_holdem(stack=1500)
    jam, call, value = solve_jam_fold(game)
    pairs, lead = class_matchups()
    weight, sign = pairs / pairs.sum(), lead / (pairs.sum() * BOARDS)
    jammed = ((weight * (1 - call)).sum(axis=1) * 100) + (sign * call).sum(axis=1) * 1500
    folded = -50 * weight.sum(axis=1)
    assert np.maximum(jammed, folded).sum() == pytest.approx(value, abs=1e-9)
    called = (sign * jam).sum(axis=1) * 1500
    given_up = -100 * (weight * jam).sum(axis=1)
    walks = 50 * (weight * (1 - jam)).sum()
    assert np.maximum(called, given_up).sum() + walks == pytest.approx(-value, abs=1e-9)


def test_the_agent():
    check_agent("jam-fold", games=["holdem-nolimit-2p", nolimit_holdem(stack=1000)], hands=100)
    agent = load_agent("jam-fold")
    game = nolimit_holdem(stack=1000)
    agent.reset(game, 1)
    aces, trash = parse_cards("AcAd"), parse_cards("7c2d")
    first = State.start(game, Deal((trash, aces), ()))
    assert agent.act(first.seen_by(1)) == "r1000"
    assert agent.act(first.apply("r1000").seen_by(0)) == "f"
    assert agent.act(first.apply("r300").seen_by(0)) == "f"
    assert agent.act(first.apply("c").seen_by(0)) == "c"
    second = State.start(game, Deal((aces, trash), ()))
    assert agent.act(second.apply("r300").seen_by(0)) == "r1000"
    with pytest.raises(AgentError, match="heads-up no-limit hold'em, not leduc"):
        agent.reset(load_game("leduc"), 1)
    with pytest.raises(KibitzError, match="jam or fold is for"):
        solve_jam_fold(load_game("holdem-limit-2p"))


@pytest.mark.parametrize("stacks", [(100, 200), (70, 1000), (1000, 80)])
def test_calling_is_jamming_where_it_ends_the_betting(stacks):
    """Folding loses the blind of 50, calling is for the smaller stack: worth it with more than a quarter or so."""
    game = replace(nolimit_holdem(), stacks=stacks)
    found, (pairs, lead) = solve_jam_fold(game), class_matchups()
    edge = lead.sum(axis=1) / (pairs.sum(axis=1) * BOARDS)
    assert found.jam.tolist() == pytest.approx((edge * min(*stacks, 100) > -50).astype(float).tolist())
    assert (found.call == 1).all()
    check_agent("jam-fold", games=[game], hands=20)


@pytest.mark.parametrize(("blinds", "stacks"), [((100, 100), 1000), ((0, 0), 1000), ((50, 100), 1000), ((100, 50), 50)])
def test_games_without_a_choice_are_refused(blinds, stacks):
    game = replace(nolimit_holdem(), blinds=blinds, stacks=(stacks, stacks))
    agent = load_agent("jam-fold")
    assert not agent.plays(game)
    with pytest.raises(AgentError, match=r"jam-fold cannot play .*: blinds .* and stacks .* must owe a part"):
        agent.reset(game, 1)
    with pytest.raises(KibitzError, match="nothing to choose"):
        solve_jam_fold(game)

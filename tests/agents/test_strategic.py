"""Strategies at the table: read, choose, write."""

from collections import Counter

import numpy as np
import pytest

from arena.dealer_thread import Table
from kibitz.agents import load_agent
from kibitz.agents.strategic import StrategyAgent, load_strategy_agent
from kibitz.arena.match import play_match
from kibitz.errors import AgentError, KibitzError
from kibitz.games import AcpcCards, Deal, State, load_game
from kibitz.responses.best_response import expected_values
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy, save_strategy
from kibitz.testing import check_agent
from kibitz.translation import Reading
from kibitz.tree import Menu, build_tree

GAME = load_game("leduc-nolimit")
PROBLEM = Problem(GAME, "fcpa")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    solver = CFR(PROBLEM.vector, "dcfr")
    solver.step(200)
    folder = tmp_path_factory.mktemp("runs") / "leduc"
    save_strategy(solver.average_strategy(), folder)
    return folder


@pytest.mark.parametrize(
    "settings", ["", ",mapping=det-geo under 1, rand-arith,measure=chips,threshold=0.1,name=other"]
)
def test_it_keeps_the_contract_of_agents(folder, settings):
    check_agent(f"{folder}{settings}", games=["leduc-nolimit"], hands=300)


def test_over_the_dealer_it_plays_duplicate_hands_against_one_who_bets_any_size(folder):
    won = 0.0
    for seats in ((str(folder), "random"), ("random", str(folder))):
        table = Table("leduc-nolimit", 500, seed=7)
        for seat, agent in enumerate(seats):
            table.seat(seat, agent, seed=seat)
        table.finish()
        assert table.error is None
        assert table.warnings == []
        won += table.score.values[seats.index(str(folder))]
    assert won > 0


def test_against_itself_it_wins_what_the_strategy_is_worth():
    """On the menu nothing is translated, so the table and the solver's arithmetic must agree."""
    solver = CFR(PROBLEM.vector, "cfr+")
    solver.step(3)  # far from equilibrium, so that the value is its own
    strategy = solver.average_strategy()
    agents = [StrategyAgent(strategy, PROBLEM.sampled.deal) for _ in range(2)]
    hands = 20_000
    chips = play_match(GAME, agents, [1, 2], hands, cards=AcpcCards(3))
    first = chips[np.arange(hands), np.arange(hands) % 2]  # what position 0 won
    error = first.std() / hands**0.5
    assert first.mean() == pytest.approx(expected_values(PROBLEM.vector, strategy)[0], abs=4 * error)


def test_own_raises_keep_their_fraction_and_others_are_read(folder):
    agent = load_strategy_agent(f"{folder},mapping=det-psharmonic")
    agent.reset(GAME, 5)
    deal = Deal(((GAME.deck[0],), (GAME.deck[2],)), (GAME.deck[4],))
    seen = Counter()
    for _ in range(200):
        state = State.start(GAME, deal).apply("r3")  # half as much again as the pot of 2: read as the pot
        action = agent.act(state.seen_by(1))
        seen[action] += 1
        agent.observe(state, 1)
    # The pot after the call is 6: a pot-sized raise goes to 9, and the strategy has no other but all-in.
    assert set(seen) <= {"f", "c", "r9", "r12"}
    assert len(seen) > 1


def test_the_folder_one_is_in_has_a_name(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    assert load_agent(".").name == load_agent(str(folder)).name == "leduc"
    link = tmp_path / "best"
    link.symlink_to(folder)
    assert load_agent(str(link)).name == "best"


def test_wrong_settings(folder, tmp_path):
    with pytest.raises(AgentError, match=r"mood in .*: settings are mapping, measure"):
        load_agent(f"{folder},mood=bad")
    with pytest.raises(KibitzError, match="no mapping 'harmonic'"):
        load_agent(f"{folder},mapping=harmonic")
    with pytest.raises(AgentError, match="a number from 0 to 1"):
        load_agent(f"{folder},threshold=high")
    for threshold in ("nan", "-1", "2"):
        with pytest.raises(AgentError, match=f"threshold={threshold} in .*: a number from 0 to 1"):
            load_agent(f"{folder},threshold={threshold}")
    with pytest.raises(AgentError, match="mapping is set twice"):
        load_agent(f"{folder},mapping=det-geo,mapping=rand-arith")
    with pytest.raises(AgentError, match="settings are written like"):
        load_agent(f"{folder},fast")
    with pytest.raises(KibitzError, match=r"holds nothing that Kibitz has made: there is no manifest\.json"):
        load_agent(str(tmp_path))
    agent = load_strategy_agent(str(folder))
    with pytest.raises(AgentError, match=r"leduc plays leduc-nolimit, not leduc$"):
        agent.reset(load_game("leduc"), 1)
    with pytest.raises(AgentError, match="private states"):
        StrategyAgent(agent.strategy, Problem(GAME, "fcpa", suits_merged=False).sampled.deal, Reading())


def test_strategies_of_buckets_that_are_not_named(tmp_path):
    tree = build_tree(load_game("holdem-nolimit-2p"), [Menu.parse("all-in")] * 2)
    strategy = Strategy.uniform(Layout(tree, np.full((4, 2), 3), "some buckets"))
    save_strategy(strategy, tmp_path / "mine")
    with pytest.raises(AgentError, match=r"does not name its card abstraction: put Problem.describe_cards\(\)"):
        load_agent(str(tmp_path / "mine"))
    save_strategy(Strategy(strategy.layout, strategy.values, {"cards": "5-bucket"}), tmp_path / "mine")
    with pytest.raises(AgentError, match="5-bucket that does not tell its 'boards'"):
        load_agent(str(tmp_path / "mine"))

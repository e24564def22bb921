"""The case-based agent: its contract, its letters as actions, soft translation, fallbacks, settings."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl
import pytest

from kibitz.agents import load_agent
from kibitz.agents.case_based import CaseBasedAgent, load_case_agent
from kibitz.arena.match import play_match
from kibitz.cards import parse_cards
from kibitz.errors import AgentError, KibitzError
from kibitz.games import AcpcCards, Deal, State, load_game
from kibitz.modelling.cases import CaseBase, CaseIndex, Description, Reuse, build_cases, save_cases
from kibitz.modelling.cases.base import SCHEMA, merge
from kibitz.testing import check_agent
from modelling.expert_logs import play_log

GAME = load_game("holdem-nolimit-2p")
QUICK = Description(strength="made-hand")
LETTERS = QUICK.alphabet


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cases")
    log = play_log(folder / "match.log", ("loose-aggressive", "example-player"), 600)
    path = folder / "loose.cases"
    save_cases(build_cases([log], "loose-aggressive", QUICK).base, path)
    return path


@pytest.fixture(scope="module")
def limit_cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("limit")
    log = play_log(folder / "match.log", ("tight-aggressive", "example-player"), 400, game="holdem-limit-2p")
    path = folder / "limit.cases"
    save_cases(build_cases([log], "tight-aggressive", Description("fcr", "made-hand")).base, path)
    return path


@pytest.mark.parametrize("settings", ["", ",policy=majority,spread=0", ",policy=best-outcome,mapping=rand-psharmonic"])
def test_it_keeps_the_contract(cases, settings):
    check_agent(partial(load_case_agent, f"{cases}{settings}"), hands=60)


def test_the_limit_variant_keeps_the_contract(limit_cases):
    agent = load_case_agent(str(limit_cases))
    assert agent.plays(load_game("holdem-limit-2p"))
    assert not agent.plays(GAME)
    check_agent(partial(load_case_agent, str(limit_cases)), hands=60)


def test_it_plays_what_its_cases_are_of(cases):
    agent = load_case_agent(str(cases))
    assert agent.name == "loose"
    assert [agent.plays(load_game(name)) for name in ("leduc", "holdem-limit-2p", "holdem-nolimit-3p")] == [False] * 3
    with pytest.raises(AgentError, match="does not play leduc"):
        agent.reset(load_game("leduc"), 0)


def agent_of(*rows: tuple, **reuse) -> CaseBasedAgent:
    base = CaseBase(merge([pl.DataFrame(list(rows), schema=SCHEMA, orient="row")]), QUICK)
    agent = CaseBasedAgent(CaseIndex(base), Reuse(**reuse))
    agent.reset(GAME, 5)
    return agent


def row(sequence: str, letter: str, count: int = 1, strength: int = 20, outcome: int = 0) -> tuple:
    return sequence, strength, 1, 0, LETTERS.index(letter), count, outcome


def state_after(history: str, hole: str = "AhKd", board: str = "") -> State:
    state = State.start(GAME).play(history)
    holes = tuple(parse_cards(hole) if player == state.player else () for player in range(2))
    return state._replace(deal=Deal(holes, parse_cards(board)))


@pytest.mark.parametrize(
    ("letter", "action"),
    [("f", "f"), ("c", "c"), ("q", "r200"), ("h", "r200"), ("i", "r250"), ("p", "r300"), ("d", "r500"), ("v", "r1100"),
     ("t", "r2100"), ("a", "r20000")],
)  # fmt: skip
def test_letters_become_actions(letter, action):
    """The pot after the call is 200; a quarter of it is below the smallest raise."""
    assert agent_of(row("", letter), spread=0.0).act(state_after("")) == action


def test_impossible_actions_are_calls():
    assert agent_of(row("c", "f")).act(state_after("c")) == "c"
    assert agent_of(row("a", "p")).act(state_after("r20000")) == "c"
    assert agent_of(row("a", "a")).act(state_after("r20000")) == "c"


def test_the_reverse_translation_spreads():
    """Equation 4: with a spread of 0.3, what would be 1,000 chips becomes 700 to 1,300."""
    agent = agent_of(row("", "v"))
    amounts = []
    for _ in range(300):
        amounts.append(int(agent.act(state_after(""))[1:]) - 100)
        agent.observe(state_after(""), 1)
    assert min(amounts) >= 700
    assert max(amounts) <= 1300
    assert min(amounts) < 730
    assert max(amounts) > 1270


def test_what_it_did_before_stays_as_read():
    agent = agent_of(row("", "p"), row("pc-", "c"), row("ic-", "c"))
    state = state_after("r270c/", board="2c7d9h")
    first = agent.explain(state).features.sequence
    assert all(agent.explain(state).features.sequence == first for _ in range(20))
    read = set()
    for _ in range(40):
        agent.observe(state, 0)
        read.add(agent.explain(state).features.sequence)
    assert read == {"ic-", "pc-"}  # soft translation: 0.85 pots is either


def test_an_earlier_decision_is_explained_as_it_was_read():
    agent = agent_of(row("", "p"), row("pc-", "c"), row("ic-", "c"), row("pc-cc-", "c"), row("ic-cc-", "c"))
    flop, turn = state_after("r270c/", board="2c7d9h"), state_after("r270c/cc/", board="2c7d9hTs")
    for _ in range(20):
        agent.act(flop)
        read = agent.explain(flop).features.sequence
        agent.act(turn)
        assert agent.explain(flop).features.sequence == read
        assert agent.explain(turn).features.sequence == f"{read}cc-"
        agent.observe(turn, 0)


def test_fallbacks_are_counted():
    agent = agent_of(row("", "p"), floor=0.99)
    assert agent.act(state_after("r300r900")) == "c"
    assert (agent.decisions, agent.fallbacks) == (1, 1)
    assert agent.act(state_after("", "3s2h")) == "c"  # too far from strength 20
    assert (agent.decisions, agent.fallbacks) == (2, 2)
    agent.reset(GAME, 0)
    assert (agent.decisions, agent.fallbacks) == (0, 0)


def test_policies_decide():
    rows = row("", "f", 6, outcome=-300), row("", "c", 3, outcome=9000), row("", "a", 1, outcome=1000)
    assert agent_of(*rows, policy="majority").act(state_after("")) == "f"
    assert agent_of(*rows, policy="best-outcome").act(state_after("")) == "c"
    agent = agent_of(*rows)
    taken = []
    for _ in range(400):
        taken.append(agent.act(state_after("")))
        agent.observe(state_after(""), 1)
    shares = [taken.count(action) / 400 for action in ("f", "c", "r20000")]
    assert np.allclose(shares, [0.6, 0.3, 0.1], atol=0.07)


def test_it_imitates(cases):
    """Against somebody who always calls, a loose-aggressive expert bets much, and so does who imitates it."""
    bets = {}
    for name, agent in (("expert", load_agent("loose-aggressive")), ("imitation", load_case_agent(str(cases)))):
        seen: list[str] = []
        players = [agent, load_agent("always-call")]
        play_match(GAME, players, [1, 2], 150, AcpcCards(3), lambda _hand, state, seen=seen: seen.append(state.history))
        bets[name] = sum(text.count("r") for text in seen) / sum(len(text) for text in seen)
    assert bets["imitation"] == pytest.approx(bets["expert"], rel=0.35)


def test_settings(cases):
    agent = load_case_agent(
        f"{cases},policy=majority,mapping=det-geo under 1, rand-psharmonic,spread=0.1,floor=0.4,slope=3,decay=0.1,"
        "weights=1:2:0:1,name=sartre"
    )
    assert agent.name == "sartre"
    assert agent.policy.reuse == Reuse("majority", "det-geo under 1, rand-psharmonic", 0.1, 0.4)
    assert agent.policy.index.similarity.weights == (1, 2, 0, 1)
    assert (agent.policy.index.similarity.slope, agent.policy.index.similarity.decay) == (3, 0.1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("policy=mean", "there are probabilistic"),
        ("spread=2", "from 0 to 1"),
        ("spread=x", "are numbers"),
        ("weights=1:1", "weights four"),
        ("colour=red", "settings are policy"),
        ("mapping=none", "no mapping"),
    ],
)
def test_bad_settings(cases, settings, message):
    with pytest.raises(KibitzError, match=message):
        load_case_agent(f"{cases},{settings}")


def test_a_missing_file(tmp_path):
    with pytest.raises(AgentError, match="no such file"):
        load_case_agent(str(tmp_path / "none.cases"))

"""Bots of populations as agents."""

import numpy as np
import pytest

from kibitz.agents.registry import absolute_agent, agent_files, load_agent
from kibitz.errors import AgentError
from kibitz.games import Deal, State, load_game
from kibitz.learning.population import load_population, save_population
from kibitz.learning.tables import TableRules
from kibitz.policy import known_policy
from kibitz.policy.strengths import all_hands
from kibitz.responses.local import local_samples
from kibitz.testing import check_agent, check_policy


@pytest.mark.parametrize("name", ["hs-03", "rule-b2", "sim-1", "maniac-1"])
def test_bots_keep_the_contract_of_agents(name):
    agent = load_agent(f"population:{name}")
    assert agent.name == name
    assert agent.plays(load_game("holdem-limit-2p"))
    check_agent(lambda: load_agent(f"population:{name}"), ["holdem-limit-2p", "holdem-limit-3p"], hands=30)


def test_a_bot_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_population(load_population("switchable"), tmp_path / "mine.json")
    text = "population:timid-2,from=mine.json"
    assert load_agent(text).name == "timid-2"
    assert absolute_agent(text) == f"population:timid-2,from={tmp_path / 'mine.json'}"
    assert absolute_agent("population:hs-01") == "population:hs-01"
    assert [str(path) for path in agent_files(text)] == ["mine.json"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("population:hs-99", "no bot 'hs-99' in the population calibrated"),
        ("population:hs-01,from=nowhere.json", "no population nowhere.json"),
        ("population:hs-01,speed=3", "settings are from"),
    ],
)
def test_mistakes_are_told(text, said):
    with pytest.raises(AgentError, match=said):
        load_agent(text)


def test_other_games_are_refused():
    agent = load_agent("population:hs-01")
    assert not agent.plays(load_game("holdem-nolimit-2p"))
    with pytest.raises(AgentError, match="limit hold'em"):
        agent.reset(load_game("holdem-nolimit-2p"), 0)
    with pytest.raises(AgentError, match="0 board cards after 'cc/': 3 are needed"):
        agent.policy.probabilities(State.start(load_game("holdem-limit-2p")).apply("c").apply("c"), DECK, ())


DECK = all_hands(load_game("holdem-limit-2p"))


@pytest.mark.parametrize("name", ["rule-b2", "station-1"])
def test_bots_without_samples_do_what_their_policy_says(name):
    check_policy(lambda: load_agent(f"population:{name}"), ["holdem-limit-2p", "holdem-limit-3p"], hands=12)


@pytest.mark.parametrize("name", ["hs-03", "sim-2", "timid-1"])
def test_probabilities_are_those_of_the_next_action(name):
    """In a match, the policy knows what the agent has seen, and how it will sample: it never does the impossible."""
    game, agent, other = load_game("holdem-limit-2p"), load_agent(f"population:{name}"), load_agent("loose-aggressive")
    policy, met, raises = known_policy(agent), 0, []
    for player in (agent, other):
        player.reset(game, 5)
    rng = np.random.default_rng(2)
    for number in range(30):
        cards = rng.permutation(52)[:9].tolist()
        state = State.start(game, Deal((tuple(cards[:2]), tuple(cards[2:4])), tuple(cards[4:])))
        while not state.finished:
            seen = state.seen_by(state.player)
            if state.player != number % 2:
                state = state.apply(other.act(seen))
                continue
            chances = policy.probabilities(seen, DECK, seen.board)
            free = ~np.isin(DECK, seen.board).any(axis=1)
            assert chances[:, free].sum(axis=0) == pytest.approx(1)
            assert (chances[:, ~free] == 0).all()
            own = np.flatnonzero((np.sort(DECK, axis=1) == sorted(seen.hole[seen.player])).all(axis=1))
            action = agent.act(seen)
            place = [each.text for each in policy.actions(seen)].index(action)
            assert chances[place, own[0]] > 0
            raises.append((chances[-1, own[0]], action == "r"))
            met += state.round > 0
            state = state.apply(action)
        for position, player in enumerate((agent, other)):
            player.observe(state.seen_by((position + number) % 2), (position + number) % 2)
    assert met > 10
    said, done = np.array(raises, dtype=float).T
    assert abs((done - said).sum()) < 4 * np.sqrt((said * (1 - said)).sum()) + 1e-6


def test_the_policy_knows_the_match_so_far():
    game, agent = TableRules().game(2), load_agent("population:hs-08")
    assert agent.policy.name == "hs-08"
    agent.reset(game, 3)
    state = State.start(game).apply("c").apply("c")
    board = (0, 17, 34)
    first, before = agent.policy.probabilities(state, DECK, board), agent.policy.fingerprint
    assert np.array_equal(first, agent.policy.probabilities(state, DECK, board))
    for _ in range(20):
        agent.observe(state.apply("r").apply("f"), 1)
    assert agent.policy.fingerprint != before
    assert np.abs(first - agent.policy.probabilities(state, DECK, board)).max() > 0.05
    agent.reset(game, 3)
    assert agent.policy.fingerprint == before
    assert np.array_equal(first, agent.policy.probabilities(state, DECK, board))


def test_a_local_best_response_beats_a_bot():
    game = load_game("holdem-limit-2p")
    samples = [*local_samples(known_policy(load_agent("population:timid-2")), game, 3, 1)]
    assert np.mean(samples) > 0

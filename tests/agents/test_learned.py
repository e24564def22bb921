"""Agents from self-play at the table: contracts, probabilities against the plain formulas, explanations."""

import numpy as np
import pytest

import kibitz
from kibitz.agents import load_agent
from kibitz.agents.learned import LearnedAgent
from kibitz.agents.registry import agent_files
from kibitz.errors import AgentError
from kibitz.games import State, deal_hands, load_game
from kibitz.learning import Model, Structure, rules_of, save_model
from kibitz.learning.responses import response_artefact
from kibitz.plans import save_artefact
from kibitz.testing import check_agent, check_policy
from learning.plain_structure import Plain


def model(seed=1, **options):
    made = Model.random(Structure(**options), seed, 0.3)
    made.weights.values[:] *= 3
    return made


@pytest.fixture
def folder(tmp_path):
    save_model(model(), tmp_path / "agent")
    return tmp_path / "agent"


@pytest.mark.parametrize("game", ["holdem-limit-2p", "holdem-limit-3p", "holdem-limit-6p"])
def test_contracts(folder, game):
    check_agent(str(folder), [game], hands=12)
    check_policy(str(folder), [game], hands=8, draws=200)


def test_it_plays_by_its_folder(folder):
    agent = load_agent(str(folder))
    assert agent.name == "agent"
    assert load_agent(f"{folder},name=mine").name == "mine"
    assert [path.name for path in agent_files(str(folder))] == ["manifest.json", "weights.npy"]
    with pytest.raises(AgentError, match="settings are name"):
        load_agent(f"{folder},mapping=det-geo")


def test_games_without_limit_betting_are_refused(folder):
    agent = load_agent(str(folder))
    for game in ("holdem-nolimit-2p", "leduc", "kuhn"):
        with pytest.raises(AgentError, match="limit hold'em"):
            agent.reset(load_game(game), 0)
        assert not agent.plays(load_game(game))
    assert agent.plays(load_game("holdem-limit-3p"))
    assert rules_of(load_game("holdem-limit-3p")).cap == 4


def test_a_response_plays_with_the_beliefs_of_another_observer(tmp_path):
    """At the table, and in tables of all hands; nobody tabulates it by board."""
    policy, observer = model(1, chips="saturating"), model(2, chips="saturating")
    save_artefact(response_artefact(policy, observer), tmp_path / "response")
    check_agent(str(tmp_path / "response"), ["holdem-limit-3p"], hands=6)
    check_policy(str(tmp_path / "response"), ["holdem-limit-3p"], hands=4, draws=200)
    agent, game = load_agent(str(tmp_path / "response")), load_game("holdem-limit-2p")
    deal = next(deal_hands(game, seed=3))
    state = State.start(game, deal).play("rc/cr")
    hand = np.array([deal.hole[state.player]], dtype=np.uint8)
    found = agent.policy.probabilities(state, hand, state.board)[:, 0]
    np.testing.assert_array_equal(agent.policy.beliefs(state), LearnedAgent(observer).policy.beliefs(state))
    assert not np.allclose(found, LearnedAgent(policy).policy.probabilities(state, hand, state.board)[:, 0])
    mixed = observer.copy()  # what it does is what its own weights make of these beliefs
    for name in ("bets", "values", "costs", "beliefs", "own", "cards"):
        getattr(mixed.weights, name)[:] = getattr(policy.weights, name)
    plain, watching = Plain(mixed), Plain(observer)
    plain.type_chances = watching.type_chances
    unit = rules_of(game).game(2)
    _, chances, _, _ = plain.walk(unit, deal.hole, deal.board, [2, 1, 1, 2, 1, *rest_of(state)])
    np.testing.assert_allclose(found, chances[4], atol=1e-12)
    told = agent.explain(state)  # of its own weights, and of what the observer believes
    values = np.array([0.0, told.options["call"].value, told.options["raise"].value])
    np.testing.assert_allclose(found, np.exp(values) / np.exp(values).sum())
    np.testing.assert_array_equal(told.beliefs, agent.policy.beliefs(state))
    with pytest.raises(AgentError, match="another observer"):
        agent.policy.in_game(game)


@pytest.mark.parametrize("options", [{}, {"self_aware": True}, {"public_observer": True, "profile": "listed"}])
def test_probabilities_are_those_of_the_plain_formulas(options):
    """At the stakes of the ACPC, decision by decision."""
    made = model(3, **options)
    agent, plain, noise = LearnedAgent(made), Plain(made), np.random.default_rng(0)
    game = load_game("holdem-limit-3p")
    unit = rules_of(game).game(3)
    for deal in [each for each, _ in zip(deal_hands(game, seed=1), range(4), strict=False)]:
        state, actions = State.start(game, deal), []
        while not state.finished:
            hands = np.array([state.hole[state.player]], dtype=np.uint8)
            found = agent.policy.advise(state, hands, state.board)[:, 0]
            legal = [text for text in "fcr" if text in state.legal()]
            _, chances, _, _ = plain.walk(unit, deal.hole, deal.board, [*actions, 1, *rest_of(state)])
            np.testing.assert_allclose(found, chances[len(actions)], atol=1e-12)
            action = str(noise.choice(legal))
            actions.append("fcr".index(action))
            state = state.apply(action)


def rest_of(state):
    """Calls to the end of the hand, after one."""
    after, count = state.apply("c"), 0
    while not after.finished:
        after, count = after.apply("c"), count + 1
    return [1] * count


def test_an_explanation_adds_up(folder):
    agent = load_agent(str(folder))
    game = load_game("holdem-limit-2p")
    state = State.start(game, next(deal_hands(game, seed=3))).play("rc/cr")
    found = agent.explain(state)
    assert found.stage == "flop"
    assert found.probabilities.keys() == {"fold", "call", "raise"}
    values = np.array([0.0, found.options["call"].value, found.options["raise"].value])
    chances = np.exp(values) / np.exp(values).sum()
    np.testing.assert_allclose(list(found.probabilities.values()), chances)
    for option in found.options.values():
        assert sum(option.outcomes) == pytest.approx(1)
    assert found.options["call"].cost == 2.0
    np.testing.assert_allclose(np.sum(found.beliefs, axis=1), 1)
    assert any(name.startswith("board, flop") for name in found.cards)
    np.testing.assert_allclose(agent.policy.beliefs(state), found.beliefs)
    with pytest.raises(AgentError, match="over"):
        agent.explain(state.play("f"))


def test_a_match(folder):
    found = kibitz.play_match([str(folder), "always-call", "always-raise"], game="holdem-limit-3p", hands=20)
    assert sum(rate.mean for rate in found.rates.values()) == pytest.approx(0, abs=1e-6)


def test_a_person_can_ask_what_it_believes(folder):
    import io

    from kibitz.agents.human import HumanAgent

    screen, agent = io.StringIO(), load_agent(str(folder))
    human = HumanAgent(opponents=["agent"], input=io.StringIO("b\nc\n"), output=screen, adviser=agent.describe_beliefs)
    game = load_game("holdem-limit-2p")
    human.reset(game, 0)
    state = State.start(game, next(deal_hands(game, seed=3)))
    assert human.act(state) == "c"
    shown = screen.getvalue()
    assert "b  what is believed of everybody" in shown
    assert "probabilities of the eight card-types" in shown
    assert "with these cards agent would fold" in shown

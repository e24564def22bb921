"""The agent plays the sequence-form mixture, learns as its bandit says, and the same in compiled tables."""

import numpy as np
import pytest

from agents.implicit.small_experts import experts, problem, rival, strategy
from kibitz.agents import load_agent
from kibitz.agents.implicit import ImplicitAgent, Learning
from kibitz.agents.implicit.tables import TableMatch, can_play, play_tables, table_match
from kibitz.agents.strategic import StrategyAgent
from kibitz.agents.switching import SwitchingAgent
from kibitz.arena.match import Match, play_match
from kibitz.bandits import BanditError, Exp3G
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, Deal, State, load_game
from kibitz.modelling.estimators import Experts, Hand, imaginary_value
from kibitz.policy.mixtures import MixturePolicy
from kibitz.policy.strategies import StrategyPolicy
from kibitz.random import derive_seed
from kibitz.responses.best_response import best_response
from kibitz.testing import check_agent

NAN = float("nan")
LEARNINGS = [
    Learning(rate=0.1),
    Learning(rate=0.1, share=0.02, seats="each"),
    Learning(estimator="importance", discount=0.99, explore="mix"),
    Learning(estimator="folds", rate=0.05),
    Learning(bandit="ucb1"),
    Learning(bandit="ucb1", estimator="imaginary", discount=0.99, seats="each"),
]


def play(agent, other, hands=300, seeds=(1, 2), deal_seed=5):
    game = agent.experts.tree.game
    match = Match(game, AcpcCards(deal_seed), [agent, other], seeds, hands=hands)
    return np.array([hand.chips for hand in match.play_out()])


def test_actions_are_those_of_the_mixture():
    """Drawn often enough, an action has the probability that the mixture as a policy gives it."""
    of = problem("leduc")
    agent = ImplicitAgent(experts(of), Learning(bandit="static", weights=(0.5, 0.3, 0.2)))
    mixture = MixturePolicy(agent.experts.policies, [0.5, 0.3, 0.2])
    game = of.game
    start = State.start(game, Deal(((game.deck[4],), (game.deck[0],)), (game.deck[2],)))
    counts, seconds = np.zeros(2), 0
    agent.reset(game, 3)
    for _ in range(4000):
        state, first = start, agent.act(start.seen_by(0))
        if first == "c":  # raised by the other, it acts again: what it did tells of who it is
            state = state.apply("c").apply("r")
            counts += [1, agent.act(state.seen_by(0)) == "c"]
            seconds += 1
        agent._choices.clear()
        agent._begun = False
        agent._dice.next_hand()
        agent._tracker.restart()
    hand = np.array([[game.deck[4]]], dtype=np.uint8)
    place = start.apply("c").apply("r")
    chances = mixture.probabilities(place, hand, ())[:, 0]
    expected = chances[[action.text for action in mixture.actions(place)].index("c")]
    assert counts[1] / counts[0] == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / seconds))


def test_an_explanation_has_the_weights_and_what_each_expert_does():
    of = problem("leduc")
    agent = ImplicitAgent(experts(of), Learning(rate=0.5))
    match = Match(of.game, AcpcCards(4), [agent, None], [1, 2])
    explained = 0
    for _ in range(12):
        while not match.advance().finished:
            match.play("r" if "r" in match.state.legal() else "c")
        past, reach, seat = State.start(of.game, match.state.deal), agent.weights(match.seats.index(0)), 0
        for action in match.state.history.replace("/", ""):
            if match.seats[past.player] == seat:
                found = agent.explain(past.seen_by(past.player))
                hole = np.array([past.hole[past.player]], dtype=np.uint8)
                plain = [each.probabilities(past, hole, past.board)[:, 0] for each in agent.experts.policies]
                assert found.weights == pytest.approx(reach / reach.sum())
                assert np.allclose(found.chances, plain)
                reach = reach * found.chances[:, found.actions.index(action)]
                explained += 1
            past = past.apply(action)
        match.close_hand()
    assert explained > 20
    with pytest.raises(AgentError, match="no decision"):
        agent.explain(State.start(of.game, Deal(((of.game.deck[0],), ()), ())))


def test_the_trace_is_that_of_the_bandit_and_of_imaginary_observations():
    of = problem("leduc")
    agent, told, ends = ImplicitAgent(experts(of), Learning(rate=0.2)), [], []
    agent.watch = told.append
    match = Match(of.game, AcpcCards(4), [agent, rival(of)], [1, 2], hands=40)
    for hand in match.play_out():
        ends.append(hand)
    bandit = Exp3G(3, 0.2)
    for step, hand in zip(told, ends, strict=True):
        assert np.allclose(step.weights, bandit.weights())
        assert step.unit == "antes"
        assert step.won == hand.chips[0]
        seen = hand.state.seen_by(step.position)
        mixture = MixturePolicy(agent.experts.policies, step.weights)
        record = Hand(of.game, seen.deal, list(seen.history.replace("/", "")), seen.returns())
        for k, policy in enumerate(agent.experts.policies):
            assert step.estimates[k] == pytest.approx(imaginary_value(record, step.position, mixture, policy))
        bandit.update(step.estimates)
    assert np.allclose(agent.weights(), bandit.weights())


@pytest.mark.parametrize("learning", LEARNINGS, ids=lambda each: f"{each.bandit}-{each.rewards}")
def test_compiled_tables_play_what_the_engine_plays(learning):
    of = problem("leduc")
    agent, told = ImplicitAgent(experts(of), learning), []
    agent.watch = told.append
    chips = play(agent, rival(of))
    found = TableMatch(agent.experts, learning, (rival(of),)).play(300, AcpcCards(5), (1, 2))
    assert (found.chips == chips[:, 0]).all()
    assert np.allclose(found.weights, [step.weights for step in told])
    assert np.allclose(found.estimates, [step.estimates for step in told], equal_nan=True)


def test_tables_against_one_who_changes_and_on_the_other_seat():
    of = problem("leduc")
    agent = ImplicitAgent(experts(of))
    other = SwitchingAgent([rival(of, 1), rival(of, 2)], [100])
    assert can_play(of.game, [other, agent])
    chips = play_match(of.game, [other, agent], [8, 9], 250, AcpcCards(3))
    assert (play_tables([other, agent], [8, 9], 250, AcpcCards(3)) == chips).all()
    assert derive_seed(8, 0) != derive_seed(8, 1)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_a_match_is_played_by_tables_where_nobody_watches(game, monkeypatch):
    of, other = problem(game), rival(problem(game))
    agent = ImplicitAgent(experts(of))
    by_engine = play(agent, other, 1100)
    monkeypatch.setattr(Match, "play_out", None)  # the engine would fail
    assert (play_match(of.game, [agent, other], [1, 2], 1100, AcpcCards(5)) == by_engine).all()


def test_what_is_not_played_by_tables():
    of, other = problem("leduc"), problem("leduc-nolimit", "fcpa")
    agent = ImplicitAgent(experts(of))
    assert table_match(agent, rival(of)) is not None
    assert table_match(agent, rival(problem("kuhn"))) is None
    assert table_match(rival(of), agent) is None
    assert table_match(ImplicitAgent(experts(other)), rival(other)) is None  # its bets are translated
    assert table_match(ImplicitAgent(experts(of), Learning(bandit="exp3")), rival(of)) is None
    assert not can_play(load_game("kuhn"), [agent, rival(of)])


def test_no_limit_bets_are_translated_for_all_experts_at_once():
    of = problem("leduc-nolimit", "fcpa")
    agent, told = ImplicitAgent(experts(of), Learning(rate=0.1)), []
    agent.watch = told.append
    play(agent, load_agent("random"), 200)
    assert np.isfinite([step.estimates for step in told]).all()
    assert np.ptp(agent.weights()) > 0.01


def test_the_best_expert_gets_the_weight():
    """Experts that respond to two opponents: each is found, and exp3 and ucb1 win too."""
    of = problem("leduc")
    others = [strategy(of, seed) for seed in (1, 2)]
    answers = [best_response(of.vector, each)[0] for each in others]
    both = Experts([StrategyPolicy(each, of.sampled_deal, name=str(k)) for k, each in enumerate(answers)])
    for k, each in enumerate(others):
        opponent = StrategyAgent(each, of.sampled_deal)
        found = TableMatch(both, Learning(), (opponent,)).play(2000, AcpcCards(7), (1, 2))
        assert found.weights[-1].argmax() == k
        assert found.weights[-1].max() == pytest.approx(0.98)
        ucb = TableMatch(both, Learning(bandit="ucb1"), (opponent,)).play(2000, AcpcCards(7), (1, 2))
        assert ucb.weights[1000:].mean(axis=0).argmax() == k


def test_exp3_and_static_play_too():
    of = problem("kuhn")
    for learning in (Learning(bandit="exp3", gamma=0.3), Learning(bandit="static")):
        agent = ImplicitAgent(experts(of), learning)
        assert play(agent, rival(of), 100).shape == (100, 2)


@pytest.mark.parametrize(
    ("game", "menu", "learning"),
    [
        ("leduc", "full", Learning(rate=0.1)),
        ("leduc-nolimit", "fcpa", Learning(share=0.01, seats="each")),
        ("kuhn", "full", Learning(bandit="exp3")),
        ("kuhn", "full", Learning(bandit="ucb1", estimator="imaginary")),
    ],
)
def test_it_keeps_the_contract_of_agents(game, menu, learning):
    both = experts(problem(game, menu))
    check_agent(lambda: ImplicitAgent(both, learning), [game], hands=30)


def test_a_match_can_be_repeated():
    of = problem("leduc")
    agent = ImplicitAgent(experts(of))
    first = play(agent, rival(of), 100)
    assert (play(agent, rival(of), 100) == first).all()


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Learning(bandit="thompson"), "bandit 'thompson': one of exp3g, ucb1, exp3, static"),
        (lambda: Learning(estimator="divat"), "estimator 'divat': one of importance"),
        (lambda: Learning(estimator="money"), "exp3g by money"),
        (lambda: Learning(seats="both"), "seats 'both'"),
        (lambda: ImplicitAgent(experts(problem("kuhn")), Learning(least=0.5)), "a least weight of 0.5 for 3 arms"),
        (lambda: ImplicitAgent(experts(problem("kuhn")), Learning(rate=NAN)), "rate = nan"),
        (
            lambda: ImplicitAgent(
                experts(problem("kuhn")), Learning(bandit="static", weights=(1.0, float("nan"), 0.0))
            ),
            "not all of them are finite",
        ),
        (lambda: ImplicitAgent(experts(problem("kuhn"))).reset(load_game("leduc"), 0), "plays kuhn, not leduc"),
    ],
)
def test_what_is_refused(make, text):
    with pytest.raises((AgentError, BanditError), match=text):
        make()

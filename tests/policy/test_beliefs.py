"""What can be said of agents from outside: their ranges after any betting, and who cannot be looked at."""

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.agents.human import HumanAgent
from kibitz.cards import parse_cards
from kibitz.errors import AgentError
from kibitz.games import Deal, State
from kibitz.policy import policy_of
from kibitz.policy.hands import HOLES
from responses.plain_local import TREE, PlainResponder, number, toy_agent
from responses.plain_real import toy_policy

BOARD = parse_cards("2c7dTh Js 3s")
HOLE = parse_cards("AsTd")


def follow(plain: PlainResponder, actions: str):
    """The point that actions lead to."""
    point = plain.start()
    for action in actions.split():
        point = plain.answers(point)[action] if point[0].player == plain.agent else plain.hear(point, action)
    return point


def test_ranges_of_hands_on_the_menu_are_products_of_probabilities():
    _agent, view = toy_agent(1, "det-geo")
    plain = PlainResponder(view, TREE.game, 1, HOLE, BOARD)
    wanted, state = np.ones(len(HOLES)), State.start(TREE.game)
    for action in ("r300", "c", "r900", "c"):
        if state.player == 1:
            node = TREE.find(state.history)
            first = int(TREE.first_child[node])
            wanted = wanted * toy_policy(TREE, 1).at(node, BOARD)[TREE.actions.index(action, first) - first]
        state = state.apply(action)
    _state, _belief, reach = follow(plain, "r300 c r900 c")
    assert reach.sum(axis=0) == pytest.approx(wanted, rel=1e-6)
    assert wanted.any()


@pytest.mark.parametrize("bet", ["r450", "r1100"])
def test_dice_are_not_seen_but_reckoned_with(bet):
    agent, view = toy_agent(2, "rand-psharmonic")
    game, hole = TREE.game, parse_cards("KsQs")
    plain = PlainResponder(view, game, 1, HOLE, BOARD)
    point = follow(plain, f"c {bet}")  # off the menu: the agent throws dice to read it
    assert point[1].hypotheses == 2
    assert point[2].sum(axis=0) == pytest.approx(follow(plain, "c")[2].sum(axis=0))  # it holds what it held
    before, after = (each[2].sum(axis=0)[number(hole)] for each in (point, plain.answers(point)["f"]))
    fold = after / before
    acting = State.start(game, Deal(((), hole), ())).apply("c").apply(bet)
    draws = 3000
    folded = 0
    for seed in range(draws):
        agent.reset(game, seed)
        folded += agent.act(acting) == "f"
    assert folded / draws == pytest.approx(fold, abs=4 * np.sqrt(0.25 / draws))
    assert 0.02 < fold < 0.98


def test_answers_add_up():
    _agent, view = toy_agent(3, "rand-psharmonic")
    plain = PlainResponder(view, TREE.game, 1, HOLE, BOARD)
    point = follow(plain, "c r450")
    answers = plain.answers(point)
    assert {"f", "c"} < answers.keys()
    assert sum(each[2].sum(axis=0) for each in answers.values()) == pytest.approx(point[2].sum(axis=0), rel=1e-6)


@pytest.mark.parametrize("name", ["random", "example-player", "always-raise"])
def test_frequencies_name_one_size_for_all(name):
    view = policy_of(load_agent(name))
    state = State.start(TREE.game)
    belief = view.start(TREE.game, 1)
    answers = belief.answers(state, lambda: 0.999999)
    chances = view.chances(1, HOLES, ())(answers[0].transitions[0].key)
    assert chances.sum() == pytest.approx(1)
    assert answers[-1].action == ("r300" if name == "always-raise" else "r2000")
    assert view.draws_sizes == (name != "always-raise")
    assert belief.answers(state, lambda: 0.0)[-1].action == ("r300" if name == "always-raise" else "r200")


@pytest.mark.parametrize("agent", [load_agent("jam-fold"), HumanAgent()], ids=lambda agent: agent.name)
def test_those_who_only_play_are_refused(agent):
    with pytest.raises(AgentError) as caught:
        policy_of(agent)
    for word in (agent.name, "only plays", "folder of a strategy", "always-call", "tight-passive", "kibitz match"):
        assert word in str(caught.value)

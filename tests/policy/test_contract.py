"""The contract of policies: every kind of player keeps it, and each way to break it is caught."""

import numpy as np
import pytest

from kibitz.agents import FrequencyAgent, load_agent
from kibitz.agents.rules import STYLES, RuleAgent
from kibitz.agents.strategic import StrategyAgent
from kibitz.errors import AgentError
from kibitz.games import load_game
from kibitz.policy import Action, known_policy, policy_of
from kibitz.policy.base import Policy
from kibitz.policy.frequencies import FrequencyPolicy
from kibitz.policy.rules import RulePolicy
from kibitz.random import Dice
from kibitz.responses.local import local_response
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy
from kibitz.testing import check_policy
from kibitz.translation import Reading
from modelling.estimators.variance_hands import number_of
from policy.functions import FunctionPolicy
from responses.plain_local import TREE, toy_agent


def mixed():
    return FrequencyAgent.of("mixed", {"call": 1, "pot": 1, "any": 2}, {"fold": 1, "call": 1, "min": 1, "any": 3})


@pytest.mark.parametrize("spec", ["random", "example-player", "always-raise", "always-fold", mixed])
def test_frequencies_keep_the_contract(spec):
    check_policy(spec)


@pytest.mark.parametrize("spec", [*list(STYLES)[1::2], "rules:tightness=1,aggression=0.3,bluffing=0.6,size=2"])
def test_rules_keep_the_contract(spec):
    check_policy(spec, hands=12)


@pytest.mark.parametrize("mapping", ["rand-psharmonic", "det-geo"])
@pytest.mark.parametrize(("game", "menu"), [("kuhn", "fcpa"), ("leduc", "fcpa"), ("leduc-nolimit", "0.5, 1, all-in")])
def test_strategies_keep_the_contract(game, menu, mapping):
    problem = Problem(load_game(game), menu)
    strategy = Strategy.from_sums(problem.vector.layout, np.random.default_rng(2).random(problem.vector.layout.size))
    check_policy(lambda: StrategyAgent(strategy, problem.sampled.deal, Reading(mapping)), [game], hands=60)


def test_strategies_of_buckets_keep_the_contract():
    check_policy(lambda: toy_agent(2, "rand-psharmonic")[0], [TREE.game], hands=20, draws=200)


class Own:
    """A player of one's own: a function as a policy, and dice."""

    name = "own"

    def __init__(self, sums_to=1.0, acts=None):
        self._sums_to, self._acts = sums_to, acts

    @property
    def policy(self):
        return FunctionPolicy(self.chances, "own", self.name)

    def chances(self, state):
        actions = [action for action in state.legal().actions() if action[0] != "r" or action == "r"]
        weights = [0.05 + number_of(state.history, state.hole[state.player], action) for action in actions]
        return {action: self._sums_to * weight / sum(weights) for action, weight in zip(actions, weights, strict=True)}

    def reset(self, game, seed):
        self._dice = Dice(seed)

    def act(self, state):
        chances = self.chances(state)
        number = np.searchsorted(np.cumsum(list(chances.values())), self._dice.uniform(), side="right")
        return self._acts or list(chances)[min(number, len(chances) - 1)]

    def observe(self, state, position):
        self._dice.next_hand()


def test_a_player_of_ones_own_is_one_file():
    check_policy(Own, ["kuhn", "leduc", "leduc-nolimit"], hands=40)
    with pytest.raises(AgentError, match="own looks at its cards"):
        policy_of(Own()).rows(load_game("leduc"))
    with pytest.raises(AgentError, match="own tells apart more hands"):
        policy_of(Own()).in_game(load_game("holdem-limit-2p"))


class Bold(Policy):
    """Two methods, which are all that a local best response needs."""

    name, fingerprint = "bold", "bold"

    def actions(self, state):
        return tuple(map(Action, ("f", "c") if state.to_call else ("c",)))

    def probabilities(self, state, hands, board):
        folds = np.full(len(hands), 0.25)
        return np.stack([folds, 1 - folds] if state.to_call else [np.ones(len(hands))])


def test_two_methods_are_enough_for_a_local_best_response():
    agent = FrequencyAgent.of("quarter", {"call": 1}, {"fold": 1, "call": 3})
    game = load_game("holdem-nolimit-2p")
    found, wanted = (local_response(policy, game, 2, call_until=2) for policy in (Bold(), policy_of(agent)))
    assert found.samples == pytest.approx(wanted.samples, rel=1e-5)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Own(sums_to=0.9), "sum to"),
        (lambda: Own(acts="c"), "in .* hands"),
    ],
)
def test_broken_policies_are_caught(make, words):
    with pytest.raises(AssertionError, match=words):
        check_policy(make, ["leduc"], hands=20)


def test_an_agent_that_acts_otherwise_has_no_policy():
    class Caller(RuleAgent):
        def act(self, state):
            return "c"

    class Renamed(RuleAgent):
        pass

    assert isinstance(known_policy(Renamed()), RulePolicy)
    assert isinstance(known_policy(load_agent("random")), FrequencyPolicy)
    assert known_policy(Caller()) is None
    changed = Renamed()
    changed.act = lambda state: "c"
    assert known_policy(changed) is None
    assert known_policy(object()) is None
    with pytest.raises(AgentError, match="rules only plays"):
        policy_of(Caller())
    with pytest.raises(AssertionError, match="has a policy in none"):
        check_policy("jam-fold")


def test_fingerprints_tell_policies_apart():
    names = ["random", "example-player", "always-call", *STYLES]
    found = {policy_of(load_agent(name)).fingerprint for name in names}
    assert len(found) == len(names)
    assert policy_of(load_agent("random")).fingerprint in found

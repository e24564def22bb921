"""Mixtures of policies: one for the whole hand, and what was done tells of which."""

from itertools import pairwise

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.cards import parse_cards
from kibitz.errors import AgentError
from kibitz.games import State, load_game
from kibitz.policy import policy_of
from kibitz.policy.mixtures import MixturePolicy
from kibitz.random import Dice, derive_seed
from kibitz.testing import check_policy

NAMES = ("loose-aggressive-bluffing", "tight-passive", "always-call")
SHARES = (3, 1, 2)


class Mixed:
    """Takes an agent for each hand."""

    name = "mixture"

    def __init__(self):
        self._agents = [load_agent(name) for name in NAMES]

    @property
    def policy(self):
        return MixturePolicy([policy_of(agent) for agent in self._agents], SHARES)

    def reset(self, game, seed):
        self._dice = Dice(seed)
        for number, agent in enumerate(self._agents):
            agent.reset(game, derive_seed(seed, number))
        self._choose()

    def _choose(self):
        self._agent = self._agents[np.searchsorted(np.cumsum(SHARES), 6 * self._dice.uniform(), side="right")]

    def act(self, state):
        return self._agent.act(state)

    def observe(self, state, position):
        self._dice.next_hand()
        for agent in self._agents:
            agent.observe(state, position)
        self._choose()


@pytest.mark.parametrize("game", ["leduc", "holdem-limit-2p"])
def test_a_mixture_keeps_the_contract(game):
    check_policy(Mixed, [game], hands=25)


def test_what_was_done_is_worth_what_the_parts_make_of_it():
    """The chance of a whole line is the mean of the parts' chances of it, hand by hand."""
    game, mixture = load_game("leduc"), Mixed().policy
    hands = np.array([parse_cards(text) for text in ("Ks", "Qs", "Js")], dtype=np.uint8)
    line = ["c", "r", "c", "c", "r", "c"]
    for player in range(2):
        states = [State.start(game)]
        for action in line:
            states.append(states[-1].apply(action))
        products = {policy: np.ones(len(hands)) for policy in (mixture, *mixture.policies)}
        for before, after in pairwise(states):
            if before.player != player:
                continue
            text = after.history.rstrip("/")[len(before.history.rstrip("/")) :].strip("/")
            board = parse_cards("Kh")[: game.board_ends[before.round]]
            for policy, product in products.items():
                rows = dict(zip(policy.actions(before), policy.probabilities(before, hands, board), strict=True))
                product *= next((row for action, row in rows.items() if action.text == text), 0.0)
        wanted = sum(share * products[part] for share, part in zip(mixture.shares, mixture.policies, strict=True))
        assert products[mixture] == pytest.approx(wanted)
        assert wanted.any()


def test_wrong_mixtures_are_refused():
    calls = policy_of(load_agent("always-call"))
    for shares in ((), (1, 2), (-1,), (0,)):
        with pytest.raises(AgentError, match="one share each"):
            MixturePolicy([calls], shares)
    with pytest.raises(AgentError, match="random raises by any amount"):
        MixturePolicy([calls, policy_of(load_agent("random"))], (1, 1))

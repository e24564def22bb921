"""What a player does with each of its hands: one protocol, and a file for each kind of player.

>>> import numpy as np
>>> from kibitz.agents import load_agent
>>> from kibitz.cards import parse_cards
>>> from kibitz.games import State, load_game
>>> from kibitz.policy import policy_of
>>> state, policy = State.start(load_game("holdem-limit-2p")), policy_of(load_agent("loose-passive"))
>>> hands = np.array([parse_cards("AsAh"), parse_cards("7s2h")], dtype=np.uint8)
>>> [action.text for action in policy.actions(state)], policy.probabilities(state, hands, ()).round(3).tolist()
(['f', 'c', 'r'], [[0.0, 0.0], [0.8, 1.0], [0.2, 0.0]])
"""

from kibitz.policy.base import Action, Policy, known_policy, policy_of, standing_policy

__all__ = ["Action", "Policy", "known_policy", "policy_of", "standing_policy"]

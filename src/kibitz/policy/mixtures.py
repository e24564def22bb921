"""Mixtures: a player that takes one of several policies for a hand, unseen by the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.policy.base import Action, Cards, Floats, Policy, fingerprint_of, normalised


class MixturePolicy(Policy):
    """Plays each of `policies` in its share of the hands, all of a hand by one of them.

    What it has done so far tells of which one that is: with each hand, policy i counts by

        w_i(hand) = share_i * product over its own actions so far of p_i(action | hand).

    Only for policies whose actions are single: one that raises by any amount has too many.
    """

    def __init__(self, policies: Sequence[Policy], shares: Sequence[float], name: str = "mixture") -> None:
        if len(policies) != len(shares) or not policies or min(shares) < 0 or not sum(shares) > 0:
            raise AgentError(f"{len(policies)} policies and the shares {list(shares)}: one share each, some above 0")
        if drawing := [policy.name for policy in policies if policy.draws_sizes]:
            raise AgentError(f"{', '.join(drawing)} raises by any amount: mixtures are of policies with named sizes")
        self.name = name
        self.policies, self.shares = tuple(policies), np.array(shares, dtype=np.float64) / sum(shares)
        self.fingerprint = fingerprint_of("mixture", self.shares, *(policy.fingerprint for policy in policies))

    def check(self, game: Game) -> None:
        for policy in self.policies:
            policy.check(game)

    def actions(self, state: State) -> tuple[Action, ...]:
        return tuple(dict.fromkeys(action for policy in self.policies for action in policy.actions(state)))

    def probabilities(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        actions = self.actions(state)
        found = np.zeros((len(actions), len(hands)))
        for policy, weights in zip(self.policies, self._weights(state, hands, board), strict=True):
            for action, chances in zip(policy.actions(state), policy.probabilities(state, hands, board), strict=True):
                found[actions.index(action)] += weights * chances
        return found

    def _weights(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        """How likely each policy is the one, with each hand: float64[policies, hands]."""
        weights = np.repeat(self.shares[:, None], len(hands), axis=1)
        for real, text in state.past():
            if real.player == state.player:
                then = board[: state.game.board_ends[real.round]]
                for row, policy in zip(weights, self.policies, strict=True):
                    taken = Action(text)
                    actions = policy.actions(real)
                    known = taken in actions
                    row *= policy.probabilities(real, hands, then)[actions.index(taken)] if known else 0.0
        return normalised(weights)

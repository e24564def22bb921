"""The result of a session less the luck of cards and agents (AIVAT)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock

from kibitz.agents import Agent
from kibitz.arena.match import FinishedHand
from kibitz.arena.plan import hand_record
from kibitz.modelling.estimators import CheckDown, Coolers, Evaluation, Reduction
from kibitz.policy import standing_policy

GROWTH = 0.1  # as `kibitz hands luck` has it


class Luck:
    """AIVAT over the hands of a session, in which the server knows all cards and the policies of most agents.

    The value function is fixed when the session begins. Hands are taken in as they are asked for, each once.
    """

    def __init__(self, names: Sequence[str], agents: Iterable[Agent]) -> None:
        self._names, self._taken, self._lock = tuple(names), 0, Lock()
        known = {name: agent for name, agent in zip(names[1:], agents, strict=True) if standing_policy(agent)}
        self._evaluation = Evaluation(names[0], CheckDown(GROWTH, Coolers()), known)

    def of(self, hands: Sequence[FinishedHand]) -> Reduction | None:
        """The result of `hands`, which begin with those of the last call; None where there are none."""
        with self._lock:
            for hand in hands[self._taken :]:
                self._evaluation.add(hand_record(hand, self._names))
                self._taken += 1
            return self._evaluation.result() if self._taken else None

"""Contracts that anyone's game, agent or policy can be held to."""

from kibitz.testing.agents import check_agent
from kibitz.testing.games import check_game
from kibitz.testing.policies import check_policy

__all__ = ["check_agent", "check_game", "check_policy"]

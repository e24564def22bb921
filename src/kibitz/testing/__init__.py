"""Contracts that anyone's game or agent can be held to."""

from kibitz.testing.agents import check_agent
from kibitz.testing.games import check_game

__all__ = ["check_agent", "check_game"]

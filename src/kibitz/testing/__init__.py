"""Contracts that anyone's game, deal, solver, policy or agent can be held to."""

from kibitz.testing.agents import check_agent
from kibitz.testing.deals import check_deal
from kibitz.testing.games import check_game
from kibitz.testing.policies import check_policy
from kibitz.testing.solvers import check_solver, measure_in

__all__ = ["check_agent", "check_deal", "check_game", "check_policy", "check_solver", "measure_in"]

"""Implicit modelling: an agent that prepares responses beforehand and finds out at the table which of them fits.

Bard and others 2013; Bard 2016, chapters 3 and 6. Offline, a portfolio of responses is made (`kibitz adapt build`).
At the table their mixture plays, and after every hand a bandit moves weight to those that would have won more.
"""

from kibitz.agents.implicit.agent import HandReport, ImplicitAgent, Shares
from kibitz.agents.implicit.learning import Learning
from kibitz.agents.implicit.loading import load_portfolio_agent

__all__ = ["HandReport", "ImplicitAgent", "Learning", "Shares", "load_portfolio_agent"]

"""Portfolios: responses to many opponents, and which few of them to keep (Bard 2016, section 6.1).

A portfolio is a folder whose parts are its experts, each with the mimic of its opponent; it is an agent
(`kibitz.agents.implicit`).
"""

from kibitz.portfolios.choice import Coverage, coverage_curve, prune
from kibitz.portfolios.files import Portfolio, load_portfolio
from kibitz.portfolios.plan import ExpertPlan, PortfolioPlan

__all__ = ["Coverage", "ExpertPlan", "Portfolio", "PortfolioPlan", "coverage_curve", "load_portfolio", "prune"]

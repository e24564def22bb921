"""Portfolios: responses to many opponents, and which few of them to keep (Bard 2016, section 6.1).

A portfolio is a folder with a manifest and a folder for every expert; it is an agent (`kibitz.agents.implicit`).
"""

from kibitz.portfolios.build import PortfolioPlan, build_portfolio
from kibitz.portfolios.choice import Coverage, coverage_curve, prune
from kibitz.portfolios.files import Portfolio, load_portfolio

__all__ = ["Coverage", "Portfolio", "PortfolioPlan", "build_portfolio", "coverage_curve", "load_portfolio", "prune"]

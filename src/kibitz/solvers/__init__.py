"""Solvers: equilibria, best responses, exact answers."""

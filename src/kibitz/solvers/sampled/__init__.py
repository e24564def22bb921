"""Kernels that walk one deal at a time, and the form of a game they work on."""

from kibitz.solvers.sampled.form import SampledForm

__all__ = ["SampledForm"]

"""Kernels that walk one deal at a time, and the form of a game they work on."""

from kibitz.solvers.compiled.sampled import SampledGame

__all__ = ["SampledGame"]

"""Kernels that walk one board at a time with vectors of the hands on it, and the form of a game they work on."""

from kibitz.solvers.compiled.public import PublicGame, public_form

__all__ = ["PublicGame", "public_form"]

"""Kernels that walk one board at a time with vectors of the hands on it, and the form of a game they work on."""

from kibitz.solvers.public.form import PublicForm, public_form

__all__ = ["PublicForm", "public_form"]

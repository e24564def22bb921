"""Small games that stand for hold'em."""

from __future__ import annotations

from functools import cache

from kibitz.games import load_game
from kibitz.solvers.problem import Problem


@cache
def small_game(name: str, suits_merged: bool = True) -> Problem:
    """The game of that name, made once."""
    return Problem(load_game(name), suits_merged=suits_merged)

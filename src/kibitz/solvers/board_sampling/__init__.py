"""Public chance sampling of two-player hold'em in card buckets: a full board at a time, all hands on it."""

from kibitz.solvers.board_sampling.solver import BoardSampled
from kibitz.solvers.compiled.boards import BoardGame

__all__ = ["BoardGame", "BoardSampled"]

"""What all solvers offer: step, and the average strategy so far. The rest are functions around that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.strategy import Strategy


class Solver(Protocol):
    """Improves a strategy iteration by iteration.

    Everything that the future of a run depends on is in `arrays()` (and `iteration`): a solver made with the same
    parameters that has `restore`d them goes on bit for bit as if it had never stopped.
    """

    iteration: int

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations; with 0, only get ready."""

    def average_strategy(self) -> Strategy:
        """The strategy that converges; its manifest names the algorithm and the iterations."""

    def parameters(self) -> dict[str, Any]:
        """What the solver was made with, as plain values."""

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The solver's memory."""

    def restore(self, iteration: int, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        """Go on from a saved memory."""


class StepwiseSolver(ABC):
    """A `Solver` as most are: what it keeps is some arrays, which `step` changes in place."""

    iteration = 0

    @abstractmethod
    def step(self, count: int = 1) -> None:
        """Do `count` more iterations; with 0, only get ready."""

    @abstractmethod
    def average_strategy(self) -> Strategy:
        """The strategy that converges."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """What the solver was made with."""

    @abstractmethod
    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The solver's memory."""

    def manifest(self) -> dict[str, Any]:
        """Where the average strategy comes from."""
        return {**self.parameters(), "iterations": self.iteration}

    def restore(self, iteration: int, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        """Go on from a saved memory."""
        self.iteration = iteration
        for name, array in self.arrays().items():
            array[...] = arrays[name]

"""Which flops a best response is worked out on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.isomorphism import IsomorphismIndex


@dataclass(frozen=True, eq=False)
class Flops:
    """Flops up to the names of suits.

    cards  : uint8[n, 3]
    halves : float64[2, n]; of a sample, how often each flop was drawn in the first and in the second half of the draws;
             of all flops, half the number that each stands for, twice
    exact  : whether these are all
    """

    cards: npt.NDArray[np.uint8]
    halves: npt.NDArray[np.float64]
    exact: bool

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """Both halves together."""
        return np.asarray(self.halves.sum(axis=0))

    @classmethod
    def all(cls) -> Flops:
        """One of each of the 1,755 classes of isomorphic flops."""
        index = IsomorphismIndex("3")
        numbers = np.arange(index.sizes[-1])
        half = index.orbit_size_batch(numbers) / 2
        return cls(index.unindex_batch(numbers), np.stack((half, half)), exact=True)

    @classmethod
    def sampled(cls, draws: int, seed: int) -> Flops:
        """Flops drawn independently, all alike likely; a class that is drawn again counts twice."""
        if draws < 2:
            raise KibitzError(f"{draws} flops: at least two, or all")
        every = cls.all()
        drawn = np.random.default_rng(seed).choice(len(every), draws, p=every.weights / every.weights.sum())
        classes = np.unique(drawn)
        halves = [np.bincount(part, minlength=len(every))[classes] for part in np.array_split(drawn, 2)]
        return cls(every.cards[classes], np.array(halves, dtype=np.float64), exact=False)

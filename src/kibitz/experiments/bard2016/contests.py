"""Matches of implicit agents against styles, the same cards for all, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kibitz.agents.implicit.learning import Learning
from kibitz.agents.implicit.tables import TableMatch
from kibitz.experiments.bard2016 import styles
from kibitz.experiments.bard2016.styles import Style
from kibitz.experiments.published import Found
from kibitz.games import AcpcCards
from kibitz.policy.base import Floats
from kibitz.random import derive_seed
from kibitz.statistics.estimates import student_95


@dataclass(frozen=True)
class Series:
    """Matches of one agent: float64[opponents, matches], milli-antes/hand."""

    won: Floats

    @property
    def mean(self) -> float:
        """Over opponents and matches."""
        return float(self.won.mean())

    def found(self) -> Found:
        """The mean with its 95 % interval; opponents are strata, all with as many matches."""
        half = half_width(self.won)
        return Found(self.mean, self.mean - half, self.mean + half)

    def minus(self, other: Series | float) -> Series:
        """By how much this wins more, on the same cards."""
        return Series(self.won - (other if isinstance(other, float) else other.won))

    def above(self, other: Series | float) -> Found:
        """1 where this wins more than the other beyond doubt, by the interval of the difference on the same cards."""
        difference = self.minus(other)
        mean, half = difference.mean, half_width(difference.won)
        return Found(float(mean > half), reason=f"The difference is {mean:+.0f} ± {half:.0f} milli-antes/hand.")


def half_width(won: Floats) -> float:
    """Half the 95 % interval of the mean of stratified samples, float64[strata, n], by Student's t."""
    strata, count = won.shape
    variance = won.var(axis=1, ddof=1).sum() / count / strata**2
    return float(student_95(strata * (count - 1)) * np.sqrt(variance))


class Player(NamedTuple):
    """An agent: responses to some styles, and how it learns which to trust."""

    experts: tuple[Style, ...]
    learning: Learning


class Contest(NamedTuple):
    """Who is played how often, with which cards."""

    opponents: tuple[Style, ...]
    matches: int
    hands: int
    seed: int
    first: int = 0

    def series(self, player: Player) -> Series:
        """An agent against all opponents."""
        won = np.empty((len(self.opponents), self.matches))
        for row, style in enumerate(self.opponents):
            for number in range(self.matches):
                won[row, number] = 1000 * self._chips(player, (style,), (), number).mean()
        return Series(won)

    def changing(self, player: Player) -> tuple[Series, Series]:
        """The same against every opponent that becomes the next one: before and after the change."""
        halves = np.empty((2, len(self.opponents), self.matches))
        middle = self.hands // 2
        for row, style in enumerate(self.opponents):
            other = self.opponents[(row + 1) % len(self.opponents)]
            for number in range(self.matches):
                chips = self._chips(player, (style, other), (middle,), number)
                halves[:, row, number] = 1000 * chips[:middle].mean(), 1000 * chips[middle:].mean()
        return Series(halves[0]), Series(halves[1])

    def _chips(self, player: Player, who: tuple[Style, ...], when: tuple[int, ...], number: int) -> Floats:
        """A match: the cards depend on its number and the first opponent alone."""
        match = TableMatch(styles.experts(player.experts), player.learning, tuple(map(styles.agent_of, who)), when)
        path = self.seed, self.first + number, who[0].seed
        seeds = [derive_seed(*path, seat) for seat in range(1 + len(who))]
        return match.play(self.hands, AcpcCards(derive_seed(*path)), seeds, number % 2).chips

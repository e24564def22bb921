"""What a finished series says: who won how much from whom, with what doubt, and who comes first by which rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.arena.bankroll import RunOff
from kibitz.arena.bootstrap import BootstrapRanking
from kibitz.arena.crosstable import CrossTable
from kibitz.arena.duplicate import ALL_SEATINGS_UP_TO, hands_per_deal
from kibitz.arena.rankings import Rankings
from kibitz.arena.series import Outcomes, Series, Table
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.games.stakes import Stake, fold_loss, win_rate
from kibitz.statistics import Estimate, Moments, merge


def rate_of(game: Game, played: list[Moments]) -> Estimate:
    """The win rate of one agent in some matches of a table."""
    stake, hands = Stake.of(game), hands_per_deal(game.players)
    pooled = win_rate(merge(played), stake, hands)
    if len(played) < 2 or game.players <= ALL_SEATINGS_UP_TO:
        return pooled
    means = Moments.of([match.mean for match in played]).estimate(stake.milli_per_chip / hands, few=True)
    return replace(pooled, half_width=means.half_width, samples=means.samples)


@dataclass(frozen=True)
class Standings:
    """The results of a series. Everything is computed from its outcomes, so it is the same wherever they came from."""

    series: Series
    outcomes: Outcomes

    def __post_init__(self) -> None:
        if missing := len(self.series.keys) - len(self.outcomes):
            raise KibitzError(f"{missing} of {len(self.series.keys)} matches have not been played")

    @cached_property
    def stake(self) -> Stake:
        """The unit of all rates."""
        return Stake.of(self.series.game)

    @cached_property
    def estimates(self) -> dict[Table, tuple[Estimate, ...]]:
        """Win rate of every agent of every table, over all its matches; a sample is a duplicate deal.

        Where a match is played in one order of several, its deals have that in common, and a sample is a match.
        """
        result = {}
        for table in self.series.tables:
            played = [self.outcomes[table, match] for match in range(self.series.matches)]
            result[table] = tuple(
                rate_of(self.series.game, [match[seat] for match in played]) for seat in range(len(table))
            )
        return result

    @cached_property
    def table(self) -> CrossTable:
        """Mean rates of all tables with their intervals, and every match: all were dealt the same cards."""
        scale = self.stake.milli_per_chip / self._hands_per_deal
        result = replace(
            CrossTable.empty(self.series.names, self.series.game.players, self.stake.unit), shared_deals=True
        )
        for table, estimates in self.estimates.items():
            for seat, agent in enumerate(table):
                each = estimates[seat]
                result.seat((agent, *table[:seat], *table[seat + 1 :]), each.mean, each.half_width)
            played = [self.outcomes[table, match] for match in range(self.series.matches)]
            result.matches[table] = np.array([[scale * agent.mean for agent in match] for match in played])
        return result

    @property
    def rates(self) -> npt.NDArray[np.float64]:
        """Mean rates, float64[n, n] (three players: [n, n, n]); nan where nobody met."""
        return self.table.rates

    @cached_property
    def cap(self) -> float:
        """What always folding loses on average over the seats: 750 mbb/hand heads-up, the ACPC's cap since 2013."""
        return fold_loss(self.series.game)

    @cached_property
    def ranked(self) -> Rankings:
        """The agents, ranked."""
        return Rankings(self.table, self.cap, self.series.seed)

    @property
    def bankrolls(self) -> npt.NDArray[np.float64]:
        """Total bankroll of every agent."""
        return self.ranked.bankrolls

    @property
    def capped(self) -> npt.NDArray[np.float64]:
        """Total bankroll with every rate clipped to plus or minus `cap`."""
        return self.ranked.capped

    @property
    def runoff(self) -> RunOff:
        """The bankroll instant run-off."""
        return self.ranked.runoff

    @property
    def order(self) -> tuple[int, ...]:
        """The agents as they are listed, best first."""
        return self.ranked.order

    @property
    def places(self) -> dict[str, dict[int, int]]:
        """Place of every agent, from 1, by each rule: `runoff`, `bankroll`, `capped`."""
        return self.ranked.places

    @property
    def bootstrap(self) -> BootstrapRanking | None:
        """The rankings by bankroll and run-off under resampled matches; None where there are too few of them."""
        return self.ranked.bootstrap

    @property
    def capped_bootstrap(self) -> BootstrapRanking | None:
        """The same resamples, ranked by capped bankroll."""
        return self.ranked.capped_bootstrap

    @property
    def _hands_per_deal(self) -> int:
        return hands_per_deal(self.series.game.players)

    @property
    def hands_played(self) -> int:
        """Hands behind the results, every seating counted."""
        return len(self.series.keys) * self.series.hands * self._hands_per_deal

    @cached_property
    def forfeits(self) -> dict[str, int]:
        """Hands that each agent forfeited because it thought too long, by name, of those that did."""
        given_up = [0] * len(self.series.agents)
        for (table, _match), played in self.outcomes.items():
            for agent, moments in zip(table, played, strict=True):
                given_up[agent] += moments.forfeits
        return {name: hands for name, hands in zip(self.series.names, given_up, strict=True) if hands}

    @property
    def is_tournament(self) -> bool:
        """Whether more than one table met, so that a ranking says more than the table itself."""
        return len(self.series.tables) > 1

    def to_dict(self) -> dict[str, object]:
        """The results as plain values, for JSON."""
        names = self.series.names
        result: dict[str, object] = {
            **self.series.to_dict(),
            "hands_played": self.hands_played,
            **({"forfeits": self.forfeits} if self.series.hosting.time_limit is not None else {}),
            "unit": self.stake.unit,
            "tables": [
                {
                    "agents": [names[agent] for agent in table],
                    "rates": [each.to_dict() for each in estimates],
                    "samples": estimates[0].samples,
                }
                for table, estimates in self.estimates.items()
            ],
        }
        return result | self.rankings() if self.is_tournament else result

    def rankings(self) -> dict[str, object]:
        """Who comes first by which rule, as plain values; of two- and three-player games."""
        return self.ranked.to_dict()

"""Who comes first by which rule: total bankroll, capped bankroll, instant run-off; and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.arena.bankroll import RunOff, instant_runoff, ranking, total_bankroll
from kibitz.arena.bootstrap import BootstrapRanking, bootstrap_rankings
from kibitz.arena.crosstable import CrossTable

BOOTSTRAP_FROM = 10  # matches per table below which resampling them says nothing


@dataclass(frozen=True, eq=False)
class Rankings:
    """The agents of a cross table, ranked.

    cap   limit of the capped bankroll
    seed  of resampled matches
    """

    table: CrossTable
    cap: float
    seed: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The agents."""
        return self.table.names

    @property
    def rates(self) -> npt.NDArray[np.float64]:
        """What they win, see `CrossTable`."""
        return self.table.rates

    @cached_property
    def bootstrap(self) -> BootstrapRanking | None:
        """The rankings by bankroll and run-off under resampled matches; None where there are too few of them."""
        return self._resample(None)

    @cached_property
    def capped_bootstrap(self) -> BootstrapRanking | None:
        """The same resamples, ranked by capped bankroll."""
        return self._resample(self.cap)

    def _resample(self, cap: float | None) -> BootstrapRanking | None:
        matches = self.table.matches
        if not matches or min(map(len, matches.values())) < BOOTSTRAP_FROM:
            return None
        shared = self.table.shared_deals
        return bootstrap_rankings(matches, seed=self.seed, cap=cap, runoff=cap is None, shared_deals=shared)

    @cached_property
    def bankrolls(self) -> npt.NDArray[np.float64]:
        """Total bankroll of every agent."""
        return total_bankroll(self.rates)

    @cached_property
    def capped(self) -> npt.NDArray[np.float64]:
        """Total bankroll with every rate clipped to plus or minus `cap`."""
        return total_bankroll(self.rates, self.cap)

    @cached_property
    def runoff(self) -> RunOff:
        """The bankroll instant run-off."""
        return instant_runoff(self.rates)

    @property
    def order(self) -> tuple[int, ...]:
        """The agents as they are listed, best first: by the run-off, which weak agents do not decide."""
        return self.runoff.ranking

    @cached_property
    def places(self) -> dict[str, dict[int, int]]:
        """Place of every agent, from 1, by each rule: `runoff`, `bankroll`, `capped`."""
        orders = {"runoff": self.order, "bankroll": ranking(self.bankrolls), "capped": ranking(self.capped)}
        return {rule: {agent: place for place, agent in enumerate(order, 1)} for rule, order in orders.items()}

    def to_dict(self) -> dict[str, object]:
        """The rankings as plain values."""
        names = self.names
        result: dict[str, object] = {
            "cap": self.cap,
            "ranked_by": "runoff",
            "ranking": self._rows(),
            "runoff": [
                {
                    "scores": {names[agent]: score for agent, score in zip(each.alive, each.scores, strict=True)},
                    "dropped": names[each.dropped],
                }
                for each in self.runoff.rounds
            ],
        }
        if self.bootstrap is not None:
            shares = {
                field: getattr(self.bootstrap, field) for field in ("frequency", "runoff_frequency", "runoff_wins")
            }
            result["bootstrap"] = {"names": list(names), **{field: each.tolist() for field, each in shares.items()}}
        return result

    def _rows(self) -> list[dict[str, object]]:
        rows = []
        for agent in self.order:
            low, high = self.bootstrap.interval(agent) if self.bootstrap is not None else (np.nan, np.nan)
            rows.append(
                {
                    "agent": self.names[agent],
                    "runoff_place": self.places["runoff"][agent],
                    "bankroll": float(self.bankrolls[agent]),
                    "low": low,
                    "high": high,
                    "bankroll_place": self.places["bankroll"][agent],
                    "capped": float(self.capped[agent]),
                    "capped_place": self.places["capped"][agent],
                }
            )
        return rows

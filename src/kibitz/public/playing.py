"""Play agents against each other, read hands, and say how a bet off the menu is translated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.arena.series import Series, play_series
from kibitz.arena.standings import Standings
from kibitz.games import Game, load_game
from kibitz.io.files import read_records
from kibitz.io.record import HandRecord
from kibitz.public.html import cell, table
from kibitz.random import seed_text
from kibitz.translation.mappings import probabilities

if TYPE_CHECKING:
    from kibitz.arena.match import AgentSpec
    from kibitz.statistics import Estimate


@dataclass(frozen=True, eq=False, repr=False)
class MatchResult:
    """What each agent of a match won; rates are in milli big blinds a hand (milli-antes in ante games)."""

    standings: Standings

    @property
    def rates(self) -> dict[str, Estimate]:
        """The win rate of every agent by name, with its 95 % interval."""
        (estimates,) = self.standings.estimates.values()
        return dict(zip(self.standings.series.names, estimates, strict=True))

    @property
    def hands(self) -> int:
        """Hands played, all seatings counted."""
        return self.standings.hands_played

    def __str__(self) -> str:
        width = max(map(len, self.rates))
        return "\n".join(f"{name:<{width}}  {rate}, {self.hands:,} hands" for name, rate in self.rates.items())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [(name, cell(str(rate), rate.mean / self.standings.cap)) for name, rate in self.rates.items()]
        series = self.standings.series
        return table(
            ("agent", "win rate"), rows, f"{self.hands:,} hands of {series.game.name}, seed {seed_text(series.seed)}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class TournamentResult:
    """A round-robin: who won how much from whom, and who comes first by the instant run-off."""

    standings: Standings

    @property
    def ranking(self) -> list[str]:
        """The agents, best first."""
        return [self.standings.series.names[agent] for agent in self.standings.order]

    def plot(self) -> str:
        """Bankrolls with their intervals, as SVG."""
        from kibitz.arena.report import plot_standings

        return plot_standings(self.standings)

    def __str__(self) -> str:
        from kibitz.arena.report import verdict

        return "\n".join(verdict(self.standings))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        order, names = self.standings.order, self.standings.series.names
        if self.standings.series.game.players != 2:
            return table(("place", "agent"), [(str(i), name) for i, name in enumerate(self.ranking, 1)], str(self))
        rows = [(names[row], *("" if row == column else self._cell(row, column) for column in order)) for row in order]
        return table((self.standings.stake.unit, *(names[column] for column in order)), rows, str(self))

    def _cell(self, row: int, column: int) -> str:
        estimate = self.standings.estimates[min(row, column), max(row, column)][int(row > column)]
        star = "*" if estimate.significant else ""
        return cell(f"{estimate.mean:+,.0f}{star}", estimate.mean / self.standings.cap)


def play_match(
    agents: Sequence[AgentSpec], game: str | Game = "holdem-nolimit-2p", hands: int = 1000, *, seed: int = 0
) -> MatchResult:
    """Play a duplicate match: every deal in every seating.

    agents   names, folders or files, as `load_agent` takes them, or classes of agents; one a seat

    >>> print(play_match(["always-raise", "always-fold"], hands=100))  # doctest: +NORMALIZE_WHITESPACE
    always-raise  +750.0 ± 0.0 mbb/hand, 200 hands
    always-fold   -750.0 ± 0.0 mbb/hand, 200 hands
    """
    return MatchResult(_play(agents, game, hands, 1, seed))


def play_tournament(
    agents: Sequence[AgentSpec],
    game: str | Game = "holdem-nolimit-2p",
    hands: int = 100,
    matches: int = 20,
    *,
    seed: int = 0,
) -> TournamentResult:
    """Play a duplicate round-robin: `matches` matches of `hands` deals at every table.

    >>> play_tournament(["always-call", "always-fold", "always-raise"], "kuhn", 10, 1).ranking[-1]
    'always-fold'
    """
    return TournamentResult(_play(agents, game, hands, matches, seed))


def _play(agents: Sequence[AgentSpec], game: str | Game, hands: int, matches: int, seed: int) -> Standings:
    rules = load_game(game) if isinstance(game, str) else game
    series = Series(rules, tuple(agents), hands, matches, seed)
    return Standings(series, dict(play_series(series)))


def read_hands(path: str | Path, game: str | Game | None = None) -> Iterator[HandRecord]:
    """The hands of a log, a hand history, an archive or a folder of them: ACPC, PHH or PokerStars.

    game   of ACPC logs that do not name it

    >>> for hand in read_hands("match.log"):  # doctest: +SKIP
    ...     print(hand.players, hand.history, hand.returns)
    """
    return read_records(Path(path), load_game(game) if isinstance(game, str) else game)


def translate_bet(bet: float, sizes: Sequence[float], mapping: str = "rand-psharmonic") -> list[float]:
    """How likely a bet of `bet` pots is translated to each of `sizes` (pots, ascending; 0 is a check).

    >>> [round(chance, 3) for chance in translate_bet(0.7, [0, 0.5, 1, 20])]
    [0.0, 0.529, 0.471, 0.0]
    """
    found: list[float] = probabilities(bet, list(sizes), mapping).tolist()
    return found

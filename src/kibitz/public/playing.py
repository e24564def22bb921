"""Play agents against each other, read hands, and say how a bet off the menu is translated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from kibitz.arena.series import Series, play_series
from kibitz.arena.standings import Standings
from kibitz.arguments import spread
from kibitz.errors import KibitzError
from kibitz.games import Game, load_game
from kibitz.io.files import read_records
from kibitz.io.record import HandRecord
from kibitz.public.html import MOST, cell, table
from kibitz.random import seed_text
from kibitz.translation.mappings import probabilities

if TYPE_CHECKING:
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

    def __repr__(self) -> str:
        rates = ", ".join(f"{name} {rate}" for name, rate in self.rates.items())
        return shorten(f"{self.standings.series.game.name}: {rates}, {self.hands:,} hands", MOST, placeholder=" …")

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

    def __repr__(self) -> str:
        ranks = ", ".join(f"{rank} {name}" for rank, name in enumerate(self.ranking, 1))
        return shorten(f"{self.standings.series.game.name}: {ranks}", MOST, placeholder=" …")

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
    *agents: Any, game: str | Path | Game = "holdem-nolimit-2p", hands: int = 1000, seed: int = 0
) -> MatchResult:
    """Play a duplicate match: every deal in every seating.

    agents   whatever `load_agent` takes, one per seat; one by one or as a list, which `game` and `hands` may follow

    >>> print(play_match("always-raise", "always-fold", hands=100))
    always-raise  +750.0 ± 0.0 mbb/hand, 200 hands
    always-fold   -750.0 ± 0.0 mbb/hand, 200 hands
    """
    listed, game, hands = spread(agents, game, hands)
    rules = load_game(game)
    if len(listed) > rules.players:
        raise KibitzError(
            f"{len(listed)} agents for the {rules.players} seats of {rules.name or 'the game'}: give game=, hands= and "
            "seed= by name, and call play_tournament to let more agents play"
        )
    return MatchResult(_play(listed, rules, hands, 1, seed))


def play_tournament(
    *agents: Any,
    game: str | Path | Game = "holdem-nolimit-2p",
    hands: int = 100,
    matches: int = 20,
    seed: int = 0,
) -> TournamentResult:
    """Play a duplicate round-robin: `matches` matches of `hands` deals at every table.

    agents   whatever `load_agent` takes; one by one or as a list, which `game`, `hands` and `matches` may follow

    >>> play_tournament("always-call", "always-fold", "always-raise", game="kuhn", hands=10, matches=1).ranking[-1]
    'always-fold'
    """
    listed, game, hands, matches = spread(agents, game, hands, matches)
    return TournamentResult(_play(listed, load_game(game), hands, matches, seed))


def _play(agents: tuple[Any, ...], game: Game, hands: int, matches: int, seed: int) -> Standings:
    series = Series(game, agents, hands, matches, seed)
    return Standings(series, dict(play_series(series)))


def read_hands(path: str | Path | Iterable[str | Path], game: str | Path | Game | None = None) -> Iterator[HandRecord]:
    """The hands of logs, hand histories, archives or folders of them: ACPC, PHH or PokerStars.

    game   of ACPC logs that do not name it

    >>> _ = Path("match.log").write_text("STATE:0:r300c/cr900f:5d5c|9hQd/8dAs8s:-300|300:me|you")
    >>> for hand in read_hands("match.log", "holdem-nolimit-2p"):
    ...     print(hand.players, hand.history, hand.returns)
    ('me', 'you') r300c/cr900f (-300.0, 300.0)
    """
    return read_records(path, None if game is None else load_game(game))


def translate_bet(bet: float, *sizes: Any, mapping: str = "rand-psharmonic") -> list[float]:
    """How likely a bet of `bet` pots is translated to each of `sizes` (pots, ascending; 0 is a check).

    sizes   one by one or as a list, which `mapping` may follow

    >>> [round(chance, 3) for chance in translate_bet(0.7, [0, 0.5, 1, 20])]
    [0.0, 0.529, 0.471, 0.0]
    """
    listed, mapping = spread(sizes, mapping)
    found: list[float] = probabilities(bet, listed, mapping).tolist()
    return found

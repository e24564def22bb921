"""Hands of any number of players, counted player by player as they come."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from kibitz.errors import KibitzError
from kibitz.games import position_codes
from kibitz.games.naming import CODES
from kibitz.games.stakes import Stake
from kibitz.io.hand_check import check_fully
from kibitz.io.record import HandRecord, Refusal
from kibitz.modelling.styles.counts import StyleCounts
from kibitz.modelling.styles.hands import SeatStyle, observe_hand
from kibitz.modelling.styles.transfers import Transfers, hand_transfers

HELD = 20_000  # hands that are held before they are summed
CODE_ORDER = {code: place for place, code in enumerate(CODES.values(), 1)}
Place = tuple[str, str]  # a player's name, and the position


@dataclass
class StyleTally:
    """Counts of the hands that it was given; `close` sums up those that are still held.

    hands    hands that were counted
    unknown  of those, hands whose result neither the file nor the cards tell
    tables   how many hands there were at tables of so many players
    stakes   big blinds (or antes) in the file's own money and the unit of results, and where the first such hand is
    places   by name and position
    """

    hands: int = 0
    unknown: int = 0
    tables: Counter[int] = field(default_factory=Counter)
    stakes: dict[tuple[float, str], str] = field(default_factory=dict)
    places: dict[Place, StyleCounts] = field(default_factory=dict)
    transfers: Transfers = field(default_factory=Transfers)
    _seats: dict[Place, list[SeatStyle]] = field(default_factory=dict)
    _results: dict[Place, list[float]] = field(default_factory=dict)
    _passed: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    _held: int = 0

    def add(self, record: HandRecord) -> Refusal | None:
        """Count one hand, or say in what it breaks the rules."""
        checked = check_fully(record)
        if checked.refusal:
            return checked.refusal
        returns = record.returns or checked.returns
        stake = Stake.of(record.game)
        self.stakes.setdefault((stake.chips * record.chip, stake.unit), record.source)
        self.hands += 1
        self.unknown += returns is None
        self.tables[len(record.players)] += 1
        seats = observe_hand(record.game, record.history, returns)
        places = [*zip(record.players, position_codes(record.game), strict=True)]
        for place, style in zip(places, seats, strict=True):
            self._seats.setdefault(place, []).append(style)
        if returns is not None:
            self._add_results(places, [chips * stake.milli_per_chip for chips in returns])
        self._held += 1
        if self._held >= HELD:
            self.close()
        return None

    def _add_results(self, places: list[Place], results: list[float]) -> None:
        passed = {(winner, loser): won for winner, loser, won in hand_transfers(results)}
        for seat, (place, result) in enumerate(zip(places, results, strict=True)):
            self._results.setdefault(place, []).append(result)
            for other in range(seat + 1, len(places)):
                one, two = place[0], places[other][0]
                if one == two:
                    continue  # two seats of one player
                won = passed.get((seat, other), 0.0) - passed.get((other, seat), 0.0)
                pair, won = ((one, two), won) if one < two else ((two, one), -won)
                self._passed.setdefault(pair, []).append(won)

    def close(self) -> None:
        """Sum up the hands that are held."""
        for place, seats in self._seats.items():
            found = StyleCounts.of(seats, self._results.get(place, []))
            self.places[place] = self.places.get(place, StyleCounts()) + found
        for (winner, loser), won in self._passed.items():
            self.transfers.add(winner, loser, won)
        self._seats, self._results, self._passed, self._held = {}, {}, {}, 0

    def merge(self, other: StyleTally) -> None:
        """Take over what another reader of other hands found; both are closed."""
        self.hands, self.unknown = self.hands + other.hands, self.unknown + other.unknown
        self.tables += other.tables
        for stake, source in other.stakes.items():
            self.stakes.setdefault(stake, source)
        for place, found in other.places.items():
            self.places[place] = self.places.get(place, StyleCounts()) + found
        self.transfers.merge(other.transfers)

    @property
    def positions(self) -> dict[str, dict[str, StyleCounts]]:
        """The counts of every player by position: those with most hands first, and first after the button first."""
        found: dict[str, dict[str, StyleCounts]] = {}
        for name, code in sorted(self.places, key=lambda place: (CODE_ORDER.get(place[1], 0), place[1])):
            found.setdefault(name, {})[code] = self.places[name, code]
        hands = {name: sum(each.hands for each in codes.values()) for name, codes in found.items()}
        return {name: found[name] for name in sorted(found, key=lambda name: (-hands[name], name))}

    @property
    def players(self) -> dict[str, StyleCounts]:
        """The counts of every player in all positions together, those with most hands first."""
        return {name: sum(codes.values(), StyleCounts()) for name, codes in self.positions.items()}

    @property
    def unit(self) -> str:
        """The unit of all results; KibitzError where some are in big blinds and some in antes."""
        units = {unit: source for (_, unit), source in self.stakes.items()}
        if len(units) > 1:
            (one, first), (other, second), *_ = units.items()
            raise KibitzError(f"results in {one} ({first}) and in {other} ({second}): give the logs of each apart")
        return next(iter(units), "")

"""The curves of the thesis by name: one for each seat, "RED 1 range, P1" and "RED 1 range, P2"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kibitz.bet_sizing import SizeRange, Transformation, default_ranges
from kibitz.games import Game

SEATS = ("P1", "P2")  # player one is the big blind, player two the dealer


@dataclass(frozen=True)
class CurveSpec:
    """What a curve is about.

    algorithm  a name of `kibitz.bet_sizing.ALGORITHMS`
    ranges     default ranges of the player who learns
    seat       his: 0 is player one (the big blind), 1 player two (the dealer)
    extras     refined: bets kept beyond one per decision
    cards      the card abstraction
    opponent   menu of the other player
    """

    name: str
    algorithm: str
    ranges: tuple[SizeRange, ...]
    seat: int
    extras: int = 0
    cards: str = "5-bucket"
    opponent: str = "fcpa"

    @property
    def slug(self) -> str:
        """The name as a file is called."""
        return re.sub(r"[^a-z0-9.]+", "-", self.name.lower()).strip("-")

    def transformation(self, game: Game) -> Transformation:
        """The game with bets that have ranges."""
        if self.seat == 0:
            return Transformation(game, (self.ranges, ()), ("all-in", self.opponent))
        return Transformation(game, ((), self.ranges), (self.opponent, "all-in"))


def _named(name: str, algorithm: str, *ranges: SizeRange, extras: int = 0, cards: str = "5-bucket") -> list[CurveSpec]:
    return [CurveSpec(f"{name}, {player}", algorithm, ranges, seat, extras, cards) for seat, player in enumerate(SEATS)]


def _on_cards(prefix: str, cards: str) -> list[CurveSpec]:
    """The curves of chapter 7 with imperfect recall."""
    found = _named(f"{prefix}REDM 1 range", "redm", *default_ranges(200, 5, 1), cards=cards)
    for count in (2, 3):
        found += _named(f"{prefix}REDM {count} ranges", "redm", *default_ranges(200, 5, count), cards=cards)
    return found


_ONE, _TWO, _THREE = (default_ranges(200, 5, count) for count in (1, 2, 3))
SPECS: dict[str, CurveSpec] = {
    spec.name: spec
    for spec in (
        *_named("RE [0.4,0.6]", "re", SizeRange(0.4, 0.6)),
        *_named("RE [0.8,1]", "re", SizeRange(0.8, 1.0)),
        *_named("RE [1.2,1.4]", "re", SizeRange(1.2, 1.4)),
        *_named("RED 1 range", "red", *_ONE),
        *_named("REDM 2 ranges", "redm", *_TWO),
        *_named("REDM 3 ranges", "redm", *_THREE),
        *_named("REFINED 2 ranges e=1", "refined", *_TWO, extras=1),
        *_named("REFINED 2 ranges e=25", "refined", *_TWO, extras=25),
        *_named("EHS RED 1 range", "red", *_ONE, cards="5-bucket EHS"),
        *_on_cards("IR-100 ", "IR-100"),
        *(
            spec
            for extras in (1, 25, 50, 100)
            for spec in _named(f"IR-100 REFINED 3 ranges e={extras}", "refined", *_THREE, extras=extras, cards="IR-100")
        ),
        *_on_cards("IR-570 ", "IR-570"),
        *(
            spec
            for cards in ("3-bucket", "4-bucket")
            for spec in _named(f"{cards} REDM 3 ranges", "redm", *_THREE, cards=cards)
        ),
    )
}

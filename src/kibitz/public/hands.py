"""Read hand histories, and say how a bet off the menu is translated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kibitz.games import Game, load_game
from kibitz.io.files import read_records
from kibitz.io.record import HandRecord
from kibitz.translation.mappings import probabilities


def read_hands(path: str | Path, game: str | Game | None = None) -> Iterator[HandRecord]:
    """The hands of a log, a hand history, an archive or a folder of them: ACPC, PHH or PokerStars.

    game   of ACPC logs that do not name it

    >>> for hand in read_hands("match.log"):  # doctest: +SKIP
    ...     print(hand.players, hand.history, hand.returns)
    """
    rules = load_game(game) if isinstance(game, str) else game
    return read_records(Path(path), rules)


def translate_bet(bet: float, sizes: Sequence[float], mapping: str = "rand-psharmonic") -> list[float]:
    """How likely a bet of `bet` pots is translated to each of `sizes` (pots, ascending; 0 is a check).

    >>> [round(chance, 3) for chance in translate_bet(0.7, [0, 0.5, 1, 20])]
    [0.0, 0.529, 0.471, 0.0]
    """
    found: list[float] = probabilities(bet, list(sizes), mapping).tolist()
    return found

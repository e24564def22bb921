"""What is agreed on before the first card: game, hands, seed, names, time limits; the lines of an ACPC log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kibitz.arena.chance import ACPC, Chance
from kibitz.arena.match import FinishedHand
from kibitz.errors import KibitzError
from kibitz.games import CardSource, Deal, Game
from kibitz.io.acpc import format_hand
from kibitz.io.acpc.log import LogHeader, format_commented_game
from kibitz.io.record import HandRecord


class TimeLimits(NamedTuple):
    """How long a seat may think, in milliseconds, with the defaults of the original dealer."""

    response: int = 600_000  # for one answer
    hand: int = 600_000  # for all its answers in one hand
    per_hand: int = 7_000  # on average: this times the number of hands for the whole match


DEFAULT_LIMITS = TimeLimits()


@dataclass(frozen=True)
class MatchPlan:
    """A match as the command line of a dealer describes it; `names` by seat.

    game_name is what the log calls the game: the text that finds its definition.
    cards is what the seed is of, see `arena.chance`; the ACPC's logs know no other than its dealer's.
    """

    game: Game
    hands: int
    seed: int
    names: tuple[str, ...]
    match_name: str = "match"
    game_name: str = ""
    fixed_seats: bool = False
    limits: TimeLimits = DEFAULT_LIMITS
    cards: str = ACPC

    def __post_init__(self) -> None:
        if len(self.names) != self.game.players:
            raise KibitzError(f"names {' '.join(self.names)}: {self.game.players} are needed, one per seat")
        for name in (*self.names, self.match_name):
            if not _stands_in_a_log(name):
                raise KibitzError(f"the name {name!r}: letters, digits and signs but no spaces, ':' or '|'")
        if self.hands < 1:
            raise KibitzError(f"{self.hands} hands: a match has at least one")
        Chance(self.seed, self.cards)  # which refuses seeds that the dealer does not take

    @property
    def source(self) -> CardSource:
        """Where the cards come from."""
        return Chance(self.seed, self.cards).cards()

    @property
    def opening(self) -> str:
        """What the log begins with: the header of a dealer, or the game where no seed tells the cards."""
        if self.cards != ACPC:
            return format_commented_game(self.game).rstrip()
        game_name = self.game_name or self.game.name or "unnamed"
        return str(LogHeader(self.match_name, game_name, self.hands, self.seed, *self.limits))


def log_line(hand: FinishedHand, names: Sequence[str]) -> str:
    """A hand as a line of a log; `names` by seat."""
    return format_hand(hand_record(hand, names))


def hand_record(hand: FinishedHand, names: Sequence[str]) -> HandRecord:
    """A hand as a reader of its log would tell it, all cards known; `names` by seat."""
    state, seats = hand.state, hand.seats
    cards, returns = Deal(state.hole, state.board), tuple(hand.chips[seat] for seat in seats)
    seated = tuple(names[seat] for seat in seats)
    return HandRecord(state.game, str(hand.number), state.history, cards, seated, returns)


def _stands_in_a_log(name: str) -> bool:
    return name != "" and name.isprintable() and not set(name) & set(" :|")

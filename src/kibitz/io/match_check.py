"""What a whole ACPC match must satisfy beyond the rules of each hand: cards from the seed, seats, score."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from kibitz.games import Deal, Game, format_deal
from kibitz.games.dealing import deal_from, mersenne_twister, pass_over
from kibitz.io.acpc import Score, format_value
from kibitz.io.acpc.log import LogHeader
from kibitz.io.record import HandRecord

# Hands that are dealt only to get to later ones, in a whole match: some ten seconds.
_MOST_PASSED_OVER = 200_000_000
_BLOCK = 1024  # hand numbers that are kept together


class Difference(NamedTuple):
    """One point in which a file departs from the rules."""

    hand: str
    field: str
    expected: str
    got: str
    source: str = ""

    def __str__(self) -> str:
        where = f" ({self.source})" if self.source else ""
        return f"hand {self.hand}{where}: {self.field}: expected {self.expected}, got {self.got}"


class MatchCheck:
    """Follows one match hand by hand.

    Hands may be missing: the stream of cards is advanced to each hand's number. Seats rotate with the hands or
    are fixed, whichever leaves fewer hands out.
    """

    def __init__(self, header: LogHeader) -> None:
        self.header = header
        self.notes: list[str] = []
        self._seen = _Numbers()
        self._seats = (Counter[tuple[str, ...]](), Counter[tuple[str, ...]]())  # rotating, fixed
        self._oddities: dict[tuple[int, tuple[str, ...]], list[tuple[str, str]]] = {}
        self._stated: Counter[str] = Counter()
        self._computed: Counter[str] = Counter()
        self._cards: _CardStream | None = None
        self._scored = False

    def check_hand(self, record: HandRecord, returns: tuple[float, ...] | None) -> list[Difference]:
        """Differences of one hand from the seed; `returns` are its chips by the rules, where known."""
        stated = record.returns or returns or ()
        for name, chips, right in zip(record.players, stated, returns or stated, strict=False):
            self._stated[name] += chips  # type: ignore[assignment]
            self._computed[name] += right  # type: ignore[assignment]
        number = int(record.hand)
        if number >= self.header.hands:
            return [_difference(record, "hand number", f"below {self.header.hands}", record.hand)]
        self._note_seats(record, number)
        if not self._seen.add(number):
            return [_difference(record, "hand number", "each hand once", f"{record.hand} again")]
        if self._cards is None:
            self._cards = _CardStream(record.game, self.header.seed)
        return self._cards.check(record, number)

    def _note_seats(self, record: HandRecord, number: int) -> None:
        players = record.players
        shift = -number % len(players)  # position p is seat (p + hand) mod n
        orders = (players[shift:] + players[:shift], players)
        for way, order in enumerate(orders):
            self._seats[way][order] += 1
            hands = self._oddities.setdefault((way, order), [])
            if len(hands) < 100:
                hands.append((record.hand, record.source))

    def check_score(self, score: Score) -> list[Difference]:
        """Whether the totals are the sums of the hands; not decided when hands are missing."""
        self._scored = True
        if missing := self._missing():
            self.notes.append(f"{missing} of {self.header.hands} hands are missing, so SCORE is not checked")
            return []
        totals: Counter[str] = Counter()
        for name, chips in zip(score.names, score.values, strict=True):
            totals[name] += chips  # type: ignore[assignment]
        names = sorted({*totals, *self._stated})
        # A wrong value in a hand has been reported there; the score then goes with the right values.
        if any(_agree(totals, sums, names) for sums in (self._stated, self._computed)):
            return []
        return [
            Difference(
                "SCORE", f"total of {name}", format_value(self._stated[name]), format_value(totals[name]), score.source
            )
            for name in names
            if not _agree(totals, self._stated, [name])
        ]

    def note_end(self) -> None:
        """Note that the match breaks off, if it does, and how many hands are too far along to deal their cards."""
        if self._cards and self._cards.unchecked:
            self.notes.append(
                f"cards not checked against seed {self.header.seed}: {self._cards.unchecked} of the hands, "
                "too many would have to be dealt to get to them"
            )
        if not self._scored and (missing := self._missing()):
            self.notes.append(f"{missing} of {self.header.hands} hands are missing, and there is no SCORE")

    def _missing(self) -> int:
        return self.header.hands - self._seen.count

    def check_seats(self) -> list[Difference]:
        """The hands whose names are not where the seats of the match put them."""
        way = min((0, 1), key=lambda w: self._seats[w].total() - max(self._seats[w].values(), default=0))
        orders = self._seats[way]
        if len(orders) < 2:
            return []
        usual = max(orders, key=lambda order: orders[order])
        differences = []
        for order in orders:
            if order != usual:
                for hand, source in self._oddities[way, order]:
                    shift = 0 if way else int(hand) % len(usual)
                    right, got = (text[shift:] + text[:shift] for text in (usual, order))
                    differences.append(Difference(hand, "names", "|".join(right), "|".join(got), source))
        return differences


class _Numbers:
    """A set of hand numbers of any size, which mostly come in order: a bit each, by blocks."""

    def __init__(self) -> None:
        self.count = 0
        self._blocks: dict[int, int] = {}

    def add(self, number: int) -> bool:
        """Take `number`; whether it is new."""
        block, bit = number // _BLOCK, 1 << number % _BLOCK
        bits = self._blocks.get(block, 0)
        self._blocks[block] = bits | bit
        self.count += not bits & bit
        return not bits & bit


class _CardStream:
    """The cards of a match by hand number; going back means dealing from the start again.

    unchecked   hands that lie too far along to get to
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.unchecked = 0
        self._may_pass_over = _MOST_PASSED_OVER
        self._restart()

    def _restart(self) -> None:
        self._words, self._next = mersenne_twister(self.seed), 0
        self._deals = deal_from(self._words, self.game)

    def check(self, record: HandRecord, number: int) -> list[Difference]:
        passed_over = number - self._next if number >= self._next else number
        if passed_over > self._may_pass_over:
            self.unchecked += 1
            return []
        if number < self._next:
            self._restart()
        if passed_over:
            self._may_pass_over -= passed_over
            pass_over(self._words, self.game, passed_over)
        deal = next(self._deals)
        self._next = number + 1
        hole, board = record.deal
        if hole == deal.hole and board == deal.board[: len(board)]:
            return []
        # Cards that the file does not show are no difference.
        shown = tuple(right if cards else () for cards, right in zip(hole, deal.hole, strict=True))
        if hole == shown and board == deal.board[: len(board)]:
            return []
        reached = min(record.history.count("/"), record.game.rounds - 1)
        right_text, text = (
            format_deal(record.game, cards, reached) for cards in (Deal(shown, deal.board), record.deal)
        )
        return [_difference(record, f"cards of seed {self.seed}", right_text, text)]


def _difference(record: HandRecord, field: str, expected: str, got: str) -> Difference:
    return Difference(record.hand, field, expected, got, record.source)


def _agree(totals: Counter[str], sums: Counter[str], names: list[str]) -> bool:
    # Six decimals a hand: what fractions lose adds up over a match.
    return all(abs(totals[name] - sums[name]) <= 1e-3 for name in names)

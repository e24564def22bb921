"""Files of hand histories checked against the rules, hand by hand and match by match.

What a whole ACPC match must satisfy beyond the rules of each hand: cards from the seed, seats, score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from kibitz.errors import FormatError, cut
from kibitz.games import Deal, Game, format_deal
from kibitz.games.dealing import deal_from, mersenne_twister, pass_over
from kibitz.io.acpc import Score, format_value
from kibitz.io.acpc.log import Event, LogHeader
from kibitz.io.files import Source, UnknownFormatError, files_in, open_file, open_sources, read_events
from kibitz.io.hand_check import Difference, check_fully, difference
from kibitz.io.record import HandRecord, Note, Refusal

# Hands that are dealt only to get to later ones, in a whole match: some ten seconds.
_MOST_PASSED_OVER = 200_000_000
_BLOCK = 1024  # hand numbers that are kept together
PROGRESS_EVERY = 2_000
MOST_NOTES = 10
MOST_TOLD = 400  # characters of a field of a difference: cards and names of ten players are shorter


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
            return [difference(record, "hand number", f"below {self.header.hands}", record.hand)]
        self._note_seats(record, number)
        if not self._seen.add(number):
            return [difference(record, "hand number", "each hand once", f"{record.hand} again")]
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
        return [difference(record, f"cards of seed {self.seed}", right_text, text)]


def _agree(totals: Counter[str], sums: Counter[str], names: list[str]) -> bool:
    # Six decimals a hand: what fractions lose adds up over a match.
    return all(abs(totals[name] - sums[name]) <= 1e-3 for name in names)


class ReplayReport(NamedTuple):
    """What the replay of one file found; `first` holds the first differences, `notes` what could not be decided."""

    file: str
    hands: int
    differences: int
    first: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()


def replay_file(
    path: Path | str,
    game: Game | None = None,
    *,
    first: int = 10,
    progress: Callable[[int], None] | None = None,
) -> ReplayReport:
    """Check every hand of a file, archive or folder; what cannot be read as a hand counts as a difference.

    game      the rules of ACPC logs that do not name them
    first     how many differences to keep
    progress  called with the number of hands so far, now and then
    """
    tally = _Tally(first, progress)
    found = False
    for source in _sources(Path(path), tally):
        if source.format:
            found = True
            for difference in _replay_source(source, game, tally):
                tally.add(difference)
        else:
            tally.note(f"{source.name} is no hand history")
    if tally.lost and not tally.met_any:
        raise tally.lost
    if not found or (tally.unplayed and not tally.hands):  # nothing was checked, which must not look like success
        raise UnknownFormatError(tally.notes[0] if tally.notes else f"{path}: no hand history is there")
    if tally.unseen:
        tally.note(f"{tally.unseen} hands end in a showdown of hidden cards: of their results, only sums were checked")
    more = [f"and {tally.further_notes} more notes"] if tally.further_notes else []
    return ReplayReport(str(path), tally.hands, tally.differences, tuple(tally.first), (*tally.notes, *more))


class _Tally:
    """Counts of a replay under way; only the first differences are kept, so memory stays constant."""

    def __init__(self, keep: int, progress: Callable[[int], None] | None) -> None:
        self.hands = self.differences = 0
        self.first: list[Difference] = []
        self.notes: list[str] = []
        self.further_notes = 0
        self.unseen = 0  # hands whose cards do not tell the result
        self.unplayed = False  # whether hands of a game that is not played here were met
        self.met_any = False  # whether anything at all could be read
        self.lost: FormatError | None = None  # the first error that ended a file
        self._keep, self._progress = keep, progress

    def count_hand(self) -> None:
        self.hands += 1
        if self._progress and self.hands % PROGRESS_EVERY == 0:
            self._progress(self.hands)

    def note(self, text: str) -> None:
        if len(self.notes) < MOST_NOTES:
            self.notes.append(cut(text, MOST_TOLD))
        else:
            self.further_notes += 1

    def add(self, difference: Difference) -> None:
        self.differences += 1
        if len(self.first) < self._keep:
            self.first.append(Difference(*(cut(field, MOST_TOLD) for field in difference)))


def _sources(path: Path, tally: _Tally) -> Iterator[Source]:
    """The files at `path`; one that is damaged counts as a difference, and those after it are read."""
    for file in files_in(path) if path.is_dir() else [path]:
        try:
            yield from open_sources(file) if file == path else open_file(file)
        except FormatError as error:
            tally.lost = tally.lost or error
            tally.add(Difference("?", "text", "a readable file", str(error), str(file)))


def _replay_source(source: Source, game: Game | None, tally: _Tally) -> Iterator[Difference]:
    """The differences of one file, those of its matches included."""
    match: MatchCheck | None = None
    for event in _events(source, game, tally):
        if type(event) is HandRecord:
            tally.count_hand()
            differences, returns, _state = check_fully(event)
            yield from differences
            tally.unseen += returns is None and event.returns is not None and not differences
            if match:
                yield from match.check_hand(event, returns)
        elif isinstance(event, LogHeader):
            yield from _close(match, tally)
            match = MatchCheck(event)
        elif isinstance(event, Score) and match:
            yield from match.check_score(event)
        elif isinstance(event, Refusal):
            yield Difference(event.hand, "text", "a readable hand", event.reason, event.source)
        elif isinstance(event, Note):
            tally.unplayed = tally.unplayed or event.unplayed
            tally.note(str(event))
    yield from _close(match, tally)


def _events(source: Source, game: Game | None, tally: _Tally) -> Iterator[Event]:
    """The events of a file; where its reader gives up, that is one more refusal."""
    try:
        for event in read_events(source, game, strict=False):
            tally.met_any = True
            yield event
    except FormatError as error:
        tally.lost = tally.lost or error
        yield Refusal("?", source.name, str(error))


def _close(match: MatchCheck | None, tally: _Tally) -> Iterator[Difference]:
    if match:
        yield from match.check_seats()
        match.note_end()
        for note in match.notes:
            tally.note(note)

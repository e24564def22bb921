"""Files of hand histories checked against the rules, hand by hand and match by match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from kibitz.errors import FormatError, cut
from kibitz.games import Game
from kibitz.io.acpc import Score
from kibitz.io.acpc.log import Event, LogHeader
from kibitz.io.files import Source, UnknownFormatError, files_in, open_file, open_sources, read_events
from kibitz.io.hand_check import check_fully
from kibitz.io.match_check import Difference, MatchCheck
from kibitz.io.record import HandRecord, Note, Refusal

PROGRESS_EVERY = 2_000
MOST_NOTES = 10
MOST_TOLD = 400  # characters of a field of a difference: cards and names of ten players are shorter


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
            differences, returns = check_fully(event)
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
            tally.unplayed = tally.unplayed or not event.source
            tally.note(f"{event.source}: {event.text}" if event.source else event.text)
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

"""Hand histories checked against the rules: `check` one hand, `replay_file` a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kibitz.cards import format_cards, make_deck
from kibitz.errors import FormatError, IllegalActionError
from kibitz.games import Game, State, split_actions
from kibitz.io.acpc import Score, format_value
from kibitz.io.acpc_log import Event, LogHeader
from kibitz.io.events import Note, Refusal
from kibitz.io.files import Source, UnknownFormatError, open_sources, read_events
from kibitz.io.match_check import Difference, MatchCheck
from kibitz.io.record import HandRecord

TOLERANCE = 1e-6  # chips; logs print six decimals
MOST_RAKE = 0.1  # of a pot; what is short of more is no rake
PROGRESS_EVERY = 2_000
MOST_NOTES = 10
MOST_PLAYS = 1 << 14


class ReplayReport(NamedTuple):
    """What the replay of one file found; `first` holds the first differences, `notes` what could not be decided."""

    file: str
    hands: int
    differences: int
    first: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()


def check(record: HandRecord) -> list[Difference]:
    """Everything in which `record` departs from the rules of its game; empty for a faithful hand."""
    return _check(record)[0]


def returns_by_rules(record: HandRecord) -> tuple[float, ...] | None:
    """Net chips of every player as the rules have it; None where the hand is not legal or its cards are hidden."""
    return _check(record)[1]


def _check(record: HandRecord) -> tuple[list[Difference], tuple[float, ...] | None]:
    """The differences, and the chips won by the rules where betting and cards allow to say."""
    differences = _check_cards(record)
    state, refused = _play(record.game, record.history)
    if refused:
        legal = f"one of {state.legal()}" if not state.finished else "nothing, the hand is over"
        field = f"action {len(split_actions(state.history)) + 1} ({state.history})"
        differences.append(_difference(record, field, legal, refused))
        return differences, None
    if state.history != record.history:
        differences.append(_difference(record, "betting", state.history, record.history))
    if not state.finished:
        expected = f"an action of player {state.player}"
        differences.append(_difference(record, "betting", expected, f"no more after {record.history!r}"))
        return differences, None
    if len(record.deal.board) > record.game.board_ends[state.round]:
        expected = f"{record.game.board_ends[state.round]} board cards"
        differences.append(_difference(record, "cards", expected, format_cards(record.deal.board)))
    if differences:
        return differences, None
    try:
        returns = _showdown(state._replace(deal=record.deal), record).returns()
    except IllegalActionError:  # cards that a showdown needs are not shown
        return differences, None
    told = record.returns
    if told is not None and told != returns and not _same_chips(told, returns, state, _rake(record, state)):
        differences.append(_difference(record, "returns", _format_chips(returns), _format_chips(told)))
    return differences, returns


def _showdown(state: State, record: HandRecord) -> State:
    """`state` at the showdown: those who mucked have given up what was matched of their bets."""
    mucked = record.extra.get("mucked")
    if not isinstance(mucked, tuple) or not mucked or not state.showdown:
        return state
    matched = sorted(state.spent)[-2]  # an uncalled rest goes back to who bet it
    folded = state.folded
    for player in mucked:
        folded |= 1 << player
    return state._replace(spent=tuple(min(chips, matched) for chips in state.spent), folded=folded)


def _rake(record: HandRecord, state: State) -> float:
    """Chips that the room took: as the file has it, or what the winnings that it tells are short of the pot."""
    stated = record.extra.get("rake", record.extra.get("_rake"))  # the latter in PHH
    if isinstance(stated, int | float):
        return stated
    if record.returns is None or "winnings" not in record.extra:
        return 0
    matched = sorted(state.spent)[-2]
    pot = sum(min(chips, matched) for chips in state.spent) + sum(state.game.antes_paid)
    missing = -sum(record.returns)
    return missing if 0 < missing <= MOST_RAKE * pot else 0


def _same_chips(stated: tuple[float, ...], right: tuple[float, ...], state: State, rake: float) -> bool:
    """Whether the file and the rules agree; a rake is taken from those who win of the pot, and from nobody else."""
    if len(stated) != len(right):
        return False
    missing = [by_rules - told for by_rules, told in zip(right, stated, strict=True)]
    if not rake:
        return all(abs(chips) <= TOLERANCE for chips in missing)
    put_in = map(sum, zip(state.spent, state.game.antes_paid, strict=True))
    won = [chips + spent > 0 for chips, spent in zip(right, put_in, strict=True)]
    return abs(sum(missing) - rake) <= TOLERANCE and all(
        abs(chips) <= TOLERANCE or (winner and -1 <= chips <= rake + 1)  # who gets the odd chip is the room's choice
        for chips, winner in zip(missing, won, strict=True)
    )


def _check_cards(record: HandRecord) -> list[Difference]:
    game, (hole, board) = record.game, record.deal
    differences = []
    if len(record.players) != game.players:
        differences.append(_difference(record, "names", f"{game.players} players", "|".join(record.players)))
    if hole and len(hole) != game.players:
        differences.append(_difference(record, "cards", f"{game.players} players", f"hole cards of {len(hole)}"))
    for player, cards in enumerate(hole):
        if cards and len(cards) != game.hole_cards:
            expected = f"{game.hole_cards} cards of player {player}"
            differences.append(_difference(record, "cards", expected, format_cards(cards)))
    cards = sum(hole, board)
    if len(set(cards)) != len(cards):
        twice = sorted({card for card in cards if cards.count(card) > 1})
        differences.append(_difference(record, "cards", "each card once", f"{format_cards(twice)} twice"))
    deck = _deck(game.suits, game.ranks)
    if not deck.issuperset(cards):
        strange = [card for card in cards if card not in deck]
        differences.append(_difference(record, "cards", "cards of the deck", format_cards(strange)))
    return differences


@lru_cache(maxsize=64)
def _deck(suits: int, ranks: int) -> frozenset[int]:
    return frozenset(make_deck(suits, ranks))


_plays: tuple[Game, dict[str, tuple[State, str]]] | None = None


def _play(game: Game, history: str) -> tuple[State, str]:
    """The state after the legal actions of `history`, and the first action that is not ("" if all are).

    Remembered without cards while the game stays: the same few betting sequences make up most of a limit match.
    """
    global _plays
    plays = _plays  # one look and one change at a time: other threads may check other games
    if plays is None or plays[0] is not game or len(plays[1]) >= MOST_PLAYS:
        plays = _plays = game, {}
    play = plays[1].get(history)
    if play is None:
        play = plays[1][history] = _play_anew(game, history)
    return play


def _play_anew(game: Game, history: str) -> tuple[State, str]:
    state = State.start(game)
    for action in split_actions(history):
        try:
            state = state.apply(action)
        except IllegalActionError:
            return state, action
    return state, ""


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
    for source in open_sources(path):
        if source.format:
            for difference in _replay_source(source, game, tally):
                tally.add(difference)
        else:
            tally.note(f"{source.name} is no hand history")
    if tally.unplayed and not tally.hands:
        raise UnknownFormatError(tally.notes[0])  # nothing was checked, which must not look like success
    more = [f"and {tally.further_notes} more notes"] if tally.further_notes else []
    return ReplayReport(str(path), tally.hands, tally.differences, tuple(tally.first), (*tally.notes, *more))


class _Tally:
    """Counts of a replay under way; only the first differences are kept, so memory stays constant."""

    def __init__(self, keep: int, progress: Callable[[int], None] | None) -> None:
        self.hands = self.differences = 0
        self.first: list[Difference] = []
        self.notes: list[str] = []
        self.further_notes = 0
        self.unplayed = False  # whether hands of a game that is not played here were met
        self._keep, self._progress = keep, progress

    def count_hand(self) -> None:
        self.hands += 1
        if self._progress and self.hands % PROGRESS_EVERY == 0:
            self._progress(self.hands)

    def note(self, text: str) -> None:
        if len(self.notes) < MOST_NOTES:
            self.notes.append(text)
        else:
            self.further_notes += 1

    def add(self, difference: Difference) -> None:
        self.differences += 1
        if len(self.first) < self._keep:
            self.first.append(difference)


def _replay_source(source: Source, game: Game | None, tally: _Tally) -> Iterator[Difference]:
    """The differences of one file, those of its matches included."""
    match: MatchCheck | None = None
    for event in _events(source, game, alone=not tally.hands):
        if type(event) is HandRecord:
            tally.count_hand()
            differences, returns = _check(event)
            yield from differences
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


def _events(source: Source, game: Game | None, alone: bool) -> Iterator[Event]:
    """The events of a file; where its reader gives up after some hands or files, that is one more refusal."""
    try:
        for event in read_events(source, game, strict=False):
            alone = False
            yield event
    except FormatError as error:
        if alone:
            raise
        yield Refusal("?", source.name, str(error))


def _close(match: MatchCheck | None, tally: _Tally) -> Iterator[Difference]:
    if match:
        yield from match.check_seats()
        for note in match.notes:
            tally.note(note)


def _difference(record: HandRecord, field: str, expected: str, got: str) -> Difference:
    return Difference(record.hand, field, expected, got, record.source)


def _format_chips(returns: tuple[float, ...]) -> str:
    return "|".join(map(format_value, returns))

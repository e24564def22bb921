"""The wire transcript of an ACPC match: what the dealer sent (`TO k at ...`) and what came back (`FROM k at ...`).

A hand is put together from the last state that each seat saw. Every state sent must continue the one before, and the
dealer must go on with an answer that echoes the last state, unless the rules refuse it or a warning says how it ruled.

A transcript may also be that of one seat, as an agent keeps it: with the messages of that seat only, or just with the
states that it got and the answers that it gave, one a line (`MATCHSTATE:...`). Cards that the seat has not seen stay
unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kibitz.errors import FormatError, GameError, KibitzError
from kibitz.games import Deal, Game, State
from kibitz.io.acpc.log import Comments, Event
from kibitz.io.acpc.states import STATE_FORM, MatchState, parse_response
from kibitz.io.record import NOTHING, HandRecord, Note, Refusal

_MESSAGE = re.compile(r"(TO|FROM) ([0-9]{1,2}) at ([0-9]{1,12}\.[0-9]{1,9}) (.*)")
_CLOCK = re.compile(r"(STARTED|FINISHED) at [0-9.]+|Seconds cumulatively spent in match for seat .*|VERSION:[0-9.]+")
_ANSWER_COLONS = STATE_FORM.count(":") + 1
_OWN_SEAT = 1  # what the seat is called of a transcript that does not number it
_WARNING = re.compile(r"WARNING: .*|Warning: .*")  # the original dealer's, and ours


class _Hand:
    """One hand of a transcript while its messages come in."""

    def __init__(self, number: int, game: Game, source: str, time: float | None, seats: frozenset[int]) -> None:
        self.number, self.game, self.source = number, game, source
        self.times = [time, time]
        self.seats = seats  # those of the hands before; none in the first
        self.sent: dict[int, MatchState] = {}  # seat -> last state
        self.history = ""
        self.answer: tuple[MatchState, str] | None = None
        self.odd_answer = ""  # why the dealer cannot have gone on with the last one

    def send(self, seat: int, state: MatchState) -> None:
        """Take a state sent to `seat`; inconsistent ones raise `FormatError`."""
        if len(state.hole) != self.game.players:
            raise FormatError(f"{state} is of {len(state.hole)} players; the game has {self.game.players}")
        before = self.sent.get(seat)
        self.sent[seat] = state
        if before is not None:
            if state.position != before.position:
                raise FormatError(f"seat {seat} moved from position {before.position} to {state.position}")
            if state.hole[state.position] != before.hole[before.position]:
                raise FormatError(f"the cards of seat {seat} changed within the hand: {before}, then {state}")
            if state.board[: len(before.board)] != before.board:
                raise FormatError(f"the board changed within the hand: {before}, then {state}")
            if not state.history.startswith(before.history):
                raise FormatError(f"the betting {state.history!r} does not continue {before.history!r}")
        if len(state.history) > len(self.history):
            self.history, answer, self.answer = state.history, self.answer, None
            odd, self.odd_answer = self.odd_answer, ""
            if answer:
                self._check_answer(state, *answer)
            elif odd:
                raise FormatError(f"the betting goes on as {state.history!r} after an answer that is none: {odd}")

    def _check_answer(self, state: MatchState, asked: MatchState, action: str) -> None:
        """The dealer goes on with the answer it got; only what the rules refuse it may change (to a call)."""
        wanted = asked.history + action
        if not state.history.startswith(wanted) and action in asked.state(self.game).legal():
            raise FormatError(f"the answer was {action!r} but the betting went on as {state.history!r}")

    def receive(self, seat: int, text: str) -> None:
        """Take an answer of `seat`. The dealer passes over those to earlier states, and rules on unreadable ones."""
        try:
            state, action = parse_response(text)
        except FormatError as error:
            self.odd_answer = str(error)
            return
        if state == self.sent.get(seat):
            self.answer = state, action
        else:
            self.odd_answer = f"seat {seat} answers {state}, which was not the last state sent to it"

    def warn(self) -> None:
        """Take a warning of the dealer: it has ruled on the answer before."""
        self.odd_answer = ""

    def finished(self) -> bool:
        """Whether the betting that everybody has seen ends the hand."""
        try:
            over = State.start(self.game).play(self.history).finished
        except KibitzError:
            over = True  # an impossible hand: let the check of the rules say so
        return over and self._seen_by_all()

    def _seen_by_all(self) -> bool:
        whole = len(self.sent) in (1, self.game.players) and self.sent.keys() == (self.seats or self.sent.keys())
        return whole and all(state.history == self.history for state in self.sent.values())

    def record(self) -> HandRecord:
        """The hand with the cards that any seat has seen."""
        if not self._seen_by_all():
            raise FormatError(f"the seats did not all see the last betting {self.history!r}")
        hole: list[tuple[int, ...]] = [()] * self.game.players
        names = self._names()
        for state in self.sent.values():
            for position, cards in enumerate(state.hole):
                if cards and hole[position] and hole[position] != cards:
                    raise FormatError(f"the seats saw different cards in position {position}")
                hole[position] = cards or hole[position]
        boards = {sum(state.board, ()) for state in self.sent.values()}
        if len(boards) > 1 or "" in names:
            raise FormatError("the seats saw different boards or sat in one place")
        started, ended = self.times
        extra = NOTHING if started is None else {"started": started, "ended": ended}
        deal = Deal(tuple(hole), boards.pop())
        return HandRecord(self.game, str(self.number), self.history, deal, tuple(names), None, 1.0, self.source, extra)

    def _names(self) -> list[str]:
        """The seats by position, "" where none sits; who saw the hand alone knows where he sits among the others."""
        players = self.game.players
        names = [""] * players
        for seat, state in self.sent.items():
            names[state.position] = f"seat {seat}"
            if len(self.sent) == 1:
                others = {(state.position + step) % players: (seat - 1 + step) % players + 1 for step in range(players)}
                names = [f"seat {others[position]}" for position in range(players)]
        return names


def read_transcript(
    lines: Iterable[str], source: str = "", game: Game | None = None, *, strict: bool = True
) -> Iterator[Event]:
    """The hands of a transcript, its header first; a hand or line cut off at the end is a `Note`.

    strict   raise `FormatError` at an inconsistent line; otherwise yield a `Refusal` and go on
    """
    comments = Comments(game, source)
    hand: _Hand | None = None
    failure: Refusal | None = None
    line, where = "", source
    for number, line in enumerate(lines, 1):
        if failure:  # only a failure of the very last line may be the file's end
            yield _refuse(failure, strict)
            failure = None
        where, text = f"{source}:{number}", line.strip("\ufeff \t\r\n")
        if text[:1] in ("#", ";", ""):
            comments.feed(text)
            continue
        header = comments.take_header()
        if header:
            yield header
        blamed = str(hand.number) if hand else "?"
        try:
            if hand and _WARNING.fullmatch(text):
                hand.warn()
            message = _parse_message(text)
            if message is None:
                continue
            way, seat, time, state_text = message
            if way == "FROM":
                if hand:
                    hand.receive(seat, state_text)
                continue
            state = MatchState.parse(state_text)
            if hand is None or state.hand != hand.number:
                seats = hand.seats or frozenset(hand.sent) if hand else frozenset()
                closing, hand = hand, _Hand(state.hand, _game(comments, where), where, time, seats)
                if closing:
                    yield closing.record()
                blamed = str(hand.number)
            hand.times[1] = time
            hand.send(seat, state)
        except GameError:
            raise
        except KibitzError as error:
            failure = Refusal(blamed, where, str(error))
    cut_off = not line.endswith("\n")
    if failure and not cut_off:
        yield _refuse(failure, strict)
    if hand and hand.finished():
        try:
            yield hand.record()
        except FormatError as error:
            if cut_off:
                yield Note(where, f"the transcript ends within hand {hand.number}: {error}")
            else:
                yield _refuse(Refusal(str(hand.number), where, str(error)), strict)
    elif hand:
        yield Note(where, f"the transcript ends within hand {hand.number}")
    if failure and cut_off:
        yield Note(where, f"the last line is cut off: {failure.reason}")


def _parse_message(text: str) -> tuple[str, int, float | None, str] | None:
    """Way, seat, time and match state of a line; None for clock, warnings, final score and comments of a client."""
    if text.startswith("MATCHSTATE:"):  # an answer adds its action
        return "FROM" if text.count(":") == _ANSWER_COLONS else "TO", _OWN_SEAT, None, text
    match = _MESSAGE.fullmatch(text)
    if match:
        return (match[1], int(match[2]), float(match[3]), match[4]) if match[4].startswith("MATCHSTATE:") else None
    if _CLOCK.fullmatch(text) or _WARNING.fullmatch(text) or text.startswith("SCORE:"):
        return None
    raise FormatError(f"{text!r} is no line of a transcript: [TO or FROM seat at time] MATCHSTATE...")


def _refuse(refusal: Refusal, strict: bool) -> Refusal:
    if strict:
        raise FormatError(f"{refusal.source}: {refusal.reason}")
    return refusal


def _game(comments: Comments, where: str) -> Game:
    if comments.game is None:
        raise GameError(f"{where}: the transcript does not say which game was played; name it", settings=("game",))
    return comments.game

"""An ACPC match without any wires: what every seat is told, what an answer means, what is logged.

A seat is a chair at the table, a position is the place in the hand (0 is first after the button).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from kibitz.arena.match import Match
from kibitz.arena.plan import MatchPlan, log_line
from kibitz.errors import FormatError
from kibitz.games import Game, Legal, State, format_deal
from kibitz.io.acpc import MatchState, Score, normalise_actions

_SIZE = re.compile(r"\s*([+-]?[0-9]{1,1000})")


class Ruling(NamedTuple):
    """What a line from the player to act means."""

    action: str | None  # what is played; None when the line does not answer the present state
    warning: str = ""  # what was wrong with the line, "" if nothing


class Seat(Protocol):
    """Somebody on a chair: hears every state, and is asked when it is their turn."""

    def tell(self, hand: int, message: str, more: bool) -> None:
        """Take note of a state, `MATCHSTATE:...` as this seat sees it; `more` if the next one follows at once."""

    def ask(self, rule: Callable[[str], Ruling]) -> str:
        """The action of this seat in the state it was told last; `rule` says what a line means."""


class Referee(Match):
    """A match in the words of the protocol: what every seat is told, and what its lines mean.

    >>> from kibitz.games import load_game
    >>> referee = Referee(MatchPlan(load_game("kuhn"), 1, 0, ("ann", "bob")))
    >>> referee.messages
    ['MATCHSTATE:0:0::As|', 'MATCHSTATE:1:0::|Ks']
    >>> referee.rule("MATCHSTATE:0:0::As|:r")
    Ruling(action='r', warning='')
    """

    def __init__(self, plan: MatchPlan) -> None:
        super().__init__(plan.game, plan.source, hands=plan.hands, fixed_seats=plan.fixed_seats)
        self.plan = plan
        self._sight: object = None
        self._told: State | None = None

    @property
    def messages(self) -> list[str]:
        """The present state as each seat is told it, by seat."""
        if self.state is not self._told:
            self._write_messages()
        return self._messages

    def rule(self, line: str) -> Ruling:
        """What `line` from the acting seat means: an answer echoes the state it was sent, then names an action."""
        told = self.messages[self.acting]
        if line.startswith(f"{told}:"):
            return rule_action(self.state, line[len(told) :])
        echo = ":".join(line.split(":", 5)[:5])
        if _same_state(echo, told, self.game):
            return rule_action(self.state, line[len(echo) :])
        if line.startswith(told):
            return rule_action(self.state, line[len(told) :])
        return Ruling(None, f"{line[:80]!r} does not answer {told!r}")

    def score(self) -> Score:
        """Chips by seat: the last line of the log."""
        return Score(tuple(self.scores), self.plan.names)

    def _write_messages(self) -> None:
        state, hand = self.state, self.hand
        sight = (hand, state.round, state.finished)
        if sight != self._sight:  # cards come into sight only in a new round and at the end
            self._sight = sight
            positions = [self.seats.index(seat) for seat in range(len(self.seats))]
            cards = [format_deal(state.game, state.seen_by(p).deal, state.round) for p in positions]
            self._openings = [f"MATCHSTATE:{position}:{hand}:" for position in positions]
            self._cards = [f":{text}" for text in cards]
        self._told, history = state, state.history
        self._messages = [f"{start}{history}{cards}" for start, cards in zip(self._openings, self._cards, strict=True)]


def conduct(referee: Referee, seats: Sequence[Seat], record: Callable[[str], None]) -> Score:
    """Play the match to its end; `record` is given the hands and the score as lines of a log.

    Every state goes to every seat in order, the final state of a hand included, whoever is to act.
    """
    while not referee.over:
        messages, acting, hand = referee.messages, referee.acting, referee.hand
        if acting < 0:
            # Before anybody is told: a seat may be lost there, the hand is not.
            record(log_line(referee.close_hand(), referee.plan.names))
        for seat, message in zip(seats, messages, strict=True):
            seat.tell(hand, message, acting < 0 and not referee.over)
        if acting >= 0:
            referee.play(seats[acting].ask(referee.rule))
    record(str(referee.score()))
    return referee.score()


def rule_action(state: State, text: str) -> Ruling:
    """What `text`, the part of an answer behind the echoed state, means as an action.

    As the original dealer has it: a raise out of range becomes the nearest legal one, what cannot be read or is
    not legal becomes a call, and nobody looks at what stands behind the action.
    """
    legal = state.legal()
    if text[:1] == ":" and text[1:] in legal:
        return Ruling(text[1:])
    try:
        letter = normalise_actions(text[1:2]) if text[:1] == ":" else ""
    except FormatError:
        letter = ""
    if letter not in ("f", "c", "r"):
        return Ruling("c", f"{text[:40]!r} is no action, changed to call")
    if letter in legal:
        return Ruling(letter)
    if letter == "r" and legal.max_raise_to:
        return _rule_size(text[2:], legal)
    return Ruling("c", f"{letter!r} is not legal (legal are {legal}), changed to call")


def _rule_size(text: str, legal: Legal) -> Ruling:
    """A no-limit raise of the size `text`, brought into range."""
    size = _SIZE.match(text)
    if size is None:
        return Ruling("c", f"'r{text[:40]}' names no size, changed to call")
    chips = int(size[1])
    fair = min(max(chips, legal.min_raise_to), legal.max_raise_to)
    return Ruling(f"r{fair}", "" if fair == chips else f"raise to {size[1][:20]} changed to {fair}")


def _same_state(echo: str, told: str, game: Game) -> bool:
    """Whether `echo` says in other letters what `told` said; nobody looks at the cards of other players."""
    try:
        return _seen(echo, game) == _seen(told, game)
    except FormatError:
        return False


def _seen(text: str, game: Game) -> tuple[int, int, State]:
    """What a match state says to its own position."""
    told = MatchState.parse(text)
    return told.position, told.hand, told.state(game).seen_by(told.position)

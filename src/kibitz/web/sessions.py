"""Sessions at a table: a person on seat 0 against agents, kept as seeds and actions in the folder.

`.kibitz-web/tables/ID.json` has the game, the opponents, the seed, the person's actions and how many hands were closed.
That is all there is to a match (`Match.replay`), so a session goes on after the server was started anew.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from dataclasses import asdict, dataclass, field
from io import StringIO
from pathlib import Path
from threading import RLock
from typing import Any

from kibitz.agents import Agent
from kibitz.arena.chance import ACPC, KEYED, Chance
from kibitz.arena.duplicate import unused
from kibitz.arena.match import FinishedHand, Match
from kibitz.arena.plan import hand_record
from kibitz.errors import KibitzError
from kibitz.files import read_json, write_text
from kibitz.games import Game, State, split_actions
from kibitz.games.stakes import Stake, win_rate
from kibitz.io.acpc import is_sayable
from kibitz.io.acpc.log import format_commented_game
from kibitz.io.acpc.states import format_hand
from kibitz.io.convert import convert
from kibitz.modelling.estimators import Reduction
from kibitz.statistics import Moments
from kibitz.web.choices import chosen_agent, chosen_game
from kibitz.web.folder import OWN
from kibitz.web.luck import Luck
from kibitz.web.reasons import reason
from kibitz.web.refusals import MissingError, StaleError

SEEDS = 2**32
MOST_SESSIONS_OPEN = 32  # in memory; the others wait in the folder
_ID = re.compile(r"[0-9a-f]{12}")


@dataclass
class Record:
    """What is stored of a session: all that it takes to play it again."""

    kind: str
    players: int
    opponents: list[str]
    seed: int
    started: float
    actions: list[str] = field(default_factory=list)
    hand: int = 0  # hands that were closed
    owner: str = ""  # the visitor whose seat it is
    cards: str = ACPC  # of sessions that say nothing, which are older ones


class Session:
    """A session in progress; `lock` is held by whoever plays, `advising` by whoever asks an adviser."""

    def __init__(self, folder: Path, session_id: str, record: Record) -> None:
        self.id, self.record, self.lock = session_id, record, RLock()
        self.advising = RLock()
        self._path = _home(folder) / f"{session_id}.json"
        self.game: Game = chosen_game(record.kind, record.players)
        opponents = [chosen_agent(folder, text) for text in record.opponents]
        if len(opponents) != self.game.players - 1:
            raise KibitzError(f"{len(opponents)} opponents: the game needs {self.game.players - 1}")
        self.names = ["you"]
        for number, agent in enumerate(opponents, 1):
            self.names.append(unused(agent.name if is_sayable(agent.name) else f"agent{number}", self.names, "-"))
        chance = Chance(record.seed, record.cards)
        seeds = [chance.seat(seat) for seat in range(self.game.players)]
        self.match = Match(self.game, chance.cards(), [None, *opponents], seeds)
        self._advisers: dict[str, Agent] = {}
        self._opponents, self._luck = opponents, Luck(self.names, opponents)
        self.finished: list[FinishedHand] = []
        for action in record.actions:
            while self.match.advance().finished:
                self._close()
            self.match.play(action)
        self.match.advance()
        while self.match.hand < record.hand:
            self._close()
            self.match.advance()

    @property
    def decision(self) -> int:
        """The number of the person's next decision in the session, counted from 0."""
        return len(self.record.actions)

    def play(self, hand: int, decision: int, action: str) -> None:
        """Play an action of the person at the decision of that number; IllegalActionError leaves all as it was."""
        with self.lock:
            self._check(hand, decision)
            self.match.play(action)
            self.record.actions.append(action)
            self.match.advance()
            self.save()

    def next_hand(self, hand: int, decision: int) -> None:
        """Close the finished hand of that number and deal the next one, up to the person's first decision."""
        with self.lock:
            self._check(hand, decision)
            if not self.match.state.finished:
                raise KibitzError("the hand is not over")
            self._close()
            self.record.hand = self.match.hand
            self.match.advance()
            self.save()

    def _check(self, hand: int, decision: int) -> None:
        """Refuse what was meant for another hand or decision: a second click, or a second window."""
        if (hand, decision) != (self.match.hand, self.decision):
            raise StaleError("the hand has gone on, in another window perhaps: this is how it stands; nothing was done")

    def _close(self) -> None:
        self.finished.append(self.match.close_hand())

    def played(self) -> list[FinishedHand]:
        """The hands that are over, the present one included."""
        return [*self.finished, self.match.finished_hand()] if self.match.state.finished else [*self.finished]

    def results(self) -> list[float]:
        """Chips of the person, hand by hand."""
        return [hand.chips[0] for hand in self.played()]

    def rate(self) -> str:
        """The win rate of the person with a 95 % interval."""
        chips = self.results()
        return str(win_rate(Moments.of(chips), Stake.of(self.game))) if chips else ""

    def luck(self) -> Reduction | None:
        """The win rate, raw and less the luck of cards and agents; None before the first hand is over."""
        with self.lock:
            played = self.played()
        return self._luck.of(played)

    def adviser(self, folder: Path, text: str) -> Agent:
        """An agent who does not play, to be asked for advice; kept as long as the session is open."""
        if text not in self._advisers:
            agent = chosen_agent(folder, text)
            agent.reset(self.game, 0)
            self._advisers[text] = agent
        return self._advisers[text]

    def names_by_position(self) -> list[str]:
        """What everybody is called in the present hand."""
        return [self.names[seat] for seat in self.match.seats]

    def reasons(self) -> list[dict[str, Any]]:
        """Why the agents acted as they did in the present hand, which must be over: all cards are told."""
        if not self.match.state.finished:
            return []
        told, names = [], self.names_by_position()
        past = State.start(self.game, self.match.state.deal)
        for action in split_actions(self.match.state.history):
            seat = self.match.seats[past.player]
            if seat > 0:
                told.append(reason(self._opponents[seat - 1], past.seen_by(past.player), action, names))
            past = past.apply(action)
        return told

    def history(self, form: str) -> str:
        """The finished hands as `acpc` or `phhs`, all cards known."""
        records = [hand_record(hand, self.names) for hand in self.played()]
        if form == "acpc":
            return format_commented_game(self.game) + "".join(format_hand(each) + "\n" for each in records)
        out = StringIO()
        convert(records, "phhs", out)
        return out.getvalue()

    def save(self) -> None:
        """Write the session to its folder, whole or not at all."""
        write_text(self._path, json.dumps(asdict(self.record)))


class Sessions:
    """The sessions of a folder, those in use also in memory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, Session] = {}
        self._lock = RLock()

    def start(self, kind: str, players: int, opponents: list[str], seed: int | None, owner: str = "") -> Session:
        """A new session of a visitor; the seed is drawn where none is given."""
        if seed is not None and not 0 <= seed < SEEDS:
            raise KibitzError(f"the seed {seed} is not between 0 and {SEEDS - 1}")
        seed = secrets.randbelow(SEEDS) if seed is None else seed
        players = chosen_game(kind, players).players
        record = Record(kind, players, opponents, seed, time.time(), owner=owner, cards=KEYED)
        session = Session(self._folder, secrets.token_hex(6), record)
        session.save()
        with self._lock:
            self._keep(session)
        return session

    def get(self, session_id: str) -> Session:
        """The session of that id, played again from its file where it is not open."""
        path = _home(self._folder) / f"{session_id}.json"
        if not _ID.fullmatch(session_id) or not path.is_file():
            raise MissingError(f"there is no session {session_id!r}")
        with self._lock:
            if session_id not in self._open:
                self._keep(Session(self._folder, session_id, _read(path)))
            return self._open[session_id]

    def list(self) -> list[tuple[str, Record]]:
        """The ids and records of all sessions of the folder, the newest first."""
        found = []
        for path in _home(self._folder).glob("*.json"):
            try:
                found.append((path.stem, _read(path)))
            except (KibitzError, OSError):
                continue
        return sorted(found, key=lambda each: -each[1].started)

    def remove(self, session_id: str) -> None:
        """Forget a session."""
        self.get(session_id)
        with self._lock:
            self._open.pop(session_id, None)
        (_home(self._folder) / f"{session_id}.json").unlink()

    def _keep(self, session: Session) -> None:
        self._open[session.id] = session
        while len(self._open) > MOST_SESSIONS_OPEN:
            del self._open[next(iter(self._open))]


def _home(folder: Path) -> Path:
    return folder.resolve() / OWN / "tables"


def _read(path: Path) -> Record:
    try:
        record = Record(**read_json(path))
    except (TypeError, ValueError) as error:
        raise KibitzError(f"{path.name} is not a session of the page: {error}") from None
    numbers, texts = (record.players, record.seed, record.started, record.hand), (record.opponents, record.actions)
    sound = all(isinstance(each, int | float) for each in numbers) and all(isinstance(each, list) for each in texts)
    if not sound or not isinstance(record.owner, str):
        raise KibitzError(f"{path.name} is not a session of the page: a number or a list is missing")
    return record

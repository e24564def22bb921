"""Sessions of the expert against a varied field: hands to learn from, and decisions kept apart to ask about.

What a session holds depends on the seed and its number only. Every session has hands against every opponent, so that
the first thousand hands are as varied as the first million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from kibitz.agents import Agent
from kibitz.agents.strategic import StrategyAgent
from kibitz.arena.match import AgentSpec, Witness, make_agent, play_match
from kibitz.files import taking_place
from kibitz.games import AcpcCards, Game, State
from kibitz.io.acpc import format_hand
from kibitz.io.acpc.log import format_commented_game
from kibitz.io.record import HandRecord
from kibitz.modelling.cases import Description, Features, Strength, load_strength
from kibitz.modelling.cases.betting import SequenceReader
from kibitz.random import derive_seed
from kibitz.translation import write


class Session(NamedTuple):
    """Some hands of the expert against each of `others` in turn; a value that can be sent to another process.

    number   which session it is; with the seed it decides the cards and the dice
    path     where its log, or what is asked of it, is written
    """

    game: Game
    expert: AgentSpec
    others: tuple[AgentSpec, ...]
    hands: int
    number: int = 0
    seed: int = 0
    path: Path = Path()

    @property
    def shares(self) -> list[int]:
        """Hands against each opponent: as even as can be, those that are left over going to others in each session."""
        count = len(self.others)
        each, left = divmod(self.hands, count)
        return [each + ((place - self.number * left) % count < left) for place in range(count)]


def split(pattern: Session, hands: int, paths: str) -> Iterator[Session]:
    """Sessions as long as `pattern`, `hands` in all; `paths` has a place for the number."""
    for number in range(-(-hands // pattern.hands)):
        here = min(pattern.hands, hands - number * pattern.hands)
        yield pattern._replace(hands=here, number=number, path=Path(paths.format(number)))


def play_session(session: Session, expert: Agent, witness: Callable[[Agent], Witness]) -> None:
    """Play all hands of a session, button moving from hand to hand.

    witness   is asked for one that watches the hands against an opponent
    """
    for place, (other, hands) in enumerate(zip(session.others, session.shares, strict=True)):
        if hands:
            opponent = make_agent(other)
            cards, *dice = (derive_seed(session.seed, session.number, place, which) for which in range(3))
            play_match(session.game, [expert, opponent], dice, hands, AcpcCards(cards), witness(opponent))


def write_log(session: Session) -> Path:
    """Play a session and write its log, an ACPC log with the game in comments; whole or not at all."""
    expert, number = make_agent(session.expert), 0
    with taking_place(session.path) as beside, beside.open("w") as out:
        out.write(format_commented_game(session.game))

        def watch(opponent: Agent) -> Witness:
            names = expert.name, opponent.name

            def keep(hand: int, state: State) -> None:
                nonlocal number
                seated = names[hand % 2 :] + names[: hand % 2]
                deal = state.deal._replace(board=state.board)
                record = HandRecord(session.game, str(number), state.history, deal, seated, state.returns())
                out.write(format_hand(record) + "\n")
                number += 1

            return keep

        play_session(session, expert, watch)
    return session.path


SCHEMA: dict[str, Any] = {
    "hand": pl.UInt32,
    "strength": pl.UInt16,
    "sequence": pl.String,
    "commitment": pl.UInt8,
    "texture": pl.String,
    "taken": pl.String,
    "likely": pl.String,
}


class Question(NamedTuple):
    """A decision of the expert.

    taken   the letter of what was done
    likely  of what is done most often there, None where the expert does not tell
    hand    number of the hand
    """

    features: Features
    taken: str
    likely: str | None
    hand: int = 0


def table_of(questions: Iterable[Question]) -> pl.DataFrame:
    """Questions as a table."""
    rows = [(each.hand, *each.features, each.taken, each.likely) for each in questions]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def likely_action(agent: Agent, state: State) -> str | None:
    """What an agent with a strategy does most often in `state`; None for all others."""
    if not isinstance(agent, StrategyAgent):
        return None
    place = agent.place(state)
    if place is None:
        return "c"
    chances = agent.probabilities(place.node, state)
    return write(place, max(range(len(chances)), key=chances.__getitem__), state)


class Observed:
    """The expert as it plays, every decision kept as a question."""

    def __init__(self, agent: Agent, description: Description, strength: Strength) -> None:
        self.name = agent.name
        self.questions: list[Question] = []
        self.hand = 0
        self._agent = agent
        self._description = description
        self._strength = strength
        self._reader = SequenceReader(description.letters, description.reading)

    def reset(self, game: Game, seed: int) -> None:
        self._agent.reset(game, seed)

    def act(self, state: State) -> str:
        action = self._agent.act(state)
        likely = likely_action(self._agent, state)
        of = self._description
        features = of.describe(state, self._reader.catch_up(state), self._strength)
        taken = of.letters.read(state, action, of.reading)
        most = None if likely is None else of.letters.read(state, likely, of.reading)
        self.questions.append(Question(features, taken, most, self.hand))
        return action

    def observe(self, state: State, position: int) -> None:
        self._agent.observe(state, position)
        self._reader.restart()
        self.hand += 1


class Inquiry(NamedTuple):
    """A session whose decisions are kept; a value that can be sent to another process."""

    session: Session
    description: Description


def write_questions(inquiry: Inquiry) -> Path:
    """Play a session and write the expert's decisions, a Parquet file, whole or not at all."""
    session, description = inquiry
    expert = Observed(make_agent(session.expert), description, load_strength(description.strength))

    def watch(_opponent: Agent) -> Witness:
        return lambda _hand, _state: None

    play_session(session, expert, watch)
    with taking_place(session.path) as beside:
        table_of(expert.questions).write_parquet(beside)
    return session.path


def read_questions(paths: Iterable[Path]) -> pl.DataFrame:
    """The questions of several sessions, hands numbered on."""
    tables: list[pl.DataFrame] = []
    hands = 0
    for path in paths:
        table = pl.read_parquet(path)
        tables.append(table.with_columns((pl.col("hand") + hands).cast(pl.UInt32)))
        hands += int(table["hand"].max() or 0) + 1
    return pl.concat(tables)

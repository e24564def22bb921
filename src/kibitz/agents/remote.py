"""Playing an agent on an ACPC dealer: the protocol's text on one side, `Agent` on the other, a socket between."""

from __future__ import annotations

import socket
from contextlib import closing
from typing import NamedTuple

from kibitz.agents.base import Agent
from kibitz.agents.chance import derive_seed
from kibitz.agents.connection import LONG_LINE, Connection
from kibitz.agents.faults import call, illegal_answer
from kibitz.errors import AgentError, FormatError, KibitzError
from kibitz.games import Game, State
from kibitz.io.acpc import MatchState

HANDSHAKE = "VERSION:2.0.0"
CONNECT_SECONDS = 10.0


class Player:
    """An agent behind the protocol: lines of the dealer in, answers out. Needs no socket.

    hands, chips : finished hands, and what they brought
    mid_hand     : whether a hand has begun that is not finished

    >>> from kibitz.agents import load_agent
    >>> from kibitz.games import load_game
    >>> player = Player(load_agent("always-call"), load_game("kuhn"), seed=0)
    >>> player.hear("MATCHSTATE:0:0::As|"), player.hear("MATCHSTATE:0:0:c:As|")
    ('MATCHSTATE:0:0::As|:c', None)
    """

    def __init__(self, agent: Agent, game: Game, seed: int) -> None:
        self._agent = agent
        self._game = game
        self._place: list[str] = []  # word, position, hand and cards of the last state: all its text but the betting
        self._state = State.start(game)
        self.hands = 0
        self.chips = 0.0
        self.mid_hand = False
        call(agent, "at the start of a match", agent.reset, game, seed)

    def hear(self, line: str) -> str | None:
        """The agent's answer to a line of the dealer, None when it has nothing to say."""
        if not line or line[0] in "#;":
            return None
        state = self._state = self._follow(line)
        self.mid_hand = not state.finished
        position = int(self._place[1])
        if state.player == position:
            return f"{line}:{self._choose(state)}"
        if state.finished:
            self.hands += 1
            self.chips += state.returns()[position]
            call(self._agent, f"at the end of hand {self._place[2]}", self._agent.observe, state, position)
        return None

    def _follow(self, line: str) -> State:
        """The state of `line`: from the last one where only actions are new, else from the start of the hand."""
        fields = line.split(":")
        betting = fields.pop(3) if len(fields) == 5 else ""
        known = self._state.history
        try:
            if fields == self._place and betting.startswith(known):
                state = self._state.play(betting[len(known) :])
                if state.history == betting:
                    return state
            state = MatchState.parse(line).state(self._game)
        except KibitzError as error:
            raise FormatError(f"{error}; does the dealer play {self._game.name or 'this game'}?") from None
        self._place = fields
        return state

    def _choose(self, state: State) -> str:
        action = call(self._agent, f"in hand {self._place[2]}", self._agent.act, state)
        if action not in state.legal():
            raise illegal_answer(self._agent, action, state)
        return action


class RemoteResult(NamedTuple):
    """What a match over the wire came to."""

    hands: int
    chips: float


def play_remote(agent: Agent, game: Game, host: str, port: int, seed: int) -> RemoteResult:
    """Play `agent` on the dealer at `host`:`port` until it hangs up; `AgentError` if that is in mid-hand.

    seed : of all players of a match; each derives its own from the first position that it hears
    """
    player = Player(agent, game, derive_seed(seed, 0))  # whoever cannot play this game does not take a seat
    begun = False
    with closing(_connect(host, port)) as connection:
        answer: str | None = HANDSHAKE
        while (line := _exchange(connection, answer)) is not None:
            if not begun and (position := _position(line)) is not None:
                begun, player = True, player if position == 0 else Player(agent, game, derive_seed(seed, position))
            answer = player.hear(line)
    if player.mid_hand or not player.hands:
        raise AgentError(f"the dealer hung up after {player.hands} hands, before the match was over")
    return RemoteResult(player.hands, player.chips)


def _position(line: str) -> int | None:
    """Where the agent sits by a first state: players with the same seed must not draw the same numbers."""
    word, _, rest = line.partition(":")
    position = rest.partition(":")[0]
    return int(position) if word == "MATCHSTATE" and position.isdecimal() else None


def _connect(host: str, port: int) -> Connection:
    try:
        return Connection(socket.create_connection((host, port), CONNECT_SECONDS), LONG_LINE)
    except (OSError, OverflowError, UnicodeError) as error:  # the last where a host's name cannot be one
        raise KibitzError(f"no dealer at {host} port {port}: {error}") from None


def _exchange(connection: Connection, answer: str | None) -> str | None:
    """Send `answer`, if any, and wait for the next line; None when the dealer has hung up."""
    try:
        if answer is not None:
            connection.send(answer)
        return connection.receive().decode("latin-1")
    except OSError:
        return None

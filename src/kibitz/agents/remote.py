"""Playing an agent on an ACPC dealer: the protocol's text on one side, `Agent` on the other, a socket between."""

from __future__ import annotations

import re
import socket
import time
from contextlib import closing
from itertools import islice
from typing import NamedTuple

from kibitz.agents.base import Agent
from kibitz.agents.connection import LONG_LINE, Connection
from kibitz.agents.faults import call, exact_text, illegal_answer
from kibitz.errors import AgentError, FormatError, KibitzError
from kibitz.games import Deal, Game, State, deal_hands
from kibitz.io.acpc import MatchState
from kibitz.random import derive_seed

HANDSHAKE = "VERSION:2.0.0"
CONNECT_SECONDS = 10.0
START_SECONDS = 3600.0  # for the first state, which comes when the last player has connected
SILENCE_SECONDS = 660.0  # between states: another player has 600 s for an answer on a dealer with its default limits
MOST_HANDS = 20  # of an agent that hardly ever sees the last round; twice around the largest table
SLOW = 2.0  # seconds of a hand with nothing new in it: whoever thinks for so long is not made to play another
LONGEST_REASON = 300  # characters: lines are quoted in it, and a dealer may send any number of them

_FIRST_STATE = re.compile(r"MATCHSTATE:([0-9]{1,18}):")


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
            raise FormatError(f"{_cut(str(error))}; does the dealer play {self._game.name or 'this game'}?") from None
        self._place = fields
        return state

    def _choose(self, state: State) -> str:
        action = exact_text(call(self._agent, f"in hand {self._place[2]}", self._agent.act, state))
        if type(action) is not str or action not in state.legal():
            raise illegal_answer(self._agent, action, state)
        return action


class RemoteResult(NamedTuple):
    """What a match over the wire came to."""

    hands: int
    chips: float


def play_remote(
    agent: Agent,
    game: Game,
    address: tuple[str, int],
    seed: int,
    *,
    start_seconds: float | None = START_SECONDS,
    silence_seconds: float | None = SILENCE_SECONDS,
) -> RemoteResult:
    """Play `agent` on the dealer at `address` (host, port) until it hangs up; `AgentError` if that is in mid-hand.

    Before it takes its seat the agent plays a few hands that count for nothing (see `warm_up`).

    seed             of all players of a match; each derives its own from the first position that it hears
    start_seconds    how long the first state may take, which is until all players have connected; None for ever
    silence_seconds  how long the dealer may say nothing after that; None for ever
    """
    Player(agent, game, seed)  # whoever cannot play this game does not take a seat
    warm_up(agent, game)
    player = Player(agent, game, derive_seed(seed, 0))
    begun = False
    with closing(_connect(*address)) as connection:
        answer: str | None = HANDSHAKE
        deadline = _after(start_seconds)
        while True:
            try:
                line = _exchange(connection, answer, _after(silence_seconds) if begun else deadline)
            except TimeoutError:
                waited = silence_seconds if begun else start_seconds
                raise AgentError(_silence(*address, waited, player.hands if begun else None)) from None
            if line is None:
                break
            if not begun and (first := _FIRST_STATE.match(line)):
                begun, position = True, int(first[1])
                player = player if position == 0 else Player(agent, game, derive_seed(seed, position))
            answer = player.hear(line)
    if player.mid_hand or not player.hands:
        raise AgentError(f"the dealer hung up after {player.hands} hands, before the match was over")
    return RemoteResult(player.hands, player.chips)


def warm_up(agent: Agent, game: Game) -> None:
    """Let `agent`, who has been reset for `game`, play hands that count for nothing; it must be reset again afterwards.

    It plays twice in every position, and until it has acted in every round. The others check and call, and every second
    orbit they bet or raise once a round. An agent that fails here is left alone: the match will tell.
    """
    unseen = set(range(game.rounds))
    for hand, deal in enumerate(islice(deal_hands(game, 0), MOST_HANDS)):
        if hand >= 2 * game.players and not unseen:
            return
        begun = time.monotonic()
        try:
            seen = _practise(agent, game, deal, hand % game.players, raises=hand // game.players % 2 == 1)
        except (Exception, SystemExit):
            return
        if not seen & unseen and time.monotonic() - begun > SLOW:
            return
        unseen -= seen


def _practise(agent: Agent, game: Game, deal: Deal, position: int, raises: bool) -> set[int]:
    """Play one hand in `position`; the rounds in which the agent acted."""
    state, rounds = State.start(game, deal), set()
    while not state.finished:
        if state.player == position:
            rounds.add(state.round)
            state = state.apply(agent.act(state.seen_by(position)))
        else:
            state = state.apply(_answer(state, raises))
    agent.observe(state.seen_by(position), position)
    return rounds


def _answer(state: State, raises: bool) -> str:
    """What the others do: call, or make the smallest raise where nobody has raised in this round."""
    legal = state.legal()
    if not raises or state.raises or not legal.max_raise_to:
        return "c"
    return "r" if legal.limit else f"r{legal.min_raise_to}"


def _after(seconds: float | None) -> float | None:
    """The deadline so many seconds from now."""
    return None if seconds is None else time.monotonic() + seconds


def _silence(host: str, port: int, seconds: float | None, hands: int | None) -> str:
    """What to say of a dealer from whom nothing has come; `hands` are those finished, None before the first state."""
    where = f"the dealer at {host} port {port}"
    waited = "too long" if seconds is None else f"{seconds:g} s"  # the system may lose patience before we do
    if hands is None:
        return f"{where} has begun no match for {waited}: are all players there?"
    return f"{where} has said nothing for {waited}, after {hands} hands"


def _cut(text: str) -> str:
    """`text` without its middle where it is too long to be read."""
    if len(text) <= LONGEST_REASON:
        return text
    return f"{text[: LONGEST_REASON // 2]} ... {text[-LONGEST_REASON // 2 :]}"


def _connect(host: str, port: int) -> Connection:
    try:
        return Connection(socket.create_connection((host, port), CONNECT_SECONDS), LONG_LINE)
    except (OSError, OverflowError, UnicodeError) as error:  # the last where a host's name cannot be one
        raise KibitzError(f"no dealer at {host} port {port}: {error}") from None


def _exchange(connection: Connection, answer: str | None, deadline: float | None) -> str | None:
    """Send `answer`, if any, and wait for the next line; None when the dealer has hung up."""
    try:
        if answer is not None:
            connection.send(answer, deadline)
        return connection.receive(deadline).decode("latin-1")
    except TimeoutError:
        raise
    except OSError:
        return None

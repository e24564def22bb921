"""The contract of agents: what the built-in ones keep, and what you can hold your own to.

>>> check_agent("always-call", games=["leduc"], hands=20)
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import NamedTuple

import numpy as np

from kibitz.agents import Agent, load_agent
from kibitz.agents.faults import is_interrupt
from kibitz.arena.match import AgentSpec, make_agent, play_hand, play_match
from kibitz.errors import KibitzError
from kibitz.games import AcpcCards, Deal, Game, State, deal_hands, load_game, split_actions
from kibitz.random import derive_seed

DEFAULT_GAMES = ("kuhn", "leduc", "leduc-nolimit", "holdem-limit-2p", "holdem-nolimit-2p", "holdem-nolimit-3p")
# Between them these lead into every corner of the betting: raises of any size, long passive hands, caps.
OPPONENTS = ("random", "example-player", "always-call", "always-raise")


def check_agent(
    spec: AgentSpec,
    games: Sequence[str | Game] | None = None,
    hands: int = 200,
    seed: int = 0,
    seconds: float = 60.0,
) -> None:
    """Raise AssertionError, with a sentence, unless the agent keeps its contract.

    - It has a name that can stand in an ACPC log, and the methods of `Agent`.
    - It answers every decision with a legal action within `seconds`, and takes the end of every hand.
    - Its actions are a function of its seed and what it was shown: a new agent acts the same, so does the same one
      after `reset`, and the global random generators make no difference.
    - It knows no card that is hidden from it, not even those of its twins on the other seats.

    spec    a name for `load_agent`, or anything that makes a new agent when called
    games   names or games; by default two- and three-player, limit and no-limit. An agent that has a method
            `plays(game) -> bool` is only held to the games it says it plays.
    hands   how many it plays of each game, at least one
    """
    chosen = DEFAULT_GAMES if games is None else games
    if hands < 1 or not chosen:
        raise KibitzError(f"{hands} hands of {len(chosen)} games: an agent is checked in at least one of each")
    agent = _make(spec)
    rules = [load_game(game) if isinstance(game, str) else game for game in chosen]
    played = [game for game in rules if _plays(agent, game)]
    assert played, f"{agent.name} plays none of {', '.join(game.name or 'unnamed' for game in rules)}"
    with _global_generators_restored():
        for game in played:
            _check_repeatable(spec, agent, game, hands, seed, seconds)
            for number, deal in enumerate(islice(deal_hands(game, seed + 1), max(1, hands // 10))):
                _check_secrecy(spec, game, deal, derive_seed(seed, number), seconds)


def _make(spec: AgentSpec) -> Agent:
    """A new agent whose outside is right."""
    try:
        agent = spec() if callable(spec) else make_agent(spec)
    except KibitzError:  # a text that names no agent
        raise
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise AssertionError(f"{spec!r} raised {error!r} instead of making an agent") from error
    lacking = [word for word in ("name", "reset", "act", "observe") if not hasattr(agent, word)]
    assert not lacking, f"{type(agent).__name__} has no {', '.join(lacking)}: an agent has a name, reset, act, observe"
    name = agent.name
    assert isinstance(name, str), f"the name {name!r} is not a text"
    fits = name != "" and name.isascii() and name.isprintable() and not set(name) & set(" :|")
    assert fits, f"the name {name!r} cannot stand in a log: letters, digits and signs but no blanks, ':' or '|'"
    return agent


def _plays(agent: Agent, game: Game) -> bool:
    plays = getattr(agent, "plays", None)
    with _kept(agent.name, "when asked about", game):
        return plays is None or plays(game)


class Decision(NamedTuple):
    """One answer of an agent."""

    seen: str
    action: str
    board: int  # cards on the board


class _Watched:
    """The agent as the arena sees it, every answer checked and kept."""

    def __init__(self, agent: Agent, seconds: float, disturb: bool = False) -> None:
        self.name = agent.name
        self.decisions: list[Decision] = []
        self._agent = agent
        self._seconds = seconds
        self._disturb = disturb

    def reset(self, game: Game, seed: int) -> None:
        with _kept(self.name, "in reset for", game):
            self._agent.reset(game, seed)
        self.decisions = []

    def act(self, state: State) -> str:
        if self._disturb:
            random.random()
            np.random.random()
        begun = time.perf_counter()
        with _kept(self.name, "in", state):
            action = self._agent.act(state)
        spent = time.perf_counter() - begun
        assert action in state.legal(), f"{self.name} answered {action!r} in {_where(state)}: legal are {state.legal()}"
        assert spent <= self._seconds, (
            f"{self.name} took {spent:.3g} s in {_where(state)}: {self._seconds:g} s are given"
        )
        self.decisions.append(Decision(str(state), action, len(state.board)))
        return action

    def observe(self, state: State, position: int) -> None:
        with _kept(self.name, "at the end of", state):
            self._agent.observe(state, position)


def _check_repeatable(spec: AgentSpec, agent: Agent, game: Game, hands: int, seed: int, seconds: float) -> None:
    """The same match three times: a new agent, another new one, the first again."""
    first = _play(_Watched(agent, seconds), game, hands, seed)
    # Another twin draws from the global generators between its decisions, as a neighbour in a real match would.
    second = _play(_Watched(_make(spec), seconds, disturb=True), game, hands, seed)
    _compare(
        agent.name, first, second, "a new agent with the same seed", "all randomness must come from the seed of reset"
    )
    third = _play(_Watched(agent, seconds), game, hands, seed)
    _compare(agent.name, first, third, "the same agent after reset", "reset must drop all that was remembered")


def _play(watched: _Watched, game: Game, hands: int, seed: int) -> list[Decision]:
    """What the agent on seat 0 decides in a match against simple opponents."""
    seeds = [derive_seed(seed, seat) for seat in range(game.players)]
    decisions: list[Decision] = []
    # The second half against others, so that no style of opponent hides a part of the agent.
    for half, count in enumerate(((hands + 1) // 2, hands // 2)):
        others = [load_agent(OPPONENTS[(seat + 2 * half) % len(OPPONENTS)]) for seat in range(game.players - 1)]
        play_match(game, [watched, *others], seeds, count, AcpcCards(seed + half))
        decisions += watched.decisions
    return decisions


def _compare(name: str, first: list[Decision], second: list[Decision], who: str, why: str) -> None:
    for one, other in zip(first, second, strict=False):
        assert one == other, (
            f"{name} answered {one.action!r} in {one.seen}, {who} {other.action!r} in {other.seen}: {why}"
        )
    assert len(first) == len(second), f"{name} decided {len(first)} times, {who} {len(second)} times: {why}"


def _check_secrecy(spec: AgentSpec, game: Game, deal: Deal, seed: int, seconds: float) -> None:
    """Twins play a hand; then it is dealt again with other cards where one of them cannot look."""
    final, twins = _play_twins(spec, game, deal, seed, seconds)
    for position, twin in enumerate(twins):
        if not twin.decisions:
            continue
        other = _redeal_hidden(game, deal, position, twin.decisions[-1].board, seed)
        answers = _replay_twins(spec, game, other, final.history, position, seed)
        for told, answer in zip(twin.decisions, answers, strict=True):
            assert answer == told.action, (
                f"{twin.name} answered {told.action!r} in {told.seen}, but {answer!r} when only cards it cannot see "
                "were others: it knows what is hidden, or does not depend on its seed alone"
            )


def _play_twins(spec: AgentSpec, game: Game, deal: Deal, seed: int, seconds: float) -> tuple[State, list[_Watched]]:
    twins = [_Watched(_make(spec), seconds) for _ in range(game.players)]
    for position, twin in enumerate(twins):
        twin.reset(game, derive_seed(seed, position))
    return play_hand(game, deal, twins), twins


def _redeal_hidden(game: Game, deal: Deal, position: int, board: int, seed: int) -> Deal:
    """`deal` with all cards drawn anew but the hole cards of `position` and the first `board` board cards."""
    kept = {*deal.hole[position], *deal.board[:board]}
    left = [card for card in game.deck if card not in kept]
    random.Random(seed).shuffle(left)
    hole = tuple(
        cards if owner == position else tuple(left.pop() for _ in cards) for owner, cards in enumerate(deal.hole)
    )
    return Deal(hole, deal.board[:board] + tuple(left.pop() for _ in deal.board[board:]))


def _replay_twins(spec: AgentSpec, game: Game, deal: Deal, history: str, position: int, seed: int) -> list[str]:
    """What new twins answer at `position` when the betting is forced to be `history`; all are asked in turn."""
    twins = [_make(spec) for _ in range(game.players)]
    for seat, twin in enumerate(twins):
        with _kept(twin.name, "in reset for", game):
            twin.reset(game, derive_seed(seed, seat))
    answers, state = [], State.start(game, deal)
    for action in split_actions(history):
        seen = state.seen_by(state.player)
        if state.player == position:
            with _kept(twins[position].name, "in", seen):
                answers.append(twins[position].act(seen))
        else:
            with suppress(Exception, SystemExit):  # a twin may be puzzled when another action than its own was taken
                twins[state.player].act(seen)
        state = state.apply(action)
    return answers


@contextmanager
def _global_generators_restored() -> Iterator[None]:
    python, numpy = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)


@contextmanager
def _kept(name: str, when: str, place: Game | State) -> Iterator[None]:
    """Whatever the agent `name` raises in there is a broken promise."""
    try:
        yield
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise AssertionError(f"{name} raised {error!r} {when} {_where(place)}") from error


def _where(place: Game | State) -> str:
    if isinstance(place, State):
        return f"{_where(place.game)}, {place}"
    return place.name or "the game"

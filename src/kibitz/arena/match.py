"""The engine of every match: it deals, asks a seat for its action, applies it, and pays. One step at a time.

Duplicate matches, the dealer's referee, logs and the terminal all drive a `Match`. So can a page: a seat without an
agent is played from outside, whenever its action comes.

>>> from kibitz.games import AcpcCards, load_game
>>> match = Match(load_game("leduc"), AcpcCards(3), agents=[None, load_agent("always-call")], seeds=[1, 2])
>>> match.advance().player, str(match.view(0)), str(match.state.legal())
(0, ':Ks|', 'c, r')
>>> match.play("r")
>>> match.advance().history  # the agent has called, and it is our turn again
'rc/'
>>> match.play("c")
>>> match.advance().finished
True
>>> match.close_hand().chips
(3, -3)
>>> again = Match(load_game("leduc"), AcpcCards(3), agents=[None, load_agent("always-call")], seeds=[1, 2])
>>> again.replay(["r", "c"]).history  # cards, seeds and our own actions are all there is to a match
'rc/cc'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.agents import Agent, load_agent
from kibitz.agents.faults import blame, call, exact_text, illegal_answer
from kibitz.arena.batch import FEW, can_batch, can_play_tables, pays_off, play_batch, play_tables
from kibitz.errors import AgentError, IllegalActionError
from kibitz.games import CardSource, Deal, Game, State

AgentSpec = str | Callable[[], Agent]  # what `load_agent` takes: a name, or anything that makes a new agent
Witness = Callable[[int, State], None]  # is told every finished hand: its number and the final state


def make_agent(spec: AgentSpec) -> Agent:
    """A new agent, with no memory shared with any other."""
    return load_agent(spec)


class FinishedHand(NamedTuple):
    """A hand that has been played and paid.

    number   in its match
    state    at the end, with all cards
    seats    the seat of each position
    chips    net, by seat
    """

    number: int
    state: State
    seats: tuple[int, ...]
    chips: tuple[float, ...]


class Match:
    """A match in progress. In hand h, position p is seat (p + h) mod players, unless the seats are fixed.

    cards    where they come from, see `kibitz.games.dealing`
    agents   by seat, None for one that is played from outside by `play`; without any, all are
    seeds    of the agents' randomness, by seat; agents are reset with them
    hands    after which the match is `over`; None for no end

    state    of the present hand, number `hand`, with all cards: what a seat may see of it is its `view`
    seats    the seat of each position in this hand
    scores   chips won in the hands that are over, by seat
    """

    state: State
    seats: tuple[int, ...]

    def __init__(
        self,
        game: Game,
        cards: CardSource,
        agents: Sequence[Agent | None] = (),
        seeds: Sequence[int] = (),
        *,
        hands: int | None = None,
        fixed_seats: bool = False,
    ) -> None:
        agents = agents or (None,) * game.players
        if len(agents) != game.players:
            raise AgentError(f"{len(agents)} agents for {game.players} seats of {game.name or 'the game'}")
        for agent, its_seed in zip(agents, seeds or (0,) * game.players, strict=True):
            if agent is not None:
                call(agent, "at the start of a match", agent.reset, game, its_seed)
        self.game = game
        self.hands = hands
        self.scores = [0.0] * game.players
        self._deals = cards.hands(game)
        rotations = 1 if fixed_seats else game.players
        orders = [(*range(shift, game.players), *range(shift)) for shift in range(rotations)]
        self._seatings = [(order, [agents[seat] for seat in order]) for order in orders]
        self.hand = -1
        self._deal()

    @property
    def over(self) -> bool:
        """Whether all hands have been played."""
        return self.hands is not None and self.hand >= self.hands

    @property
    def acting(self) -> int:
        """The seat to act; -1 when the hand is finished."""
        return self.seats[self.state.player] if self.state.player >= 0 else -1

    def view(self, seat: int) -> State:
        """The present state as `seat` sees it."""
        return self.state.seen_by(self.seats.index(seat))

    def play(self, action: str) -> None:
        """Apply an action of the acting seat; IllegalActionError where it is not legal."""
        self.state = self.state.apply(action)

    def advance(self) -> State:
        """Ask agents for their actions until the hand is over or a seat without an agent is to act."""
        self.state = ask_agents(self.state, self._seated, self.hand)
        return self.state

    def finished_hand(self) -> FinishedHand:
        """The present hand, which must be over, as `close_hand` will give it."""
        returns = self.state.returns()
        first = len(self.seats) - self.seats[0]  # the position of seat 0
        return FinishedHand(self.hand, self.state, self.seats, returns[first:] + returns[:first])

    def close_hand(self) -> FinishedHand:
        """Pay the finished hand, show it to the agents, and deal the next one."""
        finished = self.finished_hand()
        tell_agents(self.state, self._seated, self.hand)
        for seat, won in enumerate(finished.chips):
            self.scores[seat] += won
        self._deal()
        return finished

    def play_out(self) -> Iterator[FinishedHand]:
        """Play the hands that are left, one by one; every seat needs an agent."""
        while not self.over:
            if self.advance().player >= 0:
                raise IllegalActionError(f"seat {self.acting} has no agent: its action comes from outside, by `play`")
            yield self.close_hand()

    def replay(self, actions: Iterable[str]) -> State:
        """Resume a match from its beginning: let the seats without agents do `actions`, and the agents their own.

        Agents with the same seeds do what they did. Hands that end on the way are closed, save the last.
        """
        for action in actions:
            while self.advance().finished:
                self.close_hand()
            self.play(action)
        return self.advance()

    def _deal(self) -> None:
        self.hand += 1
        self.seats, self._seated = self._seatings[self.hand % len(self._seatings)]
        self.state = State.start(self.game, next(self._deals))


def ask_agents(state: State, agents: Sequence[Agent | None], number: int) -> State:
    """The state when agents, by position, have acted until the hand is over or nobody sits where an action is due.

    Each sees only what its position may see. AgentError, with the number of the hand, for one that fails.
    """
    agent: Agent | None = None
    try:
        while state.player >= 0:
            agent = agents[state.player]
            if agent is None:
                break
            seen = state.seen_by(state.player)
            action = exact_text(agent.act(seen))
            if type(action) is not str or action not in seen.legal():
                raise illegal_answer(agent, action, seen)
            state = state.apply(action)
    except BaseException as error:
        blame(error, agent, f"in hand {number}")
        raise
    return state


def tell_agents(state: State, agents: Sequence[Agent | None], number: int) -> None:
    """Show the end of a hand to every agent, by position, as far as it may see it."""
    agent: Agent | None = None
    try:
        for position, agent in enumerate(agents):
            if agent is not None:
                agent.observe(state.seen_by(position), position)
    except BaseException as error:
        blame(error, agent, f"in hand {number}")
        raise


def play_hand(game: Game, deal: Deal, agents: Sequence[Agent], number: int = 0) -> State:
    """Play one hand between `agents`, by position, who have been reset.

    number: of the hand in its match, for the error of an agent that fails
    """
    state = ask_agents(State.start(game, deal), agents, number)
    tell_agents(state, agents, number)
    return state


def play_match(
    game: Game,
    agents: Sequence[Agent],
    seeds: Sequence[int],
    hands: int,
    cards: CardSource,
    witness: Witness | None = None,
) -> npt.NDArray[np.float64]:
    """Net chips of a match: float64[hands, seats].

    Agents and their seeds are given by seat. Where all agents are arrays, or one is a portfolio in a small game and the
    other a strategy, nobody watches, and there are more than a few hands, compiled code plays; the result is the same.
    """
    if witness is None and can_batch(game, agents) and pays_off(agents, hands):
        return play_batch(game, agents, seeds, hands, cards)
    if witness is None and hands > FEW and can_play_tables(game, agents):
        return play_tables(agents, seeds, hands, cards)
    chips = np.empty((hands, game.players))
    for hand in Match(game, cards, agents, seeds, hands=hands).play_out():
        chips[hand.number] = hand.chips
        if witness is not None:
            witness(hand.number, hand.state)
    return chips

"""Following a real hand in the abstract betting, whatever the players do.

The two hands drift apart: bets are translated to others, so pots differ, somebody is all-in in one hand and not in the
other, or a betting round is over in one while it goes on in the other. The rules of this reader:

- Actions are read one by one, in order, by everybody but the one who plays (whose own choice is known).
- Who is to act in the abstract hand but has folded in the real one folds there too, or checks where he faces nothing;
  who is all-in in the real one calls there.
- Where the abstract hand is over, or in a later round, or its turn has passed, there is nothing to read: the place
  stays. A player without a place calls: what he faces was translated to no more than he has agreed to pay.
- If a raise was translated to a call that closed the abstract round, and then somebody raises again, all the raising
  since is one raise at the place where the round was last open; he who raised calls it if it is his turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from copy import copy
from typing import NamedTuple, Self

from kibitz.games import State, split_actions
from kibitz.translation.bets import Reading, Readings
from kibitz.translation.places import Place, TreePlace, real_pot


class _Open(NamedTuple):
    """Where a round was open before a raise was translated to a call that closed it."""

    place: Place
    round: int
    bet: int
    pot: int


class Follower(ABC):
    """One who follows a real hand, whose actions may come one or many at a time."""

    _real: State | None = None

    def restart(self) -> None:
        """A new hand begins."""
        self._real = None

    def advance(self, state: State) -> State:
        """Follow all that happened since the last call, or from the start in another hand; the betting of `state`."""
        real = self._real
        if real is None or not _goes_on(state.history, real.history):
            self.restart()
            real = State.start(state.game)
        actions = split_actions(state.history[len(real.history) :])
        for number, action in enumerate(actions, 1):
            after = state if number == len(actions) else real.apply(action)
            self.follow(real, action, after)
            real = after
        self._real = real
        return real

    @abstractmethod
    def follow(self, state: State, action: str, after: State) -> None:
        """The player to act in the real hand's `state` does `action`, which leads to `after`."""


class Tracker(Follower):
    """The place in the abstract betting of one hand at a time.

    place    where the abstract hand stands
    chance   how likely the last action was to be translated to it was
    root     the abstract betting from its start
    uniform  gives random numbers from 0 to 1, for mappings that are random
    """

    def __init__(self, root: Place, reading: Reading, uniform: Callable[[], float]) -> None:
        self.place = root
        self.chance = 1.0
        self._root = root
        self._reading = reading
        self._uniform = uniform
        self._open: _Open | None = None
        self._chosen: tuple[str, int] | None = None

    def restart(self) -> None:
        super().restart()
        self.place, self._open, self._chosen = self._root, None, None

    def choose(self, action: str, number: int) -> None:
        """The player's own next action will be `action`; he means child `number` of his place."""
        self._chosen = action, number

    def catch_up(self, state: State) -> Place | None:
        """Follow all that happened since the last call and give the place at which `state.player` acts, if any."""
        return self.place_of(self.advance(state))

    def place_of(self, state: State) -> Place | None:
        """The place at which the player to act in the real hand acts; None if the abstract hand has none for him."""
        place, round_, actor = self.place, state.round, state.player
        while place.player >= 0 and place.round <= round_:
            player = place.player
            if place.round == round_:
                if player == actor:
                    self.place = place
                    return place
                if state.able >> player & 1:  # his turn comes; the one who acts now is out of the abstract betting
                    break
            folds = state.folded >> player & 1 and place.call
            place = place.child(0 if folds else place.call)
        self.place = place
        return None

    def follow(self, state: State, action: str, after: State | None = None) -> None:
        chosen, self._chosen = self._chosen, None
        self.chance = 1.0
        place = self.place
        if place.player != state.player or place.round != state.round:  # rare where bets are near the menu
            found = self.place_of(state)
            if found is None:
                if action[0] == "r" and self._open is not None and self._open.round == state.round:
                    self._read_again(state, action)
                return
            place = found
        if chosen is not None and chosen[0] == action:
            number = chosen[1]  # also of a raise that the real hand did not allow, and which became a call
        elif action == "f":
            number = 0  # a player who faces nothing in the abstract hand checks there
        elif action == "c":
            number = place.call
        elif action == "r" and place.raises.amounts:
            number = place.call + 1  # the one raise of a limit game, which may even lower the bet
        else:
            bet, pot = state.bet, real_pot(state)
            amount, most = _amount(state, action)
            number = self._draw(self._reading.raises(place, bet, pot, amount, amount == most))
            if number == place.call:
                self._remember(place, state, bet, pot)
        self.place = place.child(number)

    def _remember(self, place: Place, state: State, bet: int, pot: int) -> None:
        after = place.child(place.call)
        if after.player < 0 or after.round > state.round:
            self._open = _Open(place, state.round, bet, pot)

    def _read_again(self, state: State, action: str) -> None:
        assert self._open is not None
        place, _round, bet, pot = self._open
        if not place.raises.sizes:
            return
        amount, most = _amount(state, action)
        number = self._draw(self._reading.raises(place, bet, pot, amount, amount == most))
        after = place.child(max(number, place.call + 1))
        if after.player == state.player and after.round == state.round:
            after = after.child(after.call)  # he has paid what his raise is translated to; now the next one has a place
        self.place = after
        self._open = None

    def _draw(self, readings: Readings) -> int:
        number, self.chance = readings[0]
        if len(readings) > 1 and self._uniform() >= self.chance:
            number, self.chance = readings[1]
        return number


def _goes_on(history: str, before: str) -> bool:
    """Whether `history` may be a later point of the hand of `before`: r300 does not go on from r30."""
    return history.startswith(before) and not (before and history[len(before) : len(before) + 1].isdigit())


def _amount(state: State, action: str) -> tuple[int, int]:
    """What `action` raises to, and the most the player could."""
    most = state.game.limits[state.player]
    return (state.legal().max_raise_to if action == "r" else int(action[1:])), most


class Reader(Tracker):
    """A tracker that translates a bet as it is told to, where more than one translation is possible.

    pick    which one to take; `readings`, how many there were
    """

    def __init__(self, root: TreePlace, reading: Reading) -> None:
        super().__init__(root, reading, _no_dice)
        self.pick, self.readings = 0, 1

    def _draw(self, readings: Readings) -> int:
        self.readings = len(readings)
        number, self.chance = readings[self.pick]
        return number

    @property
    def key(self) -> Hashable:
        """What tells readers apart for all that follows."""
        place, opened = self.place, self._open
        assert isinstance(place, TreePlace)
        if opened is None:
            return place.node, None
        assert isinstance(opened.place, TreePlace)
        return place.node, (opened.place.node, *opened[1:])

    def tree_place(self, state: State) -> TreePlace | None:
        """The place at which the player to act in `state` acts; None if the abstract hand has none for him."""
        place = self.place_of(state)
        assert place is None or isinstance(place, TreePlace)
        return place

    def read(self, state: State, action: str) -> Iterator[Self]:
        """The ways in which the action in `state` may be translated; each has its `chance`. This reader stays."""
        pick, readings = 0, 1
        while pick < readings:
            after = copy(self)
            after.pick, after.readings = pick, 1
            after.follow(state, action)
            yield after
            readings = after.readings
            pick += 1


def _no_dice() -> float:
    raise AssertionError("a reader is told what to read")

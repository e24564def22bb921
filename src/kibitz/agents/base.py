"""What it takes to play: three methods and a name."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from kibitz.games import Game, State


@runtime_checkable
class Agent(Protocol):
    """One who plays a seat for a whole match.

    Every state an agent is given shows only what its seat may see (`State.seen_by`). Whatever an agent
    remembers from hand to hand it must drop in `reset`, and all its randomness must come from the seed given
    there: then a match can be repeated, and duplicate seats do not leak into each other.

    An agent that can say how likely it does what with each hand has a `kibitz.policy.Policy` as its attribute `policy`:
    then it can be measured as well as played (best responses, AIVAT, imaginary observations). One whose policy depends
    on the hands before says `remembers = True`: it is measured as it is now, and left out of what looks back.
    """

    name: str

    def reset(self, game: Game, seed: int) -> None:
        """A match of `game` begins."""

    def act(self, state: State) -> str:
        """The action to take in `state`, where it is this agent's turn (`state.player`)."""

    def observe(self, state: State, position: int) -> None:
        """A hand is over; `position` was this agent's."""


class Named:
    """An agent that shows itself by its class and name."""

    name: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

"""What it takes to play: three methods and a name."""

from __future__ import annotations

from typing import Protocol, TypeGuard, TypeVar, runtime_checkable

from kibitz.games import Game, State

Kind = TypeVar("Kind")


@runtime_checkable
class Agent(Protocol):
    """One who plays a seat for a whole match.

    Every state an agent is given shows only what its seat may see (`State.seen_by`). Whatever an agent
    remembers from hand to hand it must drop in `reset`, and all its randomness must come from the seed given
    there: then a match can be repeated, and duplicate seats do not leak into each other.
    """

    name: str

    def reset(self, game: Game, seed: int) -> None:
        """A match of `game` begins."""

    def act(self, state: State) -> str:
        """The action to take in `state`, where it is this agent's turn (`state.player`)."""

    def observe(self, state: State, position: int) -> None:
        """A hand is over; `position` was this agent's."""


def plays_as(agent: object, kind: type[Kind]) -> TypeGuard[Kind]:
    """Whether `agent` is of `kind` and plays like it: whoever has replaced one of its methods may do anything."""
    methods = {name for name, value in vars(kind).items() if callable(value) and not name.startswith("__")}
    return (
        isinstance(agent, kind)
        and not methods & vars(agent).keys()
        and all(getattr(type(agent), name) is getattr(kind, name) for name in methods)
    )

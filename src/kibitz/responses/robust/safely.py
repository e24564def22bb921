"""Safe exploitation of repeated small games: how much may be risked grows with what was won.

Safe policy selection (McCracken and Bowling 2004) and risk what you've won in expectation (Ganzfried and Sandholm 2015)
play, in every game, the best response to the model among strategies that risk at most epsilon, and then

    SPS      epsilon <- epsilon + f(t + 1) + value - v      with f positive, its sum growing more slowly than t
    RWYWE    epsilon <- epsilon + value - v                 from 0

where `value` is what the strategy was worth against what the opponent did, and v the value of the game to the seat. As
long as values are expectations the total is never below that of an equilibrium, but for the sum of f.
"""

from __future__ import annotations

from collections.abc import Callable

from kibitz.errors import KibitzError
from kibitz.responses.robust.linear_programs import ResponsePrograms
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.strategy import Strategy

# Name -> what game t adds to epsilon by itself, in shares of the scale.
ALLOWANCES: dict[str, Callable[[int], float]] = {"sps": lambda t: 1.0 / t, "rwywe": lambda t: 0.0}


class SafeExploiter:
    """The bookkeeping of a player who exploits safely, and the strategies that follow from it.

    epsilon   what may be risked in the next game, chips; it may fall below 0 only where values are not expectations
    """

    def __init__(self, compiled: VectorGame, rule: str = "rwywe", scale: float = 1.0) -> None:
        if rule not in ALLOWANCES:
            raise KibitzError(f"no rule {rule!r} of safe exploitation: one of {', '.join(ALLOWANCES)}")
        self.rule, self.scale = rule, scale
        self.games = 0
        self.epsilon = scale * ALLOWANCES[rule](1)
        self._programs = ResponsePrograms(compiled)

    def value(self, seat: int) -> float:
        """What an equilibrium wins from that seat, chips per hand."""
        return (1 - 2 * seat) * self._programs.value

    def respond(self, seat: int, model: Strategy) -> Strategy:
        """What to play from `seat` against an opponent who is thought to play `model`; the seat's part counts."""
        won = self._programs.won(seat, model)
        return self._programs.safe(seat, won, max(self.epsilon, 0.0))[0]

    def record(self, seat: int, value: float) -> None:
        """A game was played from `seat` and its strategy was worth `value`, chips."""
        self.games += 1
        self.epsilon += self.scale * ALLOWANCES[self.rule](self.games + 1) + value - self.value(seat)

"""Roles of a small game whose opponent and responses stay over coarse private states, so that only the exploitability
in the real game looks at all cards.

It finds what `SmallRoles` finds, sooner where the private states of the game are many (Rhode Island has 9,997 in its
last round) and those of the card abstractions few.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal
from kibitz.deals.classes import StateClasses
from kibitz.responses.robust.roles import SmallRoles
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.vector import BEST, NO_RULE
from kibitz.solvers.vector.passes import Passes, root_values
from kibitz.strategy import Strategy
from kibitz.strategy.classes import lifted

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class RealGame:
    """The game with all cards, and memory in which strategies of it are measured one after another.

    sigma   float64[size], the strategy
    """

    def __init__(self, problem: Problem) -> None:
        self.compiled = problem.vector
        self.sigma = np.zeros(self.compiled.layout.size)
        self._passes = Passes(self.compiled)

    def losses(self) -> tuple[float, float]:
        """What each seat of `sigma` loses to a best response, chips per hand."""
        nothing = (self.sigma[:0], self.sigma[:0], self.sigma[:0])
        self._passes.down(0, self.sigma, nothing)
        found = []
        for player in (1, 0):  # what seat 1 wins by its best response is what seat 0 loses
            self._passes.up(player, BEST, NO_RULE, self.sigma, nothing)
            found.append(float(self.compiled.at_root(self._passes.values, player).sum()))
        return found[0], found[1]


@lru_cache(maxsize=1)  # of a large game it takes much memory
def real_game(problem: Problem) -> RealGame:
    """The game with all cards, kept for the next strategy."""
    return RealGame(problem)


class CoarseRoles(SmallRoles):
    """Roles among card abstractions, given in `kept`: `home` has the states that these tell apart together.

    kept      the cards of the opponent, of all models and of everybody else whose strategies meet these roles
    is_real   whether the exploitability is that in the real game, or only by an opponent with R's cards
    """

    def __init__(
        self, problem: Problem, cards: tuple[str, str, str], kept: tuple[str, ...], *, is_real: bool = True
    ) -> None:
        super().__init__(problem, *cards)
        self.kept, self.is_real = kept, is_real
        self.home = self._home.layout
        self.played = self._game(0, self.names[0], (self.names[0],)).layout

    @property
    def home_deal(self) -> MatrixDeal:
        return self._home.deal

    def symmetric(self, name: str) -> tuple[VectorGame, tuple[StateClasses, StateClasses]]:
        """The game in which both seats have these cards, and their classes."""
        first, second = (self._classes((name,), player) for player in range(2))
        return self._game(0, name, (name,)), (first, second)

    def at_home(self, strategy: Strategy, name: str) -> Strategy:
        """A strategy of both seats over the layout of `name`'s cards, over `home`."""
        values = np.zeros(self.home.size)
        for player in range(2):
            lifted(strategy.values, strategy.layout, self.home, player, self._within(name, player), values)
        return Strategy(self.home, values, strategy.manifest)

    def our_classes(self, seat: int) -> Sequence[Ints]:
        return [np.arange(count) for count in self.played.counts[:, seat]]

    def model_classes(self, player: int) -> Sequence[Ints]:
        return self._within(self.names[2], player)

    def meeting(self, seat: int, response: Strategy, opponent: Strategy) -> tuple[VectorGame, Floats]:
        opponent.layout.check_same(self.home)
        game = self._game(seat, self.names[0], self.kept)
        sigma = self._placed(response, seat, game)
        theirs = [np.arange(count) for count in self.home.counts[:, 1 - seat]]
        lifted(opponent.values, self.home, game.layout, 1 - seat, theirs, sigma)
        return game, sigma

    def duel(self, response: Strategy, other: Strategy) -> tuple[float, float]:
        """What each seat of the response wins from another one, both of whose seats have R's cards, chips per hand."""
        found = []
        for seat in range(2):
            game = self.free_game(seat)
            sigma = self._placed(response, seat, game)
            theirs = [np.arange(count) for count in other.layout.counts[:, 1 - seat]]
            lifted(other.values, other.layout, game.layout, 1 - seat, theirs, sigma)
            found.append(root_values(game, sigma, np.empty(0), best=False)[seat])
        return found[0], found[1]

    def losses(self, response: Strategy) -> tuple[float, float]:
        return self.real_losses(response) if self.is_real else self.free_losses(response)

    def free_losses(self, response: Strategy) -> tuple[float, float]:
        """What each seat loses to best responses with R's cards, chips per hand."""
        found = []
        for seat in range(2):
            game = self.free_game(seat)
            found.append(root_values(game, self._placed(response, seat, game), np.empty(0), best=True)[1 - seat])
        return found[0], found[1]

    def real_losses(self, response: Strategy) -> tuple[float, float]:
        """What each seat loses to best responses with all cards, chips per hand."""
        real = real_game(self.problem)
        for seat in range(2):
            classes = self._classes((self.names[0],), seat).of
            lifted(response.values, self.played, self.problem.vector.layout, seat, classes, real.sigma)
        return real.losses()

    @cached_property
    def _home(self) -> VectorGame:
        first, second = (self._classes(self.kept, player) for player in range(2))
        return self._merged((first, second))

    def _within(self, name: str, player: int) -> tuple[Ints, ...]:
        return self._classes((name,), player).within(self._classes(self.kept, player))

    def _placed(self, response: Strategy, seat: int, game: VectorGame) -> Floats:
        """The response in its seat of a game in which that seat has U's cards, and anything in the other."""
        sigma: Floats = np.array(Strategy.uniform(game.layout).values)
        lifted(response.values, self.played, game.layout, seat, self.our_classes(seat), sigma)
        return sigma

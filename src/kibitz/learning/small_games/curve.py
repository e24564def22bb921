"""A learner followed as it learns: exact exploitability of what it does, of its anchor and of its average."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kibitz.errors import KibitzError
from kibitz.learning.small_games.game import UNIFORM
from kibitz.learning.small_games.learner import GradientPlay
from kibitz.learning.small_games.uniform import continuous_exploitability
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.strategy import Strategy

Place = tuple[str, int, str]  # betting history, private state, action


class Point(NamedTuple):
    """One moment of a run; exploitabilities and the value to the first player in chips per hand.

    For U[0,1] best responses know their number exactly, not only its tile. `watched` are the probabilities of the
    places that were asked for.
    """

    iteration: int
    current: float
    anchor: float
    average: float
    value: float
    watched: tuple[float, ...] = ()


def follow(learner: GradientPlay, steps: int, points: int = 100, watch: Sequence[Place] = ()) -> Iterator[Point]:
    """Take `steps` steps and yield the start and `points` moments at equal distances, the last at the end.

    watch   places whose probabilities are told, such as ("cr", 0, "c"): with private state 0, calling a bet
    """
    if steps < 1 or points < 1:
        raise KibitzError(f"{steps} steps and {points} points: at least one of each")
    yield measure(learner, watch)
    points = min(points, steps)
    for number in range(1, points + 1):
        learner.step(steps * number // points - steps * (number - 1) // points)
        yield measure(learner, watch)


def measure(learner: GradientPlay, watch: Sequence[Place] = ()) -> Point:
    """Where a learner stands."""
    game, current = learner.game, learner.current_strategy()

    def distance(strategy: Strategy) -> float:
        if game.name == UNIFORM:
            return continuous_exploitability(game, strategy).exploitability
        return exploitability(game.vector, strategy).exploitability

    has_anchor = learner.settings.anchor != "none"
    return Point(
        learner.iteration,
        distance(current),
        distance(learner.anchor_strategy()) if has_anchor else float("nan"),
        distance(learner.average_strategy()),
        expected_values(game.vector, current)[0],
        tuple(_probability(current, place) for place in watch),
    )


def _probability(strategy: Strategy, place: Place) -> float:
    history, state, action = place
    tree = strategy.layout.tree
    node = tree.find(history)
    offered = tree.offered(node)
    if action not in offered:
        raise KibitzError(f"{action!r} after {history!r}: there are {', '.join(offered)}")
    return float(strategy.at(node)[offered.index(action), state])

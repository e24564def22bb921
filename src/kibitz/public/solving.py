"""Solve a game, measure a strategy, train an agent: one call each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from kibitz.amounts import counted
from kibitz.games import Game, load_game
from kibitz.public.html import MOST, picture, table
from kibitz.strategy import Strategy, StrategyError, load_strategy, save_strategy
from kibitz.strategy.core import REAL
from kibitz.strategy.exploitability import Solved

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kibitz.solvers.problem import Problem
    from kibitz.training.measuring import Measurement


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """A strategy for all seats, and how exploitability fell while it was found.

    strategy   its manifest says how it was made, and in which game it was measured
    curve      measurements: iteration, exploitability, value of seat 0 (chips per hand), seconds of solving
    """

    strategy: Strategy
    curve: tuple[Measurement, ...]

    @property
    def exploitability(self) -> float:
        """Chips per hand; nan where no best response is in reach, as with imperfect recall."""
        return self.curve[-1].exploitability

    @property
    def value(self) -> float:
        """Chips per hand of seat 0 when all play the strategy."""
        return self.curve[-1].value

    def save(self, folder: str | Path) -> None:
        """Write the strategy to a folder, which `load_agent` and `kibitz match` take for an agent."""
        save_strategy(self.strategy, folder)

    def plot(self) -> Figure:
        """Exploitability against iterations and seconds."""
        from kibitz.training.measuring import draw_convergence

        return draw_convergence(self.curve, Solved.of(self.strategy).of_which(""))

    def __str__(self) -> str:
        last, solved = self.curve[-1], Solved.of(self.strategy)
        name = self.strategy.layout.tree.game.name or "the game"
        known = f" ({solved.describe(last.exploitability, '')})" if solved.is_abstract else ""
        how = f"{counted(last.iteration, 'iteration')} of {self.strategy.manifest['algorithm']}"
        return (
            f"{name}: exploitability {last.exploitability:.4g}{known}, EV of seat 0 {last.value:+.4f} chips/hand, {how}"
        )

    def __repr__(self) -> str:
        return shorten(str(self), MOST, placeholder=" …")

    def _repr_html_(self) -> str:
        rows = [
            (f"{each.iteration:,}", f"{each.exploitability:.6g}", f"{each.value:+.6f}", f"{each.seconds:.2f}")
            for each in self.curve[-6:]
        ]
        heading = ("iterations", "exploitability", "value of seat 0", "seconds")
        return picture(self.plot()) + table(heading, rows, str(self))


def solve(
    game: str | Path | Game,
    iterations: int | None = None,
    *,
    until: float | None = None,
    algorithm: str = "dcfr",
    menus: str | Sequence[str] = "full",
    cards: str | Sequence[str] = "",
    seed: int = 0,
    threads: int = 1,
) -> Solution:
    """An equilibrium of `game`, to `iterations` (1,000 by default) or to the exploitability `until`.

    algorithm   cfr, cfr+, linear, dcfr, dcfr-3, pcfr+, cfr-br, lp; by sampling chance, external, outcome, pure, pcs,
                cfr-br-real
    menus       bet sizes, one for all seats or one each
    cards       hold'em: the card abstraction, one for all seats or one each

    >>> round(solve("kuhn", algorithm="lp").value, 6)
    -0.055556
    """
    from kibitz.solvers.problem import Problem

    listed: list[Any] = [tuple(each) if isinstance(each, list) else each for each in (menus, cards)]
    problem = Problem(load_game(game), listed[0], cards=listed[1], seed=seed)
    if iterations is None and until is None:
        iterations = 1 if algorithm == "lp" else 1000
    return _run(problem, algorithm, iterations, until, seed, threads)


def train_agent(
    preset: str = "quick", kind: str = "nolimit", *, seed: int = 0, threads: int = 1, lbr_boards: int = 300
) -> Solution:
    """A blueprint strategy for hold'em from nothing: presets quick, standard and big; kinds nolimit and limit.

    lbr_boards   on how many sampled boards a local best response measures it in the real game; 0 for none. The lower
                 bound is in the manifest of the strategy, as `real`

    >>> train_agent("quick").save("my-agent")  # doctest: +SKIP
    >>> train_agent("fast")
    Traceback (most recent call last):
    kibitz.errors.KibitzError: no preset 'fast': there are quick, standard, big
    """
    from kibitz.arguments import did_you_mean, whole
    from kibitz.errors import KibitzError
    from kibitz.training.presets import find_preset
    from kibitz.training.real import measure_real

    blueprints = find_preset(preset).blueprints
    if kind not in list(blueprints):
        near = did_you_mean(kind, blueprints)
        raise KibitzError(f"no kind {kind!r} of agent{near}: there are {', '.join(blueprints)}")
    lbr_boards = whole(lbr_boards, "lbr_boards", 0)
    chosen = blueprints[kind]
    solution = _run(chosen.problem(seed), chosen.algorithm, chosen.iterations, None, seed, threads)
    if not lbr_boards:
        return solution
    found = solution.strategy
    real = measure_real(found, lbr_boards, seed)
    return Solution(Strategy(found.layout, found.values, {**found.manifest, REAL: real}), solution.curve)


def _run(
    problem: Problem, algorithm: str, iterations: int | None, until: float | None, seed: int, threads: int
) -> Solution:
    from kibitz.plans import rows_of
    from kibitz.progress import silent
    from kibitz.solvers.registry import Options, make_solver
    from kibitz.training.measuring import Measurement
    from kibitz.training.solving import SolveRun

    options = Options(threads=threads, seed=seed)  # refused before anything takes long
    problem.prepare(options.threads, silent)
    run = SolveRun(make_solver(algorithm, problem, options), problem, iterations=iterations, until=until)
    curve = [*rows_of(run)]
    return Solution(run.artefact(curve).content, tuple(map(Measurement.of, curve)))


def exploitability(strategy: Strategy | Solution | str | Path) -> float:
    """How exploitable a strategy (or the one in a folder) is among its own cards and bets: chips per hand, exact.

    >>> exploitability(solve("kuhn", 100)) < 0.01
    True
    """
    from kibitz.responses.best_response import measure
    from kibitz.solvers.problem import problem_of

    found = _strategy(strategy)
    return float(measure(problem_of(found), found)[0].exploitability)


def best_response(strategy: Strategy | Solution | str | Path) -> Strategy:
    """A pure best response of each seat of a two-player game to the other seat's part of a strategy.

    >>> response = best_response(solve("kuhn", 100))
    >>> set(response.values.tolist())
    {0.0, 1.0}
    """
    from kibitz.responses import best_response as responses
    from kibitz.solvers.problem import problem_of

    found = _strategy(strategy)
    return responses.best_response(problem_of(found).vector, found)[0]


def _strategy(given: Strategy | Solution | str | Path) -> Strategy:
    if isinstance(given, str | Path):
        return load_strategy(given)
    found = getattr(given, "strategy", given)
    if not isinstance(found, Strategy):
        raise StrategyError(f"{given!r} is not a strategy: give a Strategy, what `solve` returns, or a folder")
    return found

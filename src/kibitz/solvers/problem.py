"""A game to be solved: rules, menus and cards, put together once and shared by every solver and measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kibitz.deals import MatrixDeal, matrix_deal
from kibitz.errors import KibitzError
from kibitz.games import Game, format_gamedef
from kibitz.solvers.base import Solver
from kibitz.solvers.cfr import CFR, CFRBR, WEIGHTINGS
from kibitz.solvers.vector.form import Form
from kibitz.strategy import Strategy, StrategyError
from kibitz.tree import Menu, Tree, build_tree


@dataclass(frozen=True)
class Problem:
    """What is to be solved. Trees, deals and forms are built when they are first asked for."""

    game: Game
    menus: str | Menu | tuple[str | Menu, ...] = "full"
    suits_merged: bool = True

    @cached_property
    def tree(self) -> Tree:
        """The betting tree."""
        return build_tree(self.game, self.menus)

    @cached_property
    def deal(self) -> MatrixDeal:
        """The cards, for two players."""
        return matrix_deal(self.game, self.suits_merged)

    @cached_property
    def form(self) -> Form:
        """Tree and cards as the vector kernels take them."""
        return Form(self.tree, self.deal)

    def describe(self) -> dict[str, Any]:
        """What identifies the problem in a file."""
        return {
            "game": format_gamedef(self.game),
            "menus": [str(menu) for menu in self.tree.menus],
            "suits": "merged" if self.suits_merged else "kept",
        }


@dataclass(frozen=True)
class Options:
    """How to solve: what not every algorithm has is passed over by those that do not."""

    alternating: bool = True
    threads: int = 1
    seed: int = 0


def _vector(algorithm: str) -> Callable[[Problem, Options], Solver]:
    def make(problem: Problem, options: Options) -> Solver:
        return CFR(problem.form, algorithm, options.alternating, options.threads)

    return make


ALGORITHMS: dict[str, Callable[[Problem, Options], Solver]] = {
    **{name: _vector(name) for name in WEIGHTINGS},
    "cfr-br": lambda problem, options: CFRBR(problem.form),
}


def make_solver(algorithm: str, problem: Problem, options: Options | None = None) -> Solver:
    """A solver by name."""
    if algorithm not in ALGORITHMS:
        raise KibitzError(f"no algorithm {algorithm!r}: one of {', '.join(ALGORITHMS)}")
    return ALGORITHMS[algorithm](problem, options or Options())


def form_of(strategy: Strategy) -> Form:
    """The game that a strategy was made for, laid out anew from the strategy's own tree."""
    tree = strategy.layout.tree
    for suits_merged in (True, False):
        form = Form(tree, matrix_deal(tree.game, suits_merged))
        if form.deal.fingerprint == strategy.layout.cards:
            return form
    raise StrategyError(f"card states {strategy.layout.cards}: neither those of the game with suits merged nor kept")

"""A game to be solved: rules, menus and cards, put together once and shared by every solver and measure."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kibitz.deals import MatrixDeal, matrix_deal
from kibitz.deals.sampled import sampled_deal
from kibitz.errors import KibitzError
from kibitz.games import Game, format_gamedef
from kibitz.solvers.base import Solver
from kibitz.solvers.best_response import Exploitability, expected_values, exploitability
from kibitz.solvers.cfr import CFR, CFRBR, WEIGHTINGS
from kibitz.solvers.enumeration import Enumeration
from kibitz.solvers.mccfr import (
    ChanceSampled,
    DealSampled,
    ExternalSampling,
    OutcomeSampling,
    PublicChanceSampled,
    PureCFR,
)
from kibitz.solvers.sampled.form import SampledForm
from kibitz.solvers.vector.form import Form
from kibitz.strategy import Strategy, StrategyError
from kibitz.tree import Menu, Tree, build_tree, check_fits, size_report


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

    @cached_property
    def sampled(self) -> SampledForm:
        """Tree and cards as the sampled solvers take them."""
        return SampledForm(self.tree, sampled_deal(self.game, self.suits_merged))

    @cached_property
    def enumeration(self) -> Enumeration:
        """Tree and all deals, for any number of players."""
        return Enumeration(self.tree, sampled_deal(self.game, self.suits_merged))

    def measure(self, strategy: Strategy) -> tuple[Exploitability, tuple[float, ...]]:
        """How exploitable `strategy` is, and what each seat wins when all play it; exact."""
        if self.game.players == 2:
            return exploitability(self.form, strategy), expected_values(self.form, strategy)
        return self.enumeration.exploitability(strategy), self.enumeration.values(strategy)

    def check_memory(self) -> None:
        """Refuse, with the numbers, what does not fit into the memory of this machine."""
        available = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
        report = size_report(self.game, self.menus, suits_merged=self.suits_merged)
        # Strategies of two players are measured by the vector kernels, whatever solver made them.
        check_fits(report, available, "vector" if self.game.players == 2 else "sampled")

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


def _sampled(kind: type[DealSampled]) -> Callable[[Problem, Options], Solver]:
    def make(problem: Problem, options: Options) -> Solver:
        return kind(problem.sampled, options.seed, threads=options.threads)

    return make


ALGORITHMS: dict[str, Callable[[Problem, Options], Solver]] = {
    **{name: _vector(name) for name in WEIGHTINGS},
    "cfr-br": lambda problem, options: CFRBR(problem.form),
    **{kind.algorithm: _sampled(kind) for kind in (ChanceSampled, ExternalSampling, OutcomeSampling, PureCFR)},
    "pcs": lambda problem, options: PublicChanceSampled(problem.form, options.seed),
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

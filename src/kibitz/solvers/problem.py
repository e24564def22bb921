"""A game to be solved: rules, menus and cards, put together once and shared by every solver and measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any

from kibitz.abstraction import CardAbstraction, bucketed_deal, load_abstraction, parse_notation
from kibitz.abstraction.features.boards import STREETS
from kibitz.abstraction.features.slices import Progress, silent
from kibitz.abstraction.joint import Boards, bucket_label, bucket_matrices
from kibitz.deals import MatrixDeal, matrix_deal
from kibitz.deals.sampled import SampledDeal, sampled_deal
from kibitz.errors import KibitzError
from kibitz.games import Game, format_gamedef
from kibitz.solvers.base import Solver
from kibitz.solvers.best_response import Exploitability, expected_values, exploitability
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.cfr import CFR, CFRBR, WEIGHTINGS
from kibitz.solvers.enumeration import Enumeration
from kibitz.solvers.mccfr import (
    SAMPLED,
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
from kibitz.tree import Menu, SizeReport, Tree, build_tree, size_report

BOARDS = 10_000
ALL_BOARDS = 22_100 * 49 * 48  # flops, turns and rivers in the order in which they come
_BOARD_BYTES = 52 + 5 + 8  # of a board as it is drawn: a shuffled deck, the cards taken from it, and a weight


@dataclass(frozen=True)
class Problem:
    """What is to be solved. Trees, deals and forms are built when they are first asked for.

    suits_merged  small games: identify hands that differ in the names of suits only
    cards         hold'em: the card abstraction by its notation, such as 5-bucket; "" tells all hands apart
    boards        vector solvers of hold'em: on how many boards the buckets' meetings are counted, 0 for all of them
    seed          of those boards, and of clustering
    """

    game: Game
    menus: str | Menu | tuple[str | Menu, ...] = "full"
    suits_merged: bool = True
    cards: str = ""
    boards: int = BOARDS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.cards:
            check_holdem(self.game, self.cards)
            if self.boards > ALL_BOARDS:
                raise KibitzError(f"{self.boards:,} boards: there are no more than {ALL_BOARDS:,}; 0 takes all of them")

    @cached_property
    def tree(self) -> Tree:
        """The betting tree."""
        return build_tree(self.game, self.menus)

    @cached_property
    def abstraction(self) -> CardAbstraction:
        """The card abstraction of `cards`."""
        return load_abstraction(self.cards, self.seed)

    @cached_property
    def deal(self) -> MatrixDeal:
        """The cards, for two players."""
        return self._meet(1, silent) if self.cards else matrix_deal(self.game, self.suits_merged)

    @cached_property
    def sampled_deal(self) -> SampledDeal:
        """The cards as they are dealt, for any number of players."""
        if not self.cards:
            return sampled_deal(self.game, self.suits_merged)
        return bucketed_deal(self.game, self.abstraction)

    def prepare(self, threads: int, progress: Progress) -> None:
        """Make what takes long, the cards of hold'em, on several threads and with word of it."""
        if self.cards:
            self.__dict__["abstraction"] = load_abstraction(self.cards, self.seed, threads, progress)
            if self.is_measurable:
                self.__dict__["deal"] = self._meet(threads, progress)
            self.__dict__["sampled_deal"] = bucketed_deal(self.game, self.abstraction, threads)

    def _meet(self, threads: int, progress: Progress) -> MatrixDeal:
        boards = Boards.sampled(self.boards, self.seed) if self.boards else Boards.all()
        return bucket_matrices(self.game, self.abstraction, boards, threads, progress)

    def label(self, round_: int, player: int, state: int) -> str:
        """A private state or bucket as people read it."""
        if self.cards:
            return bucket_label(self.abstraction, round_, state)
        if self.game.players == 2:
            return self.deal.rounds[round_].labels[player][state]
        return sampled_deal(self.game, self.suits_merged).labels[round_][player][state]

    @cached_property
    def form(self) -> Form:
        """Tree and cards as the vector kernels take them."""
        return Form(self.tree, self.deal)

    @cached_property
    def sampled(self) -> SampledForm:
        """Tree and cards as the sampled solvers take them."""
        return SampledForm(self.tree, self.sampled_deal)

    @cached_property
    def enumeration(self) -> Enumeration:
        """Tree and all deals, for any number of players."""
        return Enumeration(self.tree, sampled_deal(self.game, self.suits_merged))

    @property
    def has_all_rounds(self) -> bool:
        """Whether the joint bucket distribution is that of whole boards: in hold'em of four rounds."""
        return not self.cards or self.game.board_ends == STREETS

    @property
    def is_measurable(self) -> bool:
        """Whether best responses can be found: in hold'em with two players, four rounds and perfect recall."""
        whole = self.game.players == 2 and self.has_all_rounds
        return not self.cards or (whole and parse_notation(self.cards).recall == "PR")

    def measure(self, strategy: Strategy) -> tuple[Exploitability, tuple[float, ...]]:
        """The exploitability of `strategy`, and the EV of each seat when all play it; exact in the game of `deal`.

        With imperfect recall nan: a best response needs perfect recall.
        """
        if not self.is_measurable:
            return Exploitability((nan,) * self.game.players), (nan,) * self.game.players
        if self.game.players == 2:
            return exploitability(self.form, strategy), expected_values(self.form, strategy)
        return self.enumeration.exploitability(strategy), self.enumeration.values(strategy)

    @cached_property
    def size(self) -> SizeReport:
        """How large it is."""
        states = parse_notation(self.cards).counts[: self.game.rounds] if self.cards else None
        return size_report(self.game, self.menus, states, self.suits_merged)

    @property
    def board_bytes(self) -> int:
        """Approximate memory for sampling boards; 0 where none are sampled."""
        return _BOARD_BYTES * self.boards if self.cards and self.is_measurable else 0

    def describe(self) -> dict[str, Any]:
        """What identifies the problem in a file."""
        described = {
            "game": format_gamedef(self.game),
            "menus": [str(menu) for menu in self.tree.menus],
        }
        return described | self.describe_cards()

    def describe_cards(self) -> dict[str, Any]:
        """What the private states or buckets are."""
        if self.cards:
            return {"cards": self.cards, "boards": self.boards, "seed of boards": self.seed}
        return {"suits": "merged" if self.suits_merged else "kept"}


def check_holdem(game: Game, cards: str) -> None:
    """Refuse a card abstraction in a game that it knows no hands of."""
    ends = game.board_ends
    if game.hole_cards != 2 or len(game.deck) != 52 or ends != STREETS[: len(ends)] or not all(game.sighted):
        raise KibitzError(
            f"the cards {cards} in {game.name or 'this game'}: card abstractions are for hold'em, two hole cards from "
            "52 and 0, 3, 4, 5 on the board; small games need none"
        )


@dataclass(frozen=True)
class Options:
    """How to solve: what not every algorithm has is passed over by those that do not, save for storage and device."""

    alternating: bool = True
    threads: int = 1
    seed: int = 0
    storage: str = "double"
    device: str = "cpu"


def _vector(algorithm: str) -> Callable[[Problem, Options], Solver]:
    def make(problem: Problem, options: Options) -> Solver:
        if options.device == "gpu":
            from kibitz.solvers.gpu.cfr import GpuCFR

            return GpuCFR(problem.form, algorithm, options.alternating)
        return CFR(problem.form, algorithm, options.alternating, options.threads)

    return make


def _sampled(kind: type[DealSampled]) -> Callable[[Problem, Options], Solver]:
    def make(problem: Problem, options: Options) -> Solver:
        return kind(problem.sampled, options.seed, threads=options.threads, storage=options.storage)

    return make


def _pcs(problem: Problem, options: Options) -> Solver:
    if problem.cards:
        return BoardSampled(problem.sampled, options.seed, threads=options.threads)
    return PublicChanceSampled(problem.form, options.seed)


STORED = (ChanceSampled, ExternalSampling, OutcomeSampling, PureCFR)  # those that know other storage than double
ALGORITHMS: dict[str, Callable[[Problem, Options], Solver]] = {
    **{name: _vector(name) for name in WEIGHTINGS},
    "cfr-br": lambda problem, options: CFRBR(problem.form),
    **{kind.algorithm: _sampled(kind) for kind in STORED},
    "pcs": _pcs,
}


def check_solver(algorithm: str, problem: Problem, options: Options) -> None:
    """Refuse, before anything takes long, a problem or options that are not for `algorithm`, a solver or lp."""
    stored = [kind.algorithm for kind in STORED]
    if options.storage != "double" and algorithm not in stored:
        raise KibitzError(f"{options.storage} storage with {algorithm}: only {', '.join(stored)} have it")
    on_gpu = [name for name, weighting in WEIGHTINGS.items() if not weighting.predict]
    if options.device != "cpu" and algorithm not in on_gpu:
        raise KibitzError(f"{algorithm} on a GPU: only {', '.join(on_gpu)} run there")
    if problem.game.players != 2 and algorithm not in stored:
        raise KibitzError(
            f"{algorithm} is for two players, not {problem.game.players}: take one of {', '.join(stored)}"
        )
    if not problem.has_all_rounds and algorithm not in stored:
        raise KibitzError(
            f"{algorithm} with {problem.cards} in {problem.game.rounds} rounds: it needs all four of hold'em; "
            f"with fewer take one of {', '.join(stored)}"
        )
    if not problem.is_measurable and algorithm not in SAMPLED:
        raise KibitzError(
            f"{algorithm} with {problem.cards}, which has imperfect recall: it needs perfect recall, as in 5-bucket; "
            f"with imperfect recall take one of {', '.join(SAMPLED)}"
        )


def make_solver(algorithm: str, problem: Problem, options: Options | None = None) -> Solver:
    """A solver by name."""
    if algorithm not in ALGORITHMS:
        raise KibitzError(f"no algorithm {algorithm!r}: one of {', '.join(ALGORITHMS)}")
    options = options or Options()
    check_solver(algorithm, problem, options)
    return ALGORITHMS[algorithm](problem, options)


def problem_of(strategy: Strategy) -> Problem:
    """The problem that a strategy was made for."""
    tree, made = strategy.layout.tree, strategy.manifest
    menus = tree.menus or "fcpa"  # a tree of learnt sizes has none; it is given below
    if "cards" in made:
        try:
            cards, boards, seed = made["cards"], made["boards"], made["seed of boards"]
        except KeyError as error:
            raise StrategyError(f"the manifest of a strategy with the cards {made['cards']} lacks {error}") from None
        problem = Problem(tree.game, menus, cards=cards, boards=boards, seed=seed)
        problem.__dict__["tree"] = tree
        return problem
    for suits_merged in (True, False):
        problem = Problem(tree.game, menus, suits_merged)
        problem.__dict__["tree"] = tree
        found = problem.deal if tree.game.players == 2 else problem.sampled_deal
        if found.fingerprint == strategy.layout.cards:
            return problem
    raise StrategyError(f"private states {strategy.layout.cards}: neither those of the game with suits merged nor kept")

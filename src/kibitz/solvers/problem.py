"""A game to be solved: rules, menus and cards, put together once and shared by every solver and measure."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

from kibitz.abstraction import CardAbstraction
from kibitz.abstraction.manifests import per_seat, read_cards
from kibitz.arguments import whole
from kibitz.deals import MatrixDeal
from kibitz.deals.private import BucketedCards, LosslessCards, PrivateCards
from kibitz.deals.sampled import SampledDeal, sampled_deal
from kibitz.errors import KibitzError
from kibitz.games import Game, format_gamedef
from kibitz.progress import Progress
from kibitz.solvers.compiled.enumeration import Enumeration
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.plan import BOARDS
from kibitz.strategy import Strategy, StrategyError
from kibitz.tree import Menu, SizeReport, Tree, build_tree, size_report

_held: WeakValueDictionary[Any, Problem] = WeakValueDictionary()


@dataclass(frozen=True)
class Problem:
    """What is to be solved. Trees, deals and compiled games are built when they are first asked for.

    suits_merged  small games: identify hands that differ in the names of suits only
    cards         hold'em: the card abstraction by its notation, such as 5-bucket, one for all players or one for each;
                  "" tells all hands apart
    boards        vector solvers of hold'em: on how many boards the joint bucket distribution is counted, 0 for all
    seed          of those boards, and of clustering
    betting       a betting tree that comes from no menus, as of learnt sizes; otherwise it is built from `menus`
    """

    game: Game
    menus: str | Menu | tuple[str | Menu, ...] = "full"
    suits_merged: bool = True
    cards: str | tuple[str, ...] = ""
    boards: int = BOARDS
    seed: int = 0
    betting: Tree | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", whole(self.seed, "seed", 0))
        _ = self.private  # cards that the game cannot have are refused now

    @cached_property
    def private(self) -> PrivateCards:
        """What players know of their cards."""
        if not self.cards:
            return LosslessCards(self.game, self.suits_merged)
        return BucketedCards(self.game, self.notations, self.boards, self.seed)

    @property
    def notations(self) -> tuple[str, ...]:
        """The card abstraction of every seat by name; none where all hands are told apart."""
        if not self.cards:
            return ()
        return per_seat((self.cards,) if isinstance(self.cards, str) else self.cards, self.game.players)

    @property
    def cards_name(self) -> str:
        """The card abstractions in words."""
        return self.private.name

    @property
    def abstractions(self) -> tuple[CardAbstraction, ...]:
        """The card abstraction of every seat; seats with the same one share it."""
        return self.private.abstractions

    @property
    def deal(self) -> MatrixDeal:
        """The cards, for two players; their states are a rectangle where the seats have different abstractions."""
        return self.private.matrix

    @property
    def sampled_deal(self) -> SampledDeal:
        """The cards as they are dealt, for any number of players."""
        return self.private.sampled

    def prepare(self, threads: int, progress: Progress) -> None:
        """Make what takes long, the cards of hold'em, on several threads and with progress."""
        self.private.prepare(threads, progress)

    def label(self, round_: int, player: int, state: int) -> str:
        """A private state or bucket as people read it."""
        return self.private.label(round_, player, state)

    @cached_property
    def tree(self) -> Tree:
        """The betting tree."""
        return self.betting if self.betting is not None else build_tree(self.game, self.menus)

    @cached_property
    def vector(self) -> VectorGame:
        """Tree and cards as the vector kernels take them."""
        return VectorGame(self.tree, self.deal)

    @cached_property
    def sampled(self) -> SampledGame:
        """Tree and cards as the sampled solvers take them."""
        return SampledGame(self.tree, self.sampled_deal)

    @cached_property
    def enumeration(self) -> Enumeration:
        """Tree and all deals, for any number of players."""
        return Enumeration(self.tree, sampled_deal(self.game, self.suits_merged))

    @property
    def has_all_rounds(self) -> bool:
        """Whether the joint bucket distribution is that of whole boards: in hold'em of four rounds."""
        return self.private.has_all_rounds

    @property
    def is_measurable(self) -> bool:
        """Whether best responses can be found: in hold'em with two players, four rounds and perfect recall."""
        return self.private.is_measurable

    @cached_property
    def size(self) -> SizeReport:
        """How large it is."""
        return size_report(self.game, self.menus, self.private.counts, self.suits_merged)

    @property
    def board_bytes(self) -> int:
        """Approximate memory for sampling boards; 0 where none are sampled."""
        return self.private.board_bytes

    def describe(self) -> dict[str, Any]:
        """What identifies the problem in a file."""
        described = {
            "game": format_gamedef(self.game),
            "menus": [str(menu) for menu in self.tree.menus],
        }
        return described | self.describe_cards()

    def describe_cards(self) -> dict[str, Any]:
        """What the private states or buckets are."""
        return self.private.describe()


def shared_problem(problem: Problem) -> Problem:
    """The one that somebody holds already if it is the same, with what has been built of it."""
    betting = problem.betting.fingerprint if problem.betting is not None else ""
    how = (problem.suits_merged, problem.cards, problem.boards, problem.seed)
    return _held.setdefault((problem.game, problem.menus, betting, how), problem)


def problem_of(strategy: Strategy) -> Problem:
    """The problem that a strategy was made for."""
    tree, made = strategy.layout.tree, strategy.manifest
    try:
        told = read_cards(made)
    except KibitzError as error:
        raise StrategyError(str(error)) from None
    if told is not None:
        return Problem(tree.game, tree.menus, True, told.notations, told.boards, told.seed, betting=tree)
    for suits_merged in (True, False):
        problem = Problem(tree.game, tree.menus, suits_merged, betting=tree)
        if problem.private.fingerprint == strategy.layout.cards:
            return problem
    raise StrategyError(f"private states {strategy.layout.cards}: neither those of the game with suits merged nor kept")

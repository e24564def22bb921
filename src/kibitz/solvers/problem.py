"""A game to be solved: rules, menus and cards, put together once and shared by every solver and measure."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kibitz.abstraction import CardAbstraction, load_abstraction, parse_notation
from kibitz.abstraction.features.boards import STREETS
from kibitz.abstraction.manifests import DescribedCards, per_seat, read_cards
from kibitz.deals import MatrixDeal, matrix_deal
from kibitz.deals.bucketed import bucketed_deal
from kibitz.deals.joint import Boards, bucket_label, bucket_matrices
from kibitz.deals.sampled import SampledDeal, sampled_deal
from kibitz.errors import KibitzError
from kibitz.games import Game, format_gamedef
from kibitz.progress import Progress, silent
from kibitz.solvers.compiled.enumeration import Enumeration
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.strategy import Strategy, StrategyError
from kibitz.tree import Menu, SizeReport, Tree, build_tree, size_report

BOARDS = 10_000
ALL_BOARDS = 22_100 * 49 * 48  # flops, turns and rivers in the order in which they come
_BOARD_BYTES = 52 + 5 + 8  # of a board as it is drawn: a shuffled deck, the cards taken from it, and a weight


@dataclass(frozen=True)
class Problem:
    """What is to be solved. Trees, deals and compiled games are built when they are first asked for.

    suits_merged  small games: identify hands that differ in the names of suits only
    cards         hold'em: the card abstraction by its notation, such as 5-bucket, one for all players or one for each;
                  "" tells all hands apart
    boards        vector solvers of hold'em: on how many boards the buckets' meetings are counted, 0 for all of them
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
    _made: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in dict.fromkeys(self.notations):
            check_holdem(self.game, name)
        if self.cards and self.boards > ALL_BOARDS:
            raise KibitzError(f"{self.boards:,} boards: there are no more than {ALL_BOARDS:,}; 0 takes all of them")

    @cached_property
    def tree(self) -> Tree:
        """The betting tree."""
        return self.betting if self.betting is not None else build_tree(self.game, self.menus)

    @property
    def notations(self) -> tuple[str, ...]:
        """The card abstraction of every seat by name; none where all hands are told apart."""
        if not self.cards:
            return ()
        return per_seat((self.cards,) if isinstance(self.cards, str) else self.cards, self.game.players)

    @property
    def cards_name(self) -> str:
        """The card abstractions in words."""
        return " and ".join(dict.fromkeys(self.notations))

    @property
    def abstractions(self) -> tuple[CardAbstraction, ...]:
        """The card abstraction of every seat; seats with the same one share it."""
        if "abstractions" not in self._made:
            self._load(1, silent)
        found: tuple[CardAbstraction, ...] = self._made["abstractions"]
        return found

    def _load(self, threads: int, progress: Progress) -> None:
        each = {name: load_abstraction(name, self.seed, threads, progress) for name in dict.fromkeys(self.notations)}
        self._made["abstractions"] = tuple(each[name] for name in self.notations)

    @property
    def deal(self) -> MatrixDeal:
        """The cards, for two players; their states are a rectangle where the seats have different abstractions."""
        if "deal" not in self._made:
            self._made["deal"] = self._meet(1, silent) if self.cards else matrix_deal(self.game, self.suits_merged)
        found: MatrixDeal = self._made["deal"]
        return found

    @property
    def sampled_deal(self) -> SampledDeal:
        """The cards as they are dealt, for any number of players."""
        if "sampled deal" not in self._made:
            self._made["sampled deal"] = (
                bucketed_deal(self.game, self.abstractions)
                if self.cards
                else sampled_deal(self.game, self.suits_merged)
            )
        found: SampledDeal = self._made["sampled deal"]
        return found

    def prepare(self, threads: int, progress: Progress) -> None:
        """Make what takes long, the cards of hold'em, on several threads and with progress."""
        if self.cards:
            self._load(threads, progress)
            if self.is_measurable:
                self._made["deal"] = self._meet(threads, progress)
            self._made["sampled deal"] = bucketed_deal(self.game, self.abstractions, threads)

    def _meet(self, threads: int, progress: Progress) -> MatrixDeal:
        boards = Boards.sampled(self.boards, self.seed) if self.boards else Boards.all()
        return bucket_matrices(self.game, self.abstractions, boards, threads, progress)

    def label(self, round_: int, player: int, state: int) -> str:
        """A private state or bucket as people read it."""
        if self.cards:
            return bucket_label(self.abstractions[player], round_, state)
        if self.game.players == 2:
            return self.deal.rounds[round_].labels[player][state]
        return sampled_deal(self.game, self.suits_merged).labels[round_][player][state]

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
        return not self.cards or self.game.board_ends == STREETS

    @property
    def is_measurable(self) -> bool:
        """Whether best responses can be found: in hold'em with two players, four rounds and perfect recall."""
        whole = self.game.players == 2 and self.has_all_rounds
        return whole and all(parse_notation(name).recall == "PR" for name in self.notations) if self.cards else True

    @cached_property
    def size(self) -> SizeReport:
        """How large it is."""
        counts = [parse_notation(name).counts[: self.game.rounds] for name in self.notations]
        states = list(zip(*counts, strict=True)) if counts else None
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
            return DescribedCards(self.notations, self.boards, self.seed).describe()
        return {"suits": "merged" if self.suits_merged else "kept"}


def check_holdem(game: Game, cards: str) -> None:
    """Refuse a card abstraction in a game that it knows no hands of."""
    ends = game.board_ends
    if game.hole_cards != 2 or len(game.deck) != 52 or ends != STREETS[: len(ends)] or not all(game.sighted):
        raise KibitzError(
            f"the cards {cards} in {game.name or 'this game'}: card abstractions are for hold'em, two hole cards from "
            "52 and 0, 3, 4, 5 on the board; small games need none"
        )


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
        found = problem.deal if tree.game.players == 2 else problem.sampled_deal
        if found.fingerprint == strategy.layout.cards:
            return problem
    raise StrategyError(f"private states {strategy.layout.cards}: neither those of the game with suits merged nor kept")

"""What a plan says of the game that it is about: menus, suits and cards, said once for all that solve or play it."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.plans import Plan, seed_for, setting
from kibitz.tree.menus import choose_menus

if TYPE_CHECKING:
    from kibitz.solvers.problem import Problem

BOARDS = 10_000


@dataclass(frozen=True, kw_only=True)
class DealPlan(Plan, ABC):
    """What players know of their cards."""

    suits: Literal["merged", "kept"] | None = setting(
        None, "Whether hands that differ only by a permutation of suits are merged; merging is lossless",
        unsaid="merged",
    )  # fmt: skip
    cards: tuple[str, ...] = setting(
        (), "Card abstraction of hold'em, such as 5-bucket or IR-100; once for all players, or once for each",
        unsaid="none, all hands are distinct",
    )  # fmt: skip
    boards: int | None = setting(
        None, "Number of sampled boards for the joint bucket distribution (vector solvers with --cards); 0 for all",
        at_least=0, at_most=10**9, unsaid=f"{BOARDS:,}",
    )  # fmt: skip
    seed: int = seed_for("all that is sampled: chance, hands, boards, and card abstractions")

    def problem_in(self, game: Game, menus: str | tuple[str, ...]) -> Problem:
        """The game with these menus and cards, nothing of it built yet."""
        from kibitz.solvers.problem import Problem

        boards = BOARDS if self.boards is None else self.boards
        return Problem(game, menus, self.suits != "kept", self.cards or "", boards, self.seed)

    def check_cards(self, problem: Problem) -> None:
        """Refuse what was said of cards and would do nothing."""
        cards = problem.cards_name if problem.cards else ""
        if self.boards is not None and not cards:
            raise useless(f"{self.boards:,} boards", "no card abstraction", "boards are sampled only for one", "boards")
        if self.boards is not None and not problem.is_measurable:
            why = "boards are sampled only for two players, perfect recall and all four rounds"
            raise useless(f"{self.boards:,} boards", cards, why, "boards")
        if self.suits == "kept" and cards:
            raise useless("suits kept", cards, "buckets do not distinguish suits", "suits")


@dataclass(frozen=True, kw_only=True)
class ProblemPlan(DealPlan, ABC):
    """Which game it is, with which bets and cards."""

    game: str | None = setting(
        None, "Game, by name or file", unsaid="that of a folder that brings its own", input="game"
    )
    menus: tuple[str, ...] = setting(
        (), "Menu of bet sizes, such as fcpa or '0.5, 1, all-in'; once for all players, or once for each",
        option="menu", unsaid="full",
    )  # fmt: skip

    def asked(self, game: Game) -> Problem:
        """`game` with the menus and cards that were asked for."""
        return self.problem_in(game, choose_menus(game, self.menus))


def useless(what: str, beside: str, why: str, setting: str) -> KibitzError:
    """What to raise for a setting that would do nothing."""
    return KibitzError(f"{what} with {beside}: {why}", settings=(setting,))

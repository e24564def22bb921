"""A spot: what two players know of a hand of heads-up no-limit hold'em that has come as far as the flop or later."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kibitz.cards import format_cards, parse_cards
from kibitz.deals.board import BoardDeal
from kibitz.equity import Range
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_RAISES
from kibitz.tree import Menu, Tree, build_tree

SEATS = ("out of position", "in position")


@dataclass(frozen=True)
class Rake:
    """What the house takes of a pot: a share of it, at most `cap` chips."""

    share: float = 0.0
    cap: float = float("inf")

    def __post_init__(self) -> None:
        if not 0 <= self.share < 1 or not self.cap >= 0:
            raise KibitzError(f"a rake of {self.share:.3g} of the pot, at most {self.cap:g}: a share from 0 to below 1")

    def of(self, pot: float) -> float:
        """Chips taken of a pot of matched chips."""
        return min(self.share * pot, self.cap)


@dataclass(frozen=True)
class Spot:
    """A sub-game. Player 0 is out of position and acts first in every round; chips are counted from here on.

    board    three to five cards
    pot      chips in the middle
    stacks   chips behind; more than the other has can be neither won nor lost
    ranges   of both players; a pair of hands is dealt in proportion to the product of their weights
    menus    bet sizes, for both players or one each; rounds are counted from here
    min_bet  the big blind
    """

    board: tuple[int, ...]
    pot: int
    stacks: tuple[int, int]
    ranges: tuple[Range, Range]
    menus: str | Menu | tuple[str | Menu, str | Menu] = "0.5, 1, all-in"
    min_bet: int = 1
    rake: Rake = Rake()
    suits_merged: bool = True

    @classmethod
    def parse(
        cls,
        board: str,
        pot: int,
        stack: int | tuple[int, int],
        oop: str,
        ip: str,
        menus: str | Menu | tuple[str | Menu, str | Menu] = "0.5, 1, all-in",
        min_bet: int = 1,
        rake: Rake = Rake(),
    ) -> Spot:
        """A spot from the text of its board and ranges; one stack serves both players.

        >>> Spot.parse("Qs Jh 2h 8d 3c", 100, 400, "AA,KK", "QQ,AQs").game.rounds
        1
        """
        stacks = (stack, stack) if isinstance(stack, int) else stack
        return cls(parse_cards(board), pot, stacks, (Range.parse(oop), Range.parse(ip)), menus, min_bet, rake)

    def __post_init__(self) -> None:
        if self.pot < 1 or min(self.stacks) < 1 or self.min_bet < 1:
            raise KibitzError(
                f"a pot of {self.pot}, stacks of {self.stacks[0]} and {self.stacks[1]}, a smallest bet of "
                f"{self.min_bet}: all must be at least 1 chip"
            )
        _ = self.deal  # a board or ranges that cannot be are refused now

    @cached_property
    def game(self) -> Game:
        """The rules from here on: the pot is dead money, and the board is dealt before the first bet.

        Both players sit with the smaller stack, because nothing beyond it can change hands.
        """
        rounds = 6 - len(self.board)
        antes = (self.pot // 2, self.pot - self.pot // 2)
        return Game(
            betting="nolimit",
            stacks=(antes[0] + min(self.stacks), antes[1] + min(self.stacks)),
            blinds=(0, 0),
            raise_sizes=(),
            first_players=(0,) * rounds,
            max_raises=(UNLIMITED_RAISES,) * rounds,
            suits=4,
            ranks=13,
            hole_cards=2,
            board_cards=(len(self.board),) + (1,) * (rounds - 1),
            antes=antes,
            min_bet=self.min_bet,
            ante_trimming=False,
            name=f"hold'em on {format_cards(self.board)}",
        )

    @cached_property
    def tree(self) -> Tree:
        """The betting from here on."""
        return build_tree(self.game, self.menus)

    @cached_property
    def deal(self) -> BoardDeal:
        """The cards."""
        return BoardDeal(self.board, self.ranges, self.suits_merged)

    @property
    def is_zero_sum(self) -> bool:
        """Whether all chips stay on the table."""
        return self.rake.of(self.pot) == 0

    def payoffs(self, spent: tuple[int, int], player: int) -> tuple[float, float, float]:
        """What `player` gains from here on by winning, splitting and losing a pot to which both added `spent`.

        Unmatched chips go back. Both players' gains add up to the pot, less the rake.
        """
        matched = min(spent)
        rake = self.rake.of(self.pot + 2 * matched)
        return self.pot + matched - rake, (self.pot - rake) / 2, -float(matched)

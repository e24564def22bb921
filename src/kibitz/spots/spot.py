"""A spot: what two players know of a hand of heads-up no-limit hold'em that has come as far as the flop or later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from numbers import Real
from pathlib import Path
from typing import Any

from kibitz.amounts import available_bytes, format_bytes, format_count
from kibitz.arguments import whole
from kibitz.cards import format_cards, parse_cards
from kibitz.deals.board import BoardDeal
from kibitz.equity import Range
from kibitz.errors import FormatError, KibitzError
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_RAISES
from kibitz.tree import Menu, SizeReport, Tree, build_tree, size_report

_SMALLER = " of chips; with amounts such as 6.5, multiply all of them by 10"
SEATS = ("out of position", "in position")
_STATE = 24  # bytes of the tables for a state on a board
_NODE = 1000  # bytes of a betting node while it is laid out
# These files count suits as s, h, d, c: 2s2h, 2s2d, 2s2c, 2s3s, ..., AdAc.
_CARDS = tuple(4 * rank + suit for rank in range(13) for suit in (3, 2, 1, 0))
_HANDS = tuple((max(hand), min(hand)) for hand in combinations(_CARDS, 2))


@dataclass(frozen=True)
class Rake:
    """What the house takes of a pot: a share of it, at most `cap` chips."""

    share: float = 0.0
    cap: float = float("inf")

    def __post_init__(self) -> None:
        if not (isinstance(self.share, Real) and isinstance(self.cap, Real)):
            raise KibitzError(f"a rake of {self.share!r}, at most {self.cap!r}: both are numbers")
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
        board: str | Iterable[str | int],
        pot: int,
        stack: int | Iterable[int],
        oop: str | Range,
        ip: str | Range,
        menus: str | Menu | tuple[str | Menu, str | Menu] = "0.5, 1, all-in",
        min_bet: int = 1,
        rake: Rake | float = Rake(),
    ) -> Spot:
        """A spot from the text of its board and ranges; one stack serves both players, a rake may be its share alone.

        >>> Spot.parse("Qs Jh 2h 8d 3c", 100, 400, "AA,KK", "QQ,AQs").game.rounds
        1
        """
        stacks: Any = tuple(stack) if isinstance(stack, Iterable) and not isinstance(stack, str) else (stack, stack)
        taken = rake if isinstance(rake, Rake) else Rake(rake)
        return cls(parse_cards(board), pot, stacks, (Range.parse(oop), Range.parse(ip)), menus, min_bet, taken)

    def __post_init__(self) -> None:
        if len(self.stacks) != 2:
            raise KibitzError(f"{len(self.stacks)} stacks: give one for both players, or two")
        set_field = object.__setattr__  # the dataclass is frozen
        set_field(self, "stacks", tuple(whole(stack, "stack", hint=_SMALLER) for stack in self.stacks))
        set_field(self, "pot", whole(self.pot, "pot", hint=_SMALLER))
        set_field(self, "min_bet", whole(self.min_bet, "min_bet", hint=_SMALLER))
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


def spot_size(spot: Spot) -> SizeReport:
    """The size of a spot: private states are the hands on all boards, with the empty ones that fill up vectors."""
    deal = spot.deal
    states = [
        (len(boards) * width[0], len(boards) * width[1]) for boards, width in zip(deal.boards, deal.widths, strict=True)
    ]
    return size_report(spot.game, spot.menus, states)


def spot_bytes(spot: Spot, number: int = 4) -> int:
    """Memory to solve it with numbers of that many bytes: regrets and average, and tables of cards and betting."""
    size = spot_size(spot)
    states = sum(sum(each.states) for each in size.rounds)
    return 2 * number * size.pairs + _STATE * states + _NODE * size.nodes


def check_memory(spot: Spot, number: int = 4) -> None:
    """Refuse, with the numbers, what does not fit into the memory of this machine."""
    wanted = spot_bytes(spot, number)
    available = available_bytes()
    if wanted > available:
        raise KibitzError(
            f"the spot has {format_count(spot_size(spot).nodes)} betting nodes on {len(spot.deal.boards[-1]):,} boards "
            f"and needs {format_bytes(wanted)} to solve, there are {format_bytes(available)}: "
            "take fewer bet sizes or narrower ranges"
        )


def read_ranges(path: Path) -> tuple[Range, Range]:
    """The ranges of both players, out of position first: 2 x 1,326 numbers from 0 to 1, separated by blanks."""
    try:
        numbers = [float(word) for word in path.read_text().split()]
    except ValueError as error:
        raise FormatError(f"{path}: reach probabilities are numbers separated by blanks ({error})") from None
    if len(numbers) != 2 * len(_HANDS) or not all(0 <= number <= 1 for number in numbers):
        raise FormatError(f"{path}: {len(numbers):,} numbers; two players have {2 * len(_HANDS):,}, each from 0 to 1")
    return _range(numbers[: len(_HANDS)], path), _range(numbers[len(_HANDS) :], path)


def _range(weights: list[float], path: Path) -> Range:
    held = sorted((hand, weight) for hand, weight in zip(_HANDS, weights, strict=True) if weight > 0)
    if not held:
        raise FormatError(f"{path}: a player has no hands")
    return Range(tuple(hand for hand, _ in held), tuple(weight for _, weight in held))

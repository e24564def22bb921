"""Building transformed trees: the first one, those of later runs, and those read from a file.

The number of bets that fit depends on hidden sizes. As in the thesis, a tree is built as if every bet-sizing player had
chosen the high end, so that whatever they choose is legal. A later tree is built from the root with the ranges of the
one before, by public sequence; that equals adjusting the old tree in place (algorithms 3, 7 and 10), because subtrees
that disappear take their ranges with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from kibitz.bet_sizing.betting import Betting, Spot
from kibitz.bet_sizing.letters import SIZED_LETTERS, name_sizes
from kibitz.bet_sizing.ranges import MARGIN, Range, RangeError, adjust_range, check_range, fits, join
from kibitz.bet_sizing.tree import (
    ADDED,
    ALL_IN,
    CALLS,
    FIXED,
    FOLDS,
    REPEATED,
    SIZED,
    START,
    BetSizer,
    BetTree,
)
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.tree import DECISION, FOLD, SHOWDOWN, Menu, Tree, parse_menu
from kibitz.tree.menus import Size

MAX_NODES = 5_000_000
_SLACK = 1e-9

# What becomes of the ranges of the tree before: algorithms 3 and 7, algorithm 10, and as they are.
Growth = Literal["every-range", "bottom-range", "as-given"]
Ranges = tuple[tuple[Range, ...], tuple[Range, ...]]


@dataclass(frozen=True)
class Transformation:
    """What is made of a game.

    ranges   default ranges of each seat; () for a player without bet-sizing players
    menus    the fixed sizes of each seat: fractions of the pot, min and all-in
    margin   alpha of the thesis
    minimum  whether bets must be as large as the rules say (toy games with real-valued bets do without)
    special  ranges for particular public sequences, instead of the default ones
    """

    game: Game
    ranges: Ranges
    menus: tuple[str, str] = ("all-in", "fcpa")
    margin: float = MARGIN
    minimum: bool = True
    special: Mapping[str, Range] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in (*self.ranges[0], *self.ranges[1], *self.special.values()):
            check_range(each)
        if max(map(len, self.ranges)) > len(SIZED_LETTERS):
            raise RangeError(f"{max(map(len, self.ranges))} ranges of a seat: {len(SIZED_LETTERS)} at most")
        if not any(self.ranges) and not self.special:
            raise RangeError("no range for either seat: there is no bet size to learn")
        for menu in map(parse_menu, self.menus):
            for size in {size for sizes in menu.rounds for size in sizes}:
                if size.kind not in ("pot", "min", "all-in"):
                    raise KibitzError(f"{size} in the menu {menu}: learned sizes allow only fractions, min and all-in")

    def build(self, known: Mapping[str, Range] | None = None, growth: Growth = "every-range") -> BetTree:
        """The tree with default ranges, or with the ranges `known` from the tree before (see `Growth`)."""
        tree = _Builder(self, known or {}, growth).build()
        if not tree.sizers and known is not None and not known:
            raise RangeError("no bet is ever made: nothing is left after pruning")
        if not tree.sizers:
            ranges = join(each for seat in self.ranges for each in seat)
            raise RangeError(f"no range of {ranges} lies between the smallest bet and all-in of this game")
        if not known:
            self._check_smallest(tree)
        return tree

    def _check_smallest(self, tree: BetTree) -> None:
        """Refuse a default range that had to be moved up to the smallest bet wherever it is offered."""
        for seat, ranges in enumerate(self.ranges):
            for number, given in enumerate(ranges):
                lows = [each.range.low for each in tree.sizers if (each.seat, each.number) == (seat, number)]
                if lows and min(lows) > given.high:
                    raise RangeError(f"the range {given}: bets of this game are at least {min(lows):.3g} pots")


class _Offer(NamedTuple):
    """A bet on offer: its letter, its kind, pots, and what it uses up or which range it has."""

    letter: str
    edge: int
    pots: float = 0.0
    size: Size | None = None
    number: int = 0
    range: Range | None = None


Used = tuple[tuple[Size, int], ...]


class _Builder:
    def __init__(self, made: Transformation, known: Mapping[str, Range], growth: Growth) -> None:
        self.made = made
        self.known = known
        self.growth = growth
        self.parents = {key[:-1] for key in known}
        self.betting = Betting(made.game, made.minimum)
        self.menus: tuple[Menu, Menu] = (parse_menu(made.menus[0]), parse_menu(made.menus[1]))
        self.letters = tuple(name_sizes(menu, bool(made.ranges[p])) for p, menu in enumerate(self.menus))
        self.rows: list[tuple[int, int, int, int]] = []
        self.chips: list[tuple[float, float]] = []
        self.actions: list[str] = []
        self.edges: list[tuple[int, float, int]] = []
        self.sizers: list[BetSizer] = []

    def build(self) -> BetTree:
        start = self.betting.start()
        self._add(start, -1, "", START, 0.0, -1, 0)
        spans: dict[int, tuple[int, int]] = {}
        stack: list[tuple[int, Spot, Used, str]] = [(0, start, (), "")]
        while stack:
            node, spot, used, key = stack.pop()
            first, following = len(self.rows), []
            for offer in self._offers(spot, used, key):
                after, used_after = self._take(spot, offer, used)
                child_key = key + offer.letter
                sizer = -1
                if offer.range is not None:
                    sizer = len(self.sizers)
                    self.sizers.append(BetSizer(child_key, len(self.rows), spot.player, offer.number, offer.range))
                fraction = offer.pots if offer.edge in (FIXED, ADDED) else 0.0
                child = self._add(after, node, offer.letter, offer.edge, fraction, sizer, spot.round)
                if after.kind == DECISION:
                    gap = "/" * (after.round - spot.round)
                    following.append((child, after, used_after, child_key + gap))
            spans[node] = (first, len(self.rows) - first)
            stack.extend(reversed(following))
            if len(self.rows) > MAX_NODES:
                raise KibitzError(f"the tree has more than {MAX_NODES:,} nodes: give fewer ranges or sizes")
        return self._finish(spans)

    def _add(self, spot: Spot, parent: int, letter: str, edge: int, fraction: float, sizer: int, round_: int) -> int:
        at = spot.round if spot.kind == DECISION else round_
        self.rows.append((spot.kind, spot.player, at, parent))
        self.chips.append(spot.chips)
        self.actions.append(letter)
        self.edges.append((edge, fraction, sizer))
        return len(self.rows) - 1

    def _offers(self, spot: Spot, used: Used, key: str) -> list[_Offer]:
        offers = [_Offer("f", FOLDS)] if spot.to_call > _SLACK else []
        offers.append(_Offer("c", CALLS))
        most, least = self.betting.most(spot), self.betting.least(spot)
        if most <= _SLACK:
            return offers
        offers += self._sized(spot.player, key, least, most)
        every_in = False
        for size in self.menus[spot.player].sizes(spot.round):
            if not size.first <= spot.raises + 1 <= size.last or _is_spent(size, spot.player, used):
                continue
            if size.kind == "all-in" or (size.kind == "min" and self._takes_all(spot)):
                every_in = True
            elif size.kind == "min":
                edge, chips = (REPEATED, 0.0) if spot.raises else (ADDED, spot.increment)  # as much as was raised last
                offers.append(_Offer(self.letters[spot.player][str(size)], edge, chips, size))
            elif least - _SLACK <= size.pots < most - _SLACK:
                offers.append(_Offer(self.letters[spot.player][str(size)], FIXED, size.pots, size))
        return [*offers, _Offer("a", ALL_IN)] if every_in else offers

    def _takes_all(self, spot: Spot) -> bool:
        """Whether the smallest bet is all-in."""
        return spot.increment >= self.betting.stack - spot.matched - _SLACK

    def _sized(self, player: int, key: str, least: float, most: float) -> list[_Offer]:
        """The bet-sizing players of a decision."""
        made = self.made
        special = {
            number: self._legal(made.special[key + letter], key + letter, least, most)
            for number, letter in enumerate(SIZED_LETTERS)
            if key + letter in made.special
        }
        defaults = special or dict(fits(made.ranges[player], least, most, made.margin))
        grown = key in self.parents  # whether the tree before had bets here
        offers = []
        for number, letter in enumerate(SIZED_LETTERS):
            before = self.known.get(key + letter)
            if self.growth == "as-given":
                found = before and self._legal(before, key + letter, least, most)
            elif before is not None:
                found = adjust_range(before, least, most, made.margin)
            elif self.growth == "bottom-range" and (grown or number > 0):
                found = None  # a pruned decision gets no new bets, and an empty one only the bottom range
            else:
                found = defaults.get(number)
            if found is not None:
                offers.append(_Offer(letter, SIZED, found.high, None, number, found))
        return offers

    def _legal(self, given: Range, key: str, least: float, most: float) -> Range:
        """A range that was given for this bet, unless some size of it is no legal bet here."""
        if given.low < least - _SLACK or given.high > most + _SLACK:
            raise RangeError(f"the range {given} of {key!r}: bets there are {least:.4g} to {most:.4g} pots")
        return given

    def _take(self, spot: Spot, offer: _Offer, used: Used) -> tuple[Spot, Used]:
        """The spot after an offer is taken, sized bets at their high end, and what is used up of the menus then."""
        betting = self.betting
        if offer.edge == FOLDS:
            return betting.fold(spot), used
        if offer.edge == CALLS:
            after = betting.call(spot)
            return after, used if after.round == spot.round else ()
        if offer.edge in (REPEATED, ADDED):
            chips = spot.matched + spot.increment
        else:
            chips = betting.stack if offer.edge == ALL_IN else spot.matched * (1 + 2 * offer.pots)
        limited = offer.size is not None and offer.size.scope
        return betting.bet(spot, chips), (*used, (offer.size, spot.player)) if limited and offer.size else used

    def _finish(self, spans: dict[int, tuple[int, int]]) -> BetTree:
        n = len(self.rows)
        kind, player, round_, parent = np.array(self.rows).T
        first, children = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
        for node, (begin, count) in spans.items():
            first[node], children[node] = begin, count
        folded = np.where(kind == FOLD, 1 << (1 - np.maximum(player, 0)), 0).astype(np.int32)
        spent = np.rint(np.array(self.chips) - self.betting.ante).astype(np.int64)
        shape = Tree(
            self.made.game,
            self.menus,
            kind.astype(np.int8),
            np.where(kind == SHOWDOWN, -1, player).astype(np.int8),
            round_.astype(np.int8),
            parent.astype(np.int32),
            first,
            children,
            spent,
            folded,
            tuple(self.actions),
        )
        edge, fraction, sizer = (list(column) for column in zip(*self.edges, strict=True))
        first_letters, second_letters = ({letter: text for text, letter in letters.items()} for letters in self.letters)
        return BetTree(
            shape,
            np.array(edge, dtype=np.int8),
            np.array(fraction, dtype=np.float64),
            np.array(sizer, dtype=np.int32),
            tuple(self.sizers),
            (first_letters, second_letters),
        )


def _is_spent(size: Size, player: int, used: Used) -> bool:
    """Whether a size that may be used once a round (by a player, or for all) has been."""
    if not size.scope:
        return False
    if size.scope == "once":
        return any(other == size and user == player for other, user in used)
    alike = (size.kind, size.pots, size.scope)
    return any((other.kind, other.pots, other.scope) == alike for other, _user in used)

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

from kibitz.bet_sizing.ranges import MARGIN, SizeRange, SizeRangeError, adjust_range, check_range, fits, join
from kibitz.bet_sizing.tree import (
    ADDED,
    ALL_IN,
    CALLS,
    FIXED,
    FOLDS,
    REPEATED,
    SIZED,
    SIZED_LETTERS,
    START,
    BetSizer,
    BetTree,
    name_sizes,
)
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.tree import DECISION, FOLD, SHOWDOWN, Menu, Tree, parse_menu
from kibitz.tree.growing import Growing
from kibitz.tree.menus import Size, Used, is_spent

_SLACK = 1e-9
MAX_NODES = 5_000_000

# What becomes of the ranges of the tree before: algorithms 3 and 7, algorithm 10, and as they are.
Growth = Literal["every-range", "bottom-range", "as-given"]
Ranges = tuple[tuple[SizeRange, ...], tuple[SizeRange, ...]]


class BettingState(NamedTuple):
    """One point of the betting with real-valued chips, whatever the cards.

    The rules engine counts whole chips; bet sizes that are to be learnt are real numbers. `BetRules` has its rules for
    two players with equal stacks, and nothing more.

    kind       DECISION, FOLD or SHOWDOWN
    player     to act; at a FOLD the one who is left, -1 at a SHOWDOWN
    chips      what each player has put in over the hand, antes included
    increment  chips that a raise must add
    answered   whether the other player has acted in this round, so that a call ends it
    """

    kind: int
    player: int
    round: int
    chips: tuple[float, float]
    increment: float
    raises: int
    answered: bool

    @property
    def matched(self) -> float:
        """What the other player has put in: what a call makes it."""
        return self.chips[1 - self.player]

    @property
    def to_call(self) -> float:
        return self.matched - self.chips[self.player]


class BetRules:
    """The rules of a no-limit game for two with equal stacks and antes.

    minimum   whether bets must be as large as the rules say; toy games with real-valued bets do without
    """

    def __init__(self, game: Game, minimum: bool = True) -> None:
        if game.players != 2 or game.betting != "nolimit":
            raise KibitzError(f"bet sizes of {game.name or 'this game'}: they need two players and no-limit betting")
        if len(set(game.limits)) > 1 or len(set(game.antes_paid)) > 1:
            raise KibitzError(f"stacks {game.stacks} and antes {game.antes}: bet sizes need equal ones")
        self.game = game
        self.minimum = minimum
        self.ante = float(game.antes_paid[0])
        self.stack = game.limits[0] + self.ante
        if self.start().matched <= 0:
            raise KibitzError(
                "the first bet faces an empty pot, and sizes are fractions of the pot: give blinds or antes"
            )
        if self.start().to_call < 0:
            raise KibitzError(
                f"blinds {game.blinds}, and player {game.first_players[0]} acts first: bet sizes are learnt where the "
                "smaller blind does"
            )

    def start(self) -> BettingState:
        """The hand before anybody acts."""
        game = self.game
        chips = (game.blinds[0] + self.ante, game.blinds[1] + self.ante)
        return BettingState(DECISION, game.first_players[0], 0, chips, game.opening_raise, 0, False)

    def least(self, state: BettingState) -> float:
        """The smallest bet, in pots after the call."""
        return state.increment / (2 * state.matched) if self.minimum else 0.0

    def most(self, state: BettingState) -> float:
        """All-in, in pots after the call; 0 where there is no betting."""
        may = state.raises < self.game.max_raises[state.round] and self.game.bettors[state.player]
        return (self.stack - state.matched) / (2 * state.matched) if may and not self.is_all_in(state) else 0.0

    def is_all_in(self, state: BettingState) -> bool:
        """Whether the other player has nothing left to bet with."""
        return state.matched >= self.stack - _SLACK

    def fold(self, state: BettingState) -> BettingState:
        return state._replace(kind=FOLD, player=1 - state.player)

    def call(self, state: BettingState) -> BettingState:
        """After a call or check: the other player's turn, the next round, or the showdown."""
        chips = (state.matched, state.matched)
        after = state._replace(chips=chips, player=1 - state.player, answered=True)
        if not state.answered and not self.is_all_in(state) and self.game.bettors[after.player]:
            return after
        if self.is_all_in(state) or state.round == self.game.rounds - 1:
            return after._replace(kind=SHOWDOWN, player=-1)
        opener = self.game.first_players[state.round + 1]
        return BettingState(DECISION, opener, state.round + 1, chips, float(self.game.smallest_bet), 0, False)

    def bet(self, state: BettingState, chips: float) -> BettingState:
        """After a raise to `chips`."""
        both = (chips, state.chips[1]) if state.player == 0 else (state.chips[0], chips)
        increment = max(state.increment, chips - state.matched)
        return state._replace(
            chips=both, player=1 - state.player, increment=increment, raises=state.raises + 1, answered=True
        )


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
    special: Mapping[str, SizeRange] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in (*self.ranges[0], *self.ranges[1], *self.special.values()):
            check_range(each)
        if max(map(len, self.ranges)) > len(SIZED_LETTERS):
            raise SizeRangeError(f"{max(map(len, self.ranges))} ranges of a seat: {len(SIZED_LETTERS)} at most")
        if not any(self.ranges) and not self.special:
            raise SizeRangeError("no range for either seat: there is no bet size to learn")
        for menu in map(parse_menu, self.menus):
            for size in {size for sizes in menu.rounds for size in sizes}:
                if size.kind not in ("pot", "min", "all-in"):
                    raise KibitzError(f"{size} in the menu {menu}: learned sizes allow only fractions, min and all-in")

    def build(self, known: Mapping[str, SizeRange] | None = None, growth: Growth = "every-range") -> BetTree:
        """The tree with default ranges, or with the ranges `known` from the tree before (see `Growth`)."""
        tree = _Builder(self, known or {}, growth).build()
        if not tree.sizers and known is not None and not known:
            raise SizeRangeError("no bet is ever made: nothing is left after pruning")
        if not tree.sizers:
            ranges = join(each for seat in self.ranges for each in seat)
            raise SizeRangeError(f"no range of {ranges} lies between the smallest bet and all-in of this game")
        if not known:
            self._check_smallest(tree)
        return tree

    def _check_smallest(self, tree: BetTree) -> None:
        """Refuse a default range that had to be moved up to the smallest bet wherever it is offered."""
        for seat, ranges in enumerate(self.ranges):
            for number, given in enumerate(ranges):
                lows = [each.range.low for each in tree.sizers if (each.seat, each.number) == (seat, number)]
                if lows and min(lows) > given.high:
                    raise SizeRangeError(f"the range {given}: bets of this game are at least {min(lows):.3g} pots")


class _Offer(NamedTuple):
    """A bet on offer: its letter, its kind, pots, and what it uses up or which range it has."""

    letter: str
    edge: int
    pots: float = 0.0
    size: Size | None = None
    number: int = 0
    range: SizeRange | None = None


Point = tuple[BettingState, Used, str]  # a point of the betting, what is used up of the menus, and its public sequence


class _Builder:
    def __init__(self, made: Transformation, known: Mapping[str, SizeRange], growth: Growth) -> None:
        self.made = made
        self.known = known
        self.growth = growth
        self.parents = {key[:-1] for key in known}
        self.betting = BetRules(made.game, made.minimum)
        self.menus: tuple[Menu, Menu] = (parse_menu(made.menus[0]), parse_menu(made.menus[1]))
        self.letters = tuple(name_sizes(menu, bool(made.ranges[p])) for p, menu in enumerate(self.menus))
        self.growing = Growing(made.game.players)
        self.edges: list[tuple[int, float, int]] = []
        self.sizers: list[BetSizer] = []

    def build(self) -> BetTree:
        start = self.betting.start()
        self._add(start, -1, _Offer("", START), -1, 0)
        root: Point = (start, (), "")
        self.growing.grow(root, self._expand)
        return self._finish()

    def _expand(self, node: int, place: Point) -> list[tuple[int, Point]]:
        (state, used, key), following = place, []
        for offer in self._offers(state, used, key):
            after, used_after = self._take(state, offer, used)
            child_key = key + offer.letter
            sizer = -1
            if offer.range is not None:
                sizer = len(self.sizers)
                self.sizers.append(BetSizer(child_key, len(self.growing), state.player, offer.number, offer.range))
            child = self._add(after, node, offer, sizer, state.round)
            if after.kind == DECISION:
                gap = "/" * (after.round - state.round)
                following.append((child, (after, used_after, child_key + gap)))
        if len(self.growing) > MAX_NODES:
            raise KibitzError(f"the tree has more than {MAX_NODES:,} nodes: give fewer ranges or sizes")
        return following

    def _add(self, state: BettingState, parent: int, offer: _Offer, sizer: int, round_: int) -> int:
        """Append the node that `offer`, taken in `round_`, leads to."""
        at = state.round if state.kind == DECISION else round_
        player = -1 if state.kind == SHOWDOWN else state.player
        spent = tuple(round(chips - self.betting.ante) for chips in state.chips)
        folded = 1 << (1 - state.player) if state.kind == FOLD else 0
        self.edges.append((offer.edge, offer.pots if offer.edge in (FIXED, ADDED) else 0.0, sizer))
        return self.growing.append(parent, offer.letter, (state.kind, player, at), spent, folded)

    def _offers(self, state: BettingState, used: Used, key: str) -> list[_Offer]:
        offers = [_Offer("f", FOLDS)] if state.to_call > _SLACK else []
        offers.append(_Offer("c", CALLS))
        most, least = self.betting.most(state), self.betting.least(state)
        if most <= _SLACK:
            return offers
        offers += self._sized(state.player, key, least, most)
        every_in = False
        for size in self.menus[state.player].sizes(state.round):
            if not size.first <= state.raises + 1 <= size.last or is_spent(size, state.player, used):
                continue
            if size.kind == "all-in" or (size.kind == "min" and self._takes_all(state)):
                every_in = True
            elif size.kind == "min":
                edge, chips = (
                    (REPEATED, 0.0) if state.raises else (ADDED, state.increment)
                )  # as much as was raised last
                offers.append(_Offer(self.letters[state.player][str(size)], edge, chips, size))
            elif least - _SLACK <= size.pots < most - _SLACK:
                offers.append(_Offer(self.letters[state.player][str(size)], FIXED, size.pots, size))
        return [*offers, _Offer("a", ALL_IN)] if every_in else offers

    def _takes_all(self, state: BettingState) -> bool:
        """Whether the smallest bet is all-in."""
        return state.increment >= self.betting.stack - state.matched - _SLACK

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

    def _legal(self, given: SizeRange, key: str, least: float, most: float) -> SizeRange:
        """A range that was given for this bet, unless some size of it is no legal bet here."""
        if given.low < least - _SLACK or given.high > most + _SLACK:
            raise SizeRangeError(f"the range {given} of {key!r}: bets there are {least:.4g} to {most:.4g} pots")
        return given

    def _take(self, state: BettingState, offer: _Offer, used: Used) -> tuple[BettingState, Used]:
        """The state after an offer is taken, sized bets at their high end, and what is used up of the menus then."""
        betting = self.betting
        if offer.edge == FOLDS:
            return betting.fold(state), used
        if offer.edge == CALLS:
            after = betting.call(state)
            return after, used if after.round == state.round else ()
        if offer.edge in (REPEATED, ADDED):
            chips = state.matched + state.increment
        else:
            chips = betting.stack if offer.edge == ALL_IN else state.matched * (1 + 2 * offer.pots)
        is_limited = offer.size is not None and offer.size.scope
        return betting.bet(state, chips), (*used, ((offer.size,), state.player)) if is_limited and offer.size else used

    def _finish(self) -> BetTree:
        shape = Tree(self.made.game, self.menus, **self.growing.columns())
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

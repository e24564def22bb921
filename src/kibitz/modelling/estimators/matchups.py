"""Starting hands of hold'em against each other: all-in equities, exactly, and what hole cards are worth by them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import comb

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.cache import cache_folder, make_table
from kibitz.equity.matchups import preflop_equity
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate_boards
from kibitz.games import Game, load_game
from kibitz.modelling.estimators.holdings import Cards, Floats
from kibitz.modelling.estimators.showdowns import Pot, pot_shares
from kibitz.policy.base import fingerprint_of
from kibitz.policy.strengths import all_hands, card_sets

VERSION = 1
_BLOCK = 512  # boards valued together
Hand = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Matchups:
    """Equities of every two starting hands before the flop, exactly, over all boards.

    table : float64[hands, hands], the chance to win less the chance to lose; 0 where the hands share a card.

    Hands are numbered as `all_hands` lists them.
    """

    suits: int
    ranks: int
    table: Floats
    lowest: bool = False

    @property
    def fingerprint(self) -> str:
        return fingerprint_of("matchups", self.suits, self.ranks, np.ascontiguousarray(self.table))

    def serves(self, game: Game) -> bool:
        """Whether `game` is heads-up hold'em with this deck."""
        deck = (game.suits, game.ranks, game.has_lowest_deck, game.players, game.hole_cards, game.board_ends[-1])
        return deck == (self.suits, self.ranks, self.lowest, 2, 2, 5) and game.hand_ranking == "standard"

    def advantages(self, ours: Cards, theirs: Cards) -> Floats:
        """For rows of two hole cards each, uint8[n, 2]: float64[n]."""
        return np.asarray(self.table[self._numbers(ours), self._numbers(theirs)])

    def _numbers(self, hands: Cards) -> npt.NDArray[np.int64]:
        return _numbering(self.suits, self.ranks, self.lowest)[hands[:, 0], hands[:, 1]]


@lru_cache(maxsize=4)
def _numbering(suits: int, ranks: int, lowest: bool = False) -> npt.NDArray[np.int64]:
    """The number of a hand by its two cards in either order."""
    from kibitz.cards import make_deck

    numbers = np.full((52, 52), -1, dtype=np.int64)
    for number, (first, second) in enumerate(combinations(sorted(make_deck(suits, ranks, lowest)), 2)):
        numbers[first, second] = numbers[second, first] = number
    return numbers


def load_matchups(game: Game) -> Matchups:
    """The table of `game`'s deck; of 52 cards it takes some 30 seconds the first time and stays in the cache folder."""
    if (game.hole_cards, game.board_ends[-1], game.hand_ranking) != (2, 5, "standard"):
        raise KibitzError(f"matchups are for hold'em, not for {game.name or 'this game'}")
    hands = len(all_hands(game))

    def fill(table: Floats) -> None:
        table[...] = count_matchups(game)

    if len(game.deck) < 52:
        return Matchups(game.suits, game.ranks, count_matchups(game), game.has_lowest_deck)
    path = cache_folder() / f"matchups-{VERSION}.npy"
    table = make_table(path, (hands, hands), np.float64, fill)
    return Matchups(game.suits, game.ranks, table, game.has_lowest_deck)


def count_matchups(game: Game) -> Floats:
    """The table itself. Boards that differ in the names of suits only are counted once and spread afterwards."""
    from kibitz.modelling.estimators import _kernels

    hands = all_hands(game)
    masks = card_sets(hands)
    boards, weights = canonical_boards(game)
    wins = np.zeros((len(hands), len(hands)), dtype=np.int32)  # of 2,598,960 boards at most
    for start in range(0, len(boards), _BLOCK):
        values = evaluate_boards(boards[start : start + _BLOCK], masks)
        _kernels.add_all_pairs(values, weights[start : start + _BLOCK], wins)
    wins -= wins.T
    numbers, renamings = _numbering(game.suits, game.ranks, game.has_lowest_deck), _renamings(game)
    total = np.zeros(wins.shape, dtype=np.int64)
    for suits in renamings:
        renamed = 4 * (hands >> 2) + suits[hands & 3]
        to = numbers[renamed[:, 0], renamed[:, 1]]
        total += wins[np.ix_(to, to)]
    return total / (len(renamings) * comb(len(game.deck) - 4, 5))


def _renamings(game: Game) -> list[npt.NDArray[np.uint8]]:
    """All ways to rename the suits of the deck."""
    suits = sorted({card & 3 for card in game.deck})
    renamings = []
    for order in permutations(suits):
        new = np.arange(4, dtype=np.uint8)
        new[suits] = order
        renamings.append(new)
    return renamings


def canonical_boards(game: Game) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """One of each class of boards that suits' names tell apart, as masks, and how many boards are of the class."""
    deck = np.array(sorted(game.deck), dtype=np.uint8)
    boards = deck[np.array(list(combinations(range(len(deck)), 5)), dtype=np.uint8)]
    smallest = np.full(len(boards), np.iinfo(np.uint64).max, dtype=np.uint64)
    for suits in _renamings(game):
        bits = np.uint64(1) << (16 * suits[boards & 3].astype(np.uint64) + (boards >> 2))
        np.minimum(smallest, np.bitwise_or.reduce(bits, axis=1), out=smallest)
    found, counts = np.unique(smallest, return_counts=True)
    return found, counts.astype(np.int32)


@dataclass(frozen=True)
class Coolers:
    """The value of hole cards in hold'em before anybody acts: strong hands that meet play large pots.

    Two seats that hold x and y are thought to swing scale * s(x) * s(y) * (P(x wins) - P(y wins)) of the chips that
    both can bet, where s is the strength of a hand and the chances are those of an all-in. What one seat wins of
    another, that one loses, and all deals are equally likely: so the mean over all deals is 0, exactly, whatever s is.

    scale     part of what both can bet that two of the strongest hands are thought to play for
    least     all-in equity against a random hand from which a hand has any strength: s = 0 there and 1 for aces
    sharpness power to which strength is taken
    deepest   big blinds beyond which chips of a stack are thought to stay behind

    In limit games stacks are often unlimited: there no more can be bet than the raises allow.
    """

    scale: float = 0.5
    least: float = 0.55
    sharpness: float = 2.0
    deepest: int = 200

    @property
    def fingerprint(self) -> str:
        return fingerprint_of("coolers", self.scale, self.least, self.sharpness, self.deepest)

    def strength(self, hand: Hand) -> float:
        """s of a hand, from 0 to 1."""
        above = (preflop_equity(hand) - self.least) / (_ACES - self.least)
        return float(max(above, 0.0) ** self.sharpness)

    def values(self, game: Game, player: int, holes: Cards, matchups: Matchups | None = None) -> Floats | None:
        """Chips of `player`: float64[n] from uint8[n, players, 2]; None for other games than hold'em."""
        if game.hole_cards != 2 or len(game.deck) != 52 or game.board_ends[-1] != 5:
            return None
        total = np.zeros(len(holes))
        most = self.deepest * game.big_blind
        if game.highest_bet is not None:
            most = min(most, game.highest_bet)
        strengths = _strengths(self)[holes[..., 0], holes[..., 1]]
        for seat in range(game.players):
            both = strengths[:, player] * strengths[:, seat]
            rows = np.flatnonzero(both)
            if seat != player and len(rows):
                ours, theirs = holes[rows, player], holes[rows, seat]
                stack = min(game.stacks[player], game.stacks[seat], most)
                total[rows] += self.scale * stack * both[rows] * _advantages(ours, theirs, matchups)
        return total


@lru_cache(maxsize=8)
def _strengths(coolers: Coolers) -> Floats:
    """The strengths of all hands by their cards: float64[52, 52]."""
    table = np.zeros((52, 52))
    for hand in permutations(range(52), 2):
        table[hand] = coolers.strength(hand)
    return table


def _advantages(ours: Cards, theirs: Cards, matchups: Matchups | None) -> Floats:
    if matchups is not None:
        return matchups.advantages(ours, theirs)
    pairs = zip(ours.tolist(), theirs.tolist(), strict=True)
    return np.array([advantage((x[0], x[1]), (y[0], y[1])) for x, y in pairs])


_ACES = preflop_equity((51, 50))
_HOLDEM = load_game("holdem-nolimit-2p")


def advantage(ours: Hand, theirs: Hand) -> float:
    """The chance to win an all-in before the flop less the chance to lose it, no other cards being known.

    >>> round(advantage((51, 50), (47, 46)), 4)
    0.6527
    """
    names: dict[int, int] = {}  # suits in the order in which they are met
    cards = [4 * (card >> 2) + names.setdefault(card & 3, len(names)) for card in (*ours, *theirs)]
    return _counted(cards[0], cards[1], cards[2], cards[3])


@lru_cache(maxsize=1 << 16)
def _counted(*cards: int) -> float:
    holes = np.array([[cards[:2], cards[2:]]], dtype=np.uint8)
    share = pot_shares(_HOLDEM, 0, [Pot(1, (0, 1))], holes, ())
    return float(2 * share[0, 0] - 1)
